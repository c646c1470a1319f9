// Remarks on gate_simplify: for each gate the old and the new predicate, and the branches that
// decide the missing parts.
#include "base/hash.h"
#include "graph/dominance.h"
#include "history/history_private.h"
#include "text/print/gsa_print.h"

enum { MOST_LOOKED_AT = 200, MOST_ATOMS = 8, MOST_SHOWN = 160 };

typedef struct {
    StepNotes *notes;
    Dominance dom; // of the function before
    GateText *text_before, *text_after;
    uint64_t *hash_before, *hash_after;        // per gate: equal if the gates are
    uint64_t *atoms_before, *atoms_after;      // the same per atom
    Map branches;                              // hash of a condition -> a branch that has it, and
    uint32_t *next;                            // per branch: the next one, or NO_ID
    uint32_t *seen_before, *seen_after, round; // per gate: the last round in which it was seen
} GateRemarks;

// ---- Gates of two tables compared

static uint64_t hash_of_cases(uint64_t hash, const int64_t *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) hash = hash_add(hash, (uint64_t)values[i]);
    return hash_add(hash, count);
}

static uint64_t hash_of_condition(uint16_t op, bool immediate, int64_t imm, const Reg *args,
                                  uint32_t count) {
    uint64_t hash = hash_add(hash_add(op, immediate), immediate ? (uint64_t)imm : 0);
    for (uint32_t i = 0; i < count; i++) hash = hash_add(hash, args[i].i);
    return hash;
}

static uint64_t *hash_atoms(Arena *arena, const Gsa *gsa) {
    uint64_t *hashes = ARENA_ARRAY(arena, uint64_t, (size_t)gsa->atoms.count + 1);
    for (uint32_t i = 0; i < gsa->atoms.count; i++) {
        const GateAtom *atom = &gsa->atoms.at[i];
        if (atom->op != OP_COUNT) {
            hashes[i] =
                hash_of_condition(atom->op, atom->immediate, atom->imm, atom->arg, atom->arg_count);
            continue;
        }
        GateCases cases = gsa->switches.at[atom->cases];
        hashes[i] =
            hash_of_cases(hash_add(OP_COUNT, atom->arg[0].i),
                          cases.count ? gsa->case_values.at + cases.first : NULL, cases.count);
    }
    return hashes;
}

static uint64_t *hash_gates(Arena *arena, const Gsa *gsa, const uint64_t *atoms) {
    uint64_t *hashes = ARENA_ARRAY(arena, uint64_t, (size_t)gsa->gates.count + 1);
    for (uint32_t i = 0; i < gsa->gates.count; i++) {
        const GateNode *gate = &gsa->gates.at[i];
        uint64_t hash = hash_add(gate->kind, gate->negated);
        if (gate->kind == GK_LITERAL)
            hash = hash_add(hash_add(hash, atoms[gate->first]), gsa->atoms.at[gate->first].way);
        else if (i >= 3)
            hash = hash_add(hash_add(hash, hashes[gate->first]), hashes[gate->second]);
        hashes[i] = hash;
    }
    return hashes;
}

// ---- Branches by their conditions

static void find_branches(GateRemarks *g) {
    const Func *func = g->notes->before;
    Arena *arena = g->notes->scratch;
    g->next = history_table(arena, func->nodes.count);
    for (uint32_t n = func->nodes.count; n-- > 0;) {
        const Instr *instr = &func->nodes.at[n];
        uint64_t hash;
        if (instr->kind == I_COND)
            hash = hash_of_condition(instr->op, instr->immediate, instr->imm,
                                     instr_args(func, instr), instr->arg_count);
        else if (instr->kind == I_SWITCH)
            hash = hash_of_cases(hash_add(OP_COUNT, instr_args(func, instr)[0].i),
                                 instr_cases(func, instr), instr->succ_count - 1);
        else
            continue;
        uint32_t first = map_get(&g->branches, hash);
        g->next[n] = first == HASH_NONE ? NO_ID : first;
        map_set(arena, &g->branches, hash, n);
    }
}

// Branches on account of which conditions need not be asked at a join.
typedef struct {
    VEC(uint32_t) above; // they were asked before control came to the block that dominates the join
    VEC(uint32_t) between; // all ways lead on to the join, whichever way these go
} GateReasons;

static void find_reason(GateRemarks *g, GateReasons *reasons, uint64_t condition, Node join) {
    Node above = g->dom.idom[join.i];
    uint32_t decides = NO_ID, between = NO_ID, steps = 0;
    uint32_t first = map_get(&g->branches, condition);
    for (uint32_t n = first == HASH_NONE ? NO_ID : first; n != NO_ID && steps++ < MOST_LOOKED_AT;
         n = g->next[n]) {
        if (!dominance_reaches(&g->dom, (Node){n}) || above.i == NO_ID || n == above.i) continue;
        if (dominates(&g->dom, (Node){n}, above))
            decides = n;
        else if (dominates(&g->dom, above, (Node){n}) && !dominates(&g->dom, join, (Node){n}))
            between = n;
    }
    if (decides != NO_ID)
        vec_push(g->notes->scratch, &reasons->above, decides);
    else if (between != NO_ID)
        vec_push(g->notes->scratch, &reasons->between, between);
}

// "the branch at node 5", "the branches at nodes 5, 7 and 9"
static void print_branches(const GateRemarks *g, Out *out, const uint32_t *at, uint32_t count) {
    out_text(out, count == 1 ? "the branch at node " : "the branches at nodes ");
    for (uint32_t i = 0; i < count; i++) {
        if (i) out_text(out, i + 1 == count ? " and " : ", ");
        out_u64(out, func_label(g->notes->before, (Node){at[i]}));
    }
}

static void print_reasons(const GateRemarks *g, Out *out, const GateReasons *reasons) {
    if (reasons->above.count) {
        out_text(out, ": decided by ");
        print_branches(g, out, reasons->above.at, reasons->above.count);
    }
    if (!reasons->above.count && !reasons->between.count)
        out_text(out, ": the rest is decided before, or makes no difference");
    if (!reasons->between.count) return;
    out_text(out, reasons->above.count ? "; which way " : ": which way ");
    print_branches(g, out, reasons->between.at, reasons->between.count);
    out_text(out,
             reasons->between.count == 1 ? " goes makes no difference" : " go makes no difference");
}

// ---- What is missing

typedef VEC(uint32_t) GateList;

// The atoms of a gate, each once, unless it is too large to be looked at.
static bool list_atoms(GateRemarks *g, const Gsa *gsa, uint32_t *seen, Gate gate, GateList *atoms) {
    GateList work = {0};
    uint32_t steps = 0;
    vec_push(g->notes->scratch, &work, gate.i);
    while (work.count) {
        uint32_t i = vec_pop(&work);
        const GateNode *node = &gsa->gates.at[i];
        if (seen[i] == g->round || i < 3) continue;
        seen[i] = g->round;
        if (steps++ > MOST_LOOKED_AT) return false;
        if (node->kind == GK_LITERAL) {
            vec_push(g->notes->scratch, atoms, node->first);
            continue;
        }
        vec_push(g->notes->scratch, &work, node->second);
        vec_push(g->notes->scratch, &work, node->first);
    }
    return true;
}

static void add_reasons(GateRemarks *g, Out *out, Gate was, Gate is, Node join) {
    GateList before = {0}, after = {0};
    GateReasons reasons = {0};
    g->round++;
    if (!list_atoms(g, g->notes->before->gsa, g->seen_before, was, &before) ||
        !list_atoms(g, g->notes->after->gsa, g->seen_after, is, &after))
        vec_clear(&before);
    for (uint32_t i = 0; i < before.count && i < MOST_ATOMS; i++) {
        uint64_t atom = g->atoms_before[before.at[i]];
        bool stays = false;
        for (uint32_t k = 0; k < i && !stays; k++) stays = g->atoms_before[before.at[k]] == atom;
        for (uint32_t k = 0; k < after.count && !stays; k++)
            stays = g->atoms_after[after.at[k]] == atom;
        if (!stays) find_reason(g, &reasons, atom, join);
    }
    print_reasons(g, out, &reasons);
}

// ---- Remarks

static void add_gate(Out *out, GateText *text, Gate gate) {
    size_t start = out->length;
    gate_text_spell(out, text, gate);
    if (out->length - start <= MOST_SHOWN) return;
    out->length = start + MOST_SHOWN;
    out_text(out, "...");
}

static void remark_gamma(GateRemarks *g, uint32_t it, uint32_t then) {
    StepNotes *notes = g->notes;
    const Func *before = notes->before, *after = notes->after;
    const Merge *was = &before->gsa->merges.at[notes->then_items->at[then].index];
    const Merge *is = &after->gsa->merges.at[notes->items->at[it].index];
    if (was->kind != MERGE_GAMMA || was->arg_count != is->arg_count) return;
    for (uint32_t k = 0; k < was->arg_count; k++) {
        const MergeArg *a = &merge_args(before, was)[k], *b = &merge_args(after, is)[k];
        if (g->hash_before[a->gate.i] == g->hash_after[b->gate.i]) continue;
        Out out = {0};
        out_text(&out, "gate of ");
        reg_print(&out, after, b->reg);
        out_text(&out, " was ");
        add_gate(&out, g->text_before, a->gate);
        out_text(&out, ", is ");
        add_gate(&out, g->text_after, b->gate);
        add_reasons(g, &out, a->gate, b->gate, (Node){notes->then_items->at[then].node});
        history_remark(notes, REMARK_REPLACED, then, it, NO_ID, "%.*s", (int)out.length, out.text);
        out_free(&out);
    }
}

void history_gate_simplify(StepNotes *notes, const GateSimplifyHint *hint) {
    Arena *arena = notes->scratch;
    const Gsa *before = notes->before->gsa, *after = notes->after->gsa;
    Preds preds = preds_of(arena, notes->before);
    (void)hint;
    GateRemarks g = {.notes = notes,
                     .dom = dominance_of(arena, notes->before, &preds),
                     .text_before = gate_text_new(arena, notes->before, NULL, 0),
                     .text_after = gate_text_new(arena, notes->after, NULL, 0),
                     .atoms_before = hash_atoms(arena, before),
                     .atoms_after = hash_atoms(arena, after),
                     .seen_before = ARENA_ARRAY(arena, uint32_t, before->gates.count),
                     .seen_after = ARENA_ARRAY(arena, uint32_t, after->gates.count)};
    g.hash_before = hash_gates(arena, before, g.atoms_before);
    g.hash_after = hash_gates(arena, after, g.atoms_after);
    find_branches(&g);
    history_same_names(notes);
    for (uint32_t i = 0; i < notes->items->count; i++)
        if (notes->items->at[i].kind == ITEM_MERGE && notes->then[i] != NO_ID)
            remark_gamma(&g, i, notes->then[i]);
}
