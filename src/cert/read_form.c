// A form is written as text, with two additions to what the text form of a function has:
//
//   keep FIRST [ "to" LAST ] [ "with" { REGISTER } ] [ "->" LABEL { "," LABEL } ]
//                                the nodes with these numbers in the form before (counted from 0): their
//                                labels, their instructions, their successors, as labels, and, if both
//                                forms are SSA, or both are GSA, their phis, or merges and etas. Those
//                                of other nodes stand before the line that keeps the node. If the form
//                                has its own registers, the numbers of those that the instructions
//                                have now follow, in order, the destination of each first. If the last
//                                node leads elsewhere than before, the labels of its successors follow.
//   keep gates                   if both forms are GSA: those of all loops and ends, by their labels
//   new                          on the first line: the form has its own registers and slots. Otherwise
//                                those of the form before are there, and further ones are added.
//   parameters register { "," register }   in a form with its own registers, behind their declarations
//
// Kept nodes are copied, not read again: the cost of a step is that of what it changed, but for copying.
#include "cert/read_form.h"

typedef struct {
    FormReader *reader;
    TextParser *parser;
    const Func *before; // NULL if this is the first form
    bool own_regs;      // the form has its own registers
    Func *func;
    Preds preds; // of `before`, if it has phis
} FormReading;

static bool spend(FormReading *r, uint64_t amount, uint32_t place) {
    if (amount <= r->reader->budget) {
        r->reader->budget -= amount;
        return true;
    }
    parse_error(r->parser, place,
                "more is kept of earlier forms than a file of this size should need");
    return false;
}

// ---- Kept nodes

static void keep_phis(FormReading *r, Node old, uint32_t place) {
    TextParser *p = r->parser;
    const Func *before = r->before;
    for (uint32_t i = 0; i < func_phi_count(before, old); i++) {
        const Phi *phi = &func_phis(before, old)[i];
        PhiLine line = {.join = {r->func->nodes.count},
                        .dest = phi->dest,
                        .first_arg = p->body.phi_args.count,
                        .arg_count = preds_count(&r->preds, old),
                        .place = place};
        for (uint32_t k = 0; k < line.arg_count; k++) {
            PhiArg arg = {.reg = phi_args(before, phi)[k],
                          .label = func_label(before, preds_at(&r->preds, old)[k]),
                          .place = place};
            vec_push(p->scratch, &p->body.phi_args, arg);
        }
        vec_push(p->scratch, &p->body.phis, line);
    }
}

static void keep_gated(FormReading *r, Node old) {
    const Func *before = r->before;
    Node node = {r->func->nodes.count};
    for (uint32_t i = 0; i < gsa_eta_count(before, old); i++)
        gsa_add_eta(r->func, node, gsa_etas(before, old)[i]);
    for (uint32_t i = 0; i < gsa_merge_count(before, old); i++) {
        const Merge *merge = &gsa_merges(before, old)[i];
        gsa_add_merge(r->func, node, merge->kind, merge->dest, merge_args(before, merge),
                      merge->arg_count);
    }
}

// What one node adds to the work.
static uint64_t node_size(const FormReading *r, Node old) {
    const Instr *instr = func_at(r->before, old);
    uint64_t size = 1 + (uint64_t)instr->arg_count + instr->succ_count;
    if (r->before->phis.count)
        size += (uint64_t)func_phi_count(r->before, old) * preds_count(&r->preds, old);
    if (!r->before->gsa) return size;
    for (uint32_t i = 0; i < gsa_merge_count(r->before, old); i++)
        size += gsa_merges(r->before, old)[i].arg_count;
    return size + gsa_eta_count(r->before, old);
}

static bool keep_node(FormReading *r, Node old, uint32_t place) {
    TextParser *p = r->parser;
    const Func *before = r->before;
    if (!spend(r, node_size(r, old), place)) return false;
    bool merges = !r->own_regs && before->form == r->func->form;
    if (merges) keep_phis(r, old, place);
    if (merges && before->gsa) keep_gated(r, old);
    return parse_add_node(p, before, func_at(before, old), func_label(before, old), place);
}

static bool read_register(FormReading *r, Reg *reg) {
    uint32_t count = r->func->regs.count;
    if (count) return parse_u32(r->parser, count - 1, "the number of a register", &reg->i);
    return parse_expected(r->parser, "the end of the line");
}

// Gives the instruction that was kept last its registers in this form.
static bool read_registers(FormReading *r) {
    Func *func = r->func;
    Instr *instr = &func->nodes.at[func->nodes.count - 1];
    Reg *args = instr->arg_count <= INLINE_ARGS ? instr->arg : func->reg_pool.at + instr->args_at;
    if (instr->dest.i != NO_ID && !read_register(r, &instr->dest)) return false;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (!read_register(r, &args[k])) return false;
    return true;
}

// Gives the instruction that was kept last other successors.
static bool read_targets(FormReading *r) {
    TextParser *p = r->parser;
    uint32_t count = r->func->nodes.at[r->func->nodes.count - 1].succ_count;
    if (count == 0) return parse_expected(p, "the end of the line");
    parse_next(p);
    for (uint32_t k = 0; k < count; k++) {
        Edge *edge = &p->body.edges.at[p->body.edges.count - count + k];
        edge->place = p->token.start;
        if ((k && !parse_expect(p, ',', "','")) ||
            !parse_u32(p, UINT32_MAX - 1, "a label", &edge->label))
            return false;
    }
    return true;
}

static bool keep_gates(FormReading *r, uint32_t place) {
    TextParser *p = r->parser;
    const Func *before = r->before;
    if (r->own_regs || !before->gsa || !r->func->gsa)
        return parse_error(p, place, "there are no gates to keep"), false;
    const Gsa *gsa = before->gsa;
    if (!spend(r, (uint64_t)gsa->loops.count + gsa->ends.count, place)) return false;
    for (uint32_t i = 0; i < gsa->loops.count; i++) {
        const LoopGate *loop = &gsa->loops.at[i];
        GateLine line = {.loop = true,
                         .label = func_label(before, loop->header),
                         .place = place,
                         .first = loop->leaves,
                         .second = loop->goes_on};
        vec_push(p->scratch, &p->body.gate_lines, line);
    }
    for (uint32_t i = 0; i < gsa->ends.count; i++) {
        GateLine line = {.label = func_label(before, gsa->ends.at[i].node),
                         .place = place,
                         .first = gsa->ends.at[i].gate};
        vec_push(p->scratch, &p->body.gate_lines, line);
    }
    return parse_end_of_line(p);
}

static bool keep_line(FormReading *r) {
    TextParser *p = r->parser;
    uint32_t place = p->token.start, first, last;
    if (!r->before)
        return parse_error(p, place, "there is no form of which to keep something"), false;
    parse_next(p);
    if (parse_accept_word(p, "gates")) return keep_gates(r, place);
    if (!parse_u32(p, UINT32_MAX - 1, "the number of a node", &first)) return false;
    last = first;
    if (parse_accept_word(p, "to") && !parse_u32(p, UINT32_MAX - 1, "the number of a node", &last))
        return false;
    if (first > last || last >= r->before->nodes.count)
        return parse_error(p, place, "the form before does not have these nodes"), false;
    if (r->own_regs && !parse_expect_word(p, "with")) return false;
    for (uint32_t n = first; n <= last; n++)
        if (!keep_node(r, (Node){n}, place) || (r->own_regs && !read_registers(r))) return false;
    if (parse_at(p, T_ARROW) && !read_targets(r)) return false;
    return parse_end_of_line(p);
}

// ---- Other lines

static bool parameters_line(FormReading *r) {
    TextParser *p = r->parser;
    if (!r->own_regs || r->func->params.count)
        return parse_error(p, p->token.start, "the parameters are known already"), false;
    parse_next(p);
    do {
        Reg reg;
        if (!parse_register(p, &reg)) return false;
        vec_push(r->func->arena, &r->func->params, reg);
    } while (parse_accept(p, ','));
    return parse_end_of_line(p);
}

static bool line(FormReading *r) {
    TextParser *p = r->parser;
    if (parse_accept(p, T_LINE)) return true;
    if (parse_at_word(p, "keep")) return keep_line(r);
    if (parse_at_word(p, "parameters")) return parameters_line(r);
    return parse_body_line(p);
}

// ---- All of it

// A function of GSA that has the predicates of another, and no merges or etas yet.
static Gsa *gsa_like(Arena *arena, const Gsa *before) {
    Gsa *gsa = gsa_clone(arena, before);
    vec_clear(&gsa->merges);
    vec_clear(&gsa->merge_at);
    vec_clear(&gsa->merge_args);
    vec_clear(&gsa->etas);
    vec_clear(&gsa->eta_at);
    vec_clear(&gsa->loops);
    vec_clear(&gsa->ends);
    return gsa;
}

static bool start(FormReading *r, Arena *arena, Sym symbol, Form form) {
    TextParser *p = r->parser;
    const Func *before = r->before;
    Program *program = p->program;
    p->form = form;
    if (before && before->phis.count) r->preds = preds_of(arena, before);
    if (r->own_regs) {
        r->func = func_new(program, arena, symbol, program_at(program, symbol)->sig);
        r->func->form = form;
        parse_body_begin(p, r->func, false);
        return true;
    }
    uint64_t size = before->regs.count + (uint64_t)before->slots.count;
    if (before->gsa) size += before->gsa->gates.count + (uint64_t)before->gsa->case_values.count;
    if (!spend(r, size, p->token.start)) return false;
    r->func = func_like(before, arena);
    r->func->form = form;
    // Most nodes will be kept.
    (void)vec_extend(arena, &r->func->nodes, before->nodes.count);
    vec_clear(&r->func->nodes);
    r->func->gsa = form == before->form && before->gsa ? gsa_like(arena, before->gsa) : NULL;
    parse_body_begin(p, r->func, true);
    parse_body_reserve(p, before->nodes.count);
    return true;
}

Func *form_read(FormReader *reader, Arena *arena, Sym symbol, Form form, const Func *before) {
    TextParser *p = reader->parser;
    uint32_t errors = p->diag->errors;
    FormReading r = {.reader = reader, .parser = p, .before = before, .own_regs = !before};
    if (before && parse_accept_word(p, "new")) {
        r.own_regs = true;
        if (!parse_end_of_line(p)) return NULL;
    }
    if (!start(&r, arena, symbol, form)) return NULL;
    while (!parse_at(p, '}'))
        if (!line(&r)) return NULL;
    parse_body_end(p, p->token.start);
    return p->diag->errors == errors ? r.func : NULL;
}
