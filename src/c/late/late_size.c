// Sizes of objects behind pointers that are constants, read off a function in SSA form: how many
// bytes there are at most, or at least, wherever the pointer may come from. A pointer that a loop
// moves back has at most all of its object; one that a loop moves on has nothing for certain.
#include "c/late/late.h"

#include <string.h>

static const PointerSize unknown = {.state = SIZE_UNKNOWN};

// A pointer to the start of so many bytes.
static PointerSize known(int64_t bytes) {
    return (PointerSize){.state = SIZE_KNOWN, .bytes = bytes, .whole = bytes};
}

// A start that is this far away, or farther, may be anywhere on that side; so many bytes are as
// many as the object has.
#define FAR (INT64_MAX / 2)

// A pointer that is farther on.
static PointerSize advanced(PointerSize pointer, int64_t by) {
    bool anywhere = pointer.start >= FAR || pointer.start <= -FAR;
    if (pointer.bytes < FAR) pointer.bytes = (int64_t)((uint64_t)pointer.bytes - (uint64_t)by);
    if (!anywhere) pointer.start = (int64_t)((uint64_t)pointer.start + (uint64_t)by);
    return pointer;
}

typedef struct {
    LateFacts *facts;
    PointerSize *of;          // by register
    const PointerSize *whole; // by register: the size if members do not count
    uint32_t kind;
    bool dynamic; // only whether it can be computed is asked for; `bytes` are 0
} Sizing;

static PointerSize of_size(const Sizing *sizing, uint64_t size, int64_t offset) {
    if (size > INT64_MAX) return unknown;
    return sizing->dynamic ? known(0) : advanced(known((int64_t)size), offset);
}

bool late_symbol_size(const Lower *lower, Sym id, uint64_t *size) {
    const Symbol *symbol = program_at(lower->program, id);
    bool open = !symbol->defined && map_get(&lower->open_objects, id.i) != HASH_NONE;
    bool empty = map_get(&lower->empty_objects, id.i) != HASH_NONE;
    *size = symbol->size;
    return symbol->kind == SYM_DATA && (symbol->size || empty) && !open;
}

static PointerSize symbol_size(const Sizing *sizing, Sym id, int64_t offset) {
    uint64_t size;
    bool given = late_symbol_size(sizing->facts->lower, id, &size);
    return given ? of_size(sizing, size, offset) : unknown;
}

// The size of two values, one of which may be the pointer. Its start is the start of the value that
// is farther on, so that only a pointer which is certainly before its object has at most no bytes.
// For the least size its start is the start of the other value, so that a pointer which may be
// before its object has at least no bytes.
static PointerSize either(const Sizing *sizing, PointerSize a, PointerSize b) {
    if (a.state == SIZE_NONE) return b;
    if (b.state == SIZE_NONE) return a;
    if (a.state == SIZE_UNKNOWN || b.state == SIZE_UNKNOWN) return unknown;
    bool least = sizing->kind & 2;
    PointerSize both = (least ? a.bytes < b.bytes : a.bytes > b.bytes) ? a : b;
    both.whole = (least ? a.whole < b.whole : a.whole > b.whole) ? a.whole : b.whole;
    both.start = (least ? a.start < b.start : a.start > b.start) ? a.start : b.start;
    return both;
}

// A pointer plus a number of bytes, of which the register is known, if there is one.
static PointerSize moved(const Sizing *sizing, PointerSize pointer, Reg by, int64_t imm,
                         bool minus) {
    if (pointer.state != SIZE_KNOWN || sizing->dynamic) return pointer;
    if (by.i != NO_ID) {
        const KnownRegister *number = &sizing->facts->known[by.i];
        if (!number->known || number->symbol.i != NO_ID) return unknown;
        imm = number->value;
    }
    return advanced(pointer, minus ? (int64_t)(0 - (uint64_t)imm) : imm);
}

static PointerSize sum_size(const Sizing *sizing, const Instr *instr) {
    const Reg *args = instr_args(sizing->facts->ssa, instr);
    PointerSize a = sizing->of[args[0].i];
    if (instr->immediate) return moved(sizing, a, NO_REG, instr->imm, instr->op == OP_SUB_I64);
    PointerSize b = sizing->of[args[1].i];
    if (a.state == SIZE_NONE || b.state == SIZE_NONE)
        return a.state == SIZE_KNOWN || b.state == SIZE_KNOWN ? (PointerSize){0}
               : a.state == b.state                           ? a
                                                              : (PointerSize){0};
    if (instr->op == OP_SUB_I64)
        return b.state == SIZE_KNOWN ? unknown : moved(sizing, a, args[1], 0, true);
    if (a.state == SIZE_KNOWN && b.state == SIZE_KNOWN) return unknown;
    return a.state == SIZE_KNOWN ? moved(sizing, a, args[1], 0, false)
                                 : moved(sizing, b, args[0], 0, false);
}

static PointerSize operator_size(const Sizing *sizing, const Instr *instr) {
    const Reg *args = instr_args(sizing->facts->ssa, instr);
    switch ((Op)instr->op) {
    case OP_ADDR_SLOT:
        return of_size(sizing, sizing->facts->ssa->slots.at[instr->ref].size, instr->imm);
    case OP_ADDR_SYMBOL: return symbol_size(sizing, (Sym){instr->ref}, instr->imm);
    case OP_MOVE_I64: return sizing->of[args[0].i];
    case OP_SELECT_I64:
        if (instr->immediate) return unknown;
        return either(sizing, sizing->of[args[1].i], sizing->of[args[2].i]);
    case OP_ADD_I64:
    case OP_SUB_I64: return sum_size(sizing, instr);
    default: return unknown;
    }
}

// The product of what two registers hold; the second may be none.
static PointerSize product(const Sizing *sizing, Reg a, Reg b) {
    const KnownRegister one = {.known = true, .symbol = NO_SYM, .value = 1};
    const KnownRegister *x = &sizing->facts->known[a.i];
    const KnownRegister *y = b.i == NO_ID ? &one : &sizing->facts->known[b.i];
    if (sizing->dynamic) return known(0);
    if (!x->known || !y->known || x->symbol.i != NO_ID || y->symbol.i != NO_ID) return unknown;
    bool large = x->value < 0 || y->value < 0 || (x->value && y->value > INT64_MAX / x->value);
    return large ? unknown : known(x->value * y->value);
}

// A function that copies and yields the end of the copy, if the end is known.
static PointerSize end_of_copy(const Sizing *sizing, const Instr *instr) {
    LateFacts *facts = sizing->facts;
    const Reg *args = instr_args(facts->ssa, instr);
    PointerSize to = sizing->of[args[0].i];
    const KnownRegister *from = &facts->known[args[1].i];
    const char *text = late_string(facts->lower->program, from);
    if (to.state != SIZE_KNOWN) return to;
    if (sizing->dynamic || !text) return unknown;
    return advanced(to, (int64_t)strlen(text));
}

// The size of a member, which ends with its object at the latest. The pointer before it may be a
// pointer to another member, whose size says nothing about this member.
static PointerSize member_size(const Sizing *sizing, const Instr *instr, LateKind kind) {
    const Reg *args = instr_args(sizing->facts->ssa, instr);
    PointerSize whole = sizing->whole[args[0].i];
    if (kind == LATE_OPEN) return whole;
    PointerSize member = product(sizing, args[1], NO_REG);
    int64_t bytes = whole.bytes >= FAR ? whole.whole : whole.bytes;
    bool less = whole.state == SIZE_KNOWN && member.state == SIZE_KNOWN && bytes < member.bytes;
    return less ? known(bytes) : member;
}

static PointerSize call_size(const Sizing *sizing, const Instr *instr) {
    const Lower *lower = sizing->facts->lower;
    const Reg *args = instr_args(sizing->facts->ssa, instr);
    uint32_t params[2];
    LateKind kind = late_kind(lower, instr);
    if (kind == LATE_SUBOBJECT || kind == LATE_OPEN)
        return sizing->kind & 1 ? member_size(sizing, instr, kind) : sizing->of[args[0].i];
    if (kind == LATE_PARAMETER) return sizing->dynamic ? known(0) : sizing->of[args[0].i];
    if (late_passes_through(lower, instr)) return sizing->of[args[0].i];
    if (late_copies_string(lower, instr)) return end_of_copy(sizing, instr);
    if (!late_allocates(lower, instr, params)) return unknown;
    return product(sizing, args[params[0] - 1], params[1] ? args[params[1] - 1] : NO_REG);
}

static PointerSize instr_size(const Sizing *sizing, const Instr *instr) {
    if (instr->kind == I_OP) return operator_size(sizing, instr);
    if (instr->kind == I_CALL) return call_size(sizing, instr);
    bool alloca = instr->kind == I_BUILTIN && instr->op == BI_ALLOCA;
    return alloca ? product(sizing, instr_args(sizing->facts->ssa, instr)[0], NO_REG) : unknown;
}

// The fate of a size that changes again and again: a start may then be anywhere, the largest size
// is the whole object, and the least size is not known.
static PointerSize settled(const Sizing *sizing, PointerSize old, PointerSize size) {
    bool least = sizing->kind & 2;
    if (old.start != size.start) size.start = least ? -FAR : FAR;
    if (old.bytes == size.bytes) return size;
    if (least || (size.bytes < old.bytes && old.bytes < FAR)) return unknown;
    size.bytes = FAR;
    return size;
}

// Sets what is found out of a register; whether that is news.
static bool set(Sizing *sizing, Reg reg, PointerSize size, bool late) {
    PointerSize *old = &sizing->of[reg.i];
    if (old->state == SIZE_UNKNOWN) return false;
    bool twice = old->state == SIZE_KNOWN && size.state == SIZE_KNOWN;
    if (late && twice) size = settled(sizing, *old, size);
    if (old->state == size.state && old->bytes == size.bytes && old->start == size.start &&
        old->whole == size.whole)
        return false;
    *old = size;
    return true;
}

static bool go_round(Sizing *sizing, bool late) {
    const Func *ssa = sizing->facts->ssa;
    bool news = false;
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Phi *phis = func_phis(ssa, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(ssa, (Node){n}); i++) {
            if (reg_type(ssa, phis[i].dest) != TYPE_I64) continue;
            PointerSize size = {0};
            for (uint32_t k = 0; k < preds_count(&sizing->facts->preds, (Node){n}); k++)
                size = either(sizing, size, sizing->of[phi_args(ssa, &phis[i])[k].i]);
            news |= set(sizing, phis[i].dest, size, late);
        }
        const Instr *instr = &ssa->nodes.at[n];
        if (instr->dest.i != NO_ID && reg_type(ssa, instr->dest) == TYPE_I64)
            news |= set(sizing, instr->dest, instr_size(sizing, instr), late);
    }
    return news;
}

static const PointerSize *compute_sizes(LateFacts *facts, uint32_t kind, bool dynamic,
                                        const PointerSize *whole) {
    enum { PATIENCE = 4 };
    const Func *ssa = facts->ssa;
    Sizing sizing = {.facts = facts,
                     .kind = kind,
                     .dynamic = dynamic,
                     .whole = whole,
                     .of = ARENA_ARRAY(facts->arena, PointerSize, (size_t)ssa->regs.count + 1)};
    for (uint32_t i = 0; i < ssa->params.count; i++) sizing.of[ssa->params.at[i].i] = unknown;
    for (uint32_t round = 0; go_round(&sizing, round >= PATIENCE); round++) {
    }
    return sizing.of;
}

// Sizes of members need sizes of whole objects.
static const PointerSize *all_sizes(LateFacts *facts, uint32_t kind, bool dynamic) {
    const PointerSize **all = dynamic ? facts->computable : facts->sizes;
    uint32_t even = kind & ~1U;
    if (!all[even]) all[even] = compute_sizes(facts, even, dynamic, NULL);
    if (!all[kind]) all[kind] = compute_sizes(facts, kind, dynamic, all[even]);
    return all[kind];
}

// A pointer before its member may be a pointer to another member: only the whole object bounds
// that.
PointerSize late_size(LateFacts *facts, Reg pointer, uint32_t kind) {
    PointerSize size = all_sizes(facts, kind, false)[pointer.i];
    if (size.state == SIZE_KNOWN && size.start < 0)
        size = all_sizes(facts, kind & ~1U, false)[pointer.i];
    if (!(kind & 2) && size.bytes > size.whole) size.bytes = size.whole;
    if (size.state == SIZE_KNOWN && (size.bytes < 0 || size.start < 0)) size.bytes = 0;
    return size;
}

bool late_is_computable(LateFacts *facts, Reg pointer, uint32_t kind) {
    return all_sizes(facts, kind & 1, true)[pointer.i].state == SIZE_KNOWN;
}
