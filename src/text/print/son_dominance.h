// Dominance in Sea of Nodes: definitions 3.3 to 3.5 of Demange et al. (docs/papers.md).
//
// Region a dominates region b if every path from the entry to b goes through a. A data node
// dominates a region if the regions of all its *phideps* do: of the phis on which its value
// depends, directly or through floating operators. A result of the skeleton counts like a phi of
// the region of its node. A data node dominates strictly the regions that are not regions of its
// phideps.
#pragma once

#include "graph/definitions.h"
#include "graph/dominance.h"

typedef struct {
    Preds preds;
    Dominance dominance; // of nodes; a region's is that of its first node
    uint32_t *region;    // node -> first node of its region
    const Definition *definitions;
    // Register -> numbers of the first nodes of regions that it dominates, from and to; none if
    // from > last. The register does not dominate `from` strictly, unless it has no phideps.
    uint32_t *from, *last;
    bool *constant; // register -> it has no phideps
} SonDominance;

// For a function that the verifier accepts. Linear but for dominance.
SonDominance son_dominance_of(Arena *arena, const Func *func);

// A region is given by its first node, which can be reached.
static inline bool son_data_dominates(const SonDominance *dom, Reg reg, Node region) {
    uint32_t number = dom->dominance.number[region.i];
    return dom->from[reg.i] <= number && number <= dom->last[reg.i];
}
static inline bool son_data_dominates_strictly(const SonDominance *dom, Reg reg, Node region) {
    return son_data_dominates(dom, reg, region) &&
           (dom->constant[reg.i] || dom->dominance.number[region.i] != dom->from[reg.i]);
}

// The regions that each region and each data node dominates, and the phideps, for people.
void son_dominance_print(Out *out, const Func *func);
