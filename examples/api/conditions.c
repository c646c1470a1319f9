// conditions FILE.c FUNCTION: for each value that merges in a function, the condition under which each of
// the values it may have is chosen, in the syntax of C. Conditions are over the function's own variables;
// x_3 is the third value that x gets.
#include <gate.h>

#include <stdio.h>
#include <string.h>

static void print_register(const GateProgram *program, uint32_t function, uint32_t reg) {
    GateRegister info;
    if (!gate_register(program, function, reg, &info)) return;
    if (*info.name)
        printf("%s", info.name);
    else
        printf("t%u", info.number);
    if (*info.name && info.number) printf("_%u", info.number);
    if (info.version > 0) printf("_%d", info.version);
}

// The comparisons by the beginning of their names; the rest is the type.
static const struct {
    const char *name, *symbol, *opposite;
    int is_unsigned;
} comparisons[] = {{"eq.", "==", "!=", 0}, {"ne.", "!=", "==", 0},  {"lt.", "<", ">=", 0},
                   {"le.", "<=", ">", 0},  {"gt.", ">", "<=", 0},   {"ge.", ">=", "<", 0},
                   {"ult.", "<", ">=", 1}, {"ule.", "<=", ">", 1},  {"ugt.", ">", "<=", 1},
                   {"uge.", ">=", "<", 1}};

static void print_condition(const GateProgram *program, uint32_t function, const GatePredicate *p) {
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (strncmp(p->op, comparisons[i].name, strlen(comparisons[i].name)) != 0) continue;
        if (comparisons[i].is_unsigned) printf("(unsigned)");
        print_register(program, function, p->arguments[0]);
        printf(" %s ", p->negated ? comparisons[i].opposite : comparisons[i].symbol);
        if (p->has_immediate)
            printf("%lld", (long long)p->immediate);
        else
            print_register(program, function, p->arguments[1]);
        return;
    }
    printf("%s%s(...)", p->negated ? "!" : "", p->op);
}

static void print_case(const GateProgram *program, uint32_t function, const GatePredicate *p) {
    if (!p->is_default) {
        print_register(program, function, p->arguments[0]);
        printf(" == %lld", (long long)p->value);
        return;
    }
    for (uint32_t i = 0; i < p->case_count; i++) {
        if (i) printf(" && ");
        print_register(program, function, p->arguments[0]);
        printf(" != %lld", (long long)p->cases[i]);
    }
}

// Predicates share their parts; written out as trees they may be long, but here they are small.
static void print_predicate(const GateProgram *program, uint32_t function, uint32_t index,
                            GatePredicateKind around) {
    GatePredicate p;
    if (!gate_predicate(program, function, index, &p)) return;
    switch (p.kind) {
    case GATE_IS_FALSE: printf("0"); break;
    case GATE_IS_TRUE: printf("1"); break;
    case GATE_IS_UNDEFINED: printf("undefined"); break;
    case GATE_IS_CONDITION: print_condition(program, function, &p); break;
    case GATE_IS_CASE: print_case(program, function, &p); break;
    case GATE_IS_AND:
    case GATE_IS_OR: {
        int parentheses = p.kind == GATE_IS_OR && around == GATE_IS_AND;
        if (parentheses) printf("(");
        print_predicate(program, function, p.first, p.kind);
        printf(p.kind == GATE_IS_AND ? " && " : " || ");
        print_predicate(program, function, p.second, p.kind);
        if (parentheses) printf(")");
        break;
    }
    }
}

static void print_merge(const GateProgram *program, uint32_t function, uint32_t node, uint32_t index) {
    GateMerge merge;
    GateArgument argument;
    gate_merge(program, function, node, index, &merge);
    print_register(program, function, merge.dest);
    printf(" is\n");
    for (uint32_t k = 0; k < merge.argument_count; k++) {
        gate_argument(program, function, node, index, k, &argument);
        printf("    ");
        print_register(program, function, argument.reg);
        if (merge.kind == GATE_MU) {
            printf(k == 0 ? "   when the loop is entered\n" : "   in the next iteration\n");
            continue;
        }
        printf(merge.kind == GATE_ETA ? "   when the loop is left, as " : "   if ");
        print_predicate(program, function, argument.predicate, GATE_IS_TRUE);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: conditions FILE.c FUNCTION\n");
        return 2;
    }
    GateProgram *program = gate_open_c(argv[1], NULL, 0);
    gate_convert(program, GATE_FORM_GSA, false);
    fputs(gate_messages(program), stderr);
    uint32_t function = gate_good(program) ? gate_function_named(program, argv[2]) : GATE_NONE;
    if (function == GATE_NONE) fprintf(stderr, "conditions: no function '%s'\n", argv[2]);
    for (uint32_t node = 0; node < gate_node_count(program, function); node++)
        for (uint32_t i = 0; i < gate_merge_count(program, function, node); i++)
            print_merge(program, function, node, i);
    gate_close(program);
    return function == GATE_NONE;
}
