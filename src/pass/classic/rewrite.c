// Rewrites by the rules of rules.def. Patterns read definitions of operands, never uses, and nodes
// come after the definitions that they use (reverse postorder). So one walk over the nodes, each
// rewritten until no rule applies, finds everything. Instructions that a rule adds are rewritten in
// turn.
//
// The rules are found by the operator of the instruction and the operator of its first operand's
// definition.
#include "pass/pass.h"

#include "check/values/derivation.h"
#include "graph/versions.h"
#include "pass/magic.h"
#include "pass/rule_index.h"

// Rules shrink or simplify, but a mistake in the table should not hang the compiler.
enum { STEPS_PER_NODE = 100 };

typedef struct {
    Arena *arena;
    Derivation derivation;
    const RuleIndex *index;
    RewriteHint *hint;
    VEC(uint32_t) work; // items to look at
} Rewrite;

static bool try_rule(Rewrite *state, uint32_t item, Rule rule) {
    RewriteStep step = {.item = item, .rule = (uint16_t)rule};
    if (magic_wanted(rule)) {
        const Instr *instr = state->derivation.items.at[item].instr;
        if (!instr->immediate || !magic_choose(rule, instr->imm, step.choice)) return false;
    }
    if (!derivation_step(&state->derivation, &step)) return false;
    vec_push(state->arena, &state->hint->steps, step);
    return true;
}

static bool try_bucket(Rewrite *state, uint32_t item, uint32_t root, uint32_t inner) {
    const RuleIndex *index = state->index;
    for (uint32_t rule = rule_index_first(index, root, inner); rule != NO_RULE;
         rule = index->next[rule])
        if (rule_heads[rule].root == root && try_rule(state, item, rule)) return true;
    return false;
}

static bool try_rules(Rewrite *state, uint32_t item, const Instr *instr) {
    uint32_t operands = op_info(instr->op)->flags & OPF_COMM ? instr->arg_count : 1;
    for (uint32_t k = 0; k < operands && k < instr->arg_count; k++) {
        const Instr *inner = derivation_definition(&state->derivation, instr->arg[k]);
        if (inner && try_bucket(state, item, instr->op, inner->op)) return true;
    }
    return try_bucket(state, item, instr->op, ANY_INNER);
}

static bool rewrite_once(Rewrite *state, uint32_t item) {
    const Instr *instr = state->derivation.items.at[item].instr;
    if (instr->kind == I_SWITCH)
        return instr->succ_count == 2 && try_rule(state, item, RULE_SWITCH);
    if ((instr->kind != I_OP && instr->kind != I_COND) || op_info(instr->op)->arity == 0 ||
        op_is_move(instr->op))
        return false;
    return try_rule(state, item, RULE_FOLD) || try_rule(state, item, RULE_IMMEDIATE) ||
           try_rules(state, item, instr);
}

// Instructions that a step adds are looked at first, so that the item itself sees them in their
// final form.
static void rewrite_node(Rewrite *state, uint32_t node) {
    uint32_t steps = 0;
    vec_push(state->arena, &state->work, node);
    while (state->work.count) {
        uint32_t item = vec_pop(&state->work), count = state->derivation.items.count;
        if (steps == STEPS_PER_NODE || !rewrite_once(state, item)) continue;
        steps++;
        vec_push(state->arena, &state->work, item);
        for (uint32_t i = state->derivation.items.count; i-- > count;)
            vec_push(state->arena, &state->work, i);
    }
}

// ---- The new function

static void add_registers(const Rewrite *state, Func *result) {
    for (uint32_t i = 0; i < state->derivation.added.count; i++) {
        Reg reg = func_temp(result, state->derivation.added.at[i]);
        result->regs.at[reg.i].version = VERSION_FIRST_SET;
    }
}

static void add_node(const Rewrite *state, Func *result, const Items *items, Node *place) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Instr *instr = state->derivation.items.at[items->at[i]].instr;
        Node node = func_copy_instr(result, state->derivation.before, instr);
        if (i == 0) *place = node;
        if (i + 1 < items->count) result->nodes.at[node.i].succ[0] = (Node){node.i + 1};
    }
}

static void place_successors(Func *result, Node node, const Node *place) {
    uint32_t count = result->nodes.at[node.i].succ_count;
    for (uint32_t k = 0; k < count; k++)
        func_set_succ(result, node, k, place[instr_succs(result, func_at(result, node))[k].i]);
}

static Func *derived(const Rewrite *state) {
    const Func *before = state->derivation.before;
    Func *result = func_like(before, state->arena);
    add_registers(state, result);
    Node *place = ARENA_ARRAY(state->arena, Node, (size_t)before->nodes.count + 1);
    Items items = {0};
    // Room for all nodes at once: as many as there are items.
    (void)vec_extend(state->arena, &result->nodes, state->derivation.items.count);
    vec_clear(&result->nodes);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        derivation_items(&state->derivation, (Node){n}, &items);
        add_node(state, result, &items, &place[n]);
    }
    place[before->nodes.count] = (Node){result->nodes.count};
    // The last instruction of each old node has the old successors.
    for (uint32_t n = 0; n < before->nodes.count; n++)
        place_successors(result, (Node){place[n + 1].i - 1}, place);
    if (before->phis.count == 0) return result;
    Preds preds = preds_of(state->arena, before);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        for (uint32_t p = 0; p < func_phi_count(before, (Node){n}); p++) {
            const Phi *phi = &func_phis(before, (Node){n})[p];
            func_add_phi(result, place[n], phi->dest, phi_args(before, phi),
                         preds_count(&preds, (Node){n}));
        }
    func_end_phis(result);
    return result;
}

Func *rewrite(Arena *arena, const Func *func, RewriteHint *hint) {
    RuleIndex index;
    rule_index_start(&index);
    Rewrite state = {.arena = arena, .hint = hint, .index = &index};
    derivation_start(&state.derivation, arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) rewrite_node(&state, n);
    return hint->steps.count ? derived(&state) : NULL;
}
