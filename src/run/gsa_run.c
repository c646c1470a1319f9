// Edges of gated functions in the interpreter: figures 6 and 7 of Herklotz et al. (docs/papers.md).
//
// On an edge into a landing pad the etas of the pad act at once, then, on the edge from it or any
// other nop to a join, the merges of the join. A pad is a nop with one predecessor, and before a
// join there are only nops: so the step of the nop does both. A gate that does not hold where it
// should is a wrong step; so is a gamma none of whose gates holds, or more than one.
#include "run/rtl_interpreter.h"

#include "fact/gate/gate_eval.h"
#include "text/text.h"

// ---- Decoding

// What a nop does.
struct GatedEdge {
    const Eta *etas;
    const Merge *merges;
    uint32_t eta_count, merge_count;
    uint32_t pred; // which predecessor of the join it is
};

static GatedEdge *edge_of(Code *code, Node nop, uint32_t *used) {
    DecodedStep *step = &code->steps[nop.i];
    if (step->code != CODE_GATED) step->a = (*used)++;
    step->code = CODE_GATED;
    return &code->edges[step->a];
}

static uint32_t decode_etas(Code *code, Node pad, uint32_t *used) {
    uint32_t count = gsa_eta_count(code->func, pad);
    if (!count) return 0;
    GatedEdge *edge = edge_of(code, pad, used);
    edge->etas = gsa_etas(code->func, pad);
    edge->eta_count = count;
    return count;
}

// Mus need no gates: they are moves, as phis are.
static bool is_header(const Func *func, Node join) {
    return gsa_merges(func, join)->kind == MERGE_MU;
}

static void decode_moves(Code *code, Node header, Node nop, uint32_t k, uint32_t first,
                         Bits *written) {
    const Merge *merges = gsa_merges(code->func, header);
    uint32_t count = 0;
    for (uint32_t i = 0; i < gsa_merge_count(code->func, header); i++) {
        PhiMove move = {.dest = merges[i].dest.i,
                        .source = merge_args(code->func, &merges[i])[k].reg.i};
        if (move.dest != move.source) code->moves[first + count++] = move;
    }
    rtl_decode_moves(code, nop, first, count, written);
}

// A pad before a header does both, its etas and the mus.
static uint32_t decode_merges(Code *code, const Preds *preds, Node join, uint32_t *used,
                              uint32_t *moves, Bits *written) {
    uint32_t count = gsa_merge_count(code->func, join);
    for (uint32_t k = 0; count && k < preds_count(preds, join); k++) {
        Node nop = preds_at(preds, join)[k];
        if (is_header(code->func, join) && !gsa_eta_count(code->func, nop)) {
            decode_moves(code, join, nop, k, *moves, written);
            *moves += count;
            continue;
        }
        GatedEdge *edge = edge_of(code, nop, used);
        edge->merges = gsa_merges(code->func, join);
        edge->merge_count = count;
        edge->pred = k;
    }
    return count;
}

static void decode_edges(Interpreter *in, Code *code) {
    const Func *func = code->func;
    Preds preds = preds_of(in->arena, func);
    Bits written = bits_new(in->arena, func->regs.count);
    uint32_t edges = 0, moves = 0, most = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t merges = gsa_merge_count(func, (Node){n});
        if (merges || gsa_eta_count(func, (Node){n})) edges += preds_count(&preds, (Node){n});
        if (merges && is_header(func, (Node){n})) moves += 2 * merges;
    }
    if (!edges) return;
    code->edges = ARENA_ARRAY(in->arena, GatedEdge, edges);
    code->moves = ARENA_ARRAY(in->arena, PhiMove, moves);
    code->gates = gate_eval_new(in->arena, func);
    edges = moves = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t etas = decode_etas(code, (Node){n}, &edges);
        uint32_t merges = decode_merges(code, &preds, (Node){n}, &edges, &moves, &written);
        if (most < etas) most = etas;
        if (most < merges) most = merges;
    }
    rtl_reserve_values(in, most);
}

const Code *gsa_prepare(Interpreter *in, const Func *func) {
    Code *code = rtl_decode(in, func);
    decode_edges(in, code);
    return code;
}

// ---- Running

// A wrong step on an edge; `format` has one %s for a register.
static bool wrong(Interpreter *in, const CallFrame *frame, const char *format, Reg reg) {
    Out name = {0};
    reg_print(&name, frame->code->func, reg);
    out_char(&name, '\0');
    world_wrong(&in->world, format, name.text);
    out_free(&name);
    return false;
}

static bool run_etas(Interpreter *in, CallFrame *frame, const GatedEdge *edge) {
    GateEval *gates = frame->code->gates;
    for (uint32_t i = 0; i < edge->eta_count; i++) {
        const Eta *eta = &edge->etas[i];
        if (gate_eval(gates, eta->gate, frame->regs) != TRUTH_TRUE)
            return wrong(in, frame, "the gate of the eta of %s does not hold", eta->dest);
        in->phi_values[i] = frame->regs[eta->source.i];
    }
    for (uint32_t i = 0; i < edge->eta_count; i++)
        frame->regs[edge->etas[i].dest.i] = in->phi_values[i];
    gate_eval_forget(gates);
    return true;
}

// The register that a gamma selects.
static bool select_argument(Interpreter *in, const CallFrame *frame, const Merge *merge,
                            Reg *from) {
    const MergeArg *args = merge_args(frame->code->func, merge);
    bool found = false;
    for (uint32_t k = 0; k < merge->arg_count; k++) {
        if (gate_eval(frame->code->gates, args[k].gate, frame->regs) != TRUTH_TRUE) continue;
        if (found) return wrong(in, frame, "two gates of the gamma of %s hold", merge->dest);
        found = true;
        *from = args[k].reg;
    }
    return found || wrong(in, frame, "no gate of the gamma of %s holds", merge->dest);
}

static bool run_merges(Interpreter *in, CallFrame *frame, const GatedEdge *edge) {
    for (uint32_t i = 0; i < edge->merge_count; i++) {
        const Merge *merge = &edge->merges[i];
        Reg from;
        if (merge->kind == MERGE_MU)
            from = merge_args(frame->code->func, merge)[edge->pred].reg;
        else if (!select_argument(in, frame, merge, &from))
            return false;
        in->phi_values[i] = frame->regs[from.i];
    }
    for (uint32_t i = 0; i < edge->merge_count; i++)
        frame->regs[edge->merges[i].dest.i] = in->phi_values[i];
    return true;
}

bool gsa_run_edge(Interpreter *in) {
    CallFrame *frame = top_frame(in);
    const GatedEdge *edge = &frame->code->edges[frame->step->a];
    gate_eval_forget(frame->code->gates);
    if (!run_etas(in, frame, edge) || !run_merges(in, frame, edge)) return false;
    frame->step = frame->step->next;
    return true;
}
