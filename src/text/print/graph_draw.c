// Pictures of graphs. Back edges are found by a depth-first walk over blocks; everything is written
// in order of the nodes, so that equal functions give equal pictures.
#include "base/bits.h"
#include "graph/basic_blocks.h"
#include "text/print/draw.h"
#include "text/print/gsa_print.h"
#include "text/print/print_forms.h"
#include "text/print/son_print.h"

typedef struct {
    Out *out;
    const Func *func;
    Arena *arena;
    Preds preds;
    Bits leaders;    // nodes that start a block
    Bits reached;    // leaders that can be reached from the entry
    Bits open;       // leaders on the current path of the walk
    uint32_t *end;   // for each leader, the last node of its block
    Bits *back;      // for each leader, which edges of its block go back; NULL if it has no edges
    GateText *gates; // of GSA
    Out line;        // what is being composed
} Picture;

// ---- Blocks

static void find_leaders(Picture *picture) {
    const Func *func = picture->func;
    uint32_t count = func->nodes.count;
    picture->preds = preds_of(picture->arena, func);
    picture->leaders = bits_new(picture->arena, count);
    picture->end = ARENA_ARRAY(picture->arena, uint32_t, count);
    const uint32_t *heads = block_heads(picture->arena, func, &picture->preds);
    for (uint32_t i = 0; i < count; i++) {
        const Instr *instr = &func->nodes.at[i];
        if (heads[i] == i) bits_add(&picture->leaders, i);
        bool ends = instr->succ_count != 1 || heads[instr->succ[0].i] == instr->succ[0].i;
        if (ends) picture->end[heads[i]] = i;
    }
}

static const Instr *box_end(const Picture *picture, uint32_t leader) {
    return func_at(picture->func, (Node){picture->end[leader]});
}

// A step of the walk: a leader and how many of its block's edges have been followed.
typedef struct {
    uint32_t leader;
    uint32_t edge;
} DrawVisit;

static DrawVisit enter_block(Picture *picture, uint32_t leader) {
    uint32_t edges = box_end(picture, leader)->succ_count;
    bits_add(&picture->reached, leader);
    bits_add(&picture->open, leader);
    picture->back[leader] = bits_new(picture->arena, edges);
    return (DrawVisit){.leader = leader};
}

// Walks depth first from the entry and notes which edges lead to a block that is still open.
static void find_back_edges(Picture *picture) {
    uint32_t count = picture->func->nodes.count;
    picture->reached = bits_new(picture->arena, count);
    picture->open = bits_new(picture->arena, count);
    picture->back = ARENA_ARRAY(picture->arena, Bits, count);
    VEC(DrawVisit) stack = {0};
    if (count) vec_push(picture->arena, &stack, enter_block(picture, 0));
    while (stack.count) {
        DrawVisit *top = &stack.at[stack.count - 1];
        const Instr *end = box_end(picture, top->leader);
        if (top->edge == end->succ_count) {
            bits_remove(&picture->open, top->leader);
            stack.count--;
            continue;
        }
        uint32_t edge = top->edge++;
        uint32_t next = instr_succs(picture->func, end)[edge].i;
        if (bits_has(&picture->open, next))
            bits_add(&picture->back[top->leader], edge);
        else if (!bits_has(&picture->reached, next))
            vec_push(picture->arena, &stack, enter_block(picture, next));
    }
}

// ---- Text

// What is in picture->line, as part of a label.
static void write_line(Picture *picture) {
    draw_text(picture->out, &picture->line);
    picture->line.length = 0;
}

// Names are made of the function's and the node's number, so that those of all functions differ.
static void write_name(const Picture *picture, uint32_t leader) {
    out_printf(picture->out, "f%u_%u", picture->func->symbol.i,
               func_label(picture->func, (Node){leader}));
}

static void start_line(Picture *picture, Node node) {
    out_printf(&picture->line, "%u: ", func_label(picture->func, node));
}

static void end_line(Picture *picture) {
    write_line(picture);
    out_text(picture->out, "\\l");
}

// A join or a pad starts its block, so only the first node of a block can have phis, merges or
// etas.
static void write_phis(Picture *picture, Node join) {
    const Func *func = picture->func;
    for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
        start_line(picture, join);
        phi_print(&picture->line, func, &picture->preds, join, &func_phis(func, join)[i]);
        end_line(picture);
    }
}

static void write_gated(Picture *picture, Node node) {
    const Func *func = picture->func;
    for (uint32_t i = 0; i < gsa_eta_count(func, node); i++) {
        start_line(picture, node);
        eta_print(&picture->line, picture->gates, &gsa_etas(func, node)[i]);
        end_line(picture);
    }
    for (uint32_t i = 0; i < gsa_merge_count(func, node); i++) {
        start_line(picture, node);
        merge_print(&picture->line, picture->gates, &gsa_merges(func, node)[i]);
        end_line(picture);
    }
}

// What the names of gates and lists of cases stand for, in a box beside.
static void write_gate_names(Picture *picture) {
    gate_text_lines(&picture->line, picture->gates, "", "\n");
    if (!picture->line.length) return;
    out_printf(picture->out, "    f%u_gates [shape=note, label=\"", picture->func->symbol.i);
    write_line(picture);
    out_text(picture->out, "\"];\n");
}

static void write_block(Picture *picture, uint32_t leader) {
    Out *out = picture->out;
    out_text(out, "    ");
    write_name(picture, leader);
    out_text(out, " [label=\"");
    write_phis(picture, (Node){leader});
    if (picture->gates) write_gated(picture, (Node){leader});
    for (Node at = {leader};; at = instr_succs(picture->func, func_at(picture->func, at))[0]) {
        start_line(picture, at);
        instr_print(&picture->line, picture->func, func_at(picture->func, at));
        end_line(picture);
        if (at.i == picture->end[leader]) break;
    }
    out_char(out, '"');
    if (!bits_has(&picture->reached, leader)) out_text(out, ", color=grey, fontcolor=grey");
    out_text(out, "];\n");
}

static void write_edge_label(const Picture *picture, const Instr *instr, uint32_t edge) {
    Out *out = picture->out;
    if (instr->kind == I_COND)
        out_printf(out, "label=\"%s\"", edge == 0 ? "T" : "F");
    else if (edge == 0)
        out_text(out, "label=\"default\"");
    else
        out_printf(out, "label=\"%lld\"", (long long)instr_cases(picture->func, instr)[edge - 1]);
}

static void write_edges(const Picture *picture, uint32_t leader) {
    Out *out = picture->out;
    const Instr *instr = box_end(picture, leader);
    for (uint32_t i = 0; i < instr->succ_count; i++) {
        bool labelled = instr->kind == I_COND || instr->kind == I_SWITCH;
        bool back = bits_has(&picture->reached, leader) && bits_has(&picture->back[leader], i);
        out_text(out, "    ");
        write_name(picture, leader);
        out_text(out, " -> ");
        write_name(picture, instr_succs(picture->func, instr)[i].i);
        if (labelled || back) out_text(out, " [");
        if (labelled) write_edge_label(picture, instr, i);
        if (labelled && back) out_text(out, ", ");
        if (back) out_text(out, "style=dashed");
        out_text(out, labelled || back ? "];\n" : ";\n");
    }
}

void graph_draw(Out *out, const Func *func) {
    if (func->son) {
        son_draw(out, func);
        return;
    }
    Picture picture = {.out = out, .func = func, .arena = arena_new("dot")};
    find_leaders(&picture);
    find_back_edges(&picture);
    if (func->gsa) picture.gates = gate_text_new(picture.arena, func, NULL, 0);
    if (func->nodes.count) draw_entry(out, func, func_label(func, (Node){0}));
    if (picture.gates) write_gate_names(&picture);
    for (uint32_t i = 0; i < func->nodes.count; i++)
        if (bits_has(&picture.leaders, i)) write_block(&picture, i);
    for (uint32_t i = 0; i < func->nodes.count; i++)
        if (bits_has(&picture.leaders, i)) write_edges(&picture, i);
    arena_free(picture.arena);
    out_free(&picture.line);
}

void graph_quote(Out *out, const Func *func, Site site) {
    const Instr *instr = site.i < func->nodes.count
                             ? func_at(func, (Node){site.i})
                             : &func->son->floating.at[site.i - func->nodes.count];
    instr_print(out, func, instr);
}
