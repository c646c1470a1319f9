// Comparing instructions with texts: see walk.h.
#include "object/walk.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Instructions

const Insn *walk_insn(Walk *w) {
    const ElfSection *section = &w->object->elf.sections[w->section];
    if (w->insn_at != w->now.at) {
        w->insn_at = w->now.at;
        w->decoded = w->now.at < w->end && section->bytes &&
                     insn_decode(section->bytes + w->now.at, w->end - w->now.at, &w->insn);
    }
    return w->decoded ? &w->insn : NULL;
}

bool walk_fails(Walk *w, const char *reason) {
    bool further = w->failed_at == UINT64_MAX || w->now.at > w->failed_at;
    if (further || (w->now.at == w->failed_at && reason)) {
        w->failed_at = w->now.at;
        w->reason = reason;
    }
    return false;
}

static const char *const insn_names[INSN_COUNT] = {
#define MNEMONIC(name, text) #name,
#include "object/insn.def"
};
static const char *const condition_names[] = {"o", "no", "b", "ae", "e", "ne", "be", "a",
                                              "s", "ns", "p", "np", "l", "ge", "le", "g"};

const char *walk_condition_name(uint32_t condition) {
    return condition_names[condition];
}

// What an instruction does to registers and flags.
enum {
    READS_LAST = 1,  // its last operand is not written
    WRITES_BOTH = 2, // both are
    KEEPS_FLAGS = 4,
    TELLS_VALUE = 8, // zero and sign tell of the result
    TELLS_LOGIC = 16 // so do all other flags
};
typedef struct {
    uint8_t does;
    MachineRegSet writes; // besides operands
} InsnEffect;
#define BIT(reg) MACHINE_REG_BIT(M_##reg)

static const InsnEffect effects[INSN_COUNT] = {
    [INSN_NOP] = {READS_LAST | KEEPS_FLAGS, 0},
    [INSN_MOV] = {KEEPS_FLAGS, 0},
    [INSN_MOVZX] = {KEEPS_FLAGS, 0},
    [INSN_MOVSX] = {KEEPS_FLAGS, 0},
    [INSN_LEA] = {KEEPS_FLAGS, 0},
    [INSN_ADD] = {TELLS_VALUE, 0},
    [INSN_OR] = {TELLS_VALUE | TELLS_LOGIC, 0},
    [INSN_AND] = {TELLS_VALUE | TELLS_LOGIC, 0},
    [INSN_SUB] = {TELLS_VALUE, 0},
    [INSN_XOR] = {TELLS_VALUE | TELLS_LOGIC, 0},
    [INSN_NEG] = {TELLS_VALUE, 0},
    [INSN_SHL] = {TELLS_VALUE, 0},
    [INSN_SHR] = {TELLS_VALUE, 0},
    [INSN_SAR] = {TELLS_VALUE, 0},
    [INSN_CMP] = {READS_LAST, 0},
    [INSN_TEST] = {READS_LAST, 0},
    [INSN_MUL] = {READS_LAST, BIT(RAX) | BIT(RDX)},
    [INSN_DIV] = {READS_LAST, BIT(RAX) | BIT(RDX)},
    [INSN_IDIV] = {READS_LAST, BIT(RAX) | BIT(RDX)},
    [INSN_CLTQ] = {0, BIT(RAX)},
    [INSN_CLTD] = {0, BIT(RDX)},
    [INSN_CQTO] = {0, BIT(RDX)},
    [INSN_JCC] = {READS_LAST | KEEPS_FLAGS, 0},
    [INSN_JMP] = {READS_LAST, 0},
    [INSN_CALL] = {READS_LAST, 0},
    [INSN_PUSH] = {READS_LAST, 0},
    [INSN_XCHG] = {WRITES_BOTH, 0},
    [INSN_XADD] = {WRITES_BOTH, 0},
    [INSN_CMPXCHG] = {0, BIT(RAX)},
    [INSN_INCSSP] = {READS_LAST, 0},
    [INSN_MOVS] = {0, BIT(RDI) | BIT(RSI) | BIT(RCX)},
    [INSN_STOS] = {0, BIT(RDI) | BIT(RCX)},
    [INSN_MOVSS] = {KEEPS_FLAGS, 0},
    [INSN_MOVSD] = {KEEPS_FLAGS, 0},
    [INSN_MOVAPS] = {KEEPS_FLAGS, 0},
    [INSN_MOVD] = {KEEPS_FLAGS, 0},
    [INSN_UCOMISS] = {READS_LAST, 0},
    [INSN_UCOMISD] = {READS_LAST, 0},
    [INSN_FLD] = {READS_LAST | KEEPS_FLAGS, 0},
    [INSN_FSTP] = {KEEPS_FLAGS, 0},
    [INSN_FILD] = {READS_LAST, 0},
    [INSN_FADD] = {READS_LAST, 0},
    [INSN_FLDCW] = {READS_LAST, 0},
};

// The registers that an instruction writes.
static MachineRegSet writes_of(const Insn *insn) {
    const InsnEffect *effect = &effects[insn->mnemonic];
    MachineRegSet set = effect->writes;
    bool reads_last = effect->does & READS_LAST;
    if (insn->mnemonic == INSN_IMUL && insn->operands == 1) {
        set |= BIT(RAX) | BIT(RDX);
        reads_last = true;
    }
    if (insn->mnemonic == INSN_CALL) set |= caller_saved_regs;
    for (uint32_t k = 0; k < insn->operands; k++) {
        bool written = k + 1 == insn->operands ? !reads_last : effect->does & WRITES_BOTH;
        if (written && insn->operand[k].kind == INSN_OPERAND_REG)
            set |= MACHINE_REG_BIT(insn->operand[k].reg);
    }
    return set;
}

static void learn_flags(Walk *w, const Insn *insn, MachineRegSet writes) {
    uint8_t does = effects[insn->mnemonic].does;
    const InsnOperand *last = insn->operands ? &insn->operand[insn->operands - 1] : NULL;
    bool shift =
        insn->mnemonic == INSN_SHL || insn->mnemonic == INSN_SHR || insn->mnemonic == INSN_SAR;
    const InsnOperand *first = &insn->operand[0];
    bool number = last && first != last && first->kind == INSN_OPERAND_IMM;
    if (does & KEEPS_FLAGS) {
        if (w->now.flags_reg != INSN_REG_NONE && writes & MACHINE_REG_BIT(w->now.flags_reg))
            w->now.flags_reg = INSN_REG_NONE;
        return;
    }
    w->now.flags_reg = INSN_REG_NONE;
    if (!(does & TELLS_VALUE) || last->kind != INSN_OPERAND_REG) return;
    // A shift by nothing leaves the flags as they were.
    if (shift && (!number || (first->value & (insn->width == 8 ? 63 : 31)) == 0)) return;
    w->now.flags_reg = last->reg;
    w->now.flags_width = insn->width;
    w->now.flags_logic = does & TELLS_LOGIC;
    // What is left of a number without a sign is the same in 64 bits.
    bool masks = insn->mnemonic == INSN_AND && number && first->value >= 0 && insn->width == 4;
    if (masks) w->now.flags_width = 0;
}

static void learn_short(Walk *w, const Insn *insn, MachineRegSet writes) {
    const InsnOperand *last = insn->operands ? &insn->operand[insn->operands - 1] : NULL;
    bool partly = last && last->kind == INSN_OPERAND_REG && last->width < 4;
    // If the operand is zero, these leave the register as it is.
    bool perhaps = insn->mnemonic == INSN_BSF || insn->mnemonic == INSN_BSR;
    if (partly || perhaps) return;
    w->now.short_regs &= ~writes;
    bool clears = last && last->kind == INSN_OPERAND_REG && last->width == 4 &&
                  !(effects[insn->mnemonic].does & (WRITES_BOTH | READS_LAST)) &&
                  !effects[insn->mnemonic].writes;
    if (insn->mnemonic == INSN_IMUL && insn->operands == 1) clears = false;
    if (clears) w->now.short_regs |= MACHINE_REG_BIT(last->reg) & 0xffff;
}

void walk_step(Walk *w) {
    const Insn *insn = &w->insn;
    MachineRegSet writes = writes_of(insn);
    learn_flags(w, insn, writes);
    learn_short(w, insn, writes);
    w->now.written |= writes;
    w->now.at += insn->length;
}

// ---- Roles: what an operand of a text stands for

typedef enum {
    ROLE_PLACE,
    ROLE_NUMBER,  // of the instruction: `mode` says how it is taken
    ROLE_LITERAL, // a number of the text
    ROLE_ADDRESS, // what is at the address, `number` bytes on
    ROLE_MEMORY,  // base, index, scale, number
    ROLE_SEGMENT, // fs:number
    ROLE_POOL,
    ROLE_AREA,
    ROLE_SYMBOL,
    ROLE_SYMBOL_NUMBER,
    ROLE_GOT,
    ROLE_TPOFF,
    ROLE_NAME,
    ROLE_BLOCK,
    ROLE_LABEL,
    ROLE_LABEL_ADDRESS,
    ROLE_TRAP
} RoleKind;

typedef struct {
    uint8_t kind; // RoleKind
    char mode;
    uint8_t width; // 0: as usual
    bool source;   // it must not be stale
    Place place;
    uint32_t base, index, scale; // MEMORY: registers, INSN_REG_NONE
    uint32_t area;
    int64_t number;
    uint64_t high;
    uint32_t size;
    char name[40];
} Role;

bool match_is_stale(const Walk *w, Place place) {
    if (place_is_machine(place)) return w->now.written & MACHINE_REG_BIT(place_index(place));
    return w->now.dest_written && place.i == w->instr->dest.i;
}

static int64_t parse_number(const char **text) {
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

static uint32_t operator_width(const MachInstr *instr) {
    if (!instr || instr->kind == MK_BUILTIN || instr->kind == MK_STORE) return 8;
    Type type = op_info((Op)instr->op)->at;
    return type == TYPE_I64 || type == TYPE_F64 ? 8 : 4;
}

// A register by its name; fb is the one by which the frame is found.
static uint32_t parse_register(const Walk *w, const char **text) {
    char name[8] = "";
    size_t length = 0;
    const char *at = *text;
    while (isalnum((unsigned char)at[length]) && length < 5) length++;
    if (length < 2) return INSN_REG_NONE;
    if (length == 2 && memcmp(at, "fb", 2) == 0) {
        *text += 2;
        return w->frame.found.base;
    }
    snprintf(name, sizeof name, "%s%.*s", at[0] == 'x' ? "xmm" : "", (int)(length - (at[0] == 'x')),
             at + (at[0] == 'x'));
    MachineReg reg = machine_reg_named(name, strlen(name));
    if (reg == MACHINE_REG_COUNT) return INSN_REG_NONE;
    *text += length;
    return reg;
}

static int source_number(char letter) {
    const char *at = memchr("abce", letter, 4);
    return at ? (int)(at - "abce") : -1;
}

static bool has_number(const MachInstr *instr) {
    return instr->immediate != NO_SOURCE ||
           (instr->kind == MK_OP && op_info((Op)instr->op)->arity == 0);
}

static bool role_of_source(const Walk *w, int k, Role *role) {
    const MachInstr *instr = w->instr;
    role->source = true;
    role->kind = instr->memory == k      ? ROLE_ADDRESS
                 : instr->immediate == k ? ROLE_NUMBER
                                         : ROLE_PLACE;
    role->mode = 'i';
    role->place = instr->src[k];
    return role->kind != ROLE_PLACE || role->place.i != NO_ID;
}

// The register that a part of an address stands for.
static bool parse_address_register(const Walk *w, const char **text, uint32_t *reg) {
    *reg = parse_register(w, text);
    if (*reg != INSN_REG_NONE) return true;
    Role role = {0};
    int k = source_number(**text);
    if (**text == 'd')
        role.place = w->instr->dest;
    else if (k < 0 || !role_of_source(w, k, &role) || role.kind != ROLE_PLACE)
        return false;
    if (!place_is_machine(role.place) || (role.source && match_is_stale(w, role.place)))
        return false;
    *reg = place_index(role.place);
    (*text)++;
    return true;
}

// (R+R*N+N), where one number may be i or n.
static bool parse_memory(const Walk *w, const char **text, Role *role) {
    *role = (Role){.kind = ROLE_MEMORY, .base = INSN_REG_NONE, .index = INSN_REG_NONE, .scale = 1};
    (*text)++;
    while (**text != ')') {
        *text += **text == '+';
        uint32_t reg;
        if (**text == 'i' || **text == 'n') {
            if (!has_number(w->instr)) return false;
            bool narrow = operator_width(w->instr) == 4;
            int64_t number = narrow ? (int32_t)w->instr->imm : w->instr->imm;
            role->number += *(*text)++ == 'i' ? number : -number;
        } else if (**text == '-' || isdigit((unsigned char)**text)) {
            role->number += parse_number(text);
        } else if (!parse_address_register(w, text, &reg)) {
            return false;
        } else if (**text == '*') {
            (*text)++;
            role->index = reg;
            role->scale = (uint32_t)parse_number(text);
        } else if (role->base == INSN_REG_NONE) {
            role->base = reg;
        } else {
            role->index = reg;
        }
    }
    (*text)++;
    return true;
}

static bool parse_letter(const Walk *w, const char **text, Role *role) {
    const MachInstr *instr = w->instr;
    char letter = *(*text)++;
    int k = source_number(letter);
    if (k >= 0) return role_of_source(w, k, role);
    switch (letter) {
    case 'd': role->place = instr->dest; return instr->dest.i != NO_ID;
    case 'm':
        role->kind = ROLE_ADDRESS;
        role->source = true;
        if (**text == '+') {
            role->number = parse_number(text);
            role->mode = '+';
        }
        return instr->addressed;
    case 'i':
    case 'n':
    case 'u':
    case 'k':
        role->kind = ROLE_NUMBER;
        role->mode = letter;
        return has_number(instr);
    case 'q':
    case 'v':
    case 'g':
        role->kind = ROLE_AREA;
        role->area = letter == 'q'   ? w->frame.x87
                     : letter == 'v' ? w->frame.variable
                                     : w->frame.guard;
        role->number = parse_number(text);
        return true;
    case 'y':
        role->kind = ROLE_SYMBOL;
        role->number = parse_number(text);
        return true;
    case 'o':
        role->kind = ROLE_AREA;
        role->area = instr->ref;
        return true;
    case 'z': role->place = mach_results(w->func, instr)[parse_number(text)]; return true;
    case 'h': role->place = mach_arguments(w->func, instr)[parse_number(text)]; return true;
    case 't': role->kind = ROLE_TRAP; return true;
    default: return false;
    }
}

static bool parse_special(const char **text, Role *role) {
    const char *at = *text;
    if (*at == '$' && at[1] == 'y') {
        *text += 2;
        *role = (Role){.kind = ROLE_SYMBOL_NUMBER, .number = parse_number(text)};
    } else if (*at == '$') {
        *text += 1;
        *role = (Role){.kind = ROLE_LITERAL, .number = parse_number(text)};
    } else if (*at == '@') {
        *text += 1;
        *role = (Role){.kind = ROLE_BLOCK, .number = parse_number(text)};
    } else if (*at == '&') {
        *text += 1;
        *role = (Role){.kind = ROLE_LABEL_ADDRESS, .number = parse_number(text)};
    } else if (isdigit((unsigned char)*at)) {
        *role = (Role){.kind = ROLE_LABEL, .number = parse_number(text)};
    } else if (strncmp(at, "got", 3) == 0 || strncmp(at, "tpoff", 5) == 0) {
        *text += *at == 'g' ? 3 : 5;
        *role = (Role){.kind = *at == 'g' ? ROLE_GOT : ROLE_TPOFF};
    } else if (strncmp(at, "fs:", 3) == 0) {
        *text += 3;
        *role = (Role){.kind = ROLE_SEGMENT, .number = parse_number(text)};
    } else if (*at == 'p' && isdigit((unsigned char)at[1])) {
        *text += 1;
        *role = (Role){.kind = ROLE_POOL, .size = (uint32_t)parse_number(text)};
        *text += 1;
        role->number = parse_number(text);
        *text += 1;
        role->high = (uint64_t)parse_number(text);
    } else if (*at == '^') {
        size_t length = strcspn(at + 1, " ,;");
        *role = (Role){.kind = ROLE_NAME};
        snprintf(role->name, sizeof role->name, "%.*s", (int)length, at + 1);
        *text += 1 + length;
    } else {
        return false;
    }
    return true;
}

// The next operand of a text. False if the instruction at hand has none such.
static bool parse_role(const Walk *w, const char **text, Role *role) {
    *role = (Role){.kind = ROLE_PLACE, .place = NO_PLACE};
    if (**text == '(') {
        if (!parse_memory(w, text, role)) return false;
    } else if (!parse_special(text, role)) {
        uint32_t reg = parse_register(w, text);
        if (reg != INSN_REG_NONE)
            role->place = place_machine((MachineReg)reg);
        else if (!parse_letter(w, text, role))
            return false;
    }
    if (**text == ':') {
        (*text)++;
        role->width = (uint8_t)parse_number(text);
    }
    return true;
}

// ---- Operands

static bool bind_area(Walk *w, uint32_t area, int64_t at) {
    if (w->frame.areas[area].at == UNBOUND) {
        w->frame.areas[area].at = at;
        vec_push(w->arena, &w->bound, area);
        w->now.bound = w->bound.count;
    }
    return w->frame.areas[area].at == at;
}

static bool is_plain_memory(const InsnOperand *operand) {
    return operand->kind == INSN_OPERAND_MEMORY && operand->segment == INSN_SEGMENT_NONE;
}

// What may be at `number` bytes from the start of a part of the frame.
static bool fits_area(Walk *w, uint32_t area, int64_t number, const InsnOperand *operand) {
    return is_plain_memory(operand) && operand->base == w->frame.found.base &&
           operand->index == INSN_REG_NONE && bind_area(w, area, operand->value - number);
}

// The result of an operator in a spill is written whole.
static bool is_part_of_result(const Walk *w, Place place, uint32_t width) {
    const MachInstr *instr = w->instr;
    bool has_type = instr && (instr->kind == MK_OP || instr->kind == MK_MOVE);
    if (!has_type || place.i != instr->dest.i || !place_is_spill(place)) return false;
    Type type = op_info((Op)instr->op)->result;
    return width < (type == TYPE_F80 ? 10 : type == TYPE_I64 || type == TYPE_F64 ? 8 : 4);
}

static bool fits_place(Walk *w, const Role *role, const InsnOperand *operand) {
    Place place = role->place;
    if (role->source && match_is_stale(w, place)) return false;
    if (role->width && operand->width != role->width) return false;
    if (place_is_machine(place))
        return operand->kind == INSN_OPERAND_REG && operand->reg == place_index(place);
    return operand->width <= w->func->mach->spills.at[place_index(place)].size &&
           !(is_part_of_result(w, place, operand->width) && !role->source) &&
           fits_area(w, w->frame.spills + place_index(place), 0, operand);
}

static int64_t low_bytes(int64_t number, uint32_t width) {
    return width >= 8 ? number : (int64_t)((uint64_t)number & (((uint64_t)1 << 8 * width) - 1));
}

static bool fits_number(const Walk *w, const Role *role, const Insn *insn,
                        const InsnOperand *operand) {
    if (operand->kind != INSN_OPERAND_IMM) return false;
    uint32_t width = insn->width ? insn->width : 8, own = operator_width(w->instr);
    int64_t number = role->kind == ROLE_LITERAL ? role->number : w->instr->imm;
    if (role->kind == ROLE_LITERAL) own = 8;
    switch (role->mode) {
    case 'n': number = (int64_t)(0 - (uint64_t)number); break;
    case 'u': return insn->width == 4 && low_bytes(operand->value, 4) == number;
    case 'k': return operand->value == (number & (own == 8 ? 63 : 31));
    default: break;
    }
    if (own < width) width = own;
    return low_bytes(operand->value, width) == low_bytes(number, width);
}

static bool fits_registers(const InsnOperand *operand, uint32_t base, uint32_t index,
                           uint32_t scale) {
    return is_plain_memory(operand) && operand->base == base && operand->index == index &&
           operand->scale == scale;
}

static bool fits_symbol(Walk *w, const Insn *insn, const InsnOperand *operand, Sym symbol,
                        int64_t offset) {
    LinkTarget target;
    bool relative = operand->base == INSN_REG_RIP;
    if (!insn->displacement_size ||
        !link_target(w, insn, insn->displacement_at, operand->value, relative, &target))
        return false;
    bool kind = relative ? target.type == LINK_COMPUTED || target.type == RELOC_PC32
                         : target.type == RELOC_32S;
    return kind && link_is_symbol(w->object, &target, symbol, offset);
}

static uint32_t address_register(Place place) {
    return place.i == NO_ID ? INSN_REG_NONE : place_index(place);
}

static bool fits_address(Walk *w, const Role *role, const Insn *insn, const InsnOperand *operand) {
    const MachInstr *instr = w->instr;
    int64_t displacement = instr->displacement + role->number;
    uint32_t index = instr->scale ? address_register(instr->index) : INSN_REG_NONE;
    uint32_t scale = instr->scale ? instr->scale : 1, base = address_register(instr->base_place);
    if ((instr->base_place.i != NO_ID && match_is_stale(w, instr->base_place)) ||
        (instr->scale && match_is_stale(w, instr->index)))
        return false;
    bool access = insn->mnemonic != INSN_LEA && role->mode != '+';
    uint32_t chunk = chunk_size((Chunk)instr->chunk);
    // A part of what is there may do, but not more: the chunk says how that is extended.
    if (access && (role->width > chunk || operand->width != (role->width ? role->width : chunk)))
        return false;
    if (role->mode == '+' && role->width && operand->width != role->width) return false;
    switch ((MachBase)instr->base) {
    case MB_NONE: break;
    case MB_PLACE: break;
    case MB_SYMBOL:
        if (base == INSN_REG_NONE && index == INSN_REG_NONE) base = INSN_REG_RIP;
        return fits_registers(operand, base, index, scale) &&
               fits_symbol(w, insn, operand, (Sym){instr->ref}, displacement);
    case MB_SLOT:
        return fits_registers(operand, w->frame.found.base, index, scale) &&
               bind_area(w, instr->ref, operand->value - displacement);
    case MB_INCOMING: {
        base = w->frame.found.incoming;
        const WalkFrame *frame = &w->frame;
        displacement += base == M_RSP ? 8 + 8 * (int64_t)frame->pushed + (int64_t)frame->size : 16;
        break;
    }
    case MB_OUTGOING: base = M_RSP; break;
    }
    return fits_registers(operand, base, index, scale) && operand->value == displacement;
}

static bool fits_table(Walk *w, const Role *role, const Insn *insn, const InsnOperand *operand) {
    LinkTarget target;
    if (operand->base != INSN_REG_RIP || !insn->displacement_size ||
        !link_target(w, insn, insn->displacement_at, operand->value, true, &target))
        return false;
    if (role->kind == ROLE_POOL)
        return (target.type == LINK_COMPUTED || target.type == RELOC_PC32) &&
               link_is_constant(w->object, &target, role->size, (uint64_t)role->number, role->high);
    if (role->kind == ROLE_TPOFF && target.type != RELOC_GOTTPOFF) return false;
    if (role->kind != ROLE_TPOFF && target.type != RELOC_GOTPCREL &&
        target.type != RELOC_GOTPCRELX && target.type != RELOC_REX_GOTPCRELX)
        return false;
    if (role->kind == ROLE_NAME) return link_is_name(w->object, &target, role->name);
    return link_is_symbol(w->object, &target, (Sym){w->instr->ref}, 0);
}

// The address of a symbol as a number, or as the target of a direct branch.
static bool fits_symbol_number(Walk *w, const Role *role, const Insn *insn,
                               const InsnOperand *operand) {
    LinkTarget target;
    bool branch = operand->kind == INSN_OPERAND_TARGET;
    if ((!branch && operand->kind != INSN_OPERAND_IMM) ||
        !link_target(w, insn, insn->number_at, operand->value, branch, &target))
        return false;
    bool kind = branch ? target.type == LINK_COMPUTED || target.type == RELOC_PC32 ||
                             target.type == RELOC_PLT32
                       : target.type == (insn->width == 8 ? RELOC_32S : RELOC_32);
    if (!kind || (!branch && insn->number_size != 4)) return false;
    if (role->kind == ROLE_NAME) return link_is_name(w->object, &target, role->name);
    return link_is_symbol(w->object, &target, (Sym){w->instr->ref}, role->number);
}

// What a direct branch within the function leads to.
static bool fits_target(Walk *w, const Role *role, const Insn *insn, const InsnOperand *operand) {
    bool address = role->kind == ROLE_LABEL_ADDRESS;
    if (address ? !fits_registers(operand, INSN_REG_RIP, INSN_REG_NONE, 1)
                : operand->kind != INSN_OPERAND_TARGET)
        return false;
    uint64_t to = w->now.at + insn->length + (uint64_t)operand->value;
    if (to < w->start || to >= w->end) return false;
    if (role->kind == ROLE_BLOCK) {
        vec_push(w->arena, &w->jumps,
                 (Jump){.to = to, .block = (uint32_t)role->number, .at = w->now.at});
        w->now.jumps = w->jumps.count;
        return true;
    }
    if (role->kind == ROLE_TRAP) {
        Insn trap;
        const uint8_t *bytes = w->object->elf.sections[w->section].bytes;
        return insn_decode(bytes + to, w->end - to, &trap) && trap.mnemonic == INSN_UD2;
    }
    if (w->now.label_at[role->number] != UINT64_MAX) { // a loop: all is read again
        for (uint32_t k = 0; w->instr && role->number < 6 && k < MACH_PLAIN_READS; k++) {
            Place place = mach_read_at(w->func, w->instr, k);
            if (place.i != NO_ID && match_is_stale(w, place)) return false;
        }
        return to == w->now.label_at[role->number];
    }
    if (w->now.label_to[role->number] == UINT64_MAX) w->now.label_to[role->number] = to;
    return w->now.label_to[role->number] == to;
}

// `relocs` counts the relocations that belong to the operand.
static bool fits(Walk *w, const Role *role, const Insn *insn, const InsnOperand *operand) {
    switch ((RoleKind)role->kind) {
    case ROLE_PLACE: return fits_place(w, role, operand);
    case ROLE_NUMBER:
    case ROLE_LITERAL: return fits_number(w, role, insn, operand);
    case ROLE_ADDRESS: return fits_address(w, role, insn, operand);
    case ROLE_MEMORY:
        return fits_registers(operand, role->base, role->index, role->scale) &&
               operand->value == role->number && (!role->width || operand->width == role->width);
    case ROLE_SEGMENT:
        return operand->kind == INSN_OPERAND_MEMORY && operand->segment == INSN_SEGMENT_FS &&
               operand->base == INSN_REG_NONE && operand->index == INSN_REG_NONE &&
               operand->value == role->number;
    case ROLE_AREA:
        return (!role->width || operand->width == role->width) &&
               (uint64_t)role->number + operand->width <= w->frame.areas[role->area].size &&
               fits_area(w, role->area, role->number, operand);
    case ROLE_SYMBOL:
        if (operand->kind == INSN_OPERAND_TARGET) return fits_symbol_number(w, role, insn, operand);
        return fits_registers(operand, INSN_REG_RIP, INSN_REG_NONE, 1) &&
               fits_symbol(w, insn, operand, (Sym){w->instr->ref}, role->number);
    case ROLE_SYMBOL_NUMBER: return fits_symbol_number(w, role, insn, operand);
    case ROLE_NAME:
        return operand->kind == INSN_OPERAND_TARGET
                   ? fits_symbol_number(w, role, insn, operand)
                   : is_plain_memory(operand) && fits_table(w, role, insn, operand);
    case ROLE_POOL:
    case ROLE_GOT:
    case ROLE_TPOFF: return is_plain_memory(operand) && fits_table(w, role, insn, operand);
    case ROLE_BLOCK:
    case ROLE_LABEL:
    case ROLE_LABEL_ADDRESS:
    case ROLE_TRAP: return fits_target(w, role, insn, operand);
    }
    return false;
}

// ---- Lines

void walk_insn_name(const Insn *insn, char *name, size_t size) {
    const char *base = insn_names[insn->mnemonic], *condition = "";
    size_t keep = strlen(base);
    if (insn->mnemonic == INSN_JCC || insn->mnemonic == INSN_SETCC ||
        insn->mnemonic == INSN_CMOVCC) {
        keep -= 2;
        condition = condition_names[insn->condition];
    }
    snprintf(name, size, "%.*s%s", (int)keep, base, condition);
    for (; *name; name++) *name = (char)tolower((unsigned char)*name);
}

// Whether a word of a text names the instruction.
static bool is_name(const Insn *insn, const char *word, size_t length) {
    char name[32];
    walk_insn_name(insn, name, sizeof name);
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

// The width of an operation that may be wider or narrower than its operator: a spill is written whole, and a mask that is
// positive clears the upper half.
static uint32_t free_width(const MachInstr *instr, uint32_t own) {
    bool masks = op_family((Op)instr->op) == FAM_AND && instr->immediate == 1 && instr->imm >= 0 &&
                 instr->imm <= INT32_MAX;
    if (place_is_spill(instr->dest)) return 8;
    return masks ? 4 : own;
}

static bool fits_width(const Walk *w, const Insn *insn, char width) {
    uint32_t own = operator_width(w->instr);
    switch (width) {
    case 'w': return insn->width == own;
    case 'c': return insn->width == chunk_size((Chunk)w->instr->chunk);
    case 'v': return insn->width == free_width(w->instr, own);
    default: return insn->width == width - '0';
    }
}

static bool take_prefix(const char **text, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0) return false;
    *text += length;
    return true;
}

// Whether there are other relocations within an instruction than those of its operands.
bool walk_has_other_relocs(const Walk *w, const Insn *insn) {
    const ElfSection *section = &w->object->elf.sections[w->section];
    uint32_t first = elf_first_reloc(section, w->now.at);
    return elf_first_reloc(section, w->now.at + insn->length) - first != w->relocs;
}

bool walk_skip(Walk *w, InsnName name) {
    const Insn *insn = walk_insn(w);
    w->relocs = 0;
    if (!insn || insn->mnemonic != name || walk_has_other_relocs(w, insn)) return false;
    walk_step(w);
    return true;
}

const Insn *walk_branch(Walk *w, uint64_t *to) {
    const Insn *insn = walk_insn(w);
    w->relocs = 0;
    if (!insn || insn->operands != 1 || insn->operand[0].kind != INSN_OPERAND_TARGET ||
        insn->mnemonic == INSN_CALL || walk_has_other_relocs(w, insn))
        return NULL;
    *to = w->now.at + insn->length + (uint64_t)insn->operand[0].value;
    return insn;
}

static bool match_insn(Walk *w, const char **text) {
    const Insn *insn = walk_insn(w);
    if (!insn) return false;
    bool lock = take_prefix(text, "lock "), rep = take_prefix(text, "rep ");
    bool notrack = take_prefix(text, "notrack "), cs = take_prefix(text, "cs ");
    size_t length = strcspn(*text, ".; ");
    if (insn->lock != lock || insn->rep != rep || insn->notrack != notrack ||
        insn->cs_prefix != cs || !is_name(insn, *text, length))
        return false;
    *text += length;
    char width = 0;
    if (**text == '.') {
        width = (*text)[1];
        *text += 2;
    }
    uint32_t count = 0;
    bool dest = false;
    w->relocs = 0;
    while (**text == ' ' || **text == ',') {
        Role role;
        (*text)++;
        if (!parse_role(w, text, &role) || count == insn->operands ||
            !fits(w, &role, insn, &insn->operand[count]))
            return false;
        dest = role.kind == ROLE_PLACE && w->instr && role.place.i == w->instr->dest.i;
        count++;
    }
    if (count != insn->operands || (width && !fits_width(w, insn, width)) ||
        walk_has_other_relocs(w, insn))
        return false;
    walk_step(w);
    w->now.placed = w->object->bound.count;
    w->now.dest_written |= dest && place_is_spill(w->instr->dest);
    return true;
}

// ?[CHUNK], ?spill, ?reg, ?short, ?same, ?role=NUMBER, ?role REGISTER
static bool match_guard(const Walk *w, const char **text) {
    const MachInstr *instr = w->instr;
    Role role;
    (*text)++;
    if (**text == '[') {
        size_t length = strcspn(++*text, "]");
        bool same = instr->memory == 0 && chunk_named(*text, length) == (Chunk)instr->chunk;
        *text += length + 1;
        return same;
    }
    if (take_prefix(text, "spill")) return place_is_spill(instr->dest);
    if (take_prefix(text, "reg")) return place_is_machine(instr->dest);
    if (take_prefix(text, "same")) return instr->dest.i == instr->src[0].i;
    if (take_prefix(text, "short"))
        return instr->dest.i == instr->src[0].i && place_is_machine(instr->dest) &&
               w->now.short_regs & MACHINE_REG_BIT(place_index(instr->dest));
    if (!parse_role(w, text, &role)) return false;
    bool number = *(*text)++ == '=';
    if (!number)
        return role.kind == ROLE_PLACE && place_is_machine(role.place) &&
               parse_register(w, text) == place_index(role.place);
    uint32_t width = operator_width(instr);
    int64_t value = low_bytes(instr->imm, width);
    if (role.mode == 'k') value &= width == 8 ? 63 : 31;
    return role.kind == ROLE_NUMBER && value == parse_number(text);
}

static bool match_label(Walk *w, const char **text) {
    uint32_t label = (uint32_t)(**text - '0');
    *text += 2;
    w->now.label_at[label] = w->now.at;
    w->now.flags_reg = INSN_REG_NONE; // not all that lead here have established it
    w->now.short_regs = 0;
    return w->now.label_to[label] == UINT64_MAX || w->now.label_to[label] == w->now.at;
}

// move X,Y with the type of the operator's first operand.
static bool match_move_line(Walk *w, const char **text) {
    char from[24] = "", to[24] = "";
    size_t length = strcspn(*text, ",");
    snprintf(from, sizeof from, "%.*s", (int)length, *text);
    *text += length + 1;
    length = strcspn(*text, ";");
    snprintf(to, sizeof to, "%.*s", (int)length, *text);
    *text += length;
    const OpInfo *op = op_info((Op)w->instr->op);
    return match_move(w, op->arity ? op->operand[op->arity == 3 ? 1 : 0] : op->result, from, to);
}

static bool match_line(Walk *w, const char **text) {
    if (**text == '?') return match_guard(w, text);
    if (isdigit((unsigned char)**text)) return match_label(w, text);
    if (take_prefix(text, "move ")) return match_move_line(w, text);
    return match_insn(w, text);
}

void match_undo(Walk *w, const WalkState *before) {
    for (uint32_t k = before->bound; k < w->bound.count; k++)
        w->frame.areas[w->bound.at[k]].at = UNBOUND;
    for (Object *object = w->object; object->bound.count > before->placed;)
        object->places[vec_pop(&object->bound).i].section = 0;
    w->now = *before;
    w->jumps.count = before->jumps;
    w->bound.count = before->bound;
}

bool match(Walk *w, const char *text) {
    WalkState before = w->now;
    bool good = true;
    while (good && *text) {
        good = match_line(w, &text);
        text += good && *text == ';';
        while (*text == ' ') text++;
    }
    if (good) return true;
    walk_fails(w, NULL);
    match_undo(w, &before);
    return false;
}

bool match_format(Walk *w, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return match(w, text);
}

// ---- Machine instructions

void match_begin(Walk *w, const MachInstr *instr) {
    w->instr = instr;
    w->now.written = 0;
    w->now.dest_written = false;
    for (uint32_t k = 0; k < LOCAL_LABELS; k++)
        w->now.label_at[k] = w->now.label_to[k] = UINT64_MAX;
}

static MachineRegSet bit_of(Place place) {
    return place.i != NO_ID && place_is_machine(place) ? MACHINE_REG_BIT(place_index(place)) : 0;
}

bool match_end(Walk *w) {
    const MachInstr *instr = w->instr;
    for (uint32_t k = 0; k < LOCAL_LABELS; k++)
        if (w->now.label_to[k] != UINT64_MAX && w->now.label_to[k] != w->now.label_at[k])
            return walk_fails(w, "a jump within it leads elsewhere");
    mach_constraints(w->arena, w->func, instr, &w->constraints);
    MachineRegSet may = w->constraints.clobbers | w->constraints.killed;
    for (uint32_t k = 0; k < mach_set_count(instr); k++)
        may |= bit_of(mach_set_at(w->func, instr, k));
    if (instr->kind == MK_EXCHANGE) may |= bit_of(instr->src[0]);
    return !(w->now.written & ~may) || walk_fails(w, "a register is destroyed that must not be");
}
