#include "analysis/conditions/limits.h"

#include "analysis/conditions/uninitialized.h"
#include "fact/comparison.h"
#include "fact/effects.h"
#include "fact/eval.h"

#include <string.h>

// How far operators are looked into.
enum { DEEPEST = 2 };

static uint32_t bits_of(const LimitWalk *walk, Reg reg) {
    return range_bits(reg_type(walk->ssa, reg));
}

static bool is_int(const LimitWalk *walk, Reg reg) {
    return type_is_int(reg_type(walk->ssa, reg));
}

static uint64_t mask_of(uint32_t bits) {
    return bits == 32 ? UINT32_MAX : UINT64_MAX;
}

static Limits number_limits(Range range) {
    return (Limits){.range = range};
}

static Limits any_value(const LimitWalk *walk, Reg reg) {
    return number_limits(range_full(bits_of(walk, reg)));
}

static bool same_base(const Limits *a, const Limits *b) {
    return a->base == b->base && a->id == b->id;
}

// A range of values of a type, from least to most as signed integers.
static Range signed_range(uint32_t bits, int64_t least, int64_t most) {
    Range range = range_full(bits);
    range.least = least;
    range.most = most;
    return range_both(bits, &range, &range);
}

// ---- Operators

const Instr *call_that_gave(const Func *ssa, const Definition *definitions, Reg reg,
                            const char *name) {
    const Instr *call = defining_instr(ssa, definitions, reg);
    if (!call || call->kind != I_CALL || call->ref == NO_ID) return NULL;
    const Symbol *symbol = program_at(ssa->program, (Sym){call->ref});
    bool same = !symbol->defined && strcmp(program_text(ssa->program, symbol->name), name) == 0;
    return same ? call : NULL;
}

static Limits limits_in(const LimitWalk *walk, Reg reg, unsigned depth);

static bool on_numbers(const Limits *args, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (args[i].base != LIMITS_NUMBER) return false;
    return true;
}

// Sums and differences of places and numbers, and copies of places.
static bool on_places(const Instr *instr, const Limits *args, Limits *result) {
    Range ranges[2] = {args[0].range, args[1].range};
    OpFamily family = op_family(instr->op);
    if (family == FAM_MOVE) {
        *result = args[0];
        return true;
    }
    bool left = args[0].base != LIMITS_NUMBER, right = args[1].base != LIMITS_NUMBER;
    if (family != FAM_ADD && family != FAM_SUB) return false;
    *result = (Limits){.range = range_of_family(family, 64, 64, ranges)};
    if (left && right) return family == FAM_SUB && same_base(&args[0], &args[1]);
    if (right && family == FAM_SUB) return false;
    result->base = left ? args[0].base : args[1].base;
    result->id = left ? args[0].id : args[1].id;
    return true;
}

// The result of an operator; its operands are looked into.
static Limits operate(const LimitWalk *walk, const Instr *instr, unsigned depth) {
    const Reg *regs = instr_args(walk->ssa, instr);
    Limits args[3] = {{0}}, result;
    Range ranges[3];
    if (instr->op == OP_ADDR_SLOT || instr->op == OP_ADDR_SYMBOL)
        return (Limits){.base = instr->op == OP_ADDR_SLOT ? LIMITS_SLOT : LIMITS_SYMBOL,
                        .id = instr->ref,
                        .range = range_constant(64, (uint64_t)instr->imm)};
    uint32_t bits = bits_of(walk, instr->dest), count = instr->arg_count;
    if (instr->op == op_const(reg_type(walk->ssa, instr->dest)))
        return number_limits(range_constant(
            bits, value_immediate(reg_type(walk->ssa, instr->dest), instr->imm).bits));
    for (uint32_t i = 0; i < count; i++)
        if (!is_int(walk, regs[i])) return any_value(walk, instr->dest);
    for (uint32_t i = 0; i < count; i++) args[i] = limits_in(walk, regs[i], depth);
    if (instr->immediate) {
        Type type = op_info((Op)instr->op)->operand[count];
        args[count++] =
            number_limits(range_constant(range_bits(type), value_immediate(type, instr->imm).bits));
    }
    if (on_numbers(args, count)) {
        for (uint32_t i = 0; i < count; i++) ranges[i] = args[i].range;
        return number_limits(range_of_op((Op)instr->op, ranges));
    }
    return on_places(instr, args, &result) ? result : any_value(walk, instr->dest);
}

static Limits limits_in(const LimitWalk *walk, Reg reg, unsigned depth) {
    Limits best = walk->known[reg.i] ? walk->now[reg.i] : any_value(walk, reg);
    const Instr *instr = defining_instr(walk->ssa, walk->definitions, reg);
    if (!depth || !instr || instr->kind != I_OP || !walk->known[reg.i]) return best;
    Limits fresh = operate(walk, instr, depth - 1);
    if (!same_base(&best, &fresh)) return best;
    Range both = range_both(bits_of(walk, reg), &best.range, &fresh.range);
    if (!range_is_empty(&both)) best.range = both;
    return best;
}

Limits limits_of(const LimitWalk *walk, Reg reg) {
    return limits_in(walk, reg, DEEPEST);
}

// ---- What branches say

static void learn(LimitWalk *walk, Node place, Reg reg, const Limits *told, unsigned depth) {
    if (!walk->known[reg.i] || range_contains(&told->range, &walk->now[reg.i].range)) return;
    vec_push(
        walk->arena, &walk->scopes,
        (LimitsScope){.last = walk->dom.last[place.i], .reg = reg, .before = walk->now[reg.i]});
    walk->now[reg.i] = *told;
    const Instr *instr = defining_instr(walk->ssa, walk->definitions, reg);
    if (!depth || !instr || instr->kind != I_OP || told->base != LIMITS_NUMBER) return;
    // What the result of an operator says about its operands.
    const OpInfo *info = op_info((Op)instr->op);
    uint32_t count = instr->arg_count;
    const Reg *regs = instr_args(walk->ssa, instr);
    Range args[3];
    if (!type_is_int(info->result) || info->arity > 2 || !count) return;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_int(walk, regs[i]) || !walk->known[regs[i].i]) return;
        Limits limits = limits_in(walk, regs[i], 0);
        if (limits.base != LIMITS_NUMBER) return;
        args[i] = limits.range;
    }
    if (instr->immediate)
        args[count] = range_constant(range_bits(info->operand[count]),
                                     value_immediate(info->operand[count], instr->imm).bits);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = range_bits(info->operand[i]);
        Range range =
            range_of_operand(info->family, bits, range_bits(info->result), args, i, &told->range);
        Limits operand = number_limits(range_both(bits, &args[i], &range));
        if (range_has_some(&operand.range, bits)) learn(walk, place, regs[i], &operand, depth - 1);
    }
}

// The two sides of a comparison, if their ranges can be compared: numbers, or places in one object.
static bool compared(const LimitWalk *walk, const Comparison *known, Limits *a, Limits *b) {
    Type type = op_info(known->op)->operand[0];
    if (!type_is_int(type)) return false;
    *a = limits_of(walk, known->a);
    if (known->b.i != NO_ID)
        *b = limits_of(walk, known->b);
    else
        *b =
            number_limits(range_constant(range_bits(type), value_immediate(type, known->imm).bits));
    return same_base(a, b);
}

// Distances in an object are signed, however places are compared.
static OpFamily family_on(const Limits *limits, Op op) {
    OpFamily family = op_family(op);
    if (limits->base == LIMITS_NUMBER) return family;
    switch (family) {
    case FAM_ULT: return FAM_LT;
    case FAM_ULE: return FAM_LE;
    case FAM_UGT: return FAM_GT;
    case FAM_UGE: return FAM_GE;
    default: return family;
    }
}

// The way from a branch to a node; NO_ID if there are several.
static uint32_t way_to(const Func *ssa, Node branch, Node to) {
    const Instr *instr = func_at(ssa, branch);
    uint32_t found = NO_ID;
    for (uint32_t i = 0; i < instr->succ_count; i++) {
        if (instr_succs(ssa, instr)[i].i != to.i) continue;
        if (found != NO_ID) return NO_ID;
        found = i;
    }
    return found;
}

// What the branch before a node says. False if control cannot come here.
static bool learn_outcome(LimitWalk *walk, Node node) {
    Node from = preds_sole(&walk->preds, node);
    if (from.i == NO_ID) return true;
    const Instr *branch = func_at(walk->ssa, from);
    if (!instr_is_branch(branch)) return true;
    uint32_t way = way_to(walk->ssa, from, node);
    Comparison known;
    Limits a, b;
    if (way == NO_ID || !comparison_of_way(walk->ssa, from, way, &known) ||
        !op_compares_integers(known.op) || !compared(walk, &known, &a, &b))
        return true;
    uint32_t bits = range_bits(op_info(known.op)->operand[0]);
    Op op = known.holds ? known.op : op_negation(known.op);
    Range left = range_if(family_on(&a, op), bits, &a.range, &b.range);
    Range right = range_if(family_on(&b, op_mirror(op)), bits, &b.range, &a.range);
    left = range_both(bits, &a.range, &left);
    right = range_both(bits, &b.range, &right);
    if (!range_has_some(&left, bits) || !range_has_some(&right, bits)) return false;
    a.range = left;
    b.range = right;
    learn(walk, node, known.a, &a, DEEPEST);
    if (known.b.i != NO_ID) learn(walk, node, known.b, &b, DEEPEST);
    return true;
}

// ---- Counters

Reg limits_root(const LimitWalk *walk, Reg reg, int64_t *added) {
    enum { LONGEST = 16 };
    *added = 0;
    for (unsigned i = 0; i < LONGEST; i++) {
        const Instr *instr = defining_instr(walk->ssa, walk->definitions, reg);
        if (!instr || instr->kind != I_OP || instr->arg_count != 1) break;
        OpFamily family = op_family(instr->op);
        bool adds = family == FAM_ADD || family == FAM_SUB;
        if (adds && instr->imm >= INT32_MIN && instr->imm <= INT32_MAX)
            *added += family == FAM_ADD ? instr->imm : -instr->imm;
        else if (family != FAM_MOVE && family != FAM_SEXT && family != FAM_ZEXT &&
                 family != FAM_TRUNC)
            break;
        if (!is_int(walk, instr->arg[0])) break;
        reg = instr->arg[0];
    }
    return reg;
}

bool limits_counter(const LimitWalk *walk, Reg reg, LoopCounter *counter) {
    const Phi *phi = defining_phi(walk->ssa, walk->definitions, reg);
    Node header = walk->definitions[reg.i].node;
    if (!phi || !loop_nest_is_header(&walk->loops, header) || !is_int(walk, reg)) return false;
    *counter = (LoopCounter){.phi = reg, .start = NO_REG, .header = header};
    Reg back = NO_REG;
    bool same = true;
    for (uint32_t k = 0; k < preds_count(&walk->preds, header); k++) {
        Reg arg = phi_args(walk->ssa, phi)[k];
        if (is_back_edge(&walk->dom, preds_at(&walk->preds, header)[k], header)) {
            same = same && (back.i == NO_ID || back.i == arg.i);
            back = arg;
        } else if (counter->start.i != NO_ID) {
            return false;
        } else {
            counter->start = arg;
        }
    }
    if (counter->start.i == NO_ID || back.i == NO_ID) return false;
    int64_t added;
    bool counts = same && limits_root(walk, back, &added).i == reg.i;
    if (counts) counter->step = added;
    return true;
}

// What a branch that ends the loop says about the counter in the next round.
static Range after_test(const LimitWalk *walk, const LoopCounter *counter, const LoopExit *exit,
                        const Limits *start, const Limits *all) {
    Comparison known;
    int64_t added;
    Range range = all->range;
    uint32_t bits = bits_of(walk, counter->phi);
    if (!comparison_of_way(walk->ssa, exit->branch, exit->stay, &known)) return range;
    if (!op_compares_integers(known.op)) return range;
    Reg tested = limits_root(walk, known.a, &added);
    if (tested.i != counter->phi.i) return range;
    Limits other = number_limits(range_constant(bits, (uint64_t)known.imm & mask_of(bits)));
    if (known.b.i == NO_ID) {
        // A counter may have been widened for the comparison.
        if (bits_of(walk, known.a) != bits && (known.imm < 0 || known.imm > INT32_MAX))
            return range;
    } else {
        if (bits_of(walk, known.a) != bits) return range;
        // Only what was known before the loop holds for all its rounds.
        Node set = walk->definitions[known.b.i].node;
        if (!walk->known[known.b.i] ||
            (set.i != NO_ID && loop_nest_contains(&walk->loops, counter->header, set)))
            return range;
        other = limits_of(walk, known.b);
    }
    if (!same_base(&other, all)) return range;
    Op op = known.holds ? known.op : op_negation(known.op);
    OpFamily family = family_on(all, op);
    // One by one a counter comes to every number.
    if (family == FAM_NE && counter->step == 1 && start->range.most <= other.range.least - added)
        family = FAM_LT;
    if (family == FAM_NE && counter->step == -1 && start->range.least >= other.range.most - added)
        family = FAM_GT;
    Range seen = range_if(family, bits, &range, &other.range);
    seen = range_both(bits, &range, &seen);
    if (range_is_empty(&seen)) return range;
    Range args[2] = {seen, range_constant(bits, mask_of(bits) & (uint64_t)(counter->step - added))};
    return range_of_family(FAM_ADD, bits, bits, args);
}

bool limits_always_met(const LimitWalk *walk, Node header, Node branch) {
    for (uint32_t k = 0; k < preds_count(&walk->preds, header); k++) {
        Node from = preds_at(&walk->preds, header)[k];
        if (is_back_edge(&walk->dom, from, header) && !dominates(&walk->dom, branch, from))
            return false;
    }
    return true;
}

// A counter that starts at a number has the low bits of the number if its step has none of them.
static void know_low_bits(const LoopCounter *counter, const Range *start, Range *range) {
    uint64_t number, step = (uint64_t)counter->step, below = (step & -step) - 1;
    if (!range_is_constant(start, &number)) return;
    range->zeros |= below & ~number;
    range->ones |= below & number;
}

static void enter_header(LimitWalk *walk, const Phi *phi) {
    enum { MOST_EXITS = 8 };
    LoopCounter counter;
    Limits all = any_value(walk, phi->dest);
    Limits start = walk->known[phi->dest.i] ? walk->now[phi->dest.i] : all;
    uint32_t bits = bits_of(walk, phi->dest), tried = 0;
    walk->now[phi->dest.i] = all;
    walk->known[phi->dest.i] = true;
    if (!limits_counter(walk, phi->dest, &counter) || !counter.step) return;
    int64_t least = all.range.least, most = all.range.most;
    all = (Limits){.base = start.base, .id = start.id};
    all.range = counter.step > 0 ? signed_range(bits, start.range.least, most)
                                 : signed_range(bits, least, start.range.most);
    know_low_bits(&counter, &start.range, &all.range);
    Range later = all.range;
    for (uint32_t i = walk->first_exit[counter.header.i]; i != NO_ID && tried++ < MOST_EXITS;
         i = walk->exits.at[i].next) {
        if (!limits_always_met(walk, counter.header, walk->exits.at[i].branch)) continue;
        Range told = after_test(walk, &counter, &walk->exits.at[i], &start, &all);
        told = range_both(bits, &told, &later);
        if (!range_is_empty(&told)) later = told;
    }
    all.range = range_either(&start.range, &later);
    walk->now[phi->dest.i] = all;
}

// ---- The walk

static void note_exits(LimitWalk *walk, Node node) {
    const Instr *instr = func_at(walk->ssa, node);
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Node to = instr_succs(walk->ssa, instr)[k];
        Node header = walk->loops.loop[node.i];
        for (; header.i != NO_ID && !loop_nest_contains(&walk->loops, header, to);
             header = walk->loops.outer[header.i]) {
            walk->exit_count[header.i]++;
            if (instr->kind != I_COND) continue;
            Node other = instr_succs(walk->ssa, instr)[1 - k];
            if (!loop_nest_contains(&walk->loops, header, other)) continue;
            LoopExit exit = {.branch = node, .stay = 1 - k, .next = walk->first_exit[header.i]};
            walk->first_exit[header.i] = walk->exits.count;
            vec_push(walk->arena, &walk->exits, exit);
        }
    }
}

bool limits_begin(LimitWalk *walk, Arena *arena, const Func *ssa) {
    *walk = (LimitWalk){.arena = arena, .ssa = ssa, .at = NO_NODE};
    walk->preds = preds_of(arena, ssa);
    walk->dom = dominance_of(arena, ssa, &walk->preds);
    walk->loops = loop_nest_of(arena, ssa, &walk->preds, &walk->dom);
    if (!walk->loops.reducible) return false;
    uint32_t regs = ssa->regs.count, nodes = ssa->nodes.count;
    walk->definitions = definitions_of(arena, ssa);
    walk->known = ARENA_ARRAY(arena, bool, regs);
    walk->now = ARENA_ARRAY(arena, Limits, regs);
    walk->reached = ARENA_ARRAY(arena, bool, nodes);
    walk->first_exit = ARENA_ARRAY(arena, uint32_t, nodes);
    walk->exit_count = ARENA_ARRAY(arena, uint32_t, nodes);
    memset(walk->first_exit, 0xff, nodes * sizeof *walk->first_exit);
    for (uint32_t n = 0; n < nodes; n++)
        if (walk->loops.loop[n].i != NO_ID) note_exits(walk, (Node){n});
    for (uint32_t r = 0; r < regs; r++) {
        if (walk->definitions[r].by != SET_BY_CALLER || !is_int(walk, (Reg){r})) continue;
        walk->now[r] = any_value(walk, (Reg){r});
        walk->known[r] = true;
    }
    walk->reached[0] = true;
    return true;
}

// The arguments of the phis that control comes to from the node at hand.
static void pass_arguments(LimitWalk *walk, Node from, Node to) {
    for (uint32_t i = 0; i < func_phi_count(walk->ssa, to); i++) {
        const Phi *phi = &func_phis(walk->ssa, to)[i];
        if (!is_int(walk, phi->dest)) continue;
        Reg arg = phi_args(walk->ssa, phi)[preds_index(&walk->preds, to, from)];
        Limits limits = limits_of(walk, arg), *sum = &walk->now[phi->dest.i];
        if (!walk->known[phi->dest.i])
            *sum = limits;
        else if (same_base(sum, &limits))
            sum->range = range_either(&sum->range, &limits.range);
        else
            *sum = any_value(walk, phi->dest);
        walk->known[phi->dest.i] = true;
    }
}

static void leave_node(LimitWalk *walk) {
    const Instr *instr = func_at(walk->ssa, walk->at);
    if (never_comes_back(walk->ssa->program, instr)) return;
    for (uint32_t i = 0; i < instr->succ_count; i++) {
        Node to = instr_succs(walk->ssa, instr)[i];
        walk->reached[to.i] = true;
        if (!is_back_edge(&walk->dom, walk->at, to)) pass_arguments(walk, walk->at, to);
    }
}

static void enter_node(LimitWalk *walk, Node node) {
    const Func *ssa = walk->ssa;
    const Instr *instr = func_at(ssa, node);
    if (loop_nest_is_header(&walk->loops, node))
        for (uint32_t i = 0; i < func_phi_count(ssa, node); i++) {
            const Phi *phi = &func_phis(ssa, node)[i];
            if (is_int(walk, phi->dest)) enter_header(walk, phi);
        }
    if (instr->dest.i == NO_ID || !is_int(walk, instr->dest)) return;
    Limits result = any_value(walk, instr->dest);
    if (instr->kind == I_OP) result = operate(walk, instr, DEEPEST - 1);
    if (instr->kind == I_LOAD)
        result.range = range_both(bits_of(walk, instr->dest), &result.range,
                                  &(Range[]){range_of_chunk((Chunk)instr->chunk)}[0]);
    if (instr->kind == I_CALL && (call_that_gave(ssa, walk->definitions, instr->dest, "malloc") ||
                                  call_that_gave(ssa, walk->definitions, instr->dest, "calloc")))
        result = (Limits){.base = LIMITS_HEAP, .id = instr->dest.i, .range = range_constant(64, 0)};
    walk->now[instr->dest.i] = result;
    walk->known[instr->dest.i] = true;
}

bool limits_next(LimitWalk *walk, Node *node) {
    if (walk->at.i != NO_ID) leave_node(walk);
    walk->at = NO_NODE;
    while (walk->next < walk->dom.count) {
        uint32_t number = walk->next++;
        Node next = {walk->dom.order[number]};
        while (walk->scopes.count && walk->scopes.at[walk->scopes.count - 1].last < number) {
            LimitsScope scope = vec_pop(&walk->scopes);
            walk->now[scope.reg.i] = scope.before;
        }
        if (!walk->reached[next.i] || !learn_outcome(walk, next)) continue;
        enter_node(walk, next);
        walk->at = *node = next;
        return true;
    }
    return false;
}
