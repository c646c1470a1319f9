// The condition is put into the text, at the beginning of the function, and this text is compiled;
// what the passes then decide about branches (slice/assume.h) holds for the same branches of the
// file.
#include "slice/source/slice_assume.h"

#include "fact/effects.h"
#include "slice/assume.h"
#include "slice/flow_graph.h"
#include "slice/source/slice_criterion.h"

#include <ctype.h>
#include <string.h>

// The text with the condition in it, in one line.
static void insert_condition(SliceText *text, const Units *units, uint32_t at,
                             const char *condition) {
    const uint32_t starts[] = {0, at}, ends[] = {at, units->length};
    for (int i = 0; i < 2; i++) {
        vec_push(text->arena, &text->pieces,
                 (TextPiece){.from = (uint32_t)text->text.length,
                             .original = starts[i],
                             .length = ends[i] - starts[i]});
        out_bytes(&text->text, units->text + starts[i], ends[i] - starts[i]);
        if (i == 0) out_printf(&text->text, " if (!(%s)) __builtin_unreachable();", condition);
    }
}

// Matches the nodes of the two functions, which are emitted in the same order, but for those of the
// condition, which are emitted for the first statement.
static bool take_over(const SliceSource *source, const SliceSource *there, uint32_t function,
                      const uint32_t *decided, uint32_t *way) {
    const UnitFunction *old = &source->units.functions.at[function];
    const UnitFunction *fresh = &there->units.functions.at[function];
    uint32_t added = fresh->root + 1, last = unit_at(&there->units, added)->last, i = 0;
    for (uint32_t k = 0; k < fresh->count; k++) {
        if (fresh->units[k] >= added && fresh->units[k] <= last) continue;
        if (i == old->count || old->kinds[i] != fresh->kinds[k]) return false;
        if (old->nodes[i] != NO_ID && fresh->nodes[k] != NO_ID)
            way[old->nodes[i]] = decided[fresh->nodes[k]];
        i++;
    }
    return i == old->count;
}

// Whether a node changes something: a condition is only looked at.
static bool has_effect(const Func *func, const Instr *instr) {
    const Effects changes = MAY_WRITE | MAY_WRITE_SHARED | MAY_BE_EVENT | MAY_MOVE_STACK;
    if (instr_effects(instr) & changes) return true;
    for (uint32_t i = 0; i < func->params.count && instr->dest.i != NO_ID; i++)
        if (func->params.at[i].i == instr->dest.i) return true;
    return false;
}

// What is wrong with a condition that does compile, or NULL.
static const char *condition_fault(Arena *arena, const SliceSource *there, uint32_t function,
                                   const Func *func, const uint32_t *decided) {
    const UnitFunction *fresh = &there->units.functions.at[function];
    uint32_t added = fresh->root + 1, last = unit_at(&there->units, added)->last;
    Graph graph = flow_graph(arena, func, decided);
    bool holds = false;
    for (uint32_t k = 0; k < fresh->count; k++) {
        uint32_t node = fresh->nodes[k];
        if (node == NO_ID) continue;
        bool own = fresh->units[k] >= added && fresh->units[k] <= last;
        if (own && has_effect(func, &func->nodes.at[node])) return "it has effects";
        holds |= !own && graph_reaches(&graph, node);
    }
    return holds ? NULL : "it never holds";
}

static bool refuse(Diag *diag, const SliceSource *source, const char *condition,
                   const char *function, const char *reason) {
    diag_error(diag, SPAN_NONE, "%s: the condition '%s' cannot be assumed in '%s': %.*s",
               source->path, condition, function, (int)strcspn(reason, "\n"), reason);
    return false;
}

const uint32_t *slice_assume(SliceSource *source, Diag *diag, uint32_t function,
                             const char *condition) {
    Arena *arena = source->arena;
    const UnitFunction *at = &source->units.functions.at[function];
    const Func *func = program_at(source->program, at->symbol)->func;
    SliceText text = {.arena = arena};
    insert_condition(&text, &source->units, unit_at(&source->units, at->root)->begin + 1,
                     condition);
    SliceSource there;
    Diag collected;
    diag_init(&collected, arena, NULL);
    bool good = slice_source_again(&there, source, &text, arena, &collected);
    if (!good) {
        const char *line = collected.out.text ? collected.out.text : "";
        const char *error = strstr(line, "error: ");
        if (error) line = error + strlen("error: ");
        refuse(diag, source, condition, at->name, line);
    }
    diag_free(&collected);
    slice_text_free(&text);
    if (!good) return NULL;
    const Func *assumed =
        program_at(there.program, there.units.functions.at[function].symbol)->func;
    uint32_t *way = ARENA_ARRAY(arena, uint32_t, (size_t)func->nodes.count + 1);
    for (uint32_t n = 0; n < func->nodes.count; n++) way[n] = NO_ID;
    const uint32_t *decided = slice_decide(arena, assumed).way;
    const char *fault = condition_fault(arena, &there, function, assumed, decided);
    if (fault && !refuse(diag, source, condition, at->name, fault)) return NULL;
    if (take_over(source, &there, function, decided, way)) return way;
    diag_error(diag, SPAN_NONE,
               "%s: the condition '%s' changes how '%s' is compiled, and cannot be assumed",
               source->path, condition, at->name);
    return NULL;
}

// ---- Pointers that are apart

typedef VEC(const char *) AssumedWords;

// The words of a text; commas only part them.
static AssumedWords words_of(Arena *arena, const char *text) {
    AssumedWords words = {0};
    while (*text) {
        size_t blanks = strspn(text, " \t,"), length = strcspn(text + blanks, " \t,");
        if (length) vec_push(arena, &words, arena_text(arena, text + blanks, length));
        text += blanks + length;
    }
    return words;
}

bool slice_is_about_pointers(const char *condition) {
    size_t length = strlen(condition);
    while (length && isspace((unsigned char)condition[length - 1])) length--;
    static const char end[] = " are apart";
    size_t ending = sizeof end - 1;
    return length > ending && memcmp(condition + length - ending, end, ending) == 0;
}

bool slice_assume_apart(FunctionSlice *slice, Diag *diag, const char *condition) {
    const SliceSource *source = slice->source;
    Arena *arena = source->arena;
    AssumedWords words = words_of(arena, condition);
    VEC(Reg) roots = {0};
    for (uint32_t i = 0; i + 2 < words.count; i++) {
        if (strcmp(words.at[i], "and") == 0) continue;
        Reg root = slice_find_root(slice, words.at[i]);
        if (root.i == NO_ID)
            return refuse(
                diag, source, condition, slice->function->name,
                arena_printf(arena, "'%s' is no pointer that keeps its value", words.at[i]));
        for (uint32_t k = 0; k < roots.count; k++)
            vec_push(arena, &slice->apart, (SliceApart){roots.at[k], root});
        vec_push(arena, &roots, root);
    }
    if (roots.count < 2)
        return refuse(diag, source, condition, slice->function->name, "it names one pointer only");
    slice->variables = slice_variables_assuming(arena, slice->func, &source->calls, slice->apart.at,
                                                slice->apart.count);
    return true;
}
