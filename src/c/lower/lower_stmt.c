// Statements. Each leaves control at the point where the next one begins; after a jump that point
// cannot be reached, and what is emitted there is dropped in the end.
#include "c/lower/lower_private.h"

#include <string.h>

// ---- Declarations

// The end of its block frees the array; but not where alloca is called in the block: what alloca
// gives is there until the function returns.
static void lower_variable_array(Lower *lower, Decl *decl) {
    Reg token = decl->beside_alloca ? NO_REG : reg_new(lower, TYPE_I64);
    if (token.i != NO_ID) emit_builtin(lower, BI_STACK_SAVE, token, NULL, 0, 0);
    Reg size = operand_in_reg(lower, lower_size(lower, decl->type));
    uint32_t align = lower->types->language->model.largest_align;
    if (decl->type->align > align) align = decl->type->align;
    if (decl->attributes->align > align) align = decl->attributes->align;
    bool by_slot = decl->place == IN_POINTER_SLOT;
    Reg address = by_slot ? reg_new(lower, TYPE_I64) : (Reg){decl->number};
    emit_builtin(lower, BI_ALLOCA, address, &size, 1, align);
    if (by_slot) {
        Spot pointer = spot_of_slot((Slot){decl->number});
        emit_store(lower, &pointer, CHUNK_I64, operand_reg(lower, address));
    }
    if (token.i != NO_ID) unwind_push(lower, (Unwind){.token = token});
}

// Whether a variable is initialized with itself: a way to say that it is left undefined on purpose.
// It becomes a copy, so that nobody warns of uses that find it undefined.
static bool is_own_value(const Decl *decl, const Expr *value) {
    while (value->kind == EX_CAST) value = value->left;
    return value->kind == EX_VAR && value->decl == decl;
}

static void store_initial(Lower *lower, const Spot *place, const Decl *decl, const Expr *value) {
    uint32_t before = lower->f->nodes.count;
    Operand operand = lower_expr(lower, value, NO_REG);
    coverage_belongs(lower, before, value, decl->pos);
    if (lower->coverage) emit_at(lower, decl->pos);
    spot_write(lower, place, decl->type, operand);
    if (value->kind == EX_CALL) coverage_variable(lower, decl);
}

static void lower_declaration(Lower *lower, Decl *decl) {
    debug_declare(lower, decl);
    if (decl->kind != DECL_VAR || decl->external || decl->internal ||
        decl->storage == STORAGE_STATIC || decl->storage == STORAGE_EXTERN)
        return;
    if (decl->place == IN_NOTHING) declare_variable(lower, decl);
    emit_at(lower, decl->pos);
    if (decl->place == IN_POINTER || decl->place == IN_POINTER_SLOT)
        lower_variable_array(lower, decl);
    UnitMark unit = unit_enter(lower, decl->unit);
    Spot place = spot_of_decl(lower, decl);
    if (decl->init && type_is_complex(decl->type)) {
        complex_initialize(lower, &place, decl->type, decl->init);
    } else if (decl->init && lower_type(decl->type) == TYPE_VOID) {
        lower_initialize(lower, &place, decl->type, decl->init);
    } else if (decl->init && decl->init->count) {
        const Expr *value = decl->init->pieces[decl->init->count - 1].value;
        uint32_t before = lower->f->nodes.count;
        if (place.in_register && is_own_value(decl, value))
            emit_unary(lower, op_move(lower_type(decl->type)), operand_reg(lower, place.reg),
                       place.reg);
        else if (place.in_register)
            lower_into(lower, value, place.reg);
        else
            store_initial(lower, &place, decl, value);
        if (place.in_register) coverage_assigned(lower, before, value, decl->pos);
    } else if (decl->init) {
        spot_write(lower, &place, decl->type, lower_zero(lower, decl->type, NO_REG));
    } else {
        begin_variable(lower, decl, place);
    }
    if (decl->init) begin_padding(lower, decl, place);
    unit_leave(lower, unit);
    if (decl->attributes->cleanup) unwind_push(lower, (Unwind){.cleanup = decl});
}

// ---- Blocks and statement expressions

static void lower_block(Lower *lower, const Stmt *stmt) {
    Unwind *before = lower->unwind;
    bool outermost = stmt == lower->func->body;
    if (!outermost) debug_open_block(lower);
    for (const Stmt *at = stmt->first; at; at = at->next) lower_statement(lower, at);
    emit_at(lower, stmt->end);
    unwind_to(lower, before);
    lower->unwind = before;
    if (!outermost) debug_close_block(lower);
}

const Expr *statement_expression_open(Lower *lower, const Expr *expr, Unwind **before) {
    *before = lower->unwind;
    debug_open_block(lower);
    const Stmt *at = expr->body->first;
    for (; at && at->next; at = at->next) lower_statement(lower, at);
    while (at && at->kind == ST_LABEL) {
        NamedLabel *label = named_label(lower, at->label);
        label->unwind = lower->unwind;
        label_place(lower, label->label);
        at = at->body;
    }
    if (at && at->kind == ST_EXPR && at->expr) return at->expr;
    if (at) lower_statement(lower, at);
    return NULL;
}

void statement_expression_close(Lower *lower, Unwind *before) {
    unwind_to(lower, before);
    lower->unwind = before;
    debug_close_block(lower);
}

Operand lower_statement_expression(Lower *lower, const Expr *expr, bool wanted, Reg dest) {
    Unwind *before;
    const Expr *last = statement_expression_open(lower, expr, &before);
    Operand value = NO_OPERAND;
    if (last && wanted)
        value = lower_expr(lower, last, dest);
    else if (last)
        lower_effect(lower, last);
    statement_expression_close(lower, before);
    // Control may not get to the end; something has to stand for the value then.
    Type type = lower_type(expr->type);
    if (wanted && value.type == TYPE_VOID && type != TYPE_VOID)
        value = operand_of_reg(lower, type, reg_new(lower, type));
    return value;
}

// ---- Selection and loops

static void lower_if(Lower *lower, const Stmt *stmt) {
    Label end = label_new(lower);
    const Stmt *first = stmt;
    uint32_t outer = lower->unit;
    for (;;) {
        Label then = label_new(lower), otherwise = stmt->otherwise ? label_new(lower) : end;
        coverage_locus(lower, stmt->pos);
        lower_condition(lower, stmt->expr, then, otherwise);
        label_place(lower, then);
        lower_statement(lower, stmt->body);
        if (!stmt->otherwise) break;
        emit_jump(lower, end);
        label_place(lower, otherwise);
        stmt = stmt->otherwise;
        if (stmt->kind == ST_IF) {
            unit_enter(lower, stmt->unit);
            continue;
        }
        lower_statement(lower, stmt);
        break;
    }
    label_place(lower, end);
    // The else ifs end where the first if does; what is emitted next is the caller's.
    for (const Stmt *at = first->otherwise; lower->units && at && at->kind == ST_IF;
         at = at->otherwise)
        if (at->unit) lower->units->all.at[at->unit].behind = lower->f->nodes.count;
    lower->unit = outer;
}

static void lower_loop_body(Lower *lower, const Stmt *stmt, Label on_break, Label on_continue) {
    BreakTarget target = {.outer = lower->target,
                          .stmt = stmt,
                          .on_break = on_break,
                          .on_continue = on_continue,
                          .unwind = lower->unwind};
    lower->target = &target;
    lower_statement(lower, stmt->body);
    lower->target = target.outer;
}

// Whether a condition is none, or always holds.
static bool always_holds(const Expr *condition) {
    while (condition && condition->kind == EX_CAST) condition = condition->left;
    return !condition || (condition->kind == EX_INT && condition->integer);
}

// Whether an expression is made of constants and addresses: a constant expression, or more.
static bool reads_nothing(const Expr *expr) {
    switch (expr->kind) {
    case EX_INT:
    case EX_WIDE:
    case EX_FLOAT:
    case EX_COMPLEX:
    case EX_STRING:
    case EX_FUNC:
    case EX_LABEL:
    case EX_ADDR: return true;
    case EX_CAST:
        // An array is its address.
        return expr->left->type->kind == CT_ARRAY || reads_nothing(expr->left);
    case EX_NEG:
    case EX_NOT:
    case EX_LOGICAL_NOT: return reads_nothing(expr->left);
    case EX_BINARY:
    case EX_AND:
    case EX_OR:
    case EX_COMMA: return reads_nothing(expr->left) && reads_nothing(expr->right);
    default: return false;
    }
}

// Whether a loop that does nothing may run for ever: with a controlling expression that is constant
// (C11 6.8.5p6), or if all may.
static bool may_be_endless(const Lower *lower, const Stmt *stmt) {
    return lower->endless_loops || !stmt->expr || reads_nothing(stmt->expr);
}

// Control comes back to the start of a loop.
static void come_back(Lower *lower, const Stmt *stmt) {
    if (may_be_endless(lower, stmt)) emit_spin(lower);
}

// The place of the first statement in the body of a loop; a block with declarations is one.
static Pos first_place(const Stmt *stmt) {
    const Stmt *at = stmt->body;
    while (at && at->kind == ST_COMPOUND && at->first) {
        const Stmt *child = at->first;
        while (child && child->kind != ST_DECL) child = child->next;
        if (child) return at->pos;
        at = at->first;
    }
    return at && at->kind != ST_EMPTY && at->kind != ST_COMPOUND ? at->pos : stmt->pos;
}

// A while or for whose lines are counted is laid out as gcc does it, with the test behind the body.
static void counted_loop(Lower *lower, const Stmt *stmt, Label end) {
    Label body = label_new(lower), step = label_new(lower), test = label_new(lower);
    bool endless = always_holds(stmt->expr);
    if (!endless) {
        coverage_point(lower, MARK_JUMP, stmt->pos);
        emit_jump(lower, test);
    }
    label_place(lower, body);
    lower_loop_body(lower, stmt, end, step);
    label_place(lower, step);
    if (stmt->kind == ST_FOR && stmt->step) lower_effect(lower, stmt->step);
    come_back(lower, stmt);
    label_place(lower, test);
    if (endless) {
        coverage_point(lower, MARK_JUMP, first_place(stmt));
        emit_jump(lower, body);
    } else {
        lower_condition(lower, stmt->expr, body, end);
    }
    label_place(lower, end);
}

static void lower_while(Lower *lower, const Stmt *stmt) {
    Label top = label_new(lower), body = label_new(lower), end = label_new(lower);
    Label again = may_be_endless(lower, stmt) ? label_new(lower) : top;
    if (lower->coverage) {
        counted_loop(lower, stmt, end);
        return;
    }
    label_place(lower, top);
    lower_condition(lower, stmt->expr, body, end);
    label_place(lower, body);
    lower_loop_body(lower, stmt, end, again);
    if (again.i != top.i) label_place(lower, again);
    come_back(lower, stmt);
    emit_jump(lower, top);
    label_place(lower, end);
}

static void lower_do(Lower *lower, const Stmt *stmt) {
    Label top = label_new(lower), test = label_new(lower), end = label_new(lower);
    label_place(lower, top);
    lower_loop_body(lower, stmt, end, test);
    label_place(lower, test);
    come_back(lower, stmt);
    lower_condition(lower, stmt->expr, top, end);
    label_place(lower, end);
}

static void lower_for(Lower *lower, const Stmt *stmt) {
    Unwind *before = lower->unwind;
    Label top = label_new(lower), body = label_new(lower), step = label_new(lower),
          end = label_new(lower);
    debug_open_block(lower);
    if (stmt->init) lower_statement(lower, stmt->init);
    if (lower->coverage) {
        counted_loop(lower, stmt, end);
    } else {
        label_place(lower, top);
        if (stmt->expr) lower_condition(lower, stmt->expr, body, end);
        label_place(lower, body);
        lower_loop_body(lower, stmt, end, step);
        label_place(lower, step);
        if (stmt->step) lower_effect(lower, stmt->step);
        come_back(lower, stmt);
        emit_jump(lower, top);
        label_place(lower, end);
    }
    unwind_to(lower, before);
    lower->unwind = before;
    debug_close_block(lower);
}

// ---- Jumps

static void lower_leave_target(Lower *lower, const Stmt *stmt) {
    const BreakTarget *target = lower->target;
    while (target && target->stmt != stmt->enclosing) target = target->outer;
    if (!target) return;
    unwind_and_jump(lower, target->unwind,
                    stmt->kind == ST_BREAK ? target->on_break : target->on_continue);
}

// An aggregate in registers is returned by its address; a cleanup must not change it any more.
static Reg return_record(Lower *lower, const Expr *expr) {
    if (lower->result_address.i != NO_ID) {
        Spot result = spot_of_reg(lower->result_address);
        lower_record_into(lower, expr, &result, true);
        return lower->result_address;
    }
    if (expr->type->size == 0) {
        lower_effect(lower, expr);
        return NO_REG;
    }
    Spot place =
        type_is_complex(expr->type) ? complex_in_memory(lower, expr) : lower_record(lower, expr);
    if (lower->unwind) {
        Spot copy = spot_temporary(lower, expr->type);
        record_copy(lower, &copy, &place, expr->type);
        place = copy;
    }
    return spot_address(lower, &place);
}

// What is returned where the source gives no value: zero from main, else nothing defined.
static Reg missing_result(Lower *lower) {
    const CType *type = lower->func->type->base;
    if (lower->result_address.i != NO_ID) return lower->result_address;
    if (lower->func->name && strcmp(lower->func->name->text, "main") == 0 &&
        lower_type(type) == TYPE_I32)
        return operand_in_reg(lower, operand_int(TYPE_I32, 0));
    if ((passed_as_aggregate(type) && type->size) || lower_type(type) == TYPE_WIDE) {
        Spot place = spot_temporary(lower, type);
        return spot_address(lower, &place);
    }
    return lower_type(type) == TYPE_VOID ? NO_REG : reg_new(lower, type_as_passed(type));
}

void lower_return(Lower *lower, const Expr *expr) {
    Reg value = NO_REG;
    Pos pos = lower->pos;
    const CType *type = lower->func->type->base;
    if (!expr) {
        value = missing_result(lower);
    } else if (passed_as_aggregate(type)) {
        value = return_record(lower, expr);
    } else if (lower_type(type) == TYPE_VOID) {
        lower_effect(lower, expr);
    } else {
        Operand operand = lower_expr(lower, expr, NO_REG);
        sanitize_result(lower, operand);
        if (type->kind == CT_HALF && operand.type != TYPE_VOID)
            operand = half_as_passed(lower, operand);
        value = operand.type == TYPE_VOID   ? missing_result(lower)
                : operand.type == TYPE_WIDE ? wide_in_memory(lower, operand)
                                            : operand_in_reg(lower, operand);
    }
    emit_at(lower, pos);
    unwind_and_return(lower, value);
}

// ---- All statements

// Places the labels in front of a statement; yields what they label.
static const Stmt *lower_labels(Lower *lower, const Stmt *stmt) {
    for (;; stmt = stmt->body) {
        if (stmt && (stmt->kind == ST_CASE || stmt->kind == ST_DEFAULT)) {
            Label label = case_label(lower, stmt);
            label_place(lower, label);
            coverage_case(lower, label, stmt->pos);
        } else if (stmt && stmt->kind == ST_LABEL) {
            NamedLabel *label = named_label(lower, stmt->label);
            label->unwind = lower->unwind;
            label_place(lower, label->label);
            if (stmt->label->used) coverage_point(lower, MARK_LINE, stmt->pos);
        } else {
            return stmt;
        }
    }
}

static void lower_unlabelled(Lower *lower, const Stmt *stmt) {
    emit_at(lower, stmt->pos);
    switch ((StmtKind)stmt->kind) {
    case ST_EMPTY: break;
    case ST_EXPR:
        if (stmt->expr) lower_effect(lower, stmt->expr);
        break;
    case ST_DECL:
        for (uint32_t i = 0; i < stmt->decls.count; i++) {
            Decl *decl = stmt->decls.at[i];
            if (lower->units) units_variable(lower, decl);
            UnitMark unit = unit_enter(lower, stmt->unit ? decl->declarator : 0);
            lower_declaration(lower, decl);
            unit_leave(lower, unit);
        }
        break;
    case ST_COMPOUND: lower_block(lower, stmt); break;
    case ST_IF: lower_if(lower, stmt); break;
    case ST_WHILE: lower_while(lower, stmt); break;
    case ST_DO: lower_do(lower, stmt); break;
    case ST_FOR: lower_for(lower, stmt); break;
    case ST_SWITCH: lower_switch(lower, stmt); break;
    case ST_GOTO:
        coverage_point(lower, MARK_JUMP, stmt->pos);
        lower_goto(lower, stmt->label);
        break;
    case ST_GOTO_COMPUTED: lower_computed_goto(lower, stmt->expr); break;
    case ST_BREAK:
    case ST_CONTINUE:
        coverage_point(lower, MARK_JUMP, stmt->pos);
        lower_leave_target(lower, stmt);
        break;
    case ST_RETURN:
        coverage_before_return(lower, stmt);
        lower_return(lower, stmt->expr);
        coverage_after_return(lower);
        break;
    case ST_ASM: lower_asm(lower, stmt); break;
    case ST_CASE:
    case ST_DEFAULT:
    case ST_LABEL: break;
    }
}

// A value that nobody reads stands for a statement that does nothing.
static void lower_point(Lower *lower, Pos pos) {
    emit_at(lower, pos);
    emit_move(lower, reg_new(lower, TYPE_I64), operand_int(TYPE_I64, INT64_MIN));
}

void lower_statement(Lower *lower, const Stmt *stmt) {
    UnitMark unit = unit_enter(lower, stmt ? stmt->unit : 0);
    const Stmt *whole = stmt;
    stmt = lower_labels(lower, stmt);
    if (whole && units_is_point(lower->units, whole->unit)) lower_point(lower, whole->pos);
    if (stmt) lower_unlabelled(lower, stmt);
    unit_leave(lower, unit);
}
