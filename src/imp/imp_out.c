#include "imp/imp_values.h"

#include "text/print/fssa_print.h"

#include <string.h>

void imp_maker_init(ImpMaker *maker, Arena *arena, Arena *scratch, Diag *diag, const Func *func) {
    *maker = (ImpMaker){.imp = imp_new(arena), .scratch = scratch, .diag = diag, .func = func};
    maker->definitions = fssa_definitions(scratch, func);
    maker->names = ARENA_ARRAY(scratch, uint32_t, func->regs.count);
    for (uint32_t i = 0; i < func->regs.count; i++) maker->names[i] = IMP_NONE;
    // Fresh names must not be those of registers.
    for (uint32_t i = 0; i < func->regs.count; i++) imp_maker_reg(maker, (Reg){i});
}

uint32_t imp_maker_reg(ImpMaker *maker, Reg reg) {
    if (maker->names[reg.i] != IMP_NONE) return maker->names[reg.i];
    Out text = {0};
    reg_print(&text, maker->func, reg);
    bool word = imp_is_word(text.text + 1, text.length - 1);
    maker->names[reg.i] = imp_name(maker->imp, text.text + word, text.length - word, SPAN_NONE);
    out_free(&text);
    return maker->names[reg.i];
}

uint32_t imp_maker_fresh(ImpMaker *maker, const char *prefix, uint32_t *count) {
    for (;;) {
        uint32_t before = maker->imp->names.count;
        const char *text = arena_printf(maker->scratch, "%s_%u", prefix, ++*count);
        uint32_t name = imp_name(maker->imp, text, strlen(text), SPAN_NONE);
        if (name == before) return name;
    }
}

FssaTerm imp_maker_definition(const ImpMaker *maker, Reg reg) {
    uint32_t equation = maker->definitions[reg.i];
    if (equation == NO_ID) return NO_FSSA_TERM;
    FssaEquation row = maker->func->fssa->equations.at[equation];
    return row.term;
}

void imp_maker_refuse(ImpMaker *maker, const char *reason) {
    if (!maker->refused)
        diag_error(maker->diag, SPAN_NONE, "%s: %s", func_name(maker->func), reason);
    maker->refused = true;
}

static void add_target(ImpMaker *maker, ImpTargets *targets, uint32_t name, FssaTerm term,
                       Reg reg) {
    vec_push(maker->scratch, targets, (ImpTarget){.name = name, .term = term, .reg = reg});
}

// Identifiers that no equation uses, but for those that change in a loop: they have no last value.
static void add_unused(ImpMaker *maker, ImpTargets *targets) {
    const Func *func = maker->func;
    const Fssa *fssa = func->fssa;
    bool *used = ARENA_ARRAY(maker->scratch, bool, func->regs.count);
    uint32_t *unused = ARENA_ARRAY(maker->scratch, uint32_t, fssa->equations.count), count = 0;
    ImpValues values;
    imp_values_init(&values, maker->scratch, maker);
    for (uint32_t i = 0; i < fssa->terms.count; i++)
        if (fssa->terms.at[i].kind == FT_NAME) used[fssa->terms.at[i].reg.i] = true;
    for (uint32_t i = 0; i < fssa->equations.count; i++) {
        if (used[fssa->equations.at[i].dest.i]) continue;
        imp_value_of(&values, fssa->equations.at[i].term);
        unused[count++] = i;
    }
    imp_values_find(&values);
    for (uint32_t i = 0; i < count; i++) {
        FssaEquation row = fssa->equations.at[unused[i]];
        uint32_t value = imp_value_find(&values, values.of_term[row.term.i]);
        if (imp_value_at(&values, value)->level == NO_ID)
            add_target(maker, targets, imp_maker_reg(maker, row.dest), row.term, row.dest);
    }
}

static void add_last(ImpMaker *maker, ImpTargets *targets, const FssaImpOptions *options) {
    for (uint32_t i = 0; i < options->last_count; i++) {
        Reg reg = options->last[i];
        if (reg.i == NO_ID || reg.i == maker->func->fssa->entry.i) continue;
        FssaTerm term = imp_maker_definition(maker, reg);
        if (term.i != NO_ID) add_target(maker, targets, imp_maker_reg(maker, reg), term, reg);
    }
}

// The chosen identifier, to be stored in RESULT.
static void add_chosen(ImpMaker *maker, ImpTargets *targets, uint32_t name, Reg result) {
    const Fssa *fssa = maker->func->fssa;
    for (uint32_t i = 0; i < fssa->terms.count; i++)
        if (fssa->terms.at[i].kind == FT_NAME && fssa->terms.at[i].reg.i == result.i) {
            add_target(maker, targets, name, (FssaTerm){i}, NO_REG);
            return;
        }
    FssaTerm term = imp_maker_definition(maker, result); // nobody mentions it
    if (term.i == NO_ID)
        imp_maker_refuse(maker, "the chosen identifier has no equation");
    else
        add_target(maker, targets, name, term, NO_REG);
}

ImpTargets imp_maker_targets(ImpMaker *maker, const FssaImpOptions *options, bool values) {
    const Fssa *fssa = maker->func->fssa;
    ImpTargets targets = {0};
    uint32_t before = maker->imp->names.count, count = 0;
    uint32_t name = imp_name(maker->imp, "RESULT", 6, SPAN_NONE);
    if (name < before) name = imp_maker_fresh(maker, "RESULT", &count);
    if (options->result.i != NO_ID) {
        add_chosen(maker, &targets, name, options->result);
        return targets;
    }
    bool has_state = fssa->state.i != NO_ID;
    bool constant = fssa->result.i == NO_ID || fssa_at(maker->func, fssa->result)->kind == FT_CONST;
    if (has_state && !values) add_target(maker, &targets, IMP_NONE, fssa->state, NO_REG);
    if (has_state && values)
        diag_warning(maker->diag, SPAN_NONE,
                     "%s: what it prints is left out: --exact has values only",
                     func_name(maker->func));
    if (options->last)
        add_last(maker, &targets, options);
    else if (!has_state && constant)
        add_unused(maker, &targets);
    if (fssa->result.i != NO_ID && !(constant && (targets.count || options->last)))
        add_target(maker, &targets, name, fssa->result, NO_REG);
    return targets;
}

uint32_t imp_maker_text(ImpMaker *maker, Out *text) {
    uint32_t expr = imp_expr(maker->imp, IMP_TEXT, 0, NULL, 0);
    maker->imp->exprs.at[expr].text = str_intern(&maker->imp->strings, text->text, text->length);
    out_free(text);
    return expr;
}

// An integer is a number; addresses and floats are text.
static uint32_t constant(ImpMaker *maker, const FssaTermNode *node) {
    if (node->op == OP_CONST_I64) return imp_number(maker->imp, node->imm);
    if (node->op == OP_CONST_I32)
        return imp_number(maker->imp, (int64_t)(uint64_t)(uint32_t)node->imm);
    Out text = {0};
    Instr instr = {.kind = I_OP,
                   .op = node->op,
                   .high = node->high,
                   .dest = NO_REG,
                   .ref = node->ref,
                   .imm = node->imm};
    out_char(&text, '(');
    instr_print(&text, maker->func, &instr);
    out_char(&text, ')');
    return imp_maker_text(maker, &text);
}

// A way of a switch, as comparisons: x == case, or, for the default, no case.
static uint32_t switch_case(ImpMaker *maker, const FssaTermNode *node, uint32_t value) {
    const FssaCases *list = &maker->func->fssa->cases.at[node->ref];
    const int64_t *cases = maker->func->case_pool.at + list->first;
    bool narrow = fssa_type(maker->func, fssa_args(maker->func, node)[0]) == TYPE_I32;
    uint32_t all = IMP_NONE;
    for (uint32_t i = 0; i < list->count; i++) {
        if (node->imm >= 0 && i != (uint64_t)node->imm) continue;
        int64_t number = narrow ? (int64_t)(uint64_t)(uint32_t)cases[i] : cases[i];
        uint32_t pair[] = {value, imp_number(maker->imp, number)};
        uint32_t one =
            imp_expr(maker->imp, IMP_OPERATOR, node->imm >= 0 ? OP_EQ_I64 : OP_NE_I64, pair, 2);
        all = all == IMP_NONE ? one : imp_expr(maker->imp, IMP_AND, 0, (uint32_t[]){all, one}, 2);
    }
    return all == IMP_NONE ? imp_number(maker->imp, 1) : all;
}

static uint32_t chain(ImpMaker *maker, ImpExprKind kind, const uint32_t *args, uint32_t count) {
    uint32_t all = args[0];
    for (uint32_t i = 1; i < count; i++)
        all = imp_expr(maker->imp, kind, 0, (uint32_t[]){all, args[i]}, 2);
    return all;
}

static uint32_t choice(ImpMaker *maker, const uint32_t *args, uint32_t count) {
    uint32_t chosen = imp_expr(maker->imp, IMP_UNDEF, 0, NULL, 0);
    for (uint32_t i = count; i >= 2; i -= 2)
        chosen =
            imp_expr(maker->imp, IMP_CHOICE, 0, (uint32_t[]){args[i - 2], args[i - 1], chosen}, 3);
    return chosen;
}

uint32_t imp_maker_expr(ImpMaker *maker, const FssaTermNode *node, const uint32_t *args) {
    Imp *imp = maker->imp;
    switch ((FssaTermKind)node->kind) {
    case FT_CONST: return constant(maker, node);
    case FT_OP: return imp_expr(imp, IMP_OPERATOR, node->op, args, node->arg_count);
    case FT_NOT: return imp_expr(imp, IMP_NOT, 0, args, 1);
    case FT_AND: return chain(maker, IMP_AND, args, node->arg_count);
    case FT_OR: return chain(maker, IMP_OR, args, node->arg_count);
    case FT_CASE: return switch_case(maker, node, args[0]);
    case FT_GAMMA: return choice(maker, args, node->arg_count);
    case FT_READ: {
        uint32_t element = imp_expr(imp, IMP_ELEMENT, 0, args + 1, 1);
        imp->exprs.at[element].name = args[0];
        return element;
    }
    case FT_UNDEF: return imp_expr(imp, IMP_UNDEF, 0, NULL, 0);
    default: // it has no statement where it is needed
        imp_maker_refuse(maker, "the result of an effect is needed where it has no place");
        return imp_expr(imp, IMP_UNDEF, 0, NULL, 0);
    }
}

Imp *imp_maker_finish(ImpMaker *maker) {
    Imp *imp = maker->imp;
    const Func *func = maker->func;
    for (uint32_t i = 0; i < func->params.count; i++) {
        uint32_t name = imp_maker_reg(maker, func->params.at[i]);
        imp->names.at[name].is_input = true;
        vec_push(imp->arena, &imp->inputs, name);
    }
    if (imp->first == IMP_NONE) imp->first = imp_add_stmt(imp, imp_stmt(IMP_SKIP));
    return imp;
}

Imp *fssa_to_imp(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options) {
    return (options->exact ? imp_exact : imp_clean)(arena, diag, func, options);
}
