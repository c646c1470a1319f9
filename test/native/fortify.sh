#!/bin/bash
# Hardened programs: what gcc's -D_FORTIFY_SOURCE stops is stopped with the same message and status, near misses run through, and the
# interpreter does what the machine does. Sizes of objects are those that gcc finds, but for the cases listed here.
gatecc=${GATECC:-gatecc}
folder=$ROOT/test/native/fortify
printf 'first line of the file\nsecond\n' >input
failed=0 stopped=0
fail() {
    echo "$1"
    failed=1
}

for level in 1 2 3; do
    options="-w -D_FORTIFY_SOURCE=$level"
    gcc -O2 $options "$folder/overflows.c" -o "gcc$level" || exit 1
    $gatecc -O2 $options "$folder/overflows.c" -o "own$level" || exit 1
    for case in $(seq 20); do
        for overflows in 0 1; do
            expected=$("./gcc$level" $case $overflows input 2>&1; echo "status $?")
            got=$("./own$level" $case $overflows input 2>&1; echo "status $?")
            [ "$got" = "$expected" ] || fail "level $level, case $case $overflows: gcc gives $expected, gatecc $got"
            case $got in *"status 134") stopped=$((stopped + 1)) ;; esac
        done
    done
done 2>/dev/null
[ $stopped -ge 55 ] || fail "only $stopped overflows are stopped"

# What is right is not stopped, though it goes beyond members and types.
for level in 1 2 3; do
    $gatecc -O2 -w -D_FORTIFY_SOURCE=$level "$folder/right.c" "$folder/elsewhere.c" -o right || exit 1
    [ "$(./right 2>&1)" = "$(printf 'hello world\nhello world hello world hello world')" ] ||
        fail "level $level: a right program is stopped: $(./right 2>&1)"
done

# What is undefined in a program that is not stopped is a wrong step of the interpreter.
for case in 1 3 6 9 10 11 12 14 15 20; do
    for overflows in 0 1; do
        expected=$(./own3 $case $overflows input 2>/dev/null; echo "status $?")
        got=$(gate run rtl -w -D_FORTIFY_SOURCE=3 "$folder/overflows.c" $case $overflows input 2>/dev/null; echo "status $?")
        [ "$got" = "$expected" ] || fail "case $case $overflows: the interpreter gives $got, not $expected"
    done
done 2>/dev/null
for case in 2 7; do
    gate compare -w -D_FORTIFY_SOURCE=3 "$folder/overflows.c" $case 1 input >compared || fail "$(cat compared)"
done

# The minimum of v.buf2 + 4 by gcc is too large; a pointer that may be null is not found out; functions
# that gcc does not inline are.
gcc -O2 -w "$folder/sizes.c" -o sizes-gcc && ./sizes-gcc >expected || exit 1
$gatecc -O2 -w "$folder/sizes.c" -o sizes-own && ./sizes-own >got || exit 1
known='^(v\.buf2\+4|c\?a:NULL|static fn) '
diff <(grep -Ev "$known" expected) <(grep -Ev "$known" got) >differences || fail "$(cat differences)"
[ "$(diff expected got | grep -c '^>')" -le 6 ] || fail "$(diff expected got)"
exit $failed
