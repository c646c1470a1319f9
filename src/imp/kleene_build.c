// K[[ ]]: a function for each identifier. The paper assumes that `loop` and `close` stand
// outermost; where they do not, they get functions of their own.
#include "imp/kleene.h"

#include "imp/imp_out.h"
#include "text/text.h"

typedef struct {
    Kleene *kleene;
    Arena *arena;
    const Func *func;
    ImpMaker maker;                                      // for names and definitions
    uint32_t *func_of_reg, *func_of_term, *expr_of_term; // NO_ID: not yet
    VEC(FssaTerm) lifted;                                // terms that got functions of their own
    uint32_t lifted_count;
} KleeneBuilder;

Kleene *kleene_new(Arena *arena, uint32_t loops) {
    Kleene *kleene = ARENA_NEW(arena, Kleene);
    kleene->arena = arena;
    kleene->loops = loops;
    str_init(&kleene->strings, arena);
    return kleene;
}

uint32_t kleene_add(Kleene *kleene, KleeneExpr expr, const uint32_t *args, uint32_t count) {
    expr.args_at = kleene->args.count;
    expr.arg_count = count;
    for (uint32_t i = 0; i < count; i++) vec_push(kleene->arena, &kleene->args, args[i]);
    vec_push(kleene->arena, &kleene->exprs, expr);
    return kleene->exprs.count - 1;
}

static uint32_t add_func(KleeneBuilder *b, const char *name) {
    KleeneFunc func = {.name = str_of(&b->kleene->strings, name), .first = NO_ID, .second = NO_ID};
    vec_push(b->kleene->arena, &b->kleene->funcs, func);
    return b->kleene->funcs.count - 1;
}

static bool is_phi(const FssaTermNode *node) {
    return node->kind == FT_LOOP || node->kind == FT_CLOSE;
}

// An integer is a number, everything else text.
static uint32_t constant(KleeneBuilder *b, const FssaTermNode *node) {
    if (node->op == OP_CONST_I64 || node->op == OP_CONST_I32) {
        int64_t value =
            node->op == OP_CONST_I64 ? node->imm : (int64_t)(uint64_t)(uint32_t)node->imm;
        return kleene_add(b->kleene, (KleeneExpr){.kind = KE_NUMBER, .value = value}, NULL, 0);
    }
    Instr instr = {.kind = I_OP,
                   .op = node->op,
                   .high = node->high,
                   .dest = NO_REG,
                   .ref = node->ref,
                   .imm = node->imm};
    Out text = {0};
    instr_print(&text, b->func, &instr);
    KleeneExpr expr = {.kind = KE_OPAQUE,
                       .ref = str_intern(&b->kleene->strings, text.text, text.length).i};
    out_free(&text);
    b->kleene->opaque = true;
    return kleene_add(b->kleene, expr, NULL, 0);
}

// x == case, or no case.
static uint32_t switch_case(KleeneBuilder *b, const FssaTermNode *node, uint32_t value) {
    const FssaCases *list = &b->func->fssa->cases.at[node->ref];
    const int64_t *cases = b->func->case_pool.at + list->first;
    bool narrow = fssa_type(b->func, fssa_args(b->func, node)[0]) == TYPE_I32;
    uint32_t *tests = ARENA_ARRAY(b->arena, uint32_t, list->count), count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (node->imm >= 0 && i != (uint64_t)node->imm) continue;
        KleeneExpr number = {.kind = KE_NUMBER};
        number.value = narrow ? (int64_t)(uint64_t)(uint32_t)cases[i] : cases[i];
        uint32_t pair[] = {value, kleene_add(b->kleene, number, NULL, 0)};
        KleeneExpr test = {.kind = KE_OP, .op = node->imm >= 0 ? OP_EQ_I64 : OP_NE_I64};
        tests[count++] = kleene_add(b->kleene, test, pair, 2);
    }
    if (count == 1) return tests[0];
    if (!count) return kleene_add(b->kleene, (KleeneExpr){.kind = KE_NUMBER, .value = 1}, NULL, 0);
    return kleene_add(b->kleene, (KleeneExpr){.kind = KE_AND}, tests, count);
}

// What C does: the state and the registers it reads are arguments.
static uint32_t effect(KleeneBuilder *b, const FssaTermNode *node, const uint32_t *args) {
    Instr instr = b->func->nodes.at[node->ref];
    Out text = {0};
    instr.dest = NO_REG;
    instr_print(&text, b->func, &instr);
    KleeneExpr expr = {.kind = KE_OPAQUE,
                       .ref = str_intern(&b->kleene->strings, text.text, text.length).i};
    out_free(&text);
    uint32_t count = instr.arg_count + 1, *all = ARENA_ARRAY(b->arena, uint32_t, count);
    all[0] = args[0];
    for (uint32_t i = 1; i < count; i++) {
        KleeneExpr call = {.kind = KE_CALL,
                           .ref = b->func_of_reg[instr_args(b->func, &instr)[i - 1].i]};
        all[i] = kleene_add(b->kleene, call, NULL, 0);
    }
    b->kleene->opaque = true;
    return kleene_add(b->kleene, expr, all, count);
}

static uint32_t make_expr(KleeneBuilder *b, const FssaTermNode *node, const uint32_t *args) {
    static const KleeneExprKind kinds[FSSA_TERM_KINDS] = {
        [FT_OP] = KE_OP,       [FT_NOT] = KE_NOT,     [FT_AND] = KE_AND,     [FT_OR] = KE_OR,
        [FT_GAMMA] = KE_GAMMA, [FT_ARRAY] = KE_ARRAY, [FT_READ] = KE_READ,   [FT_WRITE] = KE_WRITE,
        [FT_PRINT] = KE_PRINT, [FT_UNDEF] = KE_UNDEF, [FT_STUCK] = KE_UNDEF,
    };
    KleeneExpr expr = {.kind = (uint8_t)kinds[node->kind], .op = node->op};
    switch ((FssaTermKind)node->kind) {
    case FT_CONST: return constant(b, node);
    case FT_CASE: return switch_case(b, node, args[0]);
    case FT_EFFECT: return effect(b, node, args);
    case FT_NAME: expr.ref = b->func_of_reg[node->reg.i]; break;
    case FT_UNDEF:
    case FT_STUCK: return kleene_add(b->kleene, expr, NULL, 0);
    default: return kleene_add(b->kleene, expr, args, node->arg_count);
    }
    expr.kind = KE_CALL;
    return kleene_add(b->kleene, expr, NULL, 0);
}

// A call of the function that a `loop` or `close` inside of something else gets.
static uint32_t lift(KleeneBuilder *b, FssaTerm term) {
    uint32_t *func = &b->func_of_term[term.i];
    if (*func == NO_ID) {
        uint32_t name = imp_maker_fresh(&b->maker, "inner", &b->lifted_count);
        *func = add_func(b, imp_name_text(b->maker.imp, name));
        vec_push(b->arena, &b->lifted, term);
    }
    return kleene_add(b->kleene, (KleeneExpr){.kind = KE_CALL, .ref = *func}, NULL, 0);
}

// The expression of a term. Operands have smaller numbers than what they are operands of.
static uint32_t expr_of(KleeneBuilder *b, FssaTerm root) {
    VEC(FssaTerm) open = {0};
    vec_push(b->arena, &open, root);
    while (open.count) {
        FssaTerm term = open.at[open.count - 1];
        const FssaTermNode *node = fssa_at(b->func, term);
        const FssaTerm *operands = fssa_args(b->func, node);
        uint32_t before = open.count;
        if (b->expr_of_term[term.i] != NO_ID) {
            open.count--;
            continue;
        }
        if (!is_phi(node))
            for (uint32_t i = node->arg_count; i-- > 0;)
                if (b->expr_of_term[operands[i].i] == NO_ID) vec_push(b->arena, &open, operands[i]);
        if (open.count > before) continue;
        uint32_t *args = ARENA_ARRAY(b->arena, uint32_t, node->arg_count);
        for (uint32_t i = 0; !is_phi(node) && i < node->arg_count; i++)
            args[i] = b->expr_of_term[operands[i].i];
        b->expr_of_term[term.i] = is_phi(node) ? lift(b, term) : make_expr(b, node, args);
        open.count--;
    }
    return b->expr_of_term[root.i];
}

static void define(KleeneBuilder *b, uint32_t func, FssaTerm term) {
    const FssaTermNode *node = fssa_at(b->func, term);
    KleeneFunc made = b->kleene->funcs.at[func];
    if (is_phi(node)) {
        made.kind = node->kind == FT_LOOP ? KF_LOOP : KF_CLOSE;
        made.loop = node->loop.i;
        made.first = expr_of(b, fssa_args(b->func, node)[0]);
        made.second = expr_of(b, fssa_args(b->func, node)[1]);
    } else {
        made.second = expr_of(b, term);
    }
    b->kleene->funcs.at[func] = made;
}

// What has no equation: parameters, the first state, results of effects.
static void define_given(KleeneBuilder *b, Reg reg) {
    const Func *func = b->func;
    KleeneExpr expr = {.kind = KE_UNDEF};
    uint32_t equation = b->maker.definitions[reg.i], made = b->func_of_reg[reg.i];
    if (equation != NO_ID) { // the result of an effect is what its state brings
        FssaEquation row = func->fssa->equations.at[equation];
        expr = (KleeneExpr){.kind = KE_OPAQUE, .ref = str_of(&b->kleene->strings, "result").i};
        KleeneExpr call = {.kind = KE_CALL, .ref = b->func_of_reg[row.dest.i]};
        uint32_t arg = kleene_add(b->kleene, call, NULL, 0);
        b->kleene->funcs.at[made].second = kleene_add(b->kleene, expr, &arg, 1);
        return;
    }
    if (reg.i == func->fssa->entry.i) expr.kind = KE_START;
    for (uint32_t i = 0; i < func->params.count; i++)
        if (func->params.at[i].i == reg.i) expr = (KleeneExpr){.kind = KE_INPUT, .ref = i};
    b->kleene->funcs.at[made].second = kleene_add(b->kleene, expr, NULL, 0);
}

static void add_target(KleeneBuilder *b, const char *name, FssaTerm term, Reg reg, bool is_output) {
    KleeneTarget target = {.name = str_of(&b->kleene->strings, name), .is_output = is_output};
    KleeneExpr call = {.kind = KE_CALL, .ref = reg.i == NO_ID ? NO_ID : b->func_of_reg[reg.i]};
    target.expr = reg.i == NO_ID ? expr_of(b, term) : kleene_add(b->kleene, call, NULL, 0);
    vec_push(b->kleene->arena, &b->kleene->targets, target);
}

static void add_targets(KleeneBuilder *b, const FssaImpOptions *options) {
    const Fssa *fssa = b->func->fssa;
    bool prints = false;
    for (uint32_t i = 0; i < fssa->terms.count; i++) prints |= fssa->terms.at[i].kind == FT_PRINT;
    if (options->result.i == NO_ID && prints && fssa->state.i != NO_ID) {
        add_target(b, "output", fssa->state, NO_REG, true);
        return;
    }
    if (options->result.i != NO_ID) {
        add_target(b, "RESULT", NO_FSSA_TERM, options->result, false);
        return;
    }
    ImpTargets targets = imp_maker_targets(&b->maker, options, false);
    for (uint32_t i = 0; i < targets.count; i++)
        if (targets.at[i].name != IMP_NONE && fssa_type(b->func, targets.at[i].term) != TYPE_VOID)
            add_target(b, imp_name_text(b->maker.imp, targets.at[i].name), targets.at[i].term,
                       targets.at[i].reg, false);
}

// Registers that equations, terms or the header speak of, in their order.
static void add_functions(KleeneBuilder *b) {
    const Func *func = b->func;
    for (uint32_t i = 0; i < func->regs.count; i++)
        b->func_of_reg[i] =
            add_func(b, imp_name_text(b->maker.imp, imp_maker_reg(&b->maker, (Reg){i})));
    for (uint32_t i = 0; i < func->params.count; i++)
        vec_push(b->kleene->arena, &b->kleene->inputs, b->func_of_reg[func->params.at[i].i]);
}

static uint32_t *no_ids(Arena *arena, uint32_t count) {
    uint32_t *list = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) list[i] = NO_ID;
    return list;
}

Kleene *kleene_of_fssa(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options) {
    KleeneBuilder b = {.arena = arena_new("kleene"), .func = func};
    const Fssa *fssa = func->fssa;
    b.kleene = kleene_new(arena, fssa->loops.count);
    imp_maker_init(&b.maker, b.arena, b.arena, diag, func);
    b.func_of_reg = no_ids(b.arena, func->regs.count);
    b.func_of_term = no_ids(b.arena, fssa->terms.count);
    b.expr_of_term = no_ids(b.arena, fssa->terms.count);
    add_functions(&b);
    for (uint32_t i = 0; i < fssa->equations.count; i++)
        define(&b, b.func_of_reg[fssa->equations.at[i].dest.i], fssa->equations.at[i].term);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (b.kleene->funcs.at[i].second == NO_ID) define_given(&b, (Reg){i});
    add_targets(&b, options);
    for (uint32_t i = 0; i < b.lifted.count; i++)
        define(&b, b.func_of_term[b.lifted.at[i].i], b.lifted.at[i]);
    arena_free(b.arena);
    return b.kleene;
}
