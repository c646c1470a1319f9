// Warnings that look at the whole body of a function once it is parsed: effects in no defined
// order, accesses outside of an array, values too large for their destination, repeated text.
// Statements behind a condition that is a constant zero are left out. The walk is skipped if all
// these warnings are off.
#include "c/parse/warn.h"

typedef struct {
    Parser *parser;
    bool sequence, bounds, memory, branches;
    const Expr *statement; // a call that is a statement of its own, whose result nobody uses
} BodyWalk;

// ---- Addresses of local variables

// The local variable whose address, or that of a part of it, a value is; NULL if it is none for
// sure.
static const Decl *local_behind(const Expr *expr) {
    for (;;) {
        switch (expr->kind) {
        case EX_CAST:
            if (expr->cast == CAST_DECAY) {
                expr = expr->left;
                break;
            }
            if (expr->cast != CAST_POINTER && expr->cast != CAST_SAME) return NULL;
            if (expr->type->kind != CT_POINTER) return NULL;
            expr = expr->left;
            continue;
        case EX_ADDR: expr = expr->left; break;
        case EX_BINARY:
            if (expr->op != BIN_PTR_ADD && expr->op != BIN_PTR_SUB) return NULL;
            expr = expr->left;
            continue;
        case EX_COMMA: expr = expr->right; continue;
        default: return NULL;
        }
        while (expr->kind == EX_MEMBER) expr = expr->left;
        if (expr->kind == EX_DEREF) {
            expr = expr->left;
            continue;
        }
        if (expr->kind != EX_VAR && expr->kind != EX_COMPOUND) return NULL;
        const Decl *decl = expr->decl;
        bool local = decl->storage != STORAGE_STATIC && !decl->file_scope && !decl->external &&
                     !decl->internal;
        return local ? decl : NULL;
    }
}

void warn_returned_address(Parser *parser, const Expr *value, Pos pos, Pos end) {
    (void)pos;
    (void)end;
    if (value->type->kind != CT_POINTER) return;
    for (; value->kind == EX_COND && value->middle; value = value->right)
        warn_returned_address(parser, value->middle, pos, end);
    const Decl *decl = local_behind(value);
    if (!decl) return;
    warn_at_expr(parser, WARN_RETURN_LOCAL_ADDR, value,
                 "function returns address of local variable");
    if (decl->name) parser_note(parser, decl->pos, "declared here");
}

// ---- Subscripts

// Whether an array is the last member of a structure behind a pointer, and may be longer than it is
// declared.
static bool may_be_longer(const Expr *array) {
    for (; array->kind == EX_MEMBER; array = array->left) {
        const CType *type = array->left->type;
        if (!type_is_record(type) || type->kind == CT_UNION) return true;
        const Record *record = type->record;
        if (record->members.count &&
            &record->members.at[record->members.count - 1] != array->member)
            return false;
    }
    return array->kind != EX_VAR;
}

static void check_place(BodyWalk *walk, const Expr *place) {
    while (place->kind == EX_MEMBER) place = place->left;
    if (place->kind != EX_DEREF) return;
    const Expr *sum = place->left;
    if (sum->kind != EX_BINARY || sum->op != BIN_PTR_ADD || !sum->subscript) return;
    const Expr *array = sum->left, *index = sum->right;
    if (array->kind != EX_CAST || array->cast != CAST_DECAY || index->kind != EX_INT) return;
    array = array->left;
    const CType *type = array->type;
    if (type->kind != CT_ARRAY || !type->array.counted || index->assumed) return;
    int64_t at = (int64_t)index->integer;
    if ((at >= 0 && (uint64_t)at < type->array.count) || may_be_longer(array)) return;
    if (type->array.count == 0) {
        warn_at_expr(
            walk->parser, WARN_ZERO_LENGTH_BOUNDS, place,
            "array subscript %lld is outside the bounds of an interior zero-length array %s",
            (long long)at, type_text(walk->parser, type));
        return;
    }
    warn_at_expr(walk->parser, WARN_ARRAY_BOUNDS, place,
                 "array subscript %lld is %s array bounds of %s", (long long)at,
                 at < 0 ? "below" : "above", type_text(walk->parser, type));
    while (array->kind == EX_MEMBER) array = array->left;
    if (array->kind == EX_VAR)
        parser_note(walk->parser, array->decl->pos, "while referencing '%s'",
                    array->decl->name ? array->decl->name->text : "");
}

// ---- Expressions

static void walk_statement(BodyWalk *walk, const Stmt *stmt);

static void walk_arguments(BodyWalk *walk, const Expr *expr);

// Left operands are followed in a loop, since their chains may be long.
static void walk_expr(BodyWalk *walk, const Expr *expr) {
    for (; expr; expr = expr->left) {
        switch (expr->kind) {
        case EX_ERROR:
        case EX_INT:
        case EX_WIDE:
        case EX_FLOAT:
        case EX_STRING:
        case EX_VAR:
        case EX_FUNC:
        case EX_LABEL:
        case EX_SIZEOF_VLA: return;
        case EX_CAST:
            if (expr->cast == CAST_READ && walk->bounds) check_place(walk, expr->left);
            if (expr->cast == CAST_POINTER && walk->memory) warn_allocation(walk->parser, expr);
            break;
        case EX_ASSIGN:
        case EX_ASSIGN_OP:
            if (walk->bounds) check_place(walk, expr->left);
            walk_expr(walk, expr->right);
            break;
        case EX_PRE_INC:
        case EX_PRE_DEC:
        case EX_POST_INC:
        case EX_POST_DEC:
            if (walk->bounds) check_place(walk, expr->left);
            break;
        case EX_COND:
            if (expr->middle) walk_expr(walk, expr->middle);
            walk_expr(walk, expr->right);
            break;
        case EX_CALL:
            if (walk->memory) warn_memory_call(walk->parser, expr, expr == walk->statement);
            walk_arguments(walk, expr);
            break;
        case EX_BUILTIN: walk_arguments(walk, expr); return;
        case EX_STATEMENT: walk_statement(walk, expr->body); return;
        case EX_COMPOUND: {
            const Init *init = expr->decl->init;
            for (uint32_t i = 0; init && i < init->count; i++)
                walk_expr(walk, init->pieces[i].value);
            return;
        }
        case EX_BINARY:
        case EX_AND:
        case EX_OR:
        case EX_COMMA:
        case EX_COMPLEX:
            if (expr->right) walk_expr(walk, expr->right);
            break;
        default: break;
        }
    }
}

static void walk_arguments(BodyWalk *walk, const Expr *expr) {
    for (uint32_t i = 0; i < expr->arg_count; i++) walk_expr(walk, expr->args[i]);
}

static void walk_full(BodyWalk *walk, const Expr *expr) {
    if (!expr || is_error(expr)) return;
    if (walk->sequence) warn_sequence(walk->parser, expr);
    walk_expr(walk, expr);
}

// ---- Statements

static bool is_zero_condition(const Expr *condition) {
    bool truth;
    return constant_truth(condition, &truth) && !truth;
}

static bool is_one_condition(const Expr *condition) {
    bool truth;
    return constant_truth(condition, &truth) && truth;
}

static void check_conditions(BodyWalk *walk, const Stmt *first) {
    enum { LONGEST = 100 };
    uint32_t count = 0;
    for (const Stmt *at = first; at && at->kind == ST_IF; at = at->otherwise)
        if (++count > LONGEST) return;
    for (const Stmt *at = first->otherwise; at && at->kind == ST_IF; at = at->otherwise)
        for (const Stmt *before = first; before != at; before = before->otherwise) {
            if (!expr_same(before->expr, at->expr) || is_expanded(at->expr->pos)) continue;
            warn_at_expr(walk->parser, WARN_DUPLICATED_COND, at->expr, "duplicated 'if' condition");
            parser_note(walk->parser, before->expr->pos, "previously used here");
            break;
        }
}

static void check_branches(BodyWalk *walk, const Stmt *stmt) {
    if (!stmt->otherwise || is_expanded(stmt->pos) || !stmt_same(stmt->body, stmt->otherwise))
        return;
    parser_warn(walk->parser, WARN_DUPLICATED_BRANCHES, stmt->pos, stmt->pos + 2,
                "this condition has identical branches");
}

static void walk_if(BodyWalk *walk, const Stmt *stmt) {
    if (walk->branches) check_conditions(walk, stmt);
    for (;;) {
        if (walk->branches) check_branches(walk, stmt);
        walk_full(walk, stmt->expr);
        if (!is_zero_condition(stmt->expr)) walk_statement(walk, stmt->body);
        if (!stmt->otherwise || is_one_condition(stmt->expr)) return;
        if (stmt->otherwise->kind != ST_IF) break;
        stmt = stmt->otherwise;
    }
    walk_statement(walk, stmt->otherwise);
}

static void walk_declarations(BodyWalk *walk, const Stmt *stmt) {
    for (uint32_t d = 0; d < stmt->decls.count; d++) {
        const Decl *decl = stmt->decls.at[d];
        if (decl->storage == STORAGE_STATIC || !decl->init) continue;
        for (uint32_t i = 0; i < decl->init->count; i++)
            walk_full(walk, decl->init->pieces[i].value);
    }
}

static void walk_statement(BodyWalk *walk, const Stmt *stmt) {
    switch (stmt->kind) {
    case ST_EXPR:
        walk->statement = stmt->expr;
        if (stmt->expr->kind == EX_CAST && stmt->expr->cast == CAST_VOID)
            walk->statement = stmt->expr->left;
        walk_full(walk, stmt->expr);
        return;
    case ST_RETURN:
    case ST_GOTO_COMPUTED: walk_full(walk, stmt->expr); return;
    case ST_DECL: walk_declarations(walk, stmt); return;
    case ST_COMPOUND:
        for (const Stmt *at = stmt->first; at; at = at->next) walk_statement(walk, at);
        return;
    case ST_IF: walk_if(walk, stmt); return;
    case ST_WHILE:
        walk_full(walk, stmt->expr);
        if (!is_zero_condition(stmt->expr)) walk_statement(walk, stmt->body);
        return;
    case ST_DO:
    case ST_SWITCH:
        walk_full(walk, stmt->expr);
        walk_statement(walk, stmt->body);
        return;
    case ST_FOR:
        if (stmt->init) walk_statement(walk, stmt->init);
        walk_full(walk, stmt->expr);
        walk_full(walk, stmt->step);
        walk_statement(walk, stmt->body);
        return;
    default: return;
    }
}

void warn_body(Parser *parser, const Decl *func, const Stmt *body) {
    (void)func;
    const Pp *pp = parser->pp;
    BodyWalk walk = {.parser = parser,
                     .sequence = pp_might_warn(pp, WARN_SEQUENCE_POINT),
                     .bounds = pp_might_warn(pp, WARN_ARRAY_BOUNDS) ||
                               pp_might_warn(pp, WARN_ZERO_LENGTH_BOUNDS),
                     .memory = pp_might_warn(pp, WARN_STRINGOP_OVERFLOW) ||
                               pp_might_warn(pp, WARN_ALLOC_SIZE),
                     .branches = pp_might_warn(pp, WARN_DUPLICATED_COND) ||
                                 pp_might_warn(pp, WARN_DUPLICATED_BRANCHES)};
    if (walk.sequence || walk.bounds || walk.memory || walk.branches) walk_statement(&walk, body);
}
