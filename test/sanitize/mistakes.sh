#!/bin/bash
# Small programs with one mistake each, and others that only look like one (cases.def): with -fsanitize=undefined and traps,
# gatecc's stop where gcc's do, at every level, and so does the interpreter.
set -eu
gcc -w -O0 -std=gnu17 -fsanitize=undefined -fsanitize-undefined-trap-on-error -o by_gcc "$ROOT/test/sanitize/cases.c"
for level in 0 1 2; do
    "$ROOT/tools/strict-gatecc" -w "-O$level" -fsanitize=undefined -fsanitize-trap -o "level$level" "$ROOT/test/sanitize/cases.c"
done
gate show rtl -w -fsanitize=undefined -fsanitize-trap -o cases.rtl "$ROOT/test/sanitize/cases.c"

ends() { # status: whether a check stopped it
    [ "$1" = 132 ] && echo trap || echo none
}
run() { # command
    set +e
    "$@" >output 2>&1
    status=$?
    set -e
}
failed=0 trapped=0 all=0
for name in $(./by_gcc); do
    all=$((all + 1))
    run ./by_gcc "$name" 2>/dev/null
    want=$(ends $status)
    [ $want = trap ] && trapped=$((trapped + 1))
    for level in 0 1 2; do
        run "./level$level" "$name" 2>/dev/null
        have=$(ends $status)
        [ $want = "$have" ] && continue
        echo "$name at -O$level: $have (status $status), gcc: $want"
        failed=1
    done
    run gate run rtl cases.rtl "$name"
    have=none
    grep -q ': trap: ' output && have=trap
    [ $want = $have ] && continue
    echo "$name in the interpreter: $have, gcc: $want; $(tail -n 1 output)"
    failed=1
done 2>/dev/null
echo "$all programs, $trapped with a trap"
[ $all -ge 240 ] && [ $trapped -ge 140 ]
exit $failed
