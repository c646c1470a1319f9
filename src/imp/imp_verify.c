// The rules of Imp: a name is an array or a variable, never both, and nothing is read before it is
// written.
//
// The text alone decides the second rule. A statement may read variables that were written on every
// path that leads to it, where both ways of a condition count as paths. So behind a loop only
// writes before the loop count, as its body may not run at all; and behind a conditional only
// variables that both of its parts write. Arrays have values from the start and may be read
// anywhere.
#include "imp/imp.h"

typedef struct {
    Imp *imp;
    Diag *diag;
    Arena *arena;
    bool good;
    // Arrays: names whose values are copied to each other are of one kind.
    uint32_t *copies; // union-find over names
    // Reading: which names have been written, in order, to go back.
    bool *written;
    uint32_t *stamp; // of a name: the last conditional whose first part wrote it
    VEC(uint32_t) trail;
} ImpVerifier;

static uint32_t find(uint32_t *copies, uint32_t name) {
    while (copies[name] != name) name = copies[name] = copies[copies[name]];
    return name;
}

// ---- Arrays

static bool copies_name(const Imp *imp, const ImpStmt *stmt) {
    return stmt->kind == IMP_ASSIGN && imp->exprs.at[stmt->value].kind == IMP_VARIABLE;
}

static void find_arrays(ImpVerifier *verifier) {
    Imp *imp = verifier->imp;
    for (uint32_t i = 0; i < imp->names.count; i++) verifier->copies[i] = i;
    for (uint32_t i = 0; i < imp->stmts.count; i++) {
        const ImpStmt *stmt = &imp->stmts.at[i];
        if (!copies_name(imp, stmt)) continue;
        uint32_t from = imp->exprs.at[stmt->value].name;
        verifier->copies[find(verifier->copies, from)] = find(verifier->copies, stmt->name);
    }
    bool *is_array = ARENA_ARRAY(verifier->arena, bool, imp->names.count);
    for (uint32_t i = 0; i < imp->names.count; i++)
        is_array[find(verifier->copies, i)] |= imp->names.at[i].is_array;
    for (uint32_t i = 0; i < imp->exprs.count; i++)
        if (imp->exprs.at[i].kind == IMP_ELEMENT)
            is_array[find(verifier->copies, imp->exprs.at[i].name)] = true;
    for (uint32_t i = 0; i < imp->stmts.count; i++)
        if (imp->stmts.at[i].kind == IMP_STORE)
            is_array[find(verifier->copies, imp->stmts.at[i].name)] = true;
    for (uint32_t i = 0; i < imp->names.count; i++)
        imp->names.at[i].is_array |= is_array[find(verifier->copies, i)];
}

static void complain_about_array(ImpVerifier *verifier, Span span, uint32_t name) {
    diag_error(verifier->diag, span, "'%s' is an array: it is used with an index here or elsewhere",
               imp_name_text(verifier->imp, name));
    verifier->good = false;
}

// Arrays stand in front of an index, or are copied as a whole.
static void verify_arrays(ImpVerifier *verifier) {
    const Imp *imp = verifier->imp;
    for (uint32_t i = 0; i < imp->stmts.count; i++) {
        const ImpStmt *stmt = &imp->stmts.at[i];
        if (stmt->kind == IMP_ASSIGN && imp->names.at[stmt->name].is_array &&
            !copies_name(imp, stmt))
            complain_about_array(verifier, stmt->span, stmt->name);
    }
    for (uint32_t i = 0; i < imp->inputs.count; i++) {
        const ImpName *name = &imp->names.at[imp->inputs.at[i]];
        if (name->is_array) complain_about_array(verifier, name->span, imp->inputs.at[i]);
    }
}

// ---- Reading

static void write_name(ImpVerifier *verifier, uint32_t name) {
    if (verifier->written[name]) return;
    verifier->written[name] = true;
    vec_push(verifier->arena, &verifier->trail, name);
}

static void complain_about_text(ImpVerifier *verifier, Span span, Str text) {
    diag_error(verifier->diag, span, "Imp can show this, but not run it: '%s'",
               str_text(&verifier->imp->strings, text));
    verifier->good = false;
}

static void verify_expr(ImpVerifier *verifier, uint32_t root, bool may_be_array) {
    const Imp *imp = verifier->imp;
    VEC(uint32_t) open = {0};
    if (root == IMP_NONE) return;
    vec_push(verifier->arena, &open, root);
    while (open.count) {
        const ImpExpr *expr = &imp->exprs.at[vec_pop(&open)];
        for (uint32_t i = expr->count; i-- > 0;) vec_push(verifier->arena, &open, expr->args[i]);
        if (expr->kind == IMP_VARIABLE && imp->names.at[expr->name].is_array && !may_be_array)
            complain_about_array(verifier, expr->span, expr->name);
        if (expr->kind != IMP_VARIABLE || verifier->written[expr->name]) continue;
        verifier->good = false;
        diag_error(verifier->diag, expr->span, "'%s' is read here, but may not have been written",
                   imp_name_text(imp, expr->name));
        write_name(verifier, expr->name); // once is enough
    }
}

// A list that is being read, and what had been written before it.
typedef struct {
    uint32_t next;
    uint32_t around; // the loop or conditional whose list it is
    uint32_t mark;   // length of the trail before it
    uint32_t first; // behind else: the names that the first part wrote are trail[mark .. first - 1]
    bool other;
} VerifyList;

static void forget(ImpVerifier *verifier, uint32_t mark) {
    while (verifier->trail.count > mark) verifier->written[vec_pop(&verifier->trail)] = false;
}

// After the first part: what it wrote stays on the trail, but counts as unwritten in the second.
static void begin_other(ImpVerifier *verifier, VerifyList *list) {
    const ImpStmt *stmt = &verifier->imp->stmts.at[list->around];
    for (uint32_t i = list->mark; i < verifier->trail.count; i++)
        verifier->written[verifier->trail.at[i]] = false;
    list->first = verifier->trail.count;
    list->next = stmt->other;
    list->other = true;
}

// After both parts: what the second wrote counts if the first wrote it, too. No name is looked at
// more often than the smaller part has names, but for those that are then forgotten.
static void join(ImpVerifier *verifier, const VerifyList *list) {
    uint32_t kept = list->mark, end = verifier->trail.count;
    // Only now: a conditional in the second part has stamps of its own.
    for (uint32_t i = list->mark; i < list->first; i++)
        verifier->stamp[verifier->trail.at[i]] = list->around;
    for (uint32_t i = list->first; i < end; i++) {
        uint32_t name = verifier->trail.at[i];
        verifier->written[name] = verifier->stamp[name] == list->around;
    }
    for (uint32_t i = list->first; i < end; i++)
        if (verifier->written[verifier->trail.at[i]])
            verifier->trail.at[kept++] = verifier->trail.at[i];
    verifier->trail.count = kept;
}

static void verify_stmt(ImpVerifier *verifier, const ImpStmt *stmt) {
    verify_expr(verifier, stmt->index, false);
    verify_expr(verifier, stmt->value, copies_name(verifier->imp, stmt));
    if (stmt->kind == IMP_ASSIGN) write_name(verifier, stmt->name);
}

static void verify_reading(ImpVerifier *verifier) {
    const Imp *imp = verifier->imp;
    VEC(VerifyList) lists = {0};
    for (uint32_t i = 0; i < imp->names.count; i++)
        verifier->written[i] = imp->names.at[i].is_array || imp->names.at[i].is_input;
    vec_push(verifier->arena, &lists, (VerifyList){.next = imp->first, .around = IMP_NONE});
    while (lists.count) {
        VerifyList *list = &lists.at[lists.count - 1];
        if (list->next != IMP_NONE) {
            uint32_t id = list->next;
            const ImpStmt *stmt = &imp->stmts.at[id];
            list->next = stmt->next;
            verify_stmt(verifier, stmt);
            if (stmt->body != IMP_NONE)
                vec_push(
                    verifier->arena, &lists,
                    (VerifyList){.next = stmt->body, .around = id, .mark = verifier->trail.count});
            continue;
        }
        if (list->around != IMP_NONE) {
            if (imp->stmts.at[list->around].kind == IMP_IF && !list->other) {
                begin_other(verifier, list);
                continue;
            }
            if (list->other)
                join(verifier, list);
            else
                forget(verifier, list->mark);
        }
        lists.count--;
    }
}

// What only functional SSA and C can do. The first of it is told: nothing else makes sense then.
static void verify_computable(ImpVerifier *verifier) {
    const Imp *imp = verifier->imp;
    for (uint32_t i = 0; i < imp->stmts.count && verifier->good; i++)
        if (imp->stmts.at[i].kind == IMP_OPAQUE)
            complain_about_text(verifier, imp->stmts.at[i].span, imp->stmts.at[i].text);
    for (uint32_t i = 0; i < imp->exprs.count && verifier->good; i++)
        if (imp->exprs.at[i].kind == IMP_TEXT)
            complain_about_text(verifier, imp->exprs.at[i].span, imp->exprs.at[i].text);
}

bool imp_verify(Imp *imp, Diag *diag) {
    ImpVerifier verifier = {.imp = imp, .diag = diag, .arena = arena_new("verify"), .good = true};
    verifier.copies = ARENA_ARRAY(verifier.arena, uint32_t, imp->names.count);
    verifier.written = ARENA_ARRAY(verifier.arena, bool, imp->names.count);
    verifier.stamp = ARENA_ARRAY(verifier.arena, uint32_t, imp->names.count);
    for (uint32_t i = 0; i < imp->names.count; i++) verifier.stamp[i] = IMP_NONE;
    find_arrays(&verifier);
    verify_computable(&verifier);
    if (verifier.good) verify_arrays(&verifier);
    if (verifier.good) verify_reading(&verifier);
    arena_free(verifier.arena);
    return verifier.good;
}
