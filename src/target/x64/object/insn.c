// Takes instructions apart, by the table of insn.def.
//
// The property that must hold: two byte strings that give the same Insn, but for its length and the
// places of its fields, do the same on a processor. So no byte may be skipped. Prefixes are read in
// the only order that the assembler writes, each at most once. The row that fits must use each
// prefix and each bit of rex: as a part of the opcode, as the width, or as a bit of a register's
// number. modrm and sib go into the operand; where several encodings say the same (an index that is
// none, a displacement of zero) only the assembler's encoding is accepted. A row that does not
// describe the processor would be a mistake here; so rows are compared with another disassembler,
// on all compiled code and on random bytes (tools/decode-check).
//
// No byte is read behind `size`: next_byte and next_number read all bytes.
#include "target/x64/object/insn.h"

#include <string.h>

// ---- The table

typedef enum { MAP_ONE, MAP_TWO } OpcodeMap;
typedef enum {
    PREFIX_SIZE,
    PREFIX_BARE,
    PREFIX_P66,
    PREFIX_PF2,
    PREFIX_PF3,
    PREFIX_LOCK,
    PREFIX_REP
} InsnPrefix;
// 0 to 7 stand for themselves.
typedef enum {
    MODRM_0,
    MODRM_1,
    MODRM_2,
    MODRM_3,
    MODRM_4,
    MODRM_5,
    MODRM_6,
    MODRM_7,
    MODRM_R,
    MODRM_CC_R,
    MODRM_CC_0,
    MODRM_WHOLE,
    MODRM_ABSENT,
    MODRM_PLUS,
    MODRM_CC,
} ModrmKind;
#define MODRM_EXACT(n) MODRM_WHOLE, .whole = (n)
typedef enum { WIDTH_Z, WIDTH_B, WIDTH_V, WIDTH_BV, WIDTH_Y, WIDTH_Q, WIDTH_QW } WidthKind;
typedef enum {
    OPERAND_NO,
    OPERAND_R,
    OPERAND_E,
    OPERAND_EB,
    OPERAND_EW,
    OPERAND_EL,
    OPERAND_G,
    OPERAND_O,
    OPERAND_A,
    OPERAND_CL,
    OPERAND_M,
    OPERAND_MZ,
    OPERAND_M2,
    OPERAND_M4,
    OPERAND_M8,
    OPERAND_M10,
    OPERAND_X,
    OPERAND_X4,
    OPERAND_X8,
    OPERAND_X16,
    OPERAND_IB,
    OPERAND_IZ,
    OPERAND_IV,
    OPERAND_COUNT,
    OPERAND_ONE,
    OPERAND_J1,
    OPERAND_J4,
} OperandSpec;

typedef struct {
    uint8_t map, prefix, opcode, modrm, whole, width, mnemonic;
    uint8_t operand[INSN_MAX_OPERANDS];
} InsnForm;

static const InsnForm forms[] = {
#define FORM(in_map, with, code, by, wide, name, a, b, c)                                          \
    {.map = MAP_##in_map,                                                                          \
     .prefix = PREFIX_##with,                                                                      \
     .opcode = (code),                                                                             \
     .width = WIDTH_##wide,                                                                        \
     .mnemonic = INSN_##name,                                                                      \
     .operand = {OPERAND_##a, OPERAND_##b, OPERAND_##c},                                           \
     .modrm = MODRM_##by},
#include "target/x64/object/insn.def"
};

static const char *const names[] = {
#define MNEMONIC(name, text) [INSN_##name] = text,
#include "target/x64/object/insn.def"
};

const char *insn_name(InsnName mnemonic) {
    return names[mnemonic];
}

// ---- Bytes

typedef struct {
    const uint8_t *bytes;
    size_t size, at;
    // Prefixes, 0 if absent.
    uint8_t segment, data16, rep, lock, rex;
    uint8_t opcode, modrm;
    uint8_t rex_used; // bits that were a part of something
    bool rex_needed;  // spl, bpl, sil, dil are named only with a rex
    bool data16_used; // as a width
    const InsnForm *form;
    Insn *insn;
} Decoder;

enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8, REX = 0x40 };

static bool next_byte(Decoder *d, uint8_t *byte) {
    if (d->at >= d->size || d->at >= INSN_MAX_LENGTH) return false;
    *byte = d->bytes[d->at++];
    return true;
}

// A number of 1, 2, 4 or 8 bytes, extended by its sign.
static bool next_number(Decoder *d, uint32_t size, int64_t *number) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < size; i++) {
        uint8_t byte;
        if (!next_byte(d, &byte)) return false;
        bits |= (uint64_t)byte << (8 * i);
    }
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    *number = (int64_t)((bits ^ sign) - sign);
    return true;
}

// ---- Prefixes and opcode

static uint8_t take_if(Decoder *d, uint8_t a, uint8_t b) {
    if (d->at >= d->size || (d->bytes[d->at] != a && d->bytes[d->at] != b)) return 0;
    return d->bytes[d->at++];
}

// In the assembler's order.
static void take_prefixes(Decoder *d) {
    d->segment = take_if(d, 0x64, 0x65);
    if (!d->segment) d->segment = take_if(d, 0x2e, 0x3e);
    d->data16 = take_if(d, 0x66, 0x66);
    d->rep = take_if(d, 0xf2, 0xf3);
    d->lock = take_if(d, 0xf0, 0xf0);
    if (d->at < d->size && (d->bytes[d->at] & 0xf0) == REX) d->rex = d->bytes[d->at++];
}

static uint8_t opcode_mask(const InsnForm *form) {
    uint8_t mask = form->width == WIDTH_BV ? 0xfe : 0xff;
    if (form->modrm == MODRM_PLUS) mask = 0xf8;
    if (form->modrm == MODRM_CC || form->modrm == MODRM_CC_R || form->modrm == MODRM_CC_0)
        mask = 0xf0;
    return mask;
}

// Prefixes that are a part of the opcode; that 66 stands for a width is seen to later.
static bool prefix_fits(const Decoder *d, const InsnForm *form) {
    bool locked = form->prefix == PREFIX_LOCK;
    if (locked != (d->lock != 0)) return false;
    switch ((InsnPrefix)form->prefix) {
    case PREFIX_SIZE:
    case PREFIX_LOCK: return !d->rep;
    case PREFIX_REP: return d->rep != 0xf2;
    case PREFIX_BARE: return !d->rep && !d->data16;
    case PREFIX_P66: return !d->rep && d->data16;
    case PREFIX_PF2: return d->rep == 0xf2 && !d->data16;
    case PREFIX_PF3: return d->rep == 0xf3 && !d->data16;
    }
    return false;
}

static bool modrm_fits(uint8_t modrm, const InsnForm *form) {
    if (form->modrm <= MODRM_7) return (modrm >> 3 & 7) == form->modrm;
    if (form->modrm == MODRM_CC_0) return (modrm >> 3 & 7) == 0;
    return form->modrm != MODRM_WHOLE || modrm == form->whole;
}

// A register where a row has memory or the other way round makes another instruction, or none.
static bool find_form(Decoder *d, OpcodeMap map) {
    bool known = d->at < d->size;
    uint8_t modrm = known ? d->bytes[d->at] : 0;
    for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const InsnForm *form = &forms[i];
        if (form->map != map || ((form->opcode ^ d->opcode) & opcode_mask(form))) continue;
        if (!prefix_fits(d, form)) continue;
        if (form->width == WIDTH_QW && !(d->rex & REX_W)) continue;
        if (form->modrm < MODRM_ABSENT && (!known || !modrm_fits(modrm, form))) continue;
        d->form = form;
        if (form->modrm < MODRM_ABSENT) d->modrm = d->bytes[d->at++];
        return true;
    }
    return false;
}

static bool take_opcode(Decoder *d) {
    OpcodeMap map = MAP_ONE;
    if (!next_byte(d, &d->opcode)) return false;
    if (d->opcode == 0x0f) {
        map = MAP_TWO;
        if (!next_byte(d, &d->opcode)) return false;
    }
    return find_form(d, map);
}

// ---- Widths

static uint8_t variable_width(Decoder *d) {
    d->rex_used |= REX_W;
    if (d->rex & REX_W) return 8; // then 66 does nothing
    d->data16_used = true;
    return d->data16 ? 2 : 4;
}

static uint8_t operation_width(Decoder *d) {
    switch ((WidthKind)d->form->width) {
    case WIDTH_Z: return 0;
    case WIDTH_B: return 1;
    case WIDTH_BV: return d->opcode & 1 ? variable_width(d) : 1;
    case WIDTH_V: return variable_width(d);
    case WIDTH_Y:
    case WIDTH_QW: d->rex_used |= REX_W; return d->rex & REX_W ? 8 : 4;
    case WIDTH_Q: return 8;
    }
    return 0;
}

// ---- Operands

// Bit `rex` of the prefix is the top bit of a number of three.
static uint8_t register_number(Decoder *d, uint8_t low, uint8_t rex) {
    d->rex_used |= rex;
    return (uint8_t)((low & 7) | (d->rex & rex ? 8 : 0));
}

// Without a rex, 4 to 7 would be ah, ch, dh, bh.
static bool put_general(Decoder *d, InsnOperand *operand, uint8_t reg, uint8_t width) {
    bool named_by_rex = width == 1 && reg >= 4 && reg < 8;
    d->rex_needed |= named_by_rex;
    *operand = (InsnOperand){.kind = INSN_OPERAND_REG, .width = width, .reg = reg};
    return !named_by_rex || d->rex;
}

enum { FIRST_VECTOR = 16 };

static bool put_vector(InsnOperand *operand, uint8_t reg) {
    *operand =
        (InsnOperand){.kind = INSN_OPERAND_REG, .width = 16, .reg = (uint8_t)(FIRST_VECTOR + reg)};
    return true;
}

static bool put_displacement(Decoder *d, InsnOperand *operand, uint8_t size) {
    if (!size) return true;
    d->insn->displacement_at = (uint8_t)d->at;
    d->insn->displacement_size = size;
    return next_number(d, size, &operand->value);
}

// Base and index. The assembler writes a sib without an index only for rsp, r12 and no base at all,
// and such with scale 1.
static bool put_sib(Decoder *d, InsnOperand *operand, bool maybe_no_base) {
    uint8_t sib;
    if (!next_byte(d, &sib)) return false;
    uint8_t index = register_number(d, sib >> 3, REX_X);
    operand->scale = (uint8_t)(1 << (sib >> 6));
    if (index != 4) operand->index = index;
    bool no_base = maybe_no_base && (sib & 7) == 5;
    if (!no_base) operand->base = register_number(d, sib, REX_B);
    if (index == 4) return operand->scale == 1 && (no_base || (sib & 7) == 4);
    return true;
}

static uint8_t segment_of(const Decoder *d) {
    if (d->segment == 0x64) return INSN_SEGMENT_FS;
    return d->segment == 0x65 ? INSN_SEGMENT_GS : INSN_SEGMENT_NONE;
}

// A displacement of eight bits that is zero is needed only where none would mean something else.
static bool put_memory(Decoder *d, InsnOperand *operand, uint8_t width) {
    uint8_t mod = d->modrm >> 6, rm = d->modrm & 7;
    *operand = (InsnOperand){.kind = INSN_OPERAND_MEMORY,
                             .width = width,
                             .segment = segment_of(d),
                             .base = INSN_REG_NONE,
                             .index = INSN_REG_NONE,
                             .scale = 1};
    if (mod == 3) return false;
    if (rm == 4) {
        if (!put_sib(d, operand, mod == 0)) return false;
    } else if (mod == 0 && rm == 5) {
        operand->base = INSN_REG_RIP;
    } else {
        operand->base = register_number(d, rm, REX_B);
    }
    bool far = mod == 2 || operand->base == INSN_REG_RIP || operand->base == INSN_REG_NONE;
    if (!put_displacement(d, operand, far ? 4 : mod)) return false;
    return mod != 1 || operand->value != 0 || (operand->base & 7) == 5;
}

static bool put_general_or_memory(Decoder *d, InsnOperand *operand, uint8_t width) {
    if (d->modrm >> 6 != 3) return put_memory(d, operand, width);
    return put_general(d, operand, register_number(d, d->modrm, REX_B), width);
}

static bool put_vector_or_memory(Decoder *d, InsnOperand *operand, uint8_t width) {
    if (d->modrm >> 6 != 3) return put_memory(d, operand, width);
    return put_vector(operand, register_number(d, d->modrm, REX_B));
}

// A number of `size` bytes; what is computed with it has `width`.
static bool put_number(Decoder *d, InsnOperand *operand, InsnOperandKind kind, uint8_t size,
                       uint8_t width) {
    *operand = (InsnOperand){.kind = (uint8_t)kind, .width = width};
    d->insn->number_at = (uint8_t)d->at;
    d->insn->number_size = size;
    return next_number(d, size, &operand->value);
}

static bool put_one(InsnOperand *operand) {
    *operand = (InsnOperand){.kind = INSN_OPERAND_IMM, .width = 1, .value = 1};
    return true;
}

static bool put_operand(Decoder *d, OperandSpec spec, InsnOperand *o) {
    uint8_t width = d->insn->width, middle = d->modrm >> 3;
    switch (spec) {
    case OPERAND_NO: return true;
    case OPERAND_R: return put_general(d, o, register_number(d, middle, REX_R), width);
    case OPERAND_E: return put_general_or_memory(d, o, width);
    case OPERAND_EB: return put_general_or_memory(d, o, 1);
    case OPERAND_EW: return put_general_or_memory(d, o, 2);
    case OPERAND_EL: return put_general_or_memory(d, o, 4);
    case OPERAND_G: return d->modrm >> 6 == 3 && put_general_or_memory(d, o, width);
    case OPERAND_O: return put_general(d, o, register_number(d, d->opcode, REX_B), width);
    case OPERAND_A: return put_general(d, o, 0, width);
    case OPERAND_CL: return put_general(d, o, 1, 1);
    case OPERAND_M: return put_memory(d, o, width);
    case OPERAND_MZ: return put_memory(d, o, 0);
    case OPERAND_M2: return put_memory(d, o, 2);
    case OPERAND_M4: return put_memory(d, o, 4);
    case OPERAND_M8: return put_memory(d, o, 8);
    case OPERAND_M10: return put_memory(d, o, 10);
    case OPERAND_X: return put_vector(o, register_number(d, middle, REX_R));
    case OPERAND_X4: return put_vector_or_memory(d, o, 4);
    case OPERAND_X8: return put_vector_or_memory(d, o, 8);
    case OPERAND_X16: return put_vector_or_memory(d, o, 16);
    case OPERAND_IB: return put_number(d, o, INSN_OPERAND_IMM, 1, width);
    case OPERAND_IZ: return put_number(d, o, INSN_OPERAND_IMM, width > 4 ? 4 : width, width);
    case OPERAND_IV: return put_number(d, o, INSN_OPERAND_IMM, width, width);
    case OPERAND_COUNT: return put_number(d, o, INSN_OPERAND_IMM, 1, 1);
    case OPERAND_ONE: return put_one(o);
    case OPERAND_J1: return put_number(d, o, INSN_OPERAND_TARGET, 1, 0);
    case OPERAND_J4: return put_number(d, o, INSN_OPERAND_TARGET, 4, 0);
    }
    return false;
}

static bool is_number(OperandSpec spec) {
    return spec >= OPERAND_IB;
}

// Numbers lie behind all else in the bytes, so they are read last.
static bool take_operands(Decoder *d) {
    for (uint32_t last = 0; last < 2; last++) {
        for (uint32_t i = 0; i < INSN_MAX_OPERANDS; i++) {
            OperandSpec spec = (OperandSpec)d->form->operand[i];
            if (is_number(spec) != (last == 1) || spec == OPERAND_NO) continue;
            if (!put_operand(d, spec, &d->insn->operand[i])) return false;
            d->insn->operands++;
        }
    }
    return true;
}

// ---- The whole

static bool has_memory(const Insn *insn) {
    for (uint32_t i = 0; i < insn->operands; i++)
        if (insn->operand[i].kind == INSN_OPERAND_MEMORY) return true;
    return false;
}

// cs stands before direct branches to thunks, ds (notrack) before indirect ones.
static bool segment_is_used(const Decoder *d) {
    const Insn *insn = d->insn;
    bool branch = insn->mnemonic == INSN_JMP || insn->mnemonic == INSN_CALL;
    bool direct = insn->operand[0].kind == INSN_OPERAND_TARGET;
    if (d->segment == 0x2e) return branch && direct && insn->number_size == 4;
    if (d->segment == 0x3e) return branch && !direct;
    return !d->segment || has_memory(insn);
}

static bool prefixes_are_used(const Decoder *d) {
    uint8_t bits = d->rex & 15;
    if (bits & ~d->rex_used) return false;
    if (d->rex && !bits && !d->rex_needed) return false;
    bool sized = d->form->prefix == PREFIX_SIZE || d->form->prefix == PREFIX_LOCK ||
                 d->form->prefix == PREFIX_REP;
    if (d->data16 && sized && !d->data16_used) return false;
    return segment_is_used(d);
}

// What fills gaps: exactly what the assembler has for each length.
static uint8_t nop_length(const uint8_t *bytes, size_t size) {
    static const uint8_t nops[][11] = {
        {0x90},
        {0x66, 0x90},
        {0x0f, 0x1f, 0x00},
        {0x0f, 0x1f, 0x40, 0},
        {0x0f, 0x1f, 0x44, 0, 0},
        {0x66, 0x0f, 0x1f, 0x44, 0, 0},
        {0x0f, 0x1f, 0x80, 0, 0, 0, 0},
        {0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0},
        {0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0},
        {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0},
        {0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0},
    };
    for (uint8_t length = 1; length <= 11 && length <= size; length++)
        if (memcmp(bytes, nops[length - 1], length) == 0) return length;
    return 0;
}

// Prefixes that the linker counts on, in front of a lea to rdi and of a call: rex has its say on
// the width, so that 66 does nothing, and a call needs neither.
static uint8_t padding_length(const uint8_t *bytes, size_t size) {
    static const uint8_t lea[] = {0x66, 0x48, 0x8d, 0x3d}, call[] = {0x66, 0x66, 0x48, 0xe8};
    if (size < sizeof lea) return 0;
    if (memcmp(bytes, lea, sizeof lea) == 0) return 1;
    return memcmp(bytes, call, sizeof call) == 0 ? 3 : 0;
}

static bool has_condition(const InsnForm *form) {
    return form->modrm == MODRM_CC || form->modrm == MODRM_CC_R || form->modrm == MODRM_CC_0;
}

bool insn_decode(const uint8_t *bytes, size_t size, Insn *insn) {
    Decoder decoder = {.bytes = bytes, .size = size, .insn = insn}, *d = &decoder;
    *insn = (Insn){.mnemonic = INSN_NOP, .length = nop_length(bytes, size)};
    if (insn->length) return true;
    d->at = padding_length(bytes, size);
    insn->padded = d->at != 0;
    take_prefixes(d);
    if (!take_opcode(d)) return false;
    insn->mnemonic = d->form->mnemonic;
    insn->condition = has_condition(d->form) ? d->opcode & 15 : 0;
    insn->width = operation_width(d);
    insn->lock = d->lock != 0;
    insn->rep = d->form->prefix == PREFIX_REP && d->rep;
    insn->notrack = d->segment == 0x3e;
    insn->cs_prefix = d->segment == 0x2e;
    if (!take_operands(d) || !prefixes_are_used(d)) return false;
    insn->length = (uint8_t)d->at;
    // rax for itself: a nop, but for how it is written.
    return d->form->mnemonic != INSN_XCHG || d->form->modrm != MODRM_PLUS ||
           insn->operand[1].reg != 0;
}
