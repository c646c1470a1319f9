// Prints the results of the collecting semantics, for people and for tests.
#include "imp/imp_run.h"

#include <string.h>

// The counters of the loops around a point, from the outermost on: {1.2.2: 0}
static void print_counters(Out *out, const ImpPlaces *places, const ImpTrace *trace,
                           const ImpPoint *point, uint32_t *loops) {
    uint32_t at = point->depth;
    for (uint32_t loop = point->stmt == IMP_NONE ? IMP_NONE : places->loop[point->stmt];
         loop != IMP_NONE; loop = places->loop[loop])
        loops[--at] = loop;
    out_char(out, '{');
    for (uint32_t i = 0; i < point->depth; i++) {
        out_text(out, i ? ", " : "");
        imp_print_place(out, places, loops[i], -1);
        out_printf(out, ": %llu", (unsigned long long)trace->counters.at[point->counters + i]);
    }
    out_char(out, '}');
}

static void print_point(Out *out, const Imp *imp, const ImpPlaces *places, const ImpTrace *trace,
                        const ImpPoint *point, uint32_t *loops) {
    out_text(out, "  (");
    if (point->stmt == IMP_NONE)
        out_char(out, '0');
    else
        imp_print_place(out, places, point->stmt, -1);
    out_text(out, ", ");
    print_counters(out, places, trace, point, loops);
    out_text(out, ")");
    if (point->is_element) out_printf(out, " [%lld]", (long long)point->index);
    if (point->is_copy)
        out_printf(out, " = %s\n", imp_name_text(imp, (uint32_t)point->index));
    else if (point->value.undef)
        out_text(out, " = undef\n");
    else
        out_printf(out, " = %lld\n", (long long)point->value.bits);
}

void imp_print_trace(Out *out, const Imp *imp, const ImpTrace *trace) {
    Arena *arena = arena_new("trace");
    ImpPlaces places = imp_places(arena, imp);
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, trace->points.count);
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, imp->names.count), deepest = 0;
    for (uint32_t i = 0; i < imp->names.count; i++) first[i] = IMP_NONE;
    for (uint32_t i = trace->points.count; i-- > 0;) {
        const ImpPoint *point = &trace->points.at[i];
        next[i] = first[point->name];
        first[point->name] = i;
        if (point->depth > deepest) deepest = point->depth;
    }
    uint32_t *loops = ARENA_ARRAY(arena, uint32_t, deepest);
    for (uint32_t i = 0; i < imp->names.count; i++) {
        if (first[i] == IMP_NONE) continue;
        out_printf(out, "%s:\n", imp_name_text(imp, i));
        for (uint32_t at = first[i]; at != IMP_NONE; at = next[at])
            print_point(out, imp, &places, trace, &trace->points.at[at], loops);
    }
    arena_free(arena);
}

// ---- The order of points

// The places of two statements, compared digit by digit; one that is a beginning of the other comes
// first.
static int compare_places(const ImpPlaces *places, uint32_t a, uint32_t b) {
    uint32_t at = places->of_stmt[a], bt = places->of_stmt[b];
    uint32_t a_depth = places->places.at[at].depth, b_depth = places->places.at[bt].depth;
    while (places->places.at[at].depth > b_depth) at = places->places.at[at].parent;
    while (places->places.at[bt].depth > a_depth) bt = places->places.at[bt].parent;
    int order = a_depth < b_depth ? -1 : a_depth > b_depth;
    for (; at != bt; at = places->places.at[at].parent, bt = places->places.at[bt].parent)
        if (places->places.at[at].digit != places->places.at[bt].digit)
            order = places->places.at[at].digit < places->places.at[bt].digit ? -1 : 1;
    return order;
}

// Two points, of which one was written after the other: the counters of the loops around both, then
// places. A loop that is around one of them only has been left, or not yet been entered; there the
// places decide.
static int compare_points(const ImpPlaces *places, const ImpTrace *trace, const ImpPoint *a,
                          const ImpPoint *b) {
    uint32_t common = a->depth < b->depth ? a->depth : b->depth;
    uint32_t a_loop = places->loop[a->stmt], b_loop = places->loop[b->stmt];
    for (uint32_t i = a->depth; i > common; i--) a_loop = places->loop[a_loop];
    for (uint32_t i = b->depth; i > common; i--) b_loop = places->loop[b_loop];
    for (; a_loop != b_loop; common--) a_loop = places->loop[a_loop], b_loop = places->loop[b_loop];
    for (uint32_t i = 0; i < common; i++) {
        uint64_t x = trace->counters.at[a->counters + i], y = trace->counters.at[b->counters + i];
        if (x != y) return x < y ? -1 : 1;
    }
    return compare_places(places, a->stmt, b->stmt);
}

bool imp_points_ascend(Arena *arena, const Imp *imp, const ImpTrace *trace) {
    ImpPlaces places = imp_places(arena, imp);
    for (uint32_t i = 1; i < trace->points.count; i++) {
        const ImpPoint *before = &trace->points.at[i - 1];
        if (before->stmt == IMP_NONE) continue;
        if (compare_points(&places, trace, before, &trace->points.at[i]) >= 0) return false;
    }
    return true;
}
