#include "slice/source/slice_influence.h"

#include "slice/slice_forward.h"

// Where the influence begins: the statement, or what a variable holds in front of it, or at the
// beginning of the function.
static void begin(const FunctionSlice *slice, SliceForward *forward,
                  const SliceCriterion *criterion) {
    const Units *units = &slice->source->units;
    Node first = {0};
    if (criterion->unit) first.i = slice->function->leads[unit_at(units, criterion->unit)->first];
    for (uint32_t i = 0; i < criterion->variables.count; i++)
        slice_forward_variable(forward, first, criterion->variables.at[i]);
    if (criterion->variables.count) return;
    for (uint32_t i = 0; i < slice->function->count; i++)
        if (unit_owner(units, slice->function->units[i]) == criterion->unit &&
            slice->function->nodes[i] != NO_ID)
            slice_forward_node(forward, (Node){slice->function->nodes[i]});
}

static Bits influenced_units(const FunctionSlice *slice, const Bits *nodes) {
    const Units *units = &slice->source->units;
    Bits found = bits_new(slice->source->arena, units->all.count + 1);
    for (uint32_t i = 0; i < slice->function->count; i++)
        if (slice->function->nodes[i] != NO_ID && bits_has(nodes, slice->function->nodes[i]))
            bits_add(&found, unit_owner(units, slice->function->units[i]));
    bits_remove(&found, slice->function->root);
    return found;
}

// The lines of a statement's own text: up to the first statement inside of it.
static void add_lines(const Units *units, uint32_t unit, Bits *lines) {
    const Unit *at = unit_at(units, unit);
    uint32_t last = at->end_line;
    for (uint32_t u = unit + 1; u <= at->last; u++) {
        const Unit *inner = unit_at(units, u);
        if (!inner->clean || inner->role >= ROLE_DECLARATOR) continue;
        last = inner->line > at->line ? inner->line - !inner->braces : at->line;
        break;
    }
    for (uint32_t i = at->line; i <= last; i++) bits_add(lines, i);
}

static void print_units(Out *out, const FunctionSlice *slice, const Bits *found,
                        const SliceQuestion *question, bool json) {
    const Units *units = &slice->source->units;
    const Unit *root = unit_at(units, slice->function->root);
    Bits lines = bits_new(slice->source->arena, root->end_line + 2);
    bool first = true;
    if (json) slice_json_head(out, slice, question, NULL);
    if (json) out_text(out, "  \"influenced\": [");
    for (uint32_t u = bits_next(found, 0); u < found->size; u = bits_next(found, u + 1)) {
        add_lines(units, u, &lines);
        if (json) slice_json_statement(out, units, u, &first);
    }
    if (json) out_printf(out, "%s]\n}\n", first ? "" : "\n  ");
    for (uint32_t i = bits_next(&lines, 0); !json && i < lines.size; i = bits_next(&lines, i + 1))
        out_printf(out, "%u\n", i);
}

bool slice_influence(SliceSource *source, Diag *diag, const SliceQuestion *question,
                     const SliceWanted *wanted, Out *out) {
    SliceCriterion criterion;
    FunctionSlice slice;
    if (!slice_find_function(source, diag, question, &criterion)) return false;
    slice_function_begin(&slice, source, criterion.function);
    if (!criterion.unit && !question->variable) {
        diag_error(diag, SPAN_NONE, "%s: --forward needs a line or a variable to begin with",
                   source->path);
        return false;
    }
    if (!slice_find_variable(&slice, diag, question, &criterion)) return false;
    SliceForward *forward = slice_forward_new(source->arena, &slice.variables, NULL);
    begin(&slice, forward, &criterion);
    Bits found = influenced_units(&slice, slice_forward_close(forward));
    if (!bits_count(&found)) {
        diag_error(diag, SPAN_NONE, "%s: no dependence: nothing is influenced", source->path);
        return false;
    }
    print_units(out, &slice, &found, question, wanted->format == SLICE_JSON);
    return true;
}
