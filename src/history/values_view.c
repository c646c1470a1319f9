#include "history/values_view.h"

#include "graph/basic_blocks.h"

#include <string.h>

// ---- Registers

static void find_old_registers(ValuesView *v) {
    Arena *scratch = v->notes->scratch;
    uint32_t count = v->before->regs.count;
    v->first_old = history_table(scratch, v->hint->values.count);
    v->next_old = history_table(scratch, count);
    for (uint32_t r = count; r-- > 0;) {
        uint32_t root = value_root_of_reg(&v->roots, r);
        if (root == NO_ID) continue;
        v->next_old[r] = v->first_old[root];
        v->first_old[root] = r;
    }
}

const HintValue *values_constant(const ValuesView *v, uint32_t root) {
    if (root == NO_ID) return NULL;
    const HintValue *it = &v->hint->values.at[root];
    return it->kind == VALUE_OP && it->count == 0 ? it : NULL;
}

// ---- Ways

static uint32_t way_by_constant(const ValuesView *v, uint32_t node) {
    const Instr *instr = &v->before->nodes.at[node];
    if (instr->kind == I_COND) {
        const HintValue *it = values_constant(v, value_root(&v->roots, v->test[node]));
        return it ? it->imm == 0 : NO_ID;
    }
    if (instr->kind != I_SWITCH && instr->kind != I_CHECK) return NO_ID;
    const HintValue *it =
        values_constant(v, value_root_of_reg(&v->roots, instr_args(v->before, instr)[0].i));
    if (!it || it->ref != NO_ID) return NO_ID;
    if (instr->kind == I_CHECK) return it->imm ? 0 : NO_ID;
    uint32_t way = 0;
    for (uint32_t k = 1; k < instr->succ_count; k++)
        if (instr_cases(v->before, instr)[k - 1] == it->imm) way = k;
    return way;
}

static void find_ways(ValuesView *v) {
    Arena *scratch = v->notes->scratch;
    uint32_t count = v->before->nodes.count, tests = 0;
    v->test = history_table(scratch, count);
    v->way = history_table(scratch, count);
    v->decision = history_table(scratch, count);
    for (uint32_t n = 0; n < count; n++)
        if (v->before->nodes.at[n].kind == I_COND && tests < v->hint->tests.count)
            v->test[n] = v->hint->tests.at[tests++];
    for (uint32_t n = 0; n < count; n++) v->way[n] = way_by_constant(v, n);
    for (uint32_t i = 0; i < v->hint->decisions.count; i++) {
        BranchEdge edge = v->hint->decisions.at[i].edge;
        if (edge.branch.i >= count) continue;
        v->decision[edge.branch.i] = i;
        v->way[edge.branch.i] = edge.way;
    }
}

static void reach(ValuesView *v) {
    Arena *scratch = v->notes->scratch;
    VEC(uint32_t) open = {0};
    v->reached = bits_new(scratch, v->before->nodes.count);
    bits_add(&v->reached, 0);
    vec_push(scratch, &open, 0);
    while (open.count) {
        uint32_t node = vec_pop(&open);
        const Instr *instr = &v->before->nodes.at[node];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t to = instr_succs(v->before, instr)[k].i;
            bool left = v->way[node] >= instr->succ_count || v->way[node] == k;
            if (left && bits_put(&v->reached, to)) vec_push(scratch, &open, to);
        }
    }
}

// The branch that a node hangs on that is not reached: the last one that dominates it and is
// reached.
static void find_causes(ValuesView *v) {
    v->cause = history_table(v->notes->scratch, v->before->nodes.count);
    for (uint32_t i = 1; i < v->dominance.count; i++) {
        uint32_t node = v->dominance.order[i], above = v->dominance.idom[node].i;
        if (bits_has(&v->reached, node)) continue;
        if (!bits_has(&v->reached, above))
            v->cause[node] = v->cause[above];
        else if (v->way[above] != NO_ID)
            v->cause[node] = above;
    }
}

// ---- Steps

static void find_owners(ValuesView *v) {
    const ValuesHint *hint = v->hint;
    v->owner = history_table(v->notes->scratch, hint->steps.count);
    for (uint32_t r = 0; r < hint->formed.count && r < v->before->regs.count; r++) {
        uint32_t at = hint->formed.at[r];
        while (at < hint->values.count && v->roots.step[at] != NO_ID &&
               v->owner[v->roots.step[at]] == NO_ID) {
            v->owner[v->roots.step[at]] = r;
            at = hint->steps.at[v->roots.step[at]].to;
        }
    }
}

static void find_parts(ValuesView *v) {
    Arena *scratch = v->notes->scratch;
    const ValuesHint *hint = v->hint;
    VEC(uint32_t) open = {0};
    v->part_of = history_table(scratch, hint->values.count);
    for (uint32_t i = 0; i < hint->steps.count; i++) {
        if (hint->steps.at[i].rule >= RULE_COUNT) continue;
        vec_push(scratch, &open, hint->steps.at[i].to);
        while (open.count) {
            uint32_t at = vec_pop(&open);
            if (at >= hint->values.count || v->part_of[at] != NO_ID) continue;
            const HintValue *it = &hint->values.at[at];
            v->part_of[at] = i;
            for (uint32_t k = 0; it->kind == VALUE_OP && k < it->count; k++)
                if (it->first + k < hint->args.count)
                    vec_push(scratch, &open, hint->args.at[it->first + k]);
        }
    }
}

// ---- Items

static void claim(ValuesView *v, uint32_t after, uint32_t before) {
    history_same(v->notes, after, before);
    if (v->claimed[before] == NO_ID) v->claimed[before] = after;
}

// An instruction that is performed is what it was, unless nothing is left of it.
static void claim_performed(ValuesView *v) {
    for (uint32_t n = 0; n < v->after->nodes.count; n++) {
        uint32_t old = v->hint->old.at[n].i;
        if (old >= v->before->nodes.count) continue;
        bool idle = v->after->nodes.at[n].kind == I_NOP;
        if (idle && v->before->nodes.at[old].kind != I_NOP) continue;
        claim(v, v->notes->items->of_node[n], v->notes->then_items->of_node[old]);
    }
}

static uint32_t root_after(const ValuesView *v, const Item *item) {
    Reg dest = item_dest(v->after, item);
    return dest.i < v->hint->value_of_new.count
               ? value_root(&v->roots, v->hint->value_of_new.at[dest.i])
               : NO_ID;
}

// A register of the same number with the same value; then any whose item nobody has claimed.
static void claim_values(ValuesView *v) {
    const FuncItems *items = v->notes->items, *then = v->notes->then_items;
    for (uint32_t i = 0; i < items->count; i++) {
        Reg dest = item_dest(v->after, &items->at[i]);
        if (v->notes->then[i] != NO_ID || dest.i >= v->before->regs.count) continue;
        uint32_t root = root_after(v, &items->at[i]), old = then->of_reg[dest.i];
        bool same = root == NO_ID || root == value_root_of_reg(&v->roots, dest.i);
        if (same && old != NO_ID && v->claimed[old] == NO_ID) claim(v, i, old);
    }
    // What is claimed is passed once and for all.
    uint32_t *cursor =
        arena_copy(v->notes->scratch, v->first_old, (v->hint->values.count + 1) * sizeof *cursor);
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t root = root_after(v, &items->at[i]);
        if (v->notes->then[i] != NO_ID || root == NO_ID) continue;
        uint32_t r = cursor[root];
        while (r != NO_ID && (then->of_reg[r] == NO_ID || v->claimed[then->of_reg[r]] != NO_ID))
            r = v->next_old[r];
        cursor[root] = r;
        if (r != NO_ID) claim(v, i, then->of_reg[r]);
    }
}

static void find_performed(ValuesView *v) {
    v->performed = history_table(v->notes->scratch, v->after->nodes.count);
    for (uint32_t n = v->after->nodes.count; n-- > 0;) {
        const Instr *instr = &v->after->nodes.at[n];
        uint32_t old = v->hint->old.at[n].i;
        v->performed[n] = old != NO_ID             ? old
                          : instr->succ_count == 1 ? v->performed[instr->succ[0].i]
                                                   : NO_ID;
    }
}

bool values_view(StepNotes *notes, const ValuesHint *hint, ValuesView *v) {
    Arena *scratch = notes->scratch;
    *v = (ValuesView){.notes = notes, .hint = hint, .before = notes->before, .after = notes->after};
    if (!hint || hint->old.count != v->after->nodes.count ||
        hint->value_of_new.count != v->after->regs.count)
        return false;
    v->roots = value_roots_of(scratch, v->before, hint);
    v->preds = preds_of(scratch, v->before);
    v->dominance = dominance_of(scratch, v->before, &v->preds);
    v->loops = loop_nest_of(scratch, v->before, &v->preds, &v->dominance);
    v->definitions = definitions_of(scratch, v->before);
    v->heads = block_heads(scratch, v->before, &v->preds);
    v->claimed = history_table(scratch, notes->then_items->count);
    find_old_registers(v);
    find_ways(v);
    reach(v);
    find_causes(v);
    find_owners(v);
    find_parts(v);
    claim_performed(v);
    claim_values(v);
    find_performed(v);
    return true;
}

// ---- Values in words

enum { WORDS_DEPTH = 5 };

static void print_constant(Out *out, const ValuesView *v, const HintValue *it) {
    Instr instr = {.kind = I_OP,
                   .op = it->op,
                   .high = it->high,
                   .dest = NO_REG,
                   .ref = it->ref,
                   .imm = it->imm};
    Out text = {0};
    instr_print(&text, v->before, &instr);
    out_char(&text, '\0');
    const char *space = strncmp(text.text, "const.", 6) == 0 ? strchr(text.text, ' ') : NULL;
    out_text(out, space ? space + 1 : text.text);
    out_free(&text);
}

// What a sentence is about, for the names that it may use.
typedef struct {
    const ValuesView *v;
    uint32_t place;
} ValueWords;

static void print_value(Out *out, const ValueWords *words, uint32_t value, uint32_t depth);

static void print_operator(Out *out, const ValueWords *words, const HintValue *it, uint32_t depth,
                           bool inner) {
    const Program *program = words->v->before->program;
    if (it->kind == VALUE_PHI) out_text(out, "phi");
    if (it->kind == VALUE_CALL)
        out_text(out, program_text(program, program_at(program, (Sym){it->ref})->name));
    if (it->kind == VALUE_OP) out_text(out, op_info((Op)it->op)->name);
    out_text(out, inner ? "(" : " ");
    for (uint32_t k = 0; k < it->count; k++) {
        if (k) out_text(out, ", ");
        print_value(out, words, words->v->hint->args.at[it->first + k], depth + 1);
    }
    if (inner) out_char(out, ')');
}

// Whether a register has its value when the instruction of a node is about to be performed.
static bool is_known_at(const ValuesView *v, uint32_t reg, uint32_t place) {
    Definition by = v->definitions[reg];
    if (by.by == SET_BY_CALLER || place == NO_ID) return true;
    if (by.node.i == NO_ID || by.node.i == place) return definition_is_on_entry(by);
    return dominance_reaches(&v->dominance, by.node) &&
           dominance_reaches(&v->dominance, (Node){place}) &&
           dominates(&v->dominance, by.node, (Node){place});
}

// A register that has the value at the place of the sentence, if there is one: of several the
// first. Others have it, too, but may be set later, or not at all. What cannot be said in another
// way has its own name wherever it is.
static uint32_t named_by(const ValueWords *words, uint32_t value) {
    enum { MOST_LOOKS = 64 };
    const ValuesView *v = words->v;
    const HintValue *it = &v->hint->values.at[value];
    uint32_t root = v->roots.root[value], looks = 0;
    const HintValue *is = &v->hint->values.at[root];
    for (uint32_t r = v->first_old[root]; r != NO_ID && looks < MOST_LOOKS;
         r = v->next_old[r], looks++)
        if (is_known_at(v, r, words->place)) return r;
    if (it->kind == VALUE_OLD) return it->ref;
    if (is->kind == VALUE_OLD) return is->ref;
    return is->kind == VALUE_PHI ? v->first_old[root] : NO_ID;
}

static void print_value(Out *out, const ValueWords *words, uint32_t value, uint32_t depth) {
    const ValuesView *v = words->v;
    if (value >= v->hint->values.count) {
        out_char(out, '?');
        return;
    }
    const HintValue *it = &v->hint->values.at[value];
    const HintValue *constant = values_constant(v, v->roots.root[value]);
    uint32_t reg = named_by(words, value);
    if (constant)
        print_constant(out, v, constant);
    else if (reg < v->before->regs.count)
        reg_print(out, v->before, (Reg){reg});
    else if (it->kind == VALUE_LOAD)
        out_printf(out, "what node %u loads", func_label(v->before, (Node){(uint32_t)it->imm}));
    else if (depth > WORDS_DEPTH)
        out_text(out, "...");
    else
        print_operator(out, words, it, depth, true);
}

static const char *taken(const ValuesView *v, Out *out) {
    const char *text = arena_text(v->notes->scratch, out->text, out->length);
    out_free(out);
    return text;
}

const char *values_name(const ValuesView *v, uint32_t value, uint32_t place) {
    Out out = {0};
    print_value(&out, &(ValueWords){v, place}, value, 0);
    return taken(v, &out);
}

const char *values_operator(const ValuesView *v, uint32_t value, uint32_t place) {
    Out out = {0};
    const HintValue *it = value < v->hint->values.count ? &v->hint->values.at[value] : NULL;
    if (it && it->kind == VALUE_OP && it->count)
        print_operator(&out, &(ValueWords){v, place}, it, 0, false);
    else
        print_value(&out, &(ValueWords){v, place}, value, 0);
    return taken(v, &out);
}
