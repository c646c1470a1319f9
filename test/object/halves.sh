#!/bin/sh
# Eight bytes that a part of a structure loads by halves: the result is right, and each half has its place.
set -eu
. "$ROOT/test/object/refused.inc"
compiled "$ROOT/test/object/halves.c"

for function in scaled swapped; do
    sed -n "/^$function:/,/\.size/p" sample.s | grep -q 'unpcklps\|shlq \$32' || { echo "$function loads no halves"; failed=1; }
done
sed -n '/^turned:/,/\.size/p' sample.s | grep 'unpcklps\|shlq' && { echo "turned loads halves"; failed=1; }
gatecc -O1 -o halves sample.o
test "$(./halves)" = '4.5 -6 5 -9 8 -4 0.5' || { echo "wrong: $(./halves)"; failed=1; }

refused 'floats whose halves are exchanged' "$(in_function scaled 's/unpcklps %xmm15, %xmm0/unpcklps %xmm0, %xmm15/')" "function 'scaled', offset .*load_part"
refused 'another half of a float' "$(in_function scaled 's/movss -20(%rsp), %xmm15/movss -16(%rsp), %xmm15/')" "function 'scaled', offset .*load_part"
refused 'a half that is shifted too little' "$(in_function swapped 's/shlq \$32/shlq $31/')" "function 'swapped', offset .*load_part"
refused 'another half of an integer' "$(in_function swapped 's/movl -12(%rsp), %r11d/movl -16(%rsp), %r11d/')" "function 'swapped', offset .*load_part"
exit $failed
