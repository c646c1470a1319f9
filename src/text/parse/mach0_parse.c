// Parses the text of mach0. A line is `LABEL: NOP` or an instruction:
//
//   line        = LABEL ":" "NOP" | instruction
//   LABEL       = "L" NUMBER
//   instruction = "JMP" LABEL | "BRN" condition operands "," LABEL "," LABEL
//               | word operands [ "," register ]
//
// The operands behind the word are parsed as in RTL (rtl_parse.c); the register for the result
// stands behind them.
#include "form/mach0.h"

#include "fact/effects.h"
#include "text/parse/parse.h"

#include <string.h>

const Mach0Word mach0_words[] = {
    {.rtl = "load", .mach0 = "READ"},
    {.rtl = "store", .mach0 = "WRITE"},
    {.rtl = "move", .mach0 = "CP"},
    {.rtl = "if", .mach0 = "BRN"},
};
const uint32_t mach0_word_count = sizeof mach0_words / sizeof mach0_words[0];

// ---- Words

// The word as RTL spells it: in small letters up to the dot. NULL if that is not how the word is
// written.
static const char *rtl_word(TextParser *p, size_t *length) {
    const char *word = p->lexer.text + p->token.start;
    size_t count = p->token.end - p->token.start, stem = 0;
    while (stem < count && word[stem] != '.') stem++;
    for (size_t i = 0; i < stem; i++)
        if (word[i] >= 'a' && word[i] <= 'z') return NULL;
    char *small = arena_copy(p->scratch, word, count);
    for (size_t i = 0; i < stem; i++)
        if (small[i] >= 'A' && small[i] <= 'Z') small[i] = (char)(small[i] - 'A' + 'a');
    *length = count;
    for (uint32_t i = 0; i < mach0_word_count; i++) {
        const Mach0Word *known = &mach0_words[i];
        if (strlen(known->rtl) == stem && memcmp(known->rtl, small, stem) == 0) return NULL;
        if (strlen(known->mach0) != stem || memcmp(known->mach0, word, stem) != 0) continue;
        *length = strlen(known->rtl) + count - stem;
        return arena_printf(p->scratch, "%s%.*s", known->rtl, (int)(count - stem), word + stem);
    }
    return small;
}

static const Mnemonic *find_word(TextParser *p) {
    size_t length;
    const char *word = parse_at(p, T_WORD) ? rtl_word(p, &length) : NULL;
    return word ? parse_mnemonic_named(p, word, length) : NULL;
}

// ---- Instructions

static bool jump(TextParser *p, Node node, Instr *instr) {
    *instr = (Instr){.kind = I_NOP, .aux = MACH0_NOP_JUMPS, .dest = NO_REG};
    vec_push(p->scratch, &p->body.succs, NO_NODE);
    return parse_target(p, node, 0);
}

static bool branch(TextParser *p, Node node, Instr *instr) {
    instr->kind = I_COND;
    if (!parse_condition(p, instr) || !parse_operands(p, instr)) return false;
    for (uint32_t k = 0; k < 2; k++) {
        vec_push(p->scratch, &p->body.succs, NO_NODE);
        if (!parse_expect(p, ',', "','") || !parse_target(p, node, k)) return false;
    }
    return true;
}

// [ "," register ], where there is a result; only a call may drop it. Without operands there is no
// comma.
static bool result(TextParser *p, Instr *instr, uint32_t word, bool operands) {
    if (p->body.result == TYPE_VOID) return true;
    if (instr_has(instr, INSTR_CALLEE) && !parse_at(p, ',')) return true;
    if (operands && !parse_expect(p, ',', "',' and a register for the result")) return false;
    uint32_t place = p->token.start;
    if (!parse_at(p, T_REGISTER)) {
        parse_error(p, word, "%s needs a register for its result", parse_shown(p, word));
        return false;
    }
    return parse_register(p, &instr->dest) &&
           parse_define_register(p, instr->dest, p->body.result, place);
}

static bool instruction(TextParser *p, Node node, Instr *instr, bool labelled) {
    uint32_t word = p->token.start;
    if (parse_accept_word(p, "JMP")) return jump(p, node, instr);
    const Mnemonic *mnemonic = find_word(p);
    if (!mnemonic) return parse_unknown_mnemonic(p);
    if (labelled != (mnemonic->kind == I_NOP)) {
        parse_error(p, word, labelled ? "only NOP has a label" : "NOP needs a label");
        return false;
    }
    parse_next(p);
    if (instr_kinds[mnemonic->kind].fields & INSTR_CONDITION) return branch(p, node, instr);
    uint32_t operands = p->token.start;
    if (!parse_operation(p, mnemonic, node, instr) ||
        !result(p, instr, word, p->token.start != operands))
        return false;
    if (!instr_is_branch(instr) && !instr_ends(instr))
        vec_push(p->scratch, &p->body.succs, (Node){node.i + 1});
    return true;
}

static bool labelled_rest(TextParser *p, Node node, Instr *instr) {
    return instruction(p, node, instr, true);
}

static bool other_rest(TextParser *p, Node node, Instr *instr) {
    return instruction(p, node, instr, false);
}

void mach0_parse_begin(TextParser *p) {
    (void)p;
}

bool mach0_parse_line(TextParser *p) {
    uint32_t place = p->token.start, number = NO_ID;
    bool labelled = parse_at_plain_label(p);
    if (labelled && !parse_plain_label(p, &number)) return false;
    return parse_numbered_line(p, number, place, labelled, labelled ? labelled_rest : other_rest);
}

// Instructions without a label get numbers that no label has: their places in the line, where all
// labels are theirs.
static void number_others(TextParser *p) {
    BodyState *body = &p->body;
    bool places = true;
    uint32_t number = 0;
    for (uint32_t n = 0; n < body->label_of.count; n++)
        places &= body->label_of.at[n] == NO_ID || body->label_of.at[n] == n;
    for (uint32_t n = 0; n < body->label_of.count; n++) {
        if (body->label_of.at[n] != NO_ID) continue;
        while (!places && parse_find_label(body, number) != HASH_NONE) number++;
        body->label_of.at[n] = places ? n : number++;
    }
}

void mach0_parse_end(TextParser *p, uint32_t place) {
    number_others(p);
    parse_graph_end(p, place, NULL);
}
