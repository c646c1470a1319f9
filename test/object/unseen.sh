#!/bin/sh
# What neither a byte of the code nor a row of a table shows at a glance: how much of a constant is read, which bits of a number are
# loaded, who comes to a comparison; empty sections, order of sections, the first symbol, relocations that change nothing.
set -eu
. "$ROOT/test/object/refused.inc"
cat >unseen.c <<'END'
extern char __start_none[] __attribute__((weak));
extern const int __start_entries[];
extern int unused(void), outside;
int written __asm__("rel.ro");
int *address(void) { return &outside; }
#define ENTRY __attribute__((section("entries"), used))
ENTRY static const int one = 1;
ENTRY __attribute__((retain)) static const int two = 2;
ENTRY static const int three = 3;
__attribute__((section(".note.own"), used)) static const int note[] = {4, 4, 77, 0x554e47, 5};
__attribute__((aligned(64))) int aligned(void) { return __start_none != 0; }
int entry(int n) { return __start_entries[n]; }
static int perhaps(int n) { return n ? unused() : 0; }
int never(void) { return perhaps(0); }
long double constant(void) { return 3.25L; }
unsigned long whole(long double x) { return x; }
int choose(int n) {
    switch (n) {
    case 20: return 22;
    case 21: return 23;
    default: return 44;
    }
}
__attribute__((constructor)) static void start(void) {}
END
compiled unseen.c -fPIC -O2

refused 'a call of mcount without a frame' "$(in_function entry 's/^entry:/&\n\tsubq $8, %rsp\n\tcall mcount/;s/\tret/\taddq $8, %rsp\n\tret/')" "function 'entry', offset 0x4"
refused 'eight bytes of a constant of ten' "$(in_function constant 's/fldt \.LC/fldl .LC/')" "function 'constant', offset 0x0"
refused 'eight bytes of a constant of four' "$(in_function whole 's/flds \.LC/fldl .LC/')" "function 'whole', offset"
refused 'a distance to nothing' "$(in_function aligned 's/movq __start_none@GOTPCREL(%rip)/leaq __start_none(%rip)/')" "function 'aligned', offset"
refused 'a distance to a datum that is copied then' "$(in_function address 's/movq outside@GOTPCREL(%rip)/leaq outside(%rip)/')" "function 'address', offset 0x0"
refused 'a number for half of a register' "$(in_function choose 's/cmpl \$20, %edi/movw $20, %r11w\n\tcmpl %r11d, %edi/')" "function 'choose', offset 0x0"
refused 'values that come to a comparison of others' "$(in_function choose '/cmpl \$20/s/.*/\tcmpl $20, %edi\n\tjge 9f\n9:\tcmpl $20, %edi/;s/je /jle /')" 'a switch takes a value to a wrong block'
refused 'an address that is changed where it lies' 's/\.quad start/.reloc ., R_X86_64_64, start\n\t.quad 16/' 'bytes that are not zero'
refused 'a reference that changes nothing' 's/^never:/\t.reloc ., R_X86_64_NONE, unused\n&/' 'a kind that is not known'
refused 'an empty section that gives a name its value' '$a \\t.section none,"a",@progbits' "section 'none': linkers may take it"
refused 'an empty section for which another is left out' '$a \\t.section .gnu.linkonce.t.other,"ax",@progbits' "section '.gnu.linkonce.t.other'"
refused 'a name of gatecc that nothing refers to' '$a \\t.globl __stack_chk_fail' "symbol '__stack_chk_fail': nothing refers to it"
refused 'scripts for a debugger' '$a \\t.section .debug_gdb_scripts,"",@progbits\n\t.asciz "\\1x"' "section '.debug_gdb_scripts'"
refused 'a note that is none' 's/\.section \.note\.own,"a"/&,@progbits/' "section '.note.own' is of another kind"
refused 'a table that makes linkers copy a datum' '$a \\t.section __mcount_loc,"a",@progbits\n\t.quad outside' "section '__mcount_loc' refers to a name"
refused 'data that are locked later' '/^rel\.ro:/i \\t.section .bss.rel.ro,"aw",@nobits\n\t.balign 4' "datum 'rel.ro': it is in another section"
refused 'a function behind room for patches' 's/^aligned:/\tnop\n&/;$a \\t.section __patchable_function_entries,"aw",@progbits' "function 'aligned': it is not aligned"
refused 'the entry that is retained first' '/section entries/,$!b;0,/section entries,"a"/s//section entries,"aR"\n\t.section entries,"a"/' "section 'entries': data are in another order"

# gatecc aligns functions, not the room before them.
for before in 1 64 70; do
    printf '__attribute__((aligned(2048))) int g(void) { return 1; }\nint main(void) { return (long)g %% 2048; }\n' >room.c
    gatecc -O1 -fpatchable-function-entry=90,$before -c room.c -o room.o --certificate=room.gcert
    gatecheck room.gcert --object room.o >said
    gatecc room.o -o room && ./room || { echo "room for $before: not aligned"; failed=1; }
done

# The same after the assembler: a symbol in the place of the one that stands for none, two sections of one name.
changed() { # WHAT PROGRAM WORDS
    python3 - "$2" <<'END'
import struct, sys
data = bytearray(open("sample.o", "rb").read())
at, count, names = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 60)
sections = [list(struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i)) for i in range(count)]
text = data[sections[names][4]:]
named = {text[s[0]:].split(b"\0")[0].decode(): i for i, s in enumerate(sections)}
symbols = sections[named[".symtab"]]
exec(sys.argv[1])
for i, section in enumerate(sections):
    struct.pack_into("<IIQQQQIIQQ", data, at + 64 * i, *section)
open("patched.o", "wb").write(data)
END
    if gatecheck sample.gcert --object patched.o >out 2>&1 || ! grep -q -e "$3" out; then
        echo "$1: $(cat out)"
        failed=1
    fi
}
changed 'what is retained for nobody' 'data[7] = 0' "section 'entries' is retained, but"
printf 'int f(int n) { return n + 1; }\n' >one.c
gatecc -O1 -fno-asynchronous-unwind-tables -S one.c -o sample.s --certificate=sample.gcert
gatecc -c sample.s -o sample.o
gatecheck sample.gcert --object sample.o >said
# f is also where the empty symbol was, and all symbols are global then.
changed 'a first symbol that is one' 'start = symbols[4]
f = next(start + 24 * i for i in range(symbols[5] // 24) if data[start + 24 * i + 4] >> 4)
row = data[f:f + 24]
data[start:start + 24] = row
symbols[5], symbols[7] = 24, 0' 'no object\|not an object'

cat >twins.c <<'END'
__attribute__((section("pairs"), used)) static const int one = 1;
__attribute__((section("pairs"), used)) static const int two = 2;
END
gatecc -O1 -S twins.c -o sample.s --certificate=sample.gcert
sed '/^one:/,/long 1/d;/\tone/d;/ one,/d' sample.s >two.s
awk '/\.section \.note\.gatecc/ { print "\t.section pairx,\"aw\"\n\t.balign 4\n\t.type one, @object\n\t.size one, 4\none:\n\t.long 1" } { print }' two.s >both.s
gatecc -c both.s -o sample.o
changed 'two sections of one name' 'sections[named["pairx"]][0] = sections[named["pairs"]][0]' "section 'pairs' is there twice"

# Two names for one common datum would be two data.
printf 'int x;\nextern int y __attribute__((alias("x")));\nint f(void) { x = 5; return y; }\n' >common.c
gatecc -O0 -fcommon -S common.c -o sample.s --certificate=sample.gcert
refused 'an alias that is common' 's/\.set y, x/.comm y,4,4/' "datum 'y': it stands for something else"
exit $failed
