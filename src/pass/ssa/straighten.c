// From the last node to the first: a nop leads to where its successor does, unless that is a join
// with phis or comes before it; so does a branch if all its successors lead to the same node.
// Branches within the arms of others go first, as their numbers are larger. A way into a loop ends
// at the loop's header, so a branch whose ways meet behind a header stays: the loop would have a
// second entry.
#include "pass/pass.h"

#include "base/bits.h"
#include "fact/effects.h"

// The targets of edges that lead back. Nodes are in reverse postorder.
static Bits headers_of(Arena *arena, const Func *func) {
    Bits headers = bits_new(arena, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node succ = instr_succs(func, instr)[k];
            if (succ.i <= n) bits_add(&headers, succ.i);
        }
    }
    return headers;
}

// Where control comes from a node, and whether it passes the header of a loop on the way.
typedef struct {
    uint32_t to;
    bool enters;
} Lead;

typedef struct {
    const Func *func;
    Bits headers;
    Lead *leads; // of nodes that were looked at
} Straighten;

// Where a step from one node to the next leads; to NO_ID if it must not be skipped.
static Lead beyond(const Straighten *straighten, uint32_t from, Node to) {
    if (to.i <= from || func_phi_count(straighten->func, to)) return (Lead){.to = NO_ID};
    Lead lead = straighten->leads[to.i];
    lead.enters |= bits_has(&straighten->headers, to.i) && lead.to != to.i;
    return lead;
}

static Lead lead_of(const Straighten *straighten, uint32_t n) {
    const Instr *instr = &straighten->func->nodes.at[n];
    if (instr->kind != I_NOP && !instr_is_branch(instr)) return (Lead){.to = n};
    const Node *succs = instr_succs(straighten->func, instr);
    Lead common = beyond(straighten, n, succs[0]);
    for (uint32_t k = 1; k < instr->succ_count && common.to != NO_ID; k++) {
        Lead other = beyond(straighten, n, succs[k]);
        if (other.to != common.to) return (Lead){.to = n};
        common.enters |= other.enters;
    }
    return common.to == NO_ID ? (Lead){.to = n} : common;
}

// The function with nops instead of branches all of whose ways come to the same node without doing
// anything, which lead there; NULL if there are none. Code that can no longer be reached stays for
// tidy to remove. The hint is empty: each node stands for itself.
Func *straighten(Arena *arena, const Func *func, CopiesHint *hint) {
    Straighten straighten = {.func = func,
                             .headers = headers_of(arena, func),
                             .leads = ARENA_ARRAY(arena, Lead, func->nodes.count)};
    Func *result = NULL;
    (void)hint;
    for (uint32_t n = func->nodes.count; n-- > 0;) {
        const Instr *instr = &func->nodes.at[n];
        Lead lead = straighten.leads[n] = lead_of(&straighten, n);
        if (lead.to == n || lead.enters || instr->kind == I_NOP) continue;
        if (!result) result = func_clone(func, arena);
        result->nodes.at[n] = (Instr){
            .kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{lead.to}}, .loc = instr->loc};
    }
    return result;
}
