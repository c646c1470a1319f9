// The checker of inline_calls, which puts the body of a function in the place of a call.
//
// What is established, and why it is enough.
//
// 1. The layout. `after` has the nodes, registers and slots of `before`, under the same numbers, and
//    behind them, for each site in turn (check_site), those of a copy of the callee's body: its
//    registers; its slots, and one more for each parameter that is an aggregate; and the nodes
//      arguments  `p := a` for a parameter p and the argument a, or, for an aggregate,
//                 `p := address of its slot; memcpy p, a`
//      body       each instruction of the body with registers, slots and successors of the copy; but for
//                 a `return r`, which becomes `d := r`, a nop if there is no destination, or
//                 `memcpy into, r` for an aggregate; it goes on where the call does.
//    The node of the call becomes a nop that leads to its copy. All else is the same (check_old_nodes).
//
// 2. The body does what the function does: the table of bodies has the front end's RTL of the symbol, or what
//    committed steps have made of that, and whoever fills it sees to that (pipeline.c, replay.c); a symbol
//    whose definition may give way to another when the program is linked or loaded has none (find_body,
//    symbol_is_replaceable). Its signature is that of the call, so that the call is no wrong step.
//
// 3. Simulation. A state of `before` in which a call of a site is active, on top of a frame of the function,
//    is related to one of `after` in the copy, with the callee's registers and slots in those of the copy.
//    Every step of the callee is one of the copy, with the same events. Entering: the registers of the
//    copy are its own, so the moves do not disturb each other; the copy of an aggregate is an object of
//    its own. Leaving: see 1; the memcpy is none of overlapping ranges, as r is the address of a slot of
//    the callee (returns_slot), which nobody knew before the call. Calls inside the copy are calls of `before`
//    from the callee. No cycle of added nodes exists, as they lead onwards to the body.
//    Registers and slots of a copy are not fresh when a site is reached again: they hold what they held
//    last. In `before` they are undefined then, and whatever value refines that. A slot also lives longer: what
//    accesses it after the callee has returned is a wrong step of `before`. Which addresses objects have is
//    not part of a behaviour, except that objects that live at the same time are apart; the slots of two sites are.
//    setjmp in the callee saves the caller's registers, too: until the callee returns, these do not change;
//    after that a jump back is a wrong step. A jump out of the copy finds the registers of the copy as they
//    were at the setjmp; they are undefined in `before`, where the callee is gone.
//    A body must not use alloca, whose memory would live on, nor the variable arguments of its frame.
#include "check/checkers.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "fact/slot_fields.h"

typedef struct {
    Arena *arena;
    const Bodies *bodies;
    const Func *before;
    const Func *after;
    const InlineHint *hint;
    Bits is_site;
    Verdict verdict;
} Check;

// A site: what is copied, and where the copy is in `after`.
typedef struct {
    const Instr *call;
    const Func *body;
    const SigInfo *sig;
    uint32_t node; // of the next thing to look at
    uint32_t body_at;
    uint32_t reg, slot;
    Reg result_reg; // of an aggregate: the one register that the body may return
} CallSite;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// ---- Callees

// Finds the body that may stand for a call.
static bool find_body(Check *check, Node node, const Func **found) {
    const Instr *call = func_at(check->before, node);
    if (call->kind != I_CALL || call->ref == NO_ID || call->succ_count != 1)
        return REJECT(check, node, "this is no call of a function by name that goes on");
    const Symbol *symbol = program_at(check->before->program, (Sym){call->ref});
    const Func *body = *found = body_of(check->bodies, (Sym){call->ref}).rtl;
    if (!body || body->symbol.i != call->ref || body->form != check->before->form ||
        symbol->alias.i != NO_ID)
        return REJECT(check, node, "the function has no body to copy");
    if (symbol_is_replaceable(symbol))
        return REJECT(check, node, "the function may be replaced when linking or loading");
    const SigInfo *sig = program_sig_info(check->before->program, body->sig);
    if (call->aux != body->sig.i || sig->variadic || sig->param_count != body->params.count)
        return REJECT(check, node, "the call does not fit the function");
    for (uint32_t n = 0; n < body->nodes.count; n++)
        if (instr_effects(&body->nodes.at[n]) & USES_FRAME)
            return REJECT(check, node, "the function's frame must be its own");
    return true;
}

// ---- One site

static const ParamType *type_of(const Check *check, PType type) {
    return program_ptype_info(check->before->program, type);
}

static Reg renamed(const CallSite *site, Reg reg) {
    return reg.i == NO_ID ? NO_REG : (Reg){site->reg + reg.i};
}

// An instruction with one successor that only sets a register, or copies bytes.
static bool is_simple(const Instr *instr, InstrKind kind, uint32_t op, Reg dest, uint32_t args) {
    return instr->kind == kind && instr->op == op && instr->dest.i == dest.i &&
           instr->arg_count == args && !instr->immediate;
}

static bool is_memcpy(const Instr *instr, Reg to, Reg from, uint64_t size) {
    return is_simple(instr, I_BUILTIN, BI_MEMCPY, NO_REG, 2) && instr->arg[0].i == to.i &&
           instr->arg[1].i == from.i && instr->imm == (int64_t)size;
}

// The next node of the copy, which goes on to the one behind it.
static const Instr *next_added(Check *check, CallSite *site) {
    const Instr *instr = func_at(check->after, (Node){site->node});
    site->node++;
    return instr->succ_count == 1 && instr->succ[0].i == site->node ? instr : NULL;
}

static bool check_argument(Check *check, CallSite *site, uint32_t i, uint32_t *copies) {
    const ParamType *type = type_of(check, site->sig->params[i]);
    Reg param = renamed(site, site->body->params.at[i]);
    Reg arg = instr_args(check->before, site->call)[i];
    const Instr *first = next_added(check, site);
    if (!ptype_is_aggregate(type)) {
        if (first && is_simple(first, I_OP, op_move(type->type), param, 1) &&
            first->arg[0].i == arg.i)
            return true;
        return REJECT(check, (Node){site->node - 1}, "argument %u is not moved", i);
    }
    uint32_t slot = site->slot + site->body->slots.count + (*copies)++;
    const SlotInfo *info = &check->after->slots.at[slot];
    const Instr *second = next_added(check, site);
    if (!first || !second || !is_simple(first, I_OP, OP_ADDR_SLOT, param, 0) ||
        first->ref != slot || first->imm != 0 || !is_memcpy(second, param, arg, type->size))
        return REJECT(check, (Node){site->node - 1}, "argument %u is not copied", i);
    if (info->size != type->size || info->align != type->align)
        return REJECT(check, NO_NODE, "slot %u is not one for an argument", slot);
    return true;
}

static bool check_return(Check *check, const CallSite *site, const Instr *then, const Instr *now) {
    const ParamType *type = type_of(check, site->sig->result);
    const Reg *args = instr_args(check->before, site->call);
    bool good = now->succ_count == 1 && now->succ[0].i == site->call->succ[0].i;
    if (ptype_is_aggregate(type))
        good = good && then->arg[0].i == site->result_reg.i &&
               is_memcpy(now, args[site->call->arg_count - 1], renamed(site, then->arg[0]),
                         type->size);
    else if (site->call->dest.i == NO_ID)
        good = good && now->kind == I_NOP;
    else
        good = good && is_simple(now, I_OP, op_move(type->type), site->call->dest, 1) &&
               now->arg[0].i == renamed(site, then->arg[0]).i;
    return good || REJECT(check, (Node){site->node}, "this is not what the return does");
}

static bool check_body_node(Check *check, const CallSite *site, const Instr *then) {
    const Instr *now = func_at(check->after, (Node){site->node});
    if (then->kind == I_RETURN) return check_return(check, site, then, now);
    Instr moved = *then;
    if (instr_names_slot(then)) moved.ref += site->slot;
    bool good = instr_alike(site->body, &moved, check->after, now) &&
                now->dest.i == renamed(site, then->dest).i && now->succ_count == then->succ_count;
    const Reg *old = instr_args(site->body, then), *fresh = instr_args(check->after, now);
    for (uint32_t k = 0; good && k < then->arg_count; k++)
        good = fresh[k].i == site->reg + old[k].i;
    const Node *from = instr_succs(site->body, then), *to = instr_succs(check->after, now);
    for (uint32_t k = 0; good && k < then->succ_count; k++)
        good = to[k].i == site->body_at + from[k].i;
    return good || REJECT(check, (Node){site->node}, "this is no copy of the body's instruction");
}

// How many nodes the arguments take, and how many slots.
static void count_arguments(const Check *check, const SigInfo *sig, uint32_t *nodes,
                            uint32_t *slots) {
    *nodes = sig->param_count;
    *slots = 0;
    for (uint32_t i = 0; i < sig->param_count; i++)
        *slots += ptype_is_aggregate(type_of(check, sig->params[i]));
    *nodes += *slots;
}

// Whether `after` has room for the copy; and the slots of the body are there.
static bool check_room(Check *check, CallSite *site) {
    const Func *body = site->body, *after = check->after;
    uint32_t nodes, slots;
    count_arguments(check, site->sig, &nodes, &slots);
    if (after->nodes.count - site->node < (uint64_t)nodes + body->nodes.count ||
        after->regs.count - site->reg < body->regs.count ||
        after->slots.count - site->slot < (uint64_t)slots + body->slots.count)
        return REJECT(check, NO_NODE, "a copy of '%s' is not complete", func_name(body));
    site->body_at = site->node + nodes;
    for (uint32_t i = 0; i < body->slots.count; i++) {
        const SlotInfo *then = &body->slots.at[i], *now = &after->slots.at[site->slot + i];
        if (then->size != now->size || then->align != now->align || then->buffer != now->buffer)
            return REJECT(check, NO_NODE, "slot %u is not that of the body", site->slot + i);
    }
    return true;
}

// `next` says where the copy is, and then where that of the next site will be.
static bool check_site(Check *check, Node node, CallSite *next) {
    CallSite site = *next;
    site.call = func_at(check->before, node);
    if (!find_body(check, node, &site.body)) return false;
    site.sig = program_sig_info(check->before->program, site.body->sig);
    returns_slot(site.body, &site.result_reg);
    if (!check_room(check, &site)) return false;
    const Instr *entry = func_at(check->after, node);
    if (entry->kind != I_NOP || entry->succ[0].i != site.node)
        return REJECT(check, node, "the call does not lead to the copy");
    uint32_t copies = 0;
    for (uint32_t i = 0; i < site.sig->param_count; i++)
        if (!check_argument(check, &site, i, &copies)) return false;
    for (uint32_t n = 0; n < site.body->nodes.count; n++, site.node++)
        if (!check_body_node(check, &site, &site.body->nodes.at[n])) return false;
    *next = (CallSite){.node = site.node,
                       .reg = site.reg + site.body->regs.count,
                       .slot = site.slot + site.body->slots.count + copies};
    return true;
}

// ---- All of it

static bool check_hint(Check *check) {
    const InlineHint *hint = check->hint;
    check->is_site = bits_new(check->arena, check->before->nodes.count);
    for (uint32_t i = 0; i < hint->sites.count; i++) {
        if (hint->sites.at[i].i >= check->before->nodes.count ||
            !bits_put(&check->is_site, hint->sites.at[i].i))
            return REJECT(check, NO_NODE, "site %u is no other node", i);
    }
    return true;
}

static bool check_old_nodes(Check *check) {
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        const Instr *then = &check->before->nodes.at[n], *now = &check->after->nodes.at[n];
        if (bits_has(&check->is_site, n)) continue;
        if (!instr_same(check->before, then, check->after, now) ||
            !check_same_succs(check->before, then, check->after, now))
            return REJECT(check, (Node){n}, "the instruction has changed");
    }
    return true;
}

static bool check_sites(Check *check) {
    const Func *before = check->before, *after = check->after;
    CallSite next = {
        .node = before->nodes.count, .reg = before->regs.count, .slot = before->slots.count};
    for (uint32_t i = 0; i < check->hint->sites.count; i++)
        if (!check_site(check, check->hint->sites.at[i], &next)) return false;
    if (next.node != after->nodes.count || next.slot != after->slots.count)
        return REJECT(check, NO_NODE, "there is more than the copies");
    return true;
}

// Whether `after` is `before` with some calls replaced by the bodies of the functions that they call:
// those of `bodies`.
Verdict check_inline_calls(Arena *arena, const Bodies *bodies, const Func *before,
                           const Func *after, const InlineHint *hint) {
    Check check = {
        .arena = arena, .bodies = bodies, .before = before, .after = after, .hint = hint};
    check.verdict = check_extended_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (after->nodes.count < before->nodes.count)
        return verdict_rejected(arena, NO_SITE, "nodes are missing");
    if (check_hint(&check) && check_old_nodes(&check) && check_sites(&check))
        return VERDICT_ACCEPTED;
    return check.verdict;
}
