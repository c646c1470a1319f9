// -Wsequence-point: an object that is changed, and changed again or used, in no defined order.
//
// Each part of an expression has a list of the objects that it uses or changes. Parts that are not
// ordered are compared with each other where they meet. A part that is ordered before everything
// that follows (the left side of && or a comma, the arguments of a call) is compared inside of
// itself only. Objects are variables and members of variables; parts of an object and the whole are
// not compared.
#include "c/parse/warn.h"

enum { MOST_ACCESSES = 400 };

typedef struct {
    const Expr *object; // a variable, or a member of a member ... of one
    const Decl *decl;   // the variable
    bool write;
    Pos pos;
} SequenceAccess;

typedef struct {
    Parser *parser;
    VEC(SequenceAccess) list; // a stack; each part of the expression has the top of it
    bool reported;
} Sequence;

// The part of a stack from `from` on.
typedef struct {
    uint32_t from, to;
} SequencePart;

static SequencePart walk(Sequence *s, const Expr *expr);

static bool object_of(const Expr *lvalue, SequenceAccess *access) {
    *access = (SequenceAccess){.object = lvalue};
    while (lvalue->kind == EX_MEMBER) lvalue = lvalue->left;
    if (lvalue->kind != EX_VAR) return false;
    access->decl = lvalue->decl;
    return access->decl->name != NULL;
}

static bool collide(const SequenceAccess *a, const SequenceAccess *b) {
    if (a->decl != b->decl || (!a->write && !b->write)) return false;
    return expr_same(a->object, b->object);
}

static void report(Sequence *s, const SequenceAccess *access) {
    if (s->reported) return;
    s->reported = true;
    parser_warn(s->parser, WARN_SEQUENCE_POINT, access->pos, access->pos + 1,
                "operation on '%s' may be undefined",
                access->object->kind == EX_MEMBER && access->object->member->name
                    ? access->object->member->name->text
                    : access->decl->name->text);
}

// Two parts without an order between them.
static void compare(Sequence *s, SequencePart a, SequencePart b) {
    if (s->list.count > MOST_ACCESSES) return;
    for (uint32_t i = a.from; i < a.to; i++)
        for (uint32_t j = b.from; j < b.to; j++)
            if (collide(&s->list.at[i], &s->list.at[j]))
                report(s, s->list.at[i].write ? &s->list.at[i] : &s->list.at[j]);
}

static SequencePart add(Sequence *s, const Expr *lvalue, bool write, Pos pos) {
    SequencePart part = {s->list.count, s->list.count};
    SequenceAccess access;
    if (!object_of(lvalue, &access) || s->list.count > MOST_ACCESSES) return part;
    access.write = write;
    access.pos = pos;
    vec_push(s->parser->body_arena, &s->list, access);
    part.to++;
    return part;
}

// What an lvalue needs to be found: pointers and subscripts, not the object itself.
static SequencePart walk_place(Sequence *s, const Expr *lvalue) {
    while (lvalue->kind == EX_MEMBER) lvalue = lvalue->left;
    if (lvalue->kind == EX_DEREF) return walk(s, lvalue->left);
    return (SequencePart){s->list.count, s->list.count};
}

// An assignment or step: the change itself does not collide with the uses that its value comes
// from.
static SequencePart walk_change(Sequence *s, const Expr *expr) {
    uint32_t from = s->list.count;
    SequencePart place = walk_place(s, expr->left);
    SequencePart value = {s->list.count, s->list.count};
    if (expr->kind == EX_ASSIGN || expr->kind == EX_ASSIGN_OP) value = walk(s, expr->right);
    compare(s, place, value);
    SequencePart change = add(s, expr->left, true, expr->at ? expr->at : expr->pos);
    for (uint32_t i = from; change.to > change.from && i < change.from; i++)
        if (s->list.at[i].write && collide(&s->list.at[i], &s->list.at[change.from]))
            report(s, &s->list.at[change.from]);
    return (SequencePart){from, s->list.count};
}

// What happens before anything else in the expression goes on.
static void walk_before(Sequence *s, const Expr *expr) {
    uint32_t count = s->list.count;
    walk(s, expr);
    s->list.count = count;
}

static SequencePart walk_call(Sequence *s, const Expr *expr) {
    uint32_t from = s->list.count;
    SequencePart all = {from, from};
    if (expr->kind == EX_CALL) all = walk(s, expr->left);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        SequencePart arg = walk(s, expr->args[i]);
        compare(s, all, arg);
        all.to = s->list.count;
    }
    s->list.count = from;
    return (SequencePart){from, from};
}

// A chain of operators to the left, from the innermost one out.
static SequencePart walk_binary(Sequence *s, const Expr *expr) {
    VEC(const Expr *) chain = {0};
    for (; expr->kind == EX_BINARY; expr = expr->left)
        vec_push(s->parser->body_arena, &chain, expr);
    SequencePart all = walk(s, expr);
    while (chain.count) {
        SequencePart right = walk(s, vec_pop(&chain)->right);
        compare(s, all, right);
        all.to = s->list.count;
    }
    return all;
}

static SequencePart walk(Sequence *s, const Expr *expr) {
    SequencePart none = {s->list.count, s->list.count};
    for (;;) {
        switch (expr->kind) {
        case EX_CAST:
            if (expr->cast == CAST_READ && expr->left->lvalue) {
                SequencePart place = walk_place(s, expr->left);
                return (SequencePart){place.from, add(s, expr->left, false, expr->pos).to};
            }
            expr = expr->left;
            break;
        case EX_MEMBER:
        case EX_DEREF:
            if (expr->lvalue) return walk_place(s, expr);
            expr = expr->left;
            break;
        case EX_ADDR: return walk_place(s, expr->left);
        case EX_NEG:
        case EX_NOT:
        case EX_LOGICAL_NOT: expr = expr->left; break;
        case EX_BINARY: return walk_binary(s, expr);
        case EX_AND:
        case EX_OR:
        case EX_COMMA:
            walk_before(s, expr->left);
            expr = expr->right;
            break;
        case EX_COND:
            walk_before(s, expr->left);
            if (expr->middle) walk(s, expr->middle);
            return (SequencePart){none.from, walk(s, expr->right).to};
        case EX_ASSIGN:
        case EX_ASSIGN_OP:
        case EX_PRE_INC:
        case EX_PRE_DEC:
        case EX_POST_INC:
        case EX_POST_DEC: return walk_change(s, expr);
        case EX_CALL:
        case EX_BUILTIN: return walk_call(s, expr);
        default: return none;
        }
    }
}

void warn_sequence(Parser *parser, const Expr *expr) {
    Sequence sequence = {.parser = parser};
    walk(&sequence, expr);
}
