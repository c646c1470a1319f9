// Functional SSA evaluated on demand: no order of equations, no program counter. Values are indexed
// by iteration vectors and computed from their operands, as in section 4.3 of Pop, Jouvelot and
// Silber (k maps loops to iterations):
//
//   V(op(e...), k)       = op(V(e, k)...)
//   V(loop_h(e, d), k)   = V(e, k) if k(h) = 0, else V(d, k with k(h) - 1 for h)
//   V(close_h(c, e), k)  = V(e, k with n for h), n the least for which V(c, k with n for h) is 0
//   V(gamma(c: e...), k) = V(e, k) for the first condition c for which V(c, k) is 1
//   V(after s: i, k)     = the state after instruction i has been performed in the state V(s, k)
//
// There is one world, not a copy for each state. A state has a number, which grows with each
// effect, and an effect can be performed in the last state only: so effects happen once each and in
// order, since each needs the previous effect.
//
// Of each loop only the current iteration is kept. The next one begins when nothing but the second
// arguments of its `loop` terms can need the old one any more: so these arguments are evaluated at
// that moment, all that the function's ends can depend on. Iterations have numbers, never given
// twice, so the values of a past iteration are just not found any more. A loop that is closed under
// a condition other than the one by which it ended runs again.
//
// Demanded values wait on a stack of tasks, one stack for each call. There is no recursion.
#include "run/fssa_run.h"

#include "text/text.h"

// ---- Tasks

static void demand(Activation *a, FlowTask task) {
    vec_push(a->in->arena, &a->tasks, task);
}

// The node to blame if the run ends.
static void stand_at(const Activation *a, uint32_t node) {
    top_frame(a->in)->step = a->flow->code->steps + node;
}

static bool wrong(const Activation *a, const char *reason) {
    world_wrong(&a->in->world, "%s", reason);
    return false;
}

// A wrong step; `format` has one %s for a register.
static bool wrong_register(Activation *a, const char *format, uint32_t reg) {
    Out name = {0};
    a->blamed = reg < a->flow->register_count ? a->flow->register_sites[reg] : NO_ID;
    reg_print(&name, a->flow->func, (Reg){reg});
    out_char(&name, '\0');
    world_wrong(&a->in->world, format, name.text);
    out_free(&name);
    return false;
}

// ---- What is needed: true if it is there; otherwise it has been demanded, or the run has ended.

static uint64_t now_in(const Activation *a, uint32_t region) {
    return a->regions[region].now;
}

static bool set_register(Activation *a, uint32_t reg, Value value) {
    a->regs[reg] = value;
    a->known[reg] = now_in(a, a->flow->values[reg].region);
    return run_observe_value(a->in, reg);
}

// An operator whose operands are known.
static bool compute(Activation *a, uint32_t reg, uint32_t node) {
    stand_at(a, node);
    return rtl_perform(a->in) && set_register(a, reg, a->regs[reg]);
}

static bool is_known(const Activation *a, Reg reg) {
    return a->known[reg.i] == now_in(a, a->flow->values[reg.i].region);
}

static Value truth(bool holds) {
    return value_i32(holds);
}

static Value truth_not(Value value) {
    return value.undef ? value_undefined(TYPE_I32) : truth(!value.bits);
}

static bool holds(Value value) {
    return !value.undef && value.bits;
}

static bool find_now(Activation *a, Reg reg, int depth);

// A gamma, AND or OR all of whose operands that count can be found. False if one cannot.
static bool choose_now(Activation *a, uint32_t reg, const FlowValue *value, int depth) {
    const Reg *args = a->flow->args + value->args_at;
    bool is_or = value->kind == FLOW_OR, gamma = value->kind == FLOW_GAMMA;
    for (uint32_t i = 0; i < value->arg_count; i += gamma ? 2 : 1) {
        if (!find_now(a, args[i], depth)) return false;
        Value found = a->regs[args[i].i];
        if (gamma && holds(found))
            return find_now(a, args[i + 1], depth) && set_register(a, reg, a->regs[args[i + 1].i]);
        if (gamma) continue;
        if (found.undef) return false;
        if ((found.bits != 0) == is_or) return set_register(a, reg, truth(is_or));
    }
    return !gamma && set_register(a, reg, truth(!is_or));
}

static bool compute_now(Activation *a, uint32_t reg, const FlowValue *value, int depth) {
    const Reg *args = a->flow->args + value->args_at;
    for (uint32_t i = 0; i < value->arg_count; i++)
        if (!is_known(a, args[i]) && (!depth || !find_now(a, args[i], depth - 1))) return false;
    return compute(a, reg, value->node);
}

static bool negate_now(Activation *a, uint32_t reg, Reg arg, int depth) {
    return find_now(a, arg, depth) && set_register(a, reg, truth_not(a->regs[arg.i]));
}

// Whether a register is there, or can be found without any demand: by operators, choices and
// negations of what is there, nested so deep.
static bool find_now(Activation *a, Reg reg, int depth) {
    const FlowValue *value = &a->flow->values[reg.i];
    if (is_known(a, reg)) return true;
    switch ((FlowKind)value->kind) {
    case FLOW_OP: return compute_now(a, reg.i, value, depth);
    case FLOW_NOT: return depth && negate_now(a, reg.i, a->flow->args[value->args_at], depth - 1);
    case FLOW_GAMMA:
    case FLOW_AND:
    case FLOW_OR: return depth && choose_now(a, reg.i, value, depth - 1);
    default: return false;
    }
}

// The value of a register in the current iteration of its region. What needs little, and nothing
// that is not there, is evaluated at once.
static bool need(Activation *a, Reg reg) {
    enum { AT_ONCE = 3 };
    const FlowValue *value = &a->flow->values[reg.i];
    if (is_known(a, reg)) return true;
    if (value->kind == FLOW_RESULT) return need(a, a->flow->args[value->args_at]);
    uint64_t open = now_in(a, value->region) - 1;
    if (a->known[reg.i] == open)
        return wrong_register(a, "the value of %s depends on itself", reg.i);
    if (find_now(a, reg, AT_ONCE)) return true;
    if (a->in->world.stopped) return false;
    a->known[reg.i] = open;
    demand(a, (FlowTask){.kind = TASK_VALUE, .what = reg.i});
    return false;
}

// All of a list, of which so many are known to be there.
static bool need_all(Activation *a, const Reg *regs, uint32_t count, uint32_t *there) {
    for (; *there < count; ++*there)
        if (!need(a, regs[*there])) return false;
    return true;
}

// That a loop has come to the iteration in which a condition does not hold.
static bool need_loop(Activation *a, uint32_t region, Reg condition) {
    RegionState *state = &a->regions[region];
    uint64_t around = a->regions[a->flow->regions[region].parent].now;
    if (state->ended_by == condition.i && state->within == around) return true;
    if (state->running) return wrong(a, "a loop depends on its own result");
    state->running = true;
    state->ended_by = NO_ID;
    demand(a, (FlowTask){.kind = TASK_LOOP, .what = region, .by = condition.i});
    return false;
}

// ---- Evaluation. Each of these is true if its task is done.

static bool run_gamma(Activation *a, FlowTask *task, const Reg *args, uint32_t count) {
    for (; task->at < count; task->at += 2) {
        if (!need(a, args[task->at])) return false;
        if (!holds(a->regs[args[task->at].i])) continue;
        Reg chosen = args[task->at + 1];
        return need(a, chosen) && set_register(a, task->what, a->regs[chosen.i]);
    }
    return wrong_register(a, "no condition of the gamma of %s holds", task->what);
}

static bool run_not(Activation *a, uint32_t reg, Reg arg) {
    return need(a, arg) && set_register(a, reg, truth_not(a->regs[arg.i]));
}

// FlowTask.there: one of an OR is undefined.
static bool run_and_or(Activation *a, FlowTask *task, bool is_or, const Reg *args, uint32_t count) {
    for (; task->at < count; task->at++) {
        if (!need(a, args[task->at])) return false;
        Value value = a->regs[args[task->at].i];
        if (value.undef && is_or)
            task->there = 1;
        else if (value.undef)
            return set_register(a, task->what, value_undefined(TYPE_I32));
        else if ((value.bits != 0) == is_or)
            return set_register(a, task->what, truth(is_or));
    }
    return set_register(a, task->what, task->there ? value_undefined(TYPE_I32) : truth(!is_or));
}

static bool run_case(Activation *a, uint32_t reg, const FlowValue *value, Reg arg) {
    const Func *func = a->flow->func;
    FssaCases list = func->fssa->cases.at[value->node];
    if (!need(a, arg)) return false;
    Value found = a->regs[arg.i];
    if (found.undef) return set_register(a, reg, value_undefined(TYPE_I32));
    int64_t wanted =
        reg_type(func, arg) == TYPE_I32 ? (int32_t)as_i32(found) : (int64_t)as_i64(found);
    const int64_t *cases = func->case_pool.at + list.first;
    bool holds =
        value->imm < 0 ? !case_list_has(cases, list.count, wanted) : cases[value->imm] == wanted;
    return set_register(a, reg, truth(holds));
}

// What the loop's last iteration says. While that is being found out, the loop may have run again
// for another `close`.
static bool run_close(Activation *a, uint32_t reg, const FlowValue *value, const Reg *args) {
    return need_loop(a, value->loop, args[0]) && need(a, args[1]) &&
           set_register(a, reg, a->regs[args[1].i]);
}

static bool run_stuck(Activation *a, FlowTask *task, const FlowValue *value, const Reg *args) {
    if (!need_all(a, args, value->arg_count, &task->there)) return false;
    stand_at(a, value->node);
    if (value->arg_count == 1 || !a->regs[args[1].i].undef)
        return wrong(a, "no condition says what comes next");
    const FlowValue *condition = &a->flow->values[args[1].i];
    if (condition->kind != FLOW_OP) return wrong(a, "switch on an undefined value");
    world_wrong(&a->in->world, "branch on an undefined value (%s)",
                op_info(a->flow->func->nodes.at[condition->node].op)->name);
    return false;
}

static FlowArray *as_array(Value value) {
    return (FlowArray *)(uintptr_t)value.bits;
}

// READ, or, with a value to be written, WRITE.
static bool run_array(Activation *a, FlowTask *task, const Reg *args, uint32_t count) {
    if (!need_all(a, args, count, &task->there)) return false;
    FlowArray *array = as_array(a->regs[args[0].i]);
    Value index = a->regs[args[1].i];
    if (index.undef) return wrong(a, "the index of an array is undefined");
    if (count == 2) return set_register(a, task->what, flow_array_read(array, index.bits));
    array = flow_array_write(a->in->arena, array, index.bits, a->regs[args[2].i]);
    return set_register(a, task->what, value_i64((uintptr_t)array));
}

// ---- Effects

static bool is_last_state(Activation *a, Reg state) {
    return a->regs[state.i].bits == a->in->effects ||
           wrong_register(a, "an effect in the state %s, which has passed", state.i);
}

static bool next_state(Activation *a, uint32_t reg) {
    return set_register(a, reg, value_i64(++a->in->effects));
}

// A call of another function is done when that has returned; a jump leaves nothing to be done.
static bool run_effect(Activation *a, FlowTask *task, const FlowValue *value, const Reg *args) {
    Interpreter *in = a->in;
    uint32_t depth = in->frames.count;
    uint64_t jumps = in->jumps;
    if (task->at == EFFECT_DEMANDED) {
        if (!need(a, args[0])) return false;
        task->at = EFFECT_DUE;
    }
    if (task->at == EFFECT_DUE) {
        if (!need_all(a, args, value->arg_count, &task->there)) return false;
        stand_at(a, value->node);
        if (!is_last_state(a, args[0])) return false;
        task->at = EFFECT_DONE;
        if (!rtl_perform(in) || in->frames.count != depth || in->jumps != jumps) return false;
    }
    uint32_t dest = a->flow->func->nodes.at[value->node].dest.i;
    if (dest != NO_ID) set_register(a, dest, a->regs[dest]);
    return next_state(a, task->what);
}

// An integer in a line of its own.
static void write_integer(World *world, int64_t number) {
    static const PType type = PTYPE_OF(TYPE_I32);
    const SigInfo sig = {.result = type, .param_count = 1, .fixed_count = 1, .params = &type};
    const External *put = external_named("putchar");
    Out text = {0};
    out_printf(&text, "%lld\n", (long long)number);
    for (size_t i = 0; i < text.length && !world->stopped; i++) {
        Value byte = value_i32((unsigned char)text.text[i]);
        ExternalCall call = {.world = world, .sig = &sig, .args = &byte, .arg_count = 1};
        put->function(&call);
    }
    text.length--;
    world_event_text(world, text.text, text.length);
    out_free(&text);
}

static bool run_print(Activation *a, FlowTask *task, const Reg *args) {
    if (!need_all(a, args, 2, &task->there) || !is_last_state(a, args[0])) return false;
    if (a->regs[args[1].i].undef) return wrong(a, "print of an undefined value");
    write_integer(&a->in->world, (int64_t)as_i64(a->regs[args[1].i]));
    return !a->in->world.stopped && next_state(a, task->what);
}

// ---- Loops

enum { LOOP_START, LOOP_CONDITION, LOOP_NEXT };

static Reg carried_arg(const Activation *a, const FlowRegion *region, uint32_t i, uint32_t which) {
    const Flow *flow = a->flow;
    return flow->args[flow->values[flow->carried[region->first + i].i].args_at + which];
}

// Begins an iteration: the first, from outside, or the next.
static bool begin_iteration(Activation *a, FlowTask *task, uint32_t which) {
    const Flow *flow = a->flow;
    const FlowRegion *region = &flow->regions[task->what];
    for (; task->there < region->count; task->there++)
        if (!need(a, carried_arg(a, region, task->there, which))) return false;
    for (uint32_t i = 0; i < region->count; i++)
        a->in->phi_values[i] = a->regs[carried_arg(a, region, i, which).i];
    a->regions[task->what].within = a->regions[region->parent].now;
    a->regions[task->what].now = a->iterations += 2;
    for (uint32_t i = 0; i < region->count; i++)
        set_register(a, flow->carried[region->first + i].i, a->in->phi_values[i]);
    return true;
}

// An iteration neither goes on nor is the last one: what it still does comes before that is a wrong
// step.
static bool settle(Activation *a, uint32_t region) {
    Reg stuck = a->flow->regions[region].stuck;
    if (stuck.i != NO_ID && !need(a, stuck)) return false;
    return wrong(a, "the condition of a loop is undefined");
}

static bool run_loop(Activation *a, FlowTask *task) {
    RegionState *state = &a->regions[task->what];
    if (task->at != LOOP_CONDITION) {
        if (!begin_iteration(a, task, task->at == LOOP_NEXT)) return false;
        task->there = 0;
        task->at = LOOP_CONDITION;
    }
    if (!need(a, (Reg){task->by})) return false;
    Value condition = a->regs[task->by];
    if (condition.undef) return settle(a, task->what);
    if (!condition.bits) {
        state->running = false;
        state->ended_by = task->by;
        return true;
    }
    Reg goes_on = a->flow->regions[task->what].goes_on;
    if (goes_on.i != NO_ID) {
        if (!need(a, goes_on)) return false;
        if (!holds(a->regs[goes_on.i])) return settle(a, task->what);
    }
    task->at = LOOP_NEXT;
    return false;
}

// ---- Calls

// The ends: what the function does, then its result.
static bool run_result(Activation *a) {
    const Flow *flow = a->flow;
    if (flow->state.i != NO_ID && !need(a, flow->state)) return false;
    if (flow->result.i != NO_ID && !need(a, flow->result)) return false;
    stand_at(a, flow->leave);
    rtl_perform(a->in);
    return false;
}

static bool run_value(Activation *a, FlowTask *task) {
    const FlowValue *value = &a->flow->values[task->what];
    const Reg *args = a->flow->args + value->args_at;
    switch ((FlowKind)value->kind) {
    case FLOW_COPY: return need(a, args[0]) && set_register(a, task->what, a->regs[args[0].i]);
    case FLOW_OP:
        return need_all(a, args, value->arg_count, &task->there) &&
               compute(a, task->what, value->node);
    case FLOW_EFFECT: return run_effect(a, task, value, args);
    case FLOW_GAMMA: return run_gamma(a, task, args, value->arg_count);
    case FLOW_CLOSE: return run_close(a, task->what, value, args);
    case FLOW_NOT: return run_not(a, task->what, args[0]);
    case FLOW_AND: return run_and_or(a, task, false, args, value->arg_count);
    case FLOW_OR: return run_and_or(a, task, true, args, value->arg_count);
    case FLOW_CASE: return run_case(a, task->what, value, args[0]);
    case FLOW_STUCK: return run_stuck(a, task, value, args);
    case FLOW_READ:
    case FLOW_WRITE: return run_array(a, task, args, value->arg_count);
    case FLOW_PRINT: return run_print(a, task, args);
    case FLOW_LOOP: return wrong_register(a, "%s is demanded outside of its loop", task->what);
    case FLOW_THERE:
    case FLOW_RESULT: break;
    }
    return true;
}

static bool run_task(Activation *a, FlowTask *task) {
    switch (task->kind) {
    case TASK_RESULT: return run_result(a);
    case TASK_VALUE: return run_value(a, task);
    case TASK_LOOP: return run_loop(a, task);
    }
    return false;
}

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
                      .iterations = 1,
                      .known = ARENA_ARRAY(arena, uint64_t, flow->func->regs.count),
                      .regions = ARENA_ARRAY(arena, RegionState, flow->region_count + 1)};
    a->regions[flow->region_count].now = 1;
    for (uint32_t i = 0; i < flow->func->regs.count; i++)
        if (flow->values[i].kind == FLOW_THERE) a->known[i] = 1;
    return a;
}

// Starts the evaluation of the function of the top frame. An activation that was used before knows
// only of iterations that have passed; what it was about when a jump left it does not matter any
// more.
static void begin(Interpreter *in) {
    Flow *flow = top_frame(in)->code->flow;
    Activation *a = flow->free;
    if (a)
        flow->free = a->next;
    else if (!(a = new_activation(in, flow)))
        return;
    top_frame(in)->activation = a;
    a->regs = top_frame(in)->regs;
    for (uint32_t i = 0; i < flow->region_count; i++) {
        a->regions[i].running = false;
        a->regions[i].ended_by = NO_ID;
    }
    a->blamed = NO_ID;
    a->regions[0].now = a->iterations += 2;
    Reg entry = flow->func->fssa->entry;
    if (entry.i != NO_ID) a->regs[entry.i] = value_i64(in->effects);
    vec_clear(&a->tasks);
    demand(a, (FlowTask){.kind = TASK_RESULT});
}

void flow_leave(const CallFrame *frame) {
    Activation *a = frame->activation;
    Flow *flow = frame->code->flow;
    a->next = flow->free;
    flow->free = a;
}

// Tries the last task again. It is changed in a copy, since demands can move the stack. A jump has
// put another stack in its place.
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

void flow_interpret(Interpreter *in, uint32_t depth) {
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

void flow_where(const CallFrame *frame, Behaviour *behaviour) {
    const Flow *flow = frame->code->flow;
    behaviour->func = flow->shown;
    behaviour->node = (Node){flow->sites[frame->step - frame->code->steps]};
    if (frame->activation && frame->activation->blamed != NO_ID)
        behaviour->node = (Node){frame->activation->blamed};
}
