// Sets of nodes are bit masks here, and everything is computed by its definition.
#include "test/gen/normal_form.h"

typedef struct {
    uint32_t count;
    uint64_t preds[64], succs[64];
    uint64_t dominators[64];
    uint64_t loop[64]; // per header, its natural loop; 0 for other nodes
} Naive;

static uint64_t bit(uint32_t i) {
    return (uint64_t)1 << i;
}

static void naive_dominators(Naive *naive) {
    for (uint32_t i = 0; i < naive->count; i++) naive->dominators[i] = i ? ~(uint64_t)0 : 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < naive->count; i++) {
            uint64_t set = ~(uint64_t)0;
            for (uint32_t p = 0; p < naive->count; p++)
                if (naive->preds[i] & bit(p)) set &= naive->dominators[p];
            set |= bit(i);
            changed |= set != naive->dominators[i];
            naive->dominators[i] = set;
        }
    }
}

// The natural loop of a header: what reaches one of its latches without passing it.
static uint64_t natural_loop(const Naive *naive, uint32_t header) {
    uint64_t body = bit(header), todo = 0;
    for (uint32_t u = 0; u < naive->count; u++)
        if (naive->succs[u] & bit(header) && naive->dominators[u] & bit(header)) todo |= bit(u);
    if (!todo) return 0;
    while (todo) {
        uint32_t u = (uint32_t)__builtin_ctzll(todo);
        todo &= todo - 1;
        if (body & bit(u)) continue;
        body |= bit(u);
        todo |= naive->preds[u] & ~body;
    }
    return body;
}

static bool is_nop(const Func *func, uint32_t node) {
    return func->nodes.at[node].kind == I_NOP;
}

static const char *naive_loops(const Naive *naive, const Func *func) {
    for (uint32_t h = 0; h < naive->count; h++) {
        if (!naive->loop[h]) continue;
        if (__builtin_popcountll(naive->preds[h] & naive->loop[h]) != 1) return "latches";
        if (__builtin_popcountll(naive->preds[h] & ~naive->loop[h]) != 1) return "entries";
        for (uint32_t u = 0; u < naive->count; u++)
            if (naive->loop[h] & bit(u) && u != h && naive->preds[u] & ~naive->loop[h])
                return "a loop entered beside its header";
    }
    // one pad for each loop that an edge leaves
    for (uint32_t u = 0; u < naive->count; u++)
        for (uint32_t v = 0; v < naive->count; v++) {
            if (!(naive->succs[u] & bit(v))) continue;
            uint32_t pad = v;
            for (uint32_t h = 0; h < naive->count; h++) {
                if (!(naive->loop[h] & bit(u)) || naive->loop[h] & bit(v)) continue;
                if (!is_nop(func, pad) || __builtin_popcountll(naive->preds[pad]) != 1)
                    return "pads";
                pad = func->nodes.at[pad].succ[0].i;
            }
        }
    return NULL;
}

const char *normal_form_defect(const Func *func) {
    Naive naive = {.count = func->nodes.count};
    for (uint32_t u = 0; u < naive.count; u++) {
        const Instr *instr = &func->nodes.at[u];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t v = instr_succs(func, instr)[k].i;
            if (naive.succs[u] & bit(v)) return "an edge that occurs twice";
            naive.succs[u] |= bit(v);
            naive.preds[v] |= bit(u);
        }
    }
    if (naive.preds[0]) return "the entry has a predecessor";
    uint64_t reached = 1, before = 0;
    while (reached != before) {
        before = reached;
        for (uint32_t u = 0; u < naive.count; u++)
            if (reached & bit(u)) reached |= naive.succs[u];
    }
    if (naive.count < 64 ? reached != bit(naive.count) - 1 : reached != ~(uint64_t)0)
        return "unreachable nodes";
    naive_dominators(&naive);
    for (uint32_t v = 0; v < naive.count; v++) {
        naive.loop[v] = natural_loop(&naive, v);
        for (uint32_t u = 0; u < naive.count; u++) {
            if (!(naive.preds[v] & bit(u))) continue;
            if (__builtin_popcountll(naive.preds[v]) > 1 && !is_nop(func, u)) return "joins";
            if (u >= v && !(naive.dominators[u] & bit(v))) return "an irreducible edge";
        }
    }
    return naive_loops(&naive, func);
}
