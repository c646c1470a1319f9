#!/bin/sh
# A pass is added to a copy of the tree by the recipe in the docs, one step after the other: what is left out is an error of
# the compiler or linker that names it. A wrong pass is undone. Only what the table of passes has a say in is compiled, the other
# objects are those of the build.
set -eu
mkdir tree objects
cp -R "$ROOT/src" "$ROOT/include" tree
cd tree
pass=forget_places
compile="$(cat "$BUILT/flags") -O0"
# The blocks of the docs that are to go to a file.
block() { # FILE
    awk -v start="\`\`\`c $1" '$0 == start || index($0, start " ") == 1 { inside = 1; next } /^```$/ { inside = 0 } inside' \
        "$ROOT/docs/guide.md"
}
hint() { block src/hint/hints_ssa.h >>src/hint/hints_ssa.h; }
columns() {
    block src/cert/hint_fields.c >columns
    sed -i '/^const HintShape \*const hint_shapes/{
        e cat columns
    }' src/cert/hint_fields.c
}
insert() { # LINE BEFORE-PATTERN: into passes.def, in front of the first line that matches
    awk -v line="$1" -v before="$2" '!done && $0 ~ before { print line; done = 1 } { print }' src/check/passes.def >def
    cp def src/check/passes.def
}
pass_row() { insert "$(block src/check/passes.def | grep '^PASS')" '^EXCURSION'; } # the last one: others keep their numbers
step_row() { insert "$(block src/check/passes.def | grep '^STEP')" '^STEP.*straighten'; }
follower() { block src/debug/follow_ssa.c >>src/debug/follow_ssa.c; }
historian() { block src/history/remark_rtl.c >>src/history/remark_rtl.c; }
code() { for file in src/check/ssa/check_$pass.c src/pass/ssa/$pass.c; do block $file >$file; [ -s $file ]; done; }
object() { echo "../objects/$(basename "$1" .c).o"; }
build() { # FILE
    $compile -c -o "$(object "$1")" "$1"
}
link() { # what is to be left out
    find src -name '*.c' ! -name gatecc.c ! -name 'gatecheck*.c' ! -path 'src/lib/*' | while read -r file; do
        [ -e "$(object "$file")" ] || echo "$BUILT/obj/${file#src/}" | sed 's/c$/o/'
    done >others
    $compile -o ../gate $(cat others) $(ls ../objects/*.o | grep -v "/$1\.o$") $BUILT/obj/explore/page.o -lm $(sed 's/./-l&/' $BUILT/http)
}
fails() { # NAME COMMAND...: with a message that has the name in it
    name=$1
    shift
    if "$@" >messages 2>&1; then
        echo "nothing complains of $name"
        exit 1
    fi
    grep -q "$name" messages || { cat messages; echo "the message does not name $name"; exit 1; }
}

# Nothing but the rows, then one thing after the other.
step_row
fails PASS_$pass build src/pipeline/steps.c
cp "$ROOT/src/check/passes.def" src/check
pass_row
fails "a_STEP_row_for_$pass" build src/pipeline/steps.c
step_row
fails ForgetPlacesHint build src/check/passes.c
hint
fails fields_ForgetPlacesHint build src/cert/hint_fields.c
columns
code
find src -name '*.c' ! -name gatecc.c ! -name 'gatecheck*.c' ! -path 'src/lib/*' | while read -r file; do
    depends=$BUILT/obj/$(echo "${file#src/}" | sed 's/c$/d/')
    if [ ! -e "$depends" ] || grep -qE 'src/(check/passes|pipeline/transforms)\.h|src/cert/hints\.c' "$depends"; then echo "$file"; fi
done >changed
[ "$(wc -l <changed)" -gt 15 ]
export compile
xargs -P 2 -n 1 sh -c '$compile -c -o ../objects/$(basename "$0" .c).o "$0"' <changed
fails follow_$pass link nothing
follower
build src/debug/follow_ssa.c
fails history_$pass link nothing
historian
build src/history/remark_rtl.c
fails check_$pass link check_$pass
fails $pass link $pass
link nothing

# Its checker has a say. That the pass runs and is accepted is seen in recipes.sh.
gate=$PWD/../gate
cd ..
printf 'int f(int a, int b) {\n  while (a < b)\n    a = a > 3 ? a + 1 : a + 2;\n  return a;\n}\n' >f.c
cd tree
sed -i 's,instr->kind != I_NOP || !instr->loc,!instr->immediate,; s|instr->loc = 0;|instr->imm++;|' src/pass/ssa/$pass.c
build src/pass/ssa/$pass.c
link nothing
cd ..
if "$gate" check f.c 2>messages; then
    echo "the checker accepts anything"
    exit 1
fi
grep -q "pass $pass was undone for function 'f'.*: the instruction has changed" messages || { cat messages; exit 1; }
