// Decides whether two trees are the same, for warnings about repeated text.
#include "c/parse/warn.h"

enum { DEEPEST = 40 }; // right operands below each other; left ones are followed in a loop

const Expr *expr_stripped(const Expr *expr) {
    while (expr->kind == EX_CAST && expr->cast != CAST_DECAY && expr->cast != CAST_FUNC &&
           expr->cast != CAST_VOID && expr->cast != CAST_TO_BOOL && !expr->parenthesized)
        expr = expr->left;
    return expr;
}

static bool same_node(const Expr *a, const Expr *b) {
    if (a->kind != b->kind || a->type != b->type) return false;
    switch (a->kind) {
    case EX_INT: return a->integer == b->integer;
    case EX_STRING: return false;
    case EX_VAR: return a->decl == b->decl && !(a->type->quals & Q_VOLATILE);
    case EX_FUNC: return a->decl == b->decl;
    case EX_MEMBER:
        return a->member == b->member && a->member_offset == b->member_offset &&
               !(a->type->quals & Q_VOLATILE);
    case EX_DEREF: return !(a->type->quals & Q_VOLATILE);
    case EX_ADDR:
    case EX_NEG:
    case EX_NOT:
    case EX_LOGICAL_NOT: return true;
    case EX_CAST: return a->cast == b->cast;
    case EX_BINARY: return a->op == b->op;
    case EX_AND:
    case EX_OR: return true;
    default: return false;
    }
}

static bool same(const Expr *a, const Expr *b, unsigned depth) {
    if (depth > DEEPEST) return false;
    for (; a && b; a = a->left, b = b->left) {
        if (!same_node(a, b)) return false;
        if (a->kind == EX_INT || a->kind == EX_VAR || a->kind == EX_FUNC) return true;
        bool two = a->kind == EX_BINARY || a->kind == EX_AND || a->kind == EX_OR;
        if (two && !same(a->right, b->right, depth + 1)) return false;
    }
    return a == b;
}

bool expr_same(const Expr *a, const Expr *b) {
    return same(a, b, 0);
}

// Assignments, steps and calls, too: for statements that are repeated as a whole.
static bool same_effect(const Expr *a, const Expr *b, unsigned depth) {
    if (!a || !b) return a == b;
    if (depth > DEEPEST || a->kind != b->kind || a->type != b->type) return false;
    switch (a->kind) {
    case EX_ASSIGN:
    case EX_ASSIGN_OP:
        return a->op == b->op && same_effect(a->left, b->left, depth + 1) &&
               same_effect(a->right, b->right, depth + 1);
    case EX_PRE_INC:
    case EX_PRE_DEC:
    case EX_POST_INC:
    case EX_POST_DEC: return same_effect(a->left, b->left, depth + 1);
    case EX_CAST: return a->cast == b->cast && same_effect(a->left, b->left, depth + 1);
    case EX_CALL:
        if (a->arg_count != b->arg_count || !same_effect(a->left, b->left, depth + 1)) return false;
        for (uint32_t i = 0; i < a->arg_count; i++)
            if (!same_effect(a->args[i], b->args[i], depth + 1)) return false;
        return true;
    case EX_STRING:
        return a->string->size == b->string->size && a->string->bytes == b->string->bytes;
    case EX_FLOAT: return a->floating == b->floating;
    default: return same(a, b, depth);
    }
}

static bool same_stmt(const Stmt *a, const Stmt *b, unsigned depth) {
    if (!a || !b) return a == b;
    if (depth > DEEPEST || a->kind != b->kind) return false;
    switch (a->kind) {
    case ST_EXPR:
    case ST_RETURN: return same_effect(a->expr, b->expr, depth);
    case ST_BREAK:
    case ST_CONTINUE: return a->enclosing == b->enclosing;
    case ST_GOTO: return a->label == b->label;
    case ST_COMPOUND: {
        const Stmt *x = a->first, *y = b->first;
        while (x && y && same_stmt(x, y, depth + 1)) x = x->next, y = y->next;
        return !x && !y;
    }
    default: return false;
    }
}

bool stmt_same(const Stmt *a, const Stmt *b) {
    return same_stmt(a, b, 0);
}

const CType *enumeration_of(const Expr *expr) {
    if (expr->kind == EX_INT && expr->origin == ORIGIN_ENUMERATOR) return expr->enumeration;
    return expr->type->kind == CT_ENUM ? expr->type->unqualified : NULL;
}
