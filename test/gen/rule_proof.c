#include "test/gen/rule_proof.h"

#include "test/gen/rule_int.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- The file

static char *file_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "no file %s\n", path);
        abort();
    }
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (!text || fread(text, 1, size, file) != size) abort();
    text[size] = '\0';
    fclose(file);
    return text;
}

static bool starts_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

// "row NAME" is about NAME.i32 and NAME.i64.
static bool is_about(const char *line, const char *name) {
    if (!starts_with(line, "row ")) return false;
    size_t length = strcspn(line + 4, "\n");
    return strncmp(line + 4, name, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

RuleHints rule_hints_read(const char *path) {
    RuleHints hints = {.text = file_text(path), .starts = calloc(RULE_COUNT, sizeof(char *))};
    if (!hints.starts) abort();
    for (const char *line = hints.text; *line; line = next_line(line)) {
        bool found = !starts_with(line, "row ");
        for (uint32_t r = 0; r < RULE_COUNT; r++)
            if (is_about(line, rule_table[r].name)) {
                hints.starts[r] = next_line(line);
                hints.rows += found = true;
            }
        if (!found) {
            fprintf(stderr, "there is no row %.40s\n", line);
            abort();
        }
    }
    return hints;
}

void rule_hints_free(RuleHints *hints) {
    free(hints->text);
    free(hints->starts);
}

static bool ends(const char *line) {
    return *line == '\0' || starts_with(line, "row ");
}

static const char *find_line(const char *hint, const char *word) {
    for (; !ends(hint); hint = next_line(hint))
        if (starts_with(hint, word)) return hint;
    return NULL;
}

bool hint_takes_long(const char *hint) {
    return hint && find_line(hint, "long\n");
}

HowProved how_proved(const char *hint) {
    return !hint ? BY_ITSELF : find_line(hint, "cases ") ? IN_CASES : IN_STEPS;
}

void question_add(Questions *questions, uint32_t rule, Out *text) {
    if (questions->count == questions->capacity) {
        questions->capacity = 2 * questions->capacity + 16;
        questions->at = realloc(questions->at, questions->capacity * sizeof *questions->at);
        if (!questions->at) abort();
    }
    out_char(text, '\0');
    questions->at[questions->count++] = (Question){.rule = rule, .text = text->text};
    *text = (Out){0};
}

// ---- Cases

typedef struct {
    const RuleInfo *rule;
    const char *kind;      // and the variables that follow
    uint32_t width, count; // of the first variable; of cases
} Cases;

static uint32_t bits_of(const RuleInfo *rule, uint32_t variable) {
    Type types[TERM_VARIABLES];
    rule_types(rule, types);
    return types[variable] == TYPE_I32 ? 32 : 64;
}

static Cases cases_of(const RuleInfo *rule, const char *line) {
    Cases cases = {.rule = rule, .kind = line + strlen("cases ")};
    const char *first = strchr(cases.kind, ' ') + 2;
    cases.width = bits_of(rule, (uint32_t)(*first - '0'));
    cases.count = cases.width;
    if (starts_with(cases.kind, "count")) cases.count = rule->width == TYPE_I32 ? 32 : 64;
    if (starts_with(cases.kind, "defined")) {
        cases.count = 1;
        for (const char *c = cases.kind; *c != '\n'; c++) cases.count += *c == ' ';
    }
    return cases;
}

// Case 0: all are defined; case k: the k-th is not.
static void defined_text(Out *out, const Cases *cases, uint32_t k) {
    uint32_t i = 0;
    out_printf(out, "(and true");
    for (const char *c = cases->kind; *c != '\n'; c++) {
        if (*c != ' ' || (++i != k && k != 0)) continue;
        out_printf(out, " (%s vu%c (_ bv0 %u))", k ? "distinct" : "=", c[2],
                   bits_of(cases->rule, (uint32_t)(c[2] - '0')));
    }
    out_printf(out, ")");
}

static void case_text(Out *out, const Cases *cases, uint32_t k) {
    if (starts_with(cases->kind, "defined")) {
        defined_text(out, cases, k);
        return;
    }
    char v = strchr(cases->kind, ' ')[2];
    if (starts_with(cases->kind, "count")) {
        out_printf(out, "(= (bvand v%c (_ bv%u %u)) (_ bv%u %u))", v, cases->count - 1,
                   cases->width, k, cases->width);
        return;
    }
    uint64_t power = (uint64_t)1 << k, number = power;
    if (starts_with(cases->kind, "minus")) number = -power;
    if (starts_with(cases->kind, "less")) number = power - 1;
    if (starts_with(cases->kind, "more")) number = power + 1;
    if (cases->width == 32) number = (uint32_t)number;
    out_printf(out, "(= v%c (_ bv%llu %u))", v, (unsigned long long)number, cases->width);
}

// The row with a hypothesis; the goal, if it is not to be "no case holds".
static void ask_case(Out *out, const RuleInfo *rule, bool goal) {
    rule_smt(out, rule, SMT_FULL);
    out->length -= strlen("(check-sat)\n");
    if (goal) return;
    while (out->length && strncmp(out->text + out->length - 1, "\n", 1) == 0) out->length--;
    while (out->length && out->text[out->length - 1] != '\n') out->length--;
}

// x * (2^k - 1) + x is x << k; and the row is right whatever number with that property the product
// is.
static void ask_about_product(const Cases *cases, uint32_t rule, uint32_t k, Questions *bits) {
    uint32_t width = cases->width;
    Out lemma = {0}, row = {0}, text = {0};
    out_printf(&lemma, "(reset)\n(set-logic ALL)\n(declare-fun v0 () (_ BitVec %u))\n", width);
    out_printf(&lemma,
               "(assert (distinct (bvadd (bvmul v0 (_ bv%llu %u)) v0) (bvshl v0 (_ bv%u %u))))\n",
               ((unsigned long long)1 << k) - 1, width, k, width);
    out_printf(&lemma, "(check-sat)\n");
    question_add(bits, rule, &lemma);
    ask_case(&row, cases->rule, true);
    out_char(&row, '\0');
    const char *product = strstr(row.text, "(bvmul v0 v4)");
    const char *start = strstr(row.text, "(declare-fun v0");
    assert(product && start && !strstr(product + 1, "(bvmul"));
    out_printf(&text, "%.*s(declare-fun product () (_ BitVec %u))\n", (int)(start - row.text),
               row.text, width);
    out_printf(&text, "%.*sproduct%s", (int)(product - start), start,
               product + strlen("(bvmul v0 v4)"));
    out_printf(&text, "(assert (= (bvadd product v0) (bvshl v0 (_ bv%u %u))))\n(assert ", k, width);
    case_text(&text, cases, k);
    out_printf(&text, ")\n(check-sat)\n");
    out_free(&row);
    question_add(bits, rule, &text);
}

static void ask_cases(uint32_t rule, const char *hint, Questions *bits) {
    const RuleInfo *info = &rule_table[rule];
    Cases cases = cases_of(info, find_line(hint, "cases "));
    Out text = {0};
    ask_case(&text, info, false);
    for (uint32_t k = 0; k < cases.count; k++) {
        out_printf(&text, "(assert (not ");
        case_text(&text, &cases, k);
        out_printf(&text, "))\n");
    }
    out_printf(&text, "(check-sat)\n");
    question_add(bits, rule, &text);
    for (uint32_t k = 0; k < cases.count; k++) {
        if (find_line(hint, "product\n")) {
            ask_about_product(&cases, rule, k, bits);
            continue;
        }
        ask_case(&text, info, true);
        out_printf(&text, "(assert ");
        case_text(&text, &cases, k);
        out_printf(&text, ")\n(check-sat)\n");
        question_add(bits, rule, &text);
    }
}

// ---- Steps

// Only what declares, no hypothesis.
static void copy_declarations(Out *out, const Out *from) {
    const char *line = from->text, *end = from->text + from->length;
    while (line < end) {
        const char *next = line + strcspn(line, "\n") + 1;
        if (!starts_with(line, "(assert")) out_printf(out, "%.*s", (int)(next - line), line);
        line = next;
    }
}

// A line that introduces a name, or a law of exponents; false if it is a step.
static bool introduce(Out *out, const char *line, int length) {
    char word[8], name[32], rest[400];
    if (sscanf(line, "%7s %31s %399[^\n]", word, name, rest) != 3) return false;
    if (strcmp(word, "is") == 0)
        out_printf(out, "(define-fun %s () Bool %s)\n", name, rest);
    else if (strcmp(word, "var") == 0)
        out_printf(out, "(declare-fun %s () Int)\n(assert (= %s %s))\n", name, name, rest);
    else if (strcmp(word, "power") == 0)
        out_printf(out,
                   "(assert (=> (and (<= 0 %s) (<= 0 %s)) (= (pow (+ %s %s)) (* (pow %s) (pow "
                   "%s)))))\n",
                   name, rest, name, rest, name, rest);
    else
        return false;
    return length > 0;
}

// One step, given all before it.
static void ask_step(uint32_t rule, char mark, const char *step, int length, Out *known,
                     Questions by[ASKED_COUNT]) {
    Asked who = mark == '!' ? ASK_Z3 : mark == '(' ? ASK_CVC5_LINEAR : ASK_CVC5;
    Out text = {0};
    out_char(known, '\0');
    known->length--;
    if (mark == '@')
        copy_declarations(&text, known);
    else
        out_printf(&text, "%s", known->text);
    out_printf(&text, "(assert (not %.*s))\n(check-sat)\n", length, step);
    question_add(&by[who], rule, &text);
    out_printf(known, "(assert %.*s)\n", length, step);
}

// Values of registers are defined: an operator that goes wrong otherwise has them as operands.
static bool is_of_defined(const RuleInfo *rule) {
    return op_is_partial((Op)rule->from[0]) && rule->length[0] == 3 && rule->from[1] >= OP_COUNT &&
           rule->from[2] >= OP_COUNT;
}

static void ask_steps(uint32_t rule, const char *hint, Questions by[ASKED_COUNT]) {
    Out known = {0};
    char goal = '(';
    assert(is_of_defined(&rule_table[rule]) && rule_is_integral(&rule_table[rule]));
    rule_int(&known, &rule_table[rule]);
    for (const char *line = hint; !ends(line); line = next_line(line)) {
        int length = (int)strcspn(line, "\n");
        if (length == 0 || *line == '#' || introduce(&known, line, length)) continue;
        char mark = strchr("@!?", *line) ? *line : '(';
        const char *step = mark == '(' ? line : line + 1;
        if (starts_with(step, "goal\n"))
            goal = mark;
        else
            ask_step(rule, mark, step, length - (mark != '('), &known, by);
    }
    ask_step(rule, goal, "(= from to)", 11, &known, by);
    ask_step(rule, '(', "to_good", 7, &known, by);
    out_free(&known);
}

void rule_questions(uint32_t rule, const char *hint, Questions *bits, Questions by[ASKED_COUNT]) {
    Out text = {0};
    switch (how_proved(hint)) {
    case BY_ITSELF:
        rule_smt(&text, &rule_table[rule], SMT_FULL);
        question_add(bits, rule, &text);
        break;
    case IN_CASES: ask_cases(rule, hint, bits); break;
    case IN_STEPS: ask_steps(rule, hint, by); break;
    }
}
