// switch: one many-way branch over the sorted case values. Small ranges of cases are written out,
// large ones become comparisons in front of it.
#include "c/lower/lower_private.h"

#include <stdlib.h>

enum { MOST_WRITTEN_OUT = 64 };

typedef struct {
    int64_t value;
    Label label;
} Case;

typedef struct {
    VEC(Case) cases;
    Operand selector;
} Cases;

Label case_label(Lower *lower, const Stmt *stmt) {
    uint32_t label = map_get(&lower->case_labels, (uint64_t)(uintptr_t)stmt);
    if (label != HASH_NONE) return (Label){label};
    Label added = label_new(lower);
    map_set(lower->scratch, &lower->case_labels, (uint64_t)(uintptr_t)stmt, added.i);
    return added;
}

static int by_value(const void *a, const void *b) {
    int64_t x = ((const Case *)a)->value, y = ((const Case *)b)->value;
    return (x > y) - (x < y);
}

// A range too large to be written out: selector - low <= high - low, without signs.
static void test_range(Lower *lower, const Cases *cases, const Stmt *stmt, Label label) {
    Type type = cases->selector.type;
    Operand low = operand_int(type, (int64_t)stmt->low.low);
    Operand length = operand_int(type, (int64_t)(stmt->high.low - stmt->low.low));
    Operand offset = emit_binary(lower, op_of(FAM_SUB, type), cases->selector, low, NO_REG);
    Label next = label_new(lower);
    emit_branch(lower, op_of(FAM_ULE, type), offset, length, label, next);
    label_place(lower, next);
}

// A selector of 128 bits is compared with each case.
static void test_wide_case(Lower *lower, const Cases *cases, const Stmt *stmt, Label label) {
    const CType *type = lower->types->basic[CT_UINT128];
    Wide length = wide_sub(stmt->high, stmt->low);
    Operand low = wide_constant(stmt->low);
    Operand offset = wide_operator(lower, BIN_SUB, type, cases->selector, low);
    Operand inside = wide_compare(lower, wide_is_zero(length) ? BIN_EQ : BIN_LE, type, offset,
                                  wide_constant(length));
    Label next = label_new(lower);
    emit_branch(lower, OP_NE_I32, inside, operand_int(TYPE_I32, 0), label, next);
    label_place(lower, next);
}

static bool cases_are_empty(const CType *type, const Stmt *stmt) {
    return type_is_unsigned(type) ? wide_less_unsigned(stmt->high, stmt->low)
                                  : wide_less_signed(stmt->high, stmt->low);
}

static void add_case(Lower *lower, Cases *cases, const CType *type, const Stmt *stmt) {
    Label label = case_label(lower, stmt);
    if (cases_are_empty(type, stmt)) return;
    if (cases->selector.type == TYPE_WIDE) {
        test_wide_case(lower, cases, stmt, label);
        return;
    }
    if (stmt->high.low - stmt->low.low >= MOST_WRITTEN_OUT) {
        test_range(lower, cases, stmt, label);
        return;
    }
    for (uint64_t value = stmt->low.low;; value++) {
        Operand constant = operand_int(cases->selector.type, (int64_t)value);
        vec_push(lower->scratch, &cases->cases, (Case){.value = constant.imm, .label = label});
        if (value == stmt->high.low) break;
    }
}

static void emit_cases(Lower *lower, Cases *cases, Label otherwise) {
    uint32_t count = cases->cases.count;
    if (count) qsort(cases->cases.at, count, sizeof(Case), by_value);
    int64_t *values = ARENA_ARRAY(lower->scratch, int64_t, (size_t)count + 1);
    Label *labels = ARENA_ARRAY(lower->scratch, Label, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = cases->cases.at[i].value;
        labels[i] = cases->cases.at[i].label;
    }
    if (count == 0)
        emit_jump(lower, otherwise);
    else
        emit_switch(lower, operand_in_reg(lower, cases->selector), values, labels, count,
                    otherwise);
}

// Where a selector that is known leads. The other cases may be code that makes no sense, as for
// another size of an operand of asm, and are left out even where nothing is optimized.
static Label known_case(Lower *lower, const Operand *selector, const Stmt *stmt, Label otherwise) {
    for (const Stmt *at = stmt->next_case; at; at = at->next_case) {
        if (at->kind != ST_CASE || cases_are_empty(stmt->expr->type, at)) continue;
        uint64_t mask = type_mask(selector->type);
        uint64_t offset = ((uint64_t)selector->imm - at->low.low) & mask;
        if (offset <= ((at->high.low - at->low.low) & mask)) return case_label(lower, at);
    }
    return otherwise;
}

void lower_switch(Lower *lower, const Stmt *stmt) {
    Cases cases = {.selector = lower_expr(lower, stmt->expr, NO_REG)};
    if (cases.selector.type == TYPE_VOID) return;
    emit_at(lower, stmt->pos);
    Label end = label_new(lower);
    Label otherwise = stmt->default_case ? case_label(lower, stmt->default_case) : end;
    if (cases.selector.constant && cases.selector.type != TYPE_WIDE) {
        emit_jump(lower, known_case(lower, &cases.selector, stmt, otherwise));
    } else {
        for (const Stmt *at = stmt->next_case; at; at = at->next_case)
            if (at->kind == ST_CASE) add_case(lower, &cases, stmt->expr->type, at);
        emit_cases(lower, &cases, otherwise);
    }
    BreakTarget target = {.outer = lower->target,
                          .stmt = stmt,
                          .on_break = end,
                          .on_continue = end,
                          .unwind = lower->unwind};
    lower->target = &target;
    lower_statement(lower, stmt->body);
    lower->target = target.outer;
    label_place(lower, end);
}
