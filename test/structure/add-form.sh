#!/bin/sh
# A form is added to a copy of the tree as docs/guide.md says: it can be read, checked, shown, drawn and run. Each
# step that is left out, and each row that is removed, stops the build with a message that names it.
set -eu
mkdir tree
cd tree
cp -R "$ROOT/Makefile" "$ROOT/src" "$ROOT/tools" "$ROOT/include" .
sed -i '/^FORM(MACH/a FORM(TOY, toy, graph, "a form for a test")' src/form/forms.def
cat >src/text/parse/toy_parse.c <<'END'
#include "text/parse/parse.h"
void toy_parse_begin(TextParser *p) {
    rtl_parse_begin(p);
}
bool toy_parse_line(TextParser *p) {
    return rtl_parse_line(p);
}
void toy_parse_end(TextParser *p, uint32_t place) {
    parse_graph_end(p, place, NULL);
}
END
cat >src/text/print/toy_print.c <<'END'
#include "text/print/print_forms.h"
#include "text/print/print_parts.h"
void toy_print(Out *out, const Func *func, const PrintOptions *options) {
    print_graph(out, func, options, true);
}
END
cat >src/verify/toy_verify.c <<'END'
#include "verify/verify_rules.h"
void toy_verify(Verifier *v) {
    verify_graph(v, false, false);
}
END
cat >src/run/toy_run.c <<'END'
#include "run/rtl_interpreter.h"
const Code *toy_prepare(Interpreter *in, const Func *func) {
    return rtl_prepare(in, func);
}
END
build() { # TARGET...
    make -j2 CC=gcc CFLAGS=-O0 WERROR=-Werror "$@" >out 2>&1
}
fail() {
    cat out
    echo "$1"
    exit 1
}
build build/bin/gate build/bin/gatecheck || fail "what the recipe says does not build"
cp "$ROOT/examples/hello.rtl" hello.toy
gate=$PWD/build/bin/gate
"$BUILT/bin/gate" show rtl "$ROOT/examples/hello.rtl" >text
$gate show toy hello.toy | cmp - text
[ "$($gate run toy hello.toy)" = "$("$BUILT/bin/gate" run rtl "$ROOT/examples/hello.rtl")" ]
$gate graph toy hello.toy | grep -q digraph
if $gate show none hello.toy 2>err; then fail "an unknown form was taken"; fi
grep -q 'forms: .*toy' err
sed 's/^function/function wrong/' hello.toy >wrong.toy
if $gate show toy wrong.toy 2>/dev/null; then fail "a wrong text was taken"; fi

# What is left out.
for file in src/text/parse/toy_parse.c src/text/print/toy_print.c src/verify/toy_verify.c src/run/toy_run.c; do
    mv $file kept
    if build build/bin/gate; then fail "without $file it builds"; fi
    for function in $(sed -n 's/^[^ ].*\b\(toy_[a-z_]*\)(.*/\1/p' kept); do
        grep -q "undefined reference to .$function'" out || fail "$function is not named"
    done
    mv kept $file
done

# What is removed.
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
