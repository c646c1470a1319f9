// build [CERTIFICATE]: makes a function through calls (the larger of two numbers, summed over a loop), writes
// the certificate of all passes on it for gatecheck, takes it to gated SSA and back, every step checked, and runs it.
#include <gate.h>

#include <stdio.h>

// int larger(int a, int b) { return a < b ? b : a; }
static bool build_larger(GateProgram *program) {
    const GateType parameters[] = {GATE_I32, GATE_I32};
    GateBuilder *b = gate_build(program, "larger", GATE_I32, parameters, 2);
    const uint32_t arguments[] = {0, 1};
    uint32_t result = gate_build_register(b, GATE_I32, "result");
    uint32_t branch = gate_build_branch(b, "lt.i32", arguments, 2);
    uint32_t take_b = gate_build_op(b, "move.i32", result, &arguments[1], 1);
    uint32_t end = gate_build_return(b, result);
    uint32_t take_a = gate_build_op(b, "move.i32", result, &arguments[0], 1);
    gate_build_successor(b, branch, 0, take_b);
    gate_build_successor(b, branch, 1, take_a);
    gate_build_successor(b, take_a, 0, end);
    return gate_build_end(b);
}

// int main(void) { int sum = 0; for (int i = 0; i < 10; i++) sum += larger(i, 5); return sum; }
static bool build_main(GateProgram *program) {
    GateBuilder *b = gate_build(program, "main", GATE_I32, NULL, 0);
    uint32_t sum = gate_build_register(b, GATE_I32, "sum"), i = gate_build_register(b, GATE_I32, "i");
    uint32_t five = gate_build_register(b, GATE_I32, NULL), more = gate_build_register(b, GATE_I32, NULL);
    const uint32_t operands[] = {sum, more}, arguments[] = {i, five};
    gate_build_constant(b, sum, 0);
    gate_build_constant(b, i, 0);
    uint32_t head = gate_build_branch_immediate(b, "lt.i32", i, 10);
    uint32_t body = gate_build_constant(b, five, 5);
    gate_build_call(b, "larger", more, arguments, 2);
    gate_build_op(b, "add.i32", sum, operands, 2);
    uint32_t next = gate_build_op_immediate(b, "add.i32", i, i, 1);
    uint32_t end = gate_build_return(b, sum);
    gate_build_successor(b, head, 0, body);
    gate_build_successor(b, head, 1, end);
    gate_build_successor(b, next, 0, head);
    return gate_build_end(b);
}

static bool write_certificate(GateProgram *program, const char *path) {
    size_t length;
    const char *text = gate_certify(program, "built by calls", &length);
    FILE *file = text ? fopen(path, "w") : NULL;
    if (!file) return false;
    bool good = fwrite(text, 1, length, file) == length;
    return fclose(file) == 0 && good;
}

int main(int argc, char **argv) {
    GateProgram *program = gate_new();
    const char *const arguments[] = {"build"};
    GateRun run = {0};
    bool good = build_larger(program) && build_main(program);
    if (good && argc > 1) good = write_certificate(program, argv[1]);
    good = good && gate_convert(program, GATE_FORM_GSA, true);
    if (good) fputs(gate_text(program), stdout);
    good = good && gate_convert(program, GATE_FORM_RTL, true) &&
           gate_run_main(program, arguments, 1, 1000, &run);
    fputs(gate_messages(program), stderr);
    if (good) printf("main returns %d after %llu steps\n", run.status, (unsigned long long)run.steps);
    gate_close(program);
    return good ? 0 : 1;
}
