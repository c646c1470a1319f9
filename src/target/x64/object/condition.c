// Comparisons and what uses them: set, select, check, branch.
//
// A comparison is an instruction that sets the flags and a condition to ask of them. Floats set
// them as unsigned integers would, and unordered ones as if the first were below and equal at once,
// with parity; so "above" and "above or equal" are the conditions that mean what they say, a < b is
// asked as b > a, and equality takes two flags. Moves leave the flags alone.
#include "target/x64/object/walk.h"

#include <stdio.h>

// ALSO_ORDERED: and the operands were ordered. OR_UNORDERED: or they were not.
typedef enum { PARITY_ANY, PARITY_ALSO_ORDERED, PARITY_OR_UNORDERED } FlagParity;

typedef struct {
    uint8_t code; // Cond
    uint8_t parity;
} FlagCondition;

static FlagCondition negated(FlagCondition condition) {
    static const uint8_t opposite[] = {PARITY_ANY, PARITY_OR_UNORDERED, PARITY_ALSO_ORDERED};
    return (FlagCondition){.code = condition.code ^ 1, .parity = opposite[condition.parity]};
}

// ---- Integers

static const uint8_t integer_codes[FAM_COUNT] = {
    [FAM_EQ] = COND_E,   [FAM_NE] = COND_NE,    [FAM_LT] = COND_L,    [FAM_LE] = COND_LE,
    [FAM_GT] = COND_G,   [FAM_GE] = COND_GE,    [FAM_ULT] = COND_B,   [FAM_ULE] = COND_BE,
    [FAM_UGT] = COND_A,  [FAM_UGE] = COND_AE,   [FAM_ADDO] = COND_O,  [FAM_NADDO] = COND_NO,
    [FAM_SUBO] = COND_O, [FAM_NSUBO] = COND_NO, [FAM_RSUBO] = COND_O, [FAM_NRSUBO] = COND_NO,
    [FAM_MULO] = COND_O, [FAM_NMULO] = COND_NO,
};

static bool compares_with_zero(const MachInstr *instr) {
    if (instr->memory < 2 || instr->src[0].i == NO_ID || !place_is_machine(instr->src[0]))
        return false;
    if (instr->tested) return instr->immediate != 1 && instr->src[0].i == instr->src[1].i;
    return instr->immediate == 1 && instr->imm == 0;
}

// Whether an instruction before has set the flags by the value that is compared with zero: then
// zero and sign are known, and after a logical operation all that a signed comparison with zero
// tells.
static bool flags_are_there(const CodeWalk *w, FlagCondition *condition) {
    const MachInstr *instr = w->instr;
    const WalkState *now = &w->now;
    uint32_t width = op_info((Op)instr->op)->at == TYPE_I64 ? 8 : 4;
    if (!compares_with_zero(instr) || match_is_stale(w, instr->src[0]) ||
        now->flags_reg != place_index(instr->src[0]) ||
        (now->flags_width && now->flags_width != width))
        return false;
    switch (op_family((Op)instr->op)) {
    case FAM_EQ:
    case FAM_NE: return true;
    case FAM_LT: condition->code = COND_S; return true;
    case FAM_GE: condition->code = COND_NS; return true;
    case FAM_LE:
    case FAM_GT: return now->flags_logic;
    default: return false;
    }
}

// A sum with a number is the difference with its negation, but for the one whose negation does not
// fit.
static bool match_overflow(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    Type at = op_info((Op)instr->op)->at;
    switch (op_family((Op)instr->op)) {
    case FAM_SUBO:
    case FAM_NSUBO: return code_is(w, "cmp.w b,a");
    case FAM_RSUBO:
    case FAM_NRSUBO:
        if (instr->immediate == 1)
            return match_constant(w, at, instr->imm, "r11") && code_is(w, "cmp.w a,r11");
        return code_is(w, "cmp.w a,b");
    case FAM_MULO:
    case FAM_NMULO: return code_is(w, "imul.w i,a,r11") || code_is(w, "move a,r11; imul.w b,r11");
    default:
        if (instr->immediate == 1 && instr->imm != INT32_MIN && code_is(w, "cmp.w n,a"))
            return true;
        return code_is(w, "move a,r11; add.w b,r11");
    }
}

// Only the low byte of a register matters for whether bits of a small mask are set.
static bool match_test(CodeWalk *w, bool narrow) {
    const MachInstr *instr = w->instr;
    bool equality = op_family((Op)instr->op) == FAM_EQ || op_family((Op)instr->op) == FAM_NE;
    if (narrow) return code_is(w, "test.c b,a") || code_is(w, "test.c a,b");
    if (instr->immediate == 1 && equality && instr->imm >= 0 && instr->imm <= UINT8_MAX &&
        code_is(w, "test.1 b,a:1"))
        return true;
    return code_is(w, "test.w b,a") || code_is(w, "test.w a,b");
}

// The verifier knows where a narrow chunk may be compared in its own width (constraints.c,
// narrow_comparison).
static bool match_integers(CodeWalk *w, FlagCondition *condition) {
    const MachInstr *instr = w->instr;
    bool narrow = instr->memory < 2 && chunk_size((Chunk)instr->chunk) < 4;
    condition->code = integer_codes[op_family((Op)instr->op)];
    if (op_tells_overflow((Op)instr->op)) return match_overflow(w);
    if (instr->tested ? match_test(w, narrow) : code_is(w, narrow ? "cmp.c b,a" : "cmp.w b,a"))
        return true;
    if (compares_with_zero(instr) && code_is(w, "test.w a,a")) return true;
    return flags_are_there(w, condition);
}

// ---- Floats

typedef struct {
    uint8_t code, parity;
    bool swapped, either; // b is compared with a; or either with the other
} FloatFlags;

static const FloatFlags relations[FAM_COUNT] = {
    [FAM_EQ] = {COND_E, PARITY_ALSO_ORDERED, false, true},
    [FAM_NE] = {COND_NE, PARITY_OR_UNORDERED, false, true},
    [FAM_LT] = {COND_A, PARITY_ANY, true, false},
    [FAM_LE] = {COND_AE, PARITY_ANY, true, false},
    [FAM_GT] = {COND_A, PARITY_ANY, false, false},
    [FAM_GE] = {COND_AE, PARITY_ANY, false, false},
    [FAM_NLT] = {COND_BE, PARITY_ANY, true, false},
    [FAM_NLE] = {COND_B, PARITY_ANY, true, false},
    [FAM_NGT] = {COND_BE, PARITY_ANY, false, false},
    [FAM_NGE] = {COND_B, PARITY_ANY, false, false},
    [FAM_LG] = {COND_NE, PARITY_ANY, false, true},
    [FAM_NLG] = {COND_E, PARITY_ANY, false, true},
    [FAM_ORD] = {COND_NP, PARITY_ANY, false, true},
    [FAM_UNO] = {COND_P, PARITY_ANY, false, true},
};

static bool match_floats(CodeWalk *w, Type at, FlagCondition *condition) {
    const FloatFlags *relation = &relations[op_family((Op)w->instr->op)];
    const char *quiet = op_signals((Op)w->instr->op) ? "" : "u";
    *condition = (FlagCondition){.code = relation->code, .parity = relation->parity};
    for (unsigned order = 0; order < 2; order++) {
        bool swapped = order != relation->swapped;
        const char *with = swapped ? "a" : "b", *compared = swapped ? "b" : "a";
        if (order && !relation->either) break;
        if (at == TYPE_F80 &&
            code_is_like(w, "fld %s:10; fld %s:10; f%scomip; fstp_st0", with, compared, quiet))
            return true;
        if (at != TYPE_F80 &&
            code_is_like(w, "%scomis%c %s,%s", quiet, at == TYPE_F32 ? 's' : 'd', with, compared))
            return true;
    }
    return false;
}

static bool match_condition(CodeWalk *w, FlagCondition *condition) {
    Type at = op_info((Op)w->instr->op)->operand[0];
    *condition = (FlagCondition){0};
    return type_is_int(at) ? match_integers(w, condition) : match_floats(w, at, condition);
}

// ---- Set

static bool match_set_of(CodeWalk *w, FlagCondition condition) {
    if (!code_is_like(w, "set%s d", walk_condition_name(condition.code))) return false;
    if (condition.parity == PARITY_ALSO_ORDERED) return code_is(w, "setnp r11; and.1 r11,d");
    if (condition.parity == PARITY_OR_UNORDERED) return code_is(w, "setp r11; or.1 r11,d");
    return true;
}

// The upper bytes are cleared before, or the byte is extended after.
bool match_set(CodeWalk *w) {
    WalkState before = w->now;
    FlagCondition condition;
    if (code_is(w, "xor.4 d,d") && match_condition(w, &condition) && match_set_of(w, condition))
        return true;
    match_undo(w, &before);
    return match_condition(w, &condition) && match_set_of(w, condition) &&
           code_is(w, "movzx.4 d:1,d");
}

// ---- Select

// Which sources to choose from, and their type.
typedef struct {
    Type type;
    const char *yes, *no;
    bool same; // they are one place, the result's
} ChosenSources;

// One goes to the result, and the other over it if the flags say so.
static bool choose_by_move(CodeWalk *w, const ChosenSources *choice, FlagCondition condition,
                           bool inverted) {
    const char *first = inverted ? choice->yes : choice->no,
               *second = inverted ? choice->no : choice->yes;
    uint32_t width = choice->type == TYPE_I64 ? 8 : 4;
    if (inverted) condition = negated(condition);
    if (!type_is_int(choice->type) || condition.parity == PARITY_ALSO_ORDERED) return false;
    return match_move(w, choice->type, first, "d") &&
           code_is_like(w, "cmov%s.%u %s,d", walk_condition_name(condition.code), width, second) &&
           (condition.parity == PARITY_ANY || code_is_like(w, "cmovp.%u %s,d", width, second));
}

// One goes to the result, and a jump leads round the move of the other if that is right.
static bool choose_by_jump(CodeWalk *w, const ChosenSources *choice, FlagCondition condition,
                           bool inverted) {
    const char *first = inverted ? choice->yes : choice->no,
               *second = inverted ? choice->no : choice->yes;
    FlagCondition stays = inverted ? condition : negated(condition);
    bool take = stays.parity == PARITY_ALSO_ORDERED;
    if (!match_move(w, choice->type, first, "d")) return false;
    if (stays.parity != PARITY_ANY && !code_is(w, take ? "jp 1" : "jp 2")) return false;
    return code_is_like(w, "j%s 2%s", walk_condition_name(stays.code), take ? "; 1:" : "") &&
           match_move(w, choice->type, second, "d") && code_is(w, "2:");
}

static bool match_choice(CodeWalk *w, const ChosenSources *choice, FlagCondition condition) {
    WalkState before = w->now;
    if (choice->same) return true;
    for (uint32_t way = 0; way < 4; way++) {
        bool inverted = way & 1;
        if (way < 2 ? choose_by_move(w, choice, condition, inverted)
                    : choose_by_jump(w, choice, condition, inverted))
            return true;
        match_undo(w, &before);
    }
    return false;
}

static bool is_one_place(const MachInstr *instr, uint32_t yes, uint32_t no) {
    return instr->memory != yes && instr->src[yes].i == instr->dest.i &&
           instr->src[no].i == instr->dest.i;
}

// A number would be put into a register by an instruction that may destroy the flags: there is
// none.
bool match_select(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    ChosenSources choice = {
        .type = (Type)instr->aux, .yes = "c", .no = "e", .same = is_one_place(instr, 2, 3)};
    FlagCondition condition;
    if (instr->immediate == 2 || instr->immediate == 3) return false;
    return match_condition(w, &condition) && match_choice(w, &choice, condition);
}

bool match_choose(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    ChosenSources choice = {.type = op_info((Op)instr->op)->result,
                            .yes = "b",
                            .no = "c",
                            .same = is_one_place(instr, 1, 2)};
    if (instr->immediate == 1 || instr->immediate == 2) return false;
    return (code_is(w, "test.4 a,a") || code_is(w, "cmp.4 $0,a")) &&
           match_choice(w, &choice, (FlagCondition){.code = COND_NE});
}

// ---- Check and branch

bool match_check(CodeWalk *w) {
    FlagCondition condition;
    if (!match_condition(w, &condition)) return false;
    FlagCondition fails = negated(condition);
    const char *name = walk_condition_name(fails.code);
    if (fails.parity == PARITY_ANY) return code_is_like(w, "j%s t", name);
    if (fails.parity == PARITY_OR_UNORDERED) return code_is_like(w, "jp t; j%s t", name);
    return code_is_like(w, "jp 1; j%s t; 1:", name);
}

// Two flags: the jumps to the one that either of them decides for come first.
static bool branch_on_parity(CodeWalk *w, FlagCondition condition, uint32_t yes, uint32_t no) {
    bool also = condition.parity == PARITY_ALSO_ORDERED;
    uint32_t either = also ? no : yes, both = also ? yes : no;
    unsigned decides = also ? condition.code ^ 1u : condition.code;
    if (!code_is_like(w, "jp @%u", either)) return false;
    if (either == w->next && code_is_like(w, "j%s @%u", walk_condition_name(decides ^ 1), both))
        return true;
    return code_is_like(w, "j%s @%u", walk_condition_name(decides), either) && match_jump(w, both);
}

bool match_branch(CodeWalk *w, uint32_t yes, uint32_t no) {
    FlagCondition condition;
    if (yes == no) return match_jump(w, yes);
    if (!match_condition(w, &condition)) return false;
    if (condition.parity != PARITY_ANY) return branch_on_parity(w, condition, yes, no);
    if (yes == w->next)
        return code_is_like(w, "j%s @%u", walk_condition_name(condition.code ^ 1u), no);
    return code_is_like(w, "j%s @%u", walk_condition_name(condition.code), yes) &&
           match_jump(w, no);
}
