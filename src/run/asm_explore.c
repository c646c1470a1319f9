// Tries all orders of a block, when the block has been run to its end.
//
// A state inside of a block is the set of the operations that have values; the needs decide which
// sets are possible. The search starts where no operation has a value and reaches every possible
// state. In each state, every operation that can fire is performed on the values of that state
// alone: registers of operations that have not fired hold a value that no register can hold. The
// operation must yield the same as in the run. So a state has the same values on every way to it,
// by single operations or by sets: operations that fire together do not need each other, and each
// reads the state as it was before.
//
// Reads of memory are performed on the memory that they name: all memories of the block are held
// until the block is left. A change of memory, a call for example, has been performed once, and so
// have switches, checks and returns. In every other order such an operation must get the same
// operands; its result is the result of the run.
//
// The orders are counted exactly: the ways in which single operations lead from the first state to
// the last; and so are the runs in which any sets fire at once. A block with too many states is
// left alone and counted.
#include "run/asm_machine.h"

#include "base/hash.h"
#include "fact/eval.h"
#include "text/text.h"

enum {
    MOST_OPERATIONS = 64,  // a state is a word
    MOST_STATES = 1 << 14, // of a block
    MOST_SETS = 1 << 20,   // transitions by sets, beyond which these runs are not counted
    LISTED_ORDERS = 24
};

typedef struct {
    uint64_t fired;        // a bit for each operation
    uint64_t orders, runs; // that lead here
} State;

typedef struct {
    AsmMachine *m;
    Arena *arena;
    const AsmFrame *f;
    const AsmCode *code;
    const CallFrame *frame;
    const AsmOperation *operations; // of the block
    uint32_t count;
    uint64_t *needs; // of each operation: those that it needs
    VEC(State) states;
    Map state_of;
    Value *regs; // of the state that is being looked at
    uint64_t firings, disagreements;
} Explorer;

static uint64_t bit(uint32_t i) {
    return (uint64_t)1 << i;
}

// ---- One operation in one state

// A register of an operation that has no value. No value has bits that are defined and undefined.
static const Value absent = {.bits = UINT64_MAX, .undef = UINT64_MAX, .high = UINT64_MAX};

static bool same_value(Value a, Value b) {
    return a.bits == b.bits && a.undef == b.undef && a.high == b.high;
}

static bool same_operands(const Explorer *x, const Instr *instr) {
    const Reg *args = instr_args(x->frame->code->func, instr);
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (!same_value(x->regs[args[i].i], x->frame->regs[args[i].i])) return false;
    return true;
}

static bool load(const Explorer *x, const AsmOperation *op, Value *value) {
    Memory *memory = x->m->in->world.memory;
    uint64_t address;
    if (!step_address(op->step, x->regs, &address)) return false;
    return op->memory < x->f->memory ? memory_load_at(memory, x->m->held[x->f->held + op->memory],
                                                      op->step->chunk, address, value)
                                     : memory_load(memory, op->step->chunk, address, value);
}

static bool evaluate(const Explorer *x, const DecodedStep *step, Value *value) {
    const Value *regs = x->regs;
    *value = (Value){.bits = step->imm, .high = step->c};
    return step->code == CODE_CONST ||
           op_eval(step->code, regs[step->a],
                   step->immediate ? value_i64(step->imm) : regs[step->b], regs[step->c], value);
}

// Whether the memory that an operation names is there: the present one if it changes it.
static bool memory_is_there(const Explorer *x, uint64_t fired, const AsmOperation *op) {
    uint32_t changes = 0;
    for (uint32_t i = 0; i < x->count; i++) changes += x->operations[i].changes && fired & bit(i);
    return op->changes ? changes == op->memory : !op->reads || changes >= op->memory;
}

// Whether an operation does in this state what it has done in the run.
static bool agrees(const Explorer *x, uint64_t fired, const AsmOperation *op) {
    const DecodedStep *step = op->step;
    Value value;
    if (!same_operands(x, step_instr(x->frame, step)) || !memory_is_there(x, fired, op))
        return false;
    if (op->reads) return load(x, op, &value) && same_value(value, x->frame->regs[step->dest]);
    if (step->code > CODE_CONST) return true; // performed once
    if (!evaluate(x, step, &value)) return false;
    if (step->other) return x->f->next == (value.bits == 1 ? step->next : step->other);
    return same_value(value, x->frame->regs[step->dest]);
}

// ---- States

static bool can_fire(const Explorer *x, uint64_t fired, uint32_t i) {
    return !(fired & bit(i)) && !(x->needs[i] & ~fired);
}

static uint64_t all_that_can(const Explorer *x, uint64_t fired) {
    uint64_t set = 0;
    for (uint32_t i = 0; i < x->count; i++)
        if (can_fire(x, fired, i)) set |= bit(i);
    return set;
}

static uint64_t sum(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void set_registers(const Explorer *x, uint64_t fired) {
    const Func *func = x->frame->code->func;
    for (uint32_t i = 0; i < x->count; i++) {
        Reg dest = func_at(func, code_node(x->frame->code, x->operations[i].step))->dest;
        if (dest.i != NO_ID) x->regs[dest.i] = fired & bit(i) ? x->frame->regs[dest.i] : absent;
    }
}

static void report(Explorer *x, const State *state, uint32_t i) {
    AsmReport *found = &x->m->report;
    const Func *func = x->frame->code->func;
    x->disagreements++;
    if (found->first) return;
    Out out = {0};
    asm_print_place(&out, x->m, x->f->block);
    out_printf(&out, ": node %u does not do the same if only these fire before it:",
               func_label(func, code_node(x->frame->code, x->operations[i].step)));
    for (uint32_t k = 0; k < x->count; k++)
        if (state->fired & bit(k))
            out_printf(&out, " %u",
                       func_label(func, code_node(x->frame->code, x->operations[k].step)));
    found->first = arena_text(x->m->in->world.arena, out.text, out.length);
    out_free(&out);
}

// Performs every operation that can fire in a state, and finds the states to which that leads.
// States are found in the order of their sizes, so that all ways to a state are known when its turn
// comes.
static void fire_each(Explorer *x, uint32_t at) {
    State state = x->states.at[at];
    set_registers(x, state.fired);
    for (uint32_t i = 0; i < x->count; i++) {
        if (!can_fire(x, state.fired, i)) continue;
        uint64_t fired = state.fired | bit(i);
        uint32_t to = map_get(&x->state_of, fired);
        x->firings++;
        if (!agrees(x, state.fired, &x->operations[i])) report(x, &state, i);
        if (to == HASH_NONE) {
            to = x->states.count;
            vec_push(x->arena, &x->states, (State){.fired = fired});
            map_set(x->arena, &x->state_of, fired, to);
        }
        x->states.at[to].orders = sum(x->states.at[to].orders, state.orders);
    }
}

// False if there are too many.
static bool find_states(Explorer *x) {
    vec_push(x->arena, &x->states, (State){.orders = 1, .runs = 1});
    map_set(x->arena, &x->state_of, 0, 0);
    for (uint32_t at = 0; at < x->states.count; at++) {
        if (x->states.count > MOST_STATES) return false;
        fire_each(x, at);
    }
    return true;
}

// The last state has all operations. If there are too many sets, the runs are said to be too many.
static uint64_t count_runs(Explorer *x) {
    uint64_t sets = 0;
    for (uint32_t at = 0; at < x->states.count; at++) {
        State state = x->states.at[at];
        uint64_t ready = all_that_can(x, state.fired);
        for (uint64_t set = ready; set; set = (set - 1) & ready) {
            if (++sets > MOST_SETS) return UINT64_MAX;
            State *to = &x->states.at[map_get(&x->state_of, state.fired | set)];
            to->runs = sum(to->runs, state.runs);
        }
    }
    return x->states.at[x->states.count - 1].runs;
}

// ---- The list of orders

static void list_order(Out *out, const Explorer *x, const uint32_t *order) {
    out_text(out, " ");
    for (uint32_t i = 0; i < x->count; i++)
        out_printf(out, " %u",
                   func_label(x->frame->code->func,
                              code_node(x->frame->code, x->operations[order[i]].step)));
    out_char(out, '\n');
}

// Every order, the first in the order of the program.
static void list_orders(Out *out, const Explorer *x) {
    uint32_t order[MOST_OPERATIONS], depth = 0, next = 0;
    uint64_t fired = 0;
    for (;;) {
        while (next < x->count && !can_fire(x, fired, next)) next++;
        if (next < x->count) {
            order[depth++] = next;
            fired |= bit(next);
            next = 0;
        } else {
            if (depth == x->count) list_order(out, x, order);
            if (!depth) return;
            next = order[--depth];
            fired &= ~bit(next++);
        }
    }
}

static void print_count(Out *out, const char *what, uint64_t count) {
    out_text(out, what);
    if (count == UINT64_MAX)
        out_text(out, "too many to count");
    else
        out_printf(out, "%llu", (unsigned long long)count);
}

static void list(Explorer *x, uint64_t orders, uint64_t runs) {
    Out out = {0};
    asm_print_place(&out, x->m, x->f->block);
    out_printf(&out, ": %u operations, %u states", x->count, x->states.count);
    print_count(&out, "; orders: ", orders);
    print_count(&out, "; runs with sets: ", runs);
    out_char(&out, '\n');
    if (orders <= LISTED_ORDERS) list_orders(&out, x);
    out_flush(&out, stderr);
    out_free(&out);
}

// ---- Blocks

bool asm_wants_exploring(AsmMachine *m, const AsmBlock *block) {
    AsmBlock *own = &asm_code(m)->blocks[block - asm_code(m)->blocks];
    if (!block->count || block->visits >= m->choice.visits) return false;
    m->report.left_early++; // until its end is seen
    return ++own->visits;
}

static void find_needs(Explorer *x) {
    x->needs = ARENA_ARRAY(x->arena, uint64_t, x->count);
    for (uint32_t i = 0; i < x->count; i++) {
        const AsmOperation *op = &x->operations[i];
        for (uint32_t k = 0; k < op->user_count; k++)
            x->needs[x->code->users[op->first_user + k] - x->f->block->first] |= bit(i);
    }
}

static void add_to_report(Explorer *x) {
    AsmReport *found = &x->m->report;
    uint64_t orders = x->states.at[x->states.count - 1].orders, runs = count_runs(x);
    found->blocks += x->f->block->visits == 1;
    found->visits++;
    found->states += x->states.count;
    found->firings += x->firings;
    found->orders = sum(found->orders, orders);
    found->runs = sum(found->runs, runs);
    if (x->m->choice.list) list(x, orders, runs);
}

static void leave_out(const Explorer *x) {
    Out out = {0};
    x->m->report.too_large++;
    if (!x->m->choice.list) return;
    asm_print_place(&out, x->m, x->f->block);
    out_printf(&out, ": %u operations, too many states: not tried\n", x->count);
    out_flush(&out, stderr);
    out_free(&out);
}

void asm_explore(AsmMachine *m, const AsmFrame *f) {
    const CallFrame *frame = top_frame(m->in);
    Explorer x = {.m = m,
                  .arena = arena_new("orders"),
                  .f = f,
                  .code = asm_code(m),
                  .frame = frame,
                  .operations = asm_code(m)->operations + f->block->first,
                  .count = f->block->count};
    m->report.left_early--;
    x.regs = arena_copy(x.arena, frame->regs, frame->code->reg_count * sizeof(Value));
    bool good = x.count <= MOST_OPERATIONS;
    if (good) {
        find_needs(&x);
        good = find_states(&x);
    }
    if (good)
        add_to_report(&x);
    else
        leave_out(&x);
    m->report.disagreements += x.disagreements;
    arena_free(x.arena);
}

void asm_finish(Interpreter *in) {
    in->world.result->report = in->machine->report;
}
