#!/bin/sh
# A sequence of instructions is one row of sequences.def: emitter, object checker, constraints and scheduler read the same
# row. Leaves out each column of the rows and each composed row's code in turn; the compiler names what is missing. And the
# row alone decides: with another text both emitter and object checker take the new sequence, without a change elsewhere.
set -eu
cd "$ROOT"
table=src/target/x64/model/sequences.def
folder=$TMPDIR/target/x64/model
mkdir -p "$folder"
status=0
compile() { ${CC:-cc} -std=c11 -D_GNU_SOURCE -fsyntax-only -Wall -Werror=switch -I"$TMPDIR" -Isrc "$1" 2>"$TMPDIR/errors"; }
plant() { # SCRIPT
    sed "$1" $table >"$folder/sequences.def"
    if cmp -s $table "$folder/sequences.def"; then
        echo "nothing was planted: $1"
        status=1
    fi
}
names() { # WORD FILE...
    word=$1
    shift
    for file; do
        if compile "$file"; then
            echo "$file compiles without $word"
            status=1
        elif ! grep 'error:' "$TMPDIR/errors" | grep -q "$word"; then
            echo "$file: the message does not name $word"
            cat "$TMPDIR/errors"
            status=1
        fi
    done
}
model=src/target/x64/model/x64.c time=src/target/x64/code/latency.c
plant '/^ROW(SEXT8_I32,/d' && names X64_ROW_SEXT8_I32 $model
plant '/^BUILT(FENCE,/d' && names X64_BUILTIN_FENCE $model
plant '/^BUILT(FENCE,/d' && names BI_FENCE src/target/x64/code/emit_builtin.c src/target/x64/object/operators.c
plant '/^KIND(LEA,/d' && names X64_KIND_LEA $model
plant '/^KIND(LEA,/d' && names MK_LEA src/target/x64/code/emit_func.c src/target/x64/object/flow.c
# A row with no text asks for code, in the emitter and in the object checker.
plant 's/^BUILT(FENCE, .*/COMPOSED_BUILT(FENCE)/' && names BI_FENCE src/target/x64/code/emit_builtin.c src/target/x64/object/operators.c
plant 's/^KIND(LEA, \(.*\), "lea.*/COMPOSED_KIND(LEA, \1)/' && names MK_LEA src/target/x64/code/emit_func.c src/target/x64/object/flow.c
# Columns
plant 's/^SHAPE(HIGH, [A-Z_]*,/SHAPE(HIGH, SOMEWHERE,/' && names PLAN_SOMEWHERE $model
plant 's/^SHAPE(DIVIDE, QUOTIENT, RDX,/SHAPE(DIVIDE, QUOTIENT, EDX,/' && names SET_EDX $model
plant 's/^\(SHAPE(FLOAT,.*\), FLOAT)/\1)/' && names TIMING $time
plant 's/^\(SHAPE(FLOAT,.*\), FLOAT)/\1, HALF)/' && names UNIT_HALF $time
plant 's/^INTEGERS(ULT, B)/INTEGERS(ULT, BELOW)/' && names COND_BELOW $model
plant '/^FLOATS(NLG,/d' && names FLOAT_CONDITION_NLG $model

# The same row, read twice: a negation that is a complement and one more.
sed 's/^INTS(NEG, UNARY, .*/INTS(NEG, UNARY, "move a,d; not.v d; add.v $1,d")/' $table >"$folder/sequences.def"
cat >"$TMPDIR/negate.c" <<'END'
long negate(long x) { return -x; }
END
flags='-std=c11 -D_GNU_SOURCE -O1 -w'
for file in src/target/x64/model/x64.c src/target/x64/code/emit_func.c; do
    ${CC:-cc} $flags -I"$TMPDIR" -Isrc -c "$file" -o "$TMPDIR/$(basename "$file" .c).o"
done
library=$(dirname "$(command -v gatecc)")/../lib
grep -qE 'fsanitize|clang' "$library/../flags" && exit $status # objects of this compiler do not go with those
for tool in gatecc gatecheck; do
    main=src/$tool/$tool.c
    ${CC:-cc} $flags -Isrc -Iinclude -c "$main" -o "$TMPDIR/$tool.o"
    case $tool in gatecc) parts="$TMPDIR/emit_func.o $library/libgatecc.a" ;; *) parts="$library/../obj/trusted.o $library/libgatecheck.a" ;; esac
    ${CC:-cc} -o "$TMPDIR/$tool" "$TMPDIR/$tool.o" "$TMPDIR/x64.o" $parts -lm
done
"$TMPDIR/gatecc" -O1 -c "$TMPDIR/negate.c" -o "$TMPDIR/negate.o" --certificate="$TMPDIR/negate.gcert"
objdump -d "$TMPDIR/negate.o" | grep -q 'not ' || { echo 'the emitter has another row'; status=1; }
"$TMPDIR/gatecheck" "$TMPDIR/negate.gcert" --object "$TMPDIR/negate.o" >/dev/null || { echo 'the object checker has another row'; status=1; }
if gatecheck "$TMPDIR/negate.gcert" --object "$TMPDIR/negate.o" >"$TMPDIR/said" 2>&1; then
    echo 'the object checker accepts a row that it does not have'
    status=1
fi
exit $status
