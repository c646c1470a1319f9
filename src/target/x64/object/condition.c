// Comparisons and what uses them: set, select, check, branch.
//
// A comparison is a row of sequences.def that sets the flags, and a condition to ask of them. Moves
// leave the flags alone.
#include "target/x64/object/walk.h"

#include <stdio.h>

// Whether an instruction before has set the flags by the value that is compared with zero.
static bool flags_are_there(const CodeWalk *w, FlagCondition *condition) {
    const MachInstr *instr = w->instr;
    const WalkState *now = &w->now;
    uint32_t width = x64_operator_width(instr);
    return x64_flags_tell(instr, now->flags_logic, condition) &&
           !match_is_stale(w, instr->src[0]) && now->flags_reg == place_index(instr->src[0]) &&
           (!now->flags_width || now->flags_width == width);
}

static bool match_condition(CodeWalk *w, FlagCondition *condition) {
    Op op = (Op)w->instr->op;
    *condition = x64_condition_of(op);
    return code_is_any(w, x64_table[op].text) || flags_are_there(w, condition);
}

// ---- Set

static bool match_set_of(CodeWalk *w, FlagCondition condition) {
    if (!code_is_like(w, "set%s d", x64_condition_name(condition.code))) return false;
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
    if (inverted) condition = x64_negated(condition);
    if (!type_is_int(choice->type) || condition.parity == PARITY_ALSO_ORDERED) return false;
    return match_move(w, choice->type, first, "d") &&
           code_is_like(w, "cmov%s.%u %s,d", x64_condition_name(condition.code), width, second) &&
           (condition.parity == PARITY_ANY || code_is_like(w, "cmovp.%u %s,d", width, second));
}

// One goes to the result, and a jump leads round the move of the other if that is right.
static bool choose_by_jump(CodeWalk *w, const ChosenSources *choice, FlagCondition condition,
                           bool inverted) {
    const char *first = inverted ? choice->yes : choice->no,
               *second = inverted ? choice->no : choice->yes;
    FlagCondition stays = inverted ? condition : x64_negated(condition);
    bool take = stays.parity == PARITY_ALSO_ORDERED;
    if (!match_move(w, choice->type, first, "d")) return false;
    if (stays.parity != PARITY_ANY && !code_is(w, take ? "jp 1" : "jp 2")) return false;
    return code_is_like(w, "j%s 2%s", x64_condition_name(stays.code), take ? "; 1:" : "") &&
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
    return code_is_any(w, x64_text(instr)) &&
           match_choice(w, &choice, (FlagCondition){.code = COND_NE});
}

// ---- Check and branch

bool match_check(CodeWalk *w) {
    FlagCondition condition;
    if (!match_condition(w, &condition)) return false;
    FlagCondition fails = x64_negated(condition);
    const char *name = x64_condition_name(fails.code);
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
    if (either == w->next && code_is_like(w, "j%s @%u", x64_condition_name(decides ^ 1), both))
        return true;
    return code_is_like(w, "j%s @%u", x64_condition_name(decides), either) && match_jump(w, both);
}

bool match_branch(CodeWalk *w, uint32_t yes, uint32_t no) {
    FlagCondition condition;
    if (yes == no) return match_jump(w, yes);
    if (!match_condition(w, &condition)) return false;
    if (condition.parity != PARITY_ANY) return branch_on_parity(w, condition, yes, no);
    if (yes == w->next)
        return code_is_like(w, "j%s @%u", x64_condition_name(condition.code ^ 1u), no);
    return code_is_like(w, "j%s @%u", x64_condition_name(condition.code), yes) && match_jump(w, no);
}
