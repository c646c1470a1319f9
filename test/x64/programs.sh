#!/bin/sh
# The programs of test/c, compiled to native code at -O0 and -O1, print what they print when the system's compiler has
# compiled them. Left out: what is undefined, and what gcc 12 does not do right: aliases of indirect functions, for which it calls
# their resolver, and u"..." in structures of another storage order, whose bytes it leaves as they are.
set -eu
failed=0
compared=0
"$ROOT"/tools/test-programs programs >list
for file in $(cat list); do
    case $file in */setjmp-wrong/* | */ifunc/chosen.c | */storage-order/order.c) continue ;; esac
    cc -w -std=gnu11 "$file" -o expected -lm -pthread 2>/dev/null || continue
    status=0
    "$ROOT/tools/limit" 20 ./expected </dev/null >expected.txt 2>/dev/null || status=$?
    for level in 0 1; do
        compared=$((compared + 1))
        got=0
        if "$ROOT/tools/strict-gatecc" -w -O$level "$file" -o got -lm -pthread; then
            "$ROOT/tools/limit" 20 ./got </dev/null >got.txt 2>/dev/null || got=$?
            [ $got = $status ] && cmp -s expected.txt got.txt && continue
        fi
        echo "$file at -O$level behaves otherwise (status $got, not $status)"
        failed=1
    done
done
[ $compared -ge 150 ] || { echo "only $compared comparisons"; failed=1; }
exit $failed
