// Comparisons and what uses them: set, select, choose. Branches are in emit_func.c.
//
// A comparison becomes an instruction that sets the flags and a condition to ask of them. Floats
// set them as unsigned integers would, and unordered ones as if the first were below and equal at
// once, with parity; so "above" and "above or equal" are the conditions that mean what they say,
// and a < b is asked as b > a. Equality takes two flags.
#include "target/x64/code/emit.h"

static const char *const set_names[] = {"sete", "setne", "setl",  "setge", "setle", "setg",
                                        "setb", "setae", "setbe", "seta",  "setp",  "setnp",
                                        "sets", "setns", "seto",  "setno"};
static const char *const jump_names[] = {"je",  "jne", "jl", "jge", "jle", "jg",  "jb", "jae",
                                         "jbe", "ja",  "jp", "jnp", "js",  "jns", "jo", "jno"};
static const char *const move_names[] = {"cmove", "cmovne", "cmovl",  "cmovge", "cmovle", "cmovg",
                                         "cmovb", "cmovae", "cmovbe", "cmova",  "cmovp",  "cmovnp",
                                         "cmovs", "cmovns", "cmovo",  "cmovno"};

const char *x64_jump_name(ConditionCode code) {
    return jump_names[code];
}

Condition x64_not(Condition condition) {
    static const uint8_t opposite[] = {PARITY_ANY, PARITY_OR_UNORDERED, PARITY_ALSO_ORDERED};
    return (Condition){.code = condition.code ^ 1, .parity = opposite[condition.parity]};
}

// ---- Integers

// The condition that tells each comparison of integers.
//   ROW(FAMILY, code)
#define INTEGER_ROWS(ROW)                                                                          \
    ROW(EQ, CC_E)                                                                                  \
    ROW(NE, CC_NE)                                                                                 \
    ROW(LT, CC_L)                                                                                  \
    ROW(LE, CC_LE)                                                                                 \
    ROW(GT, CC_G)                                                                                  \
    ROW(GE, CC_GE)                                                                                 \
    ROW(ULT, CC_B)                                                                                 \
    ROW(ULE, CC_BE)                                                                                \
    ROW(UGT, CC_A)                                                                                 \
    ROW(UGE, CC_AE)                                                                                \
    ROW(ADDO, CC_O)                                                                                \
    ROW(NADDO, CC_NO)                                                                              \
    ROW(SUBO, CC_O)                                                                                \
    ROW(NSUBO, CC_NO)                                                                              \
    ROW(RSUBO, CC_O)                                                                               \
    ROW(NRSUBO, CC_NO)                                                                             \
    ROW(MULO, CC_O)                                                                                \
    ROW(NMULO, CC_NO)

static Width compared_width(const MachInstr *instr) {
    bool addressed = instr->memory < 2;
    if (addressed && chunk_size((Chunk)instr->chunk) == 1) return W8;
    if (addressed && chunk_size((Chunk)instr->chunk) == 2) return W16;
    return op_info((Op)instr->op)->operand[0] == TYPE_I64 ? W64 : W32;
}

// Whether it compares a register with zero.
static bool compares_with_zero(const MachInstr *instr) {
    if (instr->tested)
        return instr->immediate != 1 && instr->memory > 1 && instr->src[0].i == instr->src[1].i &&
               place_is_machine(instr->src[0]);
    return instr->immediate == 1 && instr->imm == 0 && instr->memory > 1 &&
           place_is_machine(instr->src[0]);
}

// Whether the instruction before has set the flags by the value that is compared with zero: then
// zero and sign are known, and after a logical operation all that a comparison with zero tells.
static bool flags_are_there(const Emit *e, const MachInstr *instr) {
    if (e->flags_at != e->out->length || !compares_with_zero(instr)) return false;
    if (place_index(instr->src[0]) != e->flags_reg || compared_width(instr) != e->flags_width)
        return false;
    switch (op_family((Op)instr->op)) {
    case FAM_EQ:
    case FAM_NE:
    case FAM_LT:
    case FAM_GE: return true;
    default: return e->flags_logic && !op_compares_unsigned((Op)instr->op);
    }
}

static void put_test(Emit *e, const MachInstr *instr, X64Operand a, X64Operand b, Width width) {
    OpFamily relation = op_family((Op)instr->op);
    if (x64_is_imm(b)) {
        bool equality = relation == FAM_EQ || relation == FAM_NE;
        if (x64_is_reg(a) && equality && b.number >= 0 && b.number <= UINT8_MAX) width = W8;
        if (width == W8) b.number = (int8_t)b.number;
        if (width == W16) b.number = (int16_t)b.number;
        if (width == W32) b.number = (int32_t)b.number;
    }
    if (x64_is_memory(b))
        x64_two(e, "test", width, a, b);
    else
        x64_two(e, "test", width, b, a);
}

// Sets the overflow flag as signed arithmetic does. A difference is what a comparison computes; a
// sum with a constant is a difference, and other results are put into r11.
static void put_overflow(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    OpFamily family = op_family(op);
    Width width = x64_width(op_info(op)->at);
    X64Operand a = x64_source(e, instr, 0), b = x64_source(e, instr, 1), r11 = x64_reg(M_R11);
    if (x64_is_imm(b) && width == W32) b.number = (int32_t)b.number;
    switch (family) {
    case FAM_SUBO:
    case FAM_NSUBO: x64_two(e, "cmp", width, b, a); break;
    case FAM_RSUBO:
    case FAM_NRSUBO:
        if (x64_is_imm(b)) {
            x64_constant(e, op_info(op)->at, b.number, r11);
            b = r11;
        }
        x64_two(e, "cmp", width, a, b);
        break;
    case FAM_MULO:
    case FAM_NMULO:
        if (x64_is_imm(b)) {
            x64_three(e, "imul", width, b.number, a, r11);
            break;
        }
        x64_move(e, op_info(op)->at, a, r11);
        x64_two(e, "imul", width, b, r11);
        break;
    default:
        if (x64_is_imm(b) && b.number != INT32_MIN) {
            x64_two(e, "cmp", width, x64_imm(-b.number), a);
            break;
        }
        x64_move(e, op_info(op)->at, a, r11);
        x64_two(e, "add", width, b, r11);
    }
}

static Condition integer_condition(Emit *e, const MachInstr *instr) {
    static const uint8_t codes[FAM_COUNT] = {
#define ROW(family, code) [FAM_##family] = (code),
        INTEGER_ROWS(ROW)
#undef ROW
    };
    OpFamily relation = op_family((Op)instr->op);
    Condition condition = {.code = codes[relation]};
    if (flags_are_there(e, instr)) {
        if (relation == FAM_LT) condition.code = CC_S;
        if (relation == FAM_GE) condition.code = CC_NS;
        return condition;
    }
    if (op_tells_overflow((Op)instr->op)) {
        put_overflow(e, instr);
        return condition;
    }
    X64Operand a = x64_source(e, instr, 0), b = x64_source(e, instr, 1);
    Width width = compared_width(instr);
    if (x64_is_imm(b) && width == W32) b.number = (int32_t)b.number;
    if (instr->tested)
        put_test(e, instr, a, b, width);
    else if (compares_with_zero(instr))
        x64_two(e, "test", width, a, a);
    else
        x64_two(e, "cmp", width, b, a);
    return condition;
}

// ---- Floats

// How each comparison of floats is told.
//   ROW(FAMILY, code, parity, swapped)
#define FLOAT_ROWS(ROW)                                                                            \
    ROW(EQ, CC_E, PARITY_ALSO_ORDERED, false)                                                      \
    ROW(NE, CC_NE, PARITY_OR_UNORDERED, false)                                                     \
    ROW(LT, CC_A, PARITY_ANY, true)                                                                \
    ROW(LE, CC_AE, PARITY_ANY, true)                                                               \
    ROW(GT, CC_A, PARITY_ANY, false)                                                               \
    ROW(GE, CC_AE, PARITY_ANY, false)                                                              \
    ROW(NLT, CC_BE, PARITY_ANY, true)                                                              \
    ROW(NLE, CC_B, PARITY_ANY, true)                                                               \
    ROW(NGT, CC_BE, PARITY_ANY, false)                                                             \
    ROW(NGE, CC_B, PARITY_ANY, false)                                                              \
    ROW(LG, CC_NE, PARITY_ANY, false)                                                              \
    ROW(NLG, CC_E, PARITY_ANY, false)                                                              \
    ROW(ORD, CC_NP, PARITY_ANY, false)                                                             \
    ROW(UNO, CC_P, PARITY_ANY, false)

typedef struct {
    uint8_t code, parity;
    bool swapped; // b is compared with a
} FloatRelation;

static FloatRelation float_relation(Op op) {
    static const FloatRelation relations[FAM_COUNT] = {
#define ROW(family, code, parity, swapped) [FAM_##family] = {code, parity, swapped},
        FLOAT_ROWS(ROW)
#undef ROW
    };
    return relations[op_family(op)];
}

// Every comparison of ops.def has its row: without one its name is not declared.
enum {
#define ROW(family, ...) INTEGER_CONDITION_##family,
    INTEGER_ROWS(ROW)
#undef ROW
#define ROW(family, ...) FLOAT_CONDITION_##family,
        FLOAT_ROWS(ROW)
#undef ROW
};
#define HAS_I32(family)          INTEGER_CONDITION_##family
#define HAS_I64(family)          INTEGER_CONDITION_##family
#define HAS_F32(family)          FLOAT_CONDITION_##family
#define HAS_F64(family)          FLOAT_CONDITION_##family
#define HAS_F80(family)          FLOAT_CONDITION_##family
#define CMP(id, family, at, ...) _Static_assert(HAS_##at(family) >= 0, "no condition tells " #id);
#include "form/ops.def"

static Condition float_condition(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    FloatRelation relation = float_relation(op);
    X64Operand a = x64_source(e, instr, 0), b = x64_source(e, instr, 1);
    // Of a commutative one either operand may be in memory; what is compared must be a register.
    bool swapped = relation.swapped || (x64_is_memory(a) && op_info(op)->flags & OPF_COMM);
    x64_scalar(e, op_signals(op) ? "comi" : "ucomi", op_info(op)->operand[0], swapped ? a : b,
               swapped ? b : a);
    return (Condition){.code = relation.code, .parity = relation.parity};
}

static Condition x87_condition(Emit *e, const MachInstr *instr) {
    FloatRelation relation = float_relation((Op)instr->op);
    X64Operand a = x64_source(e, instr, 0), b = x64_source(e, instr, 1);
    x64_x87_load(e, relation.swapped ? a : b);
    x64_x87_load(e, relation.swapped ? b : a);
    x64_plain(e, op_signals((Op)instr->op) ? "fcomip %st(1), %st" : "fucomip %st(1), %st");
    x64_plain(e, "fstp %st(0)");
    return (Condition){.code = relation.code, .parity = relation.parity};
}

Condition x64_condition(Emit *e, const MachInstr *instr) {
    switch (op_info((Op)instr->op)->operand[0]) {
    case TYPE_F32:
    case TYPE_F64: return float_condition(e, instr);
    case TYPE_F80: return x87_condition(e, instr);
    default: return integer_condition(e, instr);
    }
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
    bool clear = !is_operand(instr, instr->dest) && !flags_are_there(e, instr);
    if (clear) x64_two(e, "xor", W32, d, d);
    Condition condition = x64_condition(e, instr);
    x64_full(e, set_names[condition.code], W8, d);
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
static void choose_by_moves(Emit *e, const ValueChoice *choice, Condition condition, X64Operand d) {
    X64Operand yes = x64_source(e, choice->instr, choice->yes);
    X64Operand no = x64_source(e, choice->instr, choice->no);
    bool inverted =
        condition.parity == PARITY_ALSO_ORDERED || (x64_same(d, yes) && !x64_same(d, no));
    if (inverted) condition = x64_not(condition);
    X64Operand moved = inverted ? no : yes;
    fetch_choice(e, choice, inverted ? choice->yes : choice->no, d);
    if (x64_same(moved, d)) return;
    Width width = x64_width(choice->type);
    x64_two(e, move_names[condition.code], width, moved, d);
    if (condition.parity != PARITY_ANY) x64_two(e, "cmovp", width, moved, d);
}

// Jumps over a move.
static void choose_by_jump(Emit *e, const ValueChoice *choice, Condition condition, X64Operand d) {
    X64Operand yes = x64_source(e, choice->instr, choice->yes);
    X64Operand no = x64_source(e, choice->instr, choice->no);
    uint32_t end = assembly_label(e->assembly), take = NO_ID;
    bool inverted = x64_same(d, yes) && !x64_same(d, no);
    // Jump to the end if what is in d stays.
    Condition stays = inverted ? condition : x64_not(condition);
    fetch_choice(e, choice, inverted ? choice->yes : choice->no, d);
    if (stays.parity == PARITY_ALSO_ORDERED) {
        take = assembly_label(e->assembly);
        x64_jump(e, "jp", take);
    } else if (stays.parity == PARITY_OR_UNORDERED) {
        x64_jump(e, "jp", end);
    }
    x64_jump(e, jump_names[stays.code], end);
    if (take != NO_ID) x64_label(e, take);
    fetch_choice(e, choice, inverted ? choice->no : choice->yes, d);
    x64_label(e, end);
}

static void choose(Emit *e, const ValueChoice *choice, Condition condition, X64Operand d) {
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
    Condition condition = x64_condition(e, instr);
    choose(e, &choice, condition, x64_place(e, instr->dest));
}

void x64_choose(Emit *e, const MachInstr *instr) {
    ValueChoice choice = {
        .instr = instr, .type = op_info((Op)instr->op)->result, .yes = 1, .no = 2};
    X64Operand a = x64_source(e, instr, 0);
    if (x64_is_reg(a))
        x64_two(e, "test", W32, a, a);
    else
        x64_two(e, "cmp", W32, x64_imm(0), a);
    choose(e, &choice, (Condition){.code = CC_NE}, x64_place(e, instr->dest));
}
