// The printer of SON. Nodes stand region by region, whatever their numbers. Floating operators
// stand behind the nodes, each behind its operands.
#include "text/print/son_print.h"

#include "fact/son_regions.h"
#include "text/print/print_forms.h"
#include "text/print/print_parts.h"

static bool index_sound(const Func *func) {
    const Son *son = func->son;
    uint32_t count = son->memory_phi_at.count;
    if (!count) return son->memory_phis.count == 0;
    if (count != func->nodes.count + 1 || son->memory_phi_at.at[0] != 0 ||
        son->memory_phi_at.at[count - 1] != son->memory_phis.count)
        return false;
    for (uint32_t n = 1; n < count; n++)
        if (son->memory_phi_at.at[n - 1] > son->memory_phi_at.at[n]) return false;
    return true;
}

bool son_readable(const Func *func, const Preds *preds) {
    const Son *son = func->son;
    if (!index_sound(func)) return false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t arity = preds_count(preds, (Node){n});
        for (uint32_t i = 0; i < son_memory_phi_count(func, (Node){n}); i++) {
            const MemoryPhi *phi = &son_memory_phis(func, (Node){n})[i];
            if ((uint64_t)phi->args_at + arity > son->memory_args.count) return false;
        }
    }
    return true;
}

// ---- Versions

void memory_class_print(Out *out, const Func *func, uint32_t memory) {
    if (memory == MEMORY_REST) {
        out_text(out, "rest");
        return;
    }
    if (memory > func->son->classes.count) {
        out_char(out, '?');
        return;
    }
    MemoryClass row = func->son->classes.at[memory - 1];
    if (row.is_slot)
        print_slot(out, func, row.ref);
    else if (row.ref < func->program->symbols.count)
        symbol_print(out, func->program, (Sym){row.ref});
    else
        out_char(out, '?');
}

void memory_phi_print(Out *out, const Func *func, const Preds *preds, Node join,
                      const MemoryPhi *phi) {
    out_printf(out, "m%u = phi ", phi->version);
    memory_class_print(out, func, phi->memory);
    out_text(out, " (");
    for (uint32_t k = 0; k < preds_count(preds, join); k++) {
        if (k) out_text(out, ", ");
        print_label(out, func, preds_at(preds, join)[k]);
        out_printf(out, ": m%u", memory_phi_args(func, phi)[k]);
    }
    out_char(out, ')');
}

void version_made_print(Out *out, const Func *func, Node node) {
    uint32_t made = son_makes(func, node);
    if (made == NO_ID) return;
    out_printf(out, func_at(func, node)->dest.i == NO_ID ? "m%u = " : "m%u, ", made);
}

void version_read_print(Out *out, const Func *func, Node node) {
    uint32_t read = son_reads(func, node);
    if (read != NO_ID) out_printf(out, " from m%u", read);
}

void region_print(Out *out, const Func *func, const Preds *preds, Node region) {
    out_text(out, "region ");
    print_label(out, func, region);
    for (uint32_t k = 0; k < preds_count(preds, region); k++) {
        out_text(out, k ? ", " : " from ");
        print_label(out, func, preds_at(preds, region)[k]);
    }
}

// ---- The order of the text

typedef struct {
    Arena *arena;
    const Func *func;
    Func *result;
    const Preds *preds;
    Preds after;     // those of the result
    uint32_t *order; // place -> node
    uint32_t *place; // node -> place
} Ordering;

// Regions come in the order of their first nodes. True if every node is at its own place.
static bool find_order(Ordering *ordering) {
    const Func *func = ordering->func;
    const uint32_t *region = son_regions(ordering->arena, func, ordering->preds);
    uint32_t count = func->nodes.count, next = 0;
    bool same = true;
    ordering->order = ARENA_ARRAY(ordering->arena, uint32_t, count);
    ordering->place = ARENA_ARRAY(ordering->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        if (region[n] != n) continue;
        uint32_t at = n;
        do {
            same &= at == next;
            ordering->place[at] = next;
            ordering->order[next++] = at;
            const Instr *instr = &func->nodes.at[at];
            at = instr->succ_count == 1 ? instr_succs(func, instr)[0].i : n;
        } while (at != n && region[at] == n);
    }
    return same;
}

static void order_nodes(Ordering *ordering) {
    const Func *func = ordering->func;
    Func *result = ordering->result;
    for (uint32_t i = 0; i < func->nodes.count; i++) {
        Node old = {ordering->order[i]};
        const Instr *instr = func_at(func, old);
        Node node = func_copy_instr(result, func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            func_set_succ(result, node, k, (Node){ordering->place[instr_succs(func, instr)[k].i]});
        vec_push(ordering->arena, &result->labels, func_label(func, old));
        vec_push(ordering->arena, &result->son->makes, son_makes(func, old));
        vec_push(ordering->arena, &result->son->reads, son_reads(func, old));
    }
    ordering->after = preds_of(ordering->arena, result);
}

// Predecessors have changed their order with their numbers. Of an edge that occurs twice, the
// arguments are the same or the function is not sound.
static void order_phis(Ordering *ordering) {
    const Func *func = ordering->func;
    VEC(Reg) args = {0};
    VEC(uint32_t) versions = {0};
    for (uint32_t i = 0; i < func->nodes.count; i++) {
        Node old = {ordering->order[i]}, join = {i};
        uint32_t arity = preds_count(&ordering->after, join);
        const Node *from = preds_at(&ordering->after, join);
        for (uint32_t k = 0; k < func_phi_count(func, old); k++) {
            const Phi *phi = &func_phis(func, old)[k];
            vec_clear(&args);
            for (uint32_t j = 0; j < arity; j++) {
                Node pred = {ordering->order[from[j].i]};
                vec_push(ordering->arena, &args,
                         phi_args(func, phi)[preds_index(ordering->preds, old, pred)]);
            }
            func_add_phi(ordering->result, join, phi->dest, args.at, arity);
        }
        for (uint32_t k = 0; k < son_memory_phi_count(func, old); k++) {
            const MemoryPhi *phi = &son_memory_phis(func, old)[k];
            vec_clear(&versions);
            for (uint32_t j = 0; j < arity; j++) {
                Node pred = {ordering->order[from[j].i]};
                vec_push(ordering->arena, &versions,
                         memory_phi_args(func, phi)[preds_index(ordering->preds, old, pred)]);
            }
            son_add_memory_phi(ordering->result, join, phi->memory, phi->version, versions.at,
                               arity);
        }
    }
    func_end_phis(ordering->result);
    son_end_memory(ordering->result);
}

const Func *son_in_order(Arena *arena, const Func *func, const Preds *preds) {
    Ordering ordering = {.arena = arena, .func = func, .preds = preds};
    if (find_order(&ordering)) return func;
    ordering.result = func_like(func, arena);
    ordering.result->son = son_new(arena);
    ordering.result->son->version_count = func->son->version_count;
    for (uint32_t i = 0; i < func->son->floating.count; i++)
        vec_push(arena, &ordering.result->son->floating, func->son->floating.at[i]);
    for (uint32_t i = 0; i < func->son->classes.count; i++)
        vec_push(arena, &ordering.result->son->classes, func->son->classes.at[i]);
    order_nodes(&ordering);
    order_phis(&ordering);
    return ordering.result;
}

// ---- Functions

static void print_classes(Out *out, const Func *func) {
    for (uint32_t k = 1; k <= func->son->classes.count; k++) {
        out_text(out, k == 1 ? "  memory " : ", ");
        memory_class_print(out, func, k);
    }
    if (func->son->classes.count) out_char(out, '\n');
}

static void print_floating(Out *out, const Func *func, const PrintOptions *options) {
    if (func->son->floating.count) out_text(out, "  floating:\n");
    for (uint32_t i = 0; i < func->son->floating.count; i++) {
        const Instr *instr = &func->son->floating.at[i];
        out_text(out, "    ");
        instr_print(out, func, instr);
        if (options->locations) print_location(out, func->program, instr->loc);
        out_char(out, '\n');
    }
}

void son_print(Out *out, const Func *func, const PrintOptions *options) {
    if (!func->son) {
        print_graph(out, func, options, false);
        return;
    }
    Arena *arena = arena_new("print");
    Preds preds = {0};
    const uint32_t *region = NULL;
    bool readable = func_printer_is_readable(func_printer_new(arena, out, func));
    if (readable) {
        preds = preds_of(arena, func);
        func = son_in_order(arena, func, &preds);
        preds = preds_of(arena, func);
        region = son_regions(arena, func, &preds);
    }
    FuncPrinter *p = func_printer_new(arena, out, func);
    func_header_print(out, func);
    out_text(out, " {\n");
    func_print_slots(out, func, 0);
    print_regs(p, false);
    print_classes(out, func);
    if (!readable) out_text(out, "  ?\n");
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (readable && region[n] == n) {
            out_text(out, "  ");
            region_print(out, func, &preds, (Node){n});
            out_text(out, ":\n");
        }
        func_print_node(p, (Node){n}, options);
    }
    print_floating(out, func, options);
    out_text(out, "}\n");
    arena_free(arena);
}
