#!/bin/sh
# Every function of the test programs, the examples and our own sources passes --check=matrix; a rejection is
# an error. Our own sources take a while: a sample of them, unless everything is asked for.
set -u
cd "$ROOT" || exit 1
failed=0
checked=0
check() {
    checked=$((checked + 1))
    "$BUILT/bin/gate" check -w --check=matrix "$@" >"$TMPDIR/out" 2>&1 || { cat "$TMPDIR/out"; failed=1; }
}
tools/test-programs "$TMPDIR/programs" >"$TMPDIR/list" || exit 1
while read -r program; do
    check "$program"
done <"$TMPDIR/list"
count=0
for file in src/*/*.c; do
    count=$((count + 1))
    if [ "${GATE_LONG-}" ] || [ $((count % 8)) = 0 ]; then check -std=c11 -D_GNU_SOURCE -Isrc -Iinclude "$file"; fi
done
[ $checked -gt 130 ] || { echo "only $checked files were checked"; failed=1; }
exit $failed
