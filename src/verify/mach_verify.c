// The rules of the machine form.
//
// First come the rules for the function as a whole: its blocks and their instructions follow one
// another, and the end of a block names successors. Then come the rules for one instruction, in
// three stages; each stage relies on the stages before.
//   1. Everything that the instruction refers to exists.
//   2. The instruction is put together as its kind and operator require, so that mach_constraints
//      can be asked.
//   3. Its places have the right types (unbounded), or obey the constraints of the machine
//      (allocated).
// Fields that mean nothing in an instruction have the value that mach_instr gives them, so that
// equal instructions have equal fields.
#include "fact/calls.h"
#include "fact/effects.h"
#include "target/model.h"
#include "verify/reserved.h"
#include "verify/verify_rules.h"

enum { LARGEST_ALIGNMENT = 1 << 30 }; // of what alloca gives: immediates have 32 bits

typedef struct {
    Verifier *v;
    const Func *func;
    const Mach *mach;
    const MachInstr *instr;
    const MachBlock *block; // that the instruction is in
    const char *name;       // of its kind, operator or builtin
    uint32_t has;
    uint32_t sources;  // so many: each a place, an immediate or what is at the address
    uint32_t outgoing; // the largest area of stack arguments of all calls
    Bits lists_taken, cases_taken;
    const Convention *convention; // of the call at hand
    MachConstraints constraints;
    MachineRegSet written; // by the instructions so far
    MachineRegSet usable;  // of general and vector registers
    MachineRegSet frame;   // registers by which the frame is found
    bool returns_twice;    // some call of the function may
} MachVerifier;

// The printer of the complaint shows the instruction that was found.
static bool complain_about(MachVerifier *m, const char *rule, const char *expected) {
    complain(m->v, rule, "expected %s", expected);
    Complaints *complaints = m->v->complaints;
    complaints->list.at[complaints->list.count - 1].quotes = true;
    return false;
}

// ---- Blocks

// Instructions and successors of the blocks follow one another without gaps.
static bool rule_blocks(MachVerifier *m) {
    const Mach *mach = m->mach;
    uint64_t code = 0, succs = 0;
    for (uint32_t b = 0; b < mach->blocks.count; b++) {
        const MachBlock *block = &mach->blocks.at[b];
        if (block->first != code || block->succs != succs || block->count == 0) {
            complain(m->v, "blocks",
                     "b%u: expected at least one instruction from %ju on and successors from %ju "
                     "on; found %u from %u on and %u",
                     b, (uintmax_t)code, (uintmax_t)succs, block->count, block->first,
                     block->succs);
            return false;
        }
        code += block->count;
        succs += block->succ_count;
    }
    if (code == mach->code.count && succs == mach->succs.count && mach->blocks.count) return true;
    complain(m->v, "blocks",
             "expected blocks with %u instructions and %u successors; found %ju and %ju",
             mach->code.count, mach->succs.count, (uintmax_t)code, (uintmax_t)succs);
    return false;
}

static bool rule_kind(MachVerifier *m) {
    if (m->instr->kind < MACH_KIND_COUNT) return true;
    complain(m->v, "kind", "expected an instruction kind below %d; found %u", MACH_KIND_COUNT,
             m->instr->kind);
    return false;
}

static void rule_location(MachVerifier *m) {
    if (m->instr->loc >= m->v->program->locs.count)
        complain(m->v, "location", "expected one of %u locations; found %u",
                 m->v->program->locs.count, m->instr->loc);
}

// The last instruction of a block says where to go on, and no other.
static void rule_end(MachVerifier *m, bool last) {
    if (mach_kind_ends(m->instr->kind) != last)
        complain(m->v, "end", "expected %s; found %s",
                 last ? "an instruction that ends the block" : "one that does not end the block",
                 m->name);
}

// The entry has no predecessors, so that PARAMS is executed once.
static void rule_successors(MachVerifier *m) {
    const MachBlock *block = m->block;
    uint32_t least = mach_kinds[m->instr->kind].least_succs,
             most = mach_kinds[m->instr->kind].most_succs;
    if (block->succ_count < least || block->succ_count > most)
        complain(m->v, "successor-count", "%s: expected %s%u successor%s; found %u", m->name,
                 least < most ? "at least " : "", least, least == 1 ? "" : "s", block->succ_count);
    const uint32_t *succs = mach_succs(m->func, block);
    for (uint32_t k = 0; k < block->succ_count; k++)
        if (succs[k] == 0 || succs[k] >= m->mach->blocks.count)
            complain(m->v, "successor", "%s: expected a block from b1 to b%u; found b%u", m->name,
                     m->mach->blocks.count - 1, succs[k]);
}

// ---- What an instruction refers to

static bool rule_operator(MachVerifier *m) {
    uint32_t limit = mach_has(m->instr, MACH_BUILTIN) ? BI_COUNT : OP_COUNT;
    if (!mach_has(m->instr, MACH_OPERATOR) || m->instr->op < limit) return true;
    complain(m->v, "operator", "%s: expected an operator below %u; found %u", m->name, limit,
             m->instr->op);
    return false;
}

static bool rule_place(MachVerifier *m, Place place) {
    static const char *const kind_names[] = {"register", "machine register", "spill", "nothing"};
    uint32_t limit = 0;
    bool allocated = m->mach->allocated;
    switch (place_kind(place)) {
    case PLACE_REG: limit = allocated ? 0 : m->func->regs.count; break;
    case PLACE_MACHINE: limit = allocated ? m->v->program->target->register_count : 0; break;
    case PLACE_SPILL: limit = allocated ? m->mach->spills.count : 0; break;
    case PLACE_NONE: break;
    }
    if (place_index(place) < limit) return true;
    complain(m->v, "place", "%s: expected a place of the %s state; found %s %u", m->name,
             allocated ? "allocated" : "unbounded", kind_names[place_kind(place)],
             place_index(place));
    return false;
}

static bool rule_places(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    bool sound = instr->dest.i == NO_ID || rule_place(m, instr->dest);
    for (uint32_t k = 0; k < MACH_PLAIN_READS; k++) {
        Place read = mach_read_at(m->func, instr, k);
        if (read.i != NO_ID) sound &= rule_place(m, read);
    }
    return sound;
}

static bool rule_list(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    uint64_t count = (uint64_t)instr->results + instr->arguments;
    if (!(m->has & MACH_LIST)) {
        if (count == 0 && instr->list == 0) return true;
        complain(m->v, "list", "%s: expected no list; found one", m->name);
        return false;
    }
    if (!verify_pool(m->v, &m->lists_taken, "list", instr->list, count)) return false;
    bool sound = true;
    for (uint64_t k = 0; k < count; k++) sound &= rule_place(m, m->mach->lists.at[instr->list + k]);
    return sound;
}

// A signature that exists, and whose arguments can be passed.
static bool rule_signature(MachVerifier *m, Sig sig) {
    Verifier *v = m->v;
    if (!verify_sig(v, sig)) return false;
    m->convention = convention_of(v->program, sig);
    if (m->convention->passable) return true;
    if (verify_sig_params(v, sig))
        complain(v, "signature", "signature %u: expected types that can be passed; found others",
                 sig.i);
    return false;
}

static void rule_callee(MachVerifier *m) {
    Sym callee = {m->instr->ref};
    if (!mach_calls_symbol(m->instr)) return;
    if (callee.i >= m->v->program->symbols.count)
        complain(m->v, "callee", "expected one of %u symbols; found %u",
                 m->v->program->symbols.count, callee.i);
    else if (program_at(m->v->program, callee)->kind != SYM_FUNC)
        complain(m->v, "callee", "expected a function; found %s, which is data",
                 verify_symbol_text(m->v, callee));
}

// ---- How an instruction is put together

static void shape_operator(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    const OpInfo *info = op_info(instr->op);
    m->name = info->name;
    m->sources = info->arity;
    if (info->arity == 0) m->has |= MACH_IMM;
    if (instr->op == OP_CONST_F80) m->has |= MACH_HIGH;
    if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) m->has |= MACH_REF;
}

static void shape_builtin(MachVerifier *m) {
    const BuiltinInfo *info = builtin_info(m->instr->op);
    m->name = info->name;
    m->sources = (uint32_t)strlen(info->arguments);
    if (info->result == BIR_I64 || info->result == BIR_CHUNK) m->has |= MACH_DEST;
    if (builtin_has_number(info)) m->has |= MACH_IMM;
    if (builtin_has_address(info)) m->has |= MACH_ADDRESS | MACH_CHUNK;
    if (builtin_has_order(info) || info->form == BIF_PTYPE) m->has |= MACH_AUX;
    if (m->instr->op == BI_MEMSET && m->instr->immediate == 1) m->has |= MACH_HIGH;
}

// Works out what the instruction must have.
static void shape(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    m->has = mach_kinds[instr->kind].fields;
    m->sources = mach_kinds[instr->kind].sources;
    if (mach_has(instr, MACH_OPERATION)) shape_operator(m);
    if (mach_has(instr, MACH_BUILTIN)) shape_builtin(m);
    if (mach_has(instr, MACH_CALLEE)) {
        m->sources = !mach_calls_symbol(instr);
        m->has |= mach_calls_symbol(instr) ? MACH_REF : 0;
    }
    if (instr->memory != NO_SOURCE) m->has |= MACH_ADDRESS | MACH_CHUNK;
    if (instr->immediate != NO_SOURCE && !(m->has & MACH_HIGH)) m->has |= MACH_IMM;
    if (instr->addressed && (instr->base == MB_SYMBOL || instr->base == MB_SLOT))
        m->has |= MACH_REF;
}

// va_arg's type decides on its result, or, if it is an aggregate, on its second operand.
static bool rule_va_arg(MachVerifier *m) {
    if (m->instr->kind != MK_BUILTIN || m->instr->op != BI_VA_ARG) return true;
    PType type = {m->instr->aux};
    if (!verify_ptype_usable(m->v->program, type) ||
        program_ptype_info(m->v->program, type)->size >= CONVENTION_STACK_LIMIT) {
        complain(m->v, "varargs", "va_arg: expected a type that an argument can have; found %u",
                 type.i);
        return false;
    }
    if (ptype_is_aggregate(program_ptype_info(m->v->program, type)))
        m->sources++;
    else
        m->has |= MACH_DEST;
    return true;
}

static bool rule_chunk(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    if (!(m->has & MACH_CHUNK))
        return instr->chunk == 0 || complain_about(m, "chunk", "no chunk, which it does not use");
    if (instr->chunk >= CHUNK_COUNT) return complain_about(m, "chunk", "one of the chunks");
    bool is_store = (mach_effects(instr) & (MAY_READ | MAY_WRITE)) == MAY_WRITE;
    if (is_store && (instr->chunk == CHUNK_U8 || instr->chunk == CHUNK_U16))
        return complain_about(m, "chunk", "the signed chunk, as stores write it");
    if (mach_has(instr, MACH_WIDTH) && instr->chunk != CHUNK_I32 && instr->chunk != CHUNK_I64)
        return complain_about(m, "chunk", "i32 or i64");
    if (instr->kind == MK_BUILTIN && builtin_info(instr->op)->form == BIF_ATOMIC &&
        !type_is_int(chunk_type(instr->chunk)))
        return complain_about(m, "chunk", "the chunk of an integer");
    return true;
}

// The operator is one that the kind can have.
static bool rule_operator_fits(MachVerifier *m) {
    static const struct {
        uint32_t field;
        const char *expected;
    } operators[] = {
        {MACH_CONDITION, "a comparison"},
        {MACH_MOVE, "a move, of its type"},
        {MACH_PART, "move.i64 or move.f64, which tells the type"},
        {MACH_EQUALITY, "eq.i32 or eq.i64, which tells the type"},
        {MACH_BUILTIN, "a builtin that does not end the function"},
    };
    const MachInstr *instr = m->instr;
    if (mach_has(instr, MACH_TYPE) && !verify_type_is_scalar((Type)instr->aux))
        return complain_about(m, "operator", "the type of what is selected");
    if (!mach_has(instr, MACH_OPERATOR) || mach_kind_takes(instr->kind, instr->op)) return true;
    uint32_t k = 0;
    while (!mach_has(instr, operators[k].field)) k++;
    return complain_about(m, "operator", operators[k].expected);
}

static bool rule_tested(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    bool may = (mach_has(instr, MACH_OPERATION) || mach_has(instr, MACH_CONDITION)) &&
               m->v->program->target->tests_bits(instr->op);
    return !instr->tested || may || complain_about(m, "tested", "a comparison of integers");
}

static bool rule_checked(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    bool may = instr->kind == MK_OP && op_exactness(instr->op) != OP_COUNT;
    return !instr->checked || may ||
           complain_about(m, "checked", "a sum, difference or product of integers");
}

// Each source is a place, the immediate or the memory at the address; the other sources are empty.
static bool rule_sources(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    for (uint32_t k = 0; k < MACH_SOURCES; k++) {
        bool other = instr->memory == k || instr->immediate == k;
        bool place = instr->src[k].i != NO_ID;
        if (place + other == (k < m->sources)) continue;
        complain(m->v, "sources", "%s: expected source %u to be %s; found %s", m->name, k,
                 k < m->sources ? "one thing" : "nothing",
                 place && other   ? "two things"
                 : place || other ? "something"
                                  : "nothing");
        return false;
    }
    if (instr->memory == instr->immediate && instr->memory != NO_SOURCE)
        return complain_about(m, "sources", "memory and immediate to be different sources");
    return true;
}

static bool rule_folded(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    int64_t value = instr->op == BI_MEMSET && instr->kind == MK_BUILTIN ? 0 : instr->imm;
    if (instr->memory != NO_SOURCE &&
        !m->v->program->target->takes_memory(instr, instr->memory, instr->chunk))
        return complain_about(m, "memory", "an operand that can be in memory to be there");
    if (instr->kind == MK_UPDATE && instr->memory != 0)
        return complain_about(m, "memory", "source 0 to be in memory");
    if (instr->immediate != NO_SOURCE &&
        !m->v->program->target->takes_immediate(instr, instr->immediate, value))
        return complain_about(m, "immediate", "an operand that can be this immediate to be one");
    return true;
}

static bool rule_destination(MachVerifier *m) {
    if ((m->instr->dest.i != NO_ID) == ((m->has & MACH_DEST) != 0)) return true;
    return complain_about(m, "destination",
                          m->has & MACH_DEST ? "a destination" : "no destination");
}

static bool rule_unused(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    const char *field = NULL;
    if (!(m->has & MACH_OPERATOR) && instr->op) field = "op";
    if (!(m->has & MACH_AUX) && instr->aux) field = "aux";
    if (!(m->has & MACH_IMM) && instr->imm) field = "imm";
    if (!(m->has & MACH_HIGH) && instr->high) field = "high";
    if (!(m->has & MACH_REF) && instr->ref != NO_ID) field = "ref";
    if (!field) return true;
    complain(m->v, "unused", "%s: expected nothing in the field %s, which it does not use", m->name,
             field);
    return false;
}

// Constants are stored in one way only, as in RTL.
static bool rule_constant(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    if (instr->kind != MK_OP || op_info(instr->op)->arity > 0) return true;
    if (instr->op == OP_CONST_I32 && instr->imm != (int32_t)instr->imm)
        return complain_about(m, "constant", "a sign-extended 32-bit integer");
    if (instr->op == OP_CONST_F32 && instr->imm != (int64_t)(uint32_t)instr->imm)
        return complain_about(m, "constant", "32 bits of a float");
    bool address = instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT;
    if (address && instr->imm != (int32_t)instr->imm)
        return complain_about(m, "constant", "a displacement of 32 bits");
    return true;
}

static bool rule_size(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    if (mach_has(instr, MACH_PART))
        return (instr->imm >= 1 && instr->imm <= 8) || complain_about(m, "size", "1 to 8 bytes");
    if (!mach_has(instr, MACH_BUILTIN)) return true;
    BuiltinForm form = builtin_info(instr->op)->form;
    if (form == BIF_SIZE && instr->imm < 0)
        return complain_about(m, "size", "a size of at least 0");
    if (form == BIF_LEVEL && (uint64_t)instr->imm > MOST_FRAMES)
        return complain_about(m, "size", "the number of a frame up to 1000");
    if (form == BIF_ASM && (uint64_t)instr->imm >= m->v->program->asms.count)
        return complain_about(m, "asm", "the number of an asm statement");
    if (form == BIF_MACHINE &&
        !(instr->op == BI_READ_REGISTER ? register_is_readable(m->v->program, instr->imm)
                                        : register_is_writable(m->v->program, instr->imm)))
        return complain_about(m, "reserve", "a register that is reserved");
    if (form == BIF_ALIGN && (instr->imm < 0 || instr->imm > LARGEST_ALIGNMENT ||
                              !verify_is_alignment((uint64_t)instr->imm)))
        return complain_about(m, "size", "a power of two up to 2^30 as alignment");
    if (builtin_has_order(builtin_info(instr->op))) verify_order(m->v, instr->op, instr->aux);
    if (instr->op == BI_MEMSET && instr->high > UINT8_MAX)
        return complain_about(m, "size", "a byte");
    return true;
}

static void rule_va_start(MachVerifier *m) {
    if (m->instr->kind == MK_BUILTIN && m->instr->op == BI_VA_START &&
        !program_sig_info(m->v->program, m->func->sig)->variadic)
        complain_about(m, "varargs", "a variadic function around it");
}

// ---- Addresses

static bool rule_symbol_base(MachVerifier *m) {
    const Program *program = m->v->program;
    Sym symbol = {m->instr->ref};
    if (symbol.i >= program->symbols.count)
        return complain_about(m, "reference", "one of the symbols");
    if (m->instr->kind == MK_OP && !m->instr->addressed) return true;
    if (!mach_symbol_is_near(program, symbol))
        return complain_about(m, "address", "a symbol that an address can hold");
    return true;
}

static bool rule_slot_base(MachVerifier *m) {
    return m->instr->ref < m->func->slots.count ||
           complain_about(m, "reference", "one of the slots");
}

static bool rule_area(MachVerifier *m, uint32_t size) {
    const MachInstr *instr = m->instr;
    if (instr->scale == 0 && instr->displacement >= 0 && (uint32_t)instr->displacement <= size)
        return true;
    complain(m->v, "address", "%s: expected an offset up to %u in the area of arguments; found %d",
             m->name, size, instr->displacement);
    return false;
}

static bool rule_base(MachVerifier *m) {
    switch ((MachBase)m->instr->base) {
    case MB_NONE:
    case MB_PLACE: return true;
    case MB_SYMBOL: return rule_symbol_base(m);
    case MB_SLOT: return rule_slot_base(m);
    case MB_INCOMING: return rule_area(m, CONVENTION_STACK_LIMIT);
    case MB_OUTGOING: return rule_area(m, m->outgoing);
    }
    return complain_about(m, "address", "one of the kinds of base");
}

static bool rule_address_of_machine(MachVerifier *m) {
    const Program *program = m->v->program;
    const char *expected = program->target->address_expected(program, m->instr);
    return !expected || complain_about(m, "address", expected);
}

static bool rule_scale(MachVerifier *m) {
    const TargetModel *target = m->v->program->target;
    uint8_t scale = m->instr->scale;
    bool known = scale == 0 || (scale < 32 && target->scales >> scale & 1);
    return (known && (scale != 0) == (m->instr->index.i != NO_ID)) ||
           complain_about(m, "address", target->scales_expected);
}

static bool rule_address(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    bool address_operator = instr->kind == MK_OP && (m->has & MACH_REF) && !instr->addressed;
    if (instr->addressed != ((m->has & MACH_ADDRESS) != 0))
        return complain_about(m, "address", m->has & MACH_ADDRESS ? "an address" : "no address");
    if (!instr->addressed && (instr->base || instr->scale || instr->displacement ||
                              instr->base_place.i != NO_ID || instr->index.i != NO_ID))
        return complain_about(m, "address", "no parts of an address");
    if (address_operator)
        return instr->op == OP_ADDR_SYMBOL ? rule_symbol_base(m) : rule_slot_base(m);
    if (!instr->addressed) return true;
    if ((instr->base == MB_PLACE) != (instr->base_place.i != NO_ID))
        return complain_about(m, "address", "a place as base if the base is a place");
    if (!rule_scale(m)) return false;
    return rule_base(m) && rule_address_of_machine(m);
}

// ---- Lists

static bool rule_count(MachVerifier *m, const char *what, uint32_t found, uint32_t expected) {
    if (found == expected) return true;
    complain(m->v, "list", "%s: expected %u %s, one for each register; found %u", m->name, expected,
             what, found);
    return false;
}

// Results may be dropped, all of them.
static bool rule_call_list(MachVerifier *m) {
    const Convention *convention = m->convention;
    const MachInstr *instr = m->instr;
    uint32_t results = convention->results.count;
    bool leaves = mach_kind_ends(instr->kind);
    if (leaves || instr->results == 0) results = instr->results;
    if (leaves && instr->results) return complain_about(m, "list", "no results");
    return rule_count(m, "results", instr->results, results) &&
           rule_count(m, "arguments", instr->arguments, convention->in_registers.count);
}

// A tail call leaves the frame first: no argument can lie in the frame, and the result must be
// where the caller expects it, if at all.
static bool rule_tail_call(MachVerifier *m) {
    const Convention *own = convention_of(m->v->program, m->func->sig);
    if (m->convention->stack_size || m->func->slots.count ||
        !regs_has(m->usable, m->v->program->target->frame))
        return complain_about(m, "tail-call", "no slots, no alloca and no arguments on the stack");
    if (m->returns_twice)
        return complain_about(m, "tail-call", "no call that may come back to the frame");
    if (!m->v->program->target->returns_alike(own, m->convention))
        return complain_about(m, "tail-call", "the result of the function itself");
    return true;
}

// Without a frame there is nothing to return from.
static void rule_naked(MachVerifier *m) {
    bool leaves = mach_has(m->instr, MACH_LIST) && mach_kind_ends(m->instr->kind);
    uint32_t flags = func_flags(m->func);
    if (leaves && flags & SYMF_NAKED)
        complain(m->v, "naked", "expected a naked function not to return");
    if (leaves && mach_has(m->instr, MACH_CALLEE) && flags & (SYMF_KEEPS_ALL | SYMF_INTERRUPT))
        complain(m->v, "saved", "expected a function that keeps all registers to return itself");
}

static bool rules_of_lists(MachVerifier *m) {
    const MachInstr *instr = m->instr;
    rule_naked(m);
    const Convention *own = convention_of(m->v->program, m->func->sig);
    if (mach_has(instr, MACH_CALLEE)) {
        rule_callee(m);
        if (!rule_signature(m, (Sig){instr->aux}) || !rule_call_list(m)) return false;
        return !mach_kind_ends(instr->kind) || rule_tail_call(m);
    }
    if (!mach_has(instr, MACH_LIST)) return true;
    bool leaves = mach_kind_ends(instr->kind); // with what the function returns
    return rule_count(m, "arguments", instr->arguments, leaves ? own->results.count : 0) &&
           rule_count(m, "results", instr->results, leaves ? 0 : own->in_registers.count);
}

static bool rule_cases(MachVerifier *m) {
    if (!mach_has(m->instr, MACH_CASES) || m->block->succ_count == 0) return true;
    uint32_t count = m->block->succ_count - 1;
    if (!verify_pool(m->v, &m->cases_taken, "cases", m->instr->aux, count)) return false;
    verify_cases(m->v, mach_cases(m->func, m->instr), count, m->instr->op == OP_EQ_I32);
    return true;
}

// PARAMS is the first instruction, and no other is; without PARAMS no argument has come in a
// register.
static void rule_params(MachVerifier *m, uint32_t at) {
    bool is_params = m->instr->kind == MK_PARAMS;
    if (at > 0 && is_params) complain_about(m, "params", "params only as the first instruction");
    if (at > 0 || is_params) return;
    if (convention_of(m->v->program, m->func->sig)->in_registers.count)
        complain_about(m, "params", "params as the first instruction");
}

// ---- Places

// Only the low halves count where an address becomes an i32.
static bool is_low_half(const MachVerifier *m, const MachOperand *operand) {
    return m->instr->kind == MK_LEA && operand->address &&
           reg_type(m->func, place_reg(m->instr->dest)) == TYPE_I32 &&
           reg_type(m->func, place_reg(*operand->place)) == TYPE_I32;
}

static void rule_types(MachVerifier *m) {
    for (uint32_t k = 0; k < m->constraints.operands.count; k++) {
        const MachOperand *operand = &m->constraints.operands.at[k];
        Reg reg = place_reg(*operand->place);
        if (reg_type(m->func, reg) == (Type)operand->type || is_low_half(m, operand)) continue;
        complain(m->v, "operand-type", "operand %u of %s: expected %s; found %s of %s", k + 1,
                 m->name, type_name(operand->type), verify_reg_text(m->v, reg),
                 type_name(reg_type(m->func, reg)));
    }
}

static void rule_obeys(MachVerifier *m) {
    const char *reason;
    if (!mach_obeys(m->func, m->instr, &m->constraints, &reason))
        complain(m->v, "constraint", "%s: expected places as %s wants them; found %s", m->name,
                 m->v->program->target->title, reason);
    regs_add_all(&m->written, regs_or(m->constraints.clobbers, m->constraints.killed));
    for (uint32_t k = 0; k < m->constraints.operands.count; k++) {
        const MachOperand *operand = &m->constraints.operands.at[k];
        if (!place_is_machine(*operand->place)) continue;
        uint32_t reg = place_index(*operand->place);
        if (operand->role == MO_DEF) regs_add(&m->written, reg);
        if (regs_has(m->v->program->reserved, reg))
            complain(m->v, "reserve", "%s: expected no use of %s, which is reserved", m->name,
                     target_register_name(m->v->program->target, reg));
        else if (!regs_has(m->usable, reg))
            complain(m->v, "frame", "%s: expected no use of %s, by which the frame is found",
                     m->name, target_register_name(m->v->program->target, reg));
    }
}

static void rule_state(MachVerifier *m) {
    bool allocated_only = mach_has(m->instr, MACH_ALLOCATED);
    if (allocated_only && !m->mach->allocated)
        complain_about(m, "state", "this only in an allocated function");
}

// ---- All of it

static bool rules_of_shape(MachVerifier *m) {
    shape(m);
    return rule_va_arg(m) && rule_chunk(m) && rule_operator_fits(m) && rule_tested(m) &&
           rule_checked(m) && rule_sources(m) && rule_folded(m) && rule_destination(m) &&
           rule_unused(m) && rule_constant(m) && rule_size(m) && rule_address(m);
}

static void verify_instruction(MachVerifier *m, uint32_t at) {
    m->instr = &m->mach->code.at[at];
    m->v->site = (Site){at};
    if (!rule_kind(m)) return;
    m->name = mach_kinds[m->instr->kind].word;
    m->has = mach_kinds[m->instr->kind].fields;
    rule_location(m);
    rule_params(m, at);
    rule_state(m);
    bool last = at == m->block->first + m->block->count - 1;
    rule_end(m, last);
    if (last) rule_successors(m);
    if (!rule_operator(m) || !rule_places(m) || !rule_list(m) || !rules_of_shape(m) ||
        !rules_of_lists(m) || (last && !rule_cases(m)))
        return;
    rule_va_start(m);
    mach_constraints(m->v->scratch, m->func, m->instr, &m->constraints);
    if (m->mach->allocated)
        rule_obeys(m);
    else
        rule_types(m);
}

static void rule_spills(MachVerifier *m) {
    for (uint32_t i = 0; i < m->mach->spills.count; i++)
        if (m->mach->spills.at[i].size != 8 && m->mach->spills.at[i].size != 16)
            complain(m->v, "spills", "spill %u: expected 8 or 16 bytes; found %u", i,
                     m->mach->spills.at[i].size);
    if (!m->mach->allocated && (m->mach->spills.count || regs_any(m->mach->saved)))
        complain(m->v, "spills", "expected no spills and saved registers before allocation");
    if (m->mach->allocated && (m->func->params.count || m->func->regs.count))
        complain(m->v, "spills", "expected no registers of its own after allocation; found %u",
                 m->func->regs.count);
}

// So that what is in the frame can be addressed by an offset from its base.
static void rule_frame_size(MachVerifier *m) {
    uint64_t size = mach_slot_bytes(m->func) + m->outgoing;
    for (uint32_t i = 0; i < m->mach->spills.count; i++) size += m->mach->spills.at[i].size;
    if (size > MACH_FRAME_LIMIT)
        complain(m->v, "frame", "expected at most %ju bytes in the frame; found %ju",
                 (uintmax_t)MACH_FRAME_LIMIT, (uintmax_t)size);
}

// A function saves the registers of its caller that it writes.
static void rule_saved(MachVerifier *m) {
    const Program *program = m->v->program;
    MachineRegSet saved = m->mach->saved, owned = program->target->callee_saved, frame = m->frame;
    if (regs_meet(saved, program->reserved))
        complain(m->v, "reserve", "expected no reserved register to be saved");
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(frame, reg) && regs_has(program->reserved, reg))
            complain(m->v, "reserve", "expected no need of %s for the frame, as it is reserved",
                     target_register_name(program->target, reg));
    if (regs_any(regs_without(saved, owned)))
        complain(m->v, "saved", "expected only registers that the caller owns to be saved");
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(m->written, reg) && regs_has(owned, reg) && !regs_has(saved, reg))
            complain(m->v, "saved", "expected %s, which is written, to be saved",
                     target_register_name(program->target, reg));
}

static void rule_no_nodes(Verifier *v) {
    const Func *func = v->func;
    if (func->nodes.count || func->labels.count || func->reg_pool.count || func->node_pool.count ||
        func->phis.count || func->phi_at.count || func->phi_args.count || func->gsa)
        complain(v, "form", "expected no nodes in the form mach; found %u", func->nodes.count);
}

// How much of the stack the calls need for arguments, and, if all their signatures are sound, which
// registers are usable and which the frame has; if not, the call itself complains.
static void look_at_calls(MachVerifier *m) {
    uint32_t before = m->v->complaints->list.count;
    bool sound = true;
    for (uint32_t i = 0; i < m->mach->code.count; i++) {
        const MachInstr *instr = &m->mach->code.at[i];
        if (instr->kind != MK_CALL) continue;
        if (!rule_signature(m, (Sig){instr->aux}))
            sound = false;
        else if (m->convention->stack_size > m->outgoing)
            m->outgoing = m->convention->stack_size;
    }
    m->v->complaints->list.count = before;
    m->usable = regs_below(MACHINE_REG_LIMIT);
    if (!sound) return;
    m->usable = NO_REGS;
    for (uint32_t c = 0; c < m->v->program->target->class_count; c++)
        regs_add_all(&m->usable, mach_class_set(m->func, (MachClass)c));
    m->frame = mach_frame(m->func).registers;
}

void mach_verify(Verifier *v) {
    const Func *func = v->func;
    MachVerifier m = {.v = v, .func = func, .mach = func->mach};
    rule_no_nodes(v);
    if (!verify_is_clean(v)) return;
    rule_spills(&m);
    if (!rule_blocks(&m) || !rule_signature(&m, func->sig)) return;
    m.returns_twice = func_returns_twice(func);
    m.lists_taken = bits_new(v->scratch, func->mach->lists.count);
    m.cases_taken = bits_new(v->scratch, func->case_pool.count);
    look_at_calls(&m);
    rule_frame_size(&m);
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        m.block = &func->mach->blocks.at[b];
        for (uint32_t i = 0; i < m.block->count; i++) verify_instruction(&m, m.block->first + i);
    }
    v->site = NO_SITE;
    if (func->mach->allocated) rule_saved(&m);
}
