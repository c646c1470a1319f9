#include "test/gen/hinted.h"

#include "check/checkers.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t number(const char *word) {
    return strcmp(word, "NO") == 0 || strcmp(word, "-") == 0 ? NO_ID
                                                             : (uint32_t)strtoul(word, NULL, 10);
}

static uint16_t rule_of(const char *name) {
    if (strcmp(name, "fold") == 0) return STEP_FOLD;
    if (strcmp(name, "congruent") == 0) return STEP_CONGRUENT;
    if (strcmp(name, "extended") == 0) return STEP_EXTENDED;
    for (Rule rule = 0; rule < RULE_COUNT; rule++)
        if (strcmp(rule_name(rule), name) == 0) return (uint16_t)rule;
    return (uint16_t)number(name);
}

enum { MAX_WORDS = 24 };

static void read_value(Arena *arena, const Func *before, ValuesHint *hint, char **word,
                       uint32_t count) {
    HintValue value = {.first = hint->args.count, .ref = NO_ID};
    uint32_t k = 1;
    if (strcmp(word[0], "old") == 0) {
        value.kind = VALUE_OLD;
        value.ref = word[1][0] == '%' ? forge_reg(before, word[1]).i : number(word[1]);
        k = count;
    } else if (strcmp(word[0], "load") == 0) {
        value.kind = VALUE_LOAD;
        value.ref = number(word[1]);
        value.imm = number(word[2]);
        k = count;
    } else if (strcmp(word[0], "phi") == 0) {
        value.kind = VALUE_PHI;
        value.ref = number(word[k++]);
    } else if (strcmp(word[0], "kind") == 0) {
        value.kind = 77;
    } else {
        value.kind = VALUE_OP;
        value.op = (uint16_t)op_named(word[0], strlen(word[0]));
    }
    for (; k < count; k++) {
        if (strcmp(word[k], "=") == 0) {
            value.imm = strtoll(word[++k], NULL, 10);
        } else if (strcmp(word[k], "slot") == 0) {
            value.op = OP_ADDR_SLOT;
            value.ref = number(word[++k]);
        } else {
            vec_push(arena, &hint->args, number(word[k]));
            value.count++;
        }
    }
    vec_push(arena, &hint->values, value);
}

static void read_line(Arena *arena, const Func *before, const Func *after, ValuesHint *hint,
                      char **word, uint32_t count) {
    const char *what = word[0];
    if (strcmp(what, "value") == 0) {
        read_value(arena, before, hint, word + 1, count - 1);
    } else if (strcmp(what, "step") == 0) {
        ValueStep step = {number(word[1]), number(word[2]), rule_of(word[3])};
        vec_push(arena, &hint->steps, step);
    } else if (strcmp(what, "claim") == 0) {
        Reg reg = forge_reg(before, word[1]);
        hint->value_of.at[reg.i] = number(word[2]);
        hint->formed.at[reg.i] = number(word[3]);
    } else if (strcmp(what, "test") == 0) {
        vec_push(arena, &hint->tests, number(word[1]));
    } else if (strcmp(what, "gated") == 0) {
        vec_push(arena, &hint->gated, (GatedJoin){{number(word[1])}, number(word[2])});
    } else if (strcmp(what, "decide") == 0) {
        Decision decision = {.edge = {{number(word[1])}, number(word[2])},
                             .first = number(word[3]),
                             .count = number(word[4])};
        vec_push(arena, &hint->decisions, decision);
    } else if (strcmp(what, "edge") == 0) {
        vec_push(arena, &hint->edges, (BranchEdge){{number(word[1])}, number(word[2])});
    } else if (strcmp(what, "row") == 0) {
        vec_push(arena, &hint->facts_at, hint->facts.count);
    } else if (strcmp(what, "fact") == 0) {
        vec_push(arena, &hint->facts, (PlaceFact){number(word[1]), number(word[2])});
    } else if (strcmp(what, "perform") == 0) {
        for (uint32_t k = 1; k < count; k++) vec_push(arena, &hint->old, (Node){number(word[k])});
    } else if (strcmp(what, "new") == 0) {
        hint->value_of_new.at[forge_reg(after, word[1]).i] = number(word[2]);
    } else {
        fail_msg("%s is nothing that a hint has", what);
    }
}

static ValuesHint *read_hint(Arena *arena, const Func *before, const Func *after,
                             const char *text) {
    ValuesHint *hint = ARENA_NEW(arena, ValuesHint);
    memset(vec_extend(arena, &hint->value_of, before->regs.count), 0xff, before->regs.count * 4);
    memset(vec_extend(arena, &hint->formed, before->regs.count), 0xff, before->regs.count * 4);
    memset(vec_extend(arena, &hint->value_of_new, after->regs.count), 0xff, after->regs.count * 4);
    char *copy = arena_text(arena, text, strlen(text)), *line_end = NULL, *word_end;
    for (char *line = strtok_r(copy, "\n", &line_end); line;
         line = strtok_r(NULL, "\n", &line_end)) {
        char *words[MAX_WORDS];
        uint32_t count = 0;
        for (char *word = strtok_r(line, " ", &word_end); word;
             word = strtok_r(NULL, " ", &word_end)) {
            assert_true(count < MAX_WORDS);
            words[count++] = word;
        }
        if (count) read_line(arena, before, after, hint, words, count);
    }
    vec_push(arena, &hint->facts_at, hint->facts.count);
    return hint;
}

// ---- Forgeries

Verdict judge_excursion(Arena *arena, const Excursion *it, const char *what) {
    const Func *before = forge_parse(arena, FORM_SSA, it->before);
    Func *after = forge_read(arena, before, FORM_SSA, it->after);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after))
        fail_msg("%s: not well-formed: %s", what, complaints.list.at[0].message);
    ValuesHint *hint = read_hint(arena, before, after, it->hint);
    return check_values(arena, before, after, hint);
}

static Verdict try_forgery(const Excursion *it, const HintedForgery *forgery, const char *what,
                           Arena *arena) {
    Excursion forged = *it;
    forged.after = forge_text(arena, it->after, forgery->code);
    forged.hint = forge_text(arena, it->hint, forgery->hint);
    return judge_excursion(arena, &forged, what);
}

void try_forgeries(const Excursion *it, const HintedForgery *forgeries, uint32_t count) {
    Arena *arena = arena_new("forgery");
    uint32_t mistakes = 0;
    Verdict honest = try_forgery(it, &(HintedForgery){0}, "honest", arena);
    if (!honest.accepted) fail_msg("before anything was forged: %s", honest.reason);
    for (uint32_t i = 0; i < count; i++) {
        const HintedForgery *forgery = &forgeries[i];
        const char *what = forgery->code[0].to ? forgery->code[0].to : forgery->hint[0].to;
        Verdict verdict = try_forgery(it, forgery, what, arena);
        if (verdict.accepted || !strstr(verdict.reason, forgery->reason)) {
            print_message("%s: %s; expected: %s\n", what,
                          verdict.accepted ? "accepted" : verdict.reason, forgery->reason);
            mistakes++;
        }
        arena_reset(arena);
    }
    print_message("%u forgeries\n", count);
    assert_int_equal(mistakes, 0);
    arena_free(arena);
}
