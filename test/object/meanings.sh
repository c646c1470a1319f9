#!/bin/sh
# Objects whose bytes are right, but which a linker or a processor makes something else of, are refused: sections with a meaning
# of their own, two data in one place, more relocations than one, names that are somebody else's, a switch's comparisons
# that wrap round, what is left on the x87 stack.
set -eu
. "$ROOT/test/object/refused.inc"
compiled "$ROOT/test/object/meanings.c"

refused 'a result that is covered' "$(in_function doubled 's/\tret/\tfldz\n\tret/')" 'the x87 stack is not what it was'
refused 'a result that is popped' "$(in_function doubled 's/\tret/\tfstp %st(0)\n\tret/')" "function 'doubled'"
refused 'a second relocation' 's/\.quad good$/&\n\t.reloc .-8, R_X86_64_64, bad/' 'two relocations change the same place'
refused 'a relocation of a half' 's/\.quad good$/&\n\t.reloc .-4, R_X86_64_32, bad/' 'two relocations change the same place'
refused 'a second relocation of a table' '0,/\.long \.L[0-9]*-\.L/s//\t.reloc ., R_X86_64_PC32, choose+1\n&/' 'two relocations change the same place'
refused 'two data in one place' '/^y:/{N;d};$a \\t.set y, x' "section '.data', offset 0x.*two things"
refused 'two data without values in one place' '/^s2:/{N;d};$a \\t.set s2, s1' "section '.bss', offset 0x.*two things"
refused 'an external that is local' '$a \\t.set elsewhere, good' "function 'elsewhere': the object defines it"
refused 'data as strings' '/^fixed:/i \\t.section .rodata.str1.1,"aMS",@progbits,1\n\t.balign 4' "datum 'fixed': it is in another section"
refused 'data as constants' '/^fixed:/i \\t.section .rodata.cst4,"aM",@progbits,4\n\t.balign 4' "datum 'fixed': it is in another section"
refused 'a constant found by another' 's/\.LC1(%rip)/.rodata.cst16+16(%rip)/' "function 'doubled'"
refused 'a constant that is not aligned' 's/cst16,"aM",@progbits,16/foo,"a",@progbits/;s/\.balign 16/.byte 0/' "function 'negated'"
refused 'data among constructors' '/^pointer:/i \\t.section .ctors,"aw"\n\t.balign 8' "datum 'pointer': it is in another section"
refused 'data that run before others' '/^pointer:/i \\t.section .preinit_array,"aw"\n\t.balign 8' "datum 'pointer': it is in another section"
refused 'data that the loader protects' '/^x:/i \\t.section .data.rel.ro,"aw"\n\t.balign 4' "datum 'x': it is in another section"
refused 'constructors as a note' '$a \\t.section .ctors,"aw",@note\n\t.quad bad' "section '.ctors'"
refused 'code that starts the program' '/^good:/i \\t.section .init,"ax",@progbits' "function 'good': it is in another section"
refused 'code for which another stands' '/^good:/i \\t.section .gnu.linkonce.t.good,"ax",@progbits' "function 'good': it is in another section"
refused 'code as a note' '$a \\t.section .notes,"ax",@note\n\tud2' "section '.notes'"
refused 'a section that is left out' '/^fixed:/i \\t.section .rodata.fixed,"ae",@progbits\n\t.balign 4' 'it is in another section'
refused 'code of another compiler' '$a \\t.section .gnu.lto_x,"e",@progbits\n\t.long 1' 'instead of the code'
refused 'a byte with a sign' "$(in_function extended 's/movzbl \(.*\), %eax/movsbq \1, %rax/')" "function 'extended'"
refused 'an upper half that is zero on one way only' "$(in_function smaller 's/cmovbl %esi, %edx/jae 9f\n\tmovl %esi, %edx\n9:/;/movl %edx, %edx/d')" "function 'smaller'.*zext"
refused 'data that can be executed' '/^\t\.globl y$/i \\t.section .data.y,"awx",@progbits\n\t.balign 4' 'it is in another section'
refused 'a switch with a range that wraps' "$(in_function choose 's/\.cfi_startproc/&\n\tleal -0x80000000(%rdi), %r11d\n\tcmpl $-1, %r11d\n\tjbe choose/')" 'to a wrong block'
refused 'a switch with a number without a sign' "$(in_function choose 's/\.cfi_startproc/&\n\tmovl $-1, %r11d\n\tcmpl %r11d, %edi\n\tje choose/')" 'leads to another place'

# What is called without being mentioned in the certificate is listed.
sed "$(in_function good 's/\tret/\tjmp __x86_return_thunk/')" sample.s >patched.s
gatecc -c patched.s -o patched.o
gatecheck -v sample.gcert --object patched.o >said
grep -q 'not compared: name __x86_return_thunk' said || { cat said; failed=1; }

# A thunk pushes an address: what jumps through one has no red zone.
cat >zone.c <<'END'
int zone(int n, int k, int m) {
    volatile int a[6] = {k, 2, 3, 4, 5, m};
    switch (n) {
    case 0: return a[1];
    case 1: return a[2] * 3;
    case 2: return a[0];
    case 3: return 9 + a[3];
    case 4: return a[1] * 77;
    case 5: return a[5] - 4;
    default: return a[0];
    }
}
#ifdef MAIN
int main(void) { return zone(5, 1, 1000) != 996; }
#endif
END
gatecc -O1 -S zone.c -o sample.s --certificate=sample.gcert
for kind in thunk thunk-inline; do
    gatecc -O1 -DMAIN -mindirect-branch=$kind zone.c -o zone
    ./zone || { echo "$kind: the frame is overwritten"; failed=1; }
    gatecc -O1 -mindirect-branch=$kind -c zone.c -o zone.o --certificate=zone.gcert
    gatecheck zone.gcert --object zone.o >said || failed=1
done
refused 'a thunk below a red zone' 's/jmp \*%r11/jmp __x86_indirect_thunk_r11/' "function 'zone'"
exit $failed
