#!/bin/sh
# Every fact has one definition: docs/facts.md names it, with a file that has it and a test, and nobody else
# answers the question by himself.
set -eu
cd "$ROOT"
status=0 rows=0

# ---- The list: | fact | sentence | `file` | `name` | asked by | `test` |
sed -n 's/^| [^|]* | [^|]* | `\([^`]*\)` | `\([^`]*\)` | [^|]* | `\([^`]*\)` |$/\1 \2 \3/p' docs/facts.md >"$TMPDIR/rows"
while read -r file name test; do
    rows=$((rows + 1))
    if ! grep -qw "$name" "$file"; then
        echo "docs/facts.md: there is no $name in $file"
        status=1
    fi
    if [ ! -e "$test" ]; then
        echo "docs/facts.md: there is no test $test"
        status=1
    fi
    case $file in
    src/fact/* | src/graph/* | src/form/* | src/verify/* | src/target/*.h | src/target/x64/model/*) ;;
    *)
        echo "docs/facts.md: $file is no place for a fact: those are src/fact, src/graph, src/form, src/verify, src/target and src/target/x64/model"
        status=1
        ;;
    esac
done <"$TMPDIR/rows"
listed=$(grep -c '^| .* | `src/' docs/facts.md)
[ "$rows" -gt 25 ] && [ "$rows" -eq "$listed" ] || { echo "docs/facts.md: $rows of $listed rows can be read"; status=1; }

# ---- Nobody else. What remains, in files that make or read forms, is what a thing is, not what it may do.
alone() { # PATTERN FILES-THAT-MAY ADVICE
    if grep -rnE --include='*.[ch]' -e "$1" src | grep -vE "^src/($2)" >"$TMPDIR/found"; then
        cat "$TMPDIR/found"
        echo "$3"
        status=1
    fi
}
forms='c/|form/|graph/|fact/|verify/|text/'
code='target/x64/object/operators\.c|target/x64/code/emit|target/x64/model/|run/rtl_builtin\.c'
alone 'preds_count\(.*\) (==|!=|<|<=|>|>=) [0-9]' nobody \
    'the entry has a way in that is no predecessor: ask preds_sole, preds_is_join or preds_are_just (form/program.h)'
alone 'OPF_PARTIAL' 'form/ops\.' 'ask op_is_partial (form/ops.h) or instr_is_total (fact/effects.h)'
alone 'SYMF_(RETURNS_TWICE|NORETURN)' "$forms|lib/build\.c|gatecheck/gatecheck_account\.c" 'ask call_returns_twice or call_never_returns (fact/calls.h)'
alone '->returns_twice|\.returns_twice' "$forms|cert/declarations\.c" 'ask call_returns_twice (fact/calls.h)'
alone 'ATOMIC_VOLATILE' 'c/|form/|verify/|text/' 'ask instr_is_volatile or aux_order (form/program.h)'
alone 'BI_[A-Z_]+.*(\|\||&&).*BI_[A-Z]|case BI_[A-Z_]+:' "$code|form/|verify/|text/|c/" \
    'a set of builtins is a property of their rows: put it into the effects of builtins.def (fact/effects.h)'
alone '\bI_(NOP|OP|LOAD|STORE|CALL|CHECK|BUILTIN|COND)\b.*(\|\||&&).*\bI_(CALL|CHECK|BUILTIN|SWITCH|RETURN)\b' \
    "$forms|check/copies/copies_calls\.c|mach/select/select_call\.c" 'ask what the instruction may do: fact/effects.h'
alone 'switch \(\(InstrKind\)' "$forms|run/|check/machine/symbolic_rtl\.c|mach/select/select_code\.c" \
    'ask what the instruction may do: fact/effects.h'
alone 'regs\.at\[[^]]*\]\.version (==|!=|=|<|<=|>|>=) [0-9]' 'form/|verify/|text/|graph/versions\.h' \
    'ask reg_is_never_set, or name the version (graph/versions.h)'
alone 'OP_[SZ]EXT(8|16)_I32.*CHUNK_|CHUNK_[IU](8|16).*OP_[SZ]EXT' "form/ops\.c|$code|check/machine/terms\.c" \
    'ask chunk_extension (form/ops.h)'

# A builtin without effects does not compile.
sed 's/, MAY_STOP, "ends the program/, "ends the program/' src/form/builtins.def >"$TMPDIR/builtins.def"
if cmp -s src/form/builtins.def "$TMPDIR/builtins.def"; then
    echo "no row of builtins.def was found to damage"
    status=1
fi
mkdir -p "$TMPDIR/tree/form"
cp "$TMPDIR/builtins.def" "$TMPDIR/tree/form/builtins.def"
if ${CC:-cc} -std=c11 -fsyntax-only -I"$TMPDIR/tree" -Isrc src/fact/effects.c 2>"$TMPDIR/errors"; then
    echo "a builtin without effects compiles"
    status=1
elif ! grep -q 'TRAP\|BUILTIN' "$TMPDIR/errors"; then
    echo "the message does not name the row:"
    cat "$TMPDIR/errors"
    status=1
fi
exit $status
