#include "pass/son/range_sites.h"

#include "fact/effects.h"

#include <string.h>

enum { LARGE = 4000 }; // nodes; in a function with more, nothing is assumed of the phis of headers

// ---- Values

bool ranged_is_operator(const SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    if (it->kind != VALUE_OP || it->count == 0 || !ranged_is_int(ranges, value)) return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (!ranged_is_int(ranges, value_args(ranges->values, value)[k])) return false;
    return true;
}

bool ranged_is_undefined(const SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    return it->kind == VALUE_OLD && ranges->work->definitions[it->ref].by == SET_BY_NOTHING;
}

bool ranged_knows_more(const SonRanges *ranges, uint32_t value, bool here, uint32_t depth) {
    if (value >= ranges->count) return false;
    if (ranges->depends[value] || (here ? ranges->current[value] != NO_ID : ranges->taught[value]))
        return true;
    const HintValue *it = value_at(ranges->values, value);
    for (uint32_t k = 0; depth > 0 && it->kind == VALUE_OP && k < it->count; k++)
        if (ranged_knows_more(ranges, value_args(ranges->values, value)[k], here, depth - 1))
            return true;
    return false;
}

bool ranged_is_worth(const SonRanges *ranges, uint32_t value, Node place, uint32_t depth) {
    const Dominance *dom = &ranges->work->open;
    if (value >= ranges->count) return false;
    if (ranges->ask_first[value] <= dom->last[place.i] &&
        ranges->ask_last[value] >= dom->number[place.i])
        return true;
    const HintValue *it = value_at(ranges->values, value);
    for (uint32_t k = 0; depth > 0 && it->kind == VALUE_OP && k < it->count; k++)
        if (ranged_is_worth(ranges, value_args(ranges->values, value)[k], place, depth - 1))
            return true;
    return false;
}

// ---- Phis

// Whether the value of a phi is the phi.
static bool is_own_phi(const SonRanges *ranges, Reg dest) {
    uint32_t value = ranges->work->value_of[dest.i];
    return value != NO_ID && value == ranges->values->phi[dest.i] && ranged_is_int(ranges, value);
}

// Whether the walk comes to a join before it has seen all ways there.
static bool is_header(const SonRanges *ranges, Node join) {
    const SonWork *work = ranges->work;
    for (uint32_t k = 0; k < preds_count(&work->preds, join); k++) {
        Node pred = preds_at(&work->preds, join)[k];
        if (bits_has(&work->reached, pred.i) &&
            work->open.number[pred.i] >= work->open.number[join.i])
            return true;
    }
    return false;
}

RangedPhi *ranged_phi_next(SonRanges *ranges, Node join, RangedPhi *phi) {
    RangedPhi *end = ranges->phis.at + ranges->phis.count;
    if (!phi) return ranges->phi_at[join.i] ? ranges->phis.at + ranges->phi_at[join.i] - 1 : NULL;
    return phi + 1 < end && phi[1].join.i == join.i ? phi + 1 : NULL;
}

// ---- Questions

// Of a constant or an address nothing more can be learned.
static bool is_fixed(const SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    return it->kind == VALUE_OP && it->count == 0;
}

static void ask(SonRanges *ranges, uint32_t value, uint32_t number, uint32_t depth) {
    if (value == NO_ID || is_fixed(ranges, value)) return;
    const HintValue *it = value_at(ranges->values, value);
    if (number < ranges->ask_first[value]) ranges->ask_first[value] = number;
    if (number > ranges->ask_last[value]) ranges->ask_last[value] = number;
    for (uint32_t k = 0; depth > 0 && it->kind == VALUE_OP && k < it->count; k++)
        ask(ranges, value_args(ranges->values, value)[k], number, depth - 1);
}

static bool is_asked(const SonRanges *ranges, uint32_t value) {
    return ranges->ask_first[value] != NO_ID;
}

// Operators that a range can make cheaper.
static bool may_gain(Op op) {
    switch (op_family(op)) {
    case FAM_AND:
    case FAM_SAR:
    case FAM_DIVS:
    case FAM_MODS:
    case FAM_DIVU:
    case FAM_MODU:
    case FAM_SEXT:
    case FAM_ZEXT:
    case FAM_SEXT8:
    case FAM_SEXT16:
    case FAM_ZEXT8:
    case FAM_ZEXT16: return true;
    default: return op_compares_integers(op);
    }
}

// A branch or a check.
static bool instr_chooses(const Instr *instr) {
    if (instr->kind == I_CHECK) return true;
    return instr_is_branch(instr);
}

uint32_t ranged_question(const SonRanges *ranges, Node node, const Instr *instr) {
    const SonWork *work = ranges->work;
    if (ranges->way[node.i] != NO_ID) return NO_ID;
    uint32_t value = instr->kind == I_COND ? work->test[node.i] : work->value_of[instr->arg[0].i];
    Value constant;
    bool open = value != NO_ID && ranged_is_int(ranges, value) &&
                !value_is_constant(ranges->values, value, &constant);
    return open ? value : NO_ID;
}

// A phi that somebody asks for asks for its arguments. Loops may need a second look.
static void ask_arguments(SonRanges *ranges) {
    const SonWork *work = ranges->work;
    const Func *func = ranges->func;
    for (uint32_t look = 0; look < 2; look++)
        for (uint32_t i = func->phis.count; i-- > 0;) {
            const Phi *phi = &func->phis.at[i];
            Node join = work->definitions[phi->dest.i].node;
            if (!is_own_phi(ranges, phi->dest) || !bits_has(&work->reached, join.i) ||
                !is_asked(ranges, work->value_of[phi->dest.i]))
                continue;
            for (uint32_t k = 0; k < preds_count(&work->preds, join); k++) {
                Node pred = preds_at(&work->preds, join)[k];
                if (bits_has(&work->reached, pred.i))
                    ask(ranges, son_argument(work, phi, k), work->open.number[pred.i], 1);
            }
        }
}

// Phis that are sums of others ask whether these are defined. Whether there are such.
static bool ask_closed(SonRanges *ranges) {
    const SonWork *work = ranges->work;
    bool any = false;
    for (uint32_t i = 0; i < ranges->func->phis.count; i++) {
        Reg dest = ranges->func->phis.at[i].dest;
        uint32_t value = work->assumed.closed[dest.i];
        if (value == NO_ID || value >= ranges->count) continue;
        ask(ranges, value, work->open.number[work->definitions[dest.i].node.i], DEEPEST_RANGE);
        any = true;
    }
    return any;
}

// Whether there are questions.
static bool find_questions(SonRanges *ranges) {
    const SonWork *work = ranges->work;
    bool any = false;
    for (uint32_t n = 0; n < ranges->func->nodes.count; n++) {
        const Instr *instr = &ranges->func->nodes.at[n];
        uint32_t number = work->open.number[n];
        if (instr->kind == I_OP) {
            if (!may_gain(instr->op) || !bits_has(&work->reached, n)) continue;
            for (uint32_t k = 0; k < instr->arg_count; k++)
                ask(ranges, work->value_of[instr->arg[k].i], number, 1);
            any = true;
        } else if (instr_chooses(instr)) {
            if (!bits_has(&work->reached, n)) continue;
            uint32_t value = ranged_question(ranges, (Node){n}, instr);
            ask(ranges, value, number, DEEPEST_RANGE);
            any |= value != NO_ID;
        }
    }
    any |= ask_closed(ranges);
    if (any) ask_arguments(ranges);
    return any;
}

// The operands of values that are asked for.
static void find_needed(SonRanges *ranges) {
    for (uint32_t v = ranges->count; v-- > 0;) {
        const HintValue *it = value_at(ranges->values, v);
        if (!ranges->needed[v] && !is_asked(ranges, v)) continue;
        ranges->needed[v] = true;
        for (uint32_t k = 0; it->kind == VALUE_OP && k < it->count; k++)
            ranges->needed[value_args(ranges->values, v)[k]] = true;
    }
}

// In a large function, nothing is assumed of the phis of headers.
static void find_phis(SonRanges *ranges) {
    SonWork *work = ranges->work;
    const Func *func = ranges->func;
    Node last = NO_NODE;
    bool header = false, large = func->nodes.count > LARGE;
    for (uint32_t i = 0; i < func->phis.count; i++) {
        Reg dest = func->phis.at[i].dest;
        Node join = work->definitions[dest.i].node;
        uint32_t value = work->value_of[dest.i];
        if (!bits_has(&work->reached, join.i) || !is_own_phi(ranges, dest) ||
            !is_asked(ranges, value))
            continue;
        if (join.i != last.i) header = is_header(ranges, join);
        last = join;
        RangedPhi phi = {.dest = dest, .value = value, .join = join, .header = header};
        if (header && large) continue;
        phi.wide = value < work->ranges.count ? work->ranges.at[value] : (Range){.low = 1};
        vec_push(work->arena, &ranges->phis, phi);
        if (!ranges->phi_at[join.i]) ranges->phi_at[join.i] = ranges->phis.count;
    }
}

// ---- Sites

static void add_site(SonRanges *ranges, RangeSiteKind kind, Node node, uint32_t ref) {
    vec_push(ranges->work->arena, &ranges->sites,
             (RangeSite){.node = node, .kind = kind, .ref = ref});
}

static void join_site(SonRanges *ranges, Node node) {
    bool any = false;
    for (RangedPhi *phi = ranged_phi_next(ranges, node, NULL); phi;
         phi = ranged_phi_next(ranges, node, phi)) {
        if (phi->given_up) continue;
        ranges->depends[phi->value] = any = true;
    }
    if (any) add_site(ranges, SITE_JOIN, node, NO_ID);
}

// A value of which nothing is known makes a phi have any value.
static void pass_site(SonRanges *ranges, Node node, const Instr *instr) {
    if (instr->succ_count != 1 || !ranges->phi_at[instr->succ[0].i]) return;
    const Func *func = ranges->func;
    const SonWork *work = ranges->work;
    Node to = instr->succ[0];
    uint32_t k = preds_index(&work->preds, to, node);
    for (RangedPhi *phi = ranged_phi_next(ranges, to, NULL); phi;
         phi = ranged_phi_next(ranges, to, phi)) {
        const Phi *it = &func->phis.at[work->definitions[phi->dest.i].at];
        uint32_t arg = son_argument(work, it, k);
        if (arg == NO_ID || phi->given_up || ranged_knows_more(ranges, arg, false, DEEPEST_RANGE))
            continue;
        Range full = range_full(ranged_bits(ranges, arg));
        phi->given_up = !ranged_is_undefined(ranges, arg) &&
                        range_contains(&ranges->values->ranges.at[arg], &full);
    }
    add_site(ranges, SITE_PASS, node, k);
}

static void teach(SonRanges *ranges, uint32_t value, uint32_t depth) {
    if (value >= ranges->count || is_fixed(ranges, value)) return;
    const HintValue *it = value_at(ranges->values, value);
    ranges->taught[value] = true;
    for (uint32_t k = 0; depth > 0 && it->kind == VALUE_OP && k < it->count; k++)
        teach(ranges, value_args(ranges->values, value)[k], depth - 1);
}

// A switch with very many ways teaches nothing.
enum { MOST_WAYS = 64 };

// The way of a switch, or the join behind it.
static void case_site(SonRanges *ranges, Node from, Node place) {
    const Instr *instr = func_at(ranges->func, from), *next = func_at(ranges->func, place);
    uint32_t value = ranges->work->value_of[instr->arg[0].i];
    bool merges = next->kind == I_NOP && preds_is_join(&ranges->work->preds, next->succ[0]);
    if (!ranged_is_worth(ranges, value, place, DEEPEST_RANGE) &&
        !(merges && ranged_is_worth(ranges, value, next->succ[0], DEEPEST_RANGE)))
        return;
    uint32_t way = son_way_to(ranges->func, from, place);
    if (way == NO_ID) return;
    teach(ranges, value, DEEPEST_RANGE);
    add_site(ranges, SITE_CASE, place, way);
}

// A join of several ways of one switch, and of no others.
static void cases_site(SonRanges *ranges, Node place) {
    const SonWork *work = ranges->work;
    uint32_t ways = preds_count(&work->preds, place);
    Node from = NO_NODE;
    if (ways < 2 || ways > MOST_WAYS) return;
    for (uint32_t k = 0; k < ways; k++) {
        Node way = preds_at(&work->preds, place)[k];
        if (!bits_has(&work->reached, way.i)) continue;
        Node sole = work->sole[way.i];
        if (sole.i == NO_ID || func_at(ranges->func, sole)->kind != I_SWITCH ||
            (from.i != NO_ID && from.i != sole.i))
            return;
        from = sole;
    }
    if (from.i == NO_ID || func_at(ranges->func, from)->succ_count > MOST_WAYS ||
        !ranged_is_worth(ranges, work->value_of[func_at(ranges->func, from)->arg[0].i], place,
                         DEEPEST_RANGE))
        return;
    add_site(ranges, SITE_CASES, place, from.i);
}

static void outcome_site(SonRanges *ranges, Node from, Node place) {
    const SonWork *work = ranges->work;
    const Instr *instr = func_at(ranges->func, from);
    Comparison known;
    uint32_t value = instr->kind == I_COND ? work->test[from.i] : work->value_of[instr->arg[0].i];
    if (instr->succ_count > MOST_WAYS) return;
    if (instr->kind == I_SWITCH) {
        case_site(ranges, from, place);
        return;
    }
    if (!ranged_is_worth(ranges, value, place, DEEPEST_RANGE + 1)) return;
    uint32_t way = son_way_to(ranges->func, from, place);
    if (way == NO_ID || !son_outcome(ranges->work, from, way, &known) ||
        !type_is_int(op_info(known.op)->operand[0]) ||
        !(ranged_is_worth(ranges, known.a.i, place, DEEPEST_RANGE) ||
          ranged_is_worth(ranges, known.b.i, place, DEEPEST_RANGE)))
        return;
    teach(ranges, known.a.i, DEEPEST_RANGE);
    teach(ranges, known.b.i, DEEPEST_RANGE);
    add_site(ranges, SITE_OUTCOME, place, ranges->outcomes.count);
    vec_push(work->arena, &ranges->outcomes, known);
}

static void access_site(SonRanges *ranges, const Instr *instr, Node place) {
    if (instr->base != BASE_REG || instr->scale || instr->imm < 0 || instr->imm >= NULL_PAGE ||
        ranges->func->program->null_is_place)
        return;
    uint32_t value = ranges->work->value_of[instr_args(ranges->func, instr)[0].i];
    if (!ranged_is_worth(ranges, value, place, 0)) return;
    teach(ranges, value, 0);
    add_site(ranges, SITE_ACCESS, place, value);
}

static void division_site(SonRanges *ranges, const Instr *instr, Node place) {
    if (instr->arg_count < 2) return;
    uint32_t value = ranges->work->value_of[instr->arg[1].i];
    if (!ranged_is_worth(ranges, value, place, 0)) return;
    teach(ranges, value, 0);
    add_site(ranges, SITE_DIVISION, place, value);
}

static void edge_site(SonRanges *ranges, Node place) {
    Node from = ranges->work->sole[place.i];
    if (from.i == NO_ID) cases_site(ranges, place);
    if (from.i == NO_ID || !bits_has(&ranges->work->reached, from.i)) return;
    const Instr *instr = func_at(ranges->func, from);
    if (instr->kind == I_LOAD || instr->kind == I_STORE)
        access_site(ranges, instr, place);
    else if (instr->kind == I_OP && op_is_partial(instr->op))
        division_site(ranges, instr, place);
    else if (instr_chooses(instr))
        outcome_site(ranges, from, place);
}

// An operator that is made of phis.
static void operator_site(SonRanges *ranges, Node node, uint32_t value) {
    if (value == NO_ID || value >= ranges->count || !ranges->needed[value] ||
        ranges->depends[value] || !ranged_is_operator(ranges, value))
        return;
    const uint32_t *args = value_args(ranges->values, value);
    for (uint32_t k = 0; k < value_at(ranges->values, value)->count; k++)
        ranges->depends[value] |= ranges->depends[args[k]];
    if (ranges->depends[value]) add_site(ranges, SITE_OPERATOR, node, value);
}

// Whether the range that a value has everywhere leaves something out.
static bool is_limited(const SonRanges *ranges, uint32_t value) {
    if (value == NO_ID) return false;
    Range full = range_full(ranged_bits(ranges, value));
    return !range_contains(&ranges->values->ranges.at[value], &full);
}

static void use_site(SonRanges *ranges, Node node, const Instr *instr) {
    bool any = false;
    if (instr->kind != I_OP) {
        uint32_t value = ranged_question(ranges, node, instr);
        any = ranged_knows_more(ranges, value, false, DEEPEST_RANGE) ||
              (instr->kind == I_SWITCH && is_limited(ranges, value));
    } else if (may_gain(instr->op) && ranges->work->value_of[instr->dest.i] != NO_ID) {
        for (uint32_t k = 0; k < instr->arg_count; k++)
            any |= ranged_knows_more(ranges, ranges->work->value_of[instr->arg[k].i], false, 1);
    }
    if (!any) return;
    add_site(ranges, SITE_USE, node, NO_ID);
    ranges->uses = true;
}

static void collect_sites(SonRanges *ranges) {
    const SonWork *work = ranges->work;
    for (uint32_t number = 0; number < work->open.count; number++) {
        Node node = {work->open.order[number]};
        if (!bits_has(&work->reached, node.i)) continue;
        const Instr *instr = func_at(ranges->func, node);
        if (ranges->phi_at[node.i]) join_site(ranges, node);
        edge_site(ranges, node);
        if (instr->kind == I_OP) operator_site(ranges, node, work->value_of[instr->dest.i]);
        if (instr->kind == I_COND) operator_site(ranges, node, work->test[node.i]);
        if (instr->kind == I_OP || instr_chooses(instr)) use_site(ranges, node, instr);
        pass_site(ranges, node, instr);
    }
}

void ranged_sites(SonRanges *ranges) {
    Arena *arena = ranges->work->arena;
    uint32_t count = ranges->count;
    ranges->ask_first = ARENA_ARRAY(arena, uint32_t, count);
    ranges->ask_last = ARENA_ARRAY(arena, uint32_t, count);
    memset(ranges->ask_first, 0xff, count * sizeof *ranges->ask_first);
    if (!find_questions(ranges)) return;
    ranges->needed = ARENA_ARRAY(arena, bool, count);
    ranges->depends = ARENA_ARRAY(arena, bool, count);
    ranges->taught = ARENA_ARRAY(arena, bool, count);
    ranges->phi_at = ARENA_ARRAY(arena, uint32_t, ranges->func->nodes.count);
    find_phis(ranges);
    if (ranges->phis.count) find_needed(ranges);
    collect_sites(ranges);
}
