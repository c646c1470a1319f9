// Phis of loops that count along with others: if one phi of a header grows by three while another
// grows by one, the first is three times the second, plus a constant. If the first grows by the
// second, it is a triangle (value_sums.h). Then the loop need not compute the first, and the value
// of the first behind the loop follows from the second.
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

// How a phi grows: it starts with a constant, and grows by a constant, and perhaps by some times a
// counter, in each round.
typedef struct {
    uint64_t start, by, rise;
} Growth;

// The part of a sum that is no multiple of a value is left.
static uint64_t take_part(ValueSum *sum, uint32_t value) {
    for (uint32_t i = 0; i < sum->count; i++) {
        if (sum->parts[i].value != value || sum->parts[i].shift) continue;
        uint64_t factor = sum->parts[i].factor;
        sum->parts[i] = sum->parts[--sum->count];
        return factor;
    }
    return 0;
}

static bool counts(const LoopCloser *closer, const Phi *phi, uint32_t counter, Growth *growth) {
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
        !value_sum(&terms, next, (Type)work->values.types.at[value], &sum) ||
        take_part(&sum, value) != 1)
        return false;
    *growth = (Growth){.start = constant.bits, .by = sum.constant};
    if (counter != NO_ID) growth->rise = take_part(&sum, counter);
    return sum.count == 0;
}

// (x >> 1) * ((x - 1) | 1)
static uint32_t triangle(SonValues *values, Type type, uint32_t x) {
    uint32_t one = value_constant(values, type, (Value){.bits = 1});
    uint32_t last = value_constant(values, type, (Value){.bits = type_mask(type)});
    uint32_t half[2] = {x, value_constant(values, TYPE_I32, (Value){.bits = 1})};
    uint32_t less[2] = {x, last}, odd[2] = {NO_ID, one}, factors[2];
    odd[0] = value_op(values, op_of(FAM_ADD, type), less);
    factors[0] = value_op(values, op_of(FAM_SHR, type), half);
    factors[1] = value_op(values, op_of(FAM_OR, type), odd);
    return value_op(values, op_of(FAM_MUL, type), factors);
}

// Whether the range of a counter tells of a limit that is a constant: behind a loop with another
// limit, the triangle would be computed beside the loop, and not instead of it.
static bool is_limited(const SonWork *work, uint32_t counter) {
    uint64_t mask = type_mask((Type)work->values.types.at[counter]);
    return counter < work->ranges.count && work->ranges.at[counter].high <= mask >> 2;
}

// times * counter + a constant, for a counter that grows by one or minus one; and some times the
// triangle of the counter, if that grows by one.
static uint32_t sum_of_counter(LoopCloser *closer, const Phi *phi, const Phi *counter) {
    SonWork *work = closer->work;
    Type type = reg_type(work->before, phi->dest);
    uint64_t mask = type_mask(type);
    uint32_t value = work->value_of[counter->dest.i];
    Growth of, by;
    if (reg_type(work->before, counter->dest) != type || value == NO_ID ||
        !counts(closer, phi, value, &of) || !counts(closer, counter, NO_ID, &by) ||
        (by.by != 1 && (by.by != mask || of.rise)) || (of.rise && !is_limited(work, value)))
        return NO_ID;
    uint64_t times = of.by * by.by & mask, first = by.start;
    uint64_t below = (first >> 1) * ((first - 1) | 1);
    ValueSum sum = {.bits = type == TYPE_I32 ? 32 : 64,
                    .constant = (of.start - times * first - of.rise * below) & mask,
                    .count = 1,
                    .parts = {{.value = value, .factor = times}}};
    if (of.rise)
        sum.parts[sum.count++] = (SumPart){triangle(&work->values, type, value), of.rise, 0};
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
        uint32_t of = value_triangle_of(&terms, sum.parts[i].value);
        const HintValue *it = value_at(&work->values, of == NO_ID ? sum.parts[i].value : of);
        if (of != NO_ID && of >= work->ranges.count) return false;
        if (it->kind != VALUE_PHI || it->ref != closer->header.i || it->count != 2) return false;
    }
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t arg = work->value_of[phi_args(work->before, phi)[k].i];
        if (arg == NO_ID || !value_sum(&terms, arg, type, &from) ||
            !value_sum_on_way(&terms, &sum, closer->header, k, work->ranges.at, &to))
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
