// Checks bodies in the place of calls, for copies.c: the old function enters the body at the call,
// and comes back where the body returns.
//
// The argument:
//
// 1. The body does what the function does: the table of bodies has the front end's RTL of the
//    symbol, or a later form that committed steps have made. The files that fill the table ensure
//    this property (pipeline.c, replay.c). A symbol whose definition may give way to another when
//    the program is linked or loaded has no body (find_body, symbol_is_replaceable). The body has
//    the signature of the call, so the call is no wrong step.
//
// 2. Each site has registers and slots of its own behind those of the function, in the order of
//    sites: the body's, and a slot more for each parameter that is an aggregate (lay_out). So the
//    state of the callee has a place in the new function.
//
// 3. Entering (copies_enter): registers of the callee are undefined then, whatever their namesakes
//    hold, but for parameters. Parameters hold the arguments, or point to their own slots with
//    copies of the aggregates, made while the old function stood at the call (copies_passes).
//    Claims about an earlier run of the body are forgotten. Leaving: the destination of the call
//    gets the returned value (copies_leave); an aggregate is copied (copies_returns). Its ranges do
//    not overlap: the returned address is the address of a slot of the callee (returns_slot), and
//    nobody knew that slot before the call.
//
// 4. Registers and slots of a copy are not fresh when a site is reached again: they hold their last
//    values. In the old function these are undefined then, and every value refines an undefined
//    value. A slot also lives longer: an access to it after the callee has returned is a wrong step
//    of the old function. Which addresses objects have is not part of a behaviour, except that
//    objects that live at the same time are apart; the slots of two sites are. setjmp in the callee
//    saves the caller's registers, too: until the callee returns, the caller's registers do not
//    change; after the return a jump back is a wrong step. A jump out of the copy finds the
//    registers of the copy as they were at the setjmp. In the old function, where the callee has
//    ended, these registers are undefined. A body must not use alloca, whose memory would live on,
//    nor the variable arguments of its frame.
#include "check/copies/copies.h"

#include "fact/effects.h"
#include "fact/slot_fields.h"

static const ParamType *type_of(const Copies *check, PType type) {
    return program_ptype_info(check->before->program, type);
}

static const SigInfo *body_sig(const CopySite *site) {
    return program_sig_info(site->body->program, site->body->sig);
}

// ---- Sites

// Finds the body that may stand for a call.
static bool find_body(Copies *check, CopySite *site) {
    const Instr *call = site->call;
    if (call->kind != I_CALL || call->ref == NO_ID || call->succ_count != 1)
        return REJECT(check, NO_NODE, "a site is no call of a function by name that goes on");
    const Symbol *symbol = program_at(check->before->program, (Sym){call->ref});
    const Func *body = site->body = body_of(check->bodies, (Sym){call->ref}).rtl;
    if (!body || body->symbol.i != call->ref || body->form != check->before->form ||
        symbol->alias.i != NO_ID)
        return REJECT(check, NO_NODE, "a function that is called has no body to copy");
    if (symbol_is_replaceable(symbol))
        return REJECT(check, NO_NODE, "'%s' may be replaced when linking or loading",
                      func_name(body));
    const SigInfo *sig = body_sig(site);
    if (call->aux != body->sig.i || sig->variadic || sig->param_count != body->params.count)
        return REJECT(check, NO_NODE, "the call does not fit '%s'", func_name(body));
    for (uint32_t n = 0; n < body->nodes.count; n++)
        if (instr_effects(&body->nodes.at[n]) & USES_FRAME)
            return REJECT(check, NO_NODE, "the frame of '%s' must be its own", func_name(body));
    returns_slot(body, &site->result);
    return true;
}

static bool check_slot(Copies *check, uint32_t slot, const SlotInfo *then) {
    const SlotInfo *now = &check->after->slots.at[slot];
    return (then->size == now->size && then->align == now->align && then->buffer == now->buffer) ||
           REJECT(check, NO_NODE, "slot %u is not that of the copy", slot);
}

// The copy has its registers and slots from site->reg and *slot on; *slot is then behind them.
static bool lay_out(Copies *check, const CopySite *site, uint64_t *slot) {
    const Func *body = site->body, *after = check->after;
    const SigInfo *sig = body_sig(site);
    uint32_t aggregates = 0;
    for (uint32_t i = 0; i < sig->param_count; i++)
        aggregates += ptype_is_aggregate(type_of(check, sig->params[i]));
    if (after->regs.count - site->reg < body->regs.count ||
        after->slots.count - *slot < (uint64_t)body->slots.count + aggregates)
        return REJECT(check, NO_NODE, "a copy of '%s' is not complete", func_name(body));
    for (uint32_t i = 0; i < body->slots.count; i++)
        if (!check_slot(check, (uint32_t)(*slot)++, &body->slots.at[i])) return false;
    for (uint32_t i = 0; i < sig->param_count; i++) {
        const ParamType *type = type_of(check, sig->params[i]);
        SlotInfo info = {
            .size = type->size, .align = type->align, .buffer = func_param_buffer(body)};
        if (ptype_is_aggregate(type) && !check_slot(check, (uint32_t)(*slot)++, &info))
            return false;
    }
    return true;
}

bool copies_find_sites(Copies *check) {
    uint64_t slot = check->before->slots.count;
    check->old_regs = check->before->regs.count;
    for (uint32_t i = 0; i < check->hint->sites.count; i++) {
        Node node = check->hint->sites.at[i];
        if (node.i >= check->before->nodes.count)
            return REJECT(check, NO_NODE, "site %u is no node", i);
        CopySite site = {.node = node,
                         .call = func_at(check->before, node),
                         .reg = check->old_regs,
                         .slot = (uint32_t)slot};
        if (!find_body(check, &site) || !lay_out(check, &site, &slot)) return false;
        check->work += site.body->nodes.count;
        if (check_takes_too_long(check->work, check->size))
            return REJECT(check, NO_NODE, "there are too many sites");
        check->old_regs += site.body->regs.count;
        vec_push(check->arena, &check->sites, site);
    }
    return slot == check->after->slots.count ||
           REJECT(check, NO_NODE, "the number of slots has changed");
}

// The last site whose register or slot number is not above a number; NULL if there is none.
static const CopySite *site_at(const Copies *check, uint32_t number, bool slots) {
    uint32_t low = 0, high = check->sites.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const CopySite *site = &check->sites.at[middle];
        if ((slots ? site->slot : site->reg) <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &check->sites.at[low - 1] : NULL;
}

uint32_t copies_copy_of(const Copies *check, uint32_t reg) {
    const CopySite *site = site_at(check, reg, false);
    return site ? (uint32_t)(site - check->sites.at) + 1 : 0;
}

// ---- Arguments

static bool is_memcpy(const Instr *instr) {
    return instr_is_memcpy(instr) && instr->arg_count == 2 && !instr->immediate;
}

// The parameter, an aggregate, for which a copy has a slot; NO_ID if none.
static uint32_t param_of_slot(const Copies *check, const CopySite *site, uint32_t slot) {
    const SigInfo *sig = body_sig(site);
    uint32_t at = site->slot + site->body->slots.count;
    for (uint32_t i = 0; i < sig->param_count; i++)
        if (ptype_is_aggregate(type_of(check, sig->params[i])) && at++ == slot) return i;
    return NO_ID;
}

// The node before, from which control always comes, has set the register to the address of the
// slot.
bool copies_passes(Copies *check, Node node, const OldPlace *at) {
    const Instr *now = func_at(check->after, node);
    if (!is_memcpy(now) || !check->sites.count) return false;
    Node from = preds_sole(&check->preds, node);
    if (from.i == NO_ID) return false;
    const Instr *address = func_at(check->after, from);
    if (address->kind != I_OP || address->op != OP_ADDR_SLOT || address->imm != 0 ||
        address->dest.i != now->arg[0].i)
        return false;
    const CopySite *site = site_at(check, address->ref, true);
    uint32_t param = site ? param_of_slot(check, site, address->ref) : NO_ID;
    if (param == NO_ID || at->copy || at->node.i != site->node.i ||
        now->imm != (int64_t)type_of(check, body_sig(site)->params[param])->size ||
        check->holds[now->arg[1].i] != instr_args(check->before, site->call)[param].i)
        return false;
    copies_set_new(check, now->arg[0], HOLDS_COPY | address->ref);
    return true;
}

// Registers of a copy: their earlier values are unknown.
static void forget_copy(Copies *check, uint32_t copy) {
    uint32_t facts = 0;
    for (uint32_t i = 0; i < check->changed.count; i++) {
        uint32_t reg = check->changed.at[i], value = check->holds[reg];
        if (reg < check->old_regs && copies_copy_of(check, reg) == copy)
            check->holds[reg] = reg;
        else if (value < check->old_regs && copies_copy_of(check, value) == copy)
            check->holds[reg] = HOLDS_NOTHING;
    }
    for (uint32_t i = 0; i < check->facts.count; i++) {
        Comparison fact = check->facts.at[i];
        if (copies_copy_of(check, fact.a.i) != copy &&
            (fact.b.i == NO_ID || copies_copy_of(check, fact.b.i) != copy))
            check->facts.at[facts++] = fact;
    }
    check->facts.count = facts;
    check->has_outcome = false;
    check->work += check->changed.count;
}

bool copies_enter(Copies *check, Node node, OldPlace *at, uint32_t copy) {
    const CopySite *site = copy ? &check->sites.at[copy - 1] : NULL;
    if (!site || at->copy || site->node.i != at->node.i)
        return REJECT(check, node, "it leaves out the call of old node %u",
                      func_label(check->before, at->node));
    const SigInfo *sig = body_sig(site);
    const Reg *args = instr_args(check->before, site->call);
    uint32_t slot = site->slot + site->body->slots.count;
    for (uint32_t i = 0; i < sig->param_count; i++) {
        bool aggregate = ptype_is_aggregate(type_of(check, sig->params[i]));
        uint32_t wanted = aggregate ? HOLDS_COPY | slot++ : args[i].i;
        if (check->holds[site->reg + site->body->params.at[i].i] != wanted)
            return REJECT(check, node, "argument %u is not passed", i);
    }
    forget_copy(check, copy);
    *at = (OldPlace){.copy = copy, .node = {0}};
    check->work += sig->param_count;
    return true;
}

// ---- Results

bool copies_leave(Copies *check, Node node, OldPlace *at) {
    const CopySite *site = at->copy ? &check->sites.at[at->copy - 1] : NULL;
    if (!site || ptype_is_aggregate(type_of(check, body_sig(site)->result)))
        return REJECT(check, node, "it leaves out the return of old node %u",
                      func_label(copies_function(check, at->copy), at->node));
    const Instr *then = func_at(site->body, at->node);
    if (site->call->dest.i != NO_ID)
        copies_assign_old(check, site->call->dest.i, site->reg + then->arg[0].i);
    *at = (OldPlace){.copy = 0, .node = site->call->succ[0]};
    return true;
}

bool copies_returns(const Copies *check, const Instr *now, OldPlace *at) {
    const CopySite *site = &check->sites.at[at->copy - 1];
    const Instr *then = func_at(site->body, at->node);
    const ParamType *type = type_of(check, body_sig(site)->result);
    Reg into = ptype_is_aggregate(type)
                   ? instr_args(check->before, site->call)[site->call->arg_count - 1]
                   : NO_REG;
    if (into.i == NO_ID || !is_memcpy(now) || now->imm != (int64_t)type->size ||
        check->holds[now->arg[0].i] != into.i || then->arg[0].i != site->result.i ||
        check->holds[now->arg[1].i] != site->reg + then->arg[0].i)
        return false;
    *at = (OldPlace){.copy = 0, .node = site->call->succ[0]};
    return true;
}
