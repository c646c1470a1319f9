#!/bin/sh
# Of a naked function all but its text is compared: that it has no prologue, and a trap at its end.
set -eu
. "$ROOT/test/object/refused.inc"
cat >naked.c <<'END'
__attribute__((naked)) int f(int a) { __asm__("movl %edi, %eax\n\tret"); }
__attribute__((naked)) int *g(int a) { __asm__("nop"); return &*(int *)(long)a; }
END
compiled naked.c -fno-omit-frame-pointer
gatecheck -v sample.gcert --object sample.o | grep -q 'not compared: asm statement f 0x0 to 0x3' || { echo 'the text is not listed'; failed=1; }
refused 'a prologue' 's/^f:/f:\n\tpushq %rbp/' "function 'f', offset 0x0"
refused 'no trap' "$(in_function f 's/\tud2/\tnop/')" "function 'f', offset 0x3"
refused 'a return' "$(in_function f 's/\tud2/\tret/')" "function 'f', offset 0x3"
exit $failed
