// Value numbering with constants, rules and unreachable code at once, starting from the most
// hopeful assumptions.
//
// A register has no value as long as no evidence speaks against any value. So phis of loops begin
// as their argument from outside, and a branch that a constant decides opens one way only. When a
// value changes, the nodes that read it are looked at again, the first in reverse postorder first:
// so a loop has come to rest before the nodes behind the loop are looked at. All results are about
// values, each made once: two registers are equal if they have the same value, and phis of one join
// with the same arguments have the same value.
//
// If the numbering takes too long, phis are left as they are, which settles the rest: deep nests of
// loops cannot make it slow. The same if branches go one way and another again and again.
#include "pass/son/son_work.h"

#include "fact/effects.h"

#include <string.h>

enum { VISITS_PER_NODE = 24, MOST_CLOSED = 8 };

typedef struct {
    SonWork *work;
    const Func *func;
    SonValues *values;
    uint32_t *value_of;
    uint32_t *
        home; // register of the operator that may go wrong whose value it is -> by value; see partial_value
    uint32_t home_count; // values that have room in it
    Bits dirty;          // nodes to look at
    Bits visited;        // nodes that have been looked at
    uint32_t cursor;     // none before this is dirty
    Table phis;          // of the join at hand: phis by arguments
    VEC(uint32_t) args;  // of the phi at hand
    VEC(Node) waiting;   // joins with phis of which only undefined arguments are known
    bool settled;        // phis are left as they are
    bool patient;        // nobody waits any more
    bool strayed;        // there are branches that went another way before
} SonNumbering;

static void make_dirty(SonNumbering *number, uint32_t node) {
    bits_add(&number->dirty, node);
    if (node < number->cursor) number->cursor = node;
}

static void set_value(SonNumbering *number, Reg reg, uint32_t value) {
    if (number->value_of[reg.i] == value) return;
    number->value_of[reg.i] = value;
    const RegReads *reads = &number->work->reads;
    if (!number->work->has_loops) return; // its readers come later
    for (uint32_t i = reads->first[reg.i]; i < reads->first[reg.i + 1]; i++)
        if (bits_has(&number->visited, reads->list[i].node.i))
            make_dirty(number, reads->list[i].node.i);
}

// Control may go from the node at hand to another. If the other node is a join, it has one way in
// more, or another argument on this way: everything in a loop has been looked at when its header is
// looked at again, so that phis which change alike are handled.
static void reach(SonNumbering *number, Node node) {
    bool first = bits_put(&number->work->reached, node.i);
    if (first || func_phi_count(number->func, node)) make_dirty(number, node.i);
}

// ---- Phis

static bool same_args(const SonNumbering *number, uint32_t phi, const uint32_t *args,
                      uint32_t count) {
    const Func *func = number->func;
    for (uint32_t k = 0; k < count; k++)
        if (args[k] != NO_ID && son_argument(number->work, &func->phis.at[phi], k) != args[k])
            return false;
    return true;
}

// The value of a phi that has different arguments: that of another such phi of the join, or its
// own.
static uint32_t phi_value(SonNumbering *number, uint32_t phi, Node join, uint32_t count) {
    const uint32_t *args = number->args.at;
    uint64_t hash = count;
    for (uint32_t k = 0; k < count; k++) hash = hash_add(hash, args[k]);
    uint32_t at = table_first(&number->phis, hash), other;
    Reg dest = number->func->phis.at[phi].dest;
    while ((other = table_id(&number->phis, hash, &at)) != HASH_NONE)
        if (same_args(number, other, args, count))
            return number->value_of[number->func->phis.at[other].dest.i];
    table_insert(number->work->arena, &number->phis, hash, phi);
    return value_phi(number->values, dest, join);
}

// Whether a value, that of a register, is known before control comes to a join.
static bool is_above(const SonNumbering *number, uint32_t value, Reg reg, Node join) {
    const HintValue *it = value_at(number->values, value);
    Node home = number->work->definitions[reg.i].node;
    // An operator that may go wrong, or is made of such, cannot be computed elsewhere. A call, too.
    if ((it->kind == VALUE_OP || it->kind == VALUE_CALL) && it->count &&
        !dominates(&number->work->dom, home, join))
        return false;
    uint32_t base = number->values->base.at[value];
    return base == NO_ID || (base != join.i && dominates(&number->work->dom, (Node){base}, join));
}

static void number_phi(SonNumbering *number, uint32_t phi, Node join) {
    const Func *func = number->func;
    const Preds *preds = &number->work->preds;
    uint32_t count = preds_count(preds, join), same = NO_ID, undefined = NO_ID, ways = 0;
    const Reg *regs = phi_args(func, &func->phis.at[phi]);
    Reg dest = func->phis.at[phi].dest, from = dest;
    bool differ = false, open = true;
    vec_clear(&number->args);
    for (uint32_t k = 0; k < count; k++) {
        bool reached = bits_has(&number->work->reached, preds_at(preds, join)[k].i);
        uint32_t value = reached ? son_argument(number->work, &func->phis.at[phi], k) : NO_ID;
        vec_push(number->work->arena, &number->args, value);
        ways += reached;
        if (value == NO_ID) continue;
        open = false;
        if (number->work->definitions[regs[k].i].by ==
            SET_BY_NOTHING) { // may be taken for anything
            undefined = value;
            continue;
        }
        differ |= same != NO_ID && same != value;
        same = value;
        from = regs[k];
    }
    if (open) return;
    if (number->work->assumed.closed[dest.i] != NO_ID && ways > 1) {
        set_value(number, dest, number->work->assumed.closed[dest.i]);
        return;
    }
    if (same == NO_ID && !number->patient) {
        vec_push(number->work->arena, &number->waiting, join);
        return;
    }
    if (same == NO_ID) same = undefined;
    if (undefined != NO_ID && !is_above(number, same, from, join)) differ = true;
    if (number->settled && ways > 1 && number->values->phi[dest.i] != NO_ID &&
        number->value_of[dest.i] == number->values->phi[dest.i])
        return;
    if (!differ && (!number->settled || ways == 1)) {
        set_value(number, dest, same);
        return;
    }
    set_value(number, dest,
              number->settled ? value_phi(number->values, dest, join)
                              : phi_value(number, phi, join, count));
}

// ---- Instructions

static bool has_values(const SonNumbering *number, const Instr *instr) {
    const Reg *args = instr_args(number->func, instr);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (number->value_of[args[k].i] == NO_ID) return false;
    return true;
}

// Of an operator that may go wrong, only one execution that dominates can stand for another.
static uint32_t partial_value(SonNumbering *number, const Instr *instr, Node node, uint32_t value) {
    if (!value_is_partial(number->values, value)) return value;
    while (number->home_count <= value) {
        uint32_t size = number->home_count ? 2 * number->home_count : 256;
        number->home =
            arena_grow(number->work->arena, number->home, number->home_count * sizeof *number->home,
                       size * sizeof *number->home);
        memset(number->home + number->home_count, 0xff,
               (size - number->home_count) * sizeof *number->home);
        number->home_count = size;
    }
    uint32_t home = number->home[value]; // the first node with this value, if it still has it
    if (home == NO_ID || home > node.i ||
        number->value_of[number->func->nodes.at[home].dest.i] != value)
        number->home[value] = home = node.i;
    return dominates(&number->work->dom, (Node){home}, node)
               ? value
               : value_old(number->values, instr->dest);
}

static void number_op(SonNumbering *number, const Instr *instr, Node node) {
    if (!has_values(number, instr)) return;
    if (op_is_move(instr->op)) {
        set_value(number, instr->dest, number->value_of[instr->arg[0].i]);
        return;
    }
    uint32_t formed = value_of_instr(number->values, instr, number->value_of);
    uint32_t value = value_simplify(number->values, formed);
    uint32_t from = number->work->assumed.local_from[node.i];
    if (from != NO_ID && (from == value || from == formed))
        value = value_simplify(number->values, number->work->assumed.local_to[node.i]);
    if (op_is_partial(instr->op)) value = partial_value(number, instr, node, value);
    set_value(number, instr->dest, value);
}

// The result of a function of the arguments alone.
static void number_call(SonNumbering *number, const Instr *instr, Node node) {
    const Program *program = number->func->program;
    const Reg *args = instr_args(number->func, instr);
    if (!unit_calls_own(program, instr) || !unit_is_pure(program, (Sym){instr->ref})) {
        set_value(number, instr->dest, value_old(number->values, instr->dest));
        return;
    }
    if (!has_values(number, instr)) return;
    vec_clear(&number->args);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        vec_push(number->work->arena, &number->args, number->value_of[args[k].i]);
    uint32_t value = value_call(number->values, instr, number->args.at);
    set_value(number, instr->dest, partial_value(number, instr, node, value));
}

static void number_load(SonNumbering *number, const Instr *instr, Node node) {
    uint32_t held = number->work->assumed.held[node.i];
    Op extension = chunk_extension((Chunk)instr->chunk);
    if (held != NO_ID && extension != OP_COUNT)
        held = value_simplify(number->values, value_op(number->values, extension, &held));
    set_value(number, instr->dest, held != NO_ID ? held : value_old(number->values, instr->dest));
}

// ---- Control

uint32_t son_test(SonWork *work, Node node) {
    return value_of_instr(&work->values, func_at(work->before, node), work->value_of);
}

uint32_t son_switch_way(const Func *func, const Instr *instr, int64_t value) {
    const int64_t *cases = instr_cases(func, instr);
    uint32_t low = 0, high = instr->succ_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cases[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low + 1 < instr->succ_count && cases[low] == value ? low + 1 : 0;
}

// The only way that a branch goes, or 0 for a check that does not stop; NO_ID if it is not known.
static uint32_t way_of(SonNumbering *number, const Instr *instr, Node node) {
    Value value;
    const SonValues *values = number->values;
    if (instr->kind == I_COND) {
        uint32_t test = value_simplify(number->values, son_test(number->work, node));
        number->work->test[node.i] = test;
        if (value_is_constant(values, test, &value)) return value.bits ? 0 : 1;
    } else if (value_is_constant(values, number->value_of[instr->arg[0].i], &value)) {
        if (instr->kind == I_SWITCH)
            return son_switch_way(number->func, instr,
                                  value_at(values, number->value_of[instr->arg[0].i])->imm);
        if (value.bits) return 0;
    }
    return number->work->assumed.way[node.i];
}

static void number_control(SonNumbering *number, const Instr *instr, Node node, bool fresh) {
    const Node *succs = instr_succs(number->func, instr);
    uint32_t way = NO_ID;
    if (instr_is_branch(instr) || instr->kind == I_CHECK) {
        if (!has_values(number, instr)) return;
        way = way_of(number, instr, node);
        number->strayed |= !fresh && way != NO_ID && number->work->way[node.i] != way;
        number->work->way[node.i] = way;
    }
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (way == NO_ID ? !son_is_shut(number->work, node, k) : way == k) reach(number, succs[k]);
}

static void number_node(SonNumbering *number, Node node) {
    const Instr *instr = func_at(number->func, node);
    bool fresh = bits_put(&number->visited, node.i);
    uint32_t first = number->func->phi_at.count ? number->func->phi_at.at[node.i] : 0;
    if (func_phi_count(number->func, node)) number->phis = (Table){0};
    for (uint32_t i = 0; i < func_phi_count(number->func, node); i++)
        number_phi(number, first + i, node);
    if (instr->kind == I_OP)
        number_op(number, instr, node);
    else if (instr->kind == I_LOAD)
        number_load(number, instr, node);
    else if (instr->kind == I_CALL && instr->dest.i != NO_ID)
        number_call(number, instr, node);
    else if (instr->dest.i != NO_ID)
        set_value(number, instr->dest, value_old(number->values, instr->dest));
    number_control(number, instr, node, fresh);
}

// ---- Rounds

static void start(SonNumbering *number) {
    SonWork *work = number->work;
    const Func *func = work->before;
    memset(work->value_of, 0xff, func->regs.count * sizeof *work->value_of);
    memset(work->way, 0xff, func->nodes.count * sizeof *work->way);
    bits_clear(&work->reached);
    bits_add(&work->reached, 0);
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (work->definitions[r].by == SET_BY_NOTHING)
            work->value_of[r] = value_old(&work->values, (Reg){r});
    for (uint32_t i = 0; i < func->params.count; i++)
        work->value_of[func->params.at[i].i] = value_old(&work->values, func->params.at[i]);
}

// Looks at nodes until all is at rest. False if that takes more than so many visits.
static bool run(SonNumbering *number, uint64_t visits) {
    for (;;) {
        uint32_t node = bits_next(&number->dirty, number->cursor);
        if (node == number->dirty.size) return true;
        if (visits-- == 0) return false;
        number->cursor = node;
        bits_remove(&number->dirty, node);
        number_node(number, (Node){node});
    }
}

// Phis stay as they are from now on.
static void settle_phis(SonNumbering *number) {
    number->settled = true;
    for (uint32_t n = 0; n < number->func->nodes.count; n++)
        if (bits_has(&number->work->reached, n)) make_dirty(number, n);
}

// A branch may have gone another way for a while: what only that has opened is not reached. Whether
// there is such.
static bool close_ways(SonNumbering *number) {
    SonWork *work = number->work;
    Bits hoped = work->reached;
    VEC(Node) open = {0};
    work->reached = bits_new(work->arena, hoped.size);
    bits_add(&work->reached, 0);
    vec_push(work->arena, &open, (Node){0});
    while (open.count) {
        Node node = vec_pop(&open);
        const Instr *instr = func_at(number->func, node);
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node succ = instr_succs(number->func, instr)[k];
            bool closed =
                work->way[node.i] == NO_ID ? son_is_shut(work, node, k) : work->way[node.i] != k;
            if (!closed && bits_has(&hoped, succ.i) && bits_put(&work->reached, succ.i))
                vec_push(work->arena, &open, succ);
        }
    }
    if (bits_equal(&hoped, &work->reached)) return false;
    for (uint32_t n = 0; n < hoped.size; n++) {
        if (!bits_has(&work->reached, n))
            bits_remove(&number->visited, n);
        else if (func_phi_count(number->func, (Node){n}))
            make_dirty(number, n);
    }
    return true;
}

bool son_number(SonWork *work) {
    uint32_t nodes = work->before->nodes.count;
    SonNumbering number = {.work = work,
                           .func = work->before,
                           .values = &work->values,
                           .value_of = work->value_of,
                           .patient = !work->has_loops, // all that there is comes first
                           .dirty = bits_new(work->arena, nodes),
                           .visited = bits_new(work->arena, nodes)};
    start(&number);
    make_dirty(&number, 0);
    for (uint32_t closed = 0;;) {
        if (!run(&number, (uint64_t)VISITS_PER_NODE * nodes)) {
            settle_phis(&number);
            (void)run(&number, UINT64_MAX);
        }
        if (!number.patient && number.waiting.count) {
            number.patient = true;
            for (uint32_t i = 0; i < number.waiting.count; i++)
                make_dirty(&number, number.waiting.at[i].i);
            continue;
        }
        if (!number.strayed || !close_ways(&number)) return true;
        number.strayed = false; // phis with one way left are to become copies
        if (++closed == MOST_CLOSED) settle_phis(&number);
        if (closed == 2 * MOST_CLOSED) return false;
    }
}
