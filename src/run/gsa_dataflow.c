// Gated SSA evaluated on demand: no order of instructions, no program counter. Values are indexed by
// iteration vectors and found from what they are made of (k maps loops to iterations):
//
//   V(op, k)          = op(R(args, k))
//   V(gamma, k)       = R(r, k) for the first argument r whose gate holds: T(p, k)
//   V(mu_h(r, s), k)  = R(r, k without h) if k(h) = 0, else R(s, k with k(h) - 1)
//   V(eta(p, r), k)   = R(r, k)
//   R(x, k)           = V(x, k'): k' is k, extended by the last iteration of each loop of x that k lacks
//   last_h(k)         = the least n for which h's leaves-gate holds; its goes-on-gate held before
//   T(p, k)           whether p is 1: AND and OR from left to right, no further than needed
//   result            = the end whose gate holds
//
// Gates put what dominates first, so that only what the program executes is ever demanded: a value that
// is undefined, goes wrong or never comes to an end on a path not taken does not matter.
//
// The state of memory and of the world outside is one more value. Nodes with an effect (loads and
// operators that may go wrong included) take the state from where they stand and hand it on; at joins
// it is a gamma, at headers a mu. So effects happen once each and in order, since each needs the one
// before; the result needs the state at its end.
//
// Of each loop only the current iteration is kept. The next one begins when nothing but its mus, the
// state among them, can need the old one any more: so the mus are evaluated at that moment, all of
// them. That is no more than the program executes, since the arguments are defined where the latch is
// reached. A loop likewise begins with the state before it. Iterations have numbers, never given
// twice, so that what is known of an iteration that has passed is just not found any more.
//
// A branch on an undefined value makes no gate hold. Then what the iteration (or the function) still
// does before it comes to that branch is demanded, in any order, and the wrong step is that of the
// branch.
//
// What is demanded waits on a stack of tasks, one stack for each call. No recursion.
#include "run/gsa_dataflow.h"

#include "fact/gate_eval.h"
#include "form/text.h"

// ---- Tasks

static void demand(Activation *a, TaskKind kind, uint32_t what, uint32_t region) {
    vec_push(a->in->arena, &a->tasks, (FlowTask){.kind = kind, .what = what, .region = region});
}

// The node to blame if the run ends.
static void stand_at(const Activation *a, uint32_t node) {
    top_frame(a->in)->step = a->flow->code->steps + node;
}

// A wrong step; `format` has one %s for a register.
static bool wrong_register(const Activation *a, const char *format, Reg reg) {
    Out name = {0};
    stand_at(a, a->flow->values[reg.i].node);
    reg_print(&name, a->flow->func, reg);
    out_char(&name, '\0');
    world_wrong(&a->in->world, format, name.text);
    out_free(&name);
    return false;
}

static bool wrong_node(const Activation *a, uint32_t node, const char *reason) {
    stand_at(a, node);
    world_wrong(&a->in->world, "%s", reason);
    return false;
}

// ---- What is needed: true if it is there; otherwise it has been demanded, or the run has ended.

static bool region_is_closed(const Activation *a, uint32_t region) {
    const RegionState *state = &a->regions[region];
    return state->finished && state->within == a->regions[a->flow->regions[region].parent].now;
}

// That, seen from an iteration of `from`, the loops around `region` have come to their last iterations:
// the outermost first, since the others run in its last iteration.
static bool need_region(Activation *a, uint32_t region, uint32_t from) {
    const Flow *flow = a->flow;
    uint32_t open = NO_ID;
    for (; !region_contains(flow, region, from); region = flow->regions[region].parent)
        if (!region_is_closed(a, region)) open = region;
    if (open == NO_ID) return true;
    uint64_t around = a->regions[flow->regions[open].parent].now;
    if (a->regions[open].begun == around)
        return wrong_node(a, flow->regions[open].header.i, "a loop depends on its own result");
    a->regions[open].begun = around;
    demand(a, TASK_LOOP, open, 0);
    return false;
}

static uint64_t now_in(const Activation *a, uint32_t region) {
    return a->regions[region].now << 1;
}

static bool set_register(Activation *a, uint32_t reg, Value value) {
    a->regs[reg] = value;
    a->known[reg] = now_in(a, a->flow->values[reg].region) | 1;
    return true;
}

// An operator whose operands are known.
static bool compute(Activation *a, uint32_t reg, uint32_t node) {
    stand_at(a, node);
    return rtl_perform(a->in) && set_register(a, reg, a->regs[reg]);
}

static bool is_known(const Activation *a, Reg reg, uint32_t from) {
    const FlowValue *value = &a->flow->values[reg.i];
    return value->kind == VALUE_THERE || (region_contains(a->flow, value->region, from) &&
                                          a->known[reg.i] == (now_in(a, value->region) | 1));
}

static bool can_compute(const Activation *a, const FlowValue *value) {
    const Func *func = a->flow->func;
    const Instr *instr = &func->nodes.at[value->node];
    const Reg *args = instr_args(func, instr);
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (!is_known(a, args[i], value->region)) return false;
    return true;
}

// R(reg, k) for the current iteration k of a region. An operator that needs nothing more is evaluated at
// once.
static bool need_register(Activation *a, Reg reg, uint32_t from) {
    const FlowValue *value = &a->flow->values[reg.i];
    if (value->kind == VALUE_THERE) return true;
    if (!need_region(a, value->region, from)) return false;
    uint64_t now = now_in(a, value->region);
    if (a->known[reg.i] == (now | 1)) return true;
    if (a->known[reg.i] == now) return wrong_register(a, "the value of %s depends on itself", reg);
    if (value->kind == VALUE_OP && can_compute(a, value)) return compute(a, reg.i, value->node);
    a->known[reg.i] = now;
    demand(a, TASK_VALUE, reg.i, 0);
    return false;
}

// All of a list, of which so many are known to be there.
static bool need_registers(Activation *a, const Reg *regs, uint32_t count, uint32_t from,
                           uint32_t *there) {
    for (; *there < count; ++*there)
        if (!need_register(a, regs[*there], from)) return false;
    return true;
}

// The state, likewise. That of a header is there as long as the iteration is.
static bool need_state(Activation *a, WorldState state, uint32_t from) {
    const Flow *flow = a->flow;
    if (state.i == FIRST_STATE.i) return true;
    uint32_t node = state.i / 2, region = flow->region_of[node];
    if (!need_region(a, region, from)) return false;
    if (region && state.i == 2 * flow->regions[region].header.i) return true;
    uint64_t now = now_in(a, region);
    if (a->done[state.i] == (now | 1)) return true;
    if (a->done[state.i] == now) return wrong_node(a, node, "an effect depends on itself");
    a->done[state.i] = now;
    demand(a, TASK_STATE, state.i, 0);
    return false;
}

static bool judge(Activation *a, Gate gate, uint32_t from, bool holds) {
    a->judged[gate.i] = now_in(a, from) | holds;
    return true;
}

static bool need_literal(Activation *a, Gate gate, uint32_t from, bool *holds) {
    const Func *func = a->flow->func;
    const GateNode *node = &func->gsa->gates.at[gate.i];
    const GateAtom *atom = &func->gsa->atoms.at[node->first];
    uint32_t there = 0;
    if (!need_registers(a, atom->arg, atom->arg_count, from, &there)) return false;
    *holds = gate_eval_atom(func, atom, a->regs) == (node->negated ? TRUTH_FALSE : TRUTH_TRUE);
    return judge(a, gate, from, *holds);
}

// T(gate, k) for the current iteration k of a region.
static bool need_gate(Activation *a, Gate gate, uint32_t from, bool *holds) {
    *holds = gate.i == GATE_TRUE.i;
    if (gate.i <= GATE_UNDEF.i) return true;
    *holds = a->judged[gate.i] & 1;
    if (a->judged[gate.i] >> 1 == a->regions[from].now) return true;
    if (a->flow->func->gsa->gates.at[gate.i].kind == GK_LITERAL)
        return need_literal(a, gate, from, holds);
    demand(a, TASK_GATE, gate.i, from);
    return false;
}

// ---- Evaluation. Each of these is true if its task is done.

static bool run_gate(Activation *a, const FlowTask *task) {
    Gate gate = {task->what};
    const GateNode *node = &a->flow->func->gsa->gates.at[gate.i];
    bool holds;
    if (!need_gate(a, (Gate){node->first}, task->region, &holds)) return false;
    if (holds == (node->kind == GK_OR)) return judge(a, gate, task->region, holds);
    return need_gate(a, (Gate){node->second}, task->region, &holds) &&
           judge(a, gate, task->region, holds);
}

static bool run_op(Activation *a, FlowTask *task, const FlowValue *value) {
    const Func *func = a->flow->func;
    const Instr *instr = &func->nodes.at[value->node];
    return need_registers(a, instr_args(func, instr), instr->arg_count, value->region,
                          &task->there) &&
           compute(a, task->what, value->node);
}

static bool run_gamma(Activation *a, FlowTask *task, const FlowValue *value) {
    const Merge *merge = &a->flow->func->gsa->merges.at[value->at];
    const MergeArg *args = merge_args(a->flow->func, merge);
    for (; task->at < merge->arg_count; task->at++) {
        bool holds;
        MergeArg arg = args[task->at];
        if (!need_gate(a, arg.gate, value->region, &holds)) return false;
        if (holds)
            return need_register(a, arg.reg, value->region) &&
                   set_register(a, merge->dest.i, a->regs[arg.reg.i]);
    }
    return wrong_register(a, "no gate of the gamma of %s holds", merge->dest);
}

static bool run_eta(Activation *a, const FlowValue *value) {
    const Eta *eta = &a->flow->func->gsa->etas.at[value->at];
    bool holds;
    if (!need_gate(a, eta->gate, value->region, &holds)) return false;
    if (!holds) return wrong_register(a, "the gate of the eta of %s does not hold", eta->dest);
    return need_register(a, eta->source, value->region) &&
           set_register(a, eta->dest.i, a->regs[eta->source.i]);
}

static bool run_value(Activation *a, FlowTask *task) {
    Reg reg = {task->what};
    const FlowValue *value = &a->flow->values[reg.i];
    switch (value->kind) {
    case VALUE_OP: return run_op(a, task, value);
    case VALUE_EFFECT: return need_state(a, (WorldState){2 * value->node + 1}, value->region);
    case VALUE_GAMMA: return run_gamma(a, task, value);
    case VALUE_ETA: return run_eta(a, value);
    case VALUE_MU: // set with the iteration
    case VALUE_THERE: break;
    }
    return wrong_register(a, "%s has no value", reg);
}

// ---- States

static bool finish_state(Activation *a, uint32_t state) {
    a->done[state] = now_in(a, a->flow->region_of[state / 2]) | 1;
    return true;
}

static bool run_join(Activation *a, FlowTask *task) {
    const Flow *flow = a->flow;
    Node join = {task->what / 2};
    uint32_t region = flow->region_of[join.i];
    const Node *preds = preds_at(&flow->preds, join);
    for (; task->at < preds_count(&flow->preds, join); task->at++) {
        bool holds;
        Node pred = preds[task->at];
        if (!need_gate(a, flow->joining[pred.i], region, &holds)) return false;
        if (holds)
            return need_state(a, flow->state_out[pred.i], region) && finish_state(a, task->what);
    }
    return wrong_node(a, join.i, "no path leads to where an effect is demanded");
}

// The effect of a node. A call of another function is done when that has returned; a return or a jump
// leaves nothing to be done.
static bool run_effect(Activation *a, FlowTask *task) {
    const Flow *flow = a->flow;
    Interpreter *in = a->in;
    uint32_t node = task->what / 2, region = flow->region_of[node], depth = in->frames.count;
    uint64_t jumps = in->jumps;
    const Instr *instr = &flow->func->nodes.at[node];
    if (task->at == EFFECT_DEMANDED) {
        if (!need_state(a, flow->state_in[node], region)) return false;
        task->at = EFFECT_DUE;
    }
    if (task->at == EFFECT_DUE) {
        if (!need_registers(a, instr_args(flow->func, instr), instr->arg_count, region,
                            &task->there))
            return false;
        stand_at(a, node);
        task->at = EFFECT_DONE;
        if (!rtl_perform(in) || in->frames.count != depth || in->jumps != jumps) return false;
    }
    if (instr->dest.i != NO_ID) set_register(a, instr->dest.i, a->regs[instr->dest.i]);
    return finish_state(a, task->what);
}

// ---- Loops

enum { LOOP_START, LOOP_LEAVES, LOOP_GOES_ON, LOOP_NEXT };

// Begins an iteration: the first, from outside, or the next, from the latch.
static bool begin_iteration(Activation *a, FlowTask *task, uint32_t which) {
    const Flow *flow = a->flow;
    uint32_t index = task->what;
    const Region *region = &flow->regions[index];
    uint32_t from = which ? index : region->parent;
    Node pred = which ? region->latch : region->before;
    uint32_t count = gsa_merge_count(flow->func, region->header);
    const Merge *merges = gsa_merges(flow->func, region->header);
    if (!need_state(a, flow->state_out[pred.i], from)) return false;
    for (; task->there < count; task->there++)
        if (!need_register(a, merge_args(flow->func, &merges[task->there])[which].reg, from))
            return false;
    for (uint32_t i = 0; i < count; i++)
        a->in->phi_values[i] = a->regs[merge_args(flow->func, &merges[i])[which].reg.i];
    a->regions[index].within = a->regions[region->parent].now;
    a->regions[index].now = ++a->iterations;
    a->regions[index].finished = false;
    for (uint32_t i = 0; i < count; i++) set_register(a, merges[i].dest.i, a->in->phi_values[i]);
    return true;
}

static bool run_loop(Activation *a, FlowTask *task) {
    uint32_t index = task->what;
    const Region *region = &a->flow->regions[index];
    bool holds;
    if (task->at == LOOP_START || task->at == LOOP_NEXT) {
        if (!begin_iteration(a, task, task->at == LOOP_NEXT)) return false;
        task->there = 0;
        task->at = LOOP_LEAVES;
    }
    if (task->at == LOOP_LEAVES) {
        if (!need_gate(a, region->leaves, index, &holds)) return false;
        a->regions[index].finished = holds;
        if (holds) return true;
        task->at = LOOP_GOES_ON;
    }
    if (!need_gate(a, region->goes_on, index, &holds)) return false;
    task->at = LOOP_NEXT;
    if (!holds) demand(a, TASK_SETTLE, index, 0);
    return false;
}

// ---- Ends

static bool run_result(Activation *a, FlowTask *task) {
    const Gsa *gsa = a->flow->func->gsa;
    for (; task->at < gsa->ends.count; task->at++) {
        bool holds;
        EndGate end = gsa->ends.at[task->at];
        if (!need_gate(a, end.gate, 0, &holds)) return false;
        if (holds) return need_state(a, (WorldState){2 * end.node.i + 1}, 0);
    }
    demand(a, TASK_SETTLE, 0, 0);
    return false;
}

// What the iteration does at a node that it comes to.
static bool settle_node(Activation *a, uint32_t region, Node node) {
    const Flow *flow = a->flow;
    uint32_t there = 0;
    const Instr *instr = func_at(flow->func, node);
    if (flow->region_of[node.i] != region) return need_region(a, flow->region_of[node.i], region);
    if (flow_has_effect(instr)) return need_state(a, (WorldState){2 * node.i + 1}, region);
    if (!instr_is_branch(instr)) return true;
    if (!need_state(a, flow->state_in[node.i], region) ||
        !need_registers(a, instr_args(flow->func, instr), instr->arg_count, region, &there))
        return false;
    stand_at(a, node.i);
    return rtl_perform(a->in);
}

// Nodes of the region, and the headers of loops in it, are taken in order. In the end one of them was
// a wrong step, ended the run or never came to an end; if not, the form's gates are not what they
// should be.
static bool run_settle(Activation *a, FlowTask *task) {
    const Flow *flow = a->flow;
    for (; task->at < flow->order_count; task->at++) {
        Node node = flow->order[task->at];
        const Region *inner = &flow->regions[flow->region_of[node.i]];
        bool header = inner->parent == task->what && inner->header.i == node.i, holds;
        if (flow->region_of[node.i] != task->what && !header) continue;
        Gate gate = header ? flow->reached[inner->before.i] : flow->reached[node.i];
        if (!need_gate(a, gate, task->what, &holds)) return false;
        if (holds && !settle_node(a, task->what, node)) return false;
    }
    return wrong_node(a, flow->regions[task->what].header.i,
                      task->what
                          ? "the gates of a loop say neither that it goes on nor that it ends"
                          : "no gate of an end holds");
}

// ---- Calls

static Activation *new_activation(Interpreter *in, const Flow *flow) {
    Arena *arena = in->arena;
    if (!memory_charge(in->world.memory, flow->size)) {
        world_wrong(&in->world, "call depth of %u: no memory for another activation",
                    in->frames.count);
        return NULL;
    }
    Activation *a = ARENA_NEW(arena, Activation);
    *a = (Activation){.flow = flow,
                      .in = in,
                      .known = ARENA_ARRAY(arena, uint64_t, flow->func->regs.count),
                      .done = ARENA_ARRAY(arena, uint64_t, 2 * (size_t)flow->func->nodes.count),
                      .judged = ARENA_ARRAY(arena, uint64_t, flow->func->gsa->gates.count),
                      .regions = ARENA_ARRAY(arena, RegionState, flow->region_count)};
    return a;
}

// Starts the evaluation of the function of the top frame. An activation that was used before knows only of
// iterations that have passed.
static void begin(Interpreter *in) {
    Flow *flow = top_frame(in)->code->flow;
    Activation *a = flow->free;
    if (a)
        flow->free = a->next;
    else if (!(a = new_activation(in, flow)))
        return;
    top_frame(in)->activation = a;
    a->regs = top_frame(in)->regs;
    a->regions[0].now = ++a->iterations;
    vec_clear(&a->tasks);
    demand(a, TASK_RESULT, 0, 0);
}

static bool run_task(Activation *a, FlowTask *task) {
    switch (task->kind) {
    case TASK_RESULT: return run_result(a, task);
    case TASK_VALUE: return run_value(a, task);
    case TASK_GATE: return run_gate(a, task);
    case TASK_STATE: return task->what % 2 ? run_effect(a, task) : run_join(a, task);
    case TASK_LOOP: return run_loop(a, task);
    case TASK_SETTLE: return run_settle(a, task);
    }
    return false;
}

void flow_leave(const CallFrame *frame) {
    Activation *a = frame->activation;
    Flow *flow = frame->code->flow;
    a->next = flow->free;
    flow->free = a;
}

// Tries the last task again. It is changed in a copy, since demands can move the stack. A jump has put
// another stack in its place.
static void step(Interpreter *in) {
    Activation *a = top_frame(in)->activation;
    uint32_t index = a->tasks.count - 1;
    uint64_t jumps = in->jumps;
    FlowTask task = a->tasks.at[index];
    bool done = run_task(a, &task);
    if (in->jumps != jumps) return;
    a->tasks.at[index] = task;
    if (done) a->tasks.count--;
}

void dataflow_interpret(Interpreter *in, uint32_t depth) {
    while (!in->world.stopped && in->frames.count > depth) {
        if (!in->fuel) {
            world_exit(&in->world, END_FUEL, 0);
        } else if (!top_frame(in)->activation) {
            begin(in);
        } else {
            in->fuel--;
            step(in);
        }
    }
}

// ---- What cannot be run

const Code *dataflow_prepare(Interpreter *in, const Func *func) {
    if (func->form != run_way_table[in->way].form) {
        const Code *refused = run_prepare_plain(in, func);
        world_wrong(&in->world, "function '%s' is not in gated SSA", func_name(func));
        in->world.result->refused = true;
        return refused;
    }
    Code *code = rtl_decode(in, func);
    code->flow = flow_prepare(in, code);
    return code;
}
