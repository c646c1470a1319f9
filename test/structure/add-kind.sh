#!/bin/sh
# A kind of instruction is one row of kinds.def: words, text, fields, successors and effects follow from the row. The compiler
# names the new kind in each file that has to say more of it.
set -eu
cd "$ROOT"
mkdir -p "$TMPDIR/form"
names() { # KIND FILE...: each file, compiled with the planted row, is told of the kind
    kind=$1
    shift
    for file; do
        if ${CC:-cc} -std=c11 -D_GNU_SOURCE -fsyntax-only -Wall -Werror=switch -I"$TMPDIR" -Isrc -Iinclude "$file" 2>"$TMPDIR/errors"; then
            echo "$file compiles without $kind"
            exit 1
        fi
        grep -q "$kind" "$TMPDIR/errors" || { cat "$TMPDIR/errors"; echo "$file: the message does not name $kind"; exit 1; }
    done
}
sed 's/^MACH(STOP/MACH(TOY, "toy", "", 0, 0, 0, 0, 0)\n&/' src/form/kinds.def >"$TMPDIR/form/kinds.def"
cmp -s src/form/kinds.def "$TMPDIR/form/kinds.def" && { echo "no row was planted"; exit 1; }
names _TOY src/target/x64/model/x64.c
names MK_TOY src/run/mach_reading.c src/check/machine/symbolic_mach.c src/check/machine/check_select_code.c src/target/mach_access.c \
    src/target/x64/model/constraints.c src/target/x64/code/emit_func.c src/target/x64/object/flow.c
names GATE_MACH_TOY src/lib/machine.c
sed 's/^INSTR(BUILTIN/INSTR(TOY, "toy", 0, 1, 1, 0)\n&/' src/form/kinds.def >"$TMPDIR/form/kinds.def"
cmp -s src/form/kinds.def "$TMPDIR/form/kinds.def" && { echo "no row was planted"; exit 1; }
names _TOY src/run/rtl_code.c src/check/machine/symbolic_rtl.c src/mach/select/select_code.c
# A text with a piece that nobody can read does not compile.
sed 's/^\(MACH(JUMP.*\)A_LABEL/\1A_STICKER/' src/form/kinds.def >"$TMPDIR/form/kinds.def"
names A_STICKER src/form/kinds.c
# A row without its effects does not compile either.
sed 's/^\(MACH(JUMP.*\), 0)$/\1)/' src/form/kinds.def >"$TMPDIR/form/kinds.def"
names MACH src/fact/effects.c
