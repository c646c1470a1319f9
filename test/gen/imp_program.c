#include "test/gen/imp_program.h"

typedef struct {
    Out *out;
    Random *random;
    const ImpProgramOptions *options;
    int32_t budget;
    uint32_t counters; // loops so far: each counts with a variable of its own
} Writer;

enum { VARIABLES = 5, DEEPEST_EXPR = 3, DEEPEST = 4 };

static void variable(Writer *w) {
    out_char(w->out, (char)('a' + random_below(w->random, VARIABLES)));
}

static void expression(Writer *w, uint32_t depth);

static void element(Writer *w, uint32_t depth) {
    out_text(w->out, random_below(w->random, 2) ? "m[" : "n[");
    expression(w, depth + 1);
    out_text(w->out, " & 3]");
}

static void operation(Writer *w, uint32_t depth) {
    static const char *const total[] = {"+", "-",  "*",  "&",  "|", "^",
                                        "<", "<=", "==", "!=", ">", "<<"};
    static const char *const others[] = {"/", "%", "&&", "||", ">>", ">="};
    bool other = !w->options->paper && random_below(w->random, 5) == 0;
    out_char(w->out, '(');
    expression(w, depth + 1);
    out_printf(w->out, " %s ",
               other ? others[random_below(w->random, 6)] : total[random_below(w->random, 12)]);
    expression(w, depth + 1);
    out_char(w->out, ')');
}

static void expression(Writer *w, uint32_t depth) {
    uint32_t kind = random_below(w->random, depth < DEEPEST_EXPR ? 10 : 4);
    bool more = !w->options->paper;
    if (kind < 2) {
        out_printf(w->out, "%d", (int)random_below(w->random, 12) - 2);
    } else if (kind < 4) {
        variable(w);
    } else if (kind == 4 && more) {
        element(w, depth);
    } else if (kind == 5 && more) {
        out_text(w->out, random_below(w->random, 2) ? "!" : "-");
        out_char(w->out, '(');
        expression(w, depth + 1);
        out_char(w->out, ')');
    } else if (kind == 6 && more && random_below(w->random, 3) == 0) {
        out_char(w->out, '(');
        expression(w, depth + 1);
        out_text(w->out, " ? ");
        expression(w, depth + 1);
        out_text(w->out, " : ");
        expression(w, depth + 1);
        out_char(w->out, ')');
    } else {
        operation(w, depth);
    }
}

static void statements(Writer *w, uint32_t depth);

static void loop(Writer *w, uint32_t depth) {
    uint32_t counter = w->counters++, kind = random_below(w->random, 12);
    out_printf(w->out, "k%u := %u;\n", counter, random_below(w->random, 3));
    if (kind == 0 && w->options->endless) {
        out_text(w->out, "while ");
        expression(w, 1);
    } else {
        out_printf(w->out, "while k%u < %u", counter, random_below(w->random, 5));
        if (kind < 4 && !w->options->paper) {
            out_text(w->out, " && ");
            expression(w, 1);
        }
    }
    out_text(w->out, " do\n");
    statements(w, depth + 1);
    out_printf(w->out, ";\nk%u := k%u + 1\nend", counter, counter);
}

static void conditional(Writer *w, uint32_t depth) {
    out_text(w->out, "if ");
    expression(w, 0);
    out_text(w->out, " then\n");
    statements(w, depth + 1);
    if (random_below(w->random, 2)) {
        out_text(w->out, "\nelse\n");
        statements(w, depth + 1);
    }
    out_text(w->out, "\nend");
}

static void statement(Writer *w, uint32_t depth) {
    uint32_t kind = random_below(w->random, depth < DEEPEST && w->budget > 0 ? 10 : 6);
    bool more = !w->options->paper;
    w->budget--;
    if (kind == 4 && more) {
        element(w, DEEPEST_EXPR);
        out_text(w->out, " := ");
        expression(w, 0);
    } else if (kind == 5 && more && random_below(w->random, 2)) {
        out_text(w->out, "print ");
        expression(w, 1);
    } else if (kind >= 8 && more) {
        conditional(w, depth);
    } else if (kind >= 6) {
        loop(w, depth);
    } else {
        variable(w);
        out_text(w->out, " := ");
        expression(w, 0);
    }
}

static void statements(Writer *w, uint32_t depth) {
    uint32_t count = 1 + random_below(w->random, 4);
    for (uint32_t i = 0; i < count; i++) {
        if (i) out_text(w->out, ";\n");
        statement(w, depth);
    }
}

void imp_random_program(Out *out, Random *random, const ImpProgramOptions *options) {
    Writer w = {.out = out, .random = random, .options = options};
    w.budget = (int32_t)options->statements;
    for (uint32_t i = 0; i < VARIABLES; i++)
        out_printf(out, "%c := %d;\n", (char)('a' + i), (int)random_below(random, 9) - 1);
    do {
        statement(&w, 0);
        if (w.budget > 0) out_text(out, ";\n");
    } while (w.budget > 0);
    out_char(out, '\n');
}
