// Comparing instructions with texts: see walk.h.
#include "target/x64/object/role.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Instructions

const Insn *walk_insn(CodeWalk *w) {
    const ElfSection *section = &w->object->elf.sections[w->section];
    if (w->insn_at != w->now.at) {
        w->insn_at = w->now.at;
        w->decoded = w->now.at < w->end && section->bytes &&
                     insn_decode(section->bytes + w->now.at, w->end - w->now.at, &w->insn);
    }
    return w->decoded ? &w->insn : NULL;
}

bool walk_fails(CodeWalk *w, const char *reason) {
    bool further = w->failed_at == UINT64_MAX || w->now.at > w->failed_at;
    if (further || (w->now.at == w->failed_at && reason)) {
        w->failed_at = w->now.at;
        w->reason = reason;
    }
    return false;
}

static const char *const insn_names[INSN_COUNT] = {
#define MNEMONIC(name, text) #name,
#include "target/x64/object/insn.def"
};

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
    X64Regs writes; // besides operands
} InsnEffect;
#define BIT(reg) X64_BIT(M_##reg)

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
    [INSN_COMISS] = {READS_LAST, 0},
    [INSN_COMISD] = {READS_LAST, 0},
    [INSN_FLD] = {READS_LAST | KEEPS_FLAGS, 0},
    [INSN_FSTP] = {KEEPS_FLAGS, 0},
    [INSN_FILD] = {READS_LAST, 0},
    [INSN_FADD] = {READS_LAST, 0},
    [INSN_FLDCW] = {READS_LAST, 0},
};

// An imul of one operand is a product in rdx and rax.
static bool multiplies_rax(const Insn *insn) {
    return insn->mnemonic == INSN_IMUL && insn->operands == 1;
}

static bool writes_operand(const Insn *insn, uint32_t k) {
    uint8_t does = effects[insn->mnemonic].does;
    if (k + 1 < insn->operands) return does & WRITES_BOTH;
    return !(does & READS_LAST) && !multiplies_rax(insn);
}

// The registers that an instruction writes.
static X64Regs writes_of(const Insn *insn) {
    X64Regs set = effects[insn->mnemonic].writes;
    if (multiplies_rax(insn)) set |= BIT(RAX) | BIT(RDX);
    if (insn->mnemonic == INSN_CALL) set |= caller_saved_regs;
    for (uint32_t k = 0; k < insn->operands; k++)
        if (writes_operand(insn, k) && insn->operand[k].kind == INSN_OPERAND_REG)
            set |= X64_BIT(insn->operand[k].reg);
    return set;
}

static void learn_flags(CodeWalk *w, const Insn *insn, X64Regs writes) {
    uint8_t does = effects[insn->mnemonic].does;
    const InsnOperand *last = insn->operands ? &insn->operand[insn->operands - 1] : NULL;
    bool shift =
        insn->mnemonic == INSN_SHL || insn->mnemonic == INSN_SHR || insn->mnemonic == INSN_SAR;
    const InsnOperand *first = &insn->operand[0];
    bool number = last && first != last && first->kind == INSN_OPERAND_IMM;
    if (does & KEEPS_FLAGS) {
        if (w->now.flags_reg != INSN_REG_NONE && writes & X64_BIT(w->now.flags_reg))
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

static void learn_short(CodeWalk *w, const Insn *insn, X64Regs writes) {
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
    if (clears) w->now.short_regs |= X64_BIT(last->reg) & 0xffff;
}

void walk_step(CodeWalk *w) {
    const Insn *insn = &w->insn;
    X64Regs writes = writes_of(insn);
    learn_flags(w, insn, writes);
    learn_short(w, insn, writes);
    w->now.written |= writes;
    w->now.at += insn->length;
}

void walk_padding(CodeWalk *w) {
    while (!object_asm_starts(w->object, w->section, w->now.at) && walk_skip(w, INSN_NOP)) {
    }
}

// ---- Lines

void walk_insn_name(const Insn *insn, char *name, size_t size) {
    const char *base = insn_names[insn->mnemonic], *condition = "";
    size_t keep = strlen(base);
    if (insn->mnemonic == INSN_JCC || insn->mnemonic == INSN_SETCC ||
        insn->mnemonic == INSN_CMOVCC) {
        keep -= 2;
        condition = x64_condition_name(insn->condition);
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

// Whether there are other relocations within an instruction than those of its operands.
bool walk_has_other_relocs(const CodeWalk *w, const Insn *insn) {
    const ElfSection *section = &w->object->elf.sections[w->section];
    uint32_t first = elf_first_reloc(section, w->now.at);
    return elf_first_reloc(section, w->now.at + insn->length) - first != w->relocs;
}

bool walk_skip(CodeWalk *w, InsnName name) {
    const Insn *insn = walk_insn(w);
    w->relocs = 0;
    if (!insn || insn->mnemonic != name || walk_has_other_relocs(w, insn)) return false;
    walk_step(w);
    return true;
}

const Insn *walk_branch(CodeWalk *w, uint64_t *to) {
    const Insn *insn = walk_insn(w);
    w->relocs = 0;
    if (!insn || insn->operands != 1 || insn->operand[0].kind != INSN_OPERAND_TARGET ||
        insn->mnemonic == INSN_CALL || walk_has_other_relocs(w, insn))
        return NULL;
    *to = w->now.at + insn->length + (uint64_t)insn->operand[0].value;
    return insn;
}

static bool match_insn(CodeWalk *w, const char **text) {
    const Insn *insn = walk_insn(w);
    if (!insn) return false;
    bool lock = x64_text_word(text, "lock "), rep = x64_text_word(text, "rep ");
    bool notrack = x64_text_word(text, "notrack "), cs = x64_text_word(text, "cs ");
    bool padded = x64_text_word(text, "padded ");
    size_t length = strcspn(*text, ".; ");
    if (insn->lock != lock || insn->rep != rep || insn->notrack != notrack ||
        insn->cs_prefix != cs || insn->padded != padded || !is_name(insn, *text, length))
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
    while ((**text == ' ' && (*text)[1] != '|') || **text == ',') {
        OperandRole role;
        (*text)++;
        if (!role_parse(w, text, &role) || count == insn->operands ||
            !role_fits(w, &role, insn, &insn->operand[count]))
            return false;
        dest |= role.kind == ROLE_PLACE && w->instr && role.place.i == w->instr->dest.i &&
                writes_operand(insn, count);
        count++;
    }
    if (count != insn->operands || (width && insn->width != x64_text_width(w->instr, width)) ||
        walk_has_other_relocs(w, insn))
        return false;
    walk_step(w);
    w->now.placed = w->object->bound.count;
    w->now.dest_written |= dest && place_is_spill(w->instr->dest);
    return true;
}

// A guard that the instruction alone decides, ?short, ?same, or ?role REGISTER.
static bool match_guard(const CodeWalk *w, const char **text) {
    const MachInstr *instr = w->instr;
    OperandRole role;
    bool known;
    (*text)++;
    bool holds = x64_guard(w->program, instr, text, &known);
    if (known) return holds;
    bool same = instr->dest.i == instr->src[0].i && !match_is_stale(w, instr->src[0]);
    if (x64_text_word(text, "same")) return same;
    if (x64_text_word(text, "short"))
        return same && place_is_machine(instr->dest) &&
               w->now.short_regs & X64_BIT(place_index(instr->dest));
    if (!role_parse(w, text, &role) || *(*text)++ != ' ') return false;
    return role.kind == ROLE_PLACE && place_is_machine(role.place) &&
           !(role.source && match_is_stale(w, role.place)) &&
           role_register(w, text) == place_index(role.place);
}

static bool match_label(CodeWalk *w, const char **text) {
    uint32_t label = (uint32_t)(**text - '0');
    *text += 2;
    w->now.label_at[label] = w->now.at;
    w->now.flags_reg = INSN_REG_NONE; // not all that lead here have established it
    w->now.short_regs = 0;
    return w->now.label_to[label] == UINT64_MAX || w->now.label_to[label] == w->now.at;
}

typedef struct {
    char from[24], to[24];
} MovedRoles;

// X,Y or X alone.
static MovedRoles moved_roles(const char **text) {
    MovedRoles roles = {0};
    size_t length = strcspn(*text, ",; ");
    snprintf(roles.from, sizeof roles.from, "%.*s", (int)length, *text);
    *text += length;
    if (**text != ',') return roles;
    length = strcspn(++*text, "; ");
    snprintf(roles.to, sizeof roles.to, "%.*s", (int)length, *text);
    *text += length;
    return roles;
}

static bool match_move_line(CodeWalk *w, const char **text) {
    MovedRoles roles = moved_roles(text);
    return match_move(w, x64_moved_type(w->instr), roles.from, roles.to);
}

static bool match_load_line(CodeWalk *w, const char **text) {
    MovedRoles roles = moved_roles(text);
    return match_load(w, roles.from, roles.to);
}

static bool match_extend_line(CodeWalk *w, const char **text) {
    MovedRoles roles = moved_roles(text);
    return chunk_size((Chunk)w->instr->chunk) >= 4 || match_load(w, roles.from, roles.from);
}

static bool match_line(CodeWalk *w, const char **text) {
    if (**text == '?') return match_guard(w, text);
    if (**text == '!') {
        *text += strcspn(*text, ";");
        return true;
    }
    if (isdigit((unsigned char)**text)) return match_label(w, text);
    if (x64_text_word(text, "move ")) return match_move_line(w, text);
    if (x64_text_word(text, "load ")) return match_load_line(w, text);
    if (x64_text_word(text, "store a,m")) return match_store(w);
    if (x64_text_word(text, "extend ")) return match_extend_line(w, text);
    if (x64_text_word(text, "plus ")) return match_plus(w, moved_roles(text).from);
    return match_insn(w, text);
}

void match_undo(CodeWalk *w, const WalkState *before) {
    for (uint32_t k = before->bound; k < w->bound.count; k++)
        w->frame.areas[w->bound.at[k]].at = UNBOUND;
    for (ObjectFile *object = w->object; object->bound.count > before->placed;)
        object->places[vec_pop(&object->bound).i].section = 0;
    w->now = *before;
    w->jumps.count = before->jumps;
    w->bound.count = before->bound;
}

bool code_is(CodeWalk *w, const char *text) {
    WalkState before = w->now;
    bool good = true;
    while (good && *text && *text != '|') {
        good = match_line(w, &text);
        text += good && *text == ';';
        while (*text == ' ') text++;
    }
    if (good) return true;
    walk_fails(w, NULL);
    match_undo(w, &before);
    return false;
}

bool code_is_any(CodeWalk *w, const char *row) {
    for (;;) {
        if (code_is(w, row)) return true;
        row = strchr(row, '|');
        if (!row) return false;
        row += 2;
    }
}

bool code_is_like(CodeWalk *w, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    // A text that was cut short would say less than it should.
    return length >= 0 && (size_t)length < sizeof text && code_is(w, text);
}

// ---- Machine instructions

void match_begin(CodeWalk *w, const MachInstr *instr) {
    w->instr = instr;
    w->now.written = 0;
    w->now.dest_written = false;
    for (uint32_t k = 0; k < LOCAL_LABELS; k++)
        w->now.label_at[k] = w->now.label_to[k] = UINT64_MAX;
}

static X64Regs bit_of(Place place) {
    return place.i != NO_ID && place_is_machine(place) ? X64_BIT(place_index(place)) : 0;
}

bool match_end(CodeWalk *w) {
    const MachInstr *instr = w->instr;
    for (uint32_t k = 0; k < LOCAL_LABELS; k++)
        if (w->now.label_to[k] != UINT64_MAX && w->now.label_to[k] != w->now.label_at[k])
            return walk_fails(w, "a jump within it leads elsewhere");
    mach_constraints(w->arena, w->func, instr, &w->constraints);
    X64Regs may = x64_regs(w->constraints.clobbers) | x64_regs(w->constraints.killed);
    for (uint32_t k = 0; k < mach_set_count(instr); k++)
        may |= bit_of(mach_set_at(w->func, instr, k));
    if (instr->kind == MK_EXCHANGE) may |= bit_of(instr->src[0]);
    return !(w->now.written & ~may) || walk_fails(w, "a register is destroyed that must not be");
}
