#!/bin/sh
# Code that may be loaded at any time asks __tls_get_addr where a thread's datum is, in the two instructions that a linker
# knows and may replace. An object with others is refused: most of them link, and some even run.
set -eu
. "$ROOT/test/object/refused.inc"
cat >threads.c <<'END'
_Thread_local int shown, other;
static _Thread_local long hidden[4];
int *plain(void) { return &shown; }
long further(void) { return hidden[2]; }
double kept(double x, int n) { return x + n * other; }
END
compiled threads.c -fPIC -fno-plt || { echo "-fno-plt: not accepted: $(cat said)"; failed=1; }
compiled threads.c -fPIC -fstack-protector-all -pg || { echo "guarded: not accepted: $(cat said)"; failed=1; }
compiled threads.c -fPIC
refused 'another datum' "$(in_function plain 's/shown@tlsgd/other@tlsgd/')" "function 'plain', offset"
refused 'a datum of this object by its section' "$(in_function further 's/leaq hidden@tlsgd(%rip), %rdi/.byte 0x48,0x8d,0x3d\n9:\t.long 0\n\t.reloc 9b, R_X86_64_TLSGD, .tbss-4/')" "function 'further', offset"
refused 'an addend' "$(in_function plain 's/shown@tlsgd/shown@tlsgd+4/')" "function 'plain', offset"
refused 'the table of one module' "$(in_function plain 's/@tlsgd/@tlsld/')" "function 'plain', offset"
refused 'the distance itself' "$(in_function plain 's/@tlsgd/@gottpoff/')" "function 'plain', offset\|relocation"
refused 'a lea that is not padded' "$(in_function plain '/\.byte 0x66/d')" "function 'plain', offset"
refused 'a call that is not padded' "$(in_function plain '/\.value 0x6666/d;/rex64/d')" "function 'plain', offset"
refused 'a call that is padded otherwise' "$(in_function plain 's/\.value 0x6666/.byte 0x66/')" "function 'plain', offset"
refused 'a lea to another register' "$(in_function plain 's/%rdi/%rsi/')" "function 'plain', offset"
refused 'another function' "$(in_function plain 's/__tls_get_addr/__tls_get_other/')" "function 'plain', offset"
refused 'something between the two' "$(in_function plain 's/\.value 0x6666/nop\n&/')" "function 'plain', offset"
refused 'a padded lea of nothing' "$(in_function kept 's/\.value 0x6666/.byte 0x66,0x48,0x8d,0x3d,0,0,0,0\n&/')" "function 'kept', offset"
refused 'a stack that is not aligned' "$(in_function plain 's/subq \$8, %rsp/subq $16, %rsp/;s/addq \$8, %rsp/addq $16, %rsp/')" "function 'plain'.*aligned"
refused 'another number' "$(in_function further 's/16(%rax)/24(%rax)/')" "function 'further', offset"
refused 'a register that a call does not keep' "$(in_function kept 's/movsd %xmm0, .*(%rsp)/movsd %xmm0, %xmm1/')" "function 'kept', offset"
exit $failed
