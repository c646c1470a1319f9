// Hints in words: what each pass has told its checker, in a few lines. Of long lists the first few
// are shown and the others counted.
#include "cert/hints.h"
#include "history/history_private.h"

enum { MOST_SHOWN = 6 };

typedef struct {
    Out *out;
    const Func *before, *after;
    uint32_t shown; // of the list at hand
} HintWords;

static void line(HintWords *w) {
    if (w->out->length) out_char(w->out, '\n');
    w->shown = 0;
}

// Whether one more member of a list is to be shown; starts it.
static bool next(HintWords *w, const char *first) {
    if (w->shown++ >= MOST_SHOWN) return false;
    out_text(w->out, w->shown == 1 ? first : ", ");
    return true;
}

static void end(HintWords *w) {
    if (w->shown > MOST_SHOWN) out_printf(w->out, " and %u more", w->shown - MOST_SHOWN);
}

static void count(HintWords *w, uint32_t number, const char *what) {
    out_printf(w->out, "%u %s%s", number, what, number == 1 ? "" : "s");
}

static void node(HintWords *w, const Func *func, Node at) {
    if (at.i < func->nodes.count)
        out_printf(w->out, "node %u", func_label(func, at));
    else
        out_text(w->out, "no node");
}

static void reg(HintWords *w, const Func *func, Reg it) {
    if (it.i < func->regs.count)
        reg_print(w->out, func, it);
    else
        out_text(w->out, "nothing");
}

// ---- Copies

static void words_copies(HintWords *w, const CopiesHint *hint) {
    uint32_t moved = 0;
    for (uint32_t n = 0; n < hint->old.count; n++) moved += hint->old.at[n].i != n;
    line(w);
    if (hint->old.count)
        out_printf(w->out,
                   "for each of %u nodes the one of before that is next: for %u another "
                   "than that of its number",
                   hint->old.count, moved);
    else
        out_text(w->out, "each node is at the one of before of its number");
    if (hint->sites.count) line(w);
    for (uint32_t i = 0; i < hint->sites.count; i++)
        if (next(w, "bodies in the place of the calls at ")) node(w, w->before, hint->sites.at[i]);
    end(w);
    if (hint->dispatches.count) line(w);
    for (uint32_t i = 0; i < hint->dispatches.count; i++)
        if (next(w, "registers that tell by which way control came: "))
            reg(w, w->after, hint->dispatches.at[i].reg);
    end(w);
    if (hint->pairs.count) {
        line(w);
        count(w, hint->pairs.count, "register");
        out_text(w->out, " with the value of another at some node");
    }
    if (hint->facts.count) line(w);
    for (uint32_t i = 0; i < hint->facts.count; i++)
        if (next(w, "known outcomes: ")) {
            node(w, w->after, hint->facts.at[i].node);
            out_text(w->out, " by ");
            node(w, w->before, hint->facts.at[i].branch);
        }
    end(w);
}

// ---- Values

const char *history_step_name(uint32_t rule) {
    switch (rule) {
    case STEP_CONGRUENT: return "equal arguments";
    case STEP_EXTENDED: return "extension of what is extended";
    case STEP_KNOWN: return "range";
    case STEP_SUM: return "sum";
    case STEP_MERGED: return "merged constants";
    case STEP_EQUAL: return "equal values";
    case STEP_COUNTED: return "counter in step";
    case STEP_WIDENED: return "extended operands";
    default: return rule_name((Rule)rule);
    }
}

static void words_rules(HintWords *w, const ValuesHint *hint) {
    uint32_t uses[STEP_REASON_COUNT] = {0};
    for (uint32_t i = 0; i < hint->steps.count; i++)
        if (hint->steps.at[i].rule < STEP_REASON_COUNT) uses[hint->steps.at[i].rule]++;
    if (hint->steps.count) line(w);
    for (uint32_t rule = 0; rule < STEP_REASON_COUNT; rule++) {
        if (!uses[rule] || !next(w, "refined by ")) continue;
        out_text(w->out, history_step_name(rule));
        if (uses[rule] > 1) out_printf(w->out, " %u times", uses[rule]);
    }
    end(w);
}

static void words_decisions(HintWords *w, const ValuesHint *hint) {
    if (hint->decisions.count) line(w);
    for (uint32_t i = 0; i < hint->decisions.count; i++) {
        const Decision *it = &hint->decisions.at[i];
        if (it->edge.branch.i >= w->before->nodes.count || !next(w, "decided: ")) continue;
        const Instr *instr = func_at(w->before, it->edge.branch);
        node(w, w->before, it->edge.branch);
        if (it->edge.way < instr->succ_count && instr->succ_count > 1) {
            out_text(w->out, " goes to ");
            node(w, w->before, instr_succs(w->before, instr)[it->edge.way]);
        } else {
            out_text(w->out, it->edge.way == NO_ID ? " stays" : " goes on");
        }
        for (uint32_t k = 0; k < it->count && it->first + k < hint->edges.count; k++) {
            out_text(w->out, k ? " and " : " because of ");
            node(w, w->before, hint->edges.at[it->first + k].branch);
        }
    }
    for (uint32_t i = 0; i < hint->shut.count; i++) {
        BranchEdge it = hint->shut.at[i].edge;
        if (it.branch.i >= w->before->nodes.count || !next(w, "never: ")) continue;
        const Instr *instr = func_at(w->before, it.branch);
        node(w, w->before, it.branch);
        out_text(w->out, " goes to ");
        if (it.way < instr->succ_count) node(w, w->before, instr_succs(w->before, instr)[it.way]);
    }
    end(w);
}

static void words_values(HintWords *w, const ValuesHint *hint) {
    uint32_t constants = 0, equal = 0, performed = 0;
    uint32_t regs = hint->value_of.count;
    Arena *arena = arena_new("words");
    Bits seen = bits_new(arena, hint->values.count);
    for (uint32_t r = 0; r < regs; r++) {
        uint32_t value = hint->value_of.at[r];
        if (value >= hint->values.count) continue;
        const HintValue *it = &hint->values.at[value];
        constants += it->kind == VALUE_OP && !it->count;
        equal += !bits_put(&seen, value) || (it->kind == VALUE_OLD && it->ref != r);
    }
    arena_free(arena);
    for (uint32_t n = 0; n < hint->old.count; n++) performed += hint->old.at[n].i != NO_ID;
    line(w);
    count(w, hint->values.count, "value");
    out_printf(w->out,
               "; of the registers before %u are constants or addresses, %u equal to another",
               constants, equal);
    words_rules(w, hint);
    words_decisions(w, hint);
    if (hint->facts.count) {
        line(w);
        out_text(w->out, "at joins memory holds ");
        count(w, hint->facts.count, "value");
    }
    line(w);
    out_printf(w->out, "%u of ", performed);
    count(w, hint->old.count, "node");
    out_text(w->out, " perform one of before, the others are done in front of the next");
}

// ---- RTL and SSA

static void words_split_slots(HintWords *w, const SplitHint *hint) {
    line(w);
    for (uint32_t i = 0; i < hint->fields.count; i++) {
        if (!next(w, "fields in registers: ")) continue;
        const SlotField *field = &hint->fields.at[i];
        const SlotInfo *slot = &w->before->slots.at[field->slot.i];
        if (slot->name.i == STR_NONE.i)
            out_printf(w->out, "$%u", field->slot.i);
        else
            out_printf(w->out, "$%s", program_text(w->before->program, slot->name));
        out_printf(w->out, field->at ? " + %u in " : " in ", field->at);
        reg(w, w->after, (Reg){w->before->regs.count + i});
    }
    end(w);
}

static void words_ssa_build(HintWords *w, const SsaHint *hint) {
    line(w);
    out_text(w->out, "for each of ");
    count(w, hint->origin.count, "version");
    out_text(w->out, " the register that it is one of");
    line(w);
    count(w, hint->tracked.count, "register");
    out_text(w->out, " wanted behind ");
    count(w, hint->tracked_at.count ? hint->tracked_at.count - 1 : 0, "join");
}

static void words_added(HintWords *w, const Node *old, uint32_t nodes) {
    uint32_t added = 0;
    for (uint32_t n = 0; n < nodes; n++) added += old[n].i == NO_ID;
    line(w);
    count(w, added, "node");
    out_text(w->out, " added");
}

// ---- Gated SSA

static void words_close_loops(HintWords *w, const CloseLoopsHint *hint) {
    words_added(w, hint->old.at, hint->old.count);
    line(w);
    for (uint32_t i = 0; i < hint->original.count; i++)
        if (next(w, "copies of ")) reg(w, w->before, hint->original.at[i]);
    end(w);
}

static void words_paths(HintWords *w, const GatePaths *paths) {
    line(w);
    out_text(w->out, "predicates of paths: ");
    count(w, paths->facts.count, "fact");
    out_text(w->out, " that join two others, ");
    count(w, paths->joins.count, "fact");
    out_text(w->out, " for the ways into joins");
}

static void words_gsa_build(HintWords *w, const GsaBuildHint *hint) {
    words_paths(w, &hint->paths);
    line(w);
    out_printf(w->out, "gates of %u landing pads, %u latches and %u ends are facts",
               hint->pads.count, hint->latches.count, hint->ends.count);
}

static void words_gated_gvn(HintWords *w, const GatedGvnHint *hint) {
    line(w);
    for (uint32_t r = 0; r < hint->numbering.leader.count; r++) {
        if (hint->numbering.leader.at[r].i == r || !next(w, "equal: ")) continue;
        reg(w, w->before, (Reg){r});
        out_text(w->out, " to ");
        reg(w, w->before, hint->numbering.leader.at[r]);
    }
    end(w);
    words_paths(w, &hint->paths);
}

static void words_gate_simplify(HintWords *w, const GateSimplifyHint *hint) {
    words_paths(w, &hint->paths);
}

static void words_if_convert(HintWords *w, const IfConvertHint *hint) {
    line(w);
    for (uint32_t i = 0; i < hint->conversions.count; i++) {
        const IfConversion *it = &hint->conversions.at[i];
        if (!next(w, "converted: ")) continue;
        node(w, w->before, it->branch);
        out_text(w->out, " to ");
        node(w, w->before, it->join);
        out_printf(w->out, " by %u operators", it->count);
    }
    end(w);
}

static void words_gsa_destruct(HintWords *w, const GsaDestructHint *hint) {
    line(w);
    out_text(w->out, "for ");
    count(w, hint->choices.count, "way");
    out_text(w->out, " into gammas the argument that is chosen");
    words_paths(w, &hint->paths);
}

// ---- Towards machine code

static void words_ssa_destruct(HintWords *w, const DestructHint *hint) {
    line(w);
    out_text(w->out, "where each of ");
    count(w, hint->nodes.count, "node");
    out_text(w->out, " is performed");
    line(w);
    out_text(w->out, "which register holds which value behind phis: ");
    count(w, hint->pairs.count, "pair");
}

static void words_select_code(HintWords *w, const SelectHint *hint) {
    line(w);
    for (uint32_t b = 0; b < hint->node_of_block.count; b++) {
        if (!next(w, "blocks start with: ")) continue;
        out_printf(w->out, "b%u ", b);
        node(w, w->before, (Node){hint->node_of_block.at[b]});
    }
    end(w);
}

static void words_schedule(HintWords *w, const ScheduleHint *hint) {
    uint32_t moved = 0;
    for (uint32_t i = 0; i < hint->old.count; i++) moved += hint->old.at[i] != i;
    line(w);
    out_printf(w->out, "which instruction each of %u was: %u have another place", hint->old.count,
               moved);
}

static void words_allocate(HintWords *w, const AllocateHint *hint) {
    uint32_t added = 0, edges = 0;
    for (uint32_t i = 0; i < hint->origin.count; i++) added += hint->origin.at[i] == NO_ID;
    for (uint32_t b = 0; b < hint->block_origin.count; b++)
        edges += hint->block_origin.at[b] == NO_ID;
    line(w);
    out_printf(w->out, "which instruction each of %u was: %u were put in", hint->origin.count,
               added);
    if (!edges) return;
    line(w);
    count(w, edges, "block");
    out_text(w->out, " put in on edges");
}

// Whatever else there is, column by column.
static void words_columns(HintWords *w, const HintShape *shape, const void *hint) {
    Arena *arena = arena_new("words");
    line(w);
    for (uint32_t i = 0; shape && i < shape->count; i++) {
        HintValues values = {0};
        hint_collect(arena, &shape->fields[i], hint, &values);
        out_printf(w->out, "%s%s: ", i ? ", " : "", shape->fields[i].name);
        count(w, values.count, "number");
    }
    arena_free(arena);
}

// The words for a pass with a checker of its own.
static void words_of_pass(HintWords *w, PassId pass, const void *hint) {
    switch (pass) {
    case PASS_split_slots: words_split_slots(w, hint); break;
    case PASS_ssa_build: words_ssa_build(w, hint); break;
    case PASS_close_loops: words_close_loops(w, hint); break;
    case PASS_gsa_build: words_gsa_build(w, hint); break;
    case PASS_gated_gvn: words_gated_gvn(w, hint); break;
    case PASS_gate_simplify: words_gate_simplify(w, hint); break;
    case PASS_if_convert: words_if_convert(w, hint); break;
    case PASS_gsa_destruct: words_gsa_destruct(w, hint); break;
    case PASS_ssa_destruct: words_ssa_destruct(w, hint); break;
    case PASS_select_code: words_select_code(w, hint); break;
    case PASS_schedule: words_schedule(w, hint); break;
    case PASS_allocate: words_allocate(w, hint); break;
    default: words_columns(w, hint_shapes[pass], hint); break;
    }
}

void history_hint_print(Out *out, PassId pass, const Func *before, const Func *after,
                        const void *hint) {
    HintWords w = {.out = out, .before = before, .after = after};
    if (!hint) return; // as inside of excursions
    switch (pass_table[pass].kernel) {
    case KERNEL_COPIES: words_copies(&w, hint); break;
    case KERNEL_VALUES: words_values(&w, hint); break;
    case KERNEL_TYPING:
    case KERNEL_MACHINE:
    case KERNEL_OWN:
    case KERNEL_GATES:
    case KERNEL_NONE: words_of_pass(&w, pass, hint); break;
    }
}
