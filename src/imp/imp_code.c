#include "imp/imp_code.h"

// What is still to be done, last first: make code of an expression, or append an instruction, or
// let the jump that was noted last but `back` go to here.
typedef enum { TASK_EXPR, TASK_CODE, TASK_JUMP, TASK_LAND, TASK_LIST, TASK_LOOP_END } CodeTaskKind;

typedef struct {
    CodeTaskKind kind;
    uint32_t id;  // EXPR: expression; LIST: first statement
    ImpCode code; // CODE, JUMP
} CodeTask;

typedef struct {
    Arena *arena;
    const Imp *imp;
    bool marks;
    ImpCodes codes;
    VEC(CodeTask) tasks;
    VEC(uint32_t) jumps; // that wait for their target
    VEC(uint32_t) heads; // of loops: where their tests start
    uint32_t stmt;
} Coder;

static void later(Coder *coder, CodeTask task) {
    vec_push(coder->arena, &coder->tasks, task);
}
static void later_code(Coder *coder, ImpCode code) {
    later(coder, (CodeTask){.kind = TASK_CODE, .code = code});
}
static void later_jump(Coder *coder, ImpCodeKind kind, uint32_t expr, uint32_t stmt) {
    ImpCode code = {.kind = (uint8_t)kind, .expr = expr, .stmt = stmt};
    later(coder, (CodeTask){.kind = TASK_JUMP, .code = code});
}
static void later_expr(Coder *coder, uint32_t expr) {
    later(coder, (CodeTask){.kind = TASK_EXPR, .id = expr});
}
static void later_land(Coder *coder) {
    later(coder, (CodeTask){.kind = TASK_LAND});
}
static void emit(Coder *coder, ImpCode code) {
    vec_push(coder->arena, &coder->codes, code);
}

// a && b: if a then truth of b else 0; a || b: if a then 1 else truth of b; a choice: if a then b
// else c.
static void code_choice(Coder *coder, uint32_t id, const ImpExpr *expr) {
    ImpCode constant = {.kind = CODE_NUMBER, .value = expr->kind == IMP_OR, .expr = id};
    ImpCode truth = {.kind = CODE_TRUTH, .expr = id};
    later_land(coder); // of the jump over the second part
    if (expr->kind == IMP_AND)
        later_code(coder, constant);
    else if (expr->kind == IMP_OR)
        later_code(coder, truth);
    if (expr->kind == IMP_OR) later_expr(coder, expr->args[1]);
    if (expr->kind == IMP_CHOICE) later_expr(coder, expr->args[2]);
    later(coder, (CodeTask){.kind = TASK_LAND, .id = 1}); // of the test, which was noted before
    later_jump(coder, CODE_JUMP, id, 0);
    if (expr->kind == IMP_AND) later_code(coder, truth);
    if (expr->kind == IMP_OR)
        later_code(coder, constant);
    else
        later_expr(coder, expr->args[1]);
    later_jump(coder, CODE_UNLESS, id, 0);
    later_expr(coder, expr->args[0]);
}

static void code_expr(Coder *coder, uint32_t id) {
    const ImpExpr *expr = &coder->imp->exprs.at[id];
    ImpCode code = {.expr = id, .name = expr->name, .op = expr->op, .value = expr->value};
    switch ((ImpExprKind)expr->kind) {
    case IMP_NUMBER: code.kind = CODE_NUMBER; break;
    case IMP_VARIABLE: code.kind = CODE_LOAD; break;
    case IMP_ELEMENT: code.kind = CODE_ELEMENT; break;
    case IMP_OPERATOR: code.kind = CODE_OP; break;
    case IMP_NOT: code.kind = CODE_NOT; break;
    case IMP_AND:
    case IMP_OR:
    case IMP_CHOICE: code_choice(coder, id, expr); return;
    case IMP_UNDEF:
    case IMP_TEXT: code.kind = CODE_UNDEF; break;
    }
    if (!expr->count) {
        emit(coder, code);
        return;
    }
    later_code(coder, code);
    for (uint32_t i = expr->count; i-- > 0;) later_expr(coder, expr->args[i]);
}

static void code_while(Coder *coder, uint32_t id, const ImpStmt *stmt) {
    emit(coder, (ImpCode){.kind = CODE_ENTER, .stmt = id});
    vec_push(coder->arena, &coder->heads, coder->codes.count);
    if (coder->marks) {
        emit(coder, (ImpCode){.kind = CODE_MARK, .stmt = id, .digit = 1});
        later_code(coder, (ImpCode){.kind = CODE_MARK, .stmt = id, .digit = 2});
    }
    later_code(coder, (ImpCode){.kind = CODE_LEAVE, .stmt = id});
    later(coder, (CodeTask){.kind = TASK_LOOP_END, .id = id});
    later(coder, (CodeTask){.kind = TASK_LIST, .id = stmt->body});
    later_jump(coder, CODE_UNLESS, stmt->value, id);
    later_expr(coder, stmt->value);
}

static void code_if(Coder *coder, uint32_t id, const ImpStmt *stmt) {
    later_land(coder);
    if (stmt->other != IMP_NONE) {
        later(coder, (CodeTask){.kind = TASK_LIST, .id = stmt->other});
        later(coder, (CodeTask){.kind = TASK_LAND, .id = 1});
        later_jump(coder, CODE_JUMP, IMP_NONE, id);
    }
    later(coder, (CodeTask){.kind = TASK_LIST, .id = stmt->body});
    later_jump(coder, CODE_UNLESS, stmt->value, id);
    later_expr(coder, stmt->value);
}

static void code_stmt(Coder *coder, uint32_t id) {
    const Imp *imp = coder->imp;
    const ImpStmt *stmt = &imp->stmts.at[id];
    ImpCode code = {.stmt = id, .name = stmt->name, .expr = stmt->value};
    if (coder->marks) emit(coder, (ImpCode){.kind = CODE_MARK, .stmt = id, .digit = -1});
    switch ((ImpStmtKind)stmt->kind) {
    case IMP_WHILE: code_while(coder, id, stmt); return;
    case IMP_IF: code_if(coder, id, stmt); return;
    case IMP_SKIP:
    case IMP_OPAQUE: return;
    case IMP_ASSIGN:
        code.kind = CODE_SET;
        if (!imp->names.at[stmt->name].is_array) break;
        code.kind = CODE_COPY;
        code.target = imp->exprs.at[stmt->value].name;
        emit(coder, code);
        return;
    case IMP_STORE: code.kind = CODE_STORE; break;
    case IMP_PRINT: code.kind = CODE_PRINT; break;
    }
    later_code(coder, code);
    later_expr(coder, stmt->value);
    if (stmt->kind == IMP_STORE) later_expr(coder, stmt->index);
}

static void land(Coder *coder, uint32_t back) {
    uint32_t at = coder->jumps.count - 1 - back;
    coder->codes.at[coder->jumps.at[at]].target = coder->codes.count;
    for (uint32_t i = at + 1; i < coder->jumps.count; i++)
        coder->jumps.at[i - 1] = coder->jumps.at[i];
    coder->jumps.count--;
}

ImpCodes imp_code(Arena *arena, const Imp *imp, bool marks) {
    Coder coder = {.arena = arena, .imp = imp, .marks = marks};
    later(&coder, (CodeTask){.kind = TASK_LIST, .id = imp->first});
    while (coder.tasks.count) {
        CodeTask task = vec_pop(&coder.tasks);
        switch (task.kind) {
        case TASK_EXPR: code_expr(&coder, task.id); break;
        case TASK_CODE: emit(&coder, task.code); break;
        case TASK_JUMP:
            vec_push(arena, &coder.jumps, coder.codes.count);
            emit(&coder, task.code);
            break;
        case TASK_LAND: land(&coder, task.id); break;
        case TASK_LIST:
            if (task.id == IMP_NONE) break;
            later(&coder, (CodeTask){.kind = TASK_LIST, .id = imp->stmts.at[task.id].next});
            code_stmt(&coder, task.id);
            break;
        case TASK_LOOP_END:
            emit(&coder,
                 (ImpCode){.kind = CODE_AGAIN, .stmt = task.id, .target = vec_pop(&coder.heads)});
            land(&coder, 0);
            break;
        }
    }
    emit(&coder, (ImpCode){.kind = CODE_END});
    return coder.codes;
}
