#!/bin/sh
# The recipes of docs/guide.md, applied letter by letter to one copy of the tree (tools/apply-recipe): the copy builds, and what
# was added is there. Then files of the new form are left out, and rows of forms removed: the build stops and names them.
set -eu
mkdir tree
cp -R "$ROOT/Makefile" "$ROOT/src" "$ROOT/tools" "$ROOT/include" tree
"$ROOT/tools/apply-recipe" tree 'Add an operator' 'Add a rule' 'Add a pass' 'Add a form' 'Add a warning' 'Add an option of gatecc' \
    'Add a command of gate' 'Add a library function'
build() { # TARGET...
    make -C tree -j2 CC="${CC:-gcc}" CFLAGS=-O0 WERROR=-Werror "$@" >out 2>&1
}
fail() {
    tail -n 40 out
    echo "$1"
    exit 1
}
build build/bin/gate build/bin/gatecc build/bin/gatecheck || fail "the recipes do not build"
gate=tree/build/bin/gate gatecc=tree/build/bin/gatecc

# ---- A warning, an option, a command
printf 'int f(int x) {\n    x = x;\n    return x;\n}\nint g(int x, int y) {\n    x = y;\n    return x;\n}\n' >a.c
$gatecc -Wall -c a.c 2>messages
grep -q '^a.c:2:5: warning: a variable is assigned to itself \[-Wself-assign\]$' messages
[ "$(grep -c warning: messages)" = 1 ]
$gatecc -Wall -Wno-self-assign -c a.c 2>messages
[ ! -s messages ]
$gatecc --help=warnings | grep -q 'variables that are assigned to themselves'
$gatecc -fbanner='made for a test' -S a.c -o - | head -n 1 | grep -qx '# made for a test'
$gatecc --help=options | grep -q -- '-fbanner='
[ "$($gate functions ssa a.c | tr '\n' ' ')" = 'f g ' ]
$gate functions --help | grep -q "names of a program's functions"

# ---- An operator: it is made, runs in every form and on the machine, and the object checker knows its instructions
cat >inc.c <<'END'
int count = 5;
void more(void) {
    count++;
}
long far(long x) {
    return x + 1;
}
int main(void) {
    more();
    return count + (int)far(40) == 47 ? 0 : 1;
}
END
$gate show ssa --after=son_schedule inc.c | grep -q 'inc\.i64'
$gate show mach inc.c >shown
grep -q ' = inc\.i64' shown && grep -q 'update inc\.i32' shown || { cat shown; exit 1; }
$gate run rtl inc.c
$gate run mach inc.c
$gatecc -O2 --certificate=inc.gcert -c inc.c
tree/build/bin/gatecheck --object inc.o inc.gcert >out
$gatecc -o inc inc.o
./inc

# ---- A rule: the transform applies the row, and gatecheck accepts it
printf 'int h(int a, int b) {\n    return ~a & ~b;\n}\n' >b.c
$gate show ssa --after=son_schedule b.c >shown
grep -q 'or\.i32' shown || { cat shown; exit 1; }
! grep -q 'and\.i32' shown
$gatecc -O2 --certificate=b.gcert -c b.c
tree/build/bin/gatecheck --object b.o b.gcert >out

# ---- A pass: it runs, is accepted, and can be left out
printf 'int f(int a, int b) {\n  while (a < b)\n    a = a > 3 ? a + 1 : a + 2;\n  return a;\n}\n' >f.c
$gate passes | grep -q '^forget_places  *ssa -> ssa  nops without places (dead_code has just made some)'
$gate check --stats f.c 2>stats
awk '$1 == "forget_places" && $2 == 1 && $3 == 1 && $4 == 0 { found = 1 } END { exit !found }' stats || { cat stats; exit 1; }
$gate check --off=forget_places --stats f.c 2>stats
! grep -q forget_places stats
$gatecc -O2 --certificate=f.gcert -c f.c
tree/build/bin/gatecheck --object f.o f.gcert >out

# ---- A library function: it runs, and a slice leaves its call out
cat >swab.c <<'END'
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <unistd.h>
int next(void) {
    char from[4] = "abcd", to[4];
    swab(from, to, 4);
    printf("%.4s\n", to);
    return getchar();
}
int main(void) {
    return next() != 'x';
}
END
[ "$(echo x | $gate run rtl swab.c)" = badc ]
$gate slice swab.c --function next --variable return >slice
! grep -q swab slice
"$BUILT/bin/gate" slice swab.c --function next --variable return | grep -q swab

# ---- A form: it is read, shown, drawn and run
cp "$ROOT/examples/hello.rtl" hello.toy
"$BUILT/bin/gate" show rtl "$ROOT/examples/hello.rtl" >text
$gate show toy hello.toy | cmp - text
[ "$($gate run toy hello.toy)" = "$("$BUILT/bin/gate" run rtl "$ROOT/examples/hello.rtl")" ]
$gate graph toy hello.toy | grep -q digraph
if $gate show none hello.toy 2>err; then fail "an unknown form was taken"; fi
grep -q 'forms: .*toy' err
sed 's/^function/function wrong/' hello.toy >wrong.toy
if $gate show toy wrong.toy 2>/dev/null; then fail "a wrong text was taken"; fi

# ---- What is left out of a form
for file in src/text/parse/toy_parse.c src/text/print/toy_print.c src/verify/toy_verify.c src/run/toy_run.c; do
    mv tree/$file kept
    if build build/bin/gate; then fail "without $file it builds"; fi
    for function in $(sed -n 's/^[^ ].*\b\(toy_[a-z_]*\)(.*/\1/p' kept); do
        grep -q "undefined reference to .$function'" out || fail "$function is not named"
    done
    mv kept tree/$file
done

# ---- Rows of forms that are removed
cd tree
refused() { # ROW FILE NAME
    cp src/form/forms.def kept
    grep -q "^$1" src/form/forms.def
    sed -i "/^$1/d" src/form/forms.def
    if gcc -std=c11 -D_GNU_SOURCE -Isrc -Iinclude -Werror=implicit-function-declaration -Werror=missing-prototypes -fsyntax-only "$2" 2>out; then
        fail "without the row $1 $2 compiles"
    fi
    grep -q "$3" out || fail "$3 is not named"
    mv kept src/form/forms.def
}
refused 'BODY(mach' src/text/form_tables.c BODY_mach
refused 'BODY(graph' src/verify/verify.c BODY_graph
refused 'FORM(RTL' src/form/program.c FORM_RTL
refused 'FORM(SSA' src/pass/rtl/ssa_build.c FORM_SSA
refused 'INSIDE(GSA' src/check/passes.c FORM_GSA
refused 'FORM(MACH' src/check/passes.c FORM_MACH
refused 'WAY(GSA' src/run/gsa_dataflow.c dataflow
