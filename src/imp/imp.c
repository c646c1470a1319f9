#include "imp/imp.h"

#include <string.h>

Imp *imp_new(Arena *arena) {
    Imp *imp = ARENA_NEW(arena, Imp);
    imp->arena = arena;
    imp->first = IMP_NONE;
    str_init(&imp->strings, arena);
    return imp;
}

uint32_t imp_name(Imp *imp, const char *text, size_t length, Span span) {
    Str string = str_intern(&imp->strings, text, length);
    while (imp->by_text.count <= string.i) vec_push(imp->arena, &imp->by_text, IMP_NONE);
    uint32_t *name = &imp->by_text.at[string.i];
    if (*name == IMP_NONE) {
        *name = imp->names.count;
        vec_push(imp->arena, &imp->names, (ImpName){.text = string, .span = span});
    }
    return *name;
}

static uint32_t add_expr(Imp *imp, ImpExpr expr) {
    vec_push(imp->arena, &imp->exprs, expr);
    return imp->exprs.count - 1;
}

uint32_t imp_number(Imp *imp, int64_t value) {
    return add_expr(
        imp, (ImpExpr){.kind = IMP_NUMBER, .name = IMP_NONE, .value = value, .span = SPAN_NONE});
}

uint32_t imp_variable(Imp *imp, uint32_t name) {
    return add_expr(imp, (ImpExpr){.kind = IMP_VARIABLE, .name = name, .span = SPAN_NONE});
}

uint32_t imp_expr(Imp *imp, ImpExprKind kind, Op op, const uint32_t *args, uint32_t count) {
    ImpExpr expr = {.kind = (uint8_t)kind,
                    .count = (uint8_t)count,
                    .op = (uint16_t)op,
                    .name = IMP_NONE,
                    .span = SPAN_NONE};
    for (uint32_t i = 0; i < count; i++) expr.args[i] = args[i];
    return add_expr(imp, expr);
}

ImpStmt imp_stmt(ImpStmtKind kind) {
    return (ImpStmt){.kind = (uint8_t)kind,
                     .name = IMP_NONE,
                     .index = IMP_NONE,
                     .value = IMP_NONE,
                     .body = IMP_NONE,
                     .other = IMP_NONE,
                     .next = IMP_NONE,
                     .span = SPAN_NONE};
}

uint32_t imp_add_stmt(Imp *imp, ImpStmt stmt) {
    vec_push(imp->arena, &imp->stmts, stmt);
    return imp->stmts.count - 1;
}

// ---- Places

typedef struct {
    uint32_t stmt;  // the list from here on
    uint32_t place; // of that list
    uint32_t loop;
} OpenList;

static uint32_t add_place(Arena *arena, ImpPlaces *places, uint32_t parent, uint8_t digit) {
    uint32_t depth = parent == IMP_NONE ? 1 : places->places.at[parent].depth + 1;
    vec_push(arena, &places->places, (ImpPlace){.parent = parent, .depth = depth, .digit = digit});
    return places->places.count - 1;
}

ImpPlaces imp_places(Arena *arena, const Imp *imp) {
    ImpPlaces places = {.of_stmt = ARENA_ARRAY(arena, uint32_t, imp->stmts.count),
                        .loop = ARENA_ARRAY(arena, uint32_t, imp->stmts.count)};
    VEC(OpenList) open = {0};
    vec_push(arena, &open,
             (OpenList){imp->first, add_place(arena, &places, IMP_NONE, 1), IMP_NONE});
    while (open.count) {
        OpenList list = vec_pop(&open);
        if (list.stmt == IMP_NONE) continue;
        const ImpStmt *stmt = &imp->stmts.at[list.stmt];
        uint32_t place = list.place;
        if (stmt->next != IMP_NONE) {
            place = add_place(arena, &places, list.place, 1);
            uint32_t rest = add_place(arena, &places, list.place, 2);
            vec_push(arena, &open, (OpenList){stmt->next, rest, list.loop});
        }
        places.of_stmt[list.stmt] = place;
        places.loop[list.stmt] = list.loop;
        uint32_t inside = stmt->kind == IMP_WHILE ? list.stmt : list.loop;
        if (stmt->other != IMP_NONE)
            vec_push(arena, &open,
                     (OpenList){stmt->other, add_place(arena, &places, place, 2), inside});
        if (stmt->body != IMP_NONE)
            vec_push(arena, &open,
                     (OpenList){stmt->body, add_place(arena, &places, place, 1), inside});
    }
    return places;
}

static void print_digits(Out *out, const ImpPlaces *places, uint32_t stmt, const char *between) {
    char digits[IMP_LONGEST_PLACE];
    uint32_t at = places->of_stmt[stmt], depth = places->places.at[at].depth;
    for (uint32_t i = depth; i-- > 0; at = places->places.at[at].parent)
        digits[i] = (char)('0' + places->places.at[at].digit);
    for (uint32_t i = 0; i < depth; i++) out_printf(out, "%s%c", i ? between : "", digits[i]);
}

static bool is_long(const ImpPlaces *places, uint32_t stmt) {
    return places->places.at[places->of_stmt[stmt]].depth > IMP_LONGEST_PLACE;
}

void imp_print_place(Out *out, const ImpPlaces *places, uint32_t stmt, int digit) {
    if (is_long(places, stmt))
        out_printf(out, "0.%u", stmt + 1);
    else
        print_digits(out, places, stmt, ".");
    if (digit >= 0) out_printf(out, ".%d", digit);
}

void imp_print_suffix(Out *out, const ImpPlaces *places, uint32_t stmt, int digit) {
    out_char(out, '_');
    if (is_long(places, stmt))
        out_printf(out, digit < 0 ? "0%u" : "0%ux%d", stmt + 1, digit);
    else {
        print_digits(out, places, stmt, "");
        if (digit >= 0) out_printf(out, "%d", digit);
    }
}
