// Gates as text.
//
// The used part of the table is first copied into a fresh table, in which equal predicates are one:
// so the text does not depend on the history of the table. A predicate is written out at each use,
// unless it is used more than once and has more than WRITTEN_OUT literals; then the predicate has a
// line of its own and is used by name. A predicate that is written out twice is thus small, and the
// text is as long as the table, but for a constant factor. Names are given in the order in which a
// reader needs them: by a walk from the uses, in the order of the text, operands first. The text
// depends only on the structure of the predicates, which is the same when the text is read back.
#include "text/print/gsa_print.h"

#include "text/print/print_forms.h"
#include "text/print/print_parts.h"

// ---- What can be read of a broken function

static bool cases_readable(const Gsa *gsa) {
    for (uint32_t i = 0; i < gsa->switches.count; i++) {
        GateCases cases = gsa->switches.at[i];
        if ((uint64_t)cases.first + cases.count > gsa->case_values.count) return false;
    }
    return true;
}

static bool atom_readable(const Gsa *gsa, const GateAtom *atom) {
    if (atom->op > OP_COUNT || atom->arg_count > 2) return false;
    return atom->op < OP_COUNT || (atom->arg_count == 1 && atom->cases < gsa->switches.count &&
                                   atom->way <= gsa->switches.at[atom->cases].count);
}

static bool gate_readable(const Gsa *gsa, uint32_t i) {
    const GateNode *node = &gsa->gates.at[i];
    if (i < 3) return node->kind == (const GateKind[]){GK_FALSE, GK_TRUE, GK_UNDEF}[i];
    if (node->kind == GK_LITERAL) return node->first < gsa->atoms.count;
    return (node->kind == GK_AND || node->kind == GK_OR) && node->first < i && node->second < i;
}

static bool index_readable(const uint32_t *at, uint32_t count, uint32_t nodes, uint32_t items) {
    if (!count) return items == 0;
    if (count != nodes + 1 || at[0] != 0 || at[nodes] != items) return false;
    for (uint32_t n = 0; n < nodes; n++)
        if (at[n] > at[n + 1]) return false;
    return true;
}

static bool blocks_readable(const Gsa *gsa) {
    uint32_t gates = gsa->gates.count;
    bool good = true;
    for (uint32_t i = 0; i < gsa->merges.count; i++) {
        const Merge *merge = &gsa->merges.at[i];
        good &= (uint64_t)merge->args_at + merge->arg_count <= gsa->merge_args.count;
    }
    for (uint32_t i = 0; i < gsa->merge_args.count; i++)
        good &= gsa->merge_args.at[i].gate.i < gates;
    for (uint32_t i = 0; i < gsa->etas.count; i++) good &= gsa->etas.at[i].gate.i < gates;
    for (uint32_t i = 0; i < gsa->loops.count; i++)
        good &= gsa->loops.at[i].leaves.i < gates && gsa->loops.at[i].goes_on.i < gates;
    for (uint32_t i = 0; i < gsa->ends.count; i++) good &= gsa->ends.at[i].gate.i < gates;
    return good;
}

bool gsa_readable(const Func *func) {
    const Gsa *gsa = func->gsa;
    if (!gsa || gsa->gates.count < 3 || !cases_readable(gsa)) return false;
    for (uint32_t i = 0; i < gsa->atoms.count; i++)
        if (!atom_readable(gsa, &gsa->atoms.at[i])) return false;
    for (uint32_t i = 0; i < gsa->gates.count; i++)
        if (!gate_readable(gsa, i)) return false;
    uint32_t nodes = func->nodes.count;
    return index_readable(gsa->merge_at.at, gsa->merge_at.count, nodes, gsa->merges.count) &&
           index_readable(gsa->eta_at.at, gsa->eta_at.count, nodes, gsa->etas.count) &&
           blocks_readable(gsa);
}

#define WRITTEN_OUT 4

// What is still to be printed: a gate, or, as NO_ID, a piece of text.
typedef struct {
    uint32_t gate;
    bool parenthesized;
    const char *piece;
} PendingText;

struct GateText {
    const Func *func;
    Arena *arena;
    Gsa *table;           // what is shown
    uint32_t *shown;      // gate of the function -> gate in the table; NO_ID if it is not used
    uint32_t *shown_list; // the same for lists of cases
    VEC(uint32_t) uses;   // roots: gates of the table in the order in which the text mentions them
    uint32_t *name;       // gate of the table -> number of its name, or NO_ID if it has none
    VEC(uint32_t) named;
    uint32_t *list_name; // list of cases -> its number in the text, or NO_ID
    VEC(uint32_t) lists;
    VEC(uint32_t) atoms; // those that the text mentions
    VEC(PendingText) pending;
};

// ---- The gates that are used, in the order of the text

typedef void Visitor(GateText *text, Gate gate);

static void visit_uses(GateText *text, Visitor *visit, const Gate *more, uint32_t more_count) {
    const Func *func = text->func;
    const Gsa *gsa = func->gsa;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Eta *etas = gsa_etas(func, (Node){n});
        const Merge *merges = gsa_merges(func, (Node){n});
        for (uint32_t i = 0; i < gsa_eta_count(func, (Node){n}); i++) visit(text, etas[i].gate);
        for (uint32_t i = 0; i < gsa_merge_count(func, (Node){n}); i++)
            for (uint32_t k = 0; k < merges[i].arg_count; k++)
                visit(text, merge_args(func, &merges[i])[k].gate);
    }
    for (uint32_t i = 0; i < gsa->loops.count; i++) {
        visit(text, gsa->loops.at[i].leaves);
        visit(text, gsa->loops.at[i].goes_on);
    }
    for (uint32_t i = 0; i < gsa->ends.count; i++) visit(text, gsa->ends.at[i].gate);
    for (uint32_t i = 0; i < more_count; i++) visit(text, more[i]);
}

static void mark_used(GateText *text, Gate gate) {
    text->shown[gate.i] = 0;
}

static void add_use(GateText *text, Gate gate) {
    vec_push(text->arena, &text->uses, text->shown[gate.i]);
}

// ---- The table that is shown

// The number of a list of cases in the table that is shown.
static uint32_t copy_list(GateText *text, uint32_t list) {
    const Gsa *gsa = text->func->gsa;
    GateCases cases = gsa->switches.at[list];
    const int64_t *values = cases.count ? gsa->case_values.at + cases.first : NULL;
    if (text->shown_list[list] == NO_ID)
        text->shown_list[list] = gate_case_list(text->arena, text->table, values, cases.count);
    return text->shown_list[list];
}

static Gate copy_literal(GateText *text, const GateNode *node) {
    GateAtom atom = text->func->gsa->atoms.at[node->first];
    if (atom.op == OP_COUNT) atom.cases = copy_list(text, atom.cases);
    return gate_literal(text->arena, text->table, &atom, node->negated);
}

static Gate copy_gate(GateText *text, uint32_t i) {
    const GateNode *node = &text->func->gsa->gates.at[i];
    if (i < 3) return (Gate){i};
    if (node->kind == GK_LITERAL) return copy_literal(text, node);
    Gate first = {text->shown[node->first]}, second = {text->shown[node->second]};
    return node->kind == GK_AND ? gate_and(text->arena, text->table, first, second)
                                : gate_or(text->arena, text->table, first, second);
}

// Operands have smaller numbers: downwards, what a used gate needs is used; upwards, it is copied
// before it is needed.
static void copy_table(GateText *text) {
    const Gsa *gsa = text->func->gsa;
    for (uint32_t i = gsa->gates.count; i-- > 3;) {
        const GateNode *node = &gsa->gates.at[i];
        if (text->shown[i] == NO_ID || node->kind == GK_LITERAL) continue;
        text->shown[node->first] = text->shown[node->second] = 0;
    }
    for (uint32_t i = 0; i < gsa->gates.count; i++)
        if (text->shown[i] != NO_ID) text->shown[i] = copy_gate(text, i).i;
}

// ---- Names

static bool is_operator(const GateNode *node) {
    return node->kind == GK_AND || node->kind == GK_OR;
}

// How often each gate of the table is used, by what is used itself.
static uint32_t *count_uses(const GateText *text) {
    const Gsa *table = text->table;
    uint32_t *count = ARENA_ARRAY(text->arena, uint32_t, table->gates.count);
    for (uint32_t i = 0; i < text->uses.count; i++) count[text->uses.at[i]]++;
    for (uint32_t i = table->gates.count; i-- > 3;) {
        const GateNode *node = &table->gates.at[i];
        if (!count[i] || !is_operator(node)) continue;
        count[node->first]++;
        count[node->second]++;
    }
    return count;
}

#define TO_BE_NAMED (NO_ID - 1)

static void choose_named(GateText *text) {
    const Gsa *table = text->table;
    const uint32_t *uses = count_uses(text);
    // Literals that stand where a gate is used, and where it is written out.
    uint64_t *used = ARENA_ARRAY(text->arena, uint64_t, table->gates.count);
    text->name = ARENA_ARRAY(text->arena, uint32_t, table->gates.count);
    for (uint32_t i = 0; i < table->gates.count; i++) {
        const GateNode *node = &table->gates.at[i];
        uint64_t written = is_operator(node) ? used[node->first] + used[node->second] : 1;
        bool named = uses[i] > 1 && written > WRITTEN_OUT;
        text->name[i] = named ? TO_BE_NAMED : NO_ID;
        used[i] = named ? 1 : written;
    }
}

static void number_gate(GateText *text, uint32_t i) {
    const GateNode *node = &text->table->gates.at[i];
    if (text->name[i] == TO_BE_NAMED) {
        vec_push(text->arena, &text->named, i);
        text->name[i] = text->named.count;
    }
    if (node->kind != GK_LITERAL) return;
    vec_push(text->arena, &text->atoms, node->first);
    if (text->table->atoms.at[node->first].op != OP_COUNT) return;
    uint32_t list = text->table->atoms.at[node->first].cases;
    if (text->list_name[list] != NO_ID) return;
    text->list_name[list] = text->lists.count;
    vec_push(text->arena, &text->lists, list);
}

// Walks from the uses, operands before what they are operands of.
static void number_names(GateText *text) {
    const Gsa *table = text->table;
    uint8_t *seen = ARENA_ARRAY(text->arena, uint8_t, table->gates.count);
    enum { NEW, OPEN, DONE };
    VEC(uint32_t) work = {0};
    text->list_name = ARENA_ARRAY(text->arena, uint32_t, table->switches.count);
    for (uint32_t i = 0; i < table->switches.count; i++) text->list_name[i] = NO_ID;
    for (uint32_t u = 0; u < text->uses.count; u++) {
        vec_push(text->arena, &work, text->uses.at[u]);
        while (work.count) {
            uint32_t i = work.at[work.count - 1];
            const GateNode *node = &table->gates.at[i];
            if (seen[i] == NEW && is_operator(node)) {
                vec_push(text->arena, &work, node->second);
                vec_push(text->arena, &work, node->first);
                seen[i] = OPEN;
                continue;
            }
            if (seen[i] != DONE) number_gate(text, i);
            seen[i] = DONE;
            work.count--;
        }
    }
}

GateText *gate_text_new(Arena *arena, const Func *func, const Gate *more, uint32_t more_count) {
    GateText *text = ARENA_NEW(arena, GateText);
    *text = (GateText){.func = func,
                       .arena = arena,
                       .table = gsa_new(arena),
                       .shown = ARENA_ARRAY(arena, uint32_t, func->gsa->gates.count),
                       .shown_list = ARENA_ARRAY(arena, uint32_t, func->gsa->switches.count)};
    for (uint32_t i = 0; i < func->gsa->gates.count; i++) text->shown[i] = NO_ID;
    for (uint32_t i = 0; i < func->gsa->switches.count; i++) text->shown_list[i] = NO_ID;
    visit_uses(text, mark_used, more, more_count);
    copy_table(text);
    visit_uses(text, add_use, more, more_count);
    choose_named(text);
    number_names(text);
    return text;
}

// ---- Printing

static void print_way(Out *out, const GateText *text, const GateAtom *atom) {
    const Gsa *table = text->table;
    out_text(out, "case(c");
    out_u64(out, text->list_name[atom->cases]);
    out_text(out, ", ");
    reg_print(out, text->func, atom->arg[0]);
    out_text(out, ", ");
    if (atom->way == 0)
        out_text(out, "default");
    else
        out_i64(out, table->case_values.at[table->switches.at[atom->cases].first + atom->way - 1]);
    out_char(out, ')');
}

static void print_literal(Out *out, const GateText *text, const GateNode *node) {
    const GateAtom *atom = &text->table->atoms.at[node->first];
    if (node->negated) out_char(out, '!');
    if (atom->op == OP_COUNT) {
        print_way(out, text, atom);
        return;
    }
    out_text(out, op_info(atom->op)->name);
    out_char(out, '(');
    for (uint32_t i = 0; i < atom->arg_count; i++) {
        if (i) out_text(out, ", ");
        reg_print(out, text->func, atom->arg[i]);
    }
    if (atom->immediate) {
        if (atom->arg_count) out_text(out, ", ");
        out_i64(out, atom->imm);
    }
    out_char(out, ')');
}

static void push_operand(GateText *text, uint32_t gate, bool binds_too_little) {
    const GateNode *node = &text->table->gates.at[gate];
    bool parenthesized = binds_too_little && is_operator(node) && text->name[gate] == NO_ID;
    vec_push(text->arena, &text->pending,
             (PendingText){.gate = gate, .parenthesized = parenthesized});
}

static void push_piece(GateText *text, const char *piece) {
    vec_push(text->arena, &text->pending, (PendingText){.gate = NO_ID, .piece = piece});
}

// `&` binds tighter than `|`; both group to the left.
static void push_operands(GateText *text, const GateNode *node) {
    bool conjunction = node->kind == GK_AND;
    bool second_is_and = text->table->gates.at[node->second].kind == GK_AND;
    bool first_is_or = text->table->gates.at[node->first].kind == GK_OR;
    push_operand(text, node->second, conjunction || !second_is_and);
    push_piece(text, conjunction ? " & " : " | ");
    push_operand(text, node->first, conjunction && first_is_or);
}

// Writes a gate of the table out, whether it has a name or not.
static void print_out(Out *out, GateText *text, uint32_t gate) {
    static const char *const constants[] = {"false", "true", "undef"};
    push_operand(text, gate, false);
    for (bool first = true; text->pending.count; first = false) {
        PendingText next = vec_pop(&text->pending);
        if (next.gate == NO_ID) {
            out_text(out, next.piece);
            continue;
        }
        const GateNode *node = &text->table->gates.at[next.gate];
        if (next.gate < 3) {
            out_text(out, constants[next.gate]);
        } else if (text->name[next.gate] != NO_ID && !first) {
            out_char(out, 'p');
            out_u64(out, text->name[next.gate]);
        } else if (node->kind == GK_LITERAL) {
            print_literal(out, text, node);
        } else {
            if (next.parenthesized) out_char(out, '(');
            if (next.parenthesized) push_piece(text, ")");
            push_operands(text, node);
        }
    }
}

void gate_text_print(Out *out, GateText *text, Gate gate) {
    uint32_t shown = text->shown[gate.i];
    if (text->name[shown] == NO_ID) {
        print_out(out, text, shown);
        return;
    }
    out_char(out, 'p');
    out_u64(out, text->name[shown]);
}

void gate_text_spell(Out *out, GateText *text, Gate gate) {
    print_out(out, text, text->shown[gate.i]);
}

void gate_text_lines(Out *out, GateText *text, const char *before, const char *after) {
    for (uint32_t i = 0; i < text->lists.count; i++) {
        GateCases cases = text->table->switches.at[text->lists.at[i]];
        out_text(out, before);
        out_text(out, "cases c");
        out_u64(out, i);
        out_text(out, " =");
        for (uint32_t k = 0; k < cases.count; k++) {
            out_text(out, k ? ", " : " ");
            out_i64(out, text->table->case_values.at[cases.first + k]);
        }
        out_text(out, after);
    }
    for (uint32_t i = 0; i < text->named.count; i++) {
        out_text(out, before);
        out_char(out, 'p');
        out_u64(out, i + 1);
        out_text(out, " = ");
        print_out(out, text, text->named.at[i]);
        out_text(out, after);
    }
}

void merge_print(Out *out, GateText *text, const Merge *merge) {
    const MergeArg *args = merge_args(text->func, merge);
    reg_print(out, text->func, merge->dest);
    out_text(out, merge->kind == MERGE_MU ? " = mu(" : " = gamma(");
    for (uint32_t k = 0; k < merge->arg_count; k++) {
        if (k) out_text(out, ", ");
        if (merge->kind != MERGE_MU) {
            gate_text_print(out, text, args[k].gate);
            out_text(out, ": ");
        }
        reg_print(out, text->func, args[k].reg);
    }
    out_char(out, ')');
}

void eta_print(Out *out, GateText *text, const Eta *eta) {
    reg_print(out, text->func, eta->dest);
    out_text(out, " = eta(");
    gate_text_print(out, text, eta->gate);
    out_text(out, ", ");
    reg_print(out, text->func, eta->source);
    out_char(out, ')');
}

void gate_text_add_registers(GateText *text, Bits *used) {
    for (uint32_t i = 0; i < text->atoms.count; i++) {
        const GateAtom *atom = &text->table->atoms.at[text->atoms.at[i]];
        for (uint32_t k = 0; k < atom->arg_count; k++)
            if (atom->arg[k].i < used->size) bits_add(used, atom->arg[k].i);
    }
}

void gsa_print(Out *out, const Func *func, const PrintOptions *options) {
    print_graph(out, func, options, false);
}
