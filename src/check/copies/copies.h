// The parts that the files of the kernel copies share; copies.c has the argument. A checker
// calls check_copies (checkers.h).
#pragma once

#include "base/bits.h"
#include "check/check.h"
#include "fact/bodies.h"
#include "fact/comparison.h"
#include "hint/hints_rtl.h"

// A call in whose place there is a body, and the first register and slot of the copy.
typedef struct {
    Node node;
    const Instr *call;
    const Func *body;
    uint32_t reg, slot;
    Reg result; // of an aggregate: the one register that the body may return
} CopySite;

// Where the old function stands: at a node of itself (copy 0), or of the body of site copy - 1.
typedef struct {
    uint32_t copy;
    Node node;
} OldPlace;

typedef VEC(Comparison) Comparisons;

// A state to go on from: what registers hold that is not theirs, and facts. NULL if there is
// nothing of that kind.
typedef struct {
    uint32_t pair_count, fact_count;
    const CopiesPair *pairs;
    const Comparison *facts;
} CopiesKnown;

typedef struct {
    Node node;
    const CopiesKnown *known;
} CopiesPending;

typedef struct {
    Arena *arena;
    const Bodies *bodies;
    const Func *before;
    const Func *after;
    const CopiesHint *hint;
    Preds preds, old_preds; // where there are phis; of `after` also where there are sites
    Bits roots, claimed;    // see find_roots; nodes with claims
    VEC(CopySite) sites;
    uint32_t
        old_regs; // registers of `before` and of all copies; new ones above that have no old namesake
    // Of the present node: for each new register the old register whose value it holds,
    // HOLDS_NOTHING, or HOLDS_COPY and the slot of an argument to which it points. Registers for
    // which that may not be their namesake are `changed`.
    uint32_t *holds;
    VEC(uint32_t) changed;
    Comparisons facts;  // about old registers
    Comparison outcome; // of the branch on the edge at hand, if it says anything
    bool has_outcome;
    Comparisons reasons;  // scratch
    VEC(uint32_t) values; // scratch
    VEC(CopiesPending) pending;
    const uint32_t *leads; // see find_leads; NULL if nobody has asked yet
    // The region that is passed, and for each old node the last region that it was in.
    VEC(Node) region;
    uint32_t *region_of;
    uint32_t regions;
    Bits reads;          // the registers that new nodes read, once somebody has asked
    VEC(Node) waiting;   // new nodes that may be executed while the old function stands still
    uint64_t work, size; // the work done, and the size to which it must be in proportion
    Verdict verdict;
} Copies;

#define HOLDS_NOTHING NO_ID
#define HOLDS_COPY    ((uint32_t)1 << 31)

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static inline const Func *copies_function(const Copies *check, uint32_t copy) {
    return copy ? check->sites.at[copy - 1].body : check->before;
}
// The number of an old register: that of its namesake.
static inline uint32_t copies_old_reg(const Copies *check, uint32_t copy, Reg reg) {
    return copy ? check->sites.at[copy - 1].reg + reg.i : reg.i;
}
// A new register gets the value of an old register, or something else.
void copies_set_new(Copies *check, Reg reg, uint32_t value);
// A check that stops early for this is rejected: check_edge asks again, and work does not get less.
static inline bool copies_is_too_much(const Copies *check) {
    return check_takes_too_long(check->work, check->size);
}
// An old register is set: nobody holds it.
void copies_set_old(Copies *check, uint32_t reg);
// An old register gets the value of another.
void copies_assign_old(Copies *check, uint32_t to, uint32_t from);

// Lays out the sites of the hint; false if one is none, or its copy is not there.
bool copies_find_sites(Copies *check);
// The site whose copy has a register, plus 1; 0 if it is none of a copy.
uint32_t copies_copy_of(const Copies *check, uint32_t reg);
// The old function executes a call and enters the body of a site, or returns from it.
bool copies_enter(Copies *check, Node node, OldPlace *at, uint32_t copy);
bool copies_leave(Copies *check, Node node, OldPlace *at);
// Whether a new node does what the return of an aggregate does; the old function goes on from `at`.
bool copies_returns(const Copies *check, const Instr *now, OldPlace *at);
// Whether a new node copies an aggregate for a call at which the old function stands.
bool copies_passes(Copies *check, Node node, const OldPlace *at);
// The old function leaves a region to the node to which the new edge leads; false if there is none.
bool copies_pass_region(Copies *check, OldPlace *at, const OldPlace *to);
