// Prints recursive functions in the notation of figure 8.
#include "imp/imp_infix.h"
#include "imp/kleene.h"

// What stands for counter `loop` where an expression is printed.
typedef enum { SLOT_PLAIN, SLOT_ZERO, SLOT_Z, SLOT_Y, SLOT_MIN } SlotText;

typedef struct {
    SlotText slot;
    uint32_t loop; // NO_ID if all are plain
    uint32_t func; // MIN: whose
} KleeneScope;

typedef struct {
    const char *text; // or NULL:
    uint32_t expr;
} KleeneTask;

typedef struct {
    Out *out;
    const Kleene *kleene;
    Arena *arena;
    KleeneScope scope;
    bool ends; // all counters are 0: a target
    VEC(KleeneTask) tasks;
} KleenePrinter;

static const char *func_text(const Kleene *kleene, uint32_t func) {
    return str_text(&kleene->strings, kleene->funcs.at[func].name);
}

// x1, x2, ..., but for one of them.
static void print_others(Out *out, const Kleene *kleene, uint32_t without) {
    bool first = true;
    for (uint32_t i = 0; i < kleene->loops; i++) {
        if (i == without) continue;
        out_printf(out, "%sx%u", first ? "" : ", ", i + 1);
        first = false;
    }
}

static void print_counters(KleenePrinter *p) {
    Out *out = p->out;
    out_char(out, '(');
    for (uint32_t i = 0; i < p->kleene->loops; i++) {
        out_text(out, i ? ", " : "");
        if (p->ends)
            out_char(out, '0');
        else if (i != p->scope.loop)
            out_printf(out, "x%u", i + 1);
        else if (p->scope.slot == SLOT_MIN) {
            out_printf(out, "min_%s(", func_text(p->kleene, p->scope.func));
            print_others(out, p->kleene, i);
            out_char(out, ')');
        } else
            out_char(out, p->scope.slot == SLOT_ZERO ? '0' : p->scope.slot == SLOT_Z ? 'z' : 'y');
    }
    out_char(out, ')');
}

// The operator: + or add.i32
static const char *op_text(const KleeneExpr *expr) {
    if (expr->op == OP_NEG_I64) return "-";
    if (expr->op == OP_NOT_I64) return "~";
    ImpExpr like = {.kind = IMP_OPERATOR, .op = expr->op};
    const ImpInfix *infix = infix_of(&like);
    return infix ? infix->text : op_info(expr->op)->name;
}

static const char *head_text(const KleeneExpr *expr) {
    switch ((KleeneExprKind)expr->kind) {
    case KE_OP: return op_text(expr);
    case KE_NOT: return "!";
    case KE_AND: return "&&";
    case KE_OR: return "||";
    case KE_GAMMA: return "gamma";
    case KE_READ: return "read";
    case KE_WRITE: return "write";
    case KE_PRINT: return "print";
    default: return "";
    }
}

// Pushes the parts of an expression, or prints it if it has none.
static void open_expr(KleenePrinter *p, const KleeneExpr *expr) {
    Out *out = p->out;
    const uint32_t *args = p->kleene->args.at + expr->args_at;
    switch ((KleeneExprKind)expr->kind) {
    case KE_NUMBER: out_i64(out, expr->value); return;
    case KE_CALL:
        out_text(out, func_text(p->kleene, expr->ref));
        print_counters(p);
        return;
    case KE_INPUT: out_printf(out, "input %u", expr->ref + 1); return;
    case KE_ARRAY: out_text(out, "array"); return;
    case KE_START: out_text(out, "start"); return;
    case KE_UNDEF: out_text(out, "undef"); return;
    case KE_OPAQUE:
        out_text(out, "after(\"");
        out_text(out, str_text(&p->kleene->strings, (Str){expr->ref}));
        out_text(out, expr->arg_count ? "\", " : "\"");
        break;
    default:
        out_text(out, head_text(expr));
        out_char(out, '(');
        break;
    }
    vec_push(p->arena, &p->tasks, (KleeneTask){.text = ")"});
    for (uint32_t i = expr->arg_count; i-- > 0;) {
        vec_push(p->arena, &p->tasks, (KleeneTask){.expr = args[i]});
        const char *between = expr->kind == KE_GAMMA && i % 2 ? ": " : ", ";
        if (i) vec_push(p->arena, &p->tasks, (KleeneTask){.text = between});
    }
}

static void print_expr(KleenePrinter *p, uint32_t root, KleeneScope scope) {
    p->scope = scope;
    vec_push(p->arena, &p->tasks, (KleeneTask){.expr = root});
    while (p->tasks.count) {
        KleeneTask task = vec_pop(&p->tasks);
        if (task.text)
            out_text(p->out, task.text);
        else
            open_expr(p, &p->kleene->exprs.at[task.expr]);
    }
}

static void print_head(KleenePrinter *p, uint32_t id, uint32_t loop, const char *slot) {
    Out *out = p->out;
    out_printf(out, "%s(", func_text(p->kleene, id));
    for (uint32_t i = 0; i < p->kleene->loops; i++) {
        out_text(out, i ? ", " : "");
        if (i == loop)
            out_text(out, slot);
        else
            out_printf(out, "x%u", i + 1);
    }
    out_text(out, ") = ");
}

static void print_func(KleenePrinter *p, uint32_t id) {
    const KleeneFunc *func = &p->kleene->funcs.at[id];
    Out *out = p->out;
    if (func->kind == KF_LOOP) {
        print_head(p, id, func->loop, "0");
        print_expr(p, func->first, (KleeneScope){SLOT_ZERO, func->loop, id});
        out_char(out, '\n');
        print_head(p, id, func->loop, "z+1");
        print_expr(p, func->second, (KleeneScope){SLOT_Z, func->loop, id});
    } else if (func->kind == KF_CLOSE) {
        out_printf(out, "min_%s(", func_text(p->kleene, id));
        print_others(out, p->kleene, func->loop);
        out_text(out, ") = (mu y. ");
        print_expr(p, func->first, (KleeneScope){SLOT_Y, func->loop, id});
        out_text(out, " = 0)\n");
        print_head(p, id, NO_ID, "");
        print_expr(p, func->second, (KleeneScope){SLOT_MIN, func->loop, id});
    } else {
        print_head(p, id, NO_ID, "");
        print_expr(p, func->second, (KleeneScope){SLOT_PLAIN, NO_ID, id});
    }
    out_char(out, '\n');
}

void kleene_print(Out *out, const Kleene *kleene) {
    KleenePrinter p = {.out = out, .kleene = kleene, .arena = arena_new("print")};
    for (uint32_t i = 0; i < kleene->funcs.count; i++) print_func(&p, i);
    p.ends = true;
    for (uint32_t i = 0; i < kleene->targets.count; i++) {
        const KleeneTarget *target = &kleene->targets.at[i];
        out_printf(out, "%s %s = ", target->is_output ? "output" : "result",
                   str_text(&kleene->strings, target->name));
        print_expr(&p, target->expr, (KleeneScope){SLOT_PLAIN, NO_ID, NO_ID});
        out_char(out, '\n');
    }
    arena_free(p.arena);
}
