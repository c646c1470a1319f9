// Phis of loops that count along with others: if one phi of a header grows by three while another
// grows by one, the first is three times the second, plus a constant. Then the loop need not
// compute the first, and the value of the first behind the loop follows from the second.
//
// A phi is closed only if the loop reads it for nothing but its next value: else the product would
// stand in the loop, where the sum was cheaper.
#include "pass/son/son_work.h"

enum { MOST_PHIS = 32 }; // of a header: each is compared with each

typedef struct {
    SonWork *work;
    Node header;
    uint32_t entry; // among the predecessors
} LoopCloser;

static const Phi *phi_number(const LoopCloser *closer, uint32_t i) {
    return &func_phis(closer->work->before, closer->header)[i];
}

static bool is_in_loop(const LoopCloser *closer, Node node) {
    return loop_nest_contains(&closer->work->loops, closer->header, node);
}

// Whether a register is read in the loop by nothing but one operator, which is `reader` then, or by
// nothing but the phi.
static bool is_read_only_by(const LoopCloser *closer, Reg reg, const Phi *phi, Node *reader) {
    const SonWork *work = closer->work;
    const RegReads *reads = &work->reads;
    *reader = NO_NODE;
    for (uint32_t i = reads->first[reg.i]; i < reads->first[reg.i + 1]; i++) {
        const RegRead *read = &reads->list[i];
        if (!is_in_loop(closer, read->node) || !bits_has(&work->reached, read->node.i)) continue;
        if (read_is_by_phi(read)) {
            uint32_t first = phi->args_at, at = read->arg - READ_BY_PHI;
            if (at < first || at >= first + preds_count(&work->preds, closer->header)) return false;
        } else {
            if (reader->i != NO_ID || func_at(work->before, read->node)->kind != I_OP) return false;
            *reader = read->node;
        }
    }
    return true;
}

// Whether the loop needs a phi for the next value of the phi only.
static bool is_only_counted(const LoopCloser *closer, const Phi *phi) {
    Node next, other;
    if (!is_read_only_by(closer, phi->dest, phi, &next) || next.i == NO_ID) return false;
    Reg counted = func_at(closer->work->before, next)->dest;
    return is_read_only_by(closer, counted, phi, &other) && other.i == NO_ID;
}

// By how much a phi grows in each round, and the constant with which it starts.
static bool counts(const LoopCloser *closer, const Phi *phi, uint64_t *start, uint64_t *by) {
    const SonWork *work = closer->work;
    const Reg *args = phi_args(work->before, phi);
    uint32_t value = work->values.phi[phi->dest.i], first = work->value_of[args[closer->entry].i],
             next = work->value_of[args[1 - closer->entry].i];
    ValueTerms terms = values_terms(&work->values);
    ValueSum sum;
    Value constant;
    if (value == NO_ID || work->value_of[phi->dest.i] != value || first == NO_ID || next == NO_ID ||
        !type_is_int((Type)work->values.types.at[value]) ||
        !value_is_constant(&work->values, first, &constant) ||
        !value_sum(&terms, next, (Type)work->values.types.at[value], &sum) || sum.count != 1 ||
        sum.parts[0].value != value || sum.parts[0].factor != 1)
        return false;
    *start = constant.bits;
    *by = sum.constant;
    return true;
}

// times * counter + a constant, for a counter that grows by one or minus one.
static uint32_t sum_of_counter(LoopCloser *closer, const Phi *phi, const Phi *counter) {
    SonWork *work = closer->work;
    Type type = reg_type(work->before, phi->dest);
    uint64_t start, by, counter_start, counter_by, mask = type_mask(type);
    if (reg_type(work->before, counter->dest) != type || !counts(closer, phi, &start, &by) ||
        !counts(closer, counter, &counter_start, &counter_by) ||
        (counter_by != 1 && counter_by != mask))
        return NO_ID;
    uint64_t times = by * counter_by & mask;
    ValueSum sum = {.bits = type == TYPE_I32 ? 32 : 64,
                    .constant = (start - times * counter_start) & mask,
                    .count = 1,
                    .parts = {{.value = work->value_of[counter->dest.i], .factor = times}}};
    return value_simplify(&work->values, value_of_sum(&work->values, type, &sum));
}

// Whether an assumed sum is right for the arguments that follow from it.
static bool is_confirmed(LoopCloser *closer, const Phi *phi, uint32_t value) {
    SonWork *work = closer->work;
    Type type = (Type)work->values.types.at[value];
    ValueTerms terms = values_terms(&work->values);
    ValueSum sum, from, to;
    if (!value_sum(&terms, value, type, &sum)) return false;
    for (uint32_t i = 0; i < sum.count; i++) {
        const HintValue *it = value_at(&work->values, sum.parts[i].value);
        if (it->kind != VALUE_PHI || it->ref != closer->header.i || it->count != 2) return false;
    }
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t arg = work->value_of[phi_args(work->before, phi)[k].i];
        if (arg == NO_ID || !value_sum(&terms, arg, type, &from) ||
            !value_sum_on_way(&terms, &sum, closer->header, k, &to))
            return false;
        for (uint32_t i = 0; i < to.count; i++)
            if (to.parts[i].value < work->ranges.count)
                value_sum_define(&to, i, &work->ranges.at[to.parts[i].value]);
        if (!value_sum_refines(&from, &to, NULL, NULL)) return false;
    }
    return true;
}

static void close_phi(LoopCloser *closer, const Phi *phi, uint32_t *closed) {
    SonWork *work = closer->work;
    uint32_t assumed = work->assumed.closed[phi->dest.i];
    if (!is_only_counted(closer, phi)) return;
    if (assumed != NO_ID && work->value_of[phi->dest.i] == assumed) {
        if (is_confirmed(closer, phi, assumed)) *closed = assumed;
        return;
    }
    for (uint32_t i = 0; *closed == NO_ID && i < func_phi_count(work->before, closer->header); i++)
        if (!is_only_counted(closer, phi_number(closer, i)))
            *closed = sum_of_counter(closer, phi, phi_number(closer, i));
}

void son_counters(SonWork *work, uint32_t *closed) {
    const Func *func = work->before;
    for (uint32_t r = 0; r < func->regs.count; r++) closed[r] = NO_ID;
    if (!work->has_loops || !work->loops.reducible) return;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        LoopCloser closer = {.work = work, .header = {n}};
        uint32_t phis = func_phi_count(func, (Node){n});
        if (phis < 2 || phis > MOST_PHIS || !bits_has(&work->reached, n) ||
            !header_is_plain(&work->preds, &work->dom, (Node){n}, &closer.entry) ||
            !bits_has(&work->reached, preds_at(&work->preds, (Node){n})[1 - closer.entry].i))
            continue;
        son_set_phis(work, (Node){n});
        for (uint32_t i = 0; i < phis; i++) {
            const Phi *phi = phi_number(&closer, i);
            if (type_is_int(reg_type(func, phi->dest)))
                close_phi(&closer, phi, &closed[phi->dest.i]);
        }
    }
}
