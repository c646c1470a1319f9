#!/bin/sh
# What an interrupt saves, passes on and returns by is compared.
set -eu
. "$ROOT/test/object/refused.inc"
cat >interrupt.c <<'END'
struct frame { unsigned long ip; };
volatile unsigned long seen;
void use(unsigned long);
__attribute__((interrupt)) void plain(struct frame *f) { seen = f->ip; }
__attribute__((interrupt)) void fault(struct frame *f, unsigned long code) { use(code + f->ip); }
__attribute__((no_caller_saved_registers)) void keeps(unsigned long a) { use(a); }
END
compiled interrupt.c -mgeneral-regs-only
refused 'a register that is not saved' "$(in_function plain '/pushq %r8/d; /popq %r8/d')" "function 'plain', offset .*not saved"
refused 'a register that is not restored' "$(in_function keeps 's/popq %rsi/popq %rdi/')" "function 'keeps', offset .*not restored"
refused 'another return' "$(in_function plain 's/iretq/ret/')" "function 'plain', offset"
refused 'a code that stays' "$(in_function fault 's/addq \$16, %rsp/addq $8, %rsp/')" "function 'fault', offset"
refused 'a stack that is not aligned' "$(in_function fault '0,/subq \$8, %rsp/{/subq \$8, %rsp/d}')" "function 'fault', offset .*stack is not aligned"
refused 'another place of the frame' "$(in_function plain 's/leaq \([0-9]*\)(%rsp), %rdi/leaq 1\1(%rsp), %rdi/')" "function 'plain', offset .*frame of the interrupt"
refused 'another direction' "$(in_function plain 's/\tcld/\tnop/')" "function 'plain', offset .*frame of the interrupt"
refused 'a return that is none' "$(in_function keeps 's/\tret/\tiretq/')" "function 'keeps', offset"
exit $failed
