// Sea of Nodes: the parts of a function of FORM_SON beside its graph.
//
// The graph of the function is the control skeleton: joins, branches, calls, checks, accesses to
// memory and whatever else may go wrong or have an effect, with phis at joins, as in SSA. Total
// operators are not in the skeleton. They float: each is a data node of its own, without successors
// and without a place in any order. A register is the name of a data node: one floating operator,
// one phi, one instruction of the skeleton, or the caller sets it. A register that nothing sets is
// undefined.
//
// A *region* starts at a node that starts a basic block of the skeleton, and behind every
// instruction that may stop (a call, a check). The node that ends a region is its one control node.
// Demange et al. have the same, with nodes of their own for regions, jumps and branch projections.
// Here a region is known by its first node, a jump is the nop at the end, and a projection is an
// edge.
//
// Memory has versions. Each *class* of memory is a set of objects that no other class shares
// (fact/places.h tells objects apart); class 0 is all the rest. The entry of the function makes a
// version (version 0), and so does an instruction that may write, or a memory phi of a join. A
// memory phi has a version of its class from each predecessor. A load names the version that it
// reads: the last version of its class on every path to the load.
#pragma once

#include "form/program.h"

enum { MEMORY_REST = 0 }; // the class of what is not known to lie in an object of its own

// An object that is a class of its own.
typedef struct {
    bool is_slot;
    uint32_t ref; // Slot or Sym
} MemoryClass;

// A memory phi: entering the join from its k-th predecessor, the class has the version versions[k].
typedef struct {
    uint32_t memory;  // class
    uint32_t version; // that it makes
    uint32_t args_at; // index of the first argument in Son.memory_args; one per predecessor
} MemoryPhi;

typedef struct Son {
    VEC(Instr) floating;      // total operators; floating operands come before their users
    VEC(MemoryClass) classes; // class k is classes[k - 1]; class 0 has no row
    uint32_t version_count;
    VEC(uint32_t) makes; // for each node: the version that it makes, or NO_ID
    VEC(uint32_t) reads; // for each node: the version that its load reads, or NO_ID
    VEC(MemoryPhi)
    memory_phis; // of node n: memory_phis[memory_phi_at[n] .. memory_phi_at[n + 1] - 1]
    VEC(uint32_t) memory_phi_at; // empty if there are none
    VEC(uint32_t) memory_args;
    // How the function came from the SSA function at which the excursion started; without influence
    // on its meaning. NULL if it was read from a file.
    struct SonTrail *trail;
} Son;

// Without nodes that read or make versions, without memory phis, without a trail.
Son *son_new(Arena *arena);
// With the same trail.
Son *son_clone(Arena *arena, const Son *son);

// ---- Building memory phis: nodes in ascending order, all nodes there; son_end_memory after the
// last. Without son_end_memory a node that was added has no place in `makes` and `reads`.

void son_add_memory_phi(Func *func, Node join, uint32_t memory, uint32_t version,
                        const uint32_t *args, uint32_t count);
void son_end_memory(Func *func);

// ---- Reading

static inline uint32_t son_makes(const Func *func, Node node) {
    return node.i < func->son->makes.count ? func->son->makes.at[node.i] : NO_ID;
}
static inline uint32_t son_reads(const Func *func, Node node) {
    return node.i < func->son->reads.count ? func->son->reads.at[node.i] : NO_ID;
}
static inline uint32_t son_memory_phi_count(const Func *func, Node node) {
    const Son *son = func->son;
    return son->memory_phi_at.count
               ? son->memory_phi_at.at[node.i + 1] - son->memory_phi_at.at[node.i]
               : 0;
}
static inline const MemoryPhi *son_memory_phis(const Func *func, Node node) {
    const Son *son = func->son;
    return son->memory_phi_at.count ? son->memory_phis.at + son->memory_phi_at.at[node.i] : NULL;
}
static inline const uint32_t *memory_phi_args(const Func *func, const MemoryPhi *phi) {
    return func->son->memory_args.at + phi->args_at;
}
