#!/bin/sh
# An object whose assembly was changed is refused, and the message names what is wrong and where.
set -eu
. "$ROOT/test/object/refused.inc"
compiled "$ROOT/test/object/sample.c"

refused 'another number' "$(in_function plain 's/leal 1(/leal 2(/')" "function 'plain', offset 0x0: bytes .* decode to .*, but the machine code says .* at block 0"
refused 'another register' "$(in_function plain 's/%rdi/%rsi/')" "function 'plain', offset"
refused 'another operator' "$(in_function many 's/subl/addl/')" "function 'many', offset 0x.*sub.i32"
refused 'a call of another function' "$(in_function many 's/call elsewhere/call other/')" "function 'many', offset .*call @elsewhere"
refused 'an instruction more' "$(in_function plain 's/\tret/\tnop\n\tret/')" "function 'plain', offset"
refused 'an instruction behind the end' "$(in_function plain 's/\tret/\tret\n\tret/')" "function 'plain', offset .*more code than the function has"
refused 'a register that is not saved' "$(in_function many 's/pushq %rbx/pushq %rdx/; s/popq %rbx/popq %rdx/')" "function 'many', offset .*not saved"
refused 'a register that is not restored' "$(in_function many 's/popq %rbx/popq %rdx/')" "function 'many', offset .*not restored"
refused 'registers restored from each other' "$(in_function many 's/popq %rbx/popq %xx/; s/popq %rbp/popq %rbx/; s/popq %xx/popq %rbp/')" "function 'many', offset .*not restored"
refused 'rsp that is not what it was' "$(in_function many 's/addq \$\([0-9]*\), %rsp/addq $1\1, %rsp/')" "function 'many', offset .*rsp is not what it was"
refused 'a stack that is not aligned' "$(in_function many 's/\$8, %rsp/$16, %rsp/')" "function 'many'.*rsp is not aligned at calls"
refused 'slots that overlap' "$(in_function buffers 's/-24(/-40(/')" "function 'buffers'.*a slot lies over another part of the frame"
refused 'a slot beyond the frame' "$(in_function buffers 's/-24(/-8(/')" "function 'buffers'.*goes beyond the frame"
refused 'a branch that is turned round' "$(in_function buffers 's/\tjl /\tjge /')" "function 'buffers', offset .*branch lt.i64"
refused 'a limit of a switch' "$(in_function choose 's/cmpl \$5,/cmpl $4,/')" "function 'choose', offset .*switch"
refused 'an entry of a jump table' 's/\.long \.L\([0-9]*\)-\.L\([0-9]*\)$/.long .L\1-.L\2+2/' "function 'choose', offset .*leads to another place than block"
refused 'entries that are exchanged' '/\.long \.L/{N;s/\(.*\)\n\(.*\)/\2\n\1/}' "function 'choose', offset .*leads to another place than block"
refused 'another constant' 's/\.quad 4612811918334230528/.quad 4612811918334230529/' "function 'scaled', offset .*const.f64"
refused 'a constant that can be written to' 's/\.section \.rodata\.cst8.*/.section .other,"aw",@progbits/' "function 'scaled', offset"
refused 'another number of vector registers' "$(in_function texts 's/xorl %eax, %eax/movl $1, %eax/')" "function 'texts', offset .*vector registers"
refused 'variable arguments that are not saved' "$(in_function rest 's/movq %rdx,/movq %rcx,/')" "function 'rest', offset .*variable argument"
refused 'another initial value' '/^counter:/{n;s/5/6/}' "datum 'counter': its bytes from offset 0x0 on"
refused 'another address in data' "/^pointer:/{n;s/+8/+4/}" "datum 'pointer': its bytes"
refused 'a size' 's/\.size fixed, 12/.size fixed, 8/' "datum 'fixed': it is of another size"
refused 'constant data that can be written to' '/^fixed:/i \\t.section .other,"aw",@progbits' "datum 'fixed': it is in another section"
refused 'a local name that others see' 's/^hidden:/\t.globl hidden\nhidden:/' "datum 'hidden': it is bound otherwise"
refused 'a weak name that is strong' 's/\.weak weak_one/.globl weak_one/' "function 'weak_one': it is bound otherwise"
refused 'an alias of something else' 's/\.set alias_of, plain/.set alias_of, many/' "function 'alias_of': it stands for something else"
refused 'a constructor that does not run' 's/\.section \.init_array.*/.section .other,"aw",@progbits/' "no table of the object makes it run"
refused 'another constructor' 's/\.quad at_start/.quad plain/' "section '.init_array'"
refused 'a slot that is not aligned' "$(in_function buffers 's/-24(/-20(/')" "function 'buffers'.*a slot is not aligned"
refused 'code in a section with a part of its own' 's/^\t\.globl plain$/\t.section .init,"ax",@progbits\n&/' "function 'plain': it is in another section"
refused 'data in a section with a part of its own' 's/^\t\.globl counter$/\t.section .ctors,"aw",@progbits\n&/' "datum 'counter': it is in another section"
refused 'another meaning of an external name' '$a \\t.set elsewhere, plain' "function 'elsewhere': the object defines it"
refused 'data that may be put together with others' '/^\t\.globl fixed/i \\t.section .rodata.more,"aM",@progbits,4' "datum 'fixed': it is in another section"
refused 'texts of which each byte may be elsewhere' 's/\.section \.rodata\.str1\.1,"aMS"/.section .rodata.str1.1,"aM"/' "it is in another section"
refused 'a constant that is not aligned' '/\.section \.rodata\.cst8/{n;s/balign 8/balign 4/}' "function 'scaled', offset"
refused 'more data' '$a \\t.data\n\t.long 7' "section '.data', offset .*nothing that the certificate has"
refused 'more code' '$a \\t.text\n\tud2' "section '.text', offset .*nothing that the certificate has"
refused 'a name more' '$a \\t.globl surplus\n\t.set surplus, plain' "symbol 'surplus'"

# asm statements are believed, and where they are is said; what moves their operands is compared.
gatecc -O1 -S "$ROOT/test/object/texts.c" -o sample.s --certificate=sample.gcert
gatecc -c sample.s -o texts.o
gatecheck -v sample.gcert --object texts.o >said
grep -q 'not compared: asm statement texts 0x[0-9a-f]* to 0x' said || { cat said; failed=1; }
refused 'an operand of asm' "$(in_function texts 's/movl %eax, (%rcx)/movl %edx, (%rcx)/')" "function 'texts', offset .*asm"
gatecc -O1 -S "$ROOT/test/object/sample.c" -o sample.s --certificate=sample.gcert

# A table that is not loaded.
objcopy --set-section-flags .init_array=contents,readonly sample.o patched.o
if gatecheck sample.gcert --object patched.o >out 2>&1 || ! grep -q "section '.init_array' is not loaded" out; then
    echo "a table that is not loaded: $(cat out)"
    failed=1
fi

# One byte of the object itself, in code.
at=$(objdump -h sample.o | awk '$2 == ".text" { print $6 }')
printf '\303' | dd of=sample.o bs=1 seek=$((0x$at + 0x$(nm sample.o | awk '$3 == "plain" { print $1 }'))) conv=notrunc 2>dd
if gatecheck sample.gcert --object sample.o >out 2>&1 || ! grep -q "function 'plain', offset 0x0: bytes c3 decode to \"ret\"" out; then
    echo "a byte: $(cat out)"
    failed=1
fi
exit $failed
