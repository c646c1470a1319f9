#include "test/gen/slice_graph.h"

typedef struct {
    Arena *arena;
    const SliceVariables *variables;
    const Bits *kept;
    const uint32_t *next;
    Bits *relevant; // in front of each node
    Bits reached;
} SliceTest;

static void find_reached(SliceTest *test) {
    const Func *func = test->variables->func;
    test->reached = bits_new(test->arena, func->nodes.count);
    VEC(uint32_t) work = {0};
    bits_add(&test->reached, 0);
    vec_push(test->arena, &work, 0);
    while (work.count) {
        const Instr *instr = &func->nodes.at[vec_pop(&work)];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(func, instr)[k].i;
            if (bits_put(&test->reached, succ)) vec_push(test->arena, &work, succ);
        }
    }
}

static bool update(SliceTest *test, uint32_t node) {
    const Func *func = test->variables->func;
    const Instr *instr = &func->nodes.at[node];
    Bits after = bits_new(test->arena, test->variables->count);
    for (uint32_t k = 0; k < instr->succ_count; k++)
        bits_union(&after, &test->relevant[instr_succs(func, instr)[k].i]);
    if (bits_has(test->kept, node)) {
        SliceSpan sets = slice_list(test->variables, (Node){node}, SLICE_SETS);
        for (uint32_t k = 0; k < sets.count; k++) bits_remove(&after, sets.at[k]);
        SliceSpan reads = slice_list(test->variables, (Node){node}, SLICE_READS);
        for (uint32_t k = 0; k < reads.count; k++) bits_add(&after, reads.at[k]);
    }
    return bits_union(&test->relevant[node], &after);
}

static const char *data_complaint(SliceTest *test, uint32_t node) {
    const Func *func = test->variables->func;
    const Instr *instr = &func->nodes.at[node];
    for (SliceList list = SLICE_SETS; list <= SLICE_MAY_SET; list++) {
        SliceSpan sets = slice_list(test->variables, (Node){node}, list);
        for (uint32_t i = 0; i < sets.count; i++)
            for (uint32_t k = 0; k < instr->succ_count; k++)
                for (uint32_t v = 0; v < test->variables->count; v++)
                    if (bits_has(&test->relevant[instr_succs(func, instr)[k].i], v) &&
                        slice_overlap(test->variables, v, sets.at[i]))
                        return arena_printf(test->arena, "dropped node %u sets variable %u", node,
                                            v);
    }
    return NULL;
}

static const char *control_complaint(SliceTest *test, uint32_t node) {
    const Func *func = test->variables->func;
    const Instr *instr = &func->nodes.at[node];
    uint32_t next = test->next[node];
    bool any = next == SLICE_NEXT_ANY;
    if (instr->succ_count == 0 && next != SLICE_NEXT_NONE && !(any && instr->kind != I_RETURN))
        return arena_printf(test->arena, "the end at node %u has a next node", node);
    bool same = instr->succ_count == 0 || any;
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        uint32_t other = test->next[instr_succs(func, instr)[k].i];
        if (other == next) same = true;
        if (other != next && (any || other != SLICE_NEXT_ANY))
            return arena_printf(test->arena, "dropped node %u has two next nodes", node);
    }
    return same ? NULL : arena_printf(test->arena, "dropped node %u leads nowhere", node);
}

const char *slice_complaint(Arena *arena, const SliceVariables *variables, const Bits *kept,
                            const uint32_t *next, const SliceWanted *wanted,
                            uint32_t wanted_count) {
    SliceTest test = {.arena = arena, .variables = variables, .kept = kept, .next = next};
    uint32_t count = variables->func->nodes.count;
    test.relevant = ARENA_ARRAY(arena, Bits, count);
    for (uint32_t n = 0; n < count; n++) test.relevant[n] = bits_new(arena, variables->count);
    for (uint32_t i = 0; i < wanted_count; i++)
        bits_add(&test.relevant[wanted[i].node.i], wanted[i].variable);
    find_reached(&test);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = count; n-- > 0;) changed |= update(&test, n);
    }
    for (uint32_t n = 0; n < count; n++) {
        if (!bits_has(&test.reached, n)) continue;
        if (bits_has(kept, n)) {
            if (next[n] != n) return "a kept node is not its own next";
            continue;
        }
        const char *complaint = data_complaint(&test, n);
        if (!complaint) complaint = control_complaint(&test, n);
        if (complaint) return complaint;
    }
    return NULL;
}

// ---- Graphs to be run

Func *slice_graph(Arena *arena, const Func *func, const Bits *kept, const uint32_t *next) {
    Func *slice = func_clone(func, arena);
    uint32_t count = func->nodes.count;
    const SigInfo *sig = program_sig_info(func->program, func->sig);
    Type type = ptype_reg_type(program_ptype_info(func->program, sig->result));
    Reg zero = func_temp(slice, type);
    Node end = func_const(slice, zero, 0, (Node){count + 1});
    Node leave = func_add(slice, (Instr){.kind = I_RETURN, .dest = NO_REG});
    func_set_args(slice, leave, &zero, 1);
    for (uint32_t n = 0; n < count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (bits_has(kept, n)) {
            for (uint32_t k = 0; k < instr->succ_count; k++) {
                uint32_t to = next[instr_succs(func, instr)[k].i];
                func_set_succ(slice, (Node){n}, k, to < SLICE_NEXT_ANY ? (Node){to} : end);
            }
            continue;
        }
        Node to = next[n] < SLICE_NEXT_ANY ? (Node){next[n]} : end;
        slice->nodes.at[n] = (Instr){.kind = I_NOP, .dest = NO_REG};
        func_set_succs(slice, (Node){n}, &to, 1);
    }
    return slice;
}

Func *func_telling(Arena *arena, const Func *func, Node node, Reg reg) {
    Func *told = func_clone(func, arena);
    Program *program = func->program;
    Sym symbol = program_symbol(program, str_of(&program->strings, "told"), SYM_DATA);
    Symbol *info = program_at(program, symbol);
    info->defined = true;
    info->size = info->align = 4;
    // The node moves to the end, and the event takes its place.
    Node moved = func_duplicate(told, node);
    told->nodes.at[node.i] = (Instr){.kind = I_BUILTIN,
                                     .op = BI_VOLATILE_STORE,
                                     .base = BASE_SYMBOL,
                                     .chunk = CHUNK_I32,
                                     .ref = symbol.i,
                                     .dest = NO_REG};
    func_set_args(told, node, &reg, 1);
    func_set_succs(told, node, &moved, 1);
    return told;
}
