// The values of registers, each once: what is computed by the same operator of the same values, or
// loaded from the same address with no store or call in between, is the same.
#include "analysis/conditions/conditions.h"

#include "fact/effects.h"
#include "fact/eval.h"

#include <string.h>

// ---- Memory

static bool fills(const Instr *instr) {
    return instr_is_memcpy(instr) || instr_is_memset(instr);
}

// The object that a load, store, memcpy or memset is of: see ObjectHistory.
static uint32_t object_of(const BadConditions *c, const Instr *instr) {
    bool access = instr->kind == I_LOAD || instr->kind == I_STORE;
    if (!access && !fills(instr)) return NO_ID;
    bool by_register = fills(instr) || instr->base == BASE_REG;
    if (by_register && c->parameter[instr->arg[0].i])
        return c->ssa->slots.count + c->parameter[instr->arg[0].i] - 1;
    uint32_t slot =
        access ? slot_accessed(&c->slots, instr).slot : c->slots.address[instr->arg[0].i].slot;
    return slot == NO_ID || bits_has(&c->slots.escapes, slot) ? NO_ID : slot;
}

// Only instructions that name an object whose address nobody else knows make a new version of it.
static bool changes_memory(const BadConditions *c, const ObjectHistory *history,
                           const Instr *instr) {
    if (history->object == NO_ID) return instr_effects(instr) & (MAY_WRITE | MAY_WRITE_SHARED);
    return (instr->kind == I_STORE || fills(instr)) && object_of(c, instr) == history->object;
}

static void find_versions(const BadConditions *c, ObjectHistory *history) {
    const Func *ssa = c->ssa;
    const LoopNest *loops = &c->forest.loop_nest;
    const Preds *preds = &c->forest.preds;
    uint32_t count = ssa->nodes.count;
    uint32_t *at = history->at = ARENA_ARRAY(c->arena, uint32_t, count);
    bool *writes = ARENA_ARRAY(c->arena, bool, count); // by header
    for (uint32_t n = 0; n < count; n++) {
        if (!changes_memory(c, history, &ssa->nodes.at[n])) continue;
        for (Node h = loops->loop[n]; h.i != NO_ID && !writes[h.i]; h = loops->outer[h.i])
            writes[h.i] = true;
    }
    // The graph is numbered in reverse postorder: all but the way back to a header is known.
    for (uint32_t n = 1; n < count; n++) {
        bool header = loop_nest_is_header(loops, (Node){n}), same = !header || !writes[n];
        uint32_t found = NO_ID;
        for (uint32_t k = 0; k < preds_count(preds, (Node){n}); k++) {
            Node from = preds_at(preds, (Node){n})[k];
            if (from.i >= n) continue;
            uint32_t left = memory_behind(c, history, from);
            if (found != NO_ID && left != found) same = false;
            found = left;
        }
        at[n] = same ? found : 2 * n;
    }
}

// Aggregates that are passed by value, if their address is used for nothing but accesses.
static void find_parameters(BadConditions *c) {
    const Func *ssa = c->ssa;
    const SigInfo *sig = program_sig_info(ssa->program, ssa->sig);
    c->parameter = ARENA_ARRAY(c->arena, uint32_t, ssa->regs.count);
    for (uint32_t i = 0; i < ssa->params.count; i++)
        if (ptype_is_aggregate(program_ptype_info(ssa->program, sig->params[i])))
            c->parameter[ssa->params.at[i].i] = i + 1;
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        const Reg *args = instr_args(ssa, instr);
        bool access = (instr->kind == I_LOAD || instr->kind == I_STORE) && instr->base == BASE_REG;
        for (uint32_t k = access || fills(instr); k < instr->arg_count; k++)
            if (!instr_is_memcpy(instr)) c->parameter[args[k].i] = 0;
        for (uint32_t i = 0; i < func_phi_count(ssa, (Node){n}); i++) {
            const Phi *phi = &func_phis(ssa, (Node){n})[i];
            for (uint32_t k = 0; k < preds_count(&c->forest.preds, (Node){n}); k++)
                c->parameter[phi_args(ssa, phi)[k].i] = 0;
        }
    }
}

// So many objects have a history of their own.
enum { MAX_HISTORIES = 50 };

void memory_init(BadConditions *c) {
    c->slots = slot_uses_of(c->arena, c->ssa);
    c->history_of = ARENA_ARRAY(c->arena, uint32_t, c->ssa->slots.count + c->ssa->params.count);
    find_parameters(c);
    vec_push(c->arena, &c->histories, (ObjectHistory){.object = NO_ID});
    find_versions(c, &c->histories.at[0]);
}

ObjectHistory memory_of(BadConditions *c, const Instr *load) {
    uint32_t object = object_of(c, load);
    if (object == NO_ID) return c->histories.at[0];
    if (!c->history_of[object] && c->histories.count <= MAX_HISTORIES) {
        ObjectHistory history = {.object = object};
        find_versions(c, &history);
        c->history_of[object] = c->histories.count;
        vec_push(c->arena, &c->histories, history);
    }
    return c->histories.at[c->history_of[object]];
}

uint32_t memory_behind(const BadConditions *c, const ObjectHistory *history, Node node) {
    bool changed = changes_memory(c, history, func_at(c->ssa, node));
    return changed ? 2 * node.i + 1 : history->at[node.i];
}

uint32_t memory_seen(const BadConditions *c, const ObjectHistory *history,
                     const ConditionView *view, uint32_t version) {
    while (!(version & 1) && version && is_first(view, (Node){version / 2}))
        version = memory_behind(c, history, *preds_at(&c->forest.preds, (Node){version / 2}));
    return version;
}

// ---- One each

static uint64_t hash_quantity(const Quantity *q) {
    uint64_t hash = hash_add(q->kind, (uint64_t)q->op << 32 | q->ref);
    hash = hash_add(hash, (uint64_t)q->number);
    for (uint32_t i = 0; i < q->count; i++) hash = hash_add(hash, q->operand[i]);
    return hash_add(hash, (uint64_t)q->memory << 32 | (uint32_t)(q->base << 16) |
                              (uint32_t)(q->scale << 8) | q->chunk);
}

static bool same_quantity(const Quantity *a, const Quantity *b) {
    return a->kind == b->kind && a->type == b->type && a->count == b->count && a->base == b->base &&
           a->scale == b->scale && a->chunk == b->chunk && a->op == b->op &&
           !memcmp(a->operand, b->operand, sizeof a->operand) && a->ref == b->ref &&
           a->memory == b->memory && a->number == b->number;
}

static uint32_t share(BadConditions *c, const Quantity *q) {
    uint64_t hash = hash_quantity(q);
    uint32_t id;
    for (uint32_t at = table_first(&c->quantity_table, hash);
         (id = table_id(&c->quantity_table, hash, &at)) != HASH_NONE;)
        if (same_quantity(&c->quantities.at[id], q)) return id;
    table_insert(c->arena, &c->quantity_table, hash, c->quantities.count);
    vec_push(c->arena, &c->quantities, *q);
    return c->quantities.count - 1;
}

static int64_t least_of(Type type) {
    return type == TYPE_I32 ? INT32_MIN : INT64_MIN;
}
static int64_t most_of(Type type) {
    return type == TYPE_I32 ? INT32_MAX : INT64_MAX;
}

uint32_t quantity_number(BadConditions *c, Type type, int64_t number) {
    if (type == TYPE_I32) number = (int32_t)(uint32_t)(uint64_t)number;
    Quantity q = {.kind = QUANTITY_NUMBER,
                  .type = (uint8_t)type,
                  .number = number,
                  .least = number,
                  .most = number,
                  .reg = NO_REG};
    return share(c, &q);
}

bool quantity_is_number(const BadConditions *c, uint32_t quantity, int64_t *number) {
    const Quantity *q = &c->quantities.at[quantity];
    *number = q->number;
    return q->kind == QUANTITY_NUMBER;
}

static uint32_t unknown(BadConditions *c, Reg reg) {
    Type type = reg_type(c->ssa, reg);
    Quantity q = {.kind = QUANTITY_REG,
                  .type = (uint8_t)type,
                  .ref = reg.i,
                  .least = least_of(type),
                  .most = most_of(type),
                  .reg = reg};
    return share(c, &q);
}

// ---- Operators

static void bound(Quantity *q, int64_t least, int64_t most) {
    if (least > q->least) q->least = least;
    if (most < q->most) q->most = most;
}

Range range_of_quantity(const Quantity *q) {
    uint32_t bits = range_bits((Type)q->type);
    Range range = range_full(bits);
    if (q->kind == QUANTITY_NUMBER)
        return range_constant(bits, value_immediate((Type)q->type, q->number).bits);
    range.least = q->least;
    range.most = q->most;
    return range_both(bits, &range, &range);
}

// The bounds of an operator's result.
static void bound_operator(const BadConditions *c, Quantity *q) {
    const OpInfo *info = op_info(q->op);
    Range ranges[3];
    if (!type_is_int(info->result) || !info->arity) return;
    if (info->flags & OPF_COND) bound(q, 0, 1);
    for (uint32_t i = 0; i < q->count; i++) {
        if (!type_is_int(info->operand[i])) return;
        ranges[i] = range_of_quantity(&c->quantities.at[q->operand[i]]);
    }
    Range result = range_of_op(q->op, ranges);
    bound(q, result.least, result.most);
}

static uint32_t folded(BadConditions *c, const Quantity *q) {
    Value values[3] = {0}, result;
    for (uint32_t i = 0; i < q->count; i++) {
        int64_t number;
        if (!quantity_is_number(c, q->operand[i], &number)) return NO_ID;
        Type type = (Type)c->quantities.at[q->operand[i]].type;
        if (!type_is_int(type)) return NO_ID;
        values[i] = value_immediate(type, number);
    }
    if (!type_is_int((Type)q->type) || !op_eval(q->op, values[0], values[1], values[2], &result) ||
        result.undef)
        return NO_ID;
    return quantity_number(c, (Type)q->type, (int64_t)result.bits);
}

// The operator of an instruction on values that are registers of it, and perhaps a number besides.
static uint32_t applied(BadConditions *c, const Instr *instr, Quantity *q) {
    const OpInfo *info = op_info(instr->op);
    if (instr->immediate)
        q->operand[q->count++] = quantity_number(c, info->operand[info->arity - 1], instr->imm);
    uint32_t number = folded(c, q);
    if (number != NO_ID) return number;
    if (info->flags & OPF_COMM && q->operand[0] > q->operand[1] &&
        c->quantities.at[q->operand[1]].kind != QUANTITY_NUMBER) {
        uint32_t first = q->operand[0];
        q->operand[0] = q->operand[1];
        q->operand[1] = first;
    }
    bound_operator(c, q);
    return share(c, q);
}

static uint32_t quantity_at(BadConditions *c, ConditionView *view, Reg reg, unsigned depth);

static uint32_t of_operator(BadConditions *c, ConditionView *view, const Instr *instr,
                            unsigned depth) {
    Type type = reg_type(c->ssa, instr->dest);
    const OpInfo *info = op_info(instr->op);
    const Reg *args = instr_args(c->ssa, instr);
    if (instr->op == op_const(type) && type_is_int(type))
        return quantity_number(c, type, instr->imm);
    if (instr->op == op_move(type)) return quantity_at(c, view, args[0], depth);
    Quantity q = {.kind = QUANTITY_OP,
                  .type = (uint8_t)type,
                  .op = instr->op,
                  .least = least_of(type),
                  .most = most_of(type),
                  .reg = instr->dest};
    if (!info->arity) { // an address, or a constant that is no integer
        q.ref = instr->ref;
        q.number = instr->imm;
        q.memory = instr->high;
        return share(c, &q);
    }
    for (uint32_t i = 0; i < instr->arg_count; i++)
        q.operand[q.count++] = quantity_at(c, view, args[i], depth);
    return applied(c, instr, &q);
}

uint32_t quantity_applied(BadConditions *c, const Instr *instr, uint32_t operand) {
    Type type = reg_type(c->ssa, instr->dest);
    Quantity q = {.kind = QUANTITY_OP,
                  .type = (uint8_t)type,
                  .count = 1,
                  .op = instr->op,
                  .operand = {operand},
                  .least = least_of(type),
                  .most = most_of(type),
                  .reg = NO_REG};
    return applied(c, instr, &q);
}

// The result of a load in a version of memory: the value of the store that made the version, if the
// store has the same place and size.
static uint32_t stored(BadConditions *c, ConditionView *view, const Quantity *q, unsigned depth) {
    if (!(q->memory & 1)) return NO_ID;
    const Instr *store = &c->ssa->nodes.at[q->memory / 2];
    if (store->kind != I_STORE || store->base != q->base || store->scale != q->scale ||
        store->chunk != q->chunk || store->ref != q->ref || store->imm != q->number ||
        store->arg_count != q->count + 1u || !type_is_int(chunk_type((Chunk)q->chunk)) ||
        chunk_size((Chunk)q->chunk) < 4)
        return NO_ID;
    const Reg *args = instr_args(c->ssa, store);
    for (uint32_t i = 0; i < q->count; i++)
        if (quantity_at(c, view, args[i], depth) != q->operand[i]) return NO_ID;
    return quantity_at(c, view, args[q->count], depth);
}

uint32_t quantity_loaded(BadConditions *c, ConditionView *view, const Instr *instr,
                         uint32_t version, unsigned depth) {
    Type type = chunk_type((Chunk)instr->chunk);
    ObjectHistory history = memory_of(c, instr);
    Quantity q = {.kind = QUANTITY_LOAD,
                  .type = (uint8_t)type,
                  .base = instr->base,
                  .scale = instr->scale,
                  .chunk = instr->chunk,
                  .ref = instr->ref,
                  .number = instr->imm,
                  .memory = memory_seen(c, &history, view, version),
                  .least = least_of(type),
                  .most = most_of(type),
                  .reg = instr->dest};
    for (uint32_t i = 0; i < instr->arg_count; i++)
        q.operand[q.count++] = quantity_at(c, view, instr_args(c->ssa, instr)[i], depth);
    if (chunk_size((Chunk)instr->chunk) == 1)
        bound(&q, instr->chunk == CHUNK_U8 ? 0 : INT8_MIN,
              instr->chunk == CHUNK_U8 ? UINT8_MAX : INT8_MAX);
    if (chunk_size((Chunk)instr->chunk) == 2)
        bound(&q, instr->chunk == CHUNK_U16 ? 0 : INT16_MIN,
              instr->chunk == CHUNK_U16 ? UINT16_MAX : INT16_MAX);
    uint32_t value = stored(c, view, &q, depth);
    return value != NO_ID ? value : share(c, &q);
}

// ---- Registers

bool is_gamma(const BadConditions *c, Reg reg) {
    Definition d = c->definitions[reg.i];
    return d.by == SET_BY_PHI && !loop_nest_is_header(&c->forest.loop_nest, d.node);
}

bool is_first(const ConditionView *view, Node header) {
    for (uint32_t i = 0; i < view->loops.count; i++)
        if (view->loops.first[i].i == header.i) return true;
    return false;
}

static uint32_t of_phi(BadConditions *c, ConditionView *view, Reg reg, unsigned depth) {
    const Phi *phi = defining_phi(c->ssa, c->definitions, reg);
    Node join = c->definitions[reg.i].node;
    const Reg *args = phi_args(c->ssa, phi);
    if (!is_gamma(c, reg))
        return is_first(view, join) ? quantity_at(c, view, args[0], depth) : unknown(c, reg);
    uint32_t same = quantity_at(c, view, args[0], depth);
    for (uint32_t k = 1; k < preds_count(&c->forest.preds, join); k++)
        if (quantity_at(c, view, args[k], depth) != same) return unknown(c, reg);
    return same;
}

// A register is followed so deep, and is a value of its own beyond.
enum { MAX_DEPTH = 40 };

static uint32_t quantity_at(BadConditions *c, ConditionView *view, Reg reg, unsigned depth) {
    if (view->quantity[reg.i]) return view->quantity[reg.i] - 1;
    const Instr *instr = defining_instr(c->ssa, c->definitions, reg);
    uint32_t found = NO_ID;
    if (depth < MAX_DEPTH && c->definitions[reg.i].by == SET_BY_PHI)
        found = of_phi(c, view, reg, depth + 1);
    else if (depth < MAX_DEPTH && instr && instr->kind == I_OP)
        found = of_operator(c, view, instr, depth + 1);
    else if (depth < MAX_DEPTH && instr && instr->kind == I_LOAD)
        found = quantity_loaded(c, view, instr,
                                memory_of(c, instr).at[c->definitions[reg.i].node.i], depth + 1);
    if (found == NO_ID) found = unknown(c, reg);
    view->quantity[reg.i] = found + 1;
    return found;
}

uint32_t quantity_of(BadConditions *c, ConditionView *view, Reg reg) {
    return quantity_at(c, view, reg, 0);
}

// ---- Loops

enum { MAX_STEPS = 1000 };

bool quantity_varies(const BadConditions *c, uint32_t quantity, Node header, uint32_t *steps) {
    const Quantity *q = &c->quantities.at[quantity];
    if ((*steps)++ > MAX_STEPS) return true;
    if (q->kind == QUANTITY_REG) {
        Node node = c->definitions[q->ref].node;
        return node.i != NO_ID && loop_nest_contains(&c->forest.loop_nest, header, node);
    }
    if (q->kind == QUANTITY_LOAD &&
        loop_nest_contains(&c->forest.loop_nest, header, (Node){q->memory / 2}))
        return true;
    for (uint32_t i = 0; i < q->count; i++)
        if (quantity_varies(c, q->operand[i], header, steps)) return true;
    return false;
}

bool group_varies(const BadConditions *c, uint32_t group, Node header, uint32_t *steps) {
    const ConditionGroup *g = &c->groups.at[group];
    return quantity_varies(c, g->first, header, steps) ||
           (g->second < NO_ID - 1 && quantity_varies(c, g->second, header, steps));
}
