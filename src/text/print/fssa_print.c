// The printer of functional SSA: loops, lists of cases, a line for each equation, and the ends. It
// works for functions that break rules, too: a reference that cannot be followed is printed as "?".
#include "text/print/fssa_print.h"

#include "text/print/print_forms.h"
#include "text/print/print_parts.h"

// ---- Terms

static void print_loop_label(Out *out, const Func *func, FssaLoop loop) {
    bool known = loop.i < func->fssa->loops.count &&
                 func->fssa->loops.at[loop.i].label.i < func->program->strings.entries.count;
    out_text(out, known ? fssa_loop_label(func, loop) : "?");
}

// An integer stands alone where its type is known; other constants are written as instructions are.
static void print_constant(Out *out, const Func *func, const FssaTermNode *term, Type expected) {
    bool plain = term->op < OP_COUNT && op_family(term->op) == FAM_CONST &&
                 (term->type == TYPE_I32 || term->type == TYPE_I64);
    Instr instr = fssa_constant_instr(term);
    if (plain && term->type == expected)
        print_integer(out, expected, term->imm);
    else
        instr_print(out, func, &instr);
}

static void print_case(Out *out, const Func *func, const FssaTermNode *term) {
    const Fssa *fssa = func->fssa;
    bool known = term->ref < fssa->cases.count && term->imm >= 0 &&
                 (uint64_t)term->imm < fssa->cases.at[term->ref].count;
    out_text(out, "case ");
    if (known)
        out_i64(out, func->case_pool.at[fssa->cases.at[term->ref].first + (uint32_t)term->imm]);
    else
        out_text(out, term->imm == -1 ? "default" : "?");
    out_printf(out, " of %u", term->ref);
}

// What stands before the operands; true if there are operands, in parentheses.
static bool print_head(Out *out, const Func *func, const FssaTermNode *term, Type expected) {
    switch ((FssaTermKind)term->kind) {
    case FT_CONST: return print_constant(out, func, term, expected), false;
    case FT_NAME: return reg_print(out, func, term->reg), false;
    case FT_OP: out_text(out, term->op < OP_COUNT ? op_info(term->op)->name : "?"); break;
    case FT_LOOP:
    case FT_CLOSE:
        out_text(out, term->kind == FT_LOOP ? "loop " : "close ");
        print_loop_label(out, func, term->loop);
        out_char(out, ' ');
        break;
    case FT_CASE:
        print_case(out, func, term);
        out_char(out, ' ');
        break;
    case FT_EFFECT: out_text(out, "after "); return true;
    default: out_text(out, term->kind < FSSA_TERM_KINDS ? fssa_word(term->kind) : "?");
    }
    return term->arg_count;
}

// A term that has been begun, and how many of its operands have been printed.
typedef struct {
    FssaTerm term;
    uint32_t done;
    Type expected;
} OpenTerm;

static bool is_readable(const Func *func, FssaTerm term) {
    const Fssa *fssa = func->fssa;
    return term.i < fssa->terms.count && fssa->terms.at[term.i].arg_count <= fssa->args.count &&
           fssa->terms.at[term.i].args_at <= fssa->args.count - fssa->terms.at[term.i].arg_count;
}

// Whether it has operands, which are to follow.
static bool open_term(Out *out, const Func *func, OpenTerm open) {
    if (!is_readable(func, open.term)) {
        out_char(out, '?');
        return false;
    }
    const FssaTermNode *node = fssa_at(func, open.term);
    if (!print_head(out, func, node, open.expected)) return false;
    if (node->kind != FT_EFFECT) out_char(out, '(');
    return true;
}

static void close_term(Out *out, const Func *func, const FssaTermNode *node) {
    if (node->kind != FT_EFFECT) {
        out_char(out, ')');
        return;
    }
    out_text(out, ": ");
    if (node->ref >= func->nodes.count) {
        out_char(out, '?');
        return;
    }
    const Instr *instr = &func->nodes.at[node->ref];
    instr_print(out, func, instr);
}

// Operands whose numbers do not descend could go round and round.
static bool is_below(const Func *func, const OpenTerm *open, FssaTerm *operand) {
    const FssaTermNode *node = fssa_at(func, open->term);
    *operand = fssa_args(func, node)[open->done];
    return operand->i < open->term.i;
}

void fssa_term_print(Out *out, const Func *func, FssaTerm term, Type expected) {
    Arena *scratch = arena_new("a term in print");
    VEC(OpenTerm) stack = {0};
    OpenTerm first = {.term = term, .expected = expected};
    if (open_term(out, func, first)) vec_push(scratch, &stack, first);
    while (stack.count) {
        OpenTerm *top = &stack.at[stack.count - 1];
        const FssaTermNode *node = fssa_at(func, top->term);
        FssaTerm operand;
        if (top->done == node->arg_count) {
            close_term(out, func, node);
            stack.count--;
            continue;
        }
        if (top->done) out_text(out, node->kind == FT_GAMMA && top->done % 2 ? ": " : ", ");
        bool below = is_below(func, top, &operand);
        OpenTerm next = {.term = below ? operand : NO_FSSA_TERM,
                         .expected = fssa_operand_type(node, top->done++)};
        if (open_term(out, func, next)) vec_push(scratch, &stack, next);
    }
    arena_free(scratch);
}

// ---- Lines

void fssa_equation_print(Out *out, const Func *func, uint32_t equation) {
    FssaEquation row = func->fssa->equations.at[equation];
    Type type = row.dest.i < func->regs.count ? reg_type(func, row.dest) : TYPE_COUNT;
    if (type != TYPE_VOID) {
        out_text(out, type < TYPE_COUNT ? type_name(type) : "?");
        out_char(out, ' ');
    }
    reg_print(out, func, row.dest);
    out_text(out, " = ");
    fssa_term_print(out, func, row.term, type);
}

static void print_loops(Out *out, const Func *func) {
    for (uint32_t i = 0; i < func->fssa->loops.count; i++) {
        FssaLoop parent = func->fssa->loops.at[i].parent;
        out_text(out, "  loop ");
        print_loop_label(out, func, (FssaLoop){i});
        if (parent.i != NO_ID) {
            out_text(out, " in ");
            print_loop_label(out, func, parent);
        }
        out_char(out, '\n');
    }
}

static void print_case_lists(Out *out, const Func *func) {
    for (uint32_t i = 0; i < func->fssa->cases.count; i++) {
        FssaCases row = func->fssa->cases.at[i];
        out_printf(out, "  cases %u:", i);
        for (uint32_t k = 0; k < row.count; k++) {
            out_text(out, k ? ", " : " ");
            if ((uint64_t)row.first + k < func->case_pool.count)
                out_i64(out, func->case_pool.at[row.first + k]);
            else
                out_char(out, '?');
        }
        out_char(out, '\n');
    }
}

static Type result_type(const Func *func) {
    const Program *program = func->program;
    if (func->sig.i >= program->sigs.count) return TYPE_COUNT;
    PType result = program_sig_info(program, func->sig)->result;
    return result.i < program->ptypes.count ? ptype_reg_type(program_ptype_info(program, result))
                                            : TYPE_COUNT;
}

static void print_end(Out *out, const Func *func, const char *word, FssaTerm term, Type type) {
    if (term.i == NO_ID) return;
    out_printf(out, "  %s ", word);
    fssa_term_print(out, func, term, type);
    out_char(out, '\n');
}

// When loops go on.
static void print_nexts(Out *out, const Func *func) {
    for (uint32_t i = 0; i < func->fssa->loops.count; i++) {
        FssaLoopInfo loop = func->fssa->loops.at[i];
        if (loop.goes_on.i == NO_ID && loop.stuck.i == NO_ID) continue;
        out_text(out, "  next ");
        print_loop_label(out, func, (FssaLoop){i});
        out_text(out, ": ");
        fssa_term_print(out, func, loop.goes_on, TYPE_I32);
        out_text(out, " else ");
        fssa_term_print(out, func, loop.stuck, TYPE_VOID);
        out_char(out, '\n');
    }
}

static void print_location_of(Out *out, const Func *func, FssaTerm term) {
    if (!is_readable(func, term)) return;
    const FssaTermNode *node = fssa_at(func, term);
    if (node->kind == FT_EFFECT && node->ref < func->nodes.count)
        print_location(out, func->program, func->nodes.at[node->ref].loc);
}

void fssa_print_lines(Out *out, const Func *func, const PrintOptions *options) {
    const Fssa *fssa = func->fssa;
    print_loops(out, func);
    print_case_lists(out, func);
    if (fssa->entry.i != NO_ID) {
        out_text(out, "  entry ");
        reg_print(out, func, fssa->entry);
        out_char(out, '\n');
    }
    for (uint32_t i = 0; i < fssa->equations.count; i++) {
        out_text(out, "  ");
        fssa_equation_print(out, func, i);
        if (options->locations) print_location_of(out, func, fssa->equations.at[i].term);
        out_char(out, '\n');
    }
    print_nexts(out, func);
    print_end(out, func, "result", fssa->result, result_type(func));
    print_end(out, func, "state", fssa->state, TYPE_VOID);
}

void fssa_print(Out *out, const Func *func, const PrintOptions *options) {
    func_header_print(out, func);
    out_text(out, " {\n");
    func_print_slots(out, func, 0);
    fssa_print_lines(out, func, options);
    out_text(out, "}\n");
}

void equations_quote(Out *out, const Func *func, Site site) {
    if (site.i < func->fssa->equations.count)
        fssa_equation_print(out, func, site.i);
    else
        out_char(out, '?');
}
