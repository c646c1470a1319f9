#!/bin/sh
# Jump tables of code that does not move hold addresses, as gcc's do: one jump takes an entry. An object in which the
# table, an entry or the jump is another one is refused.
set -eu
. "$ROOT/test/object/refused.inc"
cat >tables.c <<'END'
int a, b, c, d;
int choose(int x) {
    switch (x) {
    case 1: return a;
    case 2: return b * 3;
    case 3: return c - 9;
    case 4: return d + 7;
    case 6: return a * b;
    default: return 4;
    }
}
int always(unsigned char x) {
    switch (x & 3) {
    case 0: return a;
    case 1: return b + 1;
    case 2: return c + 2;
    default: return d + 3;
    }
}
END
accepted() { # OPTIONS
    compiled tables.c "$@" || { echo "$*: not accepted: $(cat said)"; failed=1; }
}
for options in -mindirect-branch=thunk-inline '-mindirect-branch=thunk-extern -mindirect-branch-register' -mharden-sls=all -mcmodel=kernel \
    -fcf-protection=full -ffunction-sections; do
    # shellcheck disable=SC2086
    accepted -fno-pie $options
done
accepted -fPIE
if grep -q '\.quad \.L' sample.s; then echo 'addresses in code that moves'; failed=1; fi
accepted -fno-pie
if ! grep -q 'jmp \*\.L[0-9]*(,%r11,8)' sample.s || ! grep -q '\.balign 8' sample.s; then
    echo 'no jump by a table of addresses:'
    cat sample.s
    failed=1
fi

refused 'an entry' '0,/\.quad \.L[0-9]*/s//&+2/' "function 'choose', offset .*leads to another place than block"
refused 'entries that are exchanged' '/\.quad \.L/{N;s/\(.*\)\n\(.*\)/\2\n\1/}' "function 'choose', offset .*leads to another place than block"
refused 'the address of something else' '0,/\.quad \.L[0-9]*/s//.quad a/' 'entry 0 of the jump table is wrong'
refused 'half an address' '0,/\.quad \(\.L[0-9]*\)/s//.long \1\n\t.long 0/' 'entry 0 of the jump table is wrong'
refused 'an address and a half' '0,/\.quad \.L[0-9]*/s//&\n\t.reloc .-4, R_X86_64_32, a/' 'two relocations change the same place'
refused 'distances' 's/\.quad \(\.L[0-9]*\)/.quad \1-./' 'entry 0 of the jump table is wrong'
refused 'an entry too far' 's/jmp \*\(\.L[0-9]*\)(,%r11,8)/jmp *\1+8(,%r11,8)/' "function 'choose', offset"
refused 'another size of entries' 's/(,%r11,8)/(,%r11,4)/' 'a jump table is not found'
refused 'another register' 's/(,%r11,8)/(,%r10,8)/' 'a jump table is not found'
refused 'a register more' 's/(,%r11,8)/(%r10,%r11,8)/' 'a jump table is not found'
refused 'a table of the thread' 's/jmp \*\(\.L[0-9]*\)(,%r11,8)/jmp *%fs:\1(,%r11,8)/' "function 'choose', offset"
refused 'a call' 's/jmp \*\(\.L[0-9]*\)(,%r11,8)/call *\1(,%r11,8)/' "function 'choose', offset"
refused 'a table that can be written to' 's/\.section \.rodata$/.section .other,"aw",@progbits/' 'a jump table'
exit $failed
