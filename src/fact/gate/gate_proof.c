// Proves implications by marks. If `from` is 1, so are the conjuncts of which `from` is made, down
// to the ones that are no conjunctions; all of them get the mark HOLDS. With the marked predicates
// given, a disjunction is 1 if an operand is, a conjunction if both are.
#include "fact/gate/gate_proof.h"

enum { UNKNOWN, OPEN, HOLDS, FAILS };

GateProof gate_proof_new(Arena *arena, const Gsa *gsa) {
    return (GateProof){.arena = arena,
                       .gsa = gsa,
                       .round_of = ARENA_ARRAY(arena, uint32_t, gsa->gates.count),
                       .mark = ARENA_ARRAY(arena, uint8_t, gsa->gates.count)};
}

static uint8_t mark_of(const GateProof *proof, uint32_t gate) {
    return proof->round_of[gate] == proof->round ? proof->mark[gate] : UNKNOWN;
}

static void set_mark(GateProof *proof, uint32_t gate, uint8_t mark) {
    proof->round_of[gate] = proof->round;
    proof->mark[gate] = mark;
}

static void assume(GateProof *proof, uint32_t gate) {
    vec_push(proof->arena, &proof->waiting, gate);
    while (proof->waiting.count) {
        uint32_t at = vec_pop(&proof->waiting);
        proof->work++;
        if (mark_of(proof, at) == HOLDS) continue;
        set_mark(proof, at, HOLDS);
        const GateNode *node = &proof->gsa->gates.at[at];
        if (node->kind != GK_AND) continue;
        vec_push(proof->arena, &proof->waiting, node->first);
        vec_push(proof->arena, &proof->waiting, node->second);
    }
}

// The value of a node whose operands are marked.
static uint8_t conclude(const GateProof *proof, const GateNode *node) {
    if (node->kind == GK_TRUE) return HOLDS;
    if (node->kind != GK_AND && node->kind != GK_OR) return FAILS;
    bool first = mark_of(proof, node->first) == HOLDS,
         second = mark_of(proof, node->second) == HOLDS;
    return (node->kind == GK_AND ? first && second : first || second) ? HOLDS : FAILS;
}

// Whether a node's first operand, which is marked, leaves the value of the node open.
static bool needs_second(const GateProof *proof, const GateNode *node) {
    return (mark_of(proof, node->first) == HOLDS) == (node->kind == GK_AND) &&
           mark_of(proof, node->second) == UNKNOWN;
}

static bool find_follows(GateProof *proof, Gate from, Gate to) {
    proof->round++;
    assume(proof, from.i);
    vec_push(proof->arena, &proof->waiting, to.i);
    while (proof->waiting.count) {
        uint32_t at = proof->waiting.at[proof->waiting.count - 1];
        proof->work++;
        const GateNode *node = &proof->gsa->gates.at[at];
        uint8_t mark = mark_of(proof, at);
        bool compound = node->kind == GK_AND || node->kind == GK_OR;
        if (mark == UNKNOWN && compound) {
            set_mark(proof, at, OPEN);
            vec_push(proof->arena, &proof->waiting, node->first);
        } else if (mark == OPEN && needs_second(proof, node)) {
            vec_push(proof->arena, &proof->waiting, node->second);
        } else {
            if (mark == UNKNOWN || mark == OPEN) set_mark(proof, at, conclude(proof, node));
            proof->waiting.count--;
        }
    }
    return mark_of(proof, to.i) == HOLDS;
}

bool gate_follows(GateProof *proof, Gate from, Gate to) {
    uint64_t question = (uint64_t)from.i << 32 | to.i;
    uint32_t known = map_get(&proof->known, question);
    if (known == HASH_NONE) {
        known = find_follows(proof, from, to);
        map_set(proof->arena, &proof->known, question, known);
    }
    return known;
}

// ---- Disjuncts

GateDisjuncts gate_disjuncts_new(Arena *arena, const Gsa *gsa) {
    return (GateDisjuncts){.arena = arena,
                           .gsa = gsa,
                           .whole_in = ARENA_ARRAY(arena, uint32_t, gsa->gates.count),
                           .seen_in = ARENA_ARRAY(arena, uint32_t, gsa->gates.count),
                           .holder = ARENA_ARRAY(arena, uint32_t, gsa->gates.count)};
}

void gate_disjuncts_group(GateDisjuncts *disjuncts, const Gate *wholes, uint32_t count) {
    disjuncts->group++;
    for (uint32_t i = 0; i < count; i++) disjuncts->whole_in[wholes[i].i] = disjuncts->group;
}

static void search_gate(GateDisjuncts *disjuncts, Gate gate, uint32_t argument) {
    vec_push(disjuncts->arena, &disjuncts->waiting, gate.i);
    while (disjuncts->waiting.count) {
        uint32_t at = vec_pop(&disjuncts->waiting);
        disjuncts->work++;
        const GateNode *node = &disjuncts->gsa->gates.at[at];
        if (disjuncts->seen_in[at] == disjuncts->search) continue;
        disjuncts->seen_in[at] = disjuncts->search;
        disjuncts->holder[at] = argument;
        if (node->kind != GK_OR || disjuncts->whole_in[at] == disjuncts->group) continue;
        vec_push(disjuncts->arena, &disjuncts->waiting, node->second);
        vec_push(disjuncts->arena, &disjuncts->waiting, node->first);
    }
}

void gate_disjuncts_search(GateDisjuncts *disjuncts, const MergeArg *args, uint32_t count) {
    disjuncts->search++;
    for (uint32_t i = 0; i < count; i++) search_gate(disjuncts, args[i].gate, i);
}

uint32_t gate_disjuncts_holder(const GateDisjuncts *disjuncts, Gate disjunct) {
    return disjuncts->seen_in[disjunct.i] == disjuncts->search ? disjuncts->holder[disjunct.i]
                                                               : NO_ID;
}
