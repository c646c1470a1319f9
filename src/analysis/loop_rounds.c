// A round is the way from the header to an edge back. Its *spine* is the part that every round
// executes: the nodes of the loop itself that dominate all edges back. Operators of the spine on
// known numbers are evaluated, round by round, until a branch of the spine leaves the loop.
// Registers that are set elsewhere in the loop are not known.
#include "analysis/loop_rounds.h"

#include "fact/eval.h"

// How far numbers in front of a loop are followed.
enum { DEEPEST = 6 };

enum { STATE_KNOWN = 1, STATE_UNKNOWN, STATE_LOST }; // lost: set beside the spine

// ---- Definitions

static void add_definition(LoopRounds *r, uint32_t *place, Reg reg, uint32_t node, bool by_phi) {
    r->definitions[place[reg.i]++] = (RoundsDefinition){.node = node, .by_phi = by_phi};
}

static void list_definitions(LoopRounds *r) {
    const Func *func = r->func;
    uint32_t *first = ARENA_ARRAY(r->arena, uint32_t, func->regs.count + 1);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Reg dest = func->nodes.at[n].dest;
        if (!graph_reaches(r->graph, n)) continue;
        if (dest.i != NO_ID) first[dest.i + 1]++;
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            first[func_phis(func, (Node){n})[i].dest.i + 1]++;
    }
    for (uint32_t i = 0; i < func->regs.count; i++) first[i + 1] += first[i];
    r->first = first;
    r->definitions = ARENA_ARRAY(r->arena, RoundsDefinition, first[func->regs.count]);
    uint32_t *place = arena_copy(r->arena, first, (func->regs.count + 1) * sizeof *first);
    for (uint32_t i = 0; i < r->graph->reached; i++) {
        Node node = {r->graph->order[i]};
        for (uint32_t k = 0; k < func_phi_count(func, node); k++)
            add_definition(r, place, func_phis(func, node)[k].dest, node.i, true);
        Reg dest = func_at(func, node)->dest;
        if (dest.i != NO_ID) add_definition(r, place, dest, node.i, false);
    }
}

LoopRounds loop_rounds_begin(Arena *arena, const Func *func, const Graph *graph,
                             const LoopForest *forest) {
    LoopRounds r = {.arena = arena, .func = func, .graph = graph, .forest = forest};
    r.preds = preds_of(arena, func);
    r.dominance = dominance_of(arena, func, &r.preds);
    r.value = ARENA_ARRAY(arena, Value, func->regs.count);
    r.state = ARENA_ARRAY(arena, uint8_t, func->regs.count);
    r.stamp = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    list_definitions(&r);
    return r;
}

// ---- Operators

typedef bool ReadRegister(LoopRounds *r, Reg reg, const void *context, Value *value);

// The result of an integer operator, or the outcome of a condition, whose operands are known.
static bool evaluate(LoopRounds *r, const Instr *instr, ReadRegister *read, const void *context,
                     Value *result) {
    const OpInfo *info = op_info(instr->op);
    Value operand[3] = {{0}};
    if (!type_is_int(info->result)) return false;
    if (instr->op == OP_CONST_I32 || instr->op == OP_CONST_I64) {
        *result = value_immediate(info->result, instr->imm);
        return true;
    }
    if (instr->arg_count == 0) return false;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (!type_is_int(info->operand[k]) ||
            !read(r, instr_args(r->func, instr)[k], context, &operand[k]))
            return false;
    if (instr->immediate)
        operand[instr->arg_count] = value_immediate(info->operand[instr->arg_count], instr->imm);
    return op_eval(instr->op, operand[0], operand[1], operand[2], result) && !result->undef;
}

// ---- In front of a loop

// A place in a function: in front of a node, in a loop (NO_ID: in none).
typedef struct {
    uint32_t node, loop, depth;
} RoundsPlace;

// The number that a register holds at a place. Of its definitions the last in front of the place
// counts. A later definition gets there over an outer loop only, in which the counting one comes
// in between.
static bool read_at(LoopRounds *r, Reg reg, const void *context, Value *value) {
    const RoundsPlace *place = context;
    uint32_t low = r->first[reg.i], high = r->first[reg.i + 1], number;
    bool sole = high - low == 1;
    number = r->graph->number[place->node];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->graph->number[r->definitions[middle].node] < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == r->first[reg.i] || place->depth == DEEPEST) return false;
    const RoundsDefinition *definition = &r->definitions[low - 1];
    uint32_t node = definition->node, loop = r->forest->innermost[node];
    const Instr *instr = &r->func->nodes.at[node];
    if (definition->by_phi || instr->kind != I_OP || (!sole && loop != place->loop) ||
        !dominates(&r->dominance, (Node){node}, (Node){place->node}))
        return false;
    RoundsPlace above = {.node = node, .loop = loop, .depth = place->depth + 1};
    return evaluate(r, instr, read_at, &above, value);
}

// ---- In a loop

static void set(LoopRounds *r, Reg reg, uint8_t state, Value value) {
    if (r->stamp[reg.i] == r->loop_stamp && r->state[reg.i] == STATE_LOST) return;
    r->stamp[reg.i] = r->loop_stamp;
    r->state[reg.i] = state;
    r->value[reg.i] = value;
}

// The number that a register holds at hand; what the loop has not set yet is as in front of it.
static bool read_now(LoopRounds *r, Reg reg, const void *context, Value *value) {
    uint32_t loop = *(const uint32_t *)context;
    if (r->stamp[reg.i] != r->loop_stamp) {
        RoundsPlace front = {.node = r->forest->loops[loop].header,
                             .loop = r->forest->loops[loop].parent};
        Value before = {0};
        bool known = read_at(r, reg, &front, &before);
        set(r, reg, known ? STATE_KNOWN : STATE_UNKNOWN, before);
    }
    *value = r->value[reg.i];
    return r->state[reg.i] == STATE_KNOWN;
}

// The phis of the header, entered from a predecessor, act at once. With several ways from the same
// side the values are not known.
static void enter(LoopRounds *r, uint32_t loop, bool from_inside) {
    Node header = {r->forest->loops[loop].header};
    uint32_t count = func_phi_count(r->func, header), pred = NO_ID;
    for (uint32_t k = 0; count && k < preds_count(&r->preds, header); k++)
        if (loop_contains(r->forest, loop, preds_at(&r->preds, header)[k].i) == from_inside)
            pred = pred == NO_ID ? k : NO_ID - 1;
    VEC(Value) values = {0};
    VEC(bool) known = {0};
    for (uint32_t i = 0; i < count; i++) {
        Value value = {0};
        bool good =
            pred < NO_ID - 1 &&
            read_now(r, phi_args(r->func, &func_phis(r->func, header)[i])[pred], &loop, &value);
        vec_push(r->arena, &values, value);
        vec_push(r->arena, &known, good);
    }
    for (uint32_t i = 0; i < count; i++)
        set(r, func_phis(r->func, header)[i].dest, known.at[i] ? STATE_KNOWN : STATE_UNKNOWN,
            values.at[i]);
}

static void find_spine(LoopRounds *r, uint32_t loop) {
    const Loop *it = &r->forest->loops[loop];
    Node last = {r->forest->latch[it->latch_at]};
    for (uint32_t i = 1; i < it->latch_count; i++)
        while (!dominates(&r->dominance, last, (Node){r->forest->latch[it->latch_at + i]}))
            last = r->dominance.idom[last.i];
    vec_clear(&r->spine);
    for (; last.i != it->header; last = r->dominance.idom[last.i])
        if (r->forest->innermost[last.i] == loop) vec_push(r->arena, &r->spine, last.i);
    vec_push(r->arena, &r->spine, it->header);
    for (uint32_t i = 0, k = r->spine.count - 1; i < k; i++, k--) {
        uint32_t node = r->spine.at[i];
        r->spine.at[i] = r->spine.at[k];
        r->spine.at[k] = node;
    }
}

// Whether a node does something that stays if its result is not known.
static bool is_work(const Instr *instr) {
    bool moves = instr->kind == I_OP && (op_is_move(instr->op) || !instr->arg_count);
    return instr->kind != I_NOP && !moves;
}

static void set_phis(LoopRounds *r, uint32_t node, uint8_t state) {
    for (uint32_t i = 0; i < func_phi_count(r->func, (Node){node}); i++)
        set(r, func_phis(r->func, (Node){node})[i].dest, state, (Value){0});
}

// Registers that are set beside the spine are lost. Yields the work beside it, but for inner loops.
static uint32_t lose_others(LoopRounds *r, uint32_t loop) {
    const uint32_t *body = loop_body(r->forest, loop);
    Node last = {r->spine.at[r->spine.count - 1]};
    uint32_t work = 0;
    for (uint32_t i = 0; i < loop_size(r->forest, loop); i++) {
        const Instr *instr = &r->func->nodes.at[body[i]];
        bool own = r->forest->innermost[body[i]] == loop;
        if (own && dominates(&r->dominance, (Node){body[i]}, last)) continue;
        if (instr->dest.i != NO_ID) set(r, instr->dest, STATE_LOST, (Value){0});
        set_phis(r, body[i], STATE_LOST);
        work += own && is_work(instr);
    }
    return work;
}

typedef enum { ROUND_GOES_ON, ROUND_LEAVES, ROUND_IS_UNKNOWN } RoundEnd;

// A round along the spine. Counts the nodes whose results are not known.
static RoundEnd run_round(LoopRounds *r, uint32_t loop, uint32_t *work) {
    bool decided = false;
    for (uint32_t i = 0; i < r->spine.count; i++) {
        uint32_t node = r->spine.at[i];
        const Instr *instr = &r->func->nodes.at[node];
        Value value = {0};
        if (i > 0) set_phis(r, node, STATE_UNKNOWN);
        bool known = (instr->kind == I_OP || instr->kind == I_COND) &&
                     evaluate(r, instr, read_now, &loop, &value);
        *work += !known && is_work(instr);
        if (instr->dest.i != NO_ID) set(r, instr->dest, known ? STATE_KNOWN : STATE_UNKNOWN, value);
        if (instr->kind != I_COND || !known) continue;
        uint32_t taken = instr->succ[value.bits ? 0 : 1].i;
        if (!loop_contains(r->forest, loop, taken)) return ROUND_LEAVES;
        decided |= !loop_contains(r->forest, loop, instr->succ[value.bits ? 1 : 0].i);
    }
    return decided ? ROUND_GOES_ON : ROUND_IS_UNKNOWN;
}

RoundsAnswer loop_rounds_of(LoopRounds *r, uint32_t loop, uint32_t most) {
    RoundsAnswer answer = {0};
    if (r->forest->loops[loop].irreducible) return answer;
    r->loop_stamp++;
    find_spine(r, loop);
    uint32_t beside = lose_others(r, loop);
    enter(r, loop, false);
    for (uint32_t round = 1; round <= most; round++) {
        uint32_t work = beside;
        RoundEnd end = run_round(r, loop, &work);
        if (round == 1) answer.work = work;
        if (end == ROUND_IS_UNKNOWN) return answer;
        if (end == ROUND_LEAVES) {
            answer.count = round;
            return answer;
        }
        enter(r, loop, true);
    }
    return answer;
}
