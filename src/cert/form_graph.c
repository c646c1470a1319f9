// Graphs in certificates: the nodes and phis of RTL and SSA.
//
// The guess about a node that comes from an old node is the same instruction. Each register in the
// guess becomes the register that replaced it when it was last mentioned. Where registers are set
// once, a register that is set becomes the next register that has not been set yet. An old node as
// successor becomes the last node that comes from it.
#include "cert/form_code.h"
#include "graph/versions.h"

#include <string.h>

// ---- Nodes as records

enum {
    G_KIND,
    G_OP,
    G_BUILTIN,
    G_BASE,
    G_SCALE,
    G_CHUNK,
    G_EFFECTIVE,
    G_IMMEDIATE,
    G_INDIRECT,
    G_HIGH,
    G_DEST,
    G_ARGS,
    G_SYMBOL,
    G_REF,
    G_SIG,
    G_ORDER,
    G_IMM,
    G_SUCCS,
    G_CASES,
    G_FIELDS
};

enum { LIST_ARGS, LIST_SUCCS, LIST_CASES };

static const char *kind_word(uint32_t kind) {
    return kind < INSTR_KIND_COUNT ? instr_kinds[kind].word : NULL;
}

const char *op_word(uint32_t op) {
    if (op == OP_ADDR_SLOT) return "addr_slot"; // "addr" is that of a symbol
    return op < OP_COUNT ? op_info((Op)op)->name : NULL;
}

const char *builtin_word(uint32_t builtin) {
    return builtin < BI_COUNT ? builtin_info((Builtin)builtin)->name : NULL;
}

const char *chunk_word(uint32_t chunk) {
    return chunk < CHUNK_COUNT ? chunk_name((Chunk)chunk) : NULL;
}

static const char *effective_word(uint32_t type) {
    return type < EFFECTIVE_COUNT ? effective_name((EffectiveType)type) : NULL;
}

static const char *base_word(uint32_t base) {
    static const char *const names[] = {"none", "register", "symbol", "slot"};
    return base <= BASE_SLOT ? names[base] : NULL;
}

#define ID (NONE - 1)
static const RecordField graph_fields[G_FIELDS] = {
    [G_KIND] = {.name = "kind", .kind = FIELD_WORD, .usual = INSTR_KIND_COUNT, .words = kind_word},
    [G_OP] = {.name = "op", .kind = FIELD_WORD, .usual = OP_COUNT, .words = op_word},
    [G_BUILTIN] = {.name = "builtin", .kind = FIELD_WORD, .usual = BI_COUNT, .words = builtin_word},
    [G_BASE] = {.name = "base", .kind = FIELD_WORD, .words = base_word},
    [G_SCALE] = {.name = "scale", .kind = FIELD_SMALL, .most = UINT8_MAX},
    [G_CHUNK] = {.name = "chunk", .kind = FIELD_WORD, .usual = CHUNK_COUNT, .words = chunk_word},
    [G_EFFECTIVE] = {.name = "as", .kind = FIELD_WORD, .words = effective_word},
    [G_IMMEDIATE] = {.name = "immediate", .kind = FIELD_FLAG},
    [G_INDIRECT] = {.name = "indirect", .kind = FIELD_FLAG},
    [G_HIGH] = {.name = "high", .kind = FIELD_NUMBER, .most = UINT16_MAX},
    [G_DEST] = {.name = "dest", .kind = FIELD_NUMBER, .usual = NONE, .most = ID},
    [G_ARGS] = {.name = "args", .kind = FIELD_LIST, .most = ID, .list = LIST_ARGS},
    [G_SYMBOL] = {.name = "symbol", .kind = FIELD_SYMBOL, .usual = NONE},
    [G_REF] = {.name = "ref", .kind = FIELD_NUMBER, .most = ID},
    [G_SIG] = {.name = "sig", .kind = FIELD_NUMBER, .most = ID},
    [G_ORDER] = {.name = "order", .kind = FIELD_NUMBER, .most = ID},
    [G_IMM] = {.name = "imm", .kind = FIELD_SIGNED},
    [G_SUCCS] = {.name = "succs", .kind = FIELD_LIST, .most = ID, .list = LIST_SUCCS},
    [G_CASES] = {.name = "cases", .kind = FIELD_SIGNED_LIST, .list = LIST_CASES},
};

enum { P_JOIN, P_DEST, P_ARGS, P_FIELDS };
static const RecordField phi_fields[P_FIELDS] = {
    [P_JOIN] = {.name = "join", .kind = FIELD_NUMBER, .usual = NONE, .most = ID},
    [P_DEST] = {.name = "dest", .kind = FIELD_NUMBER, .usual = NONE, .most = ID},
    [P_ARGS] = {.name = "args", .kind = FIELD_LIST, .most = ID, .list = LIST_ARGS},
};

void graph_records_init(CertCoder *coder) {
    RecordTable records = {.fields = graph_fields,
                           .count = G_FIELDS,
                           .program = coder->program,
                           .arena = coder->arena};
    coder->nodes = records;
    coder->phis = records;
    coder->phis.fields = phi_fields;
    coder->phis.count = P_FIELDS;
}

static void push_ids(Arena *arena, TokenRecord *record, uint32_t list, const uint32_t *ids,
                     uint32_t count) {
    for (uint32_t k = 0; k < count; k++) vec_push(arena, &record->list[list], ids[k]);
}

void node_record(const CertCoder *coder, TokenRecord *record, const Func *func, Node node) {
    const Instr *instr = func_at(func, node);
    Sym symbol = instr_symbol(instr);
    bool call = instr_has(instr, INSTR_CALLEE), is_switch = instr_has(instr, INSTR_CASES);
    uint64_t *value = record->value;
    record_clear(&coder->nodes, record);
    value[G_KIND] = instr->kind;
    if (instr_has(instr, INSTR_OPERATION)) value[G_OP] = instr->op;
    if (instr_has(instr, INSTR_BUILTIN)) value[G_BUILTIN] = instr->op;
    value[G_BASE] = instr->base;
    value[G_SCALE] = instr->scale;
    if (instr_has_address(instr)) value[G_CHUNK] = instr->chunk;
    value[G_EFFECTIVE] = instr->effective;
    value[G_IMMEDIATE] = instr->immediate;
    value[G_INDIRECT] = call && instr->ref == NO_ID;
    value[G_HIGH] = instr->high;
    value[G_DEST] = instr->dest.i;
    value[G_SYMBOL] = symbol.i;
    value[G_REF] = symbol.i == NO_ID && !call ? instr->ref : 0;
    value[G_SIG] = call ? instr->aux : 0;
    value[G_ORDER] = call || is_switch ? 0 : instr->aux;
    value[G_IMM] = (uint64_t)instr->imm;
    push_ids(coder->t.scratch, record, LIST_ARGS, &instr_args(func, instr)->i, instr->arg_count);
    push_ids(coder->t.scratch, record, LIST_SUCCS, &instr_succs(func, instr)->i, instr->succ_count);
    for (uint32_t k = 0; is_switch && k + 1 < instr->succ_count; k++)
        vec_push(coder->t.scratch, &record->list[LIST_CASES],
                 (uint64_t)instr_cases(func, instr)[k]);
}

// ---- Guesses

static uint32_t new_reg(const BodyCode *body, uint32_t old) {
    return body->fresh && body->now[old] ? body->now[old] - 1 : old;
}

static uint32_t new_dest(const BodyCode *body, uint32_t old) {
    if (!body->fresh || old == NONE) return old;
    return body->once || !body->now[old] ? body->last + 1 : body->now[old] - 1;
}

static void set_now(BodyCode *body, uint64_t old, uint64_t reg) {
    if (body->fresh && old < body->before->regs.count) body->now[old] = (uint32_t)reg + 1;
}

static void guess_node(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    TokenRecord *guess = &s->guess;
    if (old == NONE) {
        record_clear(s->records, guess);
        vec_push(body->coder->t.scratch, &guess->list[LIST_SUCCS], s->at + 1);
        guess->value[G_DEST] = body->last + 1;
        guess->value[G_ARGS] = body->last;
        guess->value[G_SUCCS] = s->at + 1;
        return;
    }
    node_record(body->coder, guess, body->before, (Node){old});
    guess->value[G_DEST] = new_dest(body, (uint32_t)guess->value[G_DEST]);
    for (uint32_t k = 0; k < guess->list[LIST_ARGS].count; k++)
        guess->list[LIST_ARGS].at[k] = new_reg(body, (uint32_t)guess->list[LIST_ARGS].at[k]);
    for (uint32_t k = 0; k < guess->list[LIST_SUCCS].count; k++)
        guess->list[LIST_SUCCS].at[k] |= OLD_NODE;
    guess->value[G_ARGS] = body->last;
    guess->value[G_SUCCS] = s->at + 1;
}

void graph_note(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    const TokenRecord *record = &s->record;
    if (record->value[G_DEST] != NONE) body->last = (uint32_t)record->value[G_DEST];
    if (old == NONE || !body->fresh) return;
    const Instr *instr = &body->before->nodes.at[old];
    const Reg *args = instr_args(body->before, instr);
    for (uint32_t k = 0; k < instr->arg_count && k < record->list[LIST_ARGS].count; k++)
        set_now(body, args[k].i, record->list[LIST_ARGS].at[k]);
    set_now(body, instr->dest.i, record->value[G_DEST]);
}

// ---- Reading nodes

static uint32_t *ids_of(Arena *arena, const TokenRecord *record, uint32_t list) {
    uint32_t *ids = ARENA_ARRAY(arena, uint32_t, record->list[list].count);
    for (uint32_t k = 0; k < record->list[list].count; k++)
        ids[k] = (uint32_t)record->list[list].at[k];
    return ids;
}

static void add_node(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    Func *func = body->func;
    const uint64_t *value = s->record.value;
    Arena *scratch = body->coder->t.scratch;
    uint32_t cases = s->record.list[LIST_CASES].count, succs = s->record.list[LIST_SUCCS].count;
    bool is_switch = value[G_KIND] == I_SWITCH;
    coder_spend(body->coder, 1 + (uint64_t)s->record.list[LIST_ARGS].count + succs + cases);
    if (value[G_KIND] == INSTR_KIND_COUNT || cases != (is_switch && succs ? succs - 1 : 0))
        tokens_fail(s->t, "this is no instruction");
    Instr instr = {.kind = (uint8_t)value[G_KIND],
                   .base = (uint8_t)value[G_BASE],
                   .scale = (uint8_t)value[G_SCALE],
                   .chunk = (uint8_t)(value[G_CHUNK] % CHUNK_COUNT),
                   .effective = (uint8_t)(value[G_EFFECTIVE] % EFFECTIVE_COUNT),
                   .immediate = value[G_IMMEDIATE],
                   .high = (uint16_t)value[G_HIGH],
                   .dest = {(uint32_t)value[G_DEST]},
                   .imm = (int64_t)value[G_IMM]};
    instr.op =
        (uint16_t)(instr.kind == I_BUILTIN ? value[G_BUILTIN] % BI_COUNT : value[G_OP] % OP_COUNT);
    instr.ref = value[G_INDIRECT]          ? NO_ID
                : value[G_SYMBOL] != NO_ID ? (uint32_t)value[G_SYMBOL]
                                           : (uint32_t)value[G_REF];
    instr.aux = (uint32_t)value[instr.kind == I_CALL ? G_SIG : G_ORDER];
    if (is_switch)
        instr.aux = func_add_cases(func, (const int64_t *)s->record.list[LIST_CASES].at, cases);
    Node node = func_add(func, instr);
    func_set_args(func, node, (const Reg *)ids_of(scratch, &s->record, LIST_ARGS),
                  s->record.list[LIST_ARGS].count);
    func_set_succs(func, node, (const Node *)ids_of(scratch, &s->record, LIST_SUCCS), succs);
    if (old != NONE) body->image[old] = node.i;
    graph_note(s, old);
}

// The guess itself, without making a record of it.
static void keep_node(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    Func *func = body->func;
    const Instr *then = &body->before->nodes.at[old];
    if (!coder_spend(body->coder, 1 + (uint64_t)then->arg_count + 2 * (uint64_t)then->succ_count))
        return;
    Node node = func_copy_instr(func, body->before, then);
    Instr *instr = &func->nodes.at[node.i];
    Reg *args = instr->arg_count <= INLINE_ARGS ? instr->arg : func->reg_pool.at + instr->args_at;
    Node *succs =
        instr->succ_count <= INLINE_SUCCS ? instr->succ : func->node_pool.at + instr->succs_at;
    instr->dest.i = new_dest(body, then->dest.i);
    for (uint32_t k = 0; body->fresh && k < instr->arg_count; k++) {
        uint32_t reg = args[k].i;
        args[k].i = new_reg(body, reg);
        set_now(body, reg, args[k].i);
    }
    for (uint32_t k = 0; k < instr->succ_count; k++) succs[k].i |= (uint32_t)OLD_NODE;
    if (instr->dest.i != NO_ID) body->last = instr->dest.i;
    if (instr->dest.i != NO_ID) set_now(body, then->dest.i, instr->dest.i);
    body->image[old] = node.i;
}

void graph_sequence(FormSequence *s, CertCoder *coder, BodyCode *body) {
    *s = (FormSequence){.t = &coder->t,
                        .records = &coder->nodes,
                        .old_count = body->before ? body->before->nodes.count : 0,
                        .context = body,
                        .make_guess = guess_node,
                        .add = add_node,
                        .keep = keep_node};
}

// The replacements of old nodes; all are nodes of the function.
static void resolve_successors(BodyCode *body, Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(func, instr)[k].i, old = succ - (uint32_t)OLD_NODE;
            if (succ >= OLD_NODE)
                succ = body->before && old < body->before->nodes.count ? body->image[old] : NONE;
            if (succ >= func->nodes.count) {
                tokens_fail(&body->coder->t, "a successor is no node of this form");
                return;
            }
            func_set_succ(func, (Node){n}, k, (Node){succ});
        }
    }
}

// ---- Phis

void phi_record(const CertCoder *coder, TokenRecord *record, const Func *func, const Preds *preds,
                Node join, uint32_t phi) {
    record_clear(&coder->phis, record);
    record->value[P_JOIN] = join.i;
    record->value[P_DEST] = func->phis.at[phi].dest.i;
    push_ids(coder->t.scratch, record, LIST_ARGS, &phi_args(func, &func->phis.at[phi])->i,
             preds_count(preds, join));
}

static void guess_phi(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    TokenRecord *guess = &s->guess;
    if (old == NONE) {
        record_clear(s->records, guess);
        guess->value[P_JOIN] = body->last_join;
        guess->value[P_DEST] = body->last + 1;
        guess->value[P_ARGS] = body->last + 1;
        return;
    }
    Node join = {body->join_of[old]};
    phi_record(body->coder, guess, body->before, &body->old_preds, join, old);
    guess->value[P_JOIN] = body->image[join.i];
    guess->value[P_DEST] = new_dest(body, (uint32_t)guess->value[P_DEST]);
    for (uint32_t k = 0; k < guess->list[LIST_ARGS].count; k++)
        guess->list[LIST_ARGS].at[k] = new_reg(body, (uint32_t)guess->list[LIST_ARGS].at[k]);
}

void phi_note(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    (void)old;
    body->last = (uint32_t)s->record.value[P_DEST];
    body->last_join = (uint32_t)s->record.value[P_JOIN];
}

static void add_phi(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    Func *func = body->func;
    Node join = {(uint32_t)s->record.value[P_JOIN]};
    uint32_t count = s->record.list[LIST_ARGS].count;
    coder_spend(body->coder, 1 + (uint64_t)count);
    if (join.i >= func->nodes.count || join.i + 1 < func->phi_at.count) {
        tokens_fail(s->t, "phis come in the order of their joins");
        return;
    }
    if (count != preds_count(&body->preds, join))
        tokens_fail(s->t, "a phi has an argument for each way into its join");
    func_add_phi(func, join, (Reg){(uint32_t)s->record.value[P_DEST]},
                 (const Reg *)ids_of(body->coder->t.scratch, &s->record, LIST_ARGS), count);
    phi_note(s, old);
}

static void keep_phi(FormSequence *s, uint32_t old) {
    guess_phi(s, old);
    TokenRecord record = s->record;
    s->record = s->guess;
    add_phi(s, old);
    s->record = record;
}

void phi_sequence(FormSequence *s, CertCoder *coder, BodyCode *body) {
    *s = (FormSequence){.t = &coder->t,
                        .records = &coder->phis,
                        .old_count = body->before ? body->before->phis.count : 0,
                        .context = body,
                        .make_guess = guess_phi,
                        .add = add_phi,
                        .keep = keep_phi};
}

// ---- All of it

void graph_read(CertCoder *coder, BodyCode *body, const FormFrame *frame) {
    FormSequence s;
    graph_sequence(&s, coder, body);
    s.count = frame->length;
    sequence_read(&s);
    if (tokens_good(&coder->t)) resolve_successors(body, body->func);
    if (!tokens_good(&coder->t) || !frame->phis) return;
    body->preds = preds_of(body->func->arena, body->func);
    phi_sequence(&s, coder, body);
    s.count = frame->phis;
    sequence_read(&s);
    func_end_phis(body->func);
}
