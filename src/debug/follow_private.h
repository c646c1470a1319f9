// Types and functions that the files of the follower share.
#pragma once

#include "debug/follow.h"
#include "graph/definitions.h"
#include "graph/dominance.h"
#include "hint/hints_gsa.h"
#include "hint/hints_mach.h"
#include "hint/hints_values.h"
#include "target/model.h"

// A register of RTL that holds a variable, or some bytes of it.
typedef struct {
    uint32_t reg;
    uint32_t offset, size; // of a part; size 0: the variable is a scalar, and this is the whole
                           // variable
} Tracked;

// A variable that registers may hold: tracked[first .. first + count - 1], by offset.
typedef struct {
    uint32_t instance, variable;
    uint32_t first, count;
    uint32_t size; // in bytes, of one that has parts
} Followed;

// The description of a function that others copy.
typedef struct {
    uint32_t symbol;
    uint32_t node_count, reg_count;
    VEC(DebugInstance) instances;
    uint32_t slot_count;
    VEC(uint32_t) first_reg;  // per instance: where its registers start,
    VEC(uint32_t) first_slot; // and its slots
    uint32_t *instance_of;    // per node
} OfferedNotes;

// The holder of the value of a register of the source form.
//   REG   a register of the form at hand
//   TERM  a constant or an address
//   OP    what was computed by an operator that is gone; its operands are held by other holders
typedef enum { HOLDER_LOST, HOLDER_REG, HOLDER_TERM, HOLDER_OP } HolderKind;
enum { HOLDER_ARGS = 2 };
typedef struct {
    uint8_t kind;  // HolderKind
    uint8_t depth; // of operators that are gone above it
    uint8_t arg_count;
    uint32_t reg;   // REG
    DebugTerm term; // TERM, OP; the latter's `number` is the last operand if that is an immediate
    uint32_t arg[HOLDER_ARGS]; // OP: holders
    uint32_t other;            // another holder, if this one does not do; 0: none
    bool immediate;
} Holder;

// A call of a symbol in the last SSA form: its arguments in general registers.
typedef struct {
    uint32_t value; // a register of SSA
    MachineReg reg;
} SsaArgument;
typedef struct {
    uint32_t callee;
    uint32_t first, count; // in LastSsa.arguments
} SsaCall;

// The last SSA form, for the machine code that comes from it.
typedef struct {
    uint32_t node_count, reg_count;
    uint32_t *position;      // per node: of the source form
    uint32_t *number, *last; // Dominance
    Definition *definitions; // per register
    uint32_t *value;         // per register: the first of a chain of moves
    Instr *instr_of;         // per register: its definition; of kind NOP if no instruction sets it
    uint8_t *type_of;        // per register
    VEC(SsaCall) calls;
    VEC(SsaArgument) arguments;
    uint32_t *call_of; // per node: in calls, or NO_ID
} LastSsa;

// The description of RTL after SSA.
typedef struct {
    uint32_t node_count;
    uint32_t *ssa_node; // per node: that which it performs, or NO_ID
    uint32_t *value;    // per node: the register of SSA that it sets, or NO_ID
    uint32_t *dest;     // per node: the register that it sets, or NO_ID
    uint32_t
        *join; // per node: the node of SSA whose phis are done when control comes here, or NO_ID
    VEC(DestructPair) pairs;
    uint32_t *pair_at; // per node of SSA, and one more
    VEC(uint32_t) params, param_values;
} LastRtl;

// A place gets the value of a register of SSA from an instruction.
typedef struct {
    uint32_t instr, place, value;
} PlaceGen;

// A place, as follow_place numbers them, holds a register or value.
typedef struct {
    uint32_t place, id;
} HeldValue;
typedef VEC(HeldValue) HeldSet;

typedef enum {
    STAGE_LOST,
    STAGE_RTL,
    STAGE_SSA,
    STAGE_LAST_RTL,
    STAGE_MACH,
    STAGE_ALLOCATED
} FollowStage;

struct Follower {
    Arena *unit;  // as long as the program
    Arena *arena; // as long as the function at hand
    const Program *program;
    const Debug *debug;
    FollowStage stage;
    VEC(OfferedNotes *) offered;
    Map offered_of; // symbol -> index
    uint32_t resumed;

    // RTL
    VEC(DebugInstance) instances;
    VEC(uint32_t) first_reg, first_slot; // per instance
    uint32_t *instance_of;               // per node
    uint32_t node_count, reg_count, slot_count;
    // The result of split_slots: slot -> its present number, or NO_ID; its fields, and the register
    // of the first field.
    uint32_t *slot_now;
    uint32_t slots_before;
    VEC(SlotField) fields;
    VEC(uint32_t) slot_sizes;
    uint32_t field_reg;

    // The source form
    VEC(Tracked) tracked;
    VEC(Followed) followed;
    VEC(DebugSlot) slots;
    const uint32_t **versions; // per node of it, tracked variable -> register, or NO_ID
    uint32_t *source_loc;      // per node of it
    uint32_t
        *source_start; // per node of it: the first of its block from which on all have its location
    uint32_t *source_instance; // per node of it
    uint32_t source_nodes, source_regs;
    uint32_t *source_pred; // per node of it: its only predecessor, or NO_ID
    Instr *
        source_instr; // per register of it: its definition; of kind NOP if debuggers cannot compute
                      // it

    // Slots of variables (follow_slots.c)
    uint32_t *writes;  // per node of the source form
    bool *slot_shared; // per slot of `slots`: calls and stores to anywhere may write it
    bool *slot_stale;  // per slot of `slots`: writes to it were left out, as nothing reads it
    const uint32_t **slot_versions; // per node of the source form, slot of `slots` -> version
    uint32_t *
        anchor; // per node of the last SSA form: the position before which memory is as it is there

    // SSA: the form at hand
    uint32_t *position;  // per node, or NO_ID
    VEC(Holder) holders; // per register of the source form; then those of operands

    // Machine code
    LastSsa ssa;
    LastRtl rtl;
    uint32_t *node_of_block; // of unbounded code: the RTL node it starts with
    uint32_t block_count;
    uint32_t *block_origin; // of allocated code
    VEC(PlaceGen) gens;     // by instruction
    uint32_t *
        entry_place; // per register of SSA: the general register it comes in as a parameter, or NO_ID
    HeldSet *starts; // per block: places that hold registers of RTL at its start
    uint32_t instr_count;
    uint32_t *
        block_of_value; // per register of SSA: the unbounded block that sets it, NO_ID: not followed

    DebugCode code;
};

static inline uint32_t *follow_table(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i <= count; i++) table[i] = NO_ID;
    return table;
}

// follow_holders.c: what becomes of holders. `now_of` gives for each register of `before` the
// register of the next form that has its value, or NO_ID; `terms`, unless NULL, gives the registers
// that are constants: others have the kind NO_TERM.
enum { NO_TERM = 255 };
void follow_registers(Follower *f, const Func *before, const uint32_t *now_of,
                      const DebugTerm *terms);
// A constant or an address as a term; false if it is something else.
bool follow_constant(const Instr *instr, DebugTerm *term);
// Whether debuggers can compute what an instruction does.
bool follow_computes(const Instr *instr);

// follow_source.c: whether two locations are of one line; the function has become the source form.
bool follow_same_line(const Program *program, uint32_t a, uint32_t b);
void follow_source(Follower *f, const Func *before, const Func *after, const SsaHint *hint);
// Dense numbers of places: machine registers, then spills.
static inline uint32_t follow_place(Place place) {
    return place_is_spill(place) ? MACHINE_REG_LIMIT + place_index(place) : place_index(place);
}
static inline Place follow_place_of(uint32_t number) {
    return number < MACHINE_REG_LIMIT ? place_machine((MachineReg)number)
                                      : place_spill(number - MACHINE_REG_LIMIT);
}

// follow_held.c: sets of what places hold, in no order.
void held_kill_place(HeldSet *set, uint32_t place);
void held_kill_id(HeldSet *set, uint32_t id);
void held_add(Arena *arena, HeldSet *set, uint32_t place, uint32_t id);
bool held_has(const HeldSet *set, uint32_t place, uint32_t id);
// Another place holds the values of a place as well, and nothing else.
void held_move(Arena *arena, HeldSet *set, uint32_t from, uint32_t to);
void held_exchange(HeldSet *set, uint32_t a, uint32_t b);
// Keeps only values that the other set has, too; yields whether a value was dropped.
bool held_meet(HeldSet *set, const HeldSet *other);
// Solves for the sets at the starts of blocks: `run` takes the one at the start of a block to that
// at its end.
HeldSet *held_solve(Arena *arena, const Func *func,
                    void (*run)(void *context, uint32_t block, HeldSet *set), void *context);

// One function for each pass that has a checker: it carries the knowledge over.
#define PASS(name, from, to, kernel, Hint, ...) BY_##kernel(name, Hint)
#define BY_OWN(name, Hint)                                                                         \
    void follow_##name(Follower *f, const Func *before, const Func *after, const Hint *hint);
#define BY_COPIES(name, Hint) BY_OWN(name, Hint)
#define BY_GATES(name, Hint)  BY_OWN(name, Hint)
#define BY_VALUES(...)        // all by the same:
#define BY_NONE(...)
#include "check/passes.def"
void follow_values(Follower *f, const Func *before, const Func *after, const ValuesHint *hint);

// follow_mach.c: whether an instruction copies a register of unbounded code; what an instruction
// destroys and sets.
bool follow_is_copy(const MachInstr *instr);
void follow_destroyed(Arena *arena, const Func *func, const MachInstr *now,
                      MachConstraints *constraints, HeldSet *set);

// follow_slots.c: versions of slots in the source form, the state of memory at nodes of the last
// SSA form, and the instructions at which slots do not hold the values that variables have at the
// `told` positions.
void follow_slot_versions(Follower *f, const Func *func);
void follow_anchors(Follower *f, const Func *ssa);
void follow_slots(Follower *f, const Func *func, const uint32_t *site, const uint32_t *told);

// follow_places.c: the spans of variables.
void follow_places(Follower *f, const Func *func);
