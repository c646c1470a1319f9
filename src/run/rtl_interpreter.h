// The state of the RTL interpreter, shared by its files:
//   rtl_code.c     functions are put into a form that runs fast, when they are first called
//   ssa_run.c, gsa_run.c   the edges of functions with phis and of gated functions
//   son_run.c      floating operators
//   run_forms.c    which of all this a form, and a way to run it, asks for
//   rtl_call.c     frames, calls and returns, external functions, call-backs
//   rtl_jump.c     setjmp and longjmp
//   rtl_builtin.c  builtin instructions
//   rtl_atomic.c   those that access memory atomically
//   rtl_run.c      the loop over instructions, and whole runs
// and, instead of the loop, fssa_run.c: functional SSA, and what gated SSA stands for, evaluated on
// demand; asm_run.c: SSA as an abstract state machine
//
// Interpreted calls do not nest on the host's stack. A frame's registers lie in a stack of segments
// that never move, so that lists of variable arguments can point into them.
#pragma once

#include "base/bits.h"
#include "run/world/world.h"

// One node, decoded. `code` is an operator, or a number after the operators. A condition is its
// operator with two successors.
typedef struct DecodedStep {
    uint16_t code;
    uint8_t chunk;
    uint8_t scale;
    bool immediate;   // the second operand is imm, not register b
    bool confined;    // an address written with a slot or symbol that may leave that object
    uint32_t dest;    // the scratch register if the node has none
    uint32_t a, b, c; // operands; of an address: base, index and, of a store, the value
    const struct DecodedStep *next, *other; // other: only of conditions
    uint64_t imm;
} DecodedStep;

enum {
    CODE_CONST = OP_COUNT, // imm, with c for the high part
    CODE_NOP,
    CODE_PHIS,     // a nop before a join with phis: b moves from move a on, one after the other
    CODE_PARALLEL, // the same, where a move reads what an earlier one writes
    CODE_WATCH,    // mach0: at the end of the block of node a, if somebody watches
    CODE_DEMAND,   // SON: before a node that reads floating operators, or starts a region
    CODE_GATED,    // a nop of GSA that is a landing pad, stands before a join, or both: edge a
    CODE_LOAD,
    CODE_STORE,
    CODE_TYPED_LOAD, // the same with an effective type, if the run tracks these
    CODE_TYPED_STORE,
    CODE_CALL,
    CODE_SWITCH,
    CODE_RETURN,
    CODE_CHECK,
    CODE_BUILTIN
};

// The action of a phi when its join is entered from one predecessor.
typedef struct {
    uint32_t dest, source;
} PhiMove;

typedef struct GatedEdge GatedEdge;
typedef struct SonCode SonCode;
struct GateEval;

// A function, decoded: steps have the numbers of their nodes; in SON, and in mach0 if somebody
// watches, as many follow that come before those of the nodes (son_run.c). Behind its own registers
// a frame has hidden registers: the address of each slot; in SON the remembered values of floating
// operators; then a register that is zero (the base or index of an address without one); then a
// register for unwanted results.
typedef struct {
    const Func *func;
    const SigInfo *sig;
    DecodedStep *steps;
    PhiMove *moves;
    GatedEdge *edges;
    struct GateEval *gates; // NULL if there are no such edges
    const Value *initial;   // the values of registers on entry
    uint32_t reg_count;     // hidden ones included
    uint32_t first_slot;    // register of slot 0
    uint32_t first_memo;    // SON: register of the number of regions entered
    SonCode *son;           // NULL in other forms
    const struct MachReading
        *reading;            // of a machine function: see mach_reading.h; NULL in other forms
    struct Flow *flow;       // evaluation on demand: see fssa_run.h; NULL in other forms
    struct AsmCode *machine; // the state machine: see asm_machine.h; NULL if it does not run
    const char **slot_names;
} Code;

// A piece of the stack of registers and arguments.
typedef struct StackSegment {
    struct StackSegment *previous, *next;
    size_t used, capacity;
    Value values[];
} StackSegment;

typedef struct {
    StackSegment *segment;
    size_t used;
} StackMark;

typedef struct {
    const Code *code;
    const DecodedStep *step; // the current step; in all frames but the top one this is a call
    Value *regs;
    VarArgs variable; // arguments after the fixed ones
    uint32_t va_list; // number of the list plus one, once va_start made it known to the world
    Value into;       // where an aggregate result goes
    uint32_t owned;   // the frame's objects are those from here on
    uint32_t allocas; // and those from here on were made by alloca
    uint32_t varargs; // how many lists the world had on entry
    uint64_t serial;  // how many frames were made before it, in the whole run
    uint32_t saved;   // its saved registers are those from here on
    bool outermost;   // called from outside: there is no call instruction to finish
    struct Activation *activation; // evaluation on demand, once it has begun
    StackMark mark;                // the stack on entry
} CallFrame;

// The meaning of a function symbol: code, an external function, or nothing.
typedef struct {
    bool resolved;
    const Code *code;
    const External *external;
    uint64_t chosen; // indirect function: the address that its resolver has returned; 0: none yet
} Callee;

// The registers of a frame as a call of setjmp found them.
typedef struct {
    uint64_t serial; // of the frame
    uint64_t buffer; // address of the jmp_buf
    uint32_t node;   // the call
    Value *regs;
    uint64_t size;          // in bytes, as counted
    struct SavedFlow *flow; // evaluation on demand: what else was known then
} SavedRegs;

// A longjmp that is under way: which call of setjmp returns, and what.
typedef struct {
    bool under_way;
    uint32_t depth;   // of the frame that gets the control
    uint32_t saved;   // number of its registers in Interpreter.saved
    uint64_t allocas; // how many objects made by alloca it keeps
    Value value;
} Jump;

typedef struct Interpreter {
    World world;
    Arena *arena; // for what dies with the run
    const Program *program;
    Callee *callees; // by symbol
    VEC(CallFrame) frames;
    VEC(Object *) owned;  // slots, copies of arguments and allocas, in the order of their frames
    VEC(SavedRegs) saved; // in the order of their frames
    StackSegment *segment;
    Value *phi_values; // the values that the phis of a block have read, before any phi has written
    uint32_t phi_room; // for so many
    Value result;      // of the function that returned last
    uint64_t fuel;     // the rest
    uint32_t max_depth;
    uint32_t nesting; // call-backs that are under way
    uint64_t entered; // frames made so far
    uint32_t oldest;  // frames below this depth have ended, though they are still there
    Jump jump;
    RunWay way;
    bool observed;    // somebody watches each step
    bool prepared;    // a function was prepared,
    bool on_demand;   // to be evaluated on demand, as then all have to be
    uint64_t effects; // performed so far by evaluation on demand: the number of the last state
    uint64_t jumps;   // how often flow_restore was called
    struct AsmMachine *machine; // NULL if no state machine runs
    VEC(uint32_t) demanded; // floating operators of which values are wanted, each by the one before
} Interpreter;

// The step with which a node begins.
static inline const DecodedStep *code_begin(const Code *code, Node node) {
    return code->steps + node.i + (code->son ? code->func->nodes.count : 0);
}
// The node of a step.
static inline Node code_node(const Code *code, const DecodedStep *step) {
    uint32_t number = (uint32_t)(step - code->steps), count = code->func->nodes.count;
    return (Node){number < count ? number : number - count};
}

// Whether a step comes before that of its node and does none of the node's work.
static inline bool step_is_before(const Code *code, const DecodedStep *step) {
    return (uint32_t)(step - code->steps) >= code->func->nodes.count;
}

static inline CallFrame *top_frame(const Interpreter *in) {
    return &in->frames.at[in->frames.count - 1];
}
static inline const Instr *step_instr(const CallFrame *frame, const DecodedStep *step) {
    return &frame->code->func->nodes.at[step - frame->code->steps];
}
// The address of a memory access; false if some of its bits are undefined.
static inline bool step_address(const DecodedStep *step, const Value *regs, uint64_t *address) {
    const Value *base = &regs[step->a], *index = &regs[step->b];
    *address = step->imm + base->bits + index->bits * step->scale;
    return (base->undef | index->undef) == 0;
}

// Whether an access at an address leaves the object that its address is written with.
static inline bool step_leaves(const Interpreter *in, const CallFrame *frame,
                               const DecodedStep *step, uint64_t address) {
    if (!step->confined) return false;
    const Instr *instr = step_instr(frame, step);
    uint64_t base =
        instr->base == BASE_SLOT ? frame->regs[step->a].bits : in->world.symbol_address[instr->ref];
    return memory_find(in->world.memory, base) != memory_find(in->world.memory, address);
}
// The address of an access that is an event or atomic; false, with the run ended, if it is none.
// `what` names the access, with an article.
bool rtl_address(Interpreter *in, const CallFrame *frame, const DecodedStep *step, const char *what,
                 uint64_t *address);

// Runs until the stack of frames is as deep as `depth` again, or the run has ended.
void rtl_interpret(Interpreter *in, uint32_t depth);

// ---- Evaluation on demand (fssa_run.c, fssa_jump.c)

// As rtl_interpret.
void flow_interpret(Interpreter *in, uint32_t depth);
// The frame is being left.
void flow_leave(const CallFrame *frame);
// For setjmp: saves the state of the evaluation of the top frame, in place of the old saved state
// if that is not NULL, with its size in bytes. NULL, with the run ended, if there is no memory.
struct SavedFlow *flow_save(Interpreter *in, struct SavedFlow *old, uint64_t *size);
// Makes that the state of the evaluation again.
void flow_restore(Interpreter *in, const struct SavedFlow *saved);
// Where the run has ended, for people.
void flow_where(const CallFrame *frame, Behaviour *behaviour);

// The same for a machine function (mach_run.c).
void mach_where(const CallFrame *frame, Behaviour *behaviour);

// ---- The state machine (asm_run.c)

// As rtl_interpret.
void asm_interpret(Interpreter *in, uint32_t depth);
// The top frame is being left.
void asm_leave(Interpreter *in);
// A call of the top frame is about to return once more.
void asm_return_again(Interpreter *in, Node call);
// The run is over: says what was found.
void asm_finish(Interpreter *in);

// ---- Forms and ways to run them (forms.def, run_forms.c)

// Of a form: makes a function ready to be run.
#define FORM(id, name, body, meaning) const Code *name##_prepare(Interpreter *in, const Func *func);
// Of a way: the same, refusing what is not in its form.
#define WAY(form, name, meaning) const Code *name##_prepare(Interpreter *in, const Func *func);
#include "form/forms.def"

// As the form says, step by step; and what in->way says.
const Code *run_prepare_plain(Interpreter *in, const Func *func);
const Code *run_prepare(Interpreter *in, const Func *func);
void run_interpret(Interpreter *in, uint32_t depth);
// Tells who watches each step, if somebody does. False if the run has ended.
bool run_tell_step(Interpreter *in);
bool run_tell_value(Interpreter *in, uint32_t which);
static inline bool run_observe(Interpreter *in) {
    return !in->observed || run_tell_step(in);
}
static inline bool run_observe_value(Interpreter *in, uint32_t which) {
    return !in->observed || run_tell_value(in, which);
}
bool run_save(Interpreter *in, struct SavedFlow **saved, uint64_t *size);

// The part of it that all graphs share.
Code *rtl_decode(Interpreter *in, const Func *func);
void rtl_decode_instr(const Interpreter *in, const Code *code, const Instr *instr,
                      DecodedStep *step);
// The edges of a function with phis.
void ssa_decode_phis(Interpreter *in, Code *code);
// A nop before a join makes these of code->moves, all at once. `written` is all zero before and
// after.
void rtl_decode_moves(Code *code, Node nop, uint32_t first, uint32_t count, Bits *written);
// Makes room for so many in in->phi_values.
void rtl_reserve_values(Interpreter *in, uint32_t count);

// Each of these performs the instruction at which the top frame stands and moves the frame on.
// False if the run has ended.
bool rtl_call(Interpreter *in);
bool rtl_return(Interpreter *in);
bool rtl_builtin(Interpreter *in);
bool gsa_run_edge(Interpreter *in);
bool son_run_demand(Interpreter *in);
bool mach0_run_watch(Interpreter *in);
// Performs any instruction but a nop. Where the frame stands afterwards means nothing, unless that
// is the beginning of another function.
bool rtl_perform(Interpreter *in);

// A load or store that is an event, with the address, and the value where it is stored or loaded.
// False, with the run ended, if the value is undefined.
bool rtl_volatile_event(Interpreter *in, Chunk chunk, uint64_t address, const Value *stored,
                        const Value *loaded);
// Performs an atomic access, but does not move the frame on.
bool rtl_atomic(Interpreter *in, CallFrame *frame, const DecodedStep *step);

// Calls a function from outside, with one argument for each parameter, and runs it to its return.
// False if the run ended inside, or a jump left it.
bool rtl_call_code(Interpreter *in, const Code *code, const Value *args, Value into, Value *result);
bool rtl_call_back(World *world, uint64_t function, const Value *args, uint32_t count,
                   Value *result);
void rtl_free_stack(Interpreter *in);

// Removes the top frame and everything that it owns.
void rtl_leave(Interpreter *in);
// The top frame's call is done: its destination gets the result. False if the run has ended.
bool rtl_finish_call(Interpreter *in, Value result);

// World.set_jump and World.jump.
bool rtl_set_jump(World *world, uint64_t buffer);
bool rtl_jump(World *world, uint64_t buffer, uint32_t value);
// Forgets saved registers until there are so many.
void rtl_drop_saved(Interpreter *in, uint32_t count);
// Leaves the frames that a jump leaves, up to and including the nearest that was called from
// outside; if there is none, the jump ends. False if the run has ended.
bool rtl_go_on_with_jump(Interpreter *in);
