// Pictures of Sea of Nodes. Each region is a shaded box with its phis, its instructions and its
// end. Each floating operator has an ellipse of its own, outside of all regions.
//
// Control goes along bold edges, labelled as in other pictures; dashed where control goes back.
// Data goes along thin grey edges, from its definition to its uses. Memory goes along dotted blue
// edges, with the version, from the region that makes the version to the regions that read it.
// Edges from a region to itself are not drawn, and parallel edges are drawn once.
#include "base/hash.h"
#include "fact/son_regions.h"
#include "graph/definitions.h"
#include "graph/dominance.h"
#include "text/print/draw.h"
#include "text/print/print_parts.h"
#include "text/print/son_print.h"

typedef struct {
    Out *out;
    Arena *arena;
    const Func *func; // in the order of the text
    Preds preds;
    Dominance dominance;
    const uint32_t *region;
    const Definition *definitions;
    uint32_t *made_in; // version -> the region that makes it, or NO_ID
    Map drawn;         // edges of data and memory
    Out line;
} SonPicture;

// ---- Boxes and ellipses

static void write_region_name(const SonPicture *p, uint32_t region) {
    out_printf(p->out, "f%u_%u", p->func->symbol.i, func_label(p->func, (Node){region}));
}

static void write_operator_name(const SonPicture *p, uint32_t which) {
    out_printf(p->out, "f%u_d%u", p->func->symbol.i, which);
}

static void end_line(SonPicture *p) {
    draw_text(p->out, &p->line);
    out_text(p->out, "\\l");
    p->line.length = 0;
}

static void write_node(SonPicture *p, Node node) {
    const Func *func = p->func;
    for (uint32_t i = 0; i < func_phi_count(func, node); i++) {
        phi_print(&p->line, func, &p->preds, node, &func_phis(func, node)[i]);
        end_line(p);
    }
    for (uint32_t i = 0; i < son_memory_phi_count(func, node); i++) {
        memory_phi_print(&p->line, func, &p->preds, node, &son_memory_phis(func, node)[i]);
        end_line(p);
    }
    const Instr *instr = func_at(func, node);
    if (instr->kind == I_NOP) return;
    out_printf(&p->line, "%u: ", func_label(func, node));
    version_made_print(&p->line, func, node);
    instr_print(&p->line, func, instr);
    version_read_print(&p->line, func, node);
    end_line(p);
}

// In the order of the text, the nodes of a region follow its first one.
static void write_region(SonPicture *p, uint32_t region) {
    out_text(p->out, "    ");
    write_region_name(p, region);
    out_text(p->out, " [style=filled, fillcolor=gray90, label=\"");
    out_printf(&p->line, "region %u", func_label(p->func, (Node){region}));
    end_line(p);
    for (uint32_t n = region; n < p->func->nodes.count && p->region[n] == region; n++)
        write_node(p, (Node){n});
    out_char(p->out, '"');
    if (!dominance_reaches(&p->dominance, (Node){region}))
        out_text(p->out, ", color=grey, fontcolor=grey");
    out_text(p->out, "];\n");
}

static void write_operator(SonPicture *p, uint32_t which) {
    out_text(p->out, "    ");
    write_operator_name(p, which);
    out_text(p->out, " [shape=ellipse, label=\"");
    instr_print(&p->line, p->func, &p->func->son->floating.at[which]);
    draw_text(p->out, &p->line);
    p->line.length = 0;
    out_text(p->out, "\"];\n");
}

// ---- Edges

static void write_way(const SonPicture *p, const Instr *instr, uint32_t k) {
    if (instr->kind == I_COND)
        out_printf(p->out, ", label=\"%s\"", k == 0 ? "T" : "F");
    else if (instr->kind == I_SWITCH && k == 0)
        out_text(p->out, ", label=\"default\"");
    else if (instr->kind == I_SWITCH)
        out_printf(p->out, ", label=\"%lld\"", (long long)instr_cases(p->func, instr)[k - 1]);
}

static bool goes_back(const SonPicture *p, Node from, Node to) {
    return dominance_reaches(&p->dominance, from) && dominates(&p->dominance, to, from);
}

static void write_control(const SonPicture *p, Node node) {
    const Instr *instr = func_at(p->func, node);
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Node to = instr_succs(p->func, instr)[k];
        if (p->region[to.i] != to.i) continue;
        out_text(p->out, "    ");
        write_region_name(p, p->region[node.i]);
        out_text(p->out, " -> ");
        write_region_name(p, to.i);
        out_printf(p->out, " [style=\"bold%s\"", goes_back(p, node, to) ? ",dashed" : "");
        write_way(p, instr, k);
        out_text(p->out, "];\n");
    }
}

// Where data comes from or goes to: a region, or, behind all nodes, a floating operator.
static void write_end(const SonPicture *p, uint32_t end) {
    if (end < p->func->nodes.count)
        write_region_name(p, end);
    else
        write_operator_name(p, end - p->func->nodes.count);
}

static bool is_new(SonPicture *p, uint32_t from, uint32_t to, bool memory) {
    uint64_t key = ((uint64_t)from << 32 | to) * 2 + memory;
    if (from == to || map_get(&p->drawn, key) != HASH_NONE) return false;
    map_set(p->arena, &p->drawn, key, 1);
    return true;
}

static void write_data(SonPicture *p, Reg reg, uint32_t to) {
    Definition definition = p->definitions[reg.i];
    uint32_t from;
    if (definition.by == SET_BY_FLOATING)
        from = p->func->nodes.count + definition.at;
    else if (definition.node.i != NO_ID)
        from = p->region[definition.node.i];
    else
        return;
    if (!is_new(p, from, to, false)) return;
    out_text(p->out, "    ");
    write_end(p, from);
    out_text(p->out, " -> ");
    write_end(p, to);
    out_text(p->out, " [color=gray50, arrowsize=0.6];\n");
}

static void write_memory(SonPicture *p, uint32_t version, uint32_t to) {
    uint32_t from = version < p->func->son->version_count ? p->made_in[version] : NO_ID;
    if (from == NO_ID || !is_new(p, from, to, true)) return;
    out_text(p->out, "    ");
    write_end(p, from);
    out_text(p->out, " -> ");
    write_end(p, to);
    out_printf(p->out,
               " [style=dotted, color=blue, fontcolor=blue, label=\"m%u\", constraint=false];\n",
               version);
}

static void write_reads(SonPicture *p, Node node) {
    const Func *func = p->func;
    const Instr *instr = func_at(func, node);
    uint32_t region = p->region[node.i], arity = preds_count(&p->preds, node);
    for (uint32_t i = 0; i < func_phi_count(func, node); i++)
        for (uint32_t k = 0; k < arity; k++)
            write_data(p, phi_args(func, &func_phis(func, node)[i])[k], region);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        write_data(p, instr_args(func, instr)[k], region);
    for (uint32_t i = 0; i < son_memory_phi_count(func, node); i++)
        for (uint32_t k = 0; k < arity; k++)
            write_memory(p, memory_phi_args(func, &son_memory_phis(func, node)[i])[k], region);
    if (son_reads(func, node) != NO_ID) write_memory(p, son_reads(func, node), region);
}

// ---- All of it

static void find_makers(SonPicture *p) {
    const Son *son = p->func->son;
    p->made_in = ARENA_ARRAY(p->arena, uint32_t, son->version_count);
    for (uint32_t i = 0; i < son->version_count; i++) p->made_in[i] = NO_ID;
    for (uint32_t n = 0; n < p->func->nodes.count; n++) {
        uint32_t made = son_makes(p->func, (Node){n});
        if (made < son->version_count) p->made_in[made] = p->region[n];
        for (uint32_t i = 0; i < son_memory_phi_count(p->func, (Node){n}); i++) {
            uint32_t version = son_memory_phis(p->func, (Node){n})[i].version;
            if (version < son->version_count) p->made_in[version] = p->region[n];
        }
    }
}

void son_draw(Out *out, const Func *func) {
    SonPicture p = {.out = out, .arena = arena_new("dot")};
    Preds preds = preds_of(p.arena, func);
    p.func = func = son_in_order(p.arena, func, &preds);
    p.preds = preds_of(p.arena, func);
    p.dominance = dominance_of(p.arena, func, &p.preds);
    p.region = son_regions(p.arena, func, &p.preds);
    p.definitions = definitions_of(p.arena, func);
    find_makers(&p);
    if (func->nodes.count) draw_entry(out, func, func_label(func, (Node){0}));
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (p.region[n] == n) write_region(&p, n);
    for (uint32_t i = 0; i < func->son->floating.count; i++) write_operator(&p, i);
    for (uint32_t n = 0; n < func->nodes.count; n++) write_control(&p, (Node){n});
    for (uint32_t n = 0; n < func->nodes.count; n++) write_reads(&p, (Node){n});
    for (uint32_t i = 0; i < func->son->floating.count; i++) {
        const Instr *instr = &func->son->floating.at[i];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            write_data(&p, instr->arg[k], func->nodes.count + i);
    }
    arena_free(p.arena);
    out_free(&p.line);
}
