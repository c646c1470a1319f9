// The interpreters of Imp. Both run the same code. Instead of the value of a variable, the
// collecting interpreter keeps all values of the variable with the points at which they were
// written, and reads the last value: the reaching definition.
#include "imp/imp_run.h"

#include "fact/eval.h"
#include "imp/imp_arrays.h"
#include "imp/imp_code.h"

struct ImpState {
    Arena *arena;
    const Imp *imp;
    const ImpRunOptions *options;
    ImpResult *result;
    ImpVersion **arrays;
    bool *shared;   // arrays that were copied
    uint32_t *last; // collecting: the last point of a name
    VEC(Value) operands;
    VEC(uint64_t) counters; // of the loops that are being run
};

bool imp_state_value(const ImpState *state, uint32_t name, Value *value) {
    if (!state->result->written[name]) return false;
    *value = state->options->collect ? state->result->trace.points.at[state->last[name]].value
                                     : state->result->values[name];
    return true;
}

Value imp_state_element(const ImpState *state, uint32_t array, int64_t index) {
    return imp_array_read(state->arena, state->arrays[array], (uint64_t)index);
}

const uint64_t *imp_state_counters(const ImpState *state, uint32_t *depth) {
    *depth = state->counters.count;
    return state->counters.at;
}

static bool wrong(ImpState *state, const ImpCode *code, const char *reason) {
    const Imp *imp = state->imp;
    state->result->end = IMP_END_WRONG;
    state->result->reason = reason;
    state->result->span =
        code->expr != IMP_NONE ? imp->exprs.at[code->expr].span : imp->stmts.at[code->stmt].span;
    return false;
}

// Keeps a value with the point at which it is written.
static void collect(ImpState *state, const ImpCode *code, ImpPoint point) {
    ImpTrace *trace = &state->result->trace;
    if (!state->options->collect) return;
    point.name = code->name;
    point.stmt = code->stmt;
    point.counters = trace->counters.count;
    point.depth = state->counters.count;
    for (uint32_t i = 0; i < state->counters.count; i++)
        vec_push(state->arena, &trace->counters, state->counters.at[i]);
    state->last[code->name] = trace->points.count;
    vec_push(state->arena, &trace->points, point);
}

static bool store(ImpState *state, const ImpCode *code) {
    Value value = vec_pop(&state->operands), index = vec_pop(&state->operands);
    if (index.undef) return wrong(state, code, "the index is undefined");
    ImpVersion **array = &state->arrays[code->name];
    if (state->shared[code->name])
        *array = imp_array_write(state->arena, *array, index.bits, value);
    else
        imp_array_set(state->arena, *array, index.bits, value);
    collect(state, code,
            (ImpPoint){.is_element = true, .index = (int64_t)index.bits, .value = value});
    return true;
}

static void copy(ImpState *state, const ImpCode *code) {
    state->arrays[code->name] = state->arrays[code->target];
    state->shared[code->name] = state->shared[code->target] = true;
    collect(state, code, (ImpPoint){.is_copy = true, .index = code->target});
}

static bool operate(ImpState *state, const ImpCode *code) {
    uint32_t count = op_info(code->op)->arity;
    Value *args = state->operands.at + (state->operands.count -= count), result;
    Value b = count > 1 ? args[1] : (Value){0}, c = count > 2 ? args[2] : (Value){0};
    if (!op_eval(code->op, args[0], b, c, &result)) {
        return wrong(state, code,
                     arena_printf(state->arena, "%s of %lld and %lld", op_info(code->op)->name,
                                  (long long)args[0].bits, (long long)b.bits));
    }
    vec_push(state->arena, &state->operands, result);
    return true;
}

static bool element(ImpState *state, const ImpCode *code) {
    Value index = vec_pop(&state->operands);
    if (index.undef) return wrong(state, code, "the index is undefined");
    vec_push(state->arena, &state->operands,
             imp_array_read(state->arena, state->arrays[code->name], index.bits));
    return true;
}

// What tests a value or prints it; `value` is that value.
static bool decide(ImpState *state, const ImpCode *code, uint32_t *at) {
    Value value = vec_pop(&state->operands);
    if (value.undef) return wrong(state, code, "the value is undefined");
    if (code->kind == CODE_PRINT)
        out_printf(&state->result->output, "%lld\n", (long long)value.bits);
    else if (code->kind == CODE_UNLESS)
        *at = value.bits ? *at : code->target;
    else
        vec_push(state->arena, &state->operands,
                 value_i64((value.bits != 0) == (code->kind == CODE_TRUTH)));
    return true;
}

static bool step(ImpState *state, const ImpCode *code, uint32_t *at) {
    Value value = {0};
    switch ((ImpCodeKind)code->kind) {
    case CODE_NUMBER:
        vec_push(state->arena, &state->operands, value_i64((uint64_t)code->value));
        break;
    case CODE_UNDEF: vec_push(state->arena, &state->operands, value_undefined(TYPE_I64)); break;
    case CODE_LOAD:
        imp_state_value(state, code->name, &value);
        vec_push(state->arena, &state->operands, value);
        break;
    case CODE_ELEMENT: return element(state, code);
    case CODE_OP: return operate(state, code);
    case CODE_TRUTH:
    case CODE_NOT:
    case CODE_PRINT:
    case CODE_UNLESS: return decide(state, code, at);
    case CODE_JUMP: *at = code->target; break;
    case CODE_SET:
        state->result->written[code->name] = true;
        state->result->values[code->name] = value = vec_pop(&state->operands);
        collect(state, code, (ImpPoint){.value = value});
        break;
    case CODE_STORE: return store(state, code);
    case CODE_COPY: copy(state, code); break;
    case CODE_ENTER: vec_push(state->arena, &state->counters, 0); break;
    case CODE_AGAIN:
        state->counters.at[state->counters.count - 1]++;
        *at = code->target;
        break;
    case CODE_LEAVE: state->counters.count--; break;
    case CODE_MARK:
        state->options->watch(state->options->watch_context, state, code->stmt, code->digit);
        break;
    case CODE_END: break;
    }
    return true;
}

static void set_inputs(ImpState *state) {
    const Imp *imp = state->imp;
    for (uint32_t i = 0; i < imp->inputs.count; i++) {
        uint32_t name = imp->inputs.at[i];
        Value value = value_i64((uint64_t)state->options->inputs[i]);
        state->result->values[name] = value;
        state->result->written[name] = true;
        collect(state, &(ImpCode){.name = name, .stmt = IMP_NONE}, (ImpPoint){.value = value});
    }
}

void imp_run(Arena *arena, const Imp *imp, const ImpRunOptions *options, ImpResult *result) {
    ImpState state = {.arena = arena, .imp = imp, .options = options, .result = result};
    *result = (ImpResult){.span = SPAN_NONE,
                          .values = ARENA_ARRAY(arena, Value, imp->names.count),
                          .written = ARENA_ARRAY(arena, bool, imp->names.count)};
    state.arrays = ARENA_ARRAY(arena, ImpVersion *, imp->names.count);
    state.shared = ARENA_ARRAY(arena, bool, imp->names.count);
    state.last = ARENA_ARRAY(arena, uint32_t, imp->names.count);
    for (uint32_t i = 0; i < imp->names.count; i++)
        if (imp->names.at[i].is_array) state.arrays[i] = imp_array_new(arena);
    ImpCodes codes = imp_code(arena, imp, options->watch != NULL);
    set_inputs(&state);
    for (uint32_t at = 0; codes.at[at].kind != CODE_END;) {
        if (codes.at[at].kind != CODE_MARK && options->fuel && result->steps == options->fuel) {
            result->end = IMP_END_FUEL;
            return;
        }
        const ImpCode *code = &codes.at[at++];
        result->steps += code->kind != CODE_MARK;
        if (!step(&state, code, &at)) return;
    }
}
