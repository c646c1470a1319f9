// The description of every hint type. A new one needs a list of its fields here; see hints.h.
#include "cert/hint_macros.h"

#include "hint/hints_mach.h"
#include "hint/hints_rtl.h"
#include "hint/hints_ssa.h"
#include "hint/hints_values.h"

// The fields of decided branches, which are also parts of other hints.
#define DECISION_FIELDS(Hint)                                                                      \
    COLUMN(Hint, decisions, Decision, edge.branch), COLUMN(Hint, decisions, Decision, edge.way),   \
        COLUMN(Hint, decisions, Decision, first), COLUMN(Hint, decisions, Decision, count),        \
        COLUMN(Hint, decisions, Decision, fact), COLUMN(Hint, edges, BranchEdge, branch),          \
        COLUMN(Hint, edges, BranchEdge, way)

static const HintField fields_CopiesHint[] = {
    VECTOR(CopiesHint, old),
    VECTOR(CopiesHint, copy),
    VECTOR(CopiesHint, sites),
    COLUMN(CopiesHint, dispatches, CopiesDispatch, reg),
    COLUMN(CopiesHint, dispatches, CopiesDispatch, target_count),
    LISTS(CopiesHint, dispatches, CopiesDispatch, targets, target_count),
    COLUMN(CopiesHint, pairs, CopiesPair, node),
    COLUMN(CopiesHint, pairs, CopiesPair, now),
    COLUMN(CopiesHint, pairs, CopiesPair, then),
    COLUMN(CopiesHint, facts, CopiesFact, node),
    COLUMN(CopiesHint, facts, CopiesFact, branch),
    COLUMN(CopiesHint, facts, CopiesFact, way)};
static const HintField fields_SplitHint[] = {
    VECTOR(SplitHint, slots), COLUMN(SplitHint, fields, SlotField, slot),
    COLUMN(SplitHint, fields, SlotField, at), COLUMN(SplitHint, fields, SlotField, chunk)};
static const HintField fields_SsaHint[] = {VECTOR(SsaHint, origin), VECTOR(SsaHint, tracked_at),
                                           VECTOR(SsaHint, tracked)};
static const HintField fields_DestructHint[] = {COLUMN(DestructHint, nodes, DestructNode, first),
                                                COLUMN(DestructHint, nodes, DestructNode, count),
                                                VECTOR(DestructHint, pair_at),
                                                COLUMN(DestructHint, pairs, DestructPair, home),
                                                COLUMN(DestructHint, pairs, DestructPair, value)};
static const HintField fields_SelectHint[] = {VECTOR(SelectHint, node_of_block)};
static const HintField fields_ScheduleHint[] = {VECTOR(ScheduleHint, old)};
static const HintField fields_AllocateHint[] = {
    VECTOR(AllocateHint, origin), VECTOR(AllocateHint, block_origin), VECTOR(AllocateHint, rank)};

static const HintField fields_ValuesHint[] = {
    COLUMN(ValuesHint, values, HintValue, kind),
    COLUMN(ValuesHint, values, HintValue, op),
    COLUMN(ValuesHint, values, HintValue, high),
    COLUMN(ValuesHint, values, HintValue, ref),
    COLUMN(ValuesHint, values, HintValue, imm),
    COLUMN(ValuesHint, values, HintValue, first),
    COLUMN(ValuesHint, values, HintValue, count),
    VECTOR(ValuesHint, args),
    COLUMN(ValuesHint, steps, ValueStep, from),
    COLUMN(ValuesHint, steps, ValueStep, to),
    COLUMN(ValuesHint, steps, ValueStep, rule),
    COLUMN(ValuesHint, counted, CountedStep, step),
    COLUMN(ValuesHint, counted, CountedStep, first),
    VECTOR(ValuesHint, counted_ways),
    VECTOR(ValuesHint, value_of),
    VECTOR(ValuesHint, formed),
    VECTOR(ValuesHint, tests),
    DECISION_FIELDS(ValuesHint),
    COLUMN(ValuesHint, shut, ShutWay, edge.branch),
    COLUMN(ValuesHint, shut, ShutWay, edge.way),
    COLUMN(ValuesHint, shut, ShutWay, fact),
    COLUMN(ValuesHint, gated, GatedJoin, join),
    COLUMN(ValuesHint, gated, GatedJoin, first),
    VECTOR(ValuesHint, facts_at),
    COLUMN(ValuesHint, facts, PlaceFact, place),
    COLUMN(ValuesHint, facts, PlaceFact, value),
    COLUMN(ValuesHint, phi_ranges, PhiRange, value),
    COLUMN(ValuesHint, phi_ranges, PhiRange, range.low),
    COLUMN(ValuesHint, phi_ranges, PhiRange, range.high),
    COLUMN(ValuesHint, phi_ranges, PhiRange, range.least),
    COLUMN(ValuesHint, phi_ranges, PhiRange, range.most),
    COLUMN(ValuesHint, phi_ranges, PhiRange, range.zeros),
    COLUMN(ValuesHint, phi_ranges, PhiRange, range.ones),
    COLUMN(ValuesHint, phi_ranges, PhiRange, range.defined),
    COLUMN(ValuesHint, phi_ranges, PhiRange, first),
    VECTOR(ValuesHint, range_ways),
    COLUMN(ValuesHint, ranges, RangeFact, value),
    COLUMN(ValuesHint, ranges, RangeFact, place),
    COLUMN(ValuesHint, ranges, RangeFact, reason),
    COLUMN(ValuesHint, ranges, RangeFact, ref),
    COLUMN(ValuesHint, ranges, RangeFact, from[0]),
    COLUMN(ValuesHint, ranges, RangeFact, from[1]),
    COLUMN(ValuesHint, ranges, RangeFact, from[2]),
    COLUMN(ValuesHint, local, LocalStep, node),
    COLUMN(ValuesHint, local, LocalStep, step.from),
    COLUMN(ValuesHint, local, LocalStep, step.to),
    COLUMN(ValuesHint, local, LocalStep, step.rule),
    COLUMN(ValuesHint, local, LocalStep, facts[0]),
    COLUMN(ValuesHint, local, LocalStep, facts[1]),
    VECTOR(ValuesHint, old),
    VECTOR(ValuesHint, value_of_new)};

const HintShape *const hint_shapes[] = {
#define SHAPE(Hint)                                                                                \
    &(const HintShape){.fields = fields_##Hint,                                                    \
                       .count = sizeof fields_##Hint / sizeof(HintField),                          \
                       .size = sizeof(Hint)},
#define PASS(name, from, to, kernel, Hint, ...) BY_##kernel(Hint)
#define BY_COPIES(Hint)                         SHAPE(Hint)
#define BY_OWN(Hint)                            SHAPE(Hint)
#define BY_VALUES(Hint)                         SHAPE(ValuesHint)
#define BY_GATES(Hint)                          NULL,
#define BY_NONE(Hint)                           NULL,
#include "check/passes.def"
};
