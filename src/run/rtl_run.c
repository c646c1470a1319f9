// The interpreter of RTL, which defines what RTL means: the rules of Barthe et al.
// (docs/papers.md), figure 4, for every instruction of program.h. The loop is made from ops.def:
// each operator is evaluated in place if its operands are defined; everything else goes through
// op_eval, which knows all rules.
//
// A run is: constructors, main, then the functions registered with atexit and the destructors.
#include "fact/eval.h"
#include "fact/eval_rules.h"
#include "run/rtl_interpreter.h"

#include <stdlib.h>

#define DEFAULT_DEPTH 1000000

// ---- The rarer instructions

static const char *show_operand(Interpreter *in, Type type, Value value) {
    Arena *arena = in->world.arena;
    if (value.undef) return "undefined";
    if (type == TYPE_I32) return arena_printf(arena, "%d", (int32_t)as_i32(value));
    return arena_printf(arena, "%lld", (long long)as_i64(value));
}

// An operator on operands that are undefined or outside its domain. False if that is a wrong step.
// A branch needs a defined condition. Partial operators take integers.
static bool eval_slowly(Interpreter *in, const DecodedStep *step, const Value *regs,
                        Value *result) {
    const OpInfo *info = op_info(step->code);
    Value a = regs[step->a], c = regs[step->c];
    Value b = step->immediate ? value_i64(step->imm) : regs[step->b];
    if (op_eval(step->code, a, b, c, result)) {
        if (!step->other || !result->undef) return true;
        world_wrong(&in->world, "branch on an undefined value (%s)", info->name);
    } else {
        world_wrong(&in->world, "%s of %s and %s", info->name,
                    show_operand(in, info->operand[0], a), show_operand(in, info->operand[1], b));
    }
    return false;
}

static void wrong_leaving(Interpreter *in, const CallFrame *frame, const DecodedStep *step,
                          const char *what) {
    const Instr *instr = step_instr(frame, step);
    const Func *func = frame->code->func;
    const char *name =
        instr->base == BASE_SLOT
            ? frame->code->slot_names[instr->ref]
            : program_text(func->program, program_at(func->program, (Sym){instr->ref})->name);
    world_wrong(&in->world, "%s of %u bytes whose address starts from '%s' leaves it", what,
                (unsigned)chunk_size(step->chunk), name);
}

bool rtl_address(Interpreter *in, const CallFrame *frame, const DecodedStep *step, const char *what,
                 uint64_t *address) {
    if (!step_address(step, frame->regs, address))
        world_wrong(&in->world, "the address of %s is undefined", what);
    else if (step_leaves(in, frame, step, *address))
        wrong_leaving(in, frame, step, what);
    return !in->world.stopped;
}

static void wrong_address(Interpreter *in, const DecodedStep *step, uint64_t address) {
    bool write = step->code == CODE_STORE || step->code == CODE_TYPED_STORE;
    if (rtl_address(in, top_frame(in), step, write ? "a store" : "a load", &address))
        world_wrong_access(&in->world, address, chunk_size(step->chunk), write);
}

static bool run_switch(Interpreter *in) {
    CallFrame *frame = top_frame(in);
    const Func *func = frame->code->func;
    const Instr *instr = step_instr(frame, frame->step);
    Value value = frame->regs[frame->step->a];
    if (value.undef) {
        world_wrong(&in->world, "switch on an undefined value");
        return false;
    }
    bool narrow = reg_type(func, (Reg){frame->step->a}) == TYPE_I32;
    int64_t wanted = narrow ? (int32_t)as_i32(value) : (int64_t)as_i64(value);
    const int64_t *cases = instr_cases(func, instr);
    uint32_t count = instr->succ_count - 1, low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cases[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t which = low < count && cases[low] == wanted ? low + 1 : 0;
    frame->step = code_begin(frame->code, instr_succs(func, instr)[which]);
    return true;
}

static bool run_check(Interpreter *in) {
    CallFrame *frame = top_frame(in);
    Value value = frame->regs[frame->step->a];
    if (value.undef) {
        world_wrong(&in->world, "check of an undefined value");
    } else if (!value.bits) {
        world_exit(&in->world, END_TRAP, 0);
        in->world.result->behaviour.reason = "a check found zero";
    }
    frame->step = in->world.stopped ? frame->step : frame->step->next;
    return !in->world.stopped;
}

static bool access_at(Interpreter *in, const DecodedStep *step, bool load, uint64_t *address) {
    CallFrame *frame = top_frame(in);
    Memory *memory = in->world.memory;
    bool good = step_address(step, frame->regs, address) && !step_leaves(in, frame, step, *address);
    if (good && (load ? memory_load(memory, step->chunk, *address, &frame->regs[step->dest])
                      : memory_store(memory, step->chunk, *address, frame->regs[step->c])))
        return true;
    wrong_address(in, step, *address);
    return false;
}

static bool run_access(Interpreter *in) {
    const DecodedStep *step = top_frame(in)->step;
    uint64_t address;
    return access_at(in, step, step->code == CODE_LOAD, &address);
}

static void wrong_type(Interpreter *in, EffectiveType type, const StoredType *stored) {
    const Program *program = in->program;
    const Loc *loc = &program->locs.at[stored->place];
    Arena *arena = in->world.arena;
    const char *where = "";
    if (stored->place)
        where = arena_printf(arena, " at %s:%u",
                             program_text(program, program->files.at[loc->file]), loc->line);
    world_wrong(&in->world, "reads %s where %s was stored%s", effective_name_in_c(type),
                effective_name_in_c((EffectiveType)stored->type), where);
}

// A load that finds another type is a wrong step here, though RTL calls only its result undefined:
// C does not define such a load, and who asks for types wants to know of it.
static bool run_typed_access(Interpreter *in) {
    CallFrame *frame = top_frame(in);
    const DecodedStep *step = frame->step;
    const Instr *instr = step_instr(frame, step);
    bool load = step->code == CODE_TYPED_LOAD;
    EffectiveType type = (EffectiveType)instr->effective;
    uint64_t address, size = chunk_size((Chunk)step->chunk);
    if (!access_at(in, step, load, &address)) return false;
    if (load) {
        const StoredType *other = memory_other_type(in->world.memory, address, size, type);
        if (other) wrong_type(in, type, other);
    } else if (!memory_note_type(in->world.memory, address, size,
                                 (StoredType){.type = (uint8_t)type, .place = instr->loc})) {
        world_wrong(&in->world, "no memory for the types of what is stored");
    }
    if (!in->world.stopped) frame->step = step->next;
    return !in->world.stopped;
}

// Instructions that are not worth a place in the loop. False if the run has ended.
static bool run_rare(Interpreter *in, uint16_t code) {
    switch (code) {
    case CODE_TYPED_LOAD:
    case CODE_TYPED_STORE: return run_typed_access(in);
    case CODE_CALL: return rtl_call(in);
    case CODE_RETURN: return rtl_return(in);
    case CODE_SWITCH: return run_switch(in);
    case CODE_CHECK: return run_check(in);
    case CODE_WATCH: return mach0_run_watch(in);
    case CODE_DEMAND: return son_run_demand(in);
    case CODE_GATED: return gsa_run_edge(in);
    default: return rtl_builtin(in);
    }
}

bool rtl_perform(Interpreter *in) {
    const CallFrame *frame = top_frame(in);
    const DecodedStep *step = frame->step;
    if (step->code == CODE_LOAD || step->code == CODE_STORE) return run_access(in);
    if (step->code > CODE_CONST) return run_rare(in, step->code);
    Value value = {.bits = step->imm, .high = step->c};
    if (step->code != CODE_CONST && !eval_slowly(in, step, frame->regs, &value)) return false;
    frame->regs[step->dest] = value;
    return true;
}

// ---- Phis

static inline void move_in_order(const PhiMove *moves, uint32_t count, Value *regs) {
    for (uint32_t i = 0; i < count; i++) regs[moves[i].dest] = regs[moves[i].source];
}

static void move_at_once(const PhiMove *moves, uint32_t count, Value *regs, Value *read) {
    for (uint32_t i = 0; i < count; i++) read[i] = regs[moves[i].source];
    for (uint32_t i = 0; i < count; i++) regs[moves[i].dest] = read[i];
}

// ---- The loop

// clang-format off
#define OP1(id, fam, at, text, r, A, f, u, rule, m)             \
    case OP_##id: {                                    \
        if (regs[s->a].undef) goto slow;               \
        C_##A a = GET_##A(regs[s->a]);                 \
        value = PUT_##r((C_##r)(rule));                \
        break;                                         \
    }
#define OP2(id, fam, at, text, r, A, B, f, u, defined, rule, m) \
    case OP_##id: {                                    \
        Value y = s->immediate ? value_i64(s->imm) : regs[s->b]; \
        if (regs[s->a].undef | y.undef) goto slow;     \
        C_##A a = GET_##A(regs[s->a]);                 \
        C_##B b = GET_##B(y);                          \
        if (!(defined)) goto slow;                     \
        value = PUT_##r((C_##r)(rule));                \
        break;                                         \
    }
#define OP3(id, fam, at, text, r, A, B, C, f, u, rule, m)       \
    case OP_##id: {                                    \
        if (regs[s->a].undef | regs[s->b].undef | regs[s->c].undef) goto slow; \
        C_##A a = GET_##A(regs[s->a]);                 \
        C_##B b = GET_##B(regs[s->b]);                 \
        C_##C c = GET_##C(regs[s->c]);                 \
        value = PUT_##r((C_##r)(rule));                \
        break;                                         \
    }
// clang-format on

// Tells who watches that a step is due.
static bool observe(Interpreter *in, CallFrame *frame, const DecodedStep *step, uint64_t fuel) {
    frame->step = step;
    in->fuel = fuel;
    return run_observe(in);
}

// `value` never has its address taken, so that it can live in machine registers. There are two
// copies of the loop, so that the one that nobody watches does not ask whether somebody does.
static inline __attribute__((always_inline)) void interpret(Interpreter *in, uint32_t depth,
                                                            bool observed) {
    Memory *memory = in->world.memory;
    CallFrame *frame = top_frame(in);
    Value *regs = frame->regs, value, fetched;
    const DecodedStep *s = frame->step;
    uint64_t address, fuel = in->fuel;
    while (fuel) {
        if (observed && !observe(in, frame, s, fuel)) return;
        fuel--;
        switch (s->code) {
#include "form/ops.def"
        case CODE_CONST: value = (Value){.bits = s->imm, .high = s->c}; break;
        case CODE_NOP: s = s->next; continue;
        case CODE_PHIS:
            move_in_order(frame->code->moves + s->a, s->b, regs);
            s = s->next;
            continue;
        case CODE_PARALLEL:
            move_at_once(frame->code->moves + s->a, s->b, regs, in->phi_values);
            s = s->next;
            continue;
        case CODE_LOAD:
            if (!step_address(s, regs, &address) || step_leaves(in, frame, s, address) ||
                !memory_load(memory, s->chunk, address, &fetched))
                goto bad_access;
            value = fetched;
            break;
        case CODE_STORE:
            if (!step_address(s, regs, &address) || step_leaves(in, frame, s, address) ||
                !memory_store(memory, s->chunk, address, regs[s->c]))
                goto bad_access;
            s = s->next;
            continue;
        default:
            frame->step = s;
            in->fuel = fuel;
            if (!run_rare(in, s->code) || in->frames.count == depth) return;
            fuel = in->fuel;
            frame = top_frame(in);
            regs = frame->regs;
            s = frame->step;
            continue;
        }
        goto done;
    slow:
        if (!eval_slowly(in, s, regs, &fetched)) goto stopped;
        value = fetched;
    done:
        if (s->other) {
            s = value.bits == 1 ? s->next : s->other;
        } else {
            regs[s->dest] = value;
            s = s->next;
        }
        continue;
    bad_access:
        wrong_address(in, s, address);
        goto stopped;
    }
    world_exit(&in->world, END_FUEL, 0);
stopped:
    frame->step = s;
    in->fuel = fuel;
}

void rtl_interpret(Interpreter *in, uint32_t depth) {
    if (in->observed)
        interpret(in, depth, true);
    else
        interpret(in, depth, false);
}

// ---- Runs

static uint32_t place(const World *world) {
    const Interpreter *in = world->interpreter;
    if (!in->frames.count) return 0;
    const CallFrame *frame = top_frame(in);
    return frame->code->func->nodes.at[code_node(frame->code, frame->step).i].loc;
}

static void init(Interpreter *in, Arena *arena, const Program *program, const RunOptions *options,
                 RunResult *result) {
    *in = (Interpreter){.arena = arena_new("run"),
                        .program = program,
                        .way = options->way,
                        .observed = options->observer && options->observer->step,
                        .fuel = options->fuel ? options->fuel : UINT64_MAX,
                        .max_depth = options->max_depth ? options->max_depth : DEFAULT_DEPTH};
    world_init(&in->world, arena, program, options, result);
    in->world.call_back = rtl_call_back;
    in->world.set_jump = rtl_set_jump;
    in->world.jump = rtl_jump;
    in->world.place = place;
    in->world.interpreter = in;
    in->callees = ARENA_ARRAY(in->arena, Callee, program->symbols.count);
}

// Says where the run ended and releases everything.
static void finish(Interpreter *in) {
    Behaviour *behaviour = &in->world.result->behaviour;
    uint64_t fuel = in->world.options->fuel;
    behaviour->steps = (fuel ? fuel : UINT64_MAX) - in->fuel;
    if (in->frames.count) {
        const CallFrame *frame = top_frame(in);
        behaviour->func = frame->code->func;
        behaviour->node = code_node(frame->code, frame->step);
        if (frame->code->flow) flow_where(frame, behaviour);
        if (frame->code->reading) mach_where(frame, behaviour);
    }
    const RunObserver *observer = in->world.options->observer;
    if (observer && observer->end) observer->end(observer->context, in);
    if (in->machine) asm_finish(in);
    rtl_free_stack(in);
    world_free(&in->world);
    arena_free(in->arena);
}

typedef struct {
    int32_t priority;
    uint32_t symbol;
} Hook;

static int compare_hooks(const void *a, const void *b) {
    const Hook *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

// The constructors or destructors, in the order in which constructors run; destructors run in
// reverse.
static uint32_t collect_hooks(Interpreter *in, bool constructors, Hook **hooks) {
    const Program *program = in->program;
    VEC(Hook) list = {0};
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        int32_t priority = constructors ? symbol->constructor : symbol->destructor;
        if (symbol->kind == SYM_FUNC && symbol->func && priority >= 0)
            vec_push(in->arena, &list, (Hook){.priority = priority, .symbol = i});
    }
    if (list.count) qsort(list.at, list.count, sizeof(Hook), compare_hooks);
    *hooks = list.at;
    return list.count;
}

static bool call_hook(Interpreter *in, uint64_t function) {
    Value ignored;
    return rtl_call_back(&in->world, function, NULL, 0, &ignored);
}

// When a program is loaded, resolvers choose indirect functions, before anything else runs. What
// one returns is looked at when the function is called.
static void run_resolvers(Interpreter *in) {
    const Program *program = in->program;
    for (uint32_t i = 0; i < program->symbols.count && !in->world.stopped; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (!(symbol->flags & SYMF_INDIRECT)) continue;
        Value chosen;
        uint64_t resolver = in->world.symbol_address[symbol->alias.i];
        if (!rtl_call_back(&in->world, resolver, NULL, 0, &chosen)) return;
        if (chosen.undef)
            world_wrong(&in->world, "the function that is chosen for '%s' is undefined",
                        program_text(program, symbol->name));
        in->callees[i].chosen = chosen.bits;
    }
}

static void run_constructors(Interpreter *in) {
    Hook *hooks;
    uint32_t count = collect_hooks(in, true, &hooks);
    for (uint32_t i = 0; i < count && !in->world.stopped; i++)
        call_hook(in, in->world.symbol_address[hooks[i].symbol]);
}

// The body of main, which may be an alias.
static const Func *find_main(const Interpreter *in) {
    const Program *program = in->program;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        if (strcmp(program_text(program, program->symbols.at[i].name), "main") != 0) continue;
        Sym symbol = world_function(&in->world, in->world.symbol_address[i]);
        return symbol.i == NO_ID ? NULL : program_at(program, symbol)->func;
    }
    return NULL;
}

// Whether main takes a beginning of (i32 argc, i64 argv, i64 envp).
static bool main_fits(const SigInfo *sig) {
    static const Type types[] = {TYPE_I32, TYPE_I64, TYPE_I64};
    if (sig->param_count > 3 || sig->variadic) return false;
    for (uint32_t i = 0; i < sig->param_count; i++)
        if (sig->params[i].i != types[i]) return false;
    return sig->result.i == TYPE_I32 || sig->result.i == TYPE_VOID;
}

// The result of main ends the run as exit does. The environment is empty: envp points to the NULL
// at the end of argv.
static void run_main(Interpreter *in, int argc, char **argv) {
    World *world = &in->world;
    const Func *func = find_main(in);
    if (!func) {
        world_wrong(world, "the program has no function 'main'");
        return;
    }
    uint32_t count = argc > 0 ? (uint32_t)argc : 0;
    uint64_t list = world_arguments(world, argc, argv);
    Value args[] = {value_i32(count), value_i64(list), value_i64(list + 8 * (uint64_t)count)},
          result;
    const Code *code = run_prepare(in, func);
    if (!main_fits(code->sig))
        world_wrong(world, "'main' has parameters or a result that it cannot have");
    if (world->stopped || !rtl_call_code(in, code, args, (Value){0}, &result)) return;
    if (result.undef || code->sig->result.i == TYPE_VOID)
        world_wrong(world, "the result of 'main' is undefined");
    world_exit(world, END_RESULT, (int32_t)as_i32(result));
}

// After main or exit: what atexit registered, last first, then the destructors. A call of exit in
// one of them goes on with the next.
static void run_at_exit(Interpreter *in) {
    World *world = &in->world;
    Behaviour *behaviour = &world->result->behaviour;
    Hook *hooks;
    uint32_t count = collect_hooks(in, false, &hooks);
    if (behaviour->end == END_RESULT) in->oldest = in->frames.count;
    while (behaviour->end == END_RESULT && !world->skip_at_exit &&
           (world->at_exit.count || count)) {
        uint64_t function = world->at_exit.count ? vec_pop(&world->at_exit)
                                                 : world->symbol_address[hooks[--count].symbol];
        int32_t status = behaviour->status;
        world->stopped = false;
        if (call_hook(in, function)) world_exit(world, END_RESULT, status);
    }
}

void rtl_run(Arena *arena, const Program *program, int argc, char **argv, const RunOptions *options,
             RunResult *result) {
    Interpreter in;
    init(&in, arena, program, options, result);
    if (!in.world.stopped) run_resolvers(&in);
    if (!in.world.stopped) run_constructors(&in);
    if (!in.world.stopped) run_main(&in, argc, argv);
    run_at_exit(&in);
    finish(&in);
}

// ---- One function

// An object that stands for an aggregate parameter or result of the function that is called.
static Value outside_object(Interpreter *in, const ParamType *type, Value byte) {
    Object *object =
        memory_add(in->world.memory, OBJECT_SYSTEM, "outside", type->size, type->align, true);
    if (!object) {
        world_wrong(&in->world, "no memory for an aggregate of %llu bytes",
                    (unsigned long long)type->size);
        return (Value){0};
    }
    memory_fill(in->world.memory, object->address, byte, type->size);
    return value_i64(object->address);
}

// The bytes of an aggregate result are an event of their own.
static void aggregate_event(Interpreter *in, const ParamType *type, uint64_t address) {
    uint8_t *undef;
    const uint8_t *data = memory_read(in->world.memory, address, type->size, &undef);
    Out out = {0};
    out_text(&out, "result = ");
    for (uint64_t i = 0; i < type->size; i++)
        out_printf(&out, "%02x", (unsigned)(undef ? data[i] & ~undef[i] : data[i]));
    world_event_text(&in->world, out.text, out.length);
    out_free(&out);
}

static void result_event(Interpreter *in, const SigInfo *sig, Value into, Value result) {
    const ParamType *type = program_ptype_info(in->program, sig->result);
    if (ptype_is_aggregate(type))
        aggregate_event(in, type, into.bits);
    else if (type->type != TYPE_VOID && result.undef)
        world_wrong(&in->world, "the result is undefined");
    else
        world_event(&in->world, "result", &(SigInfo){.result = sig->result}, NULL, 0, &result);
    world_exit(&in->world, END_RESULT, 0);
}

void rtl_run_func(Arena *arena, const Program *program, const Func *func, const Value *args,
                  uint32_t arg_count, const RunOptions *options, RunResult *result) {
    Interpreter in;
    init(&in, arena, program, options, result);
    if (!in.world.stopped) run_resolvers(&in);
    const Code *code = run_prepare(&in, func);
    const SigInfo *sig = code->sig;
    in.callees[func->symbol.i] = (Callee){.resolved = true, .code = code};
    if (arg_count != sig->param_count)
        world_wrong(&in.world, "%u arguments for %u parameters", arg_count, sig->param_count);
    Value *values = ARENA_ARRAY(in.arena, Value, arg_count), into = {0}, value;
    for (uint32_t i = 0; i < arg_count && !in.world.stopped; i++) {
        const ParamType *type = program_ptype_info(program, sig->params[i]);
        values[i] = ptype_is_aggregate(type) ? outside_object(&in, type, args[i]) : args[i];
    }
    const ParamType *type = program_ptype_info(program, sig->result);
    if (ptype_is_aggregate(type)) into = outside_object(&in, type, (Value){0});
    if (!in.world.stopped && rtl_call_code(&in, code, values, into, &value))
        result_event(&in, sig, into, value);
    run_at_exit(&in);
    finish(&in);
}
