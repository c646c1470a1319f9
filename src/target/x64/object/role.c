#include "target/x64/object/role.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool match_is_stale(const CodeWalk *w, Place place) {
    if (place_is_machine(place)) return w->now.written & X64_BIT(place_index(place));
    return w->now.dest_written && place.i == w->instr->dest.i;
}

// A register by its name; fb is the one by which the frame is found, ri the one that the
// instruction names.
uint32_t role_register(const CodeWalk *w, const char **text) {
    char name[8] = "";
    size_t length = 0;
    const char *at = *text;
    while (isalnum((unsigned char)at[length]) && length < 5) length++;
    if (length < 2) return INSN_REG_NONE;
    if (length == 2 && memcmp(at, "fb", 2) == 0) {
        *text += 2;
        return w->frame.found.base;
    }
    if (length == 2 && memcmp(at, "ri", 2) == 0) {
        *text += 2;
        return (uint32_t)w->instr->imm;
    }
    snprintf(name, sizeof name, "%s%.*s", at[0] == 'x' ? "xmm" : "", (int)(length - (at[0] == 'x')),
             at + (at[0] == 'x'));
    MachineReg reg = target_register_named(w->program->target, name, strlen(name));
    if (reg == MACHINE_REG_LIMIT) return INSN_REG_NONE;
    *text += length;
    return reg;
}

static int source_number(char letter) {
    const char *at = memchr("abce", letter, 4);
    return at ? (int)(at - "abce") : -1;
}

static bool role_of_source(const CodeWalk *w, int k, OperandRole *role) {
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
static bool parse_address_register(const CodeWalk *w, const char **text, uint32_t *reg) {
    *reg = role_register(w, text);
    if (*reg != INSN_REG_NONE) return true;
    OperandRole role = {0};
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

// The negation of the lowest number does not fit.
static bool has_negation(const MachInstr *instr) {
    return x64_has_number(instr) && (int32_t)instr->imm != INT32_MIN;
}

// N or i behind a symbol.
static int64_t symbol_offset(const CodeWalk *w, const char **text) {
    return x64_text_word(text, "+i") ? w->instr->imm : x64_text_number(text);
}

// (R+R*N+N), where one number may be i or n.
static bool parse_memory(const CodeWalk *w, const char **text, OperandRole *role) {
    *role = (OperandRole){
        .kind = ROLE_MEMORY, .base = INSN_REG_NONE, .index = INSN_REG_NONE, .scale = 1};
    (*text)++;
    while (**text != ')') {
        *text += **text == '+';
        uint32_t reg;
        if (**text == 'i' || **text == 'n') {
            if (**text == 'n' ? !has_negation(w->instr) : !x64_has_number(w->instr)) return false;
            bool narrow = x64_operator_width(w->instr) == 4;
            int64_t number = narrow ? (int32_t)w->instr->imm : w->instr->imm;
            role->number += *(*text)++ == 'i' ? number : -number;
        } else if (**text == '-' || isdigit((unsigned char)**text)) {
            role->number += x64_text_number(text);
        } else if (!parse_address_register(w, text, &reg)) {
            return false;
        } else if (**text == '*') {
            (*text)++;
            role->index = reg;
            role->scale = (uint32_t)x64_text_number(text);
        } else if (role->base == INSN_REG_NONE) {
            role->base = reg;
        } else {
            role->index = reg;
        }
    }
    (*text)++;
    return true;
}

static bool parse_letter(const CodeWalk *w, const char **text, OperandRole *role) {
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
            role->number = x64_text_number(text);
            role->mode = '+';
        }
        return instr->addressed;
    case 'i':
    case 'n':
    case 'u':
    case 'k':
        role->kind = ROLE_NUMBER;
        role->mode = letter;
        return letter == 'n' ? has_negation(instr) : x64_has_number(instr);
    case 'q':
    case 'v':
    case 'g':
        role->kind = ROLE_AREA;
        role->area = letter == 'q'   ? w->frame.x87
                     : letter == 'v' ? w->frame.variable
                                     : w->frame.guard;
        role->number = x64_text_number(text);
        return true;
    case 'y':
        role->kind = ROLE_SYMBOL;
        role->number = symbol_offset(w, text);
        return true;
    case 'o':
        role->kind = ROLE_AREA;
        role->area = instr->ref;
        return true;
    case 'z': role->place = mach_results(w->func, instr)[x64_text_number(text)]; return true;
    case 'h': role->place = mach_arguments(w->func, instr)[x64_text_number(text)]; return true;
    case 't': role->kind = ROLE_TRAP; return true;
    default: return false;
    }
}

// ^NAME; ^y is the symbol of the instruction.
static void parse_role_name(const char **text, OperandRole *role) {
    if (**text != '^') return;
    size_t length = strcspn(*text + 1, " ,;");
    if (length != 1 || (*text)[1] != 'y')
        snprintf(role->name, sizeof role->name, "%.*s", (int)length, *text + 1);
    *text += 1 + length;
}

static bool parse_special(const CodeWalk *w, const char **text, OperandRole *role) {
    const char *at = *text;
    if (*at == '$' && at[1] == 'y') {
        *text += 2;
        *role = (OperandRole){.kind = ROLE_SYMBOL_NUMBER, .number = symbol_offset(w, text)};
    } else if (*at == '$') {
        *text += 1;
        *role = (OperandRole){.kind = ROLE_LITERAL, .number = x64_text_number(text)};
    } else if (*at == '@') {
        *text += 1;
        *role = (OperandRole){.kind = ROLE_BLOCK, .number = x64_text_number(text)};
    } else if (*at == '&') {
        *text += 1;
        *role = (OperandRole){.kind = ROLE_LABEL_ADDRESS, .number = x64_text_number(text)};
    } else if (isdigit((unsigned char)*at)) {
        *role = (OperandRole){.kind = ROLE_LABEL, .number = x64_text_number(text)};
    } else if (strncmp(at, "got", 3) == 0 || strncmp(at, "tpoff", 5) == 0) {
        *text += *at == 'g' ? 3 : 5;
        *role = (OperandRole){.kind = *at == 'g' ? ROLE_GOT : ROLE_TPOFF};
        parse_role_name(text, role);
    } else if (strncmp(at, "tlsgd", 5) == 0) {
        *text += 5;
        *role = (OperandRole){.kind = ROLE_TLSGD};
    } else if (strncmp(at, "fs:", 3) == 0) {
        *text += 3;
        *role = (OperandRole){.kind = ROLE_SEGMENT, .number = x64_text_number(text)};
    } else if (x64_text_word(text, "pi")) {
        bool wide = op_info((Op)w->instr->op)->result == TYPE_F80;
        *role = (OperandRole){.kind = ROLE_POOL,
                              .size = wide ? 16 : 8,
                              .number = w->instr->imm,
                              .high = w->instr->high};
    } else if (*at == 'p' && isdigit((unsigned char)at[1])) {
        *text += 1;
        *role = (OperandRole){.kind = ROLE_POOL, .size = (uint32_t)x64_text_number(text)};
        *text += 1;
        role->number = x64_text_number(text);
        *text += 1;
        role->high = (uint64_t)x64_text_number(text);
    } else if (*at == '^') {
        *role = (OperandRole){.kind = ROLE_TARGET};
        parse_role_name(text, role);
    } else {
        return false;
    }
    return true;
}

bool role_parse(const CodeWalk *w, const char **text, OperandRole *role) {
    *role = (OperandRole){.kind = ROLE_PLACE, .place = NO_PLACE};
    if (**text == '(') {
        if (!parse_memory(w, text, role)) return false;
    } else if (!parse_special(w, text, role)) {
        uint32_t reg = role_register(w, text);
        if (reg != INSN_REG_NONE)
            role->place = place_machine((MachineReg)reg);
        else if (!parse_letter(w, text, role))
            return false;
    }
    if (**text == ':') {
        (*text)++;
        role->width = (uint8_t)x64_text_number(text);
    }
    return true;
}

// ---- Operands

static bool bind_area(CodeWalk *w, uint32_t area, int64_t at) {
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
static bool fits_area(CodeWalk *w, uint32_t area, int64_t number, const InsnOperand *operand) {
    return is_plain_memory(operand) && operand->base == w->frame.found.base &&
           operand->index == INSN_REG_NONE && bind_area(w, area, operand->value - number);
}

// The result of an operator in a spill is written whole.
static bool is_part_of_result(const CodeWalk *w, Place place, uint32_t width) {
    const MachInstr *instr = w->instr;
    bool has_type = instr && (instr->kind == MK_OP || instr->kind == MK_MOVE);
    if (!has_type || place.i != instr->dest.i || !place_is_spill(place)) return false;
    Type type = op_info((Op)instr->op)->result;
    return width < (type == TYPE_F80 ? 10 : type == TYPE_I64 || type == TYPE_F64 ? 8 : 4);
}

static bool fits_place(CodeWalk *w, const OperandRole *role, const InsnOperand *operand) {
    Place place = role->place;
    if (role->source && match_is_stale(w, place)) return false;
    if (role->width && operand->width != role->width) return false;
    if (place_is_machine(place))
        return operand->kind == INSN_OPERAND_REG && operand->reg == place_index(place);
    return operand->width <= w->func->mach->spills.at[place_index(place)].size &&
           !(is_part_of_result(w, place, operand->width) && !role->source) &&
           fits_area(w, w->frame.spills + place_index(place), 0, operand);
}

static bool fits_number(const CodeWalk *w, const OperandRole *role, const Insn *insn,
                        const InsnOperand *operand) {
    if (operand->kind != INSN_OPERAND_IMM) return false;
    uint32_t width = insn->width ? insn->width : 8, own = x64_operator_width(w->instr);
    int64_t number = role->kind == ROLE_LITERAL ? role->number : w->instr->imm;
    if (role->kind == ROLE_LITERAL) own = 8;
    switch (role->mode) {
    case 'n': number = (int64_t)(0 - (uint64_t)number); break;
    case 'u': return insn->width == 4 && x64_low_bytes(operand->value, 4) == number;
    case 'k': return operand->value == (number & (own == 8 ? 63 : 31));
    default: break;
    }
    if (own < width) width = own;
    return x64_low_bytes(operand->value, width) == x64_low_bytes(number, width);
}

static bool fits_registers(const InsnOperand *operand, uint32_t base, uint32_t index,
                           uint32_t scale) {
    return is_plain_memory(operand) && operand->base == base && operand->index == index &&
           operand->scale == scale;
}

// Whether an operand refers to the symbol of the instruction, or to what has the role's name.
static bool fits_link(CodeWalk *w, const char *name, int64_t offset, LinkLeads leads,
                      const Insn *insn, const InsnOperand *operand) {
    LinkTarget target;
    if (!link_target(w, insn, operand, &target) || target.leads != leads) return false;
    if (*name) return link_is_name(w->object, &target, name);
    return link_is_symbol(w->object, &target, (Sym){w->instr->ref}, offset);
}

static uint32_t address_register(Place place) {
    return place.i == NO_ID ? INSN_REG_NONE : place_index(place);
}

static bool fits_address(CodeWalk *w, const OperandRole *role, const Insn *insn,
                         const InsnOperand *operand) {
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
               fits_link(w, "", displacement, LEADS_SYMBOL, insn, operand);
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

static bool fits_pool(CodeWalk *w, const OperandRole *role, const Insn *insn,
                      const InsnOperand *operand) {
    LinkTarget target;
    return link_target(w, insn, operand, &target) && target.leads == LEADS_SYMBOL &&
           link_is_constant(w->object, &target, role->size, (uint64_t)role->number, role->high);
}

// What a direct branch within the function leads to.
static bool fits_target(CodeWalk *w, const OperandRole *role, const Insn *insn,
                        const InsnOperand *operand) {
    bool address = role->kind == ROLE_LABEL_ADDRESS;
    if (address ? !fits_registers(operand, INSN_REG_RIP, INSN_REG_NONE, 1)
                : operand->kind != INSN_OPERAND_TARGET)
        return false;
    uint64_t to = w->now.at + insn->length + (uint64_t)operand->value;
    if (to < w->start || to >= w->end) return false;
    if (role->kind == ROLE_BLOCK) {
        vec_push(w->arena, &w->jumps,
                 (BlockJump){.to = to, .block = (uint32_t)role->number, .at = w->now.at});
        w->now.jumps = w->jumps.count;
        return true;
    }
    if (role->kind == ROLE_TRAP) {
        if (w->trap_at == UINT64_MAX) w->trap_at = to;
        return w->trap_at == to;
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

bool role_fits(CodeWalk *w, const OperandRole *role, const Insn *insn, const InsnOperand *operand) {
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
    case ROLE_TARGET:
        return operand->kind == INSN_OPERAND_TARGET &&
               fits_link(w, role->name, 0, LEADS_SYMBOL, insn, operand);
    case ROLE_SYMBOL_NUMBER:
        return operand->kind == INSN_OPERAND_IMM &&
               fits_link(w, "", role->number, LEADS_SYMBOL, insn, operand);
    case ROLE_SYMBOL:
        return fits_registers(operand, INSN_REG_RIP, INSN_REG_NONE, 1) &&
               fits_link(w, "", role->number, LEADS_SYMBOL, insn, operand);
    case ROLE_GOT:
    case ROLE_TPOFF:
        return fits_registers(operand, INSN_REG_RIP, INSN_REG_NONE, 1) &&
               fits_link(w, role->name, 0, role->kind == ROLE_GOT ? LEADS_TABLE : LEADS_THREADS,
                         insn, operand);
    case ROLE_TLSGD:
        return fits_registers(operand, INSN_REG_RIP, INSN_REG_NONE, 1) &&
               fits_link(w, "", 0, LEADS_MODULE, insn, operand);
    case ROLE_POOL:
        return fits_registers(operand, INSN_REG_RIP, INSN_REG_NONE, 1) &&
               operand->width == (role->width ? role->width : role->size) &&
               fits_pool(w, role, insn, operand);
    case ROLE_BLOCK:
    case ROLE_LABEL:
    case ROLE_LABEL_ADDRESS:
    case ROLE_TRAP: return fits_target(w, role, insn, operand);
    }
    return false;
}
