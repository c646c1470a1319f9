// Prints Imp, so that the text parses to the same tree: brackets stand where ranks of operators
// need them. Parts that are still to be printed wait on an explicit stack.
#include "imp/imp.h"
#include "imp/imp_infix.h"

#include <string.h>

const ImpInfix infix_table[INFIX_COUNT] = {
    {"||", IMP_OR, 0, 1},
    {"&&", IMP_AND, 0, 2},
    {"|", IMP_OPERATOR, OP_OR_I64, 3},
    {"^", IMP_OPERATOR, OP_XOR_I64, 4},
    {"&", IMP_OPERATOR, OP_AND_I64, 5},
    {"==", IMP_OPERATOR, OP_EQ_I64, 6},
    {"!=", IMP_OPERATOR, OP_NE_I64, 6},
    {"<", IMP_OPERATOR, OP_LT_I64, 7},
    {"<=", IMP_OPERATOR, OP_LE_I64, 7},
    {">", IMP_OPERATOR, OP_GT_I64, 7},
    {">=", IMP_OPERATOR, OP_GE_I64, 7},
    {"<<", IMP_OPERATOR, OP_SHL_I64, 8},
    {">>", IMP_OPERATOR, OP_SAR_I64, 8},
    {"+", IMP_OPERATOR, OP_ADD_I64, 9},
    {"-", IMP_OPERATOR, OP_SUB_I64, 9},
    {"*", IMP_OPERATOR, OP_MUL_I64, 10},
    {"/", IMP_OPERATOR, OP_DIVS_I64, 10},
    {"%", IMP_OPERATOR, OP_MODS_I64, 10},
};

const ImpInfix *infix_of(const ImpExpr *expr) {
    for (uint32_t i = 0; i < INFIX_COUNT; i++)
        if (infix_table[i].kind == expr->kind &&
            (expr->kind != IMP_OPERATOR || infix_table[i].op == expr->op))
            return &infix_table[i];
    return NULL;
}

typedef struct {
    const char *text; // or NULL:
    uint32_t expr;    // to be printed
    uint32_t rank;    // the least that needs no brackets here
} PrintTask;

typedef struct {
    Out *out;
    const Imp *imp;
    Arena *arena;
    VEC(PrintTask) tasks;
} ImpPrinter;

static void later_text(ImpPrinter *printer, const char *text) {
    vec_push(printer->arena, &printer->tasks, (PrintTask){.text = text});
}

static void later_expr(ImpPrinter *printer, uint32_t expr, uint32_t rank) {
    vec_push(printer->arena, &printer->tasks, (PrintTask){.expr = expr, .rank = rank});
}

static void print_name(Out *out, const Imp *imp, uint32_t name) {
    const char *text = imp_name_text(imp, name);
    out_text(out, text);
}

static bool is_prefix(const ImpExpr *expr) {
    return expr->kind == IMP_NOT ||
           (expr->kind == IMP_OPERATOR && (expr->op == OP_NEG_I64 || expr->op == OP_NOT_I64));
}

static uint32_t rank_of(const ImpExpr *expr) {
    const ImpInfix *infix = infix_of(expr);
    if (infix) return infix->rank;
    if (is_prefix(expr) || (expr->kind == IMP_NUMBER && expr->value < 0)) return INFIX_PREFIX_RANK;
    return expr->kind == IMP_CHOICE ? INFIX_CHOICE_RANK : INFIX_ATOM_RANK;
}

// A prefix minus in front of a number would make it part of the number.
static uint32_t prefix_operand_rank(const Imp *imp, const ImpExpr *expr) {
    const ImpExpr *operand = &imp->exprs.at[expr->args[0]];
    bool number =
        expr->kind == IMP_OPERATOR && expr->op == OP_NEG_I64 && operand->kind == IMP_NUMBER;
    return number ? INFIX_ATOM_RANK + 1 : INFIX_PREFIX_RANK;
}

// What an expression consists of, in reverse.
static void split_expr(ImpPrinter *printer, const ImpExpr *expr) {
    const ImpInfix *infix = infix_of(expr);
    if (infix) {
        later_expr(printer, expr->args[1], infix->rank + 1);
        later_text(printer, " ");
        later_text(printer, infix->text);
        later_text(printer, " ");
        later_expr(printer, expr->args[0], infix->rank);
    } else if (expr->kind == IMP_CHOICE) {
        later_expr(printer, expr->args[2], INFIX_CHOICE_RANK);
        later_text(printer, " : ");
        later_expr(printer, expr->args[1], INFIX_CHOICE_RANK);
        later_text(printer, " ? ");
        later_expr(printer, expr->args[0], INFIX_CHOICE_RANK + 1);
    } else if (is_prefix(expr)) {
        later_expr(printer, expr->args[0], prefix_operand_rank(printer->imp, expr));
        later_text(printer, expr->kind == IMP_NOT ? "!" : expr->op == OP_NEG_I64 ? "-" : "~");
    } else if (expr->kind == IMP_ELEMENT) {
        later_text(printer, "]");
        later_expr(printer, expr->args[0], 0);
        later_text(printer, "[");
        later_text(printer, imp_name_text(printer->imp, expr->name));
    } else {
        later_text(printer, ")");
        for (uint32_t i = expr->count; i-- > 0;) {
            later_expr(printer, expr->args[i], 0);
            if (i) later_text(printer, ", ");
        }
        later_text(printer, "(");
        later_text(printer, op_info(expr->op)->name);
    }
}

static void print_tasks(ImpPrinter *printer) {
    Out *out = printer->out;
    while (printer->tasks.count) {
        PrintTask task = vec_pop(&printer->tasks);
        if (task.text) {
            out_text(out, task.text);
            continue;
        }
        const ImpExpr *expr = &printer->imp->exprs.at[task.expr];
        bool brackets = rank_of(expr) < task.rank;
        if (brackets) {
            out_char(out, '(');
            later_text(printer, ")");
        }
        if (expr->kind == IMP_NUMBER)
            out_i64(out, expr->value);
        else if (expr->kind == IMP_VARIABLE)
            print_name(out, printer->imp, expr->name);
        else if (expr->kind == IMP_UNDEF)
            out_text(out, "undef");
        else if (expr->kind == IMP_TEXT)
            out_text(out, str_text(&printer->imp->strings, expr->text));
        else
            split_expr(printer, expr);
    }
}

static void print_expr(ImpPrinter *printer, uint32_t expr) {
    later_expr(printer, expr, 0);
    print_tasks(printer);
}

void imp_print_expr(Out *out, const Imp *imp, uint32_t expr) {
    ImpPrinter printer = {.out = out, .imp = imp, .arena = arena_new("print")};
    print_expr(&printer, expr);
    arena_free(printer.arena);
}

// ---- Statements

// A list that is being printed: where it goes on, or that its end is to be printed.
typedef struct {
    uint32_t next;
    uint32_t around; // the statement whose list it is
    bool other;      // behind else
} PrintList;

enum {
    INDENT = 2,
    DEEPEST_INDENT = 80
}; // deeper lines start there, or they would be longer than what they say

static void indent(Out *out, uint32_t depth) {
    uint32_t blanks = depth > DEEPEST_INDENT / INDENT ? DEEPEST_INDENT : depth * INDENT;
    out_printf(out, "%*s", (int)blanks, "");
}

// The statement, or its first line.
static void print_stmt(ImpPrinter *printer, const ImpStmt *stmt) {
    Out *out = printer->out;
    switch ((ImpStmtKind)stmt->kind) {
    case IMP_STORE:
    case IMP_ASSIGN:
        print_name(out, printer->imp, stmt->name);
        if (stmt->kind == IMP_STORE) {
            out_char(out, '[');
            print_expr(printer, stmt->index);
            out_char(out, ']');
        }
        out_text(out, " := ");
        print_expr(printer, stmt->value);
        break;
    case IMP_WHILE:
    case IMP_IF:
        out_text(out, stmt->kind == IMP_WHILE ? "while " : "if ");
        print_expr(printer, stmt->value);
        out_text(out, stmt->kind == IMP_WHILE ? " do" : " then");
        break;
    case IMP_PRINT:
        out_text(out, "print ");
        print_expr(printer, stmt->value);
        break;
    case IMP_SKIP: out_text(out, "skip"); break;
    case IMP_OPAQUE: out_text(out, str_text(&printer->imp->strings, stmt->text)); break;
    }
}

static void print_inputs(Out *out, const Imp *imp) {
    for (uint32_t i = 0; i < imp->inputs.count; i++) {
        out_text(out, i ? ", " : "input ");
        print_name(out, imp, imp->inputs.at[i]);
    }
    if (imp->inputs.count) out_text(out, ";\n");
}

void imp_print(Out *out, const Imp *imp) {
    ImpPrinter printer = {.out = out, .imp = imp, .arena = arena_new("print")};
    VEC(PrintList) lists = {0};
    if (imp->note) out_printf(out, "# %s\n", imp->note);
    print_inputs(out, imp);
    vec_push(printer.arena, &lists, (PrintList){.next = imp->first, .around = IMP_NONE});
    while (lists.count) {
        PrintList *list = &lists.at[lists.count - 1];
        if (list->next != IMP_NONE) {
            const ImpStmt *stmt = &imp->stmts.at[list->next];
            list->next = stmt->next;
            indent(out, lists.count - 1);
            print_stmt(&printer, stmt);
            if (stmt->kind == IMP_WHILE || stmt->kind == IMP_IF) {
                uint32_t id = (uint32_t)(stmt - imp->stmts.at);
                vec_push(printer.arena, &lists, (PrintList){.next = stmt->body, .around = id});
            } else if (list->next != IMP_NONE) {
                out_char(out, ';');
            }
            out_char(out, '\n');
            continue;
        }
        PrintList ended = vec_pop(&lists);
        if (!lists.count) break;
        const ImpStmt *around = &imp->stmts.at[ended.around];
        indent(out, lists.count - 1);
        if (!ended.other && around->other != IMP_NONE) {
            out_text(out, "else\n");
            vec_push(printer.arena, &lists,
                     (PrintList){.next = around->other, .around = ended.around, .other = true});
            continue;
        }
        out_text(out, around->next != IMP_NONE ? "end;\n" : "end\n");
    }
    arena_free(printer.arena);
}
