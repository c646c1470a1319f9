#include "form/fssa.h"

#include "form/forms.h"

#include <string.h>

// ---- Functions

void fssa_start(Func *func) {
    func->form = FORM_FSSA;
    func->fssa = ARENA_NEW(func->arena, Fssa);
    func->fssa->entry = NO_REG;
    func->fssa->result = func->fssa->state = NO_FSSA_TERM;
}

Func *fssa_like(const Func *func, Arena *arena) {
    Func *like = func_like(func, arena);
    fssa_start(like);
    return like;
}

FssaLoop fssa_add_loop(Func *func, Str label, FssaLoop parent) {
    FssaLoop loop = {func->fssa->loops.count};
    FssaLoopInfo info = {
        .label = label, .parent = parent, .goes_on = NO_FSSA_TERM, .stuck = NO_FSSA_TERM};
    vec_push(func->arena, &func->fssa->loops, info);
    return loop;
}

void fssa_add_equation(Func *func, Reg dest, FssaTerm term) {
    vec_push(func->arena, &func->fssa->equations, (FssaEquation){.dest = dest, .term = term});
}

uint32_t fssa_add_cases(Func *func, const int64_t *values, uint32_t count) {
    FssaCases row = {.first = func_add_cases(func, values, count), .count = count};
    vec_push(func->arena, &func->fssa->cases, row);
    return func->fssa->cases.count - 1;
}

uint32_t *fssa_definitions(Arena *arena, const Func *func) {
    uint32_t *definitions = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) definitions[r] = NO_ID;
    for (uint32_t e = 0; e < func->fssa->equations.count; e++) {
        FssaEquation equation = func->fssa->equations.at[e];
        const FssaTermNode *term = fssa_at(func, equation.term);
        definitions[equation.dest.i] = e;
        if (term->kind != FT_EFFECT) continue;
        Reg result = func->nodes.at[term->ref].dest;
        if (result.i != NO_ID) definitions[result.i] = e;
    }
    return definitions;
}

// ---- Terms

FssaTerm fssa_add_term(Func *func, FssaTermNode node, const FssaTerm *args, uint32_t count) {
    Fssa *fssa = func->fssa;
    node.args_at = fssa->args.count;
    node.arg_count = count;
    if (count) memcpy(vec_extend(func->arena, &fssa->args, count), args, count * sizeof *args);
    vec_push(func->arena, &fssa->terms, node);
    return (FssaTerm){fssa->terms.count - 1};
}

static FssaTermNode blank(FssaTermKind kind, Type type) {
    return (FssaTermNode){
        .kind = (uint8_t)kind, .type = (uint8_t)type, .reg = NO_REG, .loop = NO_FSSA_LOOP};
}

FssaTerm fssa_constant(Func *func, Op op, uint16_t high, uint32_t ref, int64_t imm) {
    FssaTermNode node = blank(FT_CONST, op_info(op)->result);
    node.op = (uint16_t)op;
    node.high = high;
    node.ref = ref;
    node.imm = imm;
    return fssa_add_term(func, node, NULL, 0);
}

FssaTerm fssa_const(Func *func, Type type, int64_t value) {
    return fssa_constant(func, op_const(type), 0, 0, type == TYPE_I32 ? (int32_t)value : value);
}

FssaTerm fssa_name(Func *func, Reg reg) {
    FssaTermNode node = blank(FT_NAME, reg_type(func, reg));
    node.reg = reg;
    return fssa_add_term(func, node, NULL, 0);
}

FssaTerm fssa_undef(Func *func, Type type) {
    return fssa_add_term(func, blank(FT_UNDEF, type), NULL, 0);
}

FssaTerm fssa_op(Func *func, Op op, const FssaTerm *args, uint32_t count) {
    FssaTermNode node = blank(FT_OP, op_info(op)->result);
    node.op = (uint16_t)op;
    return fssa_add_term(func, node, args, count);
}

static FssaTerm of_loop(Func *func, FssaTermKind kind, FssaLoop loop, FssaTerm first,
                        FssaTerm second) {
    FssaTermNode node = blank(kind, fssa_type(func, second));
    node.loop = loop;
    return fssa_add_term(func, node, (FssaTerm[]){first, second}, 2);
}

FssaTerm fssa_loop(Func *func, FssaLoop loop, FssaTerm first, FssaTerm next) {
    return of_loop(func, FT_LOOP, loop, first, next);
}

FssaTerm fssa_close(Func *func, FssaLoop loop, FssaTerm condition, FssaTerm value) {
    return of_loop(func, FT_CLOSE, loop, condition, value);
}

FssaTerm fssa_gamma(Func *func, const FssaTerm *args, uint32_t count) {
    return fssa_add_term(func, blank(FT_GAMMA, fssa_type(func, args[1])), args, count);
}

FssaTerm fssa_not(Func *func, FssaTerm condition) {
    return fssa_add_term(func, blank(FT_NOT, TYPE_I32), &condition, 1);
}

FssaTerm fssa_and(Func *func, FssaTerm first, FssaTerm second) {
    return fssa_add_term(func, blank(FT_AND, TYPE_I32), (FssaTerm[]){first, second}, 2);
}

FssaTerm fssa_or(Func *func, FssaTerm first, FssaTerm second) {
    return fssa_add_term(func, blank(FT_OR, TYPE_I32), (FssaTerm[]){first, second}, 2);
}

FssaTerm fssa_case(Func *func, FssaTerm value, uint32_t cases, int64_t which) {
    FssaTermNode node = blank(FT_CASE, TYPE_I32);
    node.ref = cases;
    node.imm = which;
    return fssa_add_term(func, node, &value, 1);
}

FssaTerm fssa_stuck(Func *func, Type type, FssaTerm state, FssaTerm value) {
    return fssa_add_term(func, blank(FT_STUCK, type), (FssaTerm[]){state, value},
                         value.i == NO_ID ? 1 : 2);
}

FssaTerm fssa_array(Func *func) {
    return fssa_add_term(func, blank(FT_ARRAY, TYPE_VOID), NULL, 0);
}

FssaTerm fssa_read(Func *func, FssaTerm array, FssaTerm index) {
    return fssa_add_term(func, blank(FT_READ, TYPE_I64), (FssaTerm[]){array, index}, 2);
}

FssaTerm fssa_write(Func *func, FssaTerm array, FssaTerm index, FssaTerm value) {
    return fssa_add_term(func, blank(FT_WRITE, TYPE_VOID), (FssaTerm[]){array, index, value}, 3);
}

FssaTerm fssa_print_value(Func *func, FssaTerm state, FssaTerm value) {
    return fssa_add_term(func, blank(FT_PRINT, TYPE_VOID), (FssaTerm[]){state, value}, 2);
}

FssaTerm fssa_effect(Func *func, FssaTerm state, const Func *from, const Instr *instr) {
    FssaTermNode node = blank(FT_EFFECT, TYPE_VOID);
    node.ref = func_copy_instr(func, from, instr).i;
    func_set_succs(func, (Node){node.ref}, NULL, 0);
    return fssa_add_term(func, node, &state, 1);
}

// ---- What terms look like

static const char *const words[FSSA_TERM_KINDS] = {
    [FT_UNDEF] = "undef", [FT_GAMMA] = "gamma", [FT_NOT] = "not",     [FT_AND] = "and",
    [FT_OR] = "or",       [FT_STUCK] = "stuck", [FT_ARRAY] = "array", [FT_READ] = "read",
    [FT_WRITE] = "write", [FT_PRINT] = "print"};

const char *fssa_word(FssaTermKind kind) {
    return words[kind];
}

Type fssa_operand_type(const FssaTermNode *term, uint32_t k) {
    switch ((FssaTermKind)term->kind) {
    case FT_OP:
        return term->op < OP_COUNT && k < op_info(term->op)->arity ? op_info(term->op)->operand[k]
                                                                   : TYPE_COUNT;
    case FT_LOOP: return (Type)term->type;
    case FT_CLOSE: return k ? (Type)term->type : TYPE_I32;
    case FT_GAMMA: return k % 2 ? (Type)term->type : TYPE_I32;
    case FT_NOT:
    case FT_AND:
    case FT_OR: return TYPE_I32;
    case FT_READ:
    case FT_WRITE:
    case FT_PRINT: return k ? TYPE_I64 : TYPE_VOID;
    case FT_STUCK: return k ? TYPE_COUNT : TYPE_VOID;
    case FT_EFFECT: return TYPE_VOID;
    default: return TYPE_COUNT;
    }
}

bool fssa_takes(const FssaTermNode *term, uint32_t count) {
    switch ((FssaTermKind)term->kind) {
    case FT_CONST:
    case FT_NAME:
    case FT_UNDEF:
    case FT_ARRAY: return count == 0;
    case FT_OP: return count == op_info(term->op)->arity && count > 0;
    case FT_GAMMA: return count >= 2 && count % 2 == 0;
    case FT_AND:
    case FT_OR: return count >= 2;
    case FT_NOT:
    case FT_CASE:
    case FT_EFFECT: return count == 1;
    case FT_STUCK: return count == 1 || count == 2;
    case FT_LOOP:
    case FT_CLOSE:
    case FT_READ:
    case FT_PRINT: return count == 2;
    case FT_WRITE: return count == 3;
    case FSSA_TERM_KINDS: break;
    }
    return false;
}

// ---- As a body (forms.def)

uint64_t equations_size(const Func *func) {
    return func->fssa->equations.count;
}

#define COPY(to, from, field)                                                                      \
    ((from)->field.count                                                                           \
         ? (void)memcpy(vec_extend(arena, &(to)->field, (from)->field.count), (from)->field.at,    \
                        (from)->field.count * sizeof *(from)->field.at)                            \
         : (void)0)

void equations_copy(Func *to, const Func *from) {
    Arena *arena = to->arena;
    const Fssa *fssa = from->fssa;
    Fssa *copy = to->fssa = ARENA_NEW(arena, Fssa);
    copy->entry = fssa->entry;
    copy->result = fssa->result;
    copy->state = fssa->state;
    COPY(copy, fssa, terms);
    COPY(copy, fssa, args);
    COPY(copy, fssa, loops);
    COPY(copy, fssa, equations);
    COPY(copy, fssa, cases);
    COPY(to, from, nodes);
    COPY(to, from, reg_pool);
}

void equations_mentions(const Func *func, SymbolNote *note, void *context) {
    for (uint32_t i = 0; i < func->fssa->terms.count; i++) {
        const FssaTermNode *term = fssa_at(func, (FssaTerm){i});
        if (term->kind == FT_CONST && term->op == OP_ADDR_SYMBOL) note(context, (Sym){term->ref});
        if (term->kind != FT_EFFECT) continue;
        Sym symbol = instr_symbol(func_at(func, (Node){term->ref}));
        if (symbol.i != NO_ID) note(context, symbol);
    }
}

bool equations_is_final(const Func *func) {
    (void)func;
    return false;
}

// The site of an equation is its number.
void equations_site_print(Out *out, const Func *func, Site site) {
    (void)func;
    out_printf(out, "equation %u", site.i);
}
