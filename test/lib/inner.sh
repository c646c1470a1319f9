#!/bin/sh
# The library takes programs into a form that is made only inside of an excursion that is checked as one, through it, and
# says why it does not take them out of it.
set -eu
cat >f.c <<'EOF'
#include <stdio.h>
int main(void) {
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += i * 3 + sum / 7;
    printf("%d\n", sum);
    return 0;
}
EOF
cat >test.c <<'EOF'
#include <gate.h>
#include <stdio.h>
#include <string.h>

static const char *run(GateProgram *program) {
    GateRun result;
    if (!gate_run_main(program, NULL, 0, 0, &result) || result.end != GATE_RETURNED) return "failed";
    return result.output;
}

int main(void) {
    for (int optimize = 0; optimize < 2; optimize++) {
        static const GateForm forms[] = {GATE_FORM_SSA, GATE_FORM_GSA, GATE_FORM_SSA, GATE_FORM_RTL, GATE_FORM_SSA,
                                         GATE_FORM_SON};
        GateProgram *program = gate_open_c("f.c", NULL, 0);
        for (int i = 0; i < 6; i++) {
            if (!gate_convert(program, forms[i], optimize)) return printf("%s", gate_messages(program)), 1;
            printf("%d %s", (int)gate_function_form(program, 0), run(program));
        }
        printf("%d\n", strstr(gate_text(program), "floating:") != NULL);
        if (gate_convert(program, GATE_FORM_SSA, optimize)) return 1;
        printf("%s", gate_messages(program));
        gate_close(program);
    }
}
EOF
gcc -std=c11 -Wall -I"$ROOT/include" -o test test.c "$BUILT/lib/libgate.a" -lm
./test >out
cat >expected <<'EOF'
1 196
3 196
1 196
0 196
1 196
2 196
1
EOF
head -n 7 out | cmp - expected
sed -n '10,16p' out | cmp - expected
[ "$(grep -c "does not reach the form ssa: it was given in the form son, so that there is nothing to compare" out)" = 2 ]
