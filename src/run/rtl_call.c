// Calls and returns. The caller's arguments are pushed onto the stack of values. There they serve
// an external function as its argument list, and an interpreted function as the source of its
// parameters and its variable arguments; the callee's registers follow. A frame loses everything
// that it owns when it returns.
#include "run/rtl_interpreter.h"

#include <stdlib.h>

enum {
    SEGMENT_VALUES = 8192,
    MOST_NESTED = 100, // call-backs nest on the host's stack
};

// ---- The stack

static StackMark stack_mark(const Interpreter *in) {
    return (StackMark){.segment = in->segment, .used = in->segment ? in->segment->used : 0};
}

static void stack_reset(Interpreter *in, StackMark mark) {
    if (mark.segment)
        in->segment = mark.segment;
    else
        while (in->segment && in->segment->previous) in->segment = in->segment->previous;
    if (in->segment) in->segment->used = mark.used;
}

static void free_segments(Interpreter *in, StackSegment *segment) {
    while (segment) {
        StackSegment *next = segment->next;
        memory_discharge(in->world.memory, segment->capacity * sizeof(Value));
        free(segment);
        segment = next;
    }
}

void rtl_free_stack(Interpreter *in) {
    rtl_drop_saved(in, 0);
    if (!in->segment) return;
    while (in->segment->previous) in->segment = in->segment->previous;
    free_segments(in, in->segment);
    in->segment = NULL;
}

// A segment behind the current one with room for `count` values. One that is there already is used
// if it is large enough.
static StackSegment *next_segment(Interpreter *in, size_t count) {
    StackSegment *current = in->segment;
    if (current && current->next) {
        if (current->next->capacity >= count) return current->next;
        free_segments(in, current->next);
        current->next = NULL;
    }
    size_t capacity = count > SEGMENT_VALUES ? count : SEGMENT_VALUES;
    if (!memory_charge(in->world.memory, capacity * sizeof(Value))) return NULL;
    StackSegment *segment = xmalloc(sizeof(StackSegment) + size_mul(capacity, sizeof(Value)));
    *segment = (StackSegment){.previous = current, .capacity = capacity};
    if (current) current->next = segment;
    return segment;
}

static void wrong_depth(Interpreter *in) {
    world_wrong(&in->world, "call depth of %u: no memory for another frame", in->frames.count);
}

// Room for values; NULL, with the run ended, if there is none.
static Value *stack_push(Interpreter *in, size_t count) {
    StackSegment *segment = in->segment;
    if (!segment || segment->capacity - segment->used < count) {
        segment = next_segment(in, count);
        if (!segment) {
            wrong_depth(in);
            return NULL;
        }
        segment->used = 0;
        in->segment = segment;
    }
    Value *values = segment->values + segment->used;
    segment->used += count;
    return values;
}

// ---- Entering and leaving functions

// An object that the top frame owns; NULL, with the run ended, if there is no memory.
static Object *own_object(Interpreter *in, ObjectKind kind, const char *name, uint64_t size,
                          uint64_t align) {
    Object *object = memory_add(in->world.memory, kind, name, size, align, false);
    if (object)
        vec_push(in->arena, &in->owned, object);
    else
        world_wrong(&in->world, "no memory for '%s' of %llu bytes", name, (unsigned long long)size);
    return object;
}

// Replaces the address of an aggregate argument by that of a copy that the callee owns.
static bool copy_argument(Interpreter *in, const ParamType *type, Value *value) {
    World *world = &in->world;
    if (value->undef) {
        world_wrong(world, "the address of an aggregate argument is undefined");
        return false;
    }
    const Object *copy = own_object(in, OBJECT_ARGUMENT, "argument", type->size, type->align);
    if (!copy) return false;
    if (!memory_copy(world->memory, copy->address, value->bits, type->size)) {
        world_wrong_access(world, value->bits, type->size, false);
        return false;
    }
    *value = value_i64(copy->address);
    return true;
}

static bool take_arguments(Interpreter *in, const SigInfo *sig, Value *values) {
    const CallFrame *frame = top_frame(in);
    const Func *func = frame->code->func;
    for (uint32_t i = 0; i < sig->param_count; i++) {
        const ParamType *type = program_ptype_info(in->program, sig->params[i]);
        if (ptype_is_aggregate(type) && !copy_argument(in, type, &values[i])) return false;
        if (i < func->params.count) frame->regs[func->params.at[i].i] = values[i];
    }
    return true;
}

static bool make_slots(Interpreter *in) {
    const CallFrame *frame = top_frame(in);
    const Code *code = frame->code;
    for (uint32_t i = 0; i < code->func->slots.count; i++) {
        const SlotInfo *slot = &code->func->slots.at[i];
        const Object *object =
            own_object(in, OBJECT_SLOT, code->slot_names[i], slot->size, slot->align);
        if (!object) return false;
        frame->regs[code->first_slot + i] = value_i64(object->address);
    }
    return true;
}

// Starts a function. `values` are the arguments, pushed when the stack was at `mark`; `sig` is that
// of the call.
static bool enter(Interpreter *in, const Code *code, const SigInfo *sig, Value *values, Value into,
                  StackMark mark) {
    if (in->frames.count >= in->max_depth) {
        world_wrong(&in->world, "call depth exceeds %u", in->max_depth);
        return false;
    }
    Value *regs = stack_push(in, code->reg_count);
    if (!regs) return false;
    if (!memory_charge(in->world.memory, sizeof(CallFrame))) {
        wrong_depth(in);
        return false;
    }
    memcpy(regs, code->initial, code->reg_count * sizeof(Value));
    uint32_t fixed = code->sig->fixed_count;
    vec_push(in->arena, &in->frames,
             (CallFrame){.code = code,
                         .step = code_begin(code, (Node){0}),
                         .regs = regs,
                         .variable = {.args = values + fixed,
                                      .types = sig->params + fixed,
                                      .count = sig->param_count - fixed},
                         .into = into,
                         .owned = in->owned.count,
                         .varargs = in->world.varargs.count,
                         .serial = in->entered++,
                         .saved = in->saved.count,
                         .mark = mark});
    if (!take_arguments(in, sig, values) || !make_slots(in)) return false;
    top_frame(in)->allocas = in->owned.count;
    return true;
}

void rtl_leave(Interpreter *in) {
    const CallFrame *frame = top_frame(in);
    if (frame->activation) flow_leave(frame);
    if (in->machine) asm_leave(in);
    while (in->owned.count > frame->owned) memory_remove(in->world.memory, vec_pop(&in->owned));
    in->world.varargs.count = frame->varargs;
    rtl_drop_saved(in, frame->saved);
    stack_reset(in, frame->mark);
    memory_discharge(in->world.memory, sizeof(CallFrame));
    in->frames.count--;
}

bool rtl_finish_call(Interpreter *in, Value result) {
    CallFrame *frame = top_frame(in);
    frame->regs[frame->step->dest] = result;
    if (!frame->step->next) {
        world_wrong(&in->world, "a call that does not return has returned");
        return false;
    }
    frame->step = frame->step->next;
    return true;
}

static bool return_aggregate(Interpreter *in, const ParamType *type, Value from, Value to) {
    World *world = &in->world;
    uint8_t *undef;
    if (from.undef | to.undef)
        world_wrong(world, "the address of an aggregate result is undefined");
    else if (!memory_read(world->memory, from.bits, type->size, &undef))
        world_wrong_access(world, from.bits, type->size, false);
    else if (!memory_copy(world->memory, to.bits, from.bits, type->size))
        world_wrong_access(world, to.bits, type->size, true);
    return !world->stopped;
}

bool rtl_return(Interpreter *in) {
    const CallFrame *frame = top_frame(in);
    const Instr *instr = step_instr(frame, frame->step);
    const ParamType *type = program_ptype_info(in->program, frame->code->sig->result);
    Value value = value_undefined(ptype_reg_type(type));
    if (instr->arg_count) value = frame->regs[frame->step->a];
    if (ptype_is_aggregate(type) && !return_aggregate(in, type, value, frame->into)) return false;
    bool outermost = frame->outermost;
    rtl_leave(in);
    in->result = value;
    return outermost || rtl_finish_call(in, value);
}

// ---- Signatures

// Whether arguments of one type are right for a parameter of another: the same register type, and
// for aggregates the same size.
static bool same_kind(const Program *program, PType a, PType b) {
    const ParamType *x = program_ptype_info(program, a), *y = program_ptype_info(program, b);
    return x->type == y->type && x->size == y->size;
}

// Whether a call may reach a function of another signature, as calls without a prototype do. What
// the fixed parameters are must agree, and the types in C if both tell them; a scalar result may be
// ignored.
static bool call_fits(const Program *program, const SigInfo *call, const SigInfo *callee,
                      bool wants_result) {
    if (call->c_type && callee->c_type && call->c_type != callee->c_type) return false;
    if (call->variadic && (!callee->variadic || call->fixed_count != callee->fixed_count))
        return false;
    if (!call->variadic && call->param_count != callee->fixed_count) return false;
    for (uint32_t i = 0; i < callee->fixed_count; i++)
        if (!same_kind(program, call->params[i], callee->params[i])) return false;
    bool aggregate = ptype_is_aggregate(program_ptype_info(program, call->result)) ||
                     ptype_is_aggregate(program_ptype_info(program, callee->result));
    return (!wants_result && !aggregate) || same_kind(program, call->result, callee->result);
}

// ---- Calls

static const char *symbol_name(const Interpreter *in, Sym symbol) {
    return program_text(in->program, program_at(in->program, symbol)->name);
}

static bool is_indirect(const Interpreter *in, Sym symbol) {
    return symbol.i != NO_ID && program_at(in->program, symbol)->flags & SYMF_INDIRECT;
}

// Where an indirect function leads in the end; NO_SYM if resolvers have not said so, or lead round
// in a circle.
static Sym chosen_function(const Interpreter *in, Sym symbol) {
    for (uint32_t i = 0; i <= in->program->symbols.count && is_indirect(in, symbol); i++)
        symbol = world_function(&in->world, in->callees[symbol.i].chosen);
    return is_indirect(in, symbol) ? NO_SYM : symbol;
}

// What a function symbol stands for. The world gives an alias the address of its target, so that
// leads from one to the other; where an indirect function leads, its resolver has said.
static const Callee *resolve(Interpreter *in, Sym symbol) {
    Callee *callee = &in->callees[symbol.i];
    if (callee->resolved) return callee;
    bool indirect = is_indirect(in, symbol);
    Sym target = indirect ? chosen_function(in, symbol)
                          : world_function(&in->world, in->world.symbol_address[symbol.i]);
    if (indirect && target.i == NO_ID) return callee;
    if (target.i != NO_ID && target.i != symbol.i)
        *callee = *resolve(in, target);
    else if (program_at(in->program, symbol)->func)
        callee->code = run_prepare(in, program_at(in->program, symbol)->func);
    else
        callee->external = external_named(symbol_name(in, symbol));
    callee->resolved = true;
    return callee;
}

// Nothing can be called by the name of a symbol.
static bool has_no_function(Interpreter *in, Sym symbol) {
    bool indirect = is_indirect(in, symbol);
    world_wrong(&in->world,
                indirect ? "call of '%s', for which its resolver has not chosen a function"
                         : "external function '%s' is not provided",
                symbol_name(in, symbol));
    return false;
}

// The external function itself checks the types of the call and that nothing undefined is passed.
static bool call_external(Interpreter *in, const External *external, const SigInfo *sig,
                          const Value *args, uint32_t count, Value *result) {
    World *world = &in->world;
    ExternalCall call = {.world = world, .sig = sig, .args = args, .arg_count = count};
    external->function(&call);
    if (external->observable && !in->jump.under_way)
        world_event(world, external->name, sig, args, sig->param_count, &call.result);
    *result = call.result;
    return !world->stopped;
}

// The function that an indirect call reaches; NO_SYM, with the run ended, if it is none.
static Sym indirect_target(Interpreter *in, Value address) {
    if (address.undef) {
        world_wrong(&in->world, "call of an undefined address");
        return NO_SYM;
    }
    Sym symbol = world_function(&in->world, address.bits);
    if (symbol.i == NO_ID)
        world_wrong(&in->world, "call of 0x%llx, which is not a function",
                    (unsigned long long)address.bits);
    return symbol;
}

// Whether the signature's result is an aggregate: then the last argument is where it goes.
static bool returns_aggregate(const Interpreter *in, const SigInfo *sig) {
    return ptype_is_aggregate(program_ptype_info(in->program, sig->result));
}

// Performs a call whose arguments have been pushed. An interpreted function is only entered; an
// external one runs to its end.
static bool dispatch(Interpreter *in, Sym symbol, const SigInfo *sig, Value *values,
                     StackMark mark) {
    const Callee *callee = resolve(in, symbol);
    bool wants_result = step_instr(top_frame(in), top_frame(in)->step)->dest.i != NO_ID;
    bool aggregate = returns_aggregate(in, sig);
    if (callee->code) {
        Value into = aggregate ? values[sig->param_count] : (Value){0};
        if (callee->code->sig == sig ||
            call_fits(in->program, sig, callee->code->sig, wants_result))
            return enter(in, callee->code, sig, values, into, mark);
        world_wrong(&in->world, "call of '%s' with other types than it has",
                    symbol_name(in, symbol));
        return false;
    }
    if (!callee->external) return has_no_function(in, symbol);
    Value result;
    uint32_t count = sig->param_count + aggregate;
    if (!call_external(in, callee->external, sig, values, count, &result)) return false;
    stack_reset(in, mark);
    return in->jump.under_way ? rtl_go_on_with_jump(in) : rtl_finish_call(in, result);
}

bool rtl_call(Interpreter *in) {
    const CallFrame *frame = top_frame(in);
    const Instr *instr = step_instr(frame, frame->step);
    const SigInfo *sig = program_sig_info(in->program, (Sig){instr->aux});
    const Reg *args = instr_args(frame->code->func, instr);
    const Value *regs = frame->regs;
    Sym symbol = {instr->ref};
    if (symbol.i == NO_ID) {
        symbol = indirect_target(in, regs[args[0].i]);
        if (symbol.i == NO_ID) return false;
        args++;
    }
    uint32_t count = sig->param_count + returns_aggregate(in, sig);
    StackMark mark = stack_mark(in);
    Value *values = stack_push(in, count);
    if (!values) return false;
    for (uint32_t i = 0; i < count; i++) values[i] = regs[args[i].i];
    return dispatch(in, symbol, sig, values, mark);
}

// ---- Calls from outside

bool rtl_call_code(Interpreter *in, const Code *code, const Value *args, Value into,
                   Value *result) {
    if (in->nesting >= MOST_NESTED) {
        world_wrong(&in->world, "call-backs nest deeper than %d", MOST_NESTED);
        return false;
    }
    uint32_t depth = in->frames.count, count = code->sig->param_count;
    StackMark mark = stack_mark(in);
    Value *values = stack_push(in, count);
    if (!values) return false;
    for (uint32_t i = 0; i < count; i++) {
        const ParamType *type = program_ptype_info(in->program, code->sig->params[i]);
        values[i] = args[i];
        values[i].bits &= type_mask(ptype_reg_type(type));
    }
    in->nesting++;
    if (enter(in, code, code->sig, values, into, mark)) {
        top_frame(in)->outermost = true;
        run_interpret(in, depth);
    }
    in->nesting--;
    *result = in->result;
    return !in->world.stopped && !in->jump.under_way;
}

// Whether a function can be called with that many scalars.
static bool takes_scalars(const Program *program, const SigInfo *sig, uint32_t count) {
    if (sig->param_count != count || ptype_is_aggregate(program_ptype_info(program, sig->result)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (ptype_is_aggregate(program_ptype_info(program, sig->params[i]))) return false;
    return true;
}

bool rtl_call_back(World *world, uint64_t function, const Value *args, uint32_t count,
                   Value *result) {
    Interpreter *in = world->interpreter;
    Sym symbol = indirect_target(in, value_i64(function));
    if (symbol.i == NO_ID) return false;
    const Callee *callee = resolve(in, symbol);
    if (!callee->code && !callee->external) return has_no_function(in, symbol);
    const SigInfo *sig = callee->code
                             ? callee->code->sig
                             : program_sig_info(in->program, program_at(in->program, symbol)->sig);
    if (!takes_scalars(in->program, sig, count)) {
        world_wrong(world, "call-back of '%s' with other types than it has",
                    symbol_name(in, symbol));
        return false;
    }
    if (callee->code) return rtl_call_code(in, callee->code, args, (Value){0}, result);
    return call_external(in, callee->external, sig, args, count, result) && !in->jump.under_way;
}
