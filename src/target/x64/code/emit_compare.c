// Comparisons and what uses them: set, select, choose. Branches are in emit_func.c.
//
// A comparison becomes a row of sequences.def that sets the flags, and a condition to ask of them.
#include "target/x64/code/emit.h"

// An instruction by its condition: "set", "cmov", "j".
typedef struct {
    char text[8];
} ConditionalName;

static ConditionalName conditional(const char *name, uint32_t code) {
    ConditionalName result = {0};
    uint32_t length = 0;
    while (*name) result.text[length++] = *name++;
    for (const char *end = x64_condition_name(code); *end;) result.text[length++] = *end++;
    return result;
}

void x64_jump_if(Emit *e, uint32_t code, uint32_t label) {
    x64_jump(e, conditional("j", code).text, label);
}

// Whether the instruction before has set the flags by the value that is compared with zero.
static bool flags_are_there(const Emit *e, const MachInstr *instr, FlagCondition *condition) {
    Width width = x64_operator_width(instr) == 8 ? W64 : W32;
    return e->flags_at == e->out->length && x64_flags_tell(instr, e->flags_logic, condition) &&
           place_index(instr->src[0]) == e->flags_reg && width == e->flags_width;
}

FlagCondition x64_condition(Emit *e, const MachInstr *instr) {
    FlagCondition condition = x64_condition_of((Op)instr->op), told = condition;
    if (flags_are_there(e, instr, &told)) return told;
    x64_row(e, instr, x64_table[instr->op].text);
    return condition;
}

// ---- Set

static bool is_operand(const MachInstr *instr, Place place) {
    return instr->src[0].i == place.i || instr->src[1].i == place.i ||
           (instr->addressed && (instr->base_place.i == place.i || instr->index.i == place.i));
}

// A register that the comparison does not read is cleared before, which is cheaper than extending
// the byte after.
void x64_set(Emit *e, const MachInstr *instr) {
    X64Operand d = x64_place(e, instr->dest);
    FlagCondition condition;
    bool clear = !is_operand(instr, instr->dest) && !flags_are_there(e, instr, &condition);
    if (clear) x64_two(e, "xor", W32, d, d);
    condition = x64_condition(e, instr);
    x64_full(e, conditional("set", condition.code).text, W8, d);
    if (condition.parity != PARITY_ANY) {
        bool also = condition.parity == PARITY_ALSO_ORDERED;
        X64Operand scratch = x64_reg(M_R11);
        x64_full(e, also ? "setnp" : "setp", W8, scratch);
        x64_two(e, also ? "and" : "or", W8, scratch, d);
    }
    if (!clear) x64_mixed(e, "movzbl", W8, d, W32, d);
}

// ---- Select

// Where the values to choose from are.
typedef struct {
    const MachInstr *instr;
    Type type;
    uint32_t yes, no; // sources
} ValueChoice;

static void fetch_choice(Emit *e, const ValueChoice *choice, uint32_t k, X64Operand d) {
    x64_fetch(e, choice->instr, k, choice->type, d);
}

// By conditional moves, which leave the flags alone.
static void choose_by_moves(Emit *e, const ValueChoice *choice, FlagCondition condition,
                            X64Operand d) {
    X64Operand yes = x64_source(e, choice->instr, choice->yes);
    X64Operand no = x64_source(e, choice->instr, choice->no);
    bool inverted =
        condition.parity == PARITY_ALSO_ORDERED || (x64_same(d, yes) && !x64_same(d, no));
    if (inverted) condition = x64_negated(condition);
    X64Operand moved = inverted ? no : yes;
    fetch_choice(e, choice, inverted ? choice->yes : choice->no, d);
    if (x64_same(moved, d)) return;
    Width width = x64_width(choice->type);
    x64_two(e, conditional("cmov", condition.code).text, width, moved, d);
    if (condition.parity != PARITY_ANY) x64_two(e, "cmovp", width, moved, d);
}

// Jumps over a move.
static void choose_by_jump(Emit *e, const ValueChoice *choice, FlagCondition condition,
                           X64Operand d) {
    X64Operand yes = x64_source(e, choice->instr, choice->yes);
    X64Operand no = x64_source(e, choice->instr, choice->no);
    uint32_t end = assembly_label(e->assembly), take = NO_ID;
    bool inverted = x64_same(d, yes) && !x64_same(d, no);
    // Jump to the end if what is in d stays.
    FlagCondition stays = inverted ? condition : x64_negated(condition);
    fetch_choice(e, choice, inverted ? choice->yes : choice->no, d);
    if (stays.parity == PARITY_ALSO_ORDERED) {
        take = assembly_label(e->assembly);
        x64_jump(e, "jp", take);
    } else if (stays.parity == PARITY_OR_UNORDERED) {
        x64_jump(e, "jp", end);
    }
    x64_jump_if(e, stays.code, end);
    if (take != NO_ID) x64_label(e, take);
    fetch_choice(e, choice, inverted ? choice->no : choice->yes, d);
    x64_label(e, end);
}

static void choose(Emit *e, const ValueChoice *choice, FlagCondition condition, X64Operand d) {
    X64Operand yes = x64_source(e, choice->instr, choice->yes);
    // With equality of floats d starts as `yes`, which cannot be if d is `no` already.
    bool stuck = condition.parity == PARITY_ALSO_ORDERED && !x64_same(d, yes) &&
                 x64_same(d, x64_source(e, choice->instr, choice->no));
    if (type_is_int(choice->type) && !stuck)
        choose_by_moves(e, choice, condition, d);
    else
        choose_by_jump(e, choice, condition, d);
}

void x64_select(Emit *e, const MachInstr *instr) {
    ValueChoice choice = {.instr = instr, .type = (Type)instr->aux, .yes = 2, .no = 3};
    FlagCondition condition = x64_condition(e, instr);
    choose(e, &choice, condition, x64_place(e, instr->dest));
}

void x64_choose(Emit *e, const MachInstr *instr) {
    ValueChoice choice = {
        .instr = instr, .type = op_info((Op)instr->op)->result, .yes = 1, .no = 2};
    x64_row(e, instr, x64_text(instr));
    choose(e, &choice, (FlagCondition){.code = COND_NE}, x64_place(e, instr->dest));
}
