// Emits the optimized function. The skeleton keeps the nodes of the old function that have an
// effect, choose the way or lead to joins, and nodes that may go wrong and whose result is needed.
// A write to a slot that nobody else knows of is needed only if a needed load or copy reads the
// slot.
// The operators that compute their arguments float: one operator for each value. A value keeps the
// register that had it first in the old function, so that names stay the same.
#include "pass/son/son_emit.h"

#include "fact/calls.h"
#include "fact/effects.h"
#include "form/son.h"
#include "graph/versions.h"
#include "pass/son/son_trail.h"

#include <string.h>

typedef struct {
    Arena *arena;
    SonWork *work;
    const Func *before;
    const SonValues *values;
    Func *result;
    Bits kept;               // nodes of `before`
    Bits idle;               // kept nodes that do nothing any more
    Bits needed;             // values that need a register
    uint32_t *home;          // value of an operator that may go wrong -> the node that executes it
    Reg *reg;                // of each value, or NO_REG
    uint32_t *loc;           // of each value: the location of a user
    uint32_t *next;          // node -> the first node at or behind it that is kept
    Node *place;             // kept node -> where it is in the result
    VEC(uint32_t) open;      // values that are needed, whose arguments have not been looked at
    Places places;           // of `before`, if it has slots
    Bits read;               // slots that are read, or known to others
    uint32_t *first_write;   // slot -> the first node that only writes to this slot, or NO_ID
    uint32_t *next_write;    // such a node -> the next of its slot, or NO_ID
    VEC(uint32_t) open_read; // slots that are read, whose writes have not been looked at
} SonEmit;

// ---- What is needed

static void need(SonEmit *emit, uint32_t value, uint32_t loc) {
    if (!bits_put(&emit->needed, value)) return;
    emit->loc[value] = loc;
    vec_push(emit->arena, &emit->open, value);
}

// Whether the last operand of an operator is written as an immediate.
static bool has_immediate(const SonEmit *emit, uint32_t value) {
    const HintValue *it = value_at(emit->values, value);
    Value constant;
    return it->count == 2 && op_allows_immediate(it->op) &&
           value_is_constant(emit->values, value_args(emit->values, value)[1], &constant);
}

static void need_operands(SonEmit *emit, uint32_t value, uint32_t loc) {
    uint32_t count = value_at(emit->values, value)->count - has_immediate(emit, value);
    for (uint32_t k = 0; k < count; k++) need(emit, value_args(emit->values, value)[k], loc);
}

// The value of a condition, and whether it is a comparison itself.
static uint32_t test_of(const SonEmit *emit, Node node, bool *compares) {
    uint32_t test = emit->work->test[node.i];
    const HintValue *it = value_at(emit->values, test);
    *compares = it->kind == VALUE_OP && it->count == 2 && op_info(it->op)->flags & OPF_COND;
    return test;
}

// The function that a call through a pointer reaches, if the pointer is its address; else NO_SYM.
// Then the pointer is not needed, and the call is by name.
static Sym known_callee(const SonEmit *emit, const Instr *instr) {
    if (!calls_through_pointer(instr)) return NO_SYM;
    uint32_t target = emit->work->value_of[instr_args(emit->before, instr)[0].i];
    const HintValue *it = value_at(emit->values, target);
    if (it->kind != VALUE_OP || it->op != OP_ADDR_SYMBOL || it->imm) return NO_SYM;
    const Symbol *symbol = program_at(emit->before->program, (Sym){it->ref});
    return symbol_is_callable_by_name(symbol) ? (Sym){it->ref} : NO_SYM;
}

static MemBytes accessed_bytes(const SonEmit *emit, const Instr *instr, uint32_t k) {
    return instr_has_address(instr)
               ? places_moved(&emit->places, emit->before, instr)
               : places_behind(&emit->places, emit->before, instr->arg[k], (uint64_t)instr->imm);
}

// The slot that an instruction accesses, by its address or the address in its k-th argument; NO_ID
// if that is none, or not known.
static uint32_t accessed_slot(const SonEmit *emit, const Instr *instr, uint32_t k) {
    if (!emit->before->slots.count) return NO_ID;
    MemBytes bytes = accessed_bytes(emit, instr, k);
    return bytes.base == BASE_SLOT ? bytes.ref : NO_ID;
}

// Whether a function names an object that nobody ever reads.
static bool names_unread(const Func *func) {
    for (uint32_t n = 0; func->program->unit && n < func->nodes.count; n++) {
        Sym symbol = instr_symbol(&func->nodes.at[n]);
        if (symbol.i != NO_ID && unit_is_unread(func->program, symbol)) return true;
    }
    return false;
}

// Whether an instruction only writes to an object that nobody ever reads.
static bool writes_unread(const SonEmit *emit, const Instr *instr) {
    const Program *program = emit->before->program;
    if (!emit->places.values || emit->work->keeps_writes) return false;
    MemBytes bytes = accessed_bytes(emit, instr, 0);
    return bytes.base == BASE_SYMBOL && unit_is_unread(program, (Sym){bytes.ref});
}

static void note_read_of(SonEmit *emit, uint32_t slot) {
    if (slot != NO_ID && bits_put(&emit->read, slot)) vec_push(emit->arena, &emit->open_read, slot);
}

static void note_read(SonEmit *emit, const Instr *instr) {
    if (instr_effects(instr) & MAY_READ) note_read_of(emit, accessed_slot(emit, instr, 1));
    if (instr->kind != I_CALL || !emit->before->slots.count) return;
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        uint32_t bits, slot = places_passed(&emit->places, emit->before, instr, k, &bits);
        if (bits & UNIT_READ) note_read_of(emit, slot);
    }
}

static void keep(SonEmit *emit, Node node) {
    const Instr *instr = func_at(emit->before, node);
    const Reg *args = instr_args(emit->before, instr);
    bool compares;
    if (!bits_put(&emit->kept, node.i)) return;
    note_read(emit, instr);
    if (instr->kind == I_COND) {
        uint32_t test = test_of(emit, node, &compares);
        if (compares)
            need_operands(emit, test, instr->loc);
        else
            need(emit, test, instr->loc);
    } else if (instr->kind == I_OP) {
        // see need_value
    } else {
        for (uint32_t k = known_callee(emit, instr).i != NO_ID; k < instr->arg_count; k++)
            need(emit, emit->work->value_of[args[k].i], instr->loc);
    }
}

static bool is_partial_op(const Instr *instr) {
    return instr->kind == I_OP && op_is_partial(instr->op);
}

// The operands of a needed value are needed, too.
static void need_value(SonEmit *emit, uint32_t value) {
    const HintValue *it = value_at(emit->values, value);
    const SonWork *work = emit->work;
    uint32_t loc = emit->loc[value];
    switch ((ValueKind)it->kind) {
    case VALUE_OLD: {
        Definition definition = work->definitions[it->ref];
        if (definition.by != SET_BY_INSTR) return;
        keep(emit, definition.node);
        const Instr *instr = func_at(emit->before, definition.node);
        for (uint32_t k = 0; is_partial_op(instr) && k < instr->arg_count; k++)
            need(emit, work->value_of[instr->arg[k].i], loc);
        return;
    }
    case VALUE_PHI:
        for (uint32_t k = 0; k < it->count; k++) {
            uint32_t arg = value_args(emit->values, value)[k];
            if (arg != NO_ID) need(emit, arg, loc);
        }
        return;
    case VALUE_LOAD: {
        const Instr *load = func_at(emit->before, (Node){(uint32_t)it->imm});
        note_read(emit, load);
        for (uint32_t k = 0; k < load->arg_count; k++)
            need(emit, work->value_of[load->arg[k].i], load->loc);
        return;
    }
    case VALUE_CALL: keep(emit, (Node){emit->home[value]}); return;
    default:
        if (op_is_partial(it->op)) keep(emit, (Node){emit->home[value]});
        need_operands(emit, value, loc);
    }
}

// Whether a node belongs to the skeleton in any case: the entry, a join, a nop that leads to a join
// or is the way of a branch.
static bool is_landmark(const SonEmit *emit, Node node) {
    const Preds *preds = &emit->work->preds;
    const Instr *instr = func_at(emit->before, node);
    Node from = preds_sole(preds, node);
    if (from.i == NO_ID) return true;
    return instr->kind == I_NOP &&
           (preds_is_join(preds, instr->succ[0]) || func_at(emit->before, from)->succ_count > 1);
}

// Whether a node does something that is needed in any case.
static bool has_purpose(const SonEmit *emit, Node node) {
    const Instr *instr = func_at(emit->before, node);
    if (instr->kind == I_NOP) return false;
    if (instr_is_branch(instr) || instr->kind == I_CHECK) return emit->work->way[node.i] == NO_ID;
    if (instr_is_quiet(instr) && instr_effects(instr) & MAY_WRITE) {
        uint32_t slot = accessed_slot(emit, instr, 0);
        return slot == NO_ID ? !writes_unread(emit, instr) : bits_has(&emit->read, slot);
    }
    return instr->kind != I_OP && !instr_is_removable(instr) &&
           !unit_call_is_removable(emit->before->program, instr);
}

// The nodes that only write to a slot that nobody else knows of.
static void find_writes(SonEmit *emit) {
    const Func *before = emit->before;
    if (!before->slots.count && !names_unread(before)) return;
    emit->places = son_places(emit->work);
    if (!before->slots.count) return;
    emit->read = bits_new(emit->arena, before->slots.count);
    for (uint32_t i = 0; i < before->slots.count; i++)
        if (emit->work->keeps_writes || emit->places.shared.at[1 + i]) bits_add(&emit->read, i);
    for (uint32_t n = before->nodes.count; n-- > 0;) {
        const Instr *instr = &before->nodes.at[n];
        if (!bits_has(&emit->work->reached, n) || !instr_is_quiet(instr) ||
            !(instr_effects(instr) & MAY_WRITE))
            continue;
        uint32_t slot = accessed_slot(emit, instr, 0);
        if (slot == NO_ID) continue;
        emit->next_write[n] = emit->first_write[slot];
        emit->first_write[slot] = n;
    }
}

static void find_homes(SonEmit *emit) {
    const Func *before = emit->before;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        bool sets = is_partial_op(instr) || (instr->kind == I_CALL && instr->dest.i != NO_ID);
        if (!sets || !bits_has(&emit->work->reached, n)) continue;
        uint32_t value = emit->work->value_of[instr->dest.i];
        if (value_is_partial(emit->values, value) && emit->home[value] == NO_ID)
            emit->home[value] = n;
    }
}

static void find_needed(SonEmit *emit) {
    for (uint32_t n = 0; n < emit->before->nodes.count; n++)
        if (bits_has(&emit->work->reached, n) && has_purpose(emit, (Node){n}))
            keep(emit, (Node){n});
    while (emit->open.count || emit->open_read.count) {
        if (emit->open.count) {
            need_value(emit, vec_pop(&emit->open));
            continue;
        }
        uint32_t slot = vec_pop(&emit->open_read);
        for (uint32_t n = emit->first_write[slot]; n != NO_ID; n = emit->next_write[n])
            keep(emit, (Node){n});
    }
    for (uint32_t n = 0; n < emit->before->nodes.count; n++)
        if (bits_has(&emit->work->reached, n) && is_landmark(emit, (Node){n}) &&
            bits_put(&emit->kept, n))
            bits_add(&emit->idle, n);
}

// ---- Registers

static void name_value(SonEmit *emit, uint32_t value, Reg reg) {
    if (value != NO_ID && emit->reg[value].i == NO_ID &&
        emit->values->types.at[value] == reg_type(emit->before, reg))
        emit->reg[value] = reg;
}

static void name_values(SonEmit *emit) {
    const Func *before = emit->before;
    SonWork *work = emit->work;
    for (uint32_t v = 0; v < emit->values->values.count; v++) {
        const HintValue *it = value_at(emit->values, v);
        emit->reg[v] = it->kind == VALUE_OLD ? (Reg){it->ref} : NO_REG;
    }
    for (uint32_t r = 0; r < before->regs.count; r++)
        if (emit->values->phi[r] != NO_ID) emit->reg[emit->values->phi[r]] = (Reg){r};
    for (uint32_t v = 0; v < emit->values->values.count; v++)
        if (emit->home[v] != NO_ID) emit->reg[v] = before->nodes.at[emit->home[v]].dest;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        if (instr->kind == I_OP && bits_has(&work->reached, n) && !op_is_move(instr->op))
            name_value(emit, work->value_of[instr->dest.i], instr->dest);
    }
    for (uint32_t v = bits_next(&emit->needed, 0); v < emit->needed.size;
         v = bits_next(&emit->needed, v + 1)) {
        if (emit->reg[v].i != NO_ID) continue;
        emit->reg[v] = func_temp(emit->result, emit->values->types.at[v]);
        emit->result->regs.at[emit->reg[v].i].version = VERSION_FIRST_SET;
    }
    (void)vec_extend(emit->arena, &work->value_of_reg, emit->result->regs.count);
    memset(work->value_of_reg.at, 0xff, emit->result->regs.count * sizeof(uint32_t));
    for (uint32_t v = bits_next(&emit->needed, 0); v < emit->needed.size;
         v = bits_next(&emit->needed, v + 1))
        work->value_of_reg.at[emit->reg[v].i] = v;
}

// ---- Instructions

// The location of an operator: the location of its old operator, whose line people ask about and
// whose runs a profile has counted; for a new operator, the location of a user.
static uint32_t location_of(const SonEmit *emit, uint32_t value) {
    const Func *before = emit->before;
    Reg reg = emit->reg[value];
    const Instr *was =
        reg.i < before->regs.count ? defining_instr(before, emit->work->definitions, reg) : NULL;
    return was && was->loc ? was->loc : emit->loc[value];
}

static Instr operator_of(const SonEmit *emit, uint32_t value) {
    const HintValue *it = value_at(emit->values, value);
    Instr instr = {.kind = I_OP,
                   .op = it->op,
                   .high = it->high,
                   .dest = emit->reg[value],
                   .imm = it->imm,
                   .loc = location_of(emit, value),
                   .immediate = has_immediate(emit, value)};
    for (uint32_t k = 0; k + instr.immediate < it->count; k++)
        instr.arg[instr.arg_count++] = emit->reg[value_args(emit->values, value)[k]];
    if (instr.immediate)
        instr.imm = value_at(emit->values, value_args(emit->values, value)[1])->imm;
    if (it->ref != NO_ID) instr.ref = it->ref;
    return instr;
}

static void float_operators(SonEmit *emit) {
    for (uint32_t v = bits_next(&emit->needed, 0); v < emit->needed.size;
         v = bits_next(&emit->needed, v + 1)) {
        const HintValue *it = value_at(emit->values, v);
        if (it->kind == VALUE_OP && !op_is_partial(it->op))
            vec_push(emit->arena, &emit->result->son->floating, operator_of(emit, v));
    }
}

static Reg new_argument(const SonEmit *emit, Reg reg) {
    return emit->reg[emit->work->value_of[reg.i]];
}

static void replace_arguments(SonEmit *emit, Node node, const Instr *old) {
    const Reg *args = instr_args(emit->before, old);
    VEC(Reg) fresh = {0};
    Sym callee = known_callee(emit, old);
    for (uint32_t k = callee.i != NO_ID; k < old->arg_count; k++)
        vec_push(emit->arena, &fresh, new_argument(emit, args[k]));
    func_set_args(emit->result, node, fresh.at, fresh.count);
    if (callee.i != NO_ID) emit->result->nodes.at[node.i].ref = callee.i;
}

static void emit_test(SonEmit *emit, Node node, Node old) {
    Instr *instr = &emit->result->nodes.at[node.i];
    bool compares;
    uint32_t test = test_of(emit, old, &compares);
    Instr fresh = {.op = OP_NE_I32, .immediate = true, .arg_count = 1, .arg = {emit->reg[test]}};
    if (compares) fresh = operator_of(emit, test);
    instr->op = fresh.op;
    instr->immediate = fresh.immediate;
    instr->imm = fresh.imm;
    func_set_args(emit->result, node, fresh.arg, fresh.arg_count);
}

// The ways that are left of a switch. If the default is shut, the last case takes its place.
static void emit_ways(SonEmit *emit, Node node, Node old) {
    const Instr *then = func_at(emit->before, old);
    const Node *succs = instr_succs(emit->before, then);
    bool has_default = !son_is_shut(emit->work, old, 0);
    VEC(Node) to = {0};
    VEC(int64_t) cases = {0};
    vec_push(emit->arena, &to, succs[0]);
    for (uint32_t k = 1; k < then->succ_count; k++) {
        if (son_is_shut(emit->work, old, k)) continue;
        vec_push(emit->arena, &to, succs[k]);
        vec_push(emit->arena, &cases, instr_cases(emit->before, then)[k - 1]);
    }
    if (!has_default) {
        to.at[0] = vec_pop(&to);
        (void)vec_pop(&cases);
    }
    if (to.count == then->succ_count) return;
    func_set_succs(emit->result, node, to.at, to.count);
    uint32_t at = func_add_cases(emit->result, cases.at, cases.count);
    emit->result->nodes.at[node.i].aux = at;
}

// The only way from a node that does nothing.
static Node way_on(const SonEmit *emit, Node node) {
    const Instr *instr = func_at(emit->before, node);
    uint32_t way = emit->work->way[node.i];
    return instr_succs(emit->before, instr)[way == NO_ID ? 0 : way];
}

static void emit_node(SonEmit *emit, Node old) {
    const Instr *then = func_at(emit->before, old);
    bool idle = bits_has(&emit->idle, old.i);
    Node node = {emit->result->nodes.count};
    if (idle) {
        func_nop(emit->result, way_on(emit, old));
        emit->result->nodes.at[node.i].loc = then->loc;
    } else {
        func_copy_instr(emit->result, emit->before, then);
    }
    vec_push(emit->arena, &emit->result->son->trail->old, old);
    if (idle) return;
    if (then->kind == I_COND) {
        emit_test(emit, node, old);
    } else if (then->kind == I_OP) {
        uint32_t value = emit->work->value_of[then->dest.i];
        if (value_is_partial(emit->values, value)) {
            Instr fresh = operator_of(emit, value);
            fresh.succ_count = 1;
            fresh.succ[0] = then->succ[0];
            fresh.loc = then->loc;
            emit->result->nodes.at[node.i] = fresh;
        } else {
            replace_arguments(emit, node, then);
        }
    } else {
        replace_arguments(emit, node, then);
        if (then->kind == I_SWITCH) emit_ways(emit, node, old);
    }
}

// An early load goes in front of a node.
static void emit_early(SonEmit *emit, const EarlyLoad *early) {
    const Instr *load = func_at(emit->before, early->load);
    Node node = func_copy_instr(emit->result, emit->before, load);
    vec_push(emit->arena, &emit->result->son->trail->old, NO_NODE);
    replace_arguments(emit, node, load);
    emit->result->nodes.at[node.i].dest = emit->reg[early->value];
    emit->result->nodes.at[node.i].succ[0] = (Node){node.i + 1};
}

// ---- The skeleton

// Nodes come after their predecessors, but for joins, which are kept.
static void find_next(SonEmit *emit) {
    for (uint32_t n = emit->before->nodes.count; n-- > 0;)
        if (bits_has(&emit->work->reached, n))
            emit->next[n] = bits_has(&emit->kept, n) ? n : emit->next[way_on(emit, (Node){n}).i];
}

static void emit_nodes(SonEmit *emit) {
    SonWork *work = emit->work;
    uint32_t *early_at = ARENA_ARRAY(emit->arena, uint32_t, emit->before->nodes.count);
    uint32_t *early_next = ARENA_ARRAY(emit->arena, uint32_t, work->early.count + 1); // plus one
    for (uint32_t i = work->early.count; i-- > 0;) {
        if (!bits_has(&emit->needed, work->early.at[i].value)) continue;
        early_next[i] = early_at[work->early.at[i].at.i];
        early_at[work->early.at[i].at.i] = i + 1;
    }
    for (uint32_t n = bits_next(&emit->kept, 0); n < emit->kept.size;
         n = bits_next(&emit->kept, n + 1)) {
        Node first = {emit->result->nodes.count};
        for (uint32_t i = early_at[n]; i; i = early_next[i - 1])
            emit_early(emit, &work->early.at[i - 1]);
        emit_node(emit, (Node){n});
        emit->place[n] = first;
    }
}

static void link_nodes(SonEmit *emit) {
    Func *result = emit->result;
    for (uint32_t i = 0; i < result->nodes.count; i++) {
        Node old = result->son->trail->old.at[i];
        if (old.i == NO_ID) continue;
        const Instr *now = &result->nodes.at[i];
        for (uint32_t k = 0; k < now->succ_count; k++) {
            Node to = instr_succs(result, now)[k];
            func_set_succ(result, (Node){i}, k, emit->place[emit->next[to.i]]);
        }
    }
}

static void emit_phi(SonEmit *emit, Node join, uint32_t value) {
    const Preds *preds = &emit->work->preds;
    VEC(Reg) args = {0};
    if (value == NO_ID || !bits_has(&emit->needed, value)) return;
    for (uint32_t k = 0; k < preds_count(preds, join); k++)
        if (bits_has(&emit->work->reached, preds_at(preds, join)[k].i))
            vec_push(emit->arena, &args, emit->reg[value_args(emit->values, value)[k]]);
    func_add_phi(emit->result, emit->place[join.i], emit->reg[value], args.at, args.count);
}

static void emit_phis(SonEmit *emit) {
    const Func *before = emit->before;
    const SonWork *work = emit->work;
    uint32_t count = work->contents_phis.count;
    uint32_t *added = NULL, *next = NULL; // node -> plus one, its first added phi, and so on
    if (count) {
        added = ARENA_ARRAY(emit->arena, uint32_t, before->nodes.count);
        next = ARENA_ARRAY(emit->arena, uint32_t, count);
    }
    for (uint32_t i = count; i-- > 0;) {
        next[i] = added[work->contents_phis.at[i].join.i];
        added[work->contents_phis.at[i].join.i] = i + 1;
    }
    for (uint32_t n = bits_next(&emit->kept, 0); n < emit->kept.size;
         n = bits_next(&emit->kept, n + 1)) {
        for (uint32_t i = 0; i < func_phi_count(before, (Node){n}); i++)
            emit_phi(emit, (Node){n}, emit->values->phi[func_phis(before, (Node){n})[i].dest.i]);
        for (uint32_t i = added ? added[n] : 0; i; i = next[i - 1])
            emit_phi(emit, (Node){n}, work->contents_phis.at[i - 1].value);
    }
    if (emit->result->phis.count) func_end_phis(emit->result);
}

// Where the operators were that float now: in front of which node of the skeleton.
static void find_origins(SonEmit *emit) {
    SonWork *work = emit->work;
    const Func *before = emit->before;
    uint32_t regs = emit->result->regs.count;
    uint32_t *end = vec_extend(emit->arena, &work->origin_at, regs + 2);
    for (int round = 0; round < 2; round++) {
        for (uint32_t n = 0; n < before->nodes.count; n++) {
            const Instr *instr = &before->nodes.at[n];
            if (!instr_is_total(instr) || op_is_move(instr->op) || !bits_has(&work->reached, n) ||
                emit->next[n] == NO_ID)
                continue;
            Reg reg = emit->reg[work->value_of[instr->dest.i]];
            if (reg.i == NO_ID) continue;
            if (round == 0)
                end[reg.i + 2]++;
            else
                work->origins.at[end[reg.i + 1]++] = emit->place[emit->next[n]].i;
        }
        if (round == 1) break;
        for (uint32_t r = 2; r < regs + 2; r++) end[r] += end[r - 1];
        (void)vec_extend(emit->arena, &work->origins, end[regs + 1]);
    }
}

static void *no_ids(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    return memset(table, 0xff, count * sizeof *table);
}

Func *son_emit(Arena *arena, SonWork *work) {
    const Func *before = work->before;
    uint32_t nodes = before->nodes.count, values = work->values.values.count;
    SonEmit emit = {.arena = arena, .work = work, .before = before, .values = &work->values};
    emit.kept = bits_new(arena, nodes);
    emit.idle = bits_new(arena, nodes);
    emit.needed = bits_new(arena, values);
    emit.home = no_ids(arena, values);
    emit.loc = ARENA_ARRAY(arena, uint32_t, values);
    emit.reg = ARENA_ARRAY(arena, Reg, values);
    emit.next = no_ids(arena, nodes);
    emit.place = ARENA_ARRAY(arena, Node, nodes);
    emit.first_write = no_ids(arena, before->slots.count);
    emit.next_write = no_ids(arena, nodes);
    emit.result = func_like(before, arena);
    emit.result->form = FORM_SON;
    emit.result->son = son_new(arena);
    emit.result->son->trail = ARENA_NEW(arena, SonTrail);
    emit.result->son->trail->before = before;
    emit.result->son->trail->work = work;
    find_homes(&emit);
    find_writes(&emit);
    find_needed(&emit);
    name_values(&emit);
    float_operators(&emit);
    find_next(&emit);
    emit_nodes(&emit);
    link_nodes(&emit);
    emit_phis(&emit);
    find_origins(&emit);
    return emit.result;
}
