// Types and functions that the parts of the scheduler share.
//
// Terms. A *region* is a run of instructions of one block that may change their places among each
// other. Blocks are cut at calls and other instructions that are seen from outside, and where a
// region would get too long, so that all tables of a region are small and time is in proportion to
// the function. Inside of a region instructions and places have numbers of their own, counted from
// 0. An *order* of a region lists its instructions.
#pragma once

#include "base/bits.h"
#include "check/machine/mach_live.h"
#include "target/mach_access.h"
#include "target/model.h"
#include "target/timing.h"

enum {
    REGION_LIMIT = 256,   // instructions of a region
    REGION_ACCESSES = 48, // that touch memory, of which each is compared with all before it
    REGION_WORDS = REGION_LIMIT / 64
};

// A set of instructions of a region.
typedef struct {
    uint64_t words[REGION_WORDS];
} RegionSet;

static inline bool region_has(const RegionSet *set, uint32_t i) {
    return set->words[i / 64] >> (i % 64) & 1;
}
static inline void region_put(RegionSet *set, uint32_t i) {
    set->words[i / 64] |= (uint64_t)1 << (i % 64);
}
static inline void region_drop(RegionSet *set, uint32_t i) {
    set->words[i / 64] &= ~((uint64_t)1 << (i % 64));
}
static inline void region_unite(RegionSet *to, const RegionSet *from) {
    for (uint32_t w = 0; w < REGION_WORDS; w++) to->words[w] |= from->words[w];
}

// Why an instruction comes behind another one.
typedef enum { NEED_VALUE, NEED_MEMORY, NEED_ORDER } NeedKind;
typedef struct {
    uint32_t first; // instruction
    uint32_t kind;  // NeedKind
} RegionNeed;

// That an instruction should come behind another one.
typedef struct {
    uint32_t first, later;
} Wish;

typedef struct {
    const MachInstr *instr;
    MachTiming timing;
    uint32_t reads, read_count; // places that it reads, each once: MachRegion.operands[reads ..]
    uint32_t sets, set_count;   // and sets or destroys
    uint32_t needs, need_count; // MachRegion.needs[needs ..]
    uint32_t tied;              // place over which its result had best be written; NO_ID if none
    uint32_t swapped;           // place that may take its part; NO_ID if none
    bool from_memory;           // its result comes from memory, of the program's own
} RegionInstr;

typedef struct {
    uint32_t count;
    RegionInstr at[REGION_LIMIT];
    VEC(uint32_t) operands;
    VEC(RegionNeed) needs;
    VEC(Wish) wishes;
    RegionSet before[REGION_LIMIT]; // all that must come before
    uint32_t *succs, *succ_at;      // instructions that need one, in rows
    RegionSet decides; // instructions whose results the branch reads that follows the region
    uint32_t place_count;
    VEC(uint8_t) reg_class; // of places: MachClass
    VEC(bool) live;         // of places: whether they are read behind the region
    // The number of values of a class that are live behind the region, and the number of these that
    // the region does not touch.
    uint32_t pressure[CLASS_MEMORY], passing[CLASS_MEMORY];
} MachRegion;

// An instruction that reads a value, and the link of the previous reader; NO_ID if there is none.
typedef struct {
    uint32_t instr, next;
} ReadLink;

typedef struct {
    Arena *arena;
    const Func *func;
    const TargetTiming *timing;
    uint32_t class_count; // of the target: each may be short of registers
    bool allocated;
    MachAccesses accesses;
    OrderOps ops;       // of a block,
    uint32_t known;     //   and of which; NO_ID if none
    uint8_t *reg_class; // of places; unbounded
    MachLive starts;    // unbounded: what is live at the start of each block
    Bits live;          // unbounded: places that are live behind the instruction at hand
    uint32_t pressure[CLASS_MEMORY], limit[CLASS_MEMORY];
    uint32_t *
        number; // place of the function -> place of the region, if number_stamp is that of the region
    uint32_t *number_stamp;
    uint32_t stamp;
    VEC(uint32_t)
    last_set; // place of the region -> the instruction that set it last; NO_ID if none
    VEC(uint32_t) last_read; // place of the region -> the last link of its readers since
    VEC(ReadLink) links;
    MachConstraints constraints;
    MachRegion region;
} MachScheduler;

// schedule_region.c: makes the region of some instructions of the block at hand, which starts at
// `block_first`.
void region_build(MachScheduler *s, uint32_t block_first, uint32_t first, uint32_t count);

// Time is counted in slots, in which one instruction enters the core: some of them are a cycle.
static inline uint32_t slots_of(const MachScheduler *s, uint32_t cycles) {
    return cycles * s->timing->issue_width;
}

// The cost of an order of a region.
typedef struct {
    uint32_t excess;   // values that have no register, summed over all instructions
    uint32_t shortage; // the same without values that only pass, which had best be in memory there
    uint32_t copies;   // operands that are needed again and so cannot be written over
    uint32_t slots;    // until everything has been computed, on a core that looks ahead
    uint32_t decided;  // slots until the branch behind the region is decided
} OrderCost;

// schedule_cost.c
OrderCost order_cost(const MachScheduler *s, const uint32_t *order);

// schedule_backward.c: finds wishes by which more results are written over an operand. Orders are
// made with the present wishes: an order in which fewer values are live at once, or an order that
// is close to the present order.
void find_wishes(MachScheduler *s);
void list_backward(MachScheduler *s, bool saving, uint32_t *order);

// schedule_forward.c: an order in which instructions that long chains wait for come first, on
// request above all chains that decide the branch; and the least time of any order.
void list_forward(MachScheduler *s, bool deciding, uint32_t *order);
OrderCost least_time(const MachScheduler *s);
