#!/bin/sh
# The condition that -Wmaybe-uninitialized states is exact: in each of the files conditions/*.c it is as its first line
# says, and all ways through the function, followed without gates, agree (z3). Of the variation beside it, which gcc -O2
# does not warn of, nothing is said. Then the same for random programs, on all small inputs.
set -eu
cd "$ROOT/test/warnings/conditions"
set -- *.c
[ $# -ge 40 ] || { echo "there are $# files"; exit 1; }
least=$(grep -l '^// .*at least' "$@" | wc -l)
[ $(($# - least)) -ge 40 ] || { echo "only $(($# - least)) state an exact condition"; exit 1; }
if command -v z3 >/dev/null; then
    python3 ../conditions.py "$@"
else
    echo "z3 is missing: tools/install-deps test"
    exit 1
fi
# What was gcc 12's answer when the files were written must be the answer of any gcc that is here.
if [ -n "${CHECK_GCC-}" ] || gcc -dumpversion 2>/dev/null | grep -q '^12'; then
    for file; do
        if gcc -O2 -Wall -c -o "$TMPDIR/object.o" "$file" 2>&1 | grep -A 1 "In function .good" | grep -q uninitialized; then
            echo "gcc warns of good in $file"
            exit 1
        fi
    done
fi
python3 ../conditions.py --random 100
