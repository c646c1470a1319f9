#!/bin/bash
# Operations on _Float16 yield the bits that gcc's code yields and raise the same exceptions, at every level of optimization; the
# interpreter yields these bits, too (it knows of no exceptions).
gatecc=${GATECC:-gatecc}
source=$ROOT/test/native/half/operations.c
failed=0
gcc -O1 -frounding-math "$source" -o expect -lm || exit 1
for level in 0 1 2; do
    "./expect" 2000 $level >expected || exit 1
    $gatecc -O$level -Werror=pipeline "$source" -o own -lm && ./own 2000 $level >found || exit 1
    cmp -s expected found && continue
    failed=1
    echo "-O$level: $(diff expected found | sed -n '2p;4p')"
done
./expect 30 7 | sed 's/ [0-9a-f]*$//' >expected
gate run rtl -DNO_EXCEPTIONS "$source" 30 7 >whole || exit 1
sed 's/ [0-9a-f]*$//' whole | cmp - expected || failed=1
exit $failed
