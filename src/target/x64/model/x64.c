#include "target/x64/model/x64.h"

#include "target/x64/model/x64_registers.h"

#include "target/mach_access.h"

#include <ctype.h>
#include <string.h>

// ---- The table

#define BIT(reg)          X64_BIT(M_##reg)
#define SET_NONE          0
#define SET_RAX           BIT(RAX)
#define SET_RDX           BIT(RDX)
#define SET_R11           BIT(R11)
#define SET_R10_R11       (BIT(R10) | BIT(R11))
#define SET_R10_R11_XMM15 (SET_R10_R11 | BIT(XMM15))

const X64ShapeInfo x64_shapes[X64_SHAPE_COUNT] = {
#define SHAPE(name, operands, clobbers, killed, ...)                                               \
    [X64_##name] = {PLAN_##operands, {{SET_##clobbers}}, {{SET_##killed}}},
#include "target/x64/model/sequences.def"
};

// The rows of checked operators and of updates come after those of operators, and add to them.
const X64Info x64_table[OP_COUNT] = {
#define ROW(op, row_shape, row_text) [OP_##op].shape = X64_##row_shape, [OP_##op].text = (row_text),
#define CHECKED(op, row_text)        [OP_##op].checked = (row_text),
#define UPDATE(op, row_text)         [OP_##op].update = (row_text),
#include "target/x64/model/sequences.def"
};

const char *const x64_kind_texts[MACH_KIND_COUNT] = {
#define KIND(name, latency, busy, count, unit, text) [MK_##name] = (text),
#include "target/x64/model/sequences.def"
};

const char *const x64_builtin_texts[BI_COUNT] = {
#define BUILT(name, text) [BI_##name] = (text),
#include "target/x64/model/sequences.def"
};

// Every operator, kind and builtin has one row: a second one is declared twice, a missing one not
// at all.
enum {
#define ROW(op, shape, text)     X64_ROW_##op = X64_##shape,
#define KIND(name, ...)          X64_KIND_##name = MK_##name,
#define COMPOSED_KIND(name, ...) X64_KIND_##name = MK_##name,
#define BUILT(name, text)        X64_BUILTIN_##name = BI_##name,
#define COMPOSED_BUILT(name)     X64_BUILTIN_##name = BI_##name,
#define INTEGERS(family, ...)    INTEGER_CONDITION_##family,
#define FLOATS(family, ...)      FLOAT_CONDITION_##family,
#include "target/x64/model/sequences.def"
};
#define EACH_OP(id, family, at)                                                                    \
    _Static_assert(X64_ROW_##id, "sequences.def has no sequence for " #id);
#include "form/ops.def"
#define MACH(id, ...) _Static_assert(X64_KIND_##id >= 0, "sequences.def has no sequence for " #id);
#include "form/kinds.def"
#define BUILTIN(id, ...)                                                                           \
    _Static_assert(X64_BUILTIN_##id >= 0, "sequences.def has no sequence for " #id);
#include "form/builtins.def"
#define HAS_I32(family)          INTEGER_CONDITION_##family
#define HAS_I64(family)          INTEGER_CONDITION_##family
#define HAS_F32(family)          FLOAT_CONDITION_##family
#define HAS_F64(family)          FLOAT_CONDITION_##family
#define HAS_F80(family)          FLOAT_CONDITION_##family
#define CMP(id, family, at, ...) _Static_assert(HAS_##at(family) >= 0, "no condition tells " #id);
#include "form/ops.def"

const char *x64_text(const MachInstr *instr) {
    const X64Info *info = &x64_table[instr->op];
    switch ((MachKind)instr->kind) {
    case MK_OP: return instr->checked ? info->checked : info->text;
    case MK_UPDATE: return info->update;
    case MK_BUILTIN: return x64_builtin_texts[instr->op];
    default: return x64_kind_texts[instr->kind];
    }
}

// ---- Conditions

const char *x64_condition_name(uint32_t code) {
    static const char *const names[] = {"o", "no", "b", "ae", "e", "ne", "be", "a",
                                        "s", "ns", "p", "np", "l", "ge", "le", "g"};
    return names[code];
}

FlagCondition x64_condition_of(Op op) {
    static const FlagCondition integers[FAM_COUNT] = {
#define INTEGERS(family, cond) [FAM_##family] = {COND_##cond, PARITY_ANY},
#include "target/x64/model/sequences.def"
    };
    static const FlagCondition floats[FAM_COUNT] = {
#define FLOATS(family, cond, parity) [FAM_##family] = {COND_##cond, PARITY_##parity},
#include "target/x64/model/sequences.def"
    };
    return (type_is_int(op_info(op)->operand[0]) ? integers : floats)[op_family(op)];
}

FlagCondition x64_negated(FlagCondition condition) {
    static const uint8_t opposite[] = {PARITY_ANY, PARITY_OR_UNORDERED, PARITY_ALSO_ORDERED};
    return (FlagCondition){.code = condition.code ^ 1, .parity = opposite[condition.parity]};
}

static bool compares_with_zero(const MachInstr *instr) {
    if (instr->memory < 2 || instr->src[0].i == NO_ID || !place_is_machine(instr->src[0]))
        return false;
    if (instr->tested) return instr->immediate != 1 && instr->src[0].i == instr->src[1].i;
    return instr->immediate == 1 && instr->imm == 0;
}

// Zero and sign are known, and after a logical operation all that a signed comparison tells.
bool x64_flags_tell(const MachInstr *instr, bool logic, FlagCondition *condition) {
    if (!compares_with_zero(instr)) return false;
    switch (op_family((Op)instr->op)) {
    case FAM_EQ:
    case FAM_NE: return true;
    case FAM_LT: condition->code = COND_S; return true;
    case FAM_GE: condition->code = COND_NS; return true;
    case FAM_LE:
    case FAM_GT: return logic;
    default: return false;
    }
}

// ---- Texts

uint32_t x64_operator_width(const MachInstr *instr) {
    if (!instr || instr->kind == MK_BUILTIN || instr->kind == MK_STORE) return 8;
    Type type = op_info((Op)instr->op)->at;
    return type == TYPE_I64 || type == TYPE_F64 ? 8 : 4;
}

// A spill is written whole, and a mask that is positive clears the upper half.
static uint32_t free_width(const MachInstr *instr) {
    bool masks = op_family((Op)instr->op) == FAM_AND && instr->immediate == 1 && instr->imm >= 0 &&
                 instr->imm <= INT32_MAX;
    if (place_is_spill(instr->dest)) return 8;
    return masks ? 4 : x64_operator_width(instr);
}

uint32_t x64_text_width(const MachInstr *instr, char width) {
    switch (width) {
    case 'w': return x64_operator_width(instr);
    case 'c': return chunk_size((Chunk)instr->chunk);
    case 'e': return chunk_size((Chunk)instr->chunk) == 8 ? 8 : 4;
    case 'v': return free_width(instr);
    default: return (uint32_t)(width - '0');
    }
}

Type x64_moved_type(const MachInstr *instr) {
    if (instr->kind == MK_BUILTIN) return chunk_type((Chunk)instr->chunk);
    const OpInfo *op = op_info((Op)instr->op);
    return op->arity ? op->operand[op->arity == 3 ? 1 : 0] : op->result;
}

int64_t x64_low_bytes(int64_t number, uint32_t width) {
    return width >= 8 ? number : (int64_t)((uint64_t)number & (((uint64_t)1 << 8 * width) - 1));
}

int64_t x64_text_number(const char **text) {
    const char *at = *text;
    bool minus = *at == '-', hex;
    at += *at == '-' || *at == '+';
    hex = at[0] == '0' && at[1] == 'x';
    if (hex) at += 2;
    uint64_t number = 0;
    for (; hex ? isxdigit((unsigned char)*at) : isdigit((unsigned char)*at); at++) {
        uint32_t digit =
            isdigit((unsigned char)*at) ? (uint32_t)(*at - '0') : (uint32_t)(*at - 'a') + 10;
        number = number * (hex ? 16 : 10) + digit;
    }
    *text = at;
    return (int64_t)(minus ? 0 - number : number);
}

bool x64_has_number(const MachInstr *instr) {
    return instr->immediate != NO_SOURCE ||
           (instr->kind == MK_OP && op_info((Op)instr->op)->arity == 0);
}

// ?i=NUMBER, ?k=NUMBER
static bool is_number(const MachInstr *instr, const char **text) {
    bool count = **text == 'k';
    uint32_t width = x64_operator_width(instr);
    int64_t value = x64_low_bytes(instr->imm, width);
    *text += 2;
    if (count) value &= width == 8 ? 63 : 31;
    return x64_has_number(instr) && value == x64_text_number(text);
}

// ?[CHUNK]
static bool is_chunk(const MachInstr *instr, const char **text) {
    size_t length = strcspn(++*text, "]");
    bool same = instr->memory == 0 && chunk_named(*text, length) == (Chunk)instr->chunk;
    *text += length + 1;
    return same;
}

static bool is_asked(const Program *program, const MachInstr *instr) {
    return mach_asks_for_address(program, instr);
}
static bool is_thread(const Program *program, const MachInstr *instr) {
    return program_at(program, (Sym){instr->ref})->flags & SYMF_THREAD && !is_asked(program, instr);
}
static bool is_datum(const Program *program, const MachInstr *instr) {
    return !is_asked(program, instr) && !is_thread(program, instr);
}
static bool is_near(const Program *program, const MachInstr *instr) {
    return is_datum(program, instr) && mach_symbol_is_near(program, (Sym){instr->ref});
}
static bool is_zero(const Program *program, const MachInstr *instr) {
    (void)program;
    return instr->imm == 0 && instr->high == 0;
}
static bool is_one(const Program *program, const MachInstr *instr) {
    (void)program;
    return instr->imm == INT64_MIN && instr->high == 0x3fff;
}
static bool is_plain(const Program *program, const MachInstr *instr) {
    (void)program;
    return !instr->tested;
}
static bool is_tested(const Program *program, const MachInstr *instr) {
    (void)program;
    return instr->tested;
}
static bool is_zeroed(const Program *program, const MachInstr *instr) {
    (void)program;
    return compares_with_zero(instr);
}
static bool is_narrow(const Program *program, const MachInstr *instr) {
    (void)program;
    return instr->memory < 2 && chunk_size((Chunk)instr->chunk) < 4;
}
// Only the low byte of a register matters for whether bits of a small mask are set.
static bool is_byte(const Program *program, const MachInstr *instr) {
    (void)program;
    OpFamily family = op_family((Op)instr->op);
    return instr->immediate == 1 && (family == FAM_EQ || family == FAM_NE) && instr->imm >= 0 &&
           instr->imm <= UINT8_MAX && instr->memory > 1 && place_is_machine(instr->src[0]);
}
static bool is_in_spill(const Program *program, const MachInstr *instr) {
    (void)program;
    return place_is_spill(instr->dest);
}
static bool is_in_register(const Program *program, const MachInstr *instr) {
    (void)program;
    return place_is_machine(instr->dest);
}
static bool is_relaxed(const Program *program, const MachInstr *instr) {
    (void)program;
    return aux_order(instr->aux) != ORDER_SEQ_CST;
}

bool x64_guard(const Program *program, const MachInstr *instr, const char **text, bool *known) {
    static const struct {
        const char *word;
        bool (*holds)(const Program *program, const MachInstr *instr);
    } guards[] = {
        {"plain", is_plain},    {"zeroed", is_zeroed}, {"narrow", is_narrow},
        {"tested", is_tested},  {"byte", is_byte},     {"reg", is_in_register},
        {"spill", is_in_spill}, {"near", is_near},     {"datum", is_datum},
        {"thread", is_thread},  {"asked", is_asked},   {"relaxed", is_relaxed},
        {"zero", is_zero},      {"one", is_one},
    };
    *known = true;
    if (**text == '[') return is_chunk(instr, text);
    if ((*text)[1] == '=') return is_number(instr, text);
    for (uint32_t k = 0; k < sizeof guards / sizeof *guards; k++) {
        const char *at = *text;
        if (!x64_text_word(&at, guards[k].word) || (*at && *at != ';' && *at != ' ')) continue;
        *text = at;
        return guards[k].holds(program, instr);
    }
    *known = false;
    return false;
}

// ---- Addresses

bool x64_symbol_takes_index(const Program *program, Sym symbol) {
    return program->pic == PIC_NONE && mach_symbol_is_near(program, symbol);
}

// MACH_FRAME_LIMIT, the registers that are saved and FRAME_REACH come to less than 2^31.
bool x64_displacement_fits(MachBase base, int64_t displacement) {
    enum { SYMBOL_REACH = 1 << 24, FRAME_REACH = 1 << 28, FURTHER = 16 };
    switch (base) {
    case MB_NONE:
    case MB_PLACE: return displacement >= INT32_MIN && displacement <= INT32_MAX - FURTHER;
    case MB_SYMBOL: return displacement > -SYMBOL_REACH && displacement < SYMBOL_REACH;
    case MB_SLOT:
    case MB_INCOMING:
    case MB_OUTGOING: return displacement > -FRAME_REACH && displacement < FRAME_REACH;
    }
    return false;
}
