#include "test/gen/forge_values.h"

#include "analysis/unit/unit_facts.h"
#include "check/checkers.h"
#include "check/unit/check_unit.h"
#include "test/gen/forge.h"
#include "test/gen/harmless.h"
#include "test/gen/plain_values.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_NAMES = 48, MOST_WORDS = 10 };

typedef struct {
    Arena *arena;
    Func *before, *after;
    ValuesHint *hint;
    char names[MOST_NAMES][8];
    uint32_t named[MOST_NAMES], name_count;
} ValuesForgery;

static void start_forgery(ValuesForgery *forgery, const char *text) {
    forgery->before = func_clone(forge_parse(forgery->arena, FORM_SSA, text), forgery->arena);
    forgery->after = func_clone(forgery->before, forgery->arena);
    forgery->hint = plain_values(forgery->arena, forgery->before, forgery->after);
}

// ---- Words

static uint32_t number_of(const char *word) {
    if (strcmp(word, "-") == 0) return NO_ID;
    return (uint32_t)strtoul(word + (*word == '!'), NULL, 0);
}

// A register by name and version, behind "%" or "$".
static Reg reg_of(const ValuesForgery *forgery, const char *word) {
    char name[16] = "%";
    assert_true(strlen(word) < sizeof name);
    strcpy(name + 1, word + 1);
    return forge_reg(forgery->before, name);
}

// The node that sets a register, or a node by number.
static Node place_of(const ValuesForgery *forgery, const char *word) {
    if (*word != '%') return (Node){number_of(word)};
    return definitions_of(forgery->arena, forgery->before)[reg_of(forgery, word).i].node;
}

// A constant is one value, however often it is written.
static uint32_t constant_of(ValuesForgery *forgery, Op op, int64_t imm) {
    const ValuesHint *hint = forgery->hint;
    for (uint32_t v = 0; v < hint->values.count; v++)
        if (hint->values.at[v].kind == VALUE_OP && hint->values.at[v].op == op &&
            hint->values.at[v].imm == imm)
            return v;
    HintValue value = {.kind = VALUE_OP, .op = (uint16_t)op, .ref = NO_ID, .imm = imm};
    return plain_add(forgery->arena, forgery->hint, value, NULL);
}

static uint32_t value_of(ValuesForgery *forgery, const char *word) {
    if (*word == '%') return forgery->hint->value_of.at[reg_of(forgery, word).i];
    if (*word == '$') return reg_of(forgery, word).i;
    if (*word == '!' || strcmp(word, "-") == 0) return number_of(word);
    for (uint32_t i = forgery->name_count; i-- > 0;) // a name may be given again
        if (strcmp(forgery->names[i], word) == 0) return forgery->named[i];
    char *end;
    long long imm = strtoll(word, &end, 0);
    if (end == word) fail_msg("no value: %s", word);
    return constant_of(forgery, *end == 'L' ? OP_CONST_I64 : OP_CONST_I32, imm);
}

static uint16_t rule_of(const char *word) {
    static const char *const reasons[] = {"fold",   "congruent", "extended", "known",  "sum",
                                          "merged", "equal",     "counted",  "widened"};
    for (uint32_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(word, reasons[i]) == 0) return (uint16_t)(STEP_FOLD + i);
    if (*word == '!') return (uint16_t)number_of(word);
    for (uint32_t i = 0; i < RULE_COUNT; i++)
        if (strcmp(rule_table[i].name, word) == 0) return (uint16_t)i;
    fail_msg("no rule: %s", word);
    return 0;
}

static uint8_t reason_of(const char *word) {
    static const char *const reasons[] = {"computed", "outcome", "operand",
                                          "access",   "divided", "merged"};
    for (uint8_t i = 0; i < RANGE_REASON_COUNT; i++)
        if (strcmp(word, reasons[i]) == 0) return i;
    return (uint8_t)number_of(word);
}

static uint32_t symbol_of(const ValuesForgery *forgery, const char *word) {
    Program *program = forgery->before->program;
    return program_find(program, str_of(&program->strings, word + 1)).i;
}

// The arguments of an operator, a phi or a call, or the slot and the immediate of an address.
static void name_value(ValuesForgery *forgery, char **words, uint32_t count) {
    bool phi = strcmp(words[2], "phi") == 0, slot = strcmp(words[2], "slot") == 0;
    bool call = strcmp(words[2], "call") == 0;
    Op op = slot ? OP_ADDR_SLOT : phi || call ? OP_COUNT : op_named(words[2], strlen(words[2]));
    uint32_t first = slot ? count : phi || call ? 4 : 3, args[MOST_WORDS];
    if (!phi && !call && op == OP_COUNT) fail_msg("no operator: %s", words[2]);
    for (uint32_t k = first; k < count; k++) args[k - first] = value_of(forgery, words[k]);
    HintValue value = {.kind = phi    ? VALUE_PHI
                               : call ? VALUE_CALL
                                      : VALUE_OP,
                       .op = (uint16_t)(phi || call ? 0 : op),
                       .ref = call          ? symbol_of(forgery, words[3])
                              : phi || slot ? number_of(words[3])
                                            : NO_ID,
                       .imm = slot ? strtoll(words[4], NULL, 0) : 0,
                       .count = count - first};
    uint32_t at = forgery->name_count++;
    assert_true(at < MOST_NAMES && strlen(words[0]) < sizeof forgery->names[0]);
    strcpy(forgery->names[at], words[0]);
    forgery->named[at] = plain_add(forgery->arena, forgery->hint, value, args);
}

// ---- Commands

static void form_reg(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    uint32_t reg = reg_of(forgery, words[1]).i, value = value_of(forgery, words[2]);
    ValuesHint *hint = forgery->hint;
    if (*words[0] == 'f') hint->formed.at[reg] = value;
    if (*words[0] != 'n') hint->value_of.at[reg] = value;
    hint->value_of_new.at[reg] = value;
}

static void claim_unit(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)words, (void)count;
    Program *program = forgery->before->program;
    UnitMemory *claims = unit_facts_of(forgery->arena, program);
    if (claims) assert_true(check_unit(forgery->arena, program, claims).accepted);
}

static void set_test(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    uint32_t conds = 0, node = number_of(words[1]);
    for (uint32_t n = 0; n < node; n++) conds += forgery->before->nodes.at[n].kind == I_COND;
    forgery->hint->tests.at[conds] = value_of(forgery, words[2]);
}

static void add_step(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    ValueStep step = {value_of(forgery, words[1]), value_of(forgery, words[3]), rule_of(words[2])};
    vec_push(forgery->arena, &forgery->hint->steps, step);
}

// The last step is counted; what its first value is on each way.
static void add_counted(ValuesForgery *forgery, char **words, uint32_t count) {
    ValuesHint *hint = forgery->hint;
    CountedStep counted = {hint->steps.count - 1, hint->counted_ways.count};
    vec_push(forgery->arena, &hint->counted, counted);
    for (uint32_t k = 1; k < count; k++)
        vec_push(forgery->arena, &hint->counted_ways, value_of(forgery, words[k]));
}

// Edges of branches, one for each way into a join.
static void add_gate(ValuesForgery *forgery, char **words, uint32_t count) {
    ValuesHint *hint = forgery->hint;
    GatedJoin gated = {.join = {number_of(words[1])}, .first = hint->edges.count};
    for (uint32_t k = 2; k < count; k++) {
        char *way = words[k];
        uint32_t branch = (uint32_t)strtoul(way, &way, 0);
        vec_push(forgery->arena, &hint->edges, (BranchEdge){{branch}, number_of(way + 1)});
    }
    vec_push(forgery->arena, &hint->gated, gated);
}

static void add_range(ValuesForgery *forgery, char **words, uint32_t count) {
    ValuesHint *hint = forgery->hint;
    PhiRange range = {.value = value_of(forgery, words[1]), .first = hint->range_ways.count};
    bool wide = strchr(words[3], 'L') != NULL;
    range.range = range_full(wide ? 64 : 32);
    range.range.low = strtoull(words[2], NULL, 0);
    range.range.high = strtoull(words[3], NULL, 0);
    range.range.defined = strtoull(words[4], NULL, 0);
    for (uint32_t k = 5; k < count; k++)
        vec_push(forgery->arena, &hint->range_ways, number_of(words[k]));
    vec_push(forgery->arena, &hint->phi_ranges, range);
}

static void set_argument(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    const HintValue *phi = &forgery->hint->values.at[value_of(forgery, words[1])];
    uint32_t value = value_of(forgery, words[3]);
    forgery->hint->args.at[phi->first + number_of(words[2])] = value;
}

static PhiRange *last_range(ValuesForgery *forgery) {
    return &forgery->hint->phi_ranges.at[forgery->hint->phi_ranges.count - 1];
}

static void set_first(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    last_range(forgery)->first = number_of(words[1]);
}

static void set_bits(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    last_range(forgery)->range.zeros = strtoull(words[1], NULL, 0);
    last_range(forgery)->range.ones = strtoull(words[2], NULL, 0);
}

static void set_signed(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    last_range(forgery)->range.least = strtoll(words[1], NULL, 0);
    last_range(forgery)->range.most = strtoll(words[2], NULL, 0);
}

static void add_fact(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    bool operand = strcmp(words[3], "operand") == 0;
    RangeFact fact = {.value = value_of(forgery, words[1]),
                      .place = {number_of(words[2])},
                      .reason = reason_of(words[3]),
                      .ref = operand ? value_of(forgery, words[4]) : number_of(words[4])};
    for (uint32_t k = 0; k < 3; k++) fact.from[k] = number_of(words[5 + k]);
    vec_push(forgery->arena, &forgery->hint->ranges, fact);
}

static void add_local(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    LocalStep local = {
        .node = place_of(forgery, words[1]),
        .step = {value_of(forgery, words[2]), value_of(forgery, words[4]), rule_of(words[3])},
        .facts = {number_of(words[5]), number_of(words[6])}};
    vec_push(forgery->arena, &forgery->hint->local, local);
}

static void go_straight(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    Func *func = forgery->after;
    uint32_t node = number_of(words[1]);
    Node succ = instr_succs(func, &func->nodes.at[node])[number_of(words[2])];
    func->nodes.at[node] = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
}

static void decide_branch(ValuesForgery *forgery, char **words, uint32_t count) {
    Decision decision = {.edge = {{number_of(words[1])}, number_of(words[2])},
                         .fact = number_of(words[3]) + 1};
    vec_push(forgery->arena, &forgery->hint->decisions, decision);
    go_straight(forgery, words, count);
}

static void shut_way(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    ShutWay shut = {.edge = {{number_of(words[1])}, number_of(words[2])},
                    .fact = number_of(words[3])};
    vec_push(forgery->arena, &forgery->hint->shut, shut);
}

static void add_ends(ValuesForgery *forgery, char **words, uint32_t count) {
    for (uint32_t k = 1; k < count; k++)
        vec_push(forgery->arena, &forgery->hint->range_ways, number_of(words[k]));
}

// The default first, then VALUE:WAY.
static void set_ways(ValuesForgery *forgery, char **words, uint32_t count) {
    Func *func = forgery->after;
    Node node = {number_of(words[1])}, to[MOST_WORDS];
    const Node *was = instr_succs(forgery->before, func_at(forgery->before, node));
    int64_t cases[MOST_WORDS];
    for (uint32_t k = 2; k < count; k++) {
        char *way = words[k];
        if (k > 2) cases[k - 3] = strtoll(way, &way, 0);
        to[k - 2] = was[number_of(way + (k > 2))];
    }
    func_set_succs(func, node, to, count - 2);
    func->nodes.at[node.i].aux = func_add_cases(func, cases, count - 3);
}

static void copy_reg(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    Instr *instr = &forgery->after->nodes.at[number_of(words[1])];
    Reg reg = reg_of(forgery, words[2]);
    *instr = (Instr){.kind = I_OP,
                     .op = (uint16_t)op_move(reg_type(forgery->after, reg)),
                     .dest = instr->dest,
                     .arg_count = 1,
                     .arg = {reg},
                     .succ_count = 1,
                     .succ = {instr->succ[0]}};
}

static void use_reg(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    Instr *instr = &forgery->after->nodes.at[number_of(words[1])];
    uint32_t k = number_of(words[2]);
    assert_true(k < instr->arg_count);
    ((Reg *)instr_args(forgery->after, instr))[k] = reg_of(forgery, words[3]);
}

static void join_reg(ValuesForgery *forgery, char **words, uint32_t count) {
    (void)count;
    Func *after = forgery->after;
    Definition definition = definitions_of(forgery->arena, after)[reg_of(forgery, words[1]).i];
    assert_true(definition.by == SET_BY_PHI);
    const Phi *phi = &after->phis.at[definition.at];
    ((Reg *)phi_args(after, phi))[number_of(words[2])] = reg_of(forgery, words[3]);
}

typedef struct {
    const char *name;
    uint32_t least, most; // words, the name included
    void (*run)(ValuesForgery *forgery, char **words, uint32_t count);
} ForgeCommand;

static const ForgeCommand forge_commands[] = {
    {"form", 3, 3, form_reg},
    {"set", 3, 3, form_reg},
    {"new", 3, 3, form_reg},
    {"test", 3, 3, set_test},
    {"step", 4, 4, add_step},
    {"range", 5, MOST_WORDS, add_range},
    {"arg", 4, 4, set_argument},
    {"first", 2, 2, set_first},
    {"bits", 3, 3, set_bits},
    {"signed", 3, 3, set_signed},
    {"fact", 8, 8, add_fact},
    {"local", 7, 7, add_local},
    {"decide", 4, 4, decide_branch},
    {"straight", 3, 3, go_straight},
    {"copy", 3, 3, copy_reg},
    {"use", 4, 4, use_reg},
    {"join", 4, 4, join_reg},
    {"shut", 4, 4, shut_way},
    {"ends", 2, MOST_WORDS, add_ends},
    {"ways", 3, MOST_WORDS, set_ways},
    {"counted", 1, MOST_WORDS, add_counted},
    {"gate", 3, MOST_WORDS, add_gate},
    {"unit", 1, 1, claim_unit},
};

static void obey(ValuesForgery *forgery, char **words, uint32_t count) {
    if (count > 2 && strcmp(words[1], "=") == 0) {
        name_value(forgery, words, count);
        return;
    }
    for (uint32_t i = 0; i < sizeof forge_commands / sizeof *forge_commands; i++) {
        const ForgeCommand *it = &forge_commands[i];
        if (strcmp(it->name, words[0]) != 0 || count < it->least || count > it->most) continue;
        it->run(forgery, words, count);
        return;
    }
    fail_msg("unknown command: %s, with %u words", words[0], count);
}

static void obey_all(ValuesForgery *forgery, const char *commands) {
    char copy[1500], *rest = copy;
    assert_true(strlen(commands) < sizeof copy);
    strcpy(copy, commands);
    for (char *command; (command = strsep(&rest, ";"));) {
        char *words[MOST_WORDS];
        uint32_t count = 0;
        for (char *word; (word = strsep(&command, " \n"));)
            if (*word && count < MOST_WORDS) words[count++] = word;
        if (count) obey(forgery, words, count);
    }
}

// ---- Verdicts

static Verdict judge(const ValuesForgery *forgery) {
    return check_values(forgery->arena, forgery->before, forgery->after, forgery->hint);
}

static ValuesForgery make_forgery(Arena *arena, const ForgedValues *it) {
    ValuesForgery forgery = {.arena = arena};
    start_forgery(&forgery, it->text);
    obey_all(&forgery, it->commands);
    obey_all(&forgery, it->more);
    return forgery;
}

Verdict forged_values_verdict(Arena *arena, const ForgedValues *it) {
    ValuesForgery forgery = make_forgery(arena, it);
    return judge(&forgery);
}

void forged_values_try(const ForgedValues *it) {
    Arena *arena = arena_new("forgery");
    ValuesForgery forgery = make_forgery(arena, it);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, forgery.after))
        fail_msg("%s: %s", it->more, complaints.list.at[0].message);
    Verdict verdict = judge(&forgery);
    forge_expect_harmless(arena, verdict, forgery.before, forgery.after, it->more);
    if (it->reason && verdict.accepted)
        fail_msg("accepted: %s %s\n%s", it->commands, it->more, it->text);
    if (!it->reason && !verdict.accepted) fail_msg("%s: %s", it->more, verdict.reason);
    if (it->reason && !strstr(verdict.reason, it->reason))
        fail_msg("%s: rejected, but because %s", it->more, verdict.reason);
    arena_free(arena);
}
