// A form is written as what changed against the one before: nodes that are the same are kept by number.
// For that, nodes go by labels that stay when a pass inserts or moves others; a node that a pass made
// gets a label of its own. So the labels of the certificate differ from those that `gate show` prints.
#include "cert/certify.h"

#include "base/bits.h"
#include "base/version.h"
#include "cert/certificate.h"
#include "cert/hints.h"
#include "form/forms.h"
#include "form/fssa/fssa_print.h"
#include "form/gsa/gsa.h"
#include "form/text.h"

#include <string.h>

typedef struct {
    Out out;
    Arena *scratch;        // for one step
    size_t function_start; // where the text of the function at hand starts
    Sym function;          // at hand
    Sym resumed;           // the last function that went on from the form in which it was offered
    VEC(uint32_t) labels;  // of the nodes of the form that was written last
    uint32_t next_label;
    Arena *arena;
    Pipeline watched; // as it was before: whoever watched it is told of everything, too
} Certifier;

// ---- Labels

// A function as it is written: with other labels.
static Func with_labels(const Func *func, uint32_t *labels) {
    Func view = *func;
    view.labels.at = labels;
    view.labels.count = view.labels.capacity = func->nodes.count;
    return view;
}

static uint64_t instr_hash(const Func *func, const Instr *instr) {
    const Reg *args = instr_args(func, instr);
    uint64_t hash = hash_mix((uint64_t)instr->kind << 32 | instr->op) ^ instr->dest.i;
    hash = hash_mix(hash + (uint64_t)instr->imm) ^ instr->ref;
    for (uint32_t k = 0; k < instr->arg_count; k++) hash = hash_mix(hash + args[k].i);
    return hash;
}

enum { FEW = 8 }; // of an instruction that is there many times, so many are looked at

// Adds a node to those that are looked up, unless there are enough with its instruction: a table with
// many entries of one hash is slow.
static void add_node(Arena *arena, Table *table, const Func *before, uint32_t node) {
    uint64_t hash = instr_hash(before, &before->nodes.at[node]);
    uint32_t at = table_first(table, hash), others = 0;
    while (others < FEW && table_id(table, hash, &at) != HASH_NONE) others++;
    if (others < FEW) table_insert(arena, table, hash, node);
}

// A node of `before` with this instruction that is not taken yet, or NO_ID. Nops are too common to tell
// anything.
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

// The same for functions with different registers: a few nodes further on, an instruction that does the
// same to other registers.
static uint32_t look_ahead(const Bits *taken, uint32_t next, const Func *before, const Func *after,
                           const Instr *instr) {
    enum { NEAR = 16 };
    if (instr->kind == I_NOP) return NO_ID;
    for (uint32_t id = next; id < before->nodes.count && id - next < NEAR; id++)
        if (!bits_has(taken, id) && instr_alike(before, &before->nodes.at[id], after, instr))
            return id;
    return NO_ID;
}

// What a hint says of the nodes of `after`, in a column `old`: which of `before` they perform. NULL if it says nothing.
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

// For each node of `after` the one of `before` whose label it gets, or NO_ID. If the hint does not tell and the pass keeps
// the number of nodes, they are taken for the same; else instructions are looked up, in order, so that runs of nodes
// stay together.
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

// ---- What is kept

typedef struct {
    const Func *before, *after; // with the labels that are written
    bool own_regs;              // `after` has its own registers
    Preds old_preds, preds;
    const Gate *then; // if both are gated: predicate of `after` -> number in the table of `before`
} FormChange;

// Whether the phis, merges and etas of kept nodes are written all the same.
static bool merges_apart(const Func *before, const Func *after, bool own_regs) {
    return own_regs || before->form != after->form;
}

static bool same_targets(const FormChange *change, const Node *old, const Node *fresh,
                         uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        if (func_label(change->before, old[k]) != func_label(change->after, fresh[k])) return false;
    return true;
}

static bool same_phis(const FormChange *change, Node old, Node fresh) {
    const Func *before = change->before, *after = change->after;
    uint32_t count = func_phi_count(after, fresh), width = preds_count(&change->preds, fresh);
    if (!count && !func_phi_count(before, old)) return true;
    if (func_phi_count(before, old) != count || preds_count(&change->old_preds, old) != width ||
        !same_targets(change, preds_at(&change->old_preds, old), preds_at(&change->preds, fresh),
                      width))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const Phi *then = &func_phis(before, old)[i], *now = &func_phis(after, fresh)[i];
        if (then->dest.i != now->dest.i ||
            memcmp(phi_args(before, then), phi_args(after, now), width * sizeof(Reg)) != 0)
            return false;
    }
    return true;
}

static bool same_gate(const FormChange *change, Gate old, Gate fresh) {
    return old.i == change->then[fresh.i].i;
}

static bool same_etas(const FormChange *change, Node old, Node fresh) {
    const Eta *then = gsa_etas(change->before, old), *now = gsa_etas(change->after, fresh);
    uint32_t count = gsa_eta_count(change->after, fresh);
    bool same = gsa_eta_count(change->before, old) == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = then[i].dest.i == now[i].dest.i && then[i].source.i == now[i].source.i &&
               same_gate(change, then[i].gate, now[i].gate);
    return same;
}

static bool same_merge(const FormChange *change, const Merge *then, const Merge *now) {
    const MergeArg *old = merge_args(change->before, then), *fresh = merge_args(change->after, now);
    bool same =
        then->kind == now->kind && then->dest.i == now->dest.i && then->arg_count == now->arg_count;
    for (uint32_t k = 0; same && k < now->arg_count; k++)
        same = old[k].reg.i == fresh[k].reg.i && same_gate(change, old[k].gate, fresh[k].gate);
    return same;
}

static bool same_gated(const FormChange *change, Node old, Node fresh) {
    uint32_t count = gsa_merge_count(change->after, fresh);
    bool same = same_etas(change, old, fresh) && gsa_merge_count(change->before, old) == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = same_merge(change, &gsa_merges(change->before, old)[i],
                          &gsa_merges(change->after, fresh)[i]);
    return same;
}

static bool same_label(const FormChange *change, Node old, Node fresh) {
    return func_label(change->before, old) == func_label(change->after, fresh);
}

// Whether loops and ends have the gates that they had.
static bool same_outer_gates(const FormChange *change) {
    const Gsa *then = change->before->gsa, *now = change->after->gsa;
    bool same = then->loops.count == now->loops.count && then->ends.count == now->ends.count;
    for (uint32_t i = 0; i < now->loops.count && same; i++) {
        const LoopGate *old = &then->loops.at[i], *fresh = &now->loops.at[i];
        same = same_label(change, old->header, fresh->header) &&
               same_gate(change, old->leaves, fresh->leaves) &&
               same_gate(change, old->goes_on, fresh->goes_on);
    }
    for (uint32_t i = 0; i < now->ends.count && same; i++)
        same = same_label(change, then->ends.at[i].node, now->ends.at[i].node) &&
               same_gate(change, then->ends.at[i].gate, now->ends.at[i].gate);
    return same;
}

static bool is_plain(const Func *func, Node node) {
    return !func->gsa || (!gsa_merge_count(func, node) && !gsa_eta_count(func, node));
}

static bool is_kept(const FormChange *change, uint32_t old, Node node) {
    const Func *before = change->before, *after = change->after;
    if (old == NO_ID) return false;
    const Instr *then = &before->nodes.at[old], *now = func_at(after, node);
    if (!same_label(change, (Node){old}, node) ||
        !(change->own_regs ? instr_alike : instr_same)(before, then, after, now) ||
        then->succ_count != now->succ_count)
        return false;
    if (merges_apart(before, after, change->own_regs)) return true;
    return same_phis(change, (Node){old}, node) &&
           (!change->then || same_gated(change, (Node){old}, node));
}

// Whether a node that is kept leads elsewhere.
static bool is_redirected(const FormChange *change, uint32_t old, Node node) {
    const Instr *then = &change->before->nodes.at[old], *now = func_at(change->after, node);
    return !same_targets(change, instr_succs(change->before, then), instr_succs(change->after, now),
                         now->succ_count);
}

// Whether one function has the registers, slots and parameters of another, and perhaps more.
static bool extends(const Func *before, const Func *after) {
    if (after->regs.count < before->regs.count || after->slots.count < before->slots.count ||
        after->params.count != before->params.count)
        return false;
    for (uint32_t i = 0; i < before->regs.count; i++) {
        const RegInfo *a = &before->regs.at[i], *b = &after->regs.at[i];
        if (a->type != b->type || a->name.i != b->name.i || a->number != b->number ||
            a->version != b->version)
            return false;
    }
    for (uint32_t i = 0; i < before->slots.count; i++) {
        const SlotInfo *a = &before->slots.at[i], *b = &after->slots.at[i];
        if (a->size != b->size || a->align != b->align || a->buffer != b->buffer ||
            a->name.i != b->name.i)
            return false;
    }
    for (uint32_t i = 0; i < before->params.count; i++)
        if (before->params.at[i].i != after->params.at[i].i) return false;
    return true;
}

// ---- Writing

static void write_registers(Out *out, const Func *func, uint32_t from) {
    for (uint32_t i = from; i < func->regs.count; i++) {
        Type type = func->regs.at[i].type;
        bool goes_on = i > from && func->regs.at[i - 1].type == type;
        if (!goes_on) out_printf(out, "%s  reg %s ", i > from ? "\n" : "", type_name(type));
        if (goes_on) out_text(out, ", ");
        reg_print(out, func, (Reg){i});
    }
    if (from < func->regs.count) out_char(out, '\n');
}

static void write_parameters(Out *out, const Func *func) {
    for (uint32_t i = 0; i < func->params.count; i++) {
        out_text(out, i ? ", " : "  parameters ");
        reg_print(out, func, func->params.at[i]);
    }
    if (func->params.count) out_char(out, '\n');
}

static void write_renamed(Out *out, const Func *func, Node node) {
    const Instr *instr = func_at(func, node);
    if (instr->dest.i != NO_ID) out_char(out, ' ');
    if (instr->dest.i != NO_ID) out_u64(out, instr->dest.i);
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        out_char(out, ' ');
        out_u64(out, instr_args(func, instr)[k].i);
    }
}

static void write_targets(Out *out, const Func *func, Node node) {
    const Instr *instr = func_at(func, node);
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        out_text(out, k ? ", " : " -> ");
        out_u64(out, func_label(func, instr_succs(func, instr)[k]));
    }
}

// How a form is written: against the one before, or, if that is NULL, as the first.
typedef struct {
    const Func *before;
    const Func *func;
    const uint32_t *kept; // which node of the form before each node keeps, or NO_ID
    Bits redirected;      // which of those lead elsewhere
    bool keeps_gates;     // of loops and ends
    bool own_regs;
} FormWriting;

static bool has_merges(const Func *func, Node node) {
    return func_phi_count(func, node) || !is_plain(func, node);
}

// Writes the nodes from n on that one line can keep; yields the last.
static uint32_t write_kept(Out *out, FuncPrinter *printer, const FormWriting *w, uint32_t n) {
    bool apart = merges_apart(w->before, w->func, w->own_regs);
    uint32_t first = n;
    if (apart) func_print_merges(printer, (Node){n});
    while (n + 1 < w->func->nodes.count && w->kept[n + 1] == w->kept[n] + 1 &&
           !bits_has(&w->redirected, n) && !(apart && has_merges(w->func, (Node){n + 1})))
        n++;
    out_text(out, "  keep ");
    out_u64(out, w->kept[first]);
    if (n > first) out_text(out, " to ");
    if (n > first) out_u64(out, w->kept[n]);
    if (w->own_regs) out_text(out, " with");
    for (uint32_t i = first; w->own_regs && i <= n; i++) write_renamed(out, w->func, (Node){i});
    if (bits_has(&w->redirected, n)) write_targets(out, w->func, (Node){n});
    out_char(out, '\n');
    return n;
}

// What is written of the gates of a form: nothing of what is kept.
static Gsa *written_gates(Certifier *c, const FormWriting *w) {
    Func view = *w->func;
    view.arena = c->scratch;
    view.gsa = gsa_clone_table(c->scratch, w->func->gsa);
    for (uint32_t n = 0; n < w->func->nodes.count; n++) {
        Node node = {n};
        if (w->kept[n] != NO_ID) continue;
        for (uint32_t i = 0; i < gsa_eta_count(w->func, node); i++)
            gsa_add_eta(&view, node, gsa_etas(w->func, node)[i]);
        for (uint32_t i = 0; i < gsa_merge_count(w->func, node); i++) {
            const Merge *merge = &gsa_merges(w->func, node)[i];
            gsa_add_merge(&view, node, merge->kind, merge->dest, merge_args(w->func, merge),
                          merge->arg_count);
        }
    }
    gsa_end_blocks(&view);
    if (w->keeps_gates) return view.gsa;
    for (uint32_t i = 0; i < w->func->gsa->loops.count; i++)
        vec_push(c->scratch, &view.gsa->loops, w->func->gsa->loops.at[i]);
    for (uint32_t i = 0; i < w->func->gsa->ends.count; i++)
        vec_push(c->scratch, &view.gsa->ends, w->func->gsa->ends.at[i]);
    return view.gsa;
}

// What a body changes against the one before (forms.def).
static void graph_write_change(Certifier *c, const FormWriting *w) {
    FuncPrinter *printer = func_printer_new(c->scratch, &c->out, w->func);
    func_print_predicates(printer);
    for (uint32_t n = 0; n < w->func->nodes.count; n++)
        if (w->kept && w->kept[n] != NO_ID)
            n = write_kept(&c->out, printer, w, n);
        else
            func_print_node(printer, (Node){n}, &(PrintOptions){0});
    func_print_loops_and_ends(printer);
    if (w->keeps_gates) out_text(&c->out, "  keep gates\n");
}

// Little of machine code is what it was: it is written anew.
static void mach_write_change(Certifier *c, const FormWriting *w) {
    mach_print_lines(&c->out, w->func, &(PrintOptions){0});
}

// The same of equations, though no pass that is checked leads to them.
static void equations_write_change(Certifier *c, const FormWriting *w) {
    fssa_print_lines(&c->out, w->func, &(PrintOptions){0});
}

// The lines of a form.
static void write_form(Certifier *c, const FormWriting *w) {
    static void (*const write[BODY_COUNT])(Certifier *, const FormWriting *) = {
#define BODY(name, unit, meaning) [BODY_##name] = name##_write_change,
#include "form/forms.def"
    };
    write_registers(&c->out, w->func, w->own_regs ? 0 : w->before->regs.count);
    if (w->own_regs) write_parameters(&c->out, w->func);
    func_print_slots(&c->out, w->func, w->own_regs ? 0 : w->before->slots.count);
    write[form_table[w->func->form].body](c, w);
    out_text(&c->out, "}\n");
}

// Fresh labels for a form that keeps nothing: the numbers of its nodes.
static uint32_t *plain_labels(Certifier *c, const Func *func) {
    uint32_t *labels = ARENA_ARRAY(c->scratch, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) labels[n] = n;
    c->next_label = func->nodes.count;
    return labels;
}

static void set_labels(Certifier *c, const uint32_t *labels, uint32_t count) {
    vec_clear(&c->labels);
    uint32_t *to = vec_extend(c->arena, &c->labels, count);
    if (count) memcpy(to, labels, count * sizeof *labels);
}

static void begin(void *context, const Func *func) {
    Certifier *c = context;
    if (c->watched.begin) c->watched.begin(c->watched.context, func);
    if (c->function.i == func->symbol.i) c->out.length = c->function_start; // it starts anew
    c->function = func->symbol;
    c->function_start = c->out.length;
    arena_reset(c->scratch);
    uint32_t *labels = plain_labels(c, func);
    Func view = with_labels(func, labels);
    out_text(&c->out, c->resumed.i == func->symbol.i ? "resume " : "certify ");
    symbol_print(&c->out, func->program, func->symbol);
    out_text(&c->out, " {\n");
    write_form(c, &(FormWriting){.func = &view, .own_regs = true});
    set_labels(c, labels, func->nodes.count);
}

static void resume(void *context, const Func *func) {
    Certifier *c = context;
    if (c->watched.resume) c->watched.resume(c->watched.context, func);
    c->function = NO_SYM;
    c->resumed = func->symbol;
}

// Whether a form is just what the one before it was, so that the step need not be written.
static bool is_same(const FormWriting *w) {
    const Func *before = w->before, *after = w->func;
    if (before->form != after->form || after->gsa || after->body ||
        before->nodes.count != after->nodes.count || before->regs.count != after->regs.count ||
        before->slots.count != after->slots.count)
        return false;
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (w->kept[n] != n || bits_has(&w->redirected, n)) return false;
    return true;
}

// Finds out what a form keeps of the one before, and labels its nodes.
static void find_kept(Certifier *c, FormWriting *w, const uint32_t *old, uint32_t *labels) {
    const Func *before = w->before, *after = w->func;
    uint32_t *kept = match_nodes(c->scratch, before, after, old, w->own_regs);
    for (uint32_t n = 0; n < after->nodes.count; n++)
        labels[n] = kept[n] == NO_ID ? c->next_label++ : c->labels.at[kept[n]];
    Func then = with_labels(before, c->labels.at), now = with_labels(after, labels);
    FormChange change = {.before = &then,
                         .after = &now,
                         .own_regs = w->own_regs,
                         .old_preds = preds_of(c->scratch, before),
                         .preds = preds_of(c->scratch, after)};
    if (before->gsa && after->gsa)
        change.then = gsa_import(c->scratch, gsa_clone(c->scratch, before->gsa), after->gsa, NULL);
    w->redirected = bits_new(c->scratch, after->nodes.count);
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (!is_kept(&change, kept[n], (Node){n}))
            kept[n] = NO_ID;
        else if (is_redirected(&change, kept[n], (Node){n}))
            bits_add(&w->redirected, n);
    w->kept = kept;
    w->keeps_gates = change.then && !w->own_regs && same_outer_gates(&change);
}

static void observe(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    Certifier *c = context;
    PassId pass = step_at(step).pass;
    if (c->watched.observe) c->watched.observe(c->watched.context, step, before, after, hint);
    arena_reset(c->scratch);
    FormWriting w = {.before = before, .func = after, .own_regs = !extends(before, after)};
    uint32_t *labels = ARENA_ARRAY(c->scratch, uint32_t, after->nodes.count);
    find_kept(c, &w, performed(hint_shapes[pass], hint, after), labels);
    if (!w.own_regs && is_same(&w)) return;
    out_printf(&c->out, "step %s\n", pass_table[pass].name);
    hint_write(&c->out, hint_shapes[pass], hint);
    out_text(&c->out, w.own_regs ? "{\n  new\n" : "{\n");
    Func now = with_labels(after, labels);
    if (before->gsa && now.gsa && !w.own_regs) now.gsa = written_gates(c, &w);
    w.func = &now;
    write_form(c, &w);
    set_labels(c, labels, after->nodes.count);
}

static void offer(void *context, const Func *func) {
    Certifier *c = context;
    if (c->watched.offer) c->watched.offer(c->watched.context, func);
    out_text(&c->out, "offer\n");
}

// ---- What stands around it

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

Out certify_program(Arena *arena, Program *program, const CertifiedOrigin *origin,
                    Pipeline *pipeline) {
    Certifier c = {
        .arena = arena, .scratch = arena_new("certificate"), .function = NO_SYM, .resumed = NO_SYM};
    c.watched = *pipeline;
    pipeline->begin = begin;
    pipeline->observe = observe;
    pipeline->offer = offer;
    pipeline->resume = resume;
    pipeline->context = &c;
    if (pipeline->check != CHECK_OFF) pipeline->check = CHECK_FAST; // no form that only steps make
    out_text(&c.out, CERTIFICATE_FIRST_LINE);
    write_origin(&c.out, origin);
    program_print(&c.out, program, &(PrintOptions){.headers = true});
    pipeline_run_program(pipeline, program);
    arena_free(c.scratch);
    return c.out;
}
