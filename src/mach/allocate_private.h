// Types and functions that the parts of the allocator share.
//
// Terms. A *value* is a set of registers of the function that share one place as long as the value
// is not split: registers that moves connect and that are not live at once. A *piece* is a part of
// a value's live range that is in one machine register throughout. Where no piece covers its range,
// the value is in memory: in its spill, or, if it is a constant or an address, nowhere, to be made
// again. An *operand* is an occurrence of a register in an instruction.
//
// Positions. Instruction i of the linear order has the positions STEP * i + AT_...; ranges are half
// open. Moves around an instruction read at BEFORE or AFTER and have written one position later.
#pragma once

#include "analysis/loops.h"
#include "mach/allocate_writer.h"

enum {
    STEP = 8,
    AT_BEFORE = 0,
    AT_READ = 1,  // operands have been put in their places
    AT_TIED = 2,  // tied operands end, early results start
    AT_KILL = 3,  // the others end; what the instruction destroys is destroyed
    AT_WRITE = 4, // results start
    AT_AFTER = 5,
    AT_DONE = 6
};

typedef struct {
    uint32_t start, end;
} LiveSegment;

typedef struct {
    LiveSegment *at;
    uint32_t count;
} Segments;

typedef struct {
    uint32_t instr;
    uint32_t reg;     // of the function
    uint32_t piece;   // the piece that holds it here; NO_ID: memory
    uint32_t partner; // operand of the instruction that had best be in the same place; NO_ID: none
    uint32_t field;   // which place of the instruction: see FIELD_...
    uint32_t own;     // the piece of its own of an operand that is apart; NO_ID if fixed
    StoredReg fixed;  // or MACHINE_REG_LIMIT
    MachClass reg_class; // that it asks for
    bool def;
    bool spill_ok;
    bool tied;  // the result may be in its place
    bool apart; // not where its value is: moved there before, or from there afterwards
    bool early;
} AllocOperand;

enum {
    FIELD_DEST,
    FIELD_SOURCE,
    FIELD_BASE = FIELD_SOURCE + MACH_SOURCES,
    FIELD_INDEX,
    FIELD_LIST
};

// Machine registers that an instruction takes or destroys, by when.
typedef struct {
    uint32_t instr;
    MachineRegSet clobbers; // READ to AFTER: no result is there, either
    MachineRegSet uses;     // READ to KILL: fixed operands
    MachineRegSet killed;   // KILL to WRITE
    MachineRegSet early;    // TIED to DONE: fixed early results
    MachineRegSet defs;     // WRITE to DONE: fixed results
} Event;

typedef enum { STAGE_WHOLE, STAGE_BUSY, STAGE_REST, STAGE_LOCAL, STAGE_POINT } Stage;

typedef struct {
    uint32_t value;
    uint32_t loop; // that it lies in; NO_ID: none
    Segments segments;
    uint32_t *operands; // ascending
    uint32_t operand_count;
    float loads, stores; // how often its value is loaded and stored
    float gain;          // the saving of a register instead of memory
    float weight;        // the gain by length; INFINITY: it must have a register
    MachineRegSet forbidden;
    MachClass reg_class;
    StoredReg reg; // MACHINE_REG_LIMIT: none
    uint8_t stage;
    bool writes;       // it contains a definition
    bool store_at_def; // and what is defined is stored at once
} AllocPiece;

typedef struct {
    Segments segments;
    uint32_t *operands;
    uint32_t operand_count;
    VEC(uint32_t) pieces;
    uint32_t spill;  // NO_ID: none
    uint32_t remake; // the instruction that makes the value again; NO_ID: it needs a spill
    uint8_t reg_class;
    uint8_t type;
    bool split; // not all of it is in its one piece
} AllocValue;

typedef struct {
    uint32_t start, end, piece;
} TakenRange;

// The ranges in which a machine register is taken: chunks of sorted ranges, so that it stays fast
// however many there are.
typedef struct {
    TakenRange *at;
    uint32_t count;
} TakenChunk;

typedef struct {
    VEC(TakenChunk) chunks;
} Occupancy;

typedef struct {
    Arena *arena;
    const Func *func;
    MachineRegSet allowed[CLASS_LIMIT],
        usable;         // by class; for pieces that are longer than an instruction
    uint32_t *block_of; // instruction -> block
    float *frequency;   // of blocks
    uint32_t *loop_of;  // block -> innermost loop
    uint32_t *loop_parent;
    uint32_t loop_count;
    MachPreds preds;

    VEC(AllocOperand) operands;
    uint32_t *operand_at; // instruction -> its first operand
    bool *one_memory;     // instruction -> at most one operand in memory
    bool *in_memory;      // and there is one
    VEC(Event) events;
    MachineRegSet *event_tree; // unions of all that events take: a segment tree

    uint32_t *value_of; // register of the function -> value (a union-find forest)
    AllocValue *values; // indexed by register
    VEC(AllocPiece) pieces;
    Occupancy occupancy[MACHINE_REG_LIMIT];
    MachineRegSet used;

    VEC(struct Waiting {
        uint64_t priority;
        uint32_t piece;
    })
    queue;               // a heap
    VEC(uint32_t) found; // interfering pieces
    uint32_t *label;     // of blocks, while splitting
    uint32_t *label_stamp;
    uint8_t *reached;
    uint32_t block_stamp, stamp;
    uint32_t *loop_label, *loop_stamp;
} Allocator;

static inline uint32_t value_find(Allocator *a, uint32_t reg) {
    while (a->value_of[reg] != reg) {
        a->value_of[reg] = a->value_of[a->value_of[reg]];
        reg = a->value_of[reg];
    }
    return reg;
}
static inline float instr_frequency(const Allocator *a, uint32_t instr) {
    return a->frequency[a->block_of[instr]];
}
static inline uint32_t block_start(const Allocator *a, uint32_t block) {
    return STEP * mach_block(a->func, block)->first;
}
static inline uint32_t block_end(const Allocator *a, uint32_t block) {
    const MachBlock *b = mach_block(a->func, block);
    return STEP * (b->first + b->count);
}
static inline bool instr_is_move(const MachInstr *instr) {
    return instr->kind == MK_OP && op_is_move((Op)instr->op) && instr->src[0].i != NO_ID;
}

// Where an operand's part of its value's range starts (a definition) or ends (a use).
uint32_t operand_position(const AllocOperand *operand);
// The last segment that starts at or before a position; NO_ID if none.
uint32_t segments_at(Segments segments, uint32_t position);
static inline bool segments_contain(Segments segments, uint32_t position) {
    uint32_t k = segments_at(segments, position);
    return k != NO_ID && position < segments.at[k].end;
}

// allocate_operands.c: fills operands, events, block_of.
void allocate_operands(Allocator *a);
// Machine registers that a piece cannot have, because of instructions that it lives across.
MachineRegSet events_forbid(Allocator *a, const AllocPiece *piece);
// Whether an instruction from one to before another is a call or the like.
bool events_kill(const Allocator *a, uint32_t from, uint32_t to);

// block_frequency.c: how often blocks run, from loops and branches.
void block_frequency(Allocator *a);
// allocate_profile.c: how often blocks ran, if there is a profile.
void allocate_profile(Allocator *a, const Graph *graph, const LoopForest *forest);

// allocate_ranges.c: live ranges of registers; then values.
void allocate_ranges(Allocator *a);
void allocate_coalesce(Allocator *a);

// allocate_occupancy.c
void occupancy_add(Arena *arena, Occupancy *occupancy, Segments segments, uint32_t piece);
void occupancy_remove(Occupancy *occupancy, Segments segments);
// Adds the pieces, each once in a row, whose ranges meet the segments to `found`; stops when there
// are more than `limit`.
void occupancy_meet(Arena *arena, const Occupancy *occupancy, Segments segments, uint32_t limit,
                    Allocator *a);

// allocate.c: puts a piece in the queue, its cost and weight computed.
uint32_t piece_new(Allocator *a, AllocPiece piece);

// allocate_split.c: replaces a piece that got no register by shorter ones and memory.
void allocate_split(Allocator *a, uint32_t piece);

// allocate_write.c: the allocated function.
Func *allocate_write(Allocator *a, Arena *arena, AllocateHint *hint);

// The pass with only some registers: only the usable registers are for values that live longer than
// one instruction. For tests, which want functions that are short of registers.
Func *allocate_within(Arena *arena, const Func *func, MachineRegSet usable, AllocateHint *hint);
