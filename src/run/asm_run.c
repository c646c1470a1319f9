// The dynamic functions of the state machine and its transition rules: figures 3 to 7 of Glesner
// (docs/papers.md), for all operators of gatecc.
//
// On entering a block, its phis get their values all at once, and its other operations lose theirs
// (figure 5). Then any set of operations that can fire does, again and again (figure 6). When all
// have values, the next block is entered (figure 7), or the function returns. An operation that
// chooses the next block, or returns, may fire long before.
//
// Memory is a value. An operation that changes memory yields the next memory; an operation that
// reads memory names the memory that it reads. Only one memory exists, and it changes in place. So
// when a change fires while a reader of the earlier memory has not fired, the earlier memory is
// held (run/world/memory_versions.h), and the reader reads the held memory.
//
// A call fires and has its value when the called function returns; until then no other operation of
// its block fires. All operations before a call that returns twice have fired when it returns, and
// none of the operations after it. So the place of the call describes the state of the block when
// it returns once more: jumps need nothing but the registers.
#include "run/asm_machine.h"

// ---- Room

static bool no_room(AsmMachine *m) {
    world_wrong(&m->in->world, "no memory for the state of a block");
    return false;
}

// An array with room for so many elements, made larger if it must be. NULL if the limit forbids it.
static void *make_room(AsmMachine *m, void *array, size_t element, uint32_t *room, uint64_t count) {
    if (count <= *room) return array;
    uint64_t more = 2 * count, old = *room;
    if (more > UINT32_MAX || !memory_charge(m->in->world.memory, (more - old) * element))
        return NULL;
    *room = (uint32_t)more;
    return arena_grow(m->in->arena, array, old * element, more * element);
}

// Room for the state of the block that is entered.
static bool reserve(AsmMachine *m, const AsmFrame *f) {
    const AsmBlock *block = f->block;
    uint64_t words = (uint64_t)f->words + 2 * (uint64_t)block->count + block->memories;
    uint64_t held = (uint64_t)f->held + block->memories;
    if (words > m->word_room) {
        m->words = make_room(m, m->words, sizeof *m->words, &m->word_room, words);
        if (!m->words) return no_room(m);
    }
    if (held > m->held_room) {
        m->held = make_room(m, m->held, sizeof *m->held, &m->held_room, held);
        if (!m->held) return no_room(m);
    }
    if (block->count <= m->chosen_room) return true;
    m->chosen = make_room(m, m->chosen, sizeof *m->chosen, &m->chosen_room, block->count);
    return m->chosen || no_room(m);
}

// ---- Memory

static void release(AsmMachine *m, AsmFrame *f, uint32_t number) {
    memory_release(m->in->world.memory, m->held[f->held + number]);
    m->held[f->held + number] = NULL;
    f->versions--;
}

static void release_all(AsmMachine *m, AsmFrame *f) {
    for (uint32_t i = 0; f->versions; i++)
        if (m->held[f->held + i]) release(m, f, i);
}

// The present memory is about to change into the next one: who has still to read it will.
static bool change_memory(AsmMachine *m, AsmFrame *f) {
    uint32_t number = f->memory++;
    if (!asm_readers(m, f)[number] && !f->explored) return true;
    MemoryVersion *version = memory_hold(m->in->world.memory);
    if (!version) {
        world_wrong(&m->in->world, "no memory to hold a version of memory");
        return false;
    }
    m->held[f->held + number] = version;
    f->versions++;
    return true;
}

// A load, or one that is an event, of a memory that has changed since.
static bool read_held(AsmMachine *m, AsmFrame *f, const AsmOperation *op) {
    World *world = &m->in->world;
    CallFrame *frame = top_frame(m->in);
    const DecodedStep *step = op->step;
    const MemoryVersion *version = m->held[f->held + op->memory];
    bool is_event = step->code == CODE_BUILTIN;
    uint64_t address;
    Value value;
    if (!rtl_address(m->in, frame, step, is_event ? "a volatile load" : "a load", &address))
        return false;
    if (!memory_load_at(world->memory, version, step->chunk, address, &value)) {
        world_wrong(world, "%s",
                    memory_reason_at(world->memory, version, world->arena, address,
                                     chunk_size(step->chunk)));
        return false;
    }
    if (is_event && !rtl_volatile_event(m->in, step->chunk, address, NULL, &value)) return false;
    frame->regs[step->dest] = value;
    return true;
}

static bool fire_read(AsmMachine *m, AsmFrame *f, const AsmOperation *op) {
    bool late = op->memory < f->memory;
    if (!(late ? read_held(m, f, op) : rtl_perform(m->in))) return false;
    uint32_t *readers = asm_readers(m, f);
    if (--readers[op->memory] == 0 && late && !f->explored) release(m, f, op->memory);
    return true;
}

// ---- Figure 4: the initial state

bool asm_start(AsmMachine *m) {
    uint32_t depth = m->in->frames.count;
    while (m->frames.count < depth) vec_push(m->in->arena, &m->frames, (AsmFrame){0});
    const AsmCode *code = asm_code(m);
    AsmFrame *f = asm_top(m);
    *f = (AsmFrame){.block = &code->blocks[code->block_of[0]], .calling = NO_ID, .init = true};
    if (depth < 2) return true;
    const AsmFrame *caller = f - 1;
    f->words = caller->words + 2 * caller->block->count + caller->block->memories;
    f->held = caller->held + caller->block->memories;
    return true;
}

// ---- Figure 5: phis

// All phis read what they select before any of them has its new value.
static void set_phis(Interpreter *in, const CallFrame *frame, const DecodedStep *from) {
    if (!from || (from->code != CODE_PHIS && from->code != CODE_PARALLEL)) return;
    const PhiMove *moves = frame->code->moves + from->a;
    for (uint32_t i = 0; i < from->b; i++) in->phi_values[i] = frame->regs[moves[i].source];
    for (uint32_t i = 0; i < from->b; i++) frame->regs[moves[i].dest] = in->phi_values[i];
}

// No operation of the block has a value.
static bool reset(AsmMachine *m, AsmFrame *f) {
    const AsmCode *code = asm_code(m);
    const AsmBlock *block = f->block;
    if (!reserve(m, f)) return false;
    memcpy(asm_needs(m, f), code->needs + block->first, block->count * sizeof(uint32_t));
    memcpy(asm_readers(m, f), code->readers + block->first_memory,
           block->memories * sizeof(uint32_t));
    memset(m->held + f->held, 0, block->memories * sizeof *m->held);
    f->ready_count = f->memory = 0;
    f->left = block->count;
    f->next = NULL;
    f->returns = f->init = false;
    for (uint32_t i = 0; i < block->ready_count; i++)
        asm_add_ready(m, f, code->ready[block->first_ready + i]);
    return true;
}

bool asm_evaluate_phis(AsmMachine *m) {
    AsmFrame *f = asm_top(m);
    if (f->from) {
        top_frame(m->in)->step = f->from;
        if (!run_observe(m->in)) return false;
    }
    set_phis(m->in, top_frame(m->in), f->from);
    f->explored = asm_wants_exploring(m, f->block);
    return reset(m, f);
}

// ---- Figure 6: operations

// An operation has its value: what needs nothing else can fire.
static void has_value(const AsmMachine *m, AsmFrame *f, uint32_t operation) {
    const AsmCode *code = asm_code(m);
    const AsmOperation *op = &code->operations[operation];
    uint32_t *needs = asm_needs(m, f), first = f->block->first;
    f->left--;
    needs[operation - first] = NO_ID;
    for (uint32_t i = 0; i < op->user_count; i++) {
        uint32_t user = code->users[op->first_user + i];
        if (--needs[user - first] == 0) asm_add_ready(m, f, user);
    }
}

// A call or a return was performed: a function has been entered, or the call at which the top frame
// stands has returned; or, if a jump is on its way out of a call-back, neither.
static bool after_call(AsmMachine *m, uint32_t depth) {
    if (m->in->world.stopped) return false;
    if (m->in->frames.count > depth) return asm_start(m);
    if (m->in->jump.under_way) return true;
    AsmFrame *f = asm_top(m);
    has_value(m, f, f->calling);
    return true;
}

static bool fire_call(AsmMachine *m, AsmFrame *f, uint32_t operation) {
    uint32_t depth = m->in->frames.count;
    f->calling = operation;
    return rtl_call(m->in) && after_call(m, depth);
}

// What chooses the next block performs like any other; the choice is kept for later.
static bool perform(AsmMachine *m, AsmFrame *f, const DecodedStep *step) {
    CallFrame *frame = top_frame(m->in);
    if (!rtl_perform(m->in)) return false;
    if (step->other)
        f->next = frame->regs[step->dest].bits == 1 ? step->next : step->other;
    else if (step->code == CODE_SWITCH)
        f->next = frame->step;
    return true;
}

bool asm_fire(AsmMachine *m, uint32_t operation) {
    AsmFrame *f = asm_top(m);
    const AsmOperation *op = &asm_code(m)->operations[operation];
    if (!m->in->fuel) {
        world_exit(&m->in->world, END_FUEL, 0);
        return false;
    }
    top_frame(m->in)->step = op->step;
    // a return is told of when the function is left
    if (op->step->code != CODE_RETURN && !run_observe(m->in)) return false;
    m->in->fuel--;
    if (op->changes && !change_memory(m, f)) return false;
    if (op->step->code == CODE_CALL) return fire_call(m, f, operation);
    if (op->step->code == CODE_RETURN)
        f->returns = true;
    else if (!(op->reads ? fire_read(m, f, op) : perform(m, f, op->step)))
        return false;
    has_value(m, f, operation);
    return true;
}

// None of the chosen operations needs another, so that one after the other is as good as all at
// once. A call comes last: it may lead to other choices.
bool asm_fire_chosen(AsmMachine *m) {
    uint32_t count = m->chosen_count;
    m->chosen_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!asm_fire(m, m->chosen[i])) return false;
    return true;
}

// ---- Figure 7: the next block

static bool leave_function(AsmMachine *m, const DecodedStep *step) {
    CallFrame *frame = top_frame(m->in);
    uint32_t depth = m->in->frames.count;
    bool outermost = frame->outermost;
    frame->step = step;
    return run_observe(m->in) && rtl_return(m->in) && (outermost || after_call(m, depth));
}

bool asm_transition(AsmMachine *m) {
    AsmFrame *f = asm_top(m);
    const AsmCode *code = asm_code(m);
    const AsmBlock *block = f->block;
    const RunOptions *options = m->in->world.options;
    if (f->explored) asm_explore(m, f);
    if (options->watch)
        options->watch(options->watch_context, top_frame(m->in)->code->func, block->head,
                       top_frame(m->in)->regs);
    release_all(m, f);
    if (f->returns)
        return leave_function(m, code->operations[block->first + block->count - 1].step);
    if (block->jump) f->next = block->jump->next;
    f->from = block->jump;
    f->block = &code->blocks[code->block_of[code_node(top_frame(m->in)->code, f->next).i]];
    f->init = true;
    return true;
}

// ---- Runs

void asm_interpret(Interpreter *in, uint32_t depth) {
    AsmMachine *m = in->machine;
    if (in->world.stopped || !asm_start(m)) return;
    while (in->frames.count > depth) {
        AsmFrame *f = asm_top(m);
        bool goes_on;
        if (f->init) {
            if (!in->fuel) {
                world_exit(&in->world, END_FUEL, 0);
                return;
            }
            in->fuel--; // a block without operations takes time, too
            goes_on = asm_evaluate_phis(m);
        } else if (f->left) {
            goes_on = asm_choose(m, f) && asm_fire_chosen(m);
        } else {
            goes_on = asm_transition(m);
        }
        if (!goes_on) return;
    }
}

const Code *asm_prepare(Interpreter *in, const Func *func) {
    if (func->form != run_way_table[in->way].form) {
        const Code *refused = run_prepare_plain(in, func);
        world_wrong(&in->world, "function '%s' is not in SSA", func_name(func));
        in->world.result->refused = true;
        return refused;
    }
    if (!in->machine) {
        in->machine = ARENA_NEW(in->arena, AsmMachine);
        *in->machine = (AsmMachine){.in = in,
                                    .choice = in->world.options->choice,
                                    .random = in->world.options->choice.seed};
    }
    Code *code = rtl_decode(in, func);
    ssa_decode_phis(in, code);
    code->machine = asm_code_of(in->arena, code, in->machine->choice.kind);
    return code;
}

// ---- Jumps

void asm_leave(Interpreter *in) {
    release_all(in->machine, asm_top(in->machine));
}

void asm_return_again(Interpreter *in, Node call) {
    AsmMachine *m = in->machine;
    AsmFrame *f = asm_top(m);
    const AsmCode *code = asm_code(m);
    uint32_t operation = code->operation_of[call.i];
    const AsmBlock *block = &code->blocks[code->operations[operation].block];
    release_all(m, f);
    f->block = block;
    f->explored = false;
    if (!reset(m, f)) return;
    f->ready_count = 0;
    for (uint32_t i = block->first; i < operation; i++) {
        const AsmOperation *op = &code->operations[i];
        has_value(m, f, i);
        if (op->reads) asm_readers(m, f)[op->memory]--;
    }
    f->ready_count = 0;
    f->memory = code->operations[operation].memory + 1;
    f->calling = operation;
}
