// The checker of instruction selection.
//
// The hint gives each block of the machine function the RTL node at which it starts. The claim:
// whenever the machine function is at the start of a block, RTL can be at that node, with the same
// memory and the same effects so far. All registers that the machine function may still read there
// (mach_live.h) have the same values; register r of one function is register r of the other.
//
// The claim holds at the entry, where PARAMS gives the machine function the values of RTL's
// parameters. From there the checker executes both sides of each block symbolically (symbolic.h):
// RTL from its node to where the block ends. The claim holds again at the next block if three
// conditions hold. The effects are the same terms in the same order. The machine function reads
// memory and divides only where RTL does so too, and not before RTL. At the end both go the same
// way, by the same condition, with the same terms in the registers that are live there. A machine
// block other than the first takes RTL at least one node further, so that it cannot run for ever
// where RTL does not. Where RTL goes wrong, anything is allowed.
//
// A register that the machine function has added may not be live into a block, unless one
// instruction of block 0 sets it and no other instruction does. Such registers are the one that
// keeps the address for an aggregate result from PARAMS on, and registers that are set to a
// constant or address. As every run starts with block 0, these registers hold their values in every
// other block.
#include "check/checkers.h"

#include "check/machine/mach_live.h"
#include "check/machine/symbolic.h"
#include "fact/effects.h"
#include "graph/definitions.h"

#include <string.h>

typedef struct {
    Symbolic sym;
    const SelectHint *hint;
    MachLive live;
    uint32_t *seen; // per RTL node: the last walk that passed it
    uint32_t *set;  // per RTL register: the last walk whose block sets it
    uint64_t steps; // RTL nodes executed so far
    uint64_t step_limit;
} Check;

static Verdict rejected(Check *check, uint32_t block, const char *reason) {
    Site site = {mach_block(check->sym.mach, block)->first};
    return verdict_rejected(check->sym.arena, site, "in the block from here on: %s", reason);
}

// ---- What is known of whole functions

static void find_constants(Symbolic *sym) {
    const Func *rtl = sym->rtl;
    const Definition *definitions = definitions_of(sym->arena, rtl);
    sym->constant = ARENA_ARRAY(sym->arena, uint32_t, rtl->regs.count);
    for (uint32_t r = 0; r < rtl->regs.count; r++) {
        const Instr *instr = defining_instr(rtl, definitions, (Reg){r});
        bool constant = instr && instr->kind == I_OP && op_info(instr->op)->arity == 0;
        sym->constant[r] = constant ? definitions[r].node.i : NO_ID;
    }
}

// The added registers of the machine function that only one instruction of block 0 sets, and that
// may therefore be read in other blocks: the register that PARAMS sets to the address for the
// result, and registers set to constants.
static void find_kept(Symbolic *sym) {
    const Func *mach = sym->mach;
    const MachBlock *entry = mach_block(mach, 0);
    uint32_t own = sym->rtl->regs.count,
             *sets = ARENA_ARRAY(sym->arena, uint32_t, mach->regs.count);
    sym->hidden = NO_ID;
    sym->kept = ARENA_ARRAY(sym->arena, uint32_t, mach->regs.count - own);
    for (uint32_t r = own; r < mach->regs.count; r++) sym->kept[r - own] = NO_ID;
    for (uint32_t i = 0; i < mach->mach->code.count; i++) {
        const MachInstr *instr = mach_at(mach, i);
        for (uint32_t k = 0; k < mach_set_count(instr); k++) {
            Place set = mach_set_at(mach, instr, k);
            if (set.i != NO_ID) sets[place_reg(set).i]++;
        }
    }
    for (uint32_t i = entry->first; i < entry->first + entry->count; i++) {
        const MachInstr *instr = mach_at(mach, i);
        if (instr->kind != MK_OP || op_info(instr->op)->arity != 0) continue;
        uint32_t reg = place_reg(instr->dest).i;
        if (reg >= own && sets[reg] == 1) sym->kept[reg - own] = i;
    }
    const MachInstr *first = mach_at(mach, entry->first);
    if (!sym->convention->hidden || first->kind != MK_PARAMS || !first->results) return;
    uint32_t reg = place_reg(mach_results(mach, first)[0]).i;
    if (sets[reg] == 1 && reg >= own) sym->hidden = reg;
}

// Kept registers have their values wherever they are live.
static bool find_live(Check *check) {
    const Symbolic *sym = &check->sym;
    uint32_t own = sym->rtl->regs.count;
    bool *kept = ARENA_ARRAY(sym->arena, bool, sym->mach->regs.count);
    for (uint32_t r = own; r < sym->mach->regs.count; r++)
        kept[r] = r == sym->hidden || sym->kept[r - own] != NO_ID;
    return mach_live(sym->arena, sym->mach, kept, &check->live);
}

static bool in_registers(const Symbolic *sym, uint32_t param) {
    uint32_t first = convention_first_piece(sym->convention, param);
    return first != NO_ID && sym->convention->arguments.at[first].where == PIECE_REGISTER;
}

// The slots that the machine function adds are copies of the aggregate parameters that come in
// registers, in their order.
static Verdict check_slots(Symbolic *sym) {
    const Program *program = sym->rtl->program;
    const SigInfo *sig = program_sig_info(program, sym->rtl->sig);
    uint32_t own = sym->rtl->slots.count, next = own, count = sym->mach->slots.count;
    const char *reason = count < own ? "a slot is missing" : NULL;
    for (uint32_t i = 0; i < own && !reason; i++)
        if (sym->rtl->slots.at[i].size != sym->mach->slots.at[i].size ||
            sym->rtl->slots.at[i].align != sym->mach->slots.at[i].align ||
            sym->rtl->slots.at[i].buffer != sym->mach->slots.at[i].buffer)
            reason = "a slot has changed";
    sym->param_of_slot = ARENA_ARRAY(sym->arena, uint32_t, reason ? 0 : count - own);
    for (uint32_t p = 0; p < sig->fixed_count && !reason; p++) {
        const ParamType *type = program_ptype_info(program, sig->params[p]);
        if (!ptype_is_aggregate(type) || !in_registers(sym, p)) continue;
        if (next == count || sym->mach->slots.at[next].size < type->size ||
            sym->mach->slots.at[next].align < type->align)
            reason = "the slot for the copy of a parameter is missing or too small";
        else
            sym->param_of_slot[next++ - own] = p;
    }
    if (!reason && next != count) reason = "there are slots that nothing needs";
    return reason ? verdict_rejected(sym->arena, NO_SITE, "%s", reason) : VERDICT_ACCEPTED;
}

static Verdict check_frame(Check *check) {
    Symbolic *sym = &check->sym;
    const Func *before = sym->rtl, *after = sym->mach;
    const char *reason = NULL;
    if (after->mach->allocated) reason = "it is allocated already";
    if (before->sig.i != after->sig.i || after->regs.count < before->regs.count)
        reason = "the signature or the registers have changed";
    for (uint32_t r = 0; r < before->regs.count && !reason; r++)
        if (reg_type(before, (Reg){r}) != reg_type(after, (Reg){r}))
            reason = "a register has another type";
    if (check->hint->node_of_block.count != after->mach->blocks.count)
        reason = "the hint does not fit the function";
    for (uint32_t b = 0; b < check->hint->node_of_block.count && !reason; b++)
        if (check->hint->node_of_block.at[b] >= before->nodes.count)
            reason = "the hint names a node that is not there";
    if (!reason && check->hint->node_of_block.at[0] != 0) reason = "it starts elsewhere";
    return reason ? verdict_rejected(sym->arena, NO_SITE, "%s", reason) : VERDICT_ACCEPTED;
}

// ---- RTL from the start of a block to its end

// RTL's parameters at the entry.
static void set_params(Symbolic *sym) {
    const Program *program = sym->rtl->program;
    const SigInfo *sig = program_sig_info(program, sym->rtl->sig);
    for (uint32_t p = 0; p < sym->rtl->params.count; p++) {
        const ParamType *type = program_ptype_info(program, sig->params[p]);
        bool aggregate = ptype_is_aggregate(type);
        symbolic_set(sym, &sym->before, sym->rtl->params.at[p].i,
                     term_atom(&sym->terms, ptype_reg_type(type),
                               aggregate ? ATOM_COPY : ATOM_ARGUMENT, p, 0));
    }
}

// Executes nodes with one way on from the first, until the stop (if at least one was executed, or
// none need be), or, if there is no stop, a node with none or several ways on. Yields that node;
// NO_ID if it does not come there.
static uint32_t run_rtl(Check *check, uint32_t first, uint32_t stop, bool stay) {
    Symbolic *sym = &check->sym;
    uint32_t node = first;
    for (bool moved = stay; node != stop || !moved; moved = true) {
        const Instr *instr = func_at(sym->rtl, (Node){node});
        if (check->seen[node] == sym->walk || check->steps++ > check->step_limit) return NO_ID;
        check->seen[node] = sym->walk;
        bool branches = instr_is_branch(instr);
        if (!branches) symbolic_rtl(sym, (Node){node});
        if (branches || instr->succ_count != 1) return stop == NO_ID ? node : NO_ID;
        node = instr_succs(sym->rtl, instr)[0].i;
    }
    return node;
}

// Whether RTL comes from a node to the start of a block by nops and spins alone.
static bool leads_to(Check *check, Node from, uint32_t block) {
    uint32_t node = from.i, goal = check->hint->node_of_block.at[block];
    for (uint32_t steps = 0; node != goal; steps++) {
        const Instr *instr = func_at(check->sym.rtl, (Node){node});
        if (!instr_is_idle(instr) || steps > check->sym.rtl->nodes.count ||
            check->steps++ > check->step_limit)
            return false;
        node = instr_succs(check->sym.rtl, instr)[0].i;
    }
    return true;
}

// ---- The end of a block

static bool same_effects(const Symbolic *sym) {
    return sym->before.effects.count == sym->after.effects.count &&
           (sym->before.effects.count == 0 ||
            memcmp(sym->before.effects.at, sym->after.effects.at,
                   sym->before.effects.count * sizeof(uint64_t)) == 0);
}

// The registers that a successor needs are the same. Registers that neither side has set are so
// already.
static bool same_registers(Check *check, uint32_t block) {
    Symbolic *sym = &check->sym;
    KeySets *keys = &check->live.keys;
    KeySet needed = mach_live_out(&check->live, sym->mach, block);
    if (keys_next(keys, needed, sym->rtl->regs.count) != NO_KEY) return false;
    for (uint32_t i = 0; i < sym->were_set.count; i++) {
        uint32_t reg = sym->were_set.at[i];
        if (keys_next(keys, needed, reg) == reg &&
            !term_same(symbolic_rtl_reg(sym, reg), symbolic_mach_reg(sym, reg)))
            return false;
    }
    return true;
}

static const char *check_branch(Check *check, const Instr *rtl, const MachInstr *mach,
                                const uint32_t *succs) {
    Symbolic *sym = &check->sym;
    if (rtl->kind != I_COND) return "the original does not branch";
    Term then = symbolic_rtl_condition(sym, rtl), now = symbolic_mach_condition(sym, mach);
    bool swapped = !term_same(then, now);
    if (swapped && !term_same(term_negation(&sym->terms, now), then))
        return "it branches by another condition";
    for (uint32_t k = 0; k < 2; k++)
        if (!leads_to(check, instr_succs(sym->rtl, rtl)[swapped ? !k : k], succs[k]))
            return "a branch leads elsewhere";
    return NULL;
}

static const char *check_switch(Check *check, const Instr *rtl, const MachInstr *mach,
                                const uint32_t *succs, uint32_t count) {
    Symbolic *sym = &check->sym;
    if (rtl->kind != I_SWITCH || rtl->succ_count != count) return "the original switch is another";
    Term then = symbolic_rtl_arg(sym, rtl, 0);
    if (!term_same(then, symbolic_mach_source(sym, mach, 0, term_at(&sym->terms, then)->type)))
        return "it switches by another value";
    if (count > 1 && memcmp(instr_cases(sym->rtl, rtl), sym->mach->case_pool.at + mach->aux,
                            (count - 1) * sizeof(int64_t)) != 0)
        return "the cases differ";
    for (uint32_t k = 0; k < count; k++)
        if (!leads_to(check, instr_succs(sym->rtl, rtl)[k], succs[k]))
            return "a case leads elsewhere";
    return NULL;
}

// Whether both sides end in the same way; `node` is where RTL stands.
static const char *check_end(Check *check, const MachBlock *block, uint32_t node) {
    const Func *mach = check->sym.mach;
    const MachInstr *last = mach_at(mach, block->first + block->count - 1);
    const Instr *rtl = func_at(check->sym.rtl, (Node){node});
    const uint32_t *succs = mach_succs(mach, block);
    switch ((MachKind)last->kind) {
    case MK_JUMP:
        return node == check->hint->node_of_block.at[succs[0]] ? NULL : "it jumps elsewhere";
    case MK_BRANCH: return check_branch(check, rtl, last, succs);
    case MK_SWITCH: return check_switch(check, rtl, last, succs, block->succ_count);
    case MK_RETURN:
    case MK_TAIL_CALL: return rtl->kind == I_RETURN ? NULL : "the original does not return";
    case MK_TRAP:
        return rtl->kind == I_BUILTIN && rtl->op == BI_TRAP ? NULL : "the original does not trap";
    case MK_STOP:
        return rtl->kind == I_BUILTIN && rtl->op == BI_UNREACHABLE ? NULL : "the original goes on";
    case MK_OP:
    case MK_LEA:
    case MK_LOAD:
    case MK_STORE:
    case MK_UPDATE:
    case MK_LOAD_PART:
    case MK_STORE_PART:
    case MK_SELECT:
    case MK_CHECK:
    case MK_CALL:
    case MK_BUILTIN:
    case MK_PARAMS:
    case MK_MOVE:
    case MK_EXCHANGE:
    case MACH_KIND_COUNT: break;
    }
    return "it has no end";
}

// ---- Blocks

static void note_read(Check *check, Place place) {
    Symbolic *sym = &check->sym;
    uint32_t reg = place_reg(place).i;
    if (reg < sym->rtl->regs.count && check->set[reg] != sym->walk)
        sym->as_it_came[reg] = sym->walk;
}

static void note_set(Check *check, Place place) {
    uint32_t reg = place_reg(place).i;
    if (reg < check->sym.rtl->regs.count) check->set[reg] = check->sym.walk;
}

// Notes the registers of RTL that the machine function reads in the block before setting them.
static void note_reads(Check *check, uint32_t block) {
    Symbolic *sym = &check->sym;
    const MachBlock *code = mach_block(sym->mach, block);
    for (uint32_t i = code->first; i < code->first + code->count; i++) {
        const MachInstr *instr = mach_at(sym->mach, i);
        for (uint32_t k = 0; k < mach_read_count(instr); k++)
            note_read(check, mach_read_at(sym->mach, instr, k));
        for (uint32_t k = 0; k < mach_set_count(instr); k++)
            note_set(check, mach_set_at(sym->mach, instr, k));
    }
}

static void start_walk(Check *check, uint32_t block) {
    Symbolic *sym = &check->sym;
    sym->walk++;
    sym->start = check->hint->node_of_block.at[block];
    vec_clear(&sym->before.effects);
    vec_clear(&sym->after.effects);
    sym->before.version = sym->after.version = 0;
    symbolic_clear_outgoing(sym);
    vec_clear(&sym->were_set);
    terms_forget(&sym->terms);
    note_reads(check, block);
    sym->stack_changes = sym->copied = 0;
    sym->reads = false;
    sym->free_return = false;
    if (block == 0) set_params(sym);
}

static uint32_t pieces_to_copy(const Symbolic *sym) {
    uint32_t count = 0;
    const Program *program = sym->rtl->program;
    const SigInfo *sig = program_sig_info(program, sym->rtl->sig);
    for (uint32_t i = 0; i < sym->convention->arguments.count; i++) {
        const Piece *piece = &sym->convention->arguments.at[i];
        count += piece->param != NO_ID && piece->where == PIECE_REGISTER &&
                 ptype_is_aggregate(program_ptype_info(program, sig->params[piece->param]));
    }
    return count;
}

static Verdict check_block(Check *check, uint32_t index) {
    Symbolic *sym = &check->sym;
    const MachBlock *block = mach_block(sym->mach, index);
    const MachInstr *last = mach_at(sym->mach, block->first + block->count - 1);
    start_walk(check, index);
    uint32_t stop = NO_ID;
    bool jumps = last->kind == MK_JUMP;
    if (jumps) stop = check->hint->node_of_block.at[mach_succs(sym->mach, block)[0]];
    bool stay = index == 0 && jumps && mach_succs(sym->mach, block)[0] != 0;
    uint32_t node = run_rtl(check, sym->start, stop, stay);
    if (node == NO_ID) return rejected(check, index, "the original does not come to its end");

    for (uint32_t i = 0; i < block->count && !sym->complaint; i++)
        symbolic_mach(sym, mach_at(sym->mach, block->first + i));
    const char *reason = sym->complaint;
    if (!reason && !same_effects(sym)) reason = "its effects differ";
    if (!reason && index == 0 && sym->copied != pieces_to_copy(sym))
        reason = "a parameter is not copied";
    if (!reason && sym->outgoing.count) reason = "stack arguments are stored for no call";
    if (!reason) reason = check_end(check, block, node);
    if (!reason && !same_registers(check, index))
        reason = "a register that is needed later differs";
    if (!reason) reason = sym->complaint;
    return reason ? rejected(check, index, reason) : VERDICT_ACCEPTED;
}

static void init_side(Symbolic *sym, Side *side, uint32_t regs) {
    side->value = ARENA_ARRAY(sym->arena, Term, regs);
    side->stamp = ARENA_ARRAY(sym->arena, uint32_t, regs);
}

Verdict check_select_code(Arena *arena, const Func *before, const Func *after,
                          const SelectHint *hint) {
    Check check = {.sym = {.arena = arena,
                           .rtl = before,
                           .mach = after,
                           .terms = {.arena = arena, .target = before->program->target}},
                   .hint = hint};
    Symbolic *sym = &check.sym;
    Verdict verdict = check_frame(&check);
    if (!verdict.accepted) return verdict;
    sym->convention = convention_of(before->program, before->sig);
    verdict = check_slots(sym);
    if (!verdict.accepted) return verdict;
    init_side(sym, &sym->before, before->regs.count);
    init_side(sym, &sym->after, after->regs.count);
    sym->is_copied = ARENA_ARRAY(arena, bool, sym->convention->arguments.count);
    find_constants(sym);
    find_kept(sym);
    if (!find_live(&check))
        return verdict_rejected(arena, NO_SITE, "too much is live to be compared");
    check.seen = ARENA_ARRAY(arena, uint32_t, before->nodes.count);
    check.set = ARENA_ARRAY(arena, uint32_t, before->regs.count);
    sym->as_it_came = ARENA_ARRAY(arena, uint32_t, before->regs.count);
    check.step_limit = 16 * ((uint64_t)before->nodes.count + after->mach->succs.count + 16);
    for (uint32_t b = 0; b < after->mach->blocks.count && verdict.accepted; b++)
        verdict = check_block(&check, b);
    return verdict;
}
