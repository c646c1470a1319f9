#!/bin/sh
# -fsplit-stack: what is compared with the end of the stack, and what is asked for if it does not fit, is compared.
set -eu
. "$ROOT/test/object/refused.inc"
cat >split.c <<'END'
#include <stdarg.h>
void use(char *, ...);
int small(int a) { char room[64]; use(room); return a; }
int large(int a, int b, int c, int d, int e, int f, int g) { char room[5000]; use(room); return a + g; }
int rest(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); va_end(l); return r; }
int block(int n) { char *p = __builtin_alloca(n); use(p); return p[0]; }
__attribute__((no_split_stack)) int whole(int a) { char room[64]; use(room); return a; }
END
compiled split.c -fsplit-stack
refused 'no comparison' "$(in_function small '/cmpq %fs:112/d; /jb/d')" "function 'small', offset 0x0.*end of the stack is not looked at"
refused 'another end of the stack' "$(in_function small 's/%fs:112/%fs:120/')" "function 'small', offset 0x0.*end of the stack is not looked at"
refused 'another register' "$(in_function small 's/%fs:112, %rsp/%fs:112, %rbp/')" "function 'small', offset 0x0.*end of the stack is not looked at"
refused 'another condition' "$(in_function small 's/\tjb /\tja /')" "function 'small', offset .*end of the stack is not looked at"
refused 'another end of the frame' "$(in_function large 's/leaq -\([0-9]*\)(%rsp), %r11/leaq -1\1(%rsp), %r11/')" "function 'large', .*compared with another end of the frame"
refused 'the end of a large frame that is not looked at' "$(in_function large '/leaq .*%r11/d; s/%fs:112, %r11/%fs:112, %rsp/')" "function 'large', .*compared with another end of the frame"
refused 'another size of the frame' "$(in_function small 's/\$\([0-9]*\), %r10d/$1\1, %r10d/')" "function 'small', .*another stack is asked for than the frame needs"
refused 'another size of the arguments' "$(in_function large 's/movl \$8, %r11d/movl $16, %r11d/')" "function 'large', .*another stack is asked for than the frame needs"
refused 'another function' "$(in_function small 's/call __morestack/call use/')" "function 'small', .*no other stack is asked for"
refused 'a return that is left out' "$(in_function small '/call __morestack/{n;s/ret/nop/}')" "function 'small', offset .*"
refused 'another way on' "$(in_function small '/call __morestack/{n;n;s/jmp .*/jmp small/}')" "function 'small', .*goes on elsewhere"
refused 'another place of variable arguments' "$(in_function rest 's/leaq 24(%rbp), %r11/leaq 16(%rbp), %r11/')" "function 'rest', .*not noted where stack arguments are"
refused 'another place of them on the first stack' "$(in_function rest 's/leaq 8(%rsp), %r11/leaq 16(%rsp), %r11/')" "function 'rest', .*not noted where stack arguments are"
refused 'a block that is not looked at' "$(in_function block 's/cmpq %fs:112, %rax/cmpq %fs:40, %rax/')" "function 'block', offset .*alloca"
refused 'a smaller block' "$(in_function block 's/leaq 15(%r11), %rdi/leaq (%r11), %rdi/')" "function 'block', offset"
refused 'another allocation' "$(in_function block 's/call __morestack_allocate_stack_space/call use/')" "function 'block', offset"
refused 'a split that is not wanted' "$(in_function whole 's/^whole:/&\n\tcmpq %fs:112, %rsp/')" "function 'whole', offset 0x0"
exit $failed
