#!/bin/sh
# What docs/guide.md says, on a copy of the sources: an operator that is added by its steps compiles;
# with a step left out, or a row of a table removed, repeated or misspelt, the compiler names what is missing.
# And nobody computes with the numbers of operators: ops.h is asked instead.
set -eu
errors='-Werror=switch -Werror=implicit-function-declaration' # for every build, by the makefile
for flag in $errors; do grep -q -e "$flag" "$ROOT/Makefile"; done
cp -R "$ROOT/src" src
operators='src/form/ops.c src/fact/eval.c src/run/rtl_run.c src/target/x64/model/x64.c src/target/x64/code/latency.c'
builtins='src/run/rtl_builtin.c src/target/x64/model/constraints.c src/target/x64/model/x64.c src/target/x64/code/emit_builtin.c
    src/target/x64/object/operators.c'
status=0 seen=0
compile() { # FILE...
    for file; do gcc -std=c11 -D_GNU_SOURCE -Isrc -Wall $errors -fsyntax-only "$file" || return 1; done
}
good() { # NAME FILE...
    name=$1
    shift
    compile "$@" >out 2>&1 || { echo "$name does not compile:"; grep error out | head -n 5; status=1; }
}
bad() { # NAME WORD FILE...: not one of the files compiles, and each error names WORD
    name=$1 word=$2
    shift 2
    for file; do
        seen=$((seen + 1))
        if compile "$file" >out 2>&1; then
            echo "$name: $file compiles"
            status=1
        elif ! grep 'error:' out | grep -qE "(\b|_)$word\b"; then
            echo "$name: $file does not name $word:"
            grep 'error:' out | head -n 3
            status=1
        fi
    done
}
edit() { # FILE SCRIPT: edits a copied file, which must change it
    sed -i.was "$2" "$1"
    if cmp -s "$1" "$1.was"; then
        echo "nothing to change in $1: $2"
        status=1
    fi
    rm "$1.was"
}
restore() { for file; do cp "$ROOT/$file" "$file"; done; }
ops=src/form/ops.def x64=src/target/x64/model/sequences.def rules=src/fact/rules.def

# ---- The steps of the recipe
family() { edit $ops 's/^FAMILY(ADD)/FAMILY(INC) &/'; }
row() { edit $ops '/^OP1(NEG_I32,/i OP1(INC_I32, INC, I32, "inc.i32", I32, I32, NONE, ANY, a + 1, "one more")'; }
sequence() { edit $x64 '/^INTS(NEG,/i ROW(INC_I32, UNARY, "move a,d; add.v $1,d")'; }
constructor() { edit src/fact/rules.c 's/^#define NEG(.*/&\n#define INC(...) OPERATOR(INC), __VA_ARGS__/'; }
rule() { edit $rules 's/^RULE(add_zero,/RULE32(add_one, ADD(X, N(1)), INC(X), ALWAYS)\n&/'; }
again() { restore $ops $x64 $rules src/fact/rules.c; }
family && row && sequence && constructor && rule
good 'an operator' $operators $builtins src/fact/rules.c
again && row && sequence
bad 'no family' FAM_INC src/form/ops.c
again && family && sequence
bad 'no row in ops.def' OP_INC_I32 src/target/x64/model/x64.c
again && family && row
bad 'no row in sequences.def' X64_ROW_INC_I32 src/target/x64/model/x64.c
again && family && row && sequence && sequence
bad 'two rows in sequences.def' X64_ROW_INC_I32 src/target/x64/model/x64.c
again && family && row && row && sequence
bad 'two rows in ops.def' OP_INC_I32 src/form/ops.c
again && family && row && edit $ops '/^OP1(INC_I32,/{p;s/(INC_I32/(STEP_I32/;}'
bad 'two of a family at a type' ONE_OF_INC_AT_I32 src/form/ops.c
again && rule
bad 'no constructor for rules' INC src/fact/rules.c
again && constructor && rule
bad 'a rule for what is no operator' OP_INC_I32 src/fact/rules.c
again && family && row && edit $x64 '/^INTS(NEG,/i ROW(INC_I32, SUCCESSOR, "neg.v d")'
bad 'a shape that does not exist' X64_SUCCESSOR src/target/x64/model/x64.c

# ---- A comparison
comparison() { # MIRROR NEGATION
    edit $ops 's/^FAMILY(ADD)/FAMILY(IN) FAMILY(NI) FAMILY(OUT) &/'
    edit $ops "/^CMP(EQ_I32,/i CMP(IN_I32, IN, I32, \"in.i32\", $1, $2, (a \& b) == a, \"a subset\")"
    edit $ops '/^CMP(EQ_I32,/i CMP(NI_I32, NI, I32, "ni.i32", IN, OUT, (a \& b) == b, "a superset")'
    edit $ops '/^CMP(EQ_I32,/i CMP(OUT_I32, OUT, I32, "out.i32", OUT, IN, (a \& b) != a, "no subset")'
}
condition() { edit $x64 "s/^INTEGERS(EQ, E)/INTEGERS($1, E)\n&/;s/^INTS(EQ, COMPARE, .*/ROW($1_I32, COMPARE, COMPARED)\n&/"; }
again && comparison NI OUT && condition IN && condition NI && condition OUT
good 'a comparison' src/form/ops.c src/fact/eval.c src/target/x64/model/x64.c
again && comparison NI OUT && condition IN && condition OUT
bad 'no condition' INTEGER_CONDITION_NI src/target/x64/model/x64.c
again && comparison IS OUT
bad 'no mirror' COMPARISON_IS_I32 src/form/ops.c
again && comparison NI NOT
bad 'a negation that is no comparison' COMPARISON_NOT_I32 src/form/ops.c
again

# ---- Rows that are gone
every() { # TABLE PATTERN STEP: the names of each STEPth row
    sed -n "s/^$2(\([A-Z0-9_]*\),.*/\1/p" "$1" | awk "NR % $3 == 1"
}
for name in $(every $ops '[A-Z0-9]*' 9); do
    edit $ops "/^[A-Z0-9]*($name,/d"
    bad "ops.def without $name" "OP_$name" src/target/x64/model/x64.c
    restore $ops
done
for name in $(every $x64 ROW 9); do
    edit $x64 "/^ROW($name,/s/ROW/CHECKED/;s/CHECKED($name, [A-Z0-9_]*,/CHECKED($name,/"
    bad "sequences.def without $name" "X64_ROW_$name" src/target/x64/model/x64.c
    restore $x64
done
for name in $(every $x64 INTS 5); do
    edit $x64 "s/^INTS($name,/CHECKED($name##_I32,/;s/^CHECKED($name##_I32, [A-Z]*,/CHECKED(${name}_I32,/"
    bad "sequences.def without $name" "X64_ROW_${name}_I32" src/target/x64/model/x64.c
    restore $x64
done
table=src/form/builtins.def
for name in $(every $table BUILTIN 5); do
    edit $table "/^BUILTIN($name,/d"
    bad "builtins.def without $name" "BI_$name" $builtins
    restore $table
done

# ---- A builtin, a chunk, a type, a shape more
edit $table 's/^BUILTIN(MEMSET, "memset"\(.*\)/&\nBUILTIN(REVERSE, "reverse"\1/'
bad 'a builtin' REVERSE $builtins
restore $table
edit src/form/types.h 's/^    CHUNK(I8, .*/    CHUNK(I4, "i4", 1, I32) \\\n&/'
bad 'a chunk' CHUNK_I4 src/form/ops.c
restore src/form/types.h
edit src/form/types.h 's/^    TYPE(I32, .*/    TYPE(I16, "i16") \\\n&/'
bad 'a type' TYPE_I16 src/form/ops.c
restore src/form/types.h
edit src/target/x64/model/x64.h 's/^    PLAN_CONSTANT,/&\n    PLAN_SUCCESSOR,/'
bad 'a plan of operands' PLAN_SUCCESSOR src/target/x64/model/constraints.c
restore src/target/x64/model/x64.h
[ $seen -gt 60 ] || { echo "only $seen mistakes were made"; status=1; }

# ---- Numbers of operators
cd "$ROOT"
number='(OP|BI|FAM)_[A-Z0-9_]+'
if grep -rnE --include='*.[ch]' "\b$number *[-+] *[^-+]|[-+] *\b$number|[<>]=? *\b$number|_range\(.*\b(OP|BI)_" src test bench |
    grep -vE '[<>]=? *(OP|BI|FAM)_COUNT|OP_COUNT \+ 1|FAM_NONE \+ 1'; then
    echo 'these compute with numbers of operators or builtins; ask ops.h for the family, the type, the mirror instead'
    status=1
fi
exit $status
