// Writes certificates. A form is written as its changes against the previous form: first the writer
// finds the old node from which each node comes. Nodes that equal the guesses of form_code.h are
// kept and cost almost nothing.
#include "certify/certify.h"

#include "base/bits.h"
#include "base/version.h"
#include "cert/certificate.h"
#include "cert/declarations.h"
#include "cert/items.h"
#include "form/mach.h"
#include "graph/versions.h"

#include <string.h>

typedef struct {
    CertCoder coder; // writes to `out`
    Out out;
    size_t function_start; // where the function at hand starts
    uint32_t patterns[3];  // how many there were then
    Sym function;          // at hand
    Sym resumed;           // the last function that went on from the form in which it was offered
    bool open;             // the end of the function at hand is to be written
    Pipeline watched;      // as it was before: its earlier watchers are told of everything, too
} Certifier;

// ---- Which nodes are the same

static uint64_t instr_hash(const Func *func, const Instr *instr) {
    const Reg *args = instr_args(func, instr);
    uint64_t hash = hash_mix((uint64_t)instr->kind << 32 | instr->op) ^ instr->dest.i;
    hash = hash_mix(hash + (uint64_t)instr->imm) ^ instr->ref;
    for (uint32_t k = 0; k < instr->arg_count; k++) hash = hash_mix(hash + args[k].i);
    return hash;
}

enum { FEW = 8 }; // of an instruction that is there many times, so many are looked at

// Adds a node to those that are looked up, unless there are enough with its instruction: a table
// with many entries of one hash is slow.
static void add_node(Arena *arena, Table *table, const Func *before, uint32_t node) {
    uint64_t hash = instr_hash(before, &before->nodes.at[node]);
    uint32_t at = table_first(table, hash), others = 0;
    while (others < FEW && table_id(table, hash, &at) != HASH_NONE) others++;
    if (others < FEW) table_insert(arena, table, hash, node);
}

// A node of `before` with this instruction that is not taken yet, or NO_ID. Nops are too common to
// tell anything.
static uint32_t look_up(const Table *table, const Bits *taken, const Func *before,
                        const Func *after, const Instr *instr) {
    if (instr->kind == I_NOP) return NO_ID;
    uint64_t hash = instr_hash(after, instr);
    uint32_t at = table_first(table, hash), id;
    for (int i = 0; i < FEW && (id = table_id(table, hash, &at)) != HASH_NONE; i++)
        if (!bits_has(taken, id) && instr_same(before, &before->nodes.at[id], after, instr))
            return id;
    return NO_ID;
}

// The same for functions with different registers: a few nodes further on, an instruction that does
// the same to other registers.
static uint32_t look_ahead(const Bits *taken, uint32_t next, const Func *before, const Func *after,
                           const Instr *instr) {
    enum { NEAR = 16 };
    if (instr->kind == I_NOP) return NO_ID;
    for (uint32_t id = next; id < before->nodes.count && id - next < NEAR; id++)
        if (!bits_has(taken, id) && instr_alike(before, &before->nodes.at[id], after, instr))
            return id;
    return NO_ID;
}

// The column `old` of a hint: for each node of `after` the node of `before` that it performs. NULL
// if it says nothing.
static const uint32_t *performed(const HintShape *shape, const void *hint, const Func *after) {
    for (uint32_t i = 0; i < shape->count; i++) {
        const HintField *field = &shape->fields[i];
        if (strcmp(field->name, "old") != 0) continue;
        HintVector vector = hint_vector((const char *)hint + field->at);
        return vector.count == after->nodes.count ? vector.at : NULL;
    }
    return NULL;
}

// Takes over what the hint says, but for nodes that are performed twice.
static void match_performed(uint32_t *match, Bits *taken, const uint32_t *old, const Func *after) {
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (old[n] < taken->size && bits_put(taken, old[n])) match[n] = old[n];
}

// For each node of `after` the node of `before` whose label it gets, or NO_ID. If the hint does not
// tell and the pass keeps the number of nodes, they are taken for the same; else instructions are
// looked up, in order, so that runs of nodes stay together.
static uint32_t *match_nodes(Arena *arena, const Func *before, const Func *after,
                             const uint32_t *old, bool own_regs) {
    uint32_t *match = ARENA_ARRAY(arena, uint32_t, after->nodes.count);
    bool same = !old && before->nodes.count == after->nodes.count;
    for (uint32_t n = 0; n < after->nodes.count; n++) match[n] = same ? n : NO_ID;
    if (same) return match;
    Table table = {0};
    Bits taken = bits_new(arena, before->nodes.count);
    if (old) match_performed(match, &taken, old, after);
    for (uint32_t n = before->nodes.count; n-- > 0;)
        if (before->nodes.at[n].kind != I_NOP && !bits_has(&taken, n))
            add_node(arena, &table, before, n);
    for (uint32_t n = 0, next = 0; n < after->nodes.count; n++) {
        if (match[n] != NO_ID) next = match[n] + 1;
        if (match[n] != NO_ID) continue;
        const Instr *instr = &after->nodes.at[n];
        bool follows = !own_regs && next < before->nodes.count && !bits_has(&taken, next) &&
                       instr_same(before, &before->nodes.at[next], after, instr);
        match[n] = follows    ? next
                   : own_regs ? look_ahead(&taken, next, before, after, instr)
                              : look_up(&table, &taken, before, after, instr);
        if (match[n] == NO_ID) continue;
        bits_add(&taken, match[n]);
        next = match[n] + 1;
    }
    return match;
}

// ---- Which phis and machine instructions are the same

// For each phi of `after` the one of `before` that sets the same register.
static uint32_t *match_phis(Arena *arena, const Func *before, const Func *after, bool fresh) {
    uint32_t *match = ARENA_ARRAY(arena, uint32_t, after->phis.count);
    uint32_t *phi_of = ARENA_ARRAY(arena, uint32_t, before ? before->regs.count : 0);
    for (uint32_t i = 0; before && i < before->phis.count; i++)
        phi_of[before->phis.at[i].dest.i] = i + 1;
    for (uint32_t i = 0; i < after->phis.count; i++) {
        uint32_t dest = after->phis.at[i].dest.i;
        bool known = !fresh && before && dest < before->regs.count && phi_of[dest];
        match[i] = known ? phi_of[dest] - 1 : NO_ID;
    }
    return match;
}

// A column of a hint, if it has one entry for each of so many.
static const uint32_t *column(const HintShape *shape, const void *hint, const char *name,
                              uint32_t count) {
    for (uint32_t i = 0; i < shape->count; i++) {
        const HintField *field = &shape->fields[i];
        if (strcmp(field->name, name) != 0) continue;
        HintVector vector = hint_vector((const char *)hint + field->at);
        return vector.count == count ? vector.at : NULL;
    }
    return NULL;
}

// The hint's column of machine instructions; all are new if there is none.
static const uint32_t *match_instrs(Arena *arena, const HintShape *shape, const void *hint,
                                    const Func *before, const Func *after) {
    uint32_t count = after->mach->code.count;
    uint32_t *match = ARENA_ARRAY(arena, uint32_t, count);
    const uint32_t *old = NULL;
    if (shape && before && before->mach) old = column(shape, hint, "old", count);
    if (shape && before && before->mach && !old) old = column(shape, hint, "origin", count);
    for (uint32_t i = 0; i < count; i++)
        match[i] = old && old[i] < before->mach->code.count ? old[i] : NO_ID;
    return match;
}

// ---- Sequences

typedef struct {
    const uint32_t *match;
    const uint32_t *image; // for each old node or block its replacement
    uint32_t succs;        // which list the successors are
    void (*fill)(FormSequence *s, uint32_t i);
    void (*note)(FormSequence *s, uint32_t old);
} SequenceWriting;

// Successors that are what the guess says are said so.
static void name_old_successors(FormSequence *s, const SequenceWriting *w) {
    if (!w->image) return;
    for (uint32_t k = 0; k < s->record.list[w->succs].count; k++) {
        uint64_t *succ = &s->record.list[w->succs].at[k];
        if (k >= s->guess.list[w->succs].count) return;
        uint64_t guess = s->guess.list[w->succs].at[k];
        if (guess >= OLD_NODE && w->image[guess - OLD_NODE] == *succ) *succ = guess;
    }
}

static void write_kept(FormSequence *s, uint32_t *kept) {
    if (*kept) sequence_entry(s, ENTRY_KEEP, *kept);
    *kept = 0;
}

// Whether everything was kept, in order.
static bool write_sequence(FormSequence *s, const SequenceWriting *w) {
    uint32_t kept = 0;
    bool same = s->count == s->old_count;
    for (; s->at < s->count; s->at++) {
        uint32_t old = w->match[s->at];
        if (old != NO_ID && old != s->cursor) {
            write_kept(s, &kept);
            sequence_entry(s, ENTRY_FROM, old);
            s->cursor = old;
            same = false;
        }
        s->make_guess(s, old);
        w->fill(s, s->at);
        if (old != NO_ID) name_old_successors(s, w);
        if (old != NO_ID && record_same(s->records, &s->record, &s->guess)) {
            kept++;
        } else {
            write_kept(s, &kept);
            sequence_entry(s, old == NO_ID ? ENTRY_NEW : ENTRY_CHANGE, 0);
            same = false;
        }
        w->note(s, old);
        if (old != NO_ID) s->cursor++;
    }
    write_kept(s, &kept);
    return same;
}

static void fill_node(FormSequence *s, uint32_t i) {
    BodyCode *body = s->context;
    node_record(body->coder, &s->record, body->func, (Node){i});
}

static void fill_phi(FormSequence *s, uint32_t i) {
    BodyCode *body = s->context;
    phi_record(body->coder, &s->record, body->func, &body->preds, (Node){body->new_join_of[i]}, i);
}

static void fill_instr(FormSequence *s, uint32_t i) {
    BodyCode *body = s->context;
    mach_record(body->coder, &s->record, body->func, body->blocks, i);
}

// ---- Forms

// Whether one function has the registers, slots and parameters of another, and perhaps more.
static bool extends(const Func *before, const Func *after) {
    if (after->regs.count < before->regs.count || after->slots.count < before->slots.count ||
        after->params.count != before->params.count)
        return false;
    for (uint32_t i = 0; i < before->regs.count; i++) {
        const RegInfo *a = &before->regs.at[i], *b = &after->regs.at[i];
        if (a->type != b->type || !a->version != !b->version ||
            (a->version == VERSION_NEVER_SET) != (b->version == VERSION_NEVER_SET))
            return false;
    }
    for (uint32_t i = 0; i < before->slots.count; i++) {
        const SlotInfo *a = &before->slots.at[i], *b = &after->slots.at[i];
        if (a->size != b->size || a->align != b->align || a->buffer != b->buffer) return false;
    }
    for (uint32_t i = 0; i < before->params.count; i++)
        if (before->params.at[i].i != after->params.at[i].i) return false;
    return true;
}

static FormFrame frame_of(Arena *arena, const Func *before, const Func *func) {
    FormFrame frame = {.fresh = !before || !extends(before, func),
                       .machine = func->mach != NULL,
                       .phis = func->phis.count};
    uint32_t reg = frame.fresh ? 0 : before->regs.count;
    uint32_t slot = frame.fresh ? 0 : before->slots.count;
    for (; reg < func->regs.count; reg++) {
        uint32_t version = func->regs.at[reg].version;
        vec_push(arena, &frame.types, (uint8_t)func->regs.at[reg].type);
        vec_push(arena, &frame.versions,
                 (uint8_t)(version < VERSION_FIRST_SET ? version : VERSION_FIRST_SET));
    }
    for (uint32_t i = 0; frame.fresh && i < func->params.count; i++)
        vec_push(arena, &frame.params, func->params.at[i].i);
    for (; slot < func->slots.count; slot++) {
        vec_push(arena, &frame.sizes, func->slots.at[slot].size);
        vec_push(arena, &frame.aligns, func->slots.at[slot].align);
        vec_push(arena, &frame.buffers, func->slots.at[slot].buffer);
    }
    frame.length = func->mach ? func->mach->code.count : func->nodes.count;
    if (!func->mach) return frame;
    frame.allocated = func->mach->allocated;
    for (uint32_t m = 0; m < MACHINE_REG_LIMIT; m++)
        if (regs_has(func->mach->saved, m)) vec_push(arena, &frame.saved, (StoredReg)m);
    for (uint32_t i = 0; i < func->mach->spills.count; i++)
        vec_push(arena, &frame.spills, func->mach->spills.at[i].size);
    return frame;
}

static bool write_graph(CertCoder *coder, BodyCode *body, const uint32_t *match) {
    Arena *arena = coder->t.scratch;
    FormSequence s;
    const Func *func = body->func;
    graph_sequence(&s, coder, body);
    s.count = func->nodes.count;
    for (uint32_t n = 0; n < s.count; n++)
        if (match[n] != NO_ID) body->image[match[n]] = n;
    bool same = write_sequence(&s, &(SequenceWriting){.match = match,
                                                      .image = body->image,
                                                      .succs = NODE_SUCCS,
                                                      .fill = fill_node,
                                                      .note = graph_note});
    if (!func->phis.count) return same && !s.old_count == !body->before;
    uint32_t *join_of = ARENA_ARRAY(arena, uint32_t, func->phis.count);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            join_of[func->phi_at.at[n] + i] = n;
    body->new_join_of = join_of;
    body->preds = preds_of(arena, func);
    phi_sequence(&s, coder, body);
    s.count = func->phis.count;
    const uint32_t *phis = match_phis(arena, body->before, func, body->fresh);
    return write_sequence(&s,
                          &(SequenceWriting){.match = phis, .fill = fill_phi, .note = phi_note}) &&
           same;
}

static void write_mach(CertCoder *coder, BodyCode *body, const uint32_t *match) {
    FormSequence s;
    mach_sequence(&s, coder, body);
    s.count = body->func->mach->code.count;
    const Mach *mach = body->func->mach;
    for (uint32_t b = 0; body->image && s.old_count && b < mach->blocks.count; b++) {
        uint32_t last = mach->blocks.at[b].first + mach->blocks.at[b].count - 1;
        if (match[last] != NO_ID) body->image[body->block_of[match[last]]] = b;
    }
    write_sequence(&s, &(SequenceWriting){.match = match,
                                          .image = body->image,
                                          .succs = MACH_SUCCS,
                                          .fill = fill_instr,
                                          .note = mach_note});
}

// Whether the form differs from the one before.
static bool write_form(Certifier *c, const Func *before, const Func *func, const HintShape *shape,
                       const void *hint) {
    CertCoder *coder = &c->coder;
    Arena *arena = coder->t.scratch;
    FormFrame frame = frame_of(arena, before, func);
    uint64_t budget = UINT64_MAX;
    columns_code(&coder->t, arena, &frame_shape, &frame, &budget);
    BodyCode body;
    body_code_init(&body, coder, before, (Func *)func, frame.fresh);
    if (func->mach) {
        write_mach(coder, &body, match_instrs(arena, shape, hint, before, func));
        return true;
    }
    uint32_t *match = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) match[n] = NO_ID;
    if (before && !before->mach)
        match = match_nodes(arena, before, func, performed(shape, hint, func), frame.fresh);
    bool same = write_graph(coder, &body, match) && before && before->form == func->form &&
                before->phis.count == func->phis.count && !frame.fresh && !frame.types.count &&
                !frame.sizes.count;
    return !same;
}

// ---- What the pipeline tells

static void close(Certifier *c) {
    if (c->open) token_word(&c->coder.t, PART_END, part_word);
    if (c->open) token_line(&c->coder.t);
    c->open = false;
}

static void begin(void *context, const Func *func) {
    Certifier *c = context;
    CertCoder *coder = &c->coder;
    RecordTable *all[] = {&coder->nodes, &coder->phis, &coder->instrs};
    if (c->watched.begin) c->watched.begin(c->watched.context, func);
    bool again = c->function.i == func->symbol.i; // it starts anew
    if (again) c->out.length = c->function_start;
    if (!again) close(c);
    for (uint32_t i = 0; i < 3; i++)
        if (again)
            all[i]->patterns.count = c->patterns[i];
        else
            c->patterns[i] = all[i]->patterns.count;
    c->function = func->symbol;
    c->function_start = c->out.length;
    arena_reset(coder->t.scratch);
    c->open = true;
    bool resumed = c->resumed.i == func->symbol.i;
    token_word(&coder->t, resumed ? ITEM_RESUME : ITEM_CERTIFY, item_word);
    token_symbol(&coder->t, func->program, func->symbol);
    token_line(&coder->t);
    if (!resumed) write_form(c, NULL, func, NULL, NULL);
}

static void resume(void *context, const Func *func) {
    Certifier *c = context;
    if (c->watched.resume) c->watched.resume(c->watched.context, func);
    close(c);
    c->function = NO_SYM;
    c->resumed = func->symbol;
}

static void observe(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    Certifier *c = context;
    PassId pass = step_at(step).pass;
    size_t start = c->out.length;
    if (c->watched.observe) c->watched.observe(c->watched.context, step, before, after, hint);
    arena_reset(c->coder.t.scratch);
    token_word(&c->coder.t, PART_STEP, part_word);
    token_word(&c->coder.t, pass, pass_word);
    token_line(&c->coder.t);
    uint64_t budget = UINT64_MAX;
    columns_code(&c->coder.t, c->coder.t.scratch, hint_shapes[pass], (void *)hint, &budget);
    // A step that changed nothing is not written.
    if (!write_form(c, before, after, hint_shapes[pass], hint)) c->out.length = start;
}

static void offer(void *context, const Func *func) {
    Certifier *c = context;
    if (c->watched.offer) c->watched.offer(c->watched.context, func);
    token_word(&c->coder.t, PART_OFFER, part_word);
    token_line(&c->coder.t);
}

// ---- The frame of a certificate

static void write_origin(Out *out, const CertifiedOrigin *origin) {
    static const char compiler[] = "gatecc " GATECC_VERSION;
    out_printf(out, "source %s ", origin->digest ? digest_text(origin->digest).text : "none");
    out_quoted(out, origin->source, strlen(origin->source));
    out_text(out, "\noptions ");
    out_quoted(out, origin->options, strlen(origin->options));
    out_text(out, "\ncompiler ");
    out_quoted(out, compiler, strlen(compiler));
    out_char(out, '\n');
}

Digest certify_hash(Out *out) {
    Digest hash = sha256_of(out->text, out->length);
    out_printf(out, CERTIFICATE_HASH "%s\n", digest_text(&hash).text);
    return hash;
}

Digest certify_end(Out *out, const Digest *object) {
    out_printf(out, "object %s\n", object ? digest_text(object).text : "none");
    return certify_hash(out);
}

// Signatures may come up on the way: so what stands first is written last. A line break ends what
// is binary.
static Out with_declarations(Certifier *c, const CertifiedOrigin *origin) {
    Out all = {0};
    out_text(&all, CERTIFICATE_FIRST_LINE);
    write_origin(&all, origin);
    c->coder.t.out = &all;
    arena_reset(c->coder.t.scratch);
    declarations_code(&c->coder);
    out_bytes(&all, c->out.text, c->out.length);
    out_char(&all, '\n');
    out_free(&c->out);
    return all;
}

Out certify_program(Arena *arena, Program *program, const CertifiedOrigin *origin,
                    Pipeline *pipeline) {
    Certifier c = {.function = NO_SYM, .resumed = NO_SYM};
    TokenStream t = {.out = &c.out, .scratch = arena_new("certificate")};
    coder_init(&c.coder, t, arena, program);
    c.watched = *pipeline;
    pipeline->begin = begin;
    pipeline->observe = observe;
    pipeline->offer = offer;
    pipeline->resume = resume;
    pipeline->context = &c;
    if (pipeline->check != CHECK_OFF) pipeline->check = CHECK_FAST; // no form that only steps make
    pipeline_run_program(pipeline, program);
    close(&c);
    Out all = with_declarations(&c, origin);
    arena_free(c.coder.t.scratch);
    return all;
}
