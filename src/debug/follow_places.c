// Allocated machine code: finds the values that each place holds at each instruction, and so the
// places of variables.
//
// A place holds the value that an instruction put there until another instruction overwrites or
// destroys it; moves copy. At the start of a block a place holds the value on which all ways in
// agree, and the values that the hints give for phis. At the start of a block that sets a value, no
// place holds this value: an equal-looking value there is from another round. So if the definition
// of a value dominates a block, or the value was set earlier in the block, a place that holds the
// value has the right one.
#include "debug/follow_private.h"

#include "base/bits.h"
#include "fact/eval.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COMPUTED = 4 };

// What a variable was found to be at the instruction before.
typedef struct {
    bool open;
    DebugSpan span;
} Open;

typedef struct {
    Follower *f;
    Arena *arena;
    const Func *func;
    MachPreds preds;
    MachConstraints constraints;
    Bits wanted;            // values that a variable may have
    VEC(uint32_t) * set_in; // per unbounded block: the values that are set there
    uint32_t *gen_at;       // per instruction, and one more: its first in f->gens
    uint32_t *site;         // per instruction: node of the last SSA form, or NO_ID
    uint32_t
        *told; // per instruction: the node of the source form whose versions were told, or NO_ID
    uint32_t *where,
        *stamp; // per value: the best place that holds it, if the stamp is that of the instruction
    uint32_t now;      // the stamp
    uint32_t loc;      // the last one that was told
    uint32_t instance; // that of the instruction that has told it
    bool entered;      // a block that others lead to has been entered since
    uint32_t *
        line_seen; // node of the source form -> the block, plus one, in which its line was told last
    uint32_t block; // the unbounded block of the instruction at hand
    uint32_t *derived,
        *next_derived;      // per value: a value that differs by a constant; per such: the next one
    Open *opens;            // per tracked variable
    VEC(DebugSpan) * spans; // per tracked variable
    DebugTerm terms[MOST_TERMS];
    uint32_t term_count;
} PlaceSearch;

// ---- What is to be followed

static uint32_t value_of(const PlaceSearch *p, uint32_t reg) {
    return p->f->ssa.value[reg];
}

// Values that differ from one by a constant, or are its extension, tell it, too.
static void find_derived(PlaceSearch *p) {
    const LastSsa *ssa = &p->f->ssa;
    p->derived = follow_table(p->arena, ssa->reg_count);
    p->next_derived = follow_table(p->arena, ssa->reg_count);
    for (uint32_t v = 0; v < ssa->reg_count; v++) {
        const Instr *set = &ssa->instr_of[v];
        bool sum = set->kind == I_OP && set->immediate &&
                   (set->op == OP_ADD_I32 || set->op == OP_ADD_I64 || set->op == OP_SUB_I32 ||
                    set->op == OP_SUB_I64);
        bool wide = set->kind == I_OP && (set->op == OP_SEXT_I64 || set->op == OP_ZEXT_I64);
        if (!sum && !wide) continue;
        uint32_t from = value_of(p, set->arg[0].i);
        p->next_derived[v] = p->derived[from];
        p->derived[from] = v;
    }
}

static void want(PlaceSearch *p, uint32_t reg, uint32_t depth) {
    uint32_t value = value_of(p, reg);
    const Instr *set = &p->f->ssa.instr_of[value];
    if (!bits_put(&p->wanted, value) && depth) return;
    for (uint32_t d = p->derived[value]; d != NO_ID; d = p->next_derived[d])
        bits_add(&p->wanted, d);
    if (!follow_computes(set) || depth == MOST_COMPUTED) return;
    for (uint32_t k = 0; k < set->arg_count; k++) want(p, set->arg[k].i, depth + 1);
}

static int by_instr(const void *a, const void *b) {
    const PlaceGen *x = a, *y = b;
    return x->instr < y->instr ? -1 : x->instr > y->instr;
}

static void index_gens(PlaceSearch *p) {
    Follower *f = p->f;
    uint32_t count = p->func->mach->code.count, next = 0;
    if (f->gens.count > 1) qsort(f->gens.at, f->gens.count, sizeof *f->gens.at, by_instr);
    p->gen_at = ARENA_ARRAY(p->arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i <= count; i++) {
        while (next < f->gens.count && f->gens.at[next].instr < i) next++;
        p->gen_at[i] = next;
    }
}

// A value of a phi or instruction whose block is not known may be set without notice: it is not
// followed.
static bool is_followed(const PlaceSearch *p, uint32_t value) {
    const Definition *set = &p->f->ssa.definitions[value];
    return bits_has(&p->wanted, value) &&
           (set->by == SET_BY_CALLER || p->f->block_of_value[value] != NO_ID);
}

static void find_wanted(PlaceSearch *p) {
    Follower *f = p->f;
    p->wanted = bits_new(p->arena, f->ssa.reg_count);
    find_derived(p);
    for (uint32_t h = 0; h < f->holders.count; h++)
        if (f->holders.at[h].kind == HOLDER_REG) want(p, f->holders.at[h].reg, 0);
    for (uint32_t i = 0; i < f->ssa.arguments.count; i++) want(p, f->ssa.arguments.at[i].value, 0);
    p->set_in = arena_alloc(p->arena, ((size_t)f->block_count + 1) * sizeof *p->set_in);
    for (uint32_t v = 0; v < f->ssa.reg_count; v++)
        if (bits_has(&p->wanted, v) && f->block_of_value[v] != NO_ID)
            vec_push(p->arena, &p->set_in[f->block_of_value[v]], v);
}

// ---- PlaceSearch that hold values

static uint32_t size_of(Type type) {
    return type == TYPE_F80 ? 16 : type == TYPE_I64 || type == TYPE_F64 ? 8 : 4;
}

static void start_block(PlaceSearch *p, uint32_t b, HeldSet *set) {
    Follower *f = p->f;
    uint32_t origin = f->block_origin[b];
    if (origin == NO_ID) return;
    for (uint32_t i = 0; i < p->set_in[origin].count; i++)
        held_kill_id(set, p->set_in[origin].at[i]);
    uint32_t join = f->rtl.join[f->node_of_block[origin]];
    if (join == NO_ID) return;
    const HeldSet *start = &f->starts[b];
    for (uint32_t i = f->rtl.pair_at[join]; i < f->rtl.pair_at[join + 1]; i++) {
        uint32_t value = value_of(p, f->rtl.pairs.at[i].value.i);
        if (!is_followed(p, value)) continue;
        for (uint32_t k = 0; k < start->count; k++)
            if (start->at[k].id == f->rtl.pairs.at[i].home.i)
                held_add(p->arena, set, start->at[k].place, value);
    }
}

// A copy of less than a value is not the value.
static void run_copy(PlaceSearch *p, const MachInstr *instr, HeldSet *set) {
    uint32_t to = follow_place(instr->dest);
    held_move(p->arena, set, follow_place(instr->src[0]), to);
    uint32_t size = instr->kind == MK_MOVE ? 16 : size_of(op_info(instr->op)->result);
    for (uint32_t i = 0; i < set->count;)
        if (set->at[i].place == to && size_of((Type)p->f->ssa.type_of[set->at[i].id]) > size)
            set->at[i] = vec_pop(set);
        else
            i++;
}

static void run_instr(PlaceSearch *p, uint32_t at, HeldSet *set) {
    const MachInstr *instr = mach_at(p->func, at);
    if (instr->kind == MK_MOVE || follow_is_copy(instr)) {
        run_copy(p, instr, set);
    } else if (instr->kind == MK_EXCHANGE) {
        held_exchange(set, follow_place(instr->src[0]), follow_place(instr->dest));
    } else {
        follow_destroyed(p->arena, p->func, instr, &p->constraints, set);
        for (uint32_t g = p->gen_at[at]; g < p->gen_at[at + 1]; g++) {
            uint32_t value = value_of(p, p->f->gens.at[g].value);
            if (!is_followed(p, value)) continue;
            held_kill_id(set, value);
            held_add(p->arena, set, p->f->gens.at[g].place, value);
        }
    }
}

static void run_block(void *context, uint32_t b, HeldSet *set) {
    PlaceSearch *p = context;
    const MachBlock *block = mach_block(p->func, b);
    start_block(p, b, set);
    for (uint32_t at = block->first; at < block->first + block->count; at++) run_instr(p, at, set);
}

// ---- Positions

static uint32_t site_of(const Follower *f, const MachInstr *instr) {
    return instr->node < f->rtl.node_count ? f->rtl.ssa_node[instr->node] : NO_ID;
}

// An instruction that was put in is where the next one is, or, at the end of a block, the one
// before.
static void find_sites(PlaceSearch *p) {
    const Mach *mach = p->func->mach;
    p->site = follow_table(p->arena, mach->code.count);
    for (uint32_t b = 0; b < mach->blocks.count; b++) {
        const MachBlock *block = mach_block(p->func, b);
        uint32_t near = b == 0 ? 0 : NO_ID; // parameters are there at the entry
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            uint32_t site = site_of(p->f, mach_at(p->func, i));
            if (site != NO_ID) near = site;
            p->site[i] = near;
        }
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            if (p->site[i] != NO_ID) near = p->site[i];
            p->site[i] = near;
        }
    }
}

// ---- Values of variables

// Registers that calls keep come first, spills last: so a variable has the same place for long.
static uint32_t rank_of(const TargetModel *target, uint32_t place) {
    if (place >= MACHINE_REG_LIMIT) return 2;
    return regs_has(target->callee_saved, place) ? 0 : 1;
}

static bool is_better(const TargetModel *target, uint32_t place, uint32_t other) {
    uint32_t a = rank_of(target, place), b = rank_of(target, other);
    return a != b ? a < b : place < other;
}

// Only what a call keeps, if so.
static void index_places(PlaceSearch *p, const HeldSet *set, bool kept) {
    const TargetModel *target = p->f->program->target;
    p->now++;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t value = set->at[i].id, place = set->at[i].place;
        if (kept && rank_of(target, place) == 1) continue;
        if (p->stamp[value] == p->now && !is_better(target, place, p->where[value])) continue;
        p->stamp[value] = p->now;
        p->where[value] = place;
    }
}

// Whether a place that holds a value has it as it counts at a node.
static bool is_current(const PlaceSearch *p, uint32_t value, uint32_t site) {
    const LastSsa *ssa = &p->f->ssa;
    const Definition *set = &ssa->definitions[value];
    if (set->by == SET_BY_CALLER || p->f->block_of_value[value] == p->block) return true;
    uint32_t from = ssa->number[set->node.i], at = ssa->number[site];
    return from != NO_ID && at != NO_ID && from <= at && at <= ssa->last[set->node.i];
}

static bool put_term(PlaceSearch *p, DebugTerm term) {
    if (p->term_count == MOST_TERMS) return false;
    p->terms[p->term_count++] = term;
    return true;
}

static bool put_register(PlaceSearch *p, uint32_t reg, uint32_t site, uint32_t depth);
static bool put_holder(PlaceSearch *p, uint32_t h, uint32_t site, uint32_t depth);

static bool put_number(PlaceSearch *p, Type type, int64_t number) {
    return put_term(p, (DebugTerm){.kind = PUSH_NUMBER,
                                   .type = (uint8_t)type,
                                   .ref = NO_ID,
                                   .place = NO_PLACE,
                                   .number = number});
}

static bool put_operator(PlaceSearch *p, Op op) {
    return put_term(p, (DebugTerm){.kind = PUSH_OP,
                                   .type = (uint8_t)op_info(op)->result,
                                   .op = (uint16_t)op,
                                   .ref = NO_ID,
                                   .place = NO_PLACE});
}

// Whether a place holds a value now, as it counts at a node.
static bool put_place(PlaceSearch *p, uint32_t value, uint32_t site) {
    if (p->stamp[value] != p->now || !is_current(p, value, site)) return false;
    return put_term(p, (DebugTerm){.kind = PUSH_PLACE,
                                   .type = p->f->ssa.type_of[value],
                                   .ref = NO_ID,
                                   .place = follow_place_of(p->where[value])});
}

// What an instruction computes. Its operands are registers of the last SSA form, or of the source
// form.
static bool put_computed(PlaceSearch *p, const Instr *set, uint32_t site, uint32_t depth,
                         bool source) {
    if (!follow_computes(set) || depth >= MOST_COMPUTED) return false;
    for (uint32_t k = 0; k < set->arg_count; k++)
        if (!(source ? put_holder : put_register)(p, set->arg[k].i, site, depth + 1)) return false;
    if (set->immediate && !put_number(p, op_info(set->op)->operand[1], set->imm)) return false;
    return put_operator(p, (Op)set->op);
}

// From a value that differs by a constant: that, less the constant.
static bool put_inverse(PlaceSearch *p, uint32_t value, uint32_t site) {
    for (uint32_t d = p->derived[value]; d != NO_ID; d = p->next_derived[d]) {
        const Instr *set = &p->f->ssa.instr_of[d];
        if (!put_place(p, d, site)) continue;
        if (!set->immediate) return true;
        bool sum = set->op == OP_ADD_I32 || set->op == OP_ADD_I64;
        bool wide = op_info(set->op)->result == TYPE_I64;
        return put_number(p, op_info(set->op)->result, set->imm) &&
               put_operator(p, sum    ? wide ? OP_SUB_I64 : OP_SUB_I32
                               : wide ? OP_ADD_I64
                                      : OP_ADD_I32);
    }
    return false;
}

// What a parameter was when the function was called, which its caller may know.
static bool put_entry(PlaceSearch *p, uint32_t value) {
    uint32_t reg = p->f->entry_place[value];
    if (reg == NO_ID || p->f->ssa.definitions[value].by != SET_BY_CALLER) return false;
    return put_term(p, (DebugTerm){.kind = PUSH_ENTRY,
                                   .type = p->f->ssa.type_of[value],
                                   .ref = NO_ID,
                                   .place = place_machine((MachineReg)reg)});
}

static bool put_register(PlaceSearch *p, uint32_t reg, uint32_t site, uint32_t depth) {
    uint32_t value = value_of(p, reg), start = p->term_count;
    const Instr *set = &p->f->ssa.instr_of[value];
    DebugTerm term;
    if (set->kind == I_OP && follow_constant(set, &term)) return put_term(p, term);
    if (put_place(p, value, site) || put_computed(p, set, site, depth, false)) return true;
    p->term_count = start;
    return put_inverse(p, value, site) || put_entry(p, value);
}

static bool put_held(PlaceSearch *p, const Holder *holder, uint32_t site, uint32_t depth) {
    if (holder->kind == HOLDER_REG) return put_register(p, holder->reg, site, depth);
    if (holder->kind == HOLDER_TERM) return put_term(p, holder->term);
    if (holder->kind == HOLDER_LOST || depth >= 2 * MOST_COMPUTED) return false;
    for (uint32_t k = 0; k < holder->arg_count; k++)
        if (!put_holder(p, holder->arg[k], site, depth + 1)) return false;
    Op op = (Op)holder->term.op;
    if (holder->immediate && !put_number(p, op_info(op)->operand[1], holder->term.number))
        return false;
    return put_operator(p, op);
}

// What a holder says, or another that does as well, or what the source form computes.
static bool put_holder(PlaceSearch *p, uint32_t h, uint32_t site, uint32_t depth) {
    const Follower *f = p->f;
    uint32_t start = p->term_count;
    for (uint32_t at = h;; at = f->holders.at[at].other) {
        if (put_held(p, &f->holders.at[at], site, depth)) return true;
        p->term_count = start;
        if (!f->holders.at[at].other) break;
    }
    if (h >= f->source_regs || depth >= MOST_COMPUTED) return false;
    const Instr *set = &f->source_instr[h];
    if (set->kind == I_OP && op_is_move(set->op))
        return put_holder(p, set->arg[0].i, site, depth + 1);
    if (put_computed(p, set, site, depth, true)) return true;
    p->term_count = start;
    return false;
}

// ---- Spans

static bool is_inside(const PlaceSearch *p, uint32_t instance, uint32_t outer) {
    while (instance != NO_ID && instance > outer) instance = p->f->instances.at[instance].parent;
    return instance == outer;
}

static bool same_terms(const PlaceSearch *p, const DebugSpan *span) {
    if (span->term_count != p->term_count) return false;
    for (uint32_t i = 0; i < p->term_count; i++) {
        const DebugTerm *a = &p->f->code.terms.at[span->term_at + i], *b = &p->terms[i];
        if (a->kind != b->kind || a->op != b->op || a->type != b->type ||
            a->place.i != b->place.i || a->number != b->number || a->ref != b->ref ||
            a->high != b->high)
            return false;
    }
    return true;
}

static void close_span(PlaceSearch *p, uint32_t x, bool ends) {
    if (!p->opens[x].open) return;
    p->opens[x].open = false;
    p->opens[x].span.ends = ends;
    vec_push(p->arena, &p->spans[x], p->opens[x].span);
}

// What a variable is before an instruction, or inside of it.
static void tell_variable(PlaceSearch *p, uint32_t x, uint32_t at, bool known, bool inside) {
    Open *open = &p->opens[x];
    const Followed *followed = &p->f->followed.at[x];
    if (open->open && (!known || !same_terms(p, &open->span))) close_span(p, x, inside);
    if (!known) return;
    if (!open->open) {
        open->open = true;
        open->span = (DebugSpan){.instance = followed->instance,
                                 .variable = followed->variable,
                                 .first = at,
                                 .inside = inside,
                                 .term_at = p->f->code.terms.count,
                                 .term_count = p->term_count};
        for (uint32_t i = 0; i < p->term_count; i++)
            vec_push(p->arena, &p->f->code.terms, p->terms[i]);
    }
    open->span.last = at;
}

static bool put_piece(PlaceSearch *p, uint32_t size) {
    return !size || put_term(p, (DebugTerm){.kind = PUSH_PIECE,
                                            .ref = NO_ID,
                                            .place = NO_PLACE,
                                            .number = (int64_t)size});
}

// The value of a variable, or of its parts, with what is not known left out.
static bool put_variable(PlaceSearch *p, const Followed *variable, const uint32_t *row,
                         uint32_t site) {
    const Follower *f = p->f;
    bool known = false;
    uint32_t end = 0;
    for (uint32_t i = variable->first; i < variable->first + variable->count; i++) {
        const Tracked *part = &f->tracked.at[i];
        bool found = row[i] < f->source_regs;
        if (!part->size) return found && put_holder(p, row[i], site, 0);
        uint32_t start = p->term_count;
        if (!put_piece(p, part->offset - end)) return false;
        if (!(found && put_holder(p, row[i], site, 0)))
            p->term_count = start + (part->offset > end);
        known |= p->term_count > start + (part->offset > end);
        end = part->offset + part->size;
        if (!put_piece(p, part->size)) return false;
    }
    return known && put_piece(p, variable->size - end);
}

// Whether debuggers stop at an instruction for a line: then variables are what they are before the
// statement, of which something may have been done before, or set in another order. A block has
// each statement once.
static bool starts_line(PlaceSearch *p, uint32_t b, uint32_t at, uint32_t position) {
    uint32_t loc = p->f->code.loc_of[at];
    if (!loc) return false;
    bool fresh = !p->loc || p->entered || !follow_same_line(p->f->program, loc, p->loc);
    uint32_t start = p->f->source_start[position];
    bool first = p->line_seen[start] != b + 1;
    p->line_seen[start] = b + 1;
    p->loc = loc;
    p->entered = false;
    return p->f->code.starts[at] = fresh && first;
}

// The outermost call whose body control enters with an instruction; NO_ID if it was there before.
static uint32_t entered_call(const PlaceSearch *p, uint32_t instance) {
    uint32_t call = NO_ID;
    while (instance != NO_ID && instance && !is_inside(p, p->instance, instance)) {
        call = instance;
        instance = p->f->instances.at[instance].parent;
    }
    return call;
}

// The node of the source form with which the line of an inlined call starts, seen from one in the
// body.
static uint32_t start_of_call(const PlaceSearch *p, uint32_t node, uint32_t caller) {
    const Follower *f = p->f;
    enum { MOST_STEPS = 64 };
    for (uint32_t steps = 0; node != NO_ID && steps < MOST_STEPS; steps++) {
        if (f->source_instance[node] == caller) return f->source_start[node];
        node = f->source_pred[node];
    }
    return NO_ID;
}

// The first instruction of an inlined call belongs to the call, if the body's first line has
// another one: so debuggers can stop at the line of the call, too. The node whose versions count
// there; NO_ID if it is not so.
static uint32_t tell_call(PlaceSearch *p, uint32_t b, uint32_t at, uint32_t position) {
    Follower *f = p->f;
    const MachBlock *block = mach_block(p->func, b);
    uint32_t call = entered_call(p, f->source_instance[position]), next = at + 1;
    const MachInstr *instr = mach_at(p->func, at);
    if (call == NO_ID || !instr->loc || instr->kind == MK_CALL) return NO_ID;
    while (next < block->first + block->count && !mach_at(p->func, next)->loc) next++;
    uint32_t site = next < block->first + block->count ? p->site[next] : NO_ID;
    uint32_t after = site == NO_ID ? NO_ID : f->ssa.position[site];
    if (after == NO_ID || f->source_start[after] != f->source_start[position] ||
        f->source_instance[after] != f->source_instance[position])
        return NO_ID;
    uint32_t caller = f->instances.at[call].parent, loc = f->instances.at[call].loc;
    uint32_t start = start_of_call(p, position, caller);
    if (start == NO_ID || !loc || (p->loc && follow_same_line(f->program, loc, p->loc)))
        return NO_ID;
    f->code.instance_of[at] = caller;
    f->code.loc_of[at] = p->loc = loc;
    f->code.starts[at] = true;
    return start;
}

static void tell_row(PlaceSearch *p, uint32_t at, uint32_t instance, const uint32_t *row,
                     bool inside) {
    const Follower *f = p->f;
    for (uint32_t x = 0; x < f->followed.count; x++) {
        bool known = row && is_inside(p, instance, f->followed.at[x].instance);
        p->term_count = 0;
        known = known && put_variable(p, &f->followed.at[x], row, p->site[at]);
        tell_variable(p, x, at, known, inside);
    }
}

// What the caller knows of the arguments of a call while that is not done.
static void tell_arguments(PlaceSearch *p, uint32_t at) {
    DebugCode *code = &p->f->code;
    const LastSsa *ssa = &p->f->ssa;
    if (ssa->call_of[p->site[at]] == NO_ID) return;
    const SsaCall *call = &ssa->calls.at[ssa->call_of[p->site[at]]];
    if (mach_at(p->func, at)->ref != call->callee) return;
    DebugCallSite site = {.instr = at, .callee = call->callee, .first = code->arguments.count};
    for (uint32_t k = 0; k < call->count; k++) {
        const SsaArgument *argument = &ssa->arguments.at[call->first + k];
        p->term_count = 0;
        if (!put_register(p, argument->value, p->site[at], 0)) continue;
        vec_push(p->arena, &code->arguments,
                 (DebugArgument){.reg = argument->reg,
                                 .term_at = code->terms.count,
                                 .term_count = p->term_count});
        for (uint32_t i = 0; i < p->term_count; i++) vec_push(p->arena, &code->terms, p->terms[i]);
    }
    site.count = code->arguments.count - site.first;
    vec_push(p->arena, &code->sites, site);
}

// A call has two rows: debuggers that stop before it see variables as they are before its line, if
// it starts one, and those that stop in what it calls, as the statements before it on the line have
// left them, by what the call keeps.
static void tell_variables(PlaceSearch *p, uint32_t b, uint32_t at, const HeldSet *set) {
    Follower *f = p->f;
    uint32_t site = p->site[at];
    uint32_t position = site == NO_ID ? NO_ID : f->ssa.position[site];
    uint32_t instance = position == NO_ID ? NO_ID : f->source_instance[position];
    const uint32_t *row = position == NO_ID ? NULL : f->versions[position];
    uint32_t call = position == NO_ID ? NO_ID : tell_call(p, b, at, position);
    bool located = mach_at(p->func, at)->loc != 0;
    if (located) p->instance = instance;
    if (call != NO_ID) {
        row = f->versions[call];
        p->told[at] = call;
        instance = f->code.instance_of[at];
    } else if (position != NO_ID) {
        f->code.instance_of[at] = instance;
        if (located) f->code.loc_of[at] = f->source_loc[position];
        p->told[at] = starts_line(p, b, at, position) ? f->source_start[position] : position;
        row = f->versions[p->told[at]];
    }
    if (row) index_places(p, set, false);
    tell_row(p, at, instance, row, false);
    if (position == NO_ID || mach_at(p->func, at)->kind != MK_CALL) return;
    index_places(p, set, true);
    tell_row(p, at, instance, f->versions[position], true);
    tell_arguments(p, at);
}

// A place that an instruction overwrites no longer holds what it held. A return restores registers
// on its way.
static void end_destroyed(PlaceSearch *p, uint32_t at, const HeldSet *before,
                          const HeldSet *after) {
    MachKind kind = (MachKind)mach_at(p->func, at)->kind;
    bool leaves = kind == MK_RETURN || kind == MK_TAIL_CALL;
    for (uint32_t x = 0; x < p->f->followed.count; x++) {
        const DebugSpan *span = &p->opens[x].span;
        if (!p->opens[x].open) continue;
        bool kept = true;
        for (uint32_t i = 0; i < span->term_count && kept; i++) {
            const DebugTerm *term = &p->f->code.terms.at[span->term_at + i];
            if (term->kind != PUSH_PLACE) continue;
            uint32_t place = follow_place(term->place);
            kept = !leaves;
            for (uint32_t k = 0; k < before->count && kept; k++)
                if (before->at[k].place == place) kept = held_has(after, place, before->at[k].id);
        }
        if (!kept) close_span(p, x, true);
    }
}

static void tell_block(PlaceSearch *p, uint32_t b, HeldSet *set, HeldSet *then) {
    const MachBlock *block = mach_block(p->func, b);
    p->block = p->f->block_origin[b] == NO_ID ? NO_ID - 1 : p->f->block_origin[b];
    p->entered |= p->preds.first[b + 1] - p->preds.first[b] > 1;
    start_block(p, b, set);
    for (uint32_t at = block->first; at < block->first + block->count; at++) {
        bool entry = mach_at(p->func, at)->kind == MK_PARAMS;
        if (entry) run_instr(p, at, set);
        tell_variables(p, b, at, set);
        vec_clear(then);
        if (set->count)
            memcpy(vec_extend(p->arena, then, set->count), set->at, set->count * sizeof *set->at);
        if (!entry) run_instr(p, at, set);
        end_destroyed(p, at, then, set);
    }
}

static void collect(PlaceSearch *p) {
    for (uint32_t x = 0; x < p->f->followed.count; x++) {
        close_span(p, x, false);
        for (uint32_t i = 0; i < p->spans[x].count; i++)
            vec_push(p->arena, &p->f->code.spans, p->spans[x].at[i]);
    }
}

void follow_places(Follower *f, const Func *func) {
    uint32_t count = func->mach->code.count, values = f->ssa.reg_count;
    PlaceSearch p = {.f = f,
                     .arena = f->arena,
                     .func = func,
                     .preds = mach_preds(f->arena, func),
                     .line_seen = ARENA_ARRAY(f->arena, uint32_t, (size_t)f->source_nodes + 1),
                     .where = ARENA_ARRAY(f->arena, uint32_t, (size_t)values + 1),
                     .stamp = ARENA_ARRAY(f->arena, uint32_t, (size_t)values + 1)};
    f->code = (DebugCode){.instance_of = follow_table(f->arena, count),
                          .starts = ARENA_ARRAY(f->arena, bool, (size_t)count + 1),
                          .loc_of = ARENA_ARRAY(f->arena, uint32_t, (size_t)count + 1)};
    for (uint32_t i = 0; i < f->instances.count; i++)
        vec_push(f->arena, &f->code.instances, f->instances.at[i]);
    p.opens = ARENA_ARRAY(f->arena, Open, (size_t)f->followed.count + 1);
    p.spans = arena_alloc(f->arena, ((size_t)f->followed.count + 1) * sizeof *p.spans);
    p.told = follow_table(f->arena, count);
    find_wanted(&p);
    index_gens(&p);
    find_sites(&p);
    HeldSet *starts = held_solve(f->arena, func, run_block, &p), then = {0};
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) tell_block(&p, b, &starts[b], &then);
    collect(&p);
    follow_slots(f, func, p.site, p.told);
    f->code.slots.at = f->slots.at;
    f->code.slots.count = f->slots.count;
}
