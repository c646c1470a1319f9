// The rules of functional SSA:
//
//   loop         labels differ; the loop around a loop has a smaller number
//   cases        lists of cases ascend
//   term         terms have as many operands as their kind takes, made before them; what they
//                mention exists
//   operand-type operands have the types that are expected
//   effect       an instruction that hands on the state is the right side of one equation, and has
//                an effect or may go wrong
//   definition   each identifier that is read has one definition: an equation, or the caller
//   equation     both sides have the same type
//   end          the result and the state have the types that the function says
//   acyclic      no identifier depends on itself but by the second argument of a `loop`
//   nesting      what belongs to a loop is read outside of it only by a `close`
#include "form/fssa.h"
#include "verify/verify_rules.h"

#include "fact/effects.h"

// ---- Loops and cases

static void rule_loop(Verifier *v, Map *labels, uint32_t i) {
    const Fssa *fssa = v->func->fssa;
    FssaLoopInfo loop = fssa->loops.at[i];
    if (!verify_str_in_range(v->program, loop.label))
        complain(v, "loop", "loop %u: expected a label; found none", i);
    else if (map_get(labels, loop.label.i) != HASH_NONE)
        complain(v, "loop", "expected labels that differ; found %s twice",
                 program_text(v->program, loop.label));
    map_set(v->scratch, labels, loop.label.i, i);
    if (loop.parent.i != NO_ID && loop.parent.i >= i)
        complain(v, "loop", "loop %u: expected the loop around it to come before it; found %u", i,
                 loop.parent.i);
}

static bool rule_cases(Verifier *v, uint32_t i) {
    FssaCases list = v->func->fssa->cases.at[i];
    uint64_t end = (uint64_t)list.first + list.count;
    if (end > v->func->case_pool.count) {
        complain(v, "cases", "list %u: expected values in the pool; found %u at %u", i, list.count,
                 list.first);
        return false;
    }
    for (uint32_t k = 1; k < list.count; k++)
        if (v->func->case_pool.at[list.first + k] <= v->func->case_pool.at[list.first + k - 1])
            complain(v, "cases", "list %u: expected values in ascending order; found others", i);
    return true;
}

// ---- Terms

static const char *term_name(const FssaTermNode *term) {
    if (term->kind == FT_LOOP || term->kind == FT_CLOSE)
        return term->kind == FT_LOOP ? "loop" : "close";
    if (term->kind == FT_OP || term->kind == FT_CONST) return op_info(term->op)->name;
    const char *word = fssa_word(term->kind);
    return word ? word : term->kind == FT_CASE ? "case" : term->kind == FT_NAME ? "name" : "after";
}

static bool rule_term_kind(Verifier *v, uint32_t i) {
    const FssaTermNode *term = &v->func->fssa->terms.at[i];
    bool has_op = term->kind == FT_CONST || term->kind == FT_OP;
    if (term->kind >= FSSA_TERM_KINDS || term->type >= TYPE_COUNT) {
        complain(v, "term", "term %u: expected a kind and a type; found %u and %u", i, term->kind,
                 term->type);
        return false;
    }
    if (has_op && (term->op >= OP_COUNT || (term->kind == FT_CONST) != !op_info(term->op)->arity)) {
        complain(v, "term", "term %u: expected an operator %s operands; found %u", i,
                 term->kind == FT_OP ? "with" : "without", term->op);
        return false;
    }
    if (has_op && op_info(term->op)->result != (Type)term->type)
        complain(v, "operand-type", "expected %s to yield %s; found %s", term_name(term),
                 type_name(op_info(term->op)->result), type_name((Type)term->type));
    return true;
}

static bool rule_term_operands(Verifier *v, uint32_t i) {
    const Fssa *fssa = v->func->fssa;
    const FssaTermNode *term = &fssa->terms.at[i];
    if ((uint64_t)term->args_at + term->arg_count > fssa->args.count ||
        !fssa_takes(term, term->arg_count)) {
        complain(v, "term", "term %u: expected as many operands as %s takes; found %u", i,
                 term_name(term), term->arg_count);
        return false;
    }
    for (uint32_t k = 0; k < term->arg_count; k++) {
        if (fssa->args.at[term->args_at + k].i < i) continue;
        complain(v, "term", "term %u: expected operands before it; found %u", i,
                 fssa->args.at[term->args_at + k].i);
        return false;
    }
    return true;
}

static bool constant_is_good(const Verifier *v, const FssaTermNode *term) {
    switch ((Op)term->op) {
    case OP_ADDR_SYMBOL: return term->ref < v->program->symbols.count && !term->high;
    case OP_ADDR_SLOT: return term->ref < v->func->slots.count && !term->high;
    case OP_CONST_F80: return !term->ref;
    case OP_CONST_I32: return term->imm == (int32_t)term->imm && !term->ref && !term->high;
    default: return !term->ref && !term->high;
    }
}

// The references of a term beside its operands.
static bool mention_is_good(const Verifier *v, const FssaTermNode *term) {
    const Fssa *fssa = v->func->fssa;
    switch ((FssaTermKind)term->kind) {
    case FT_CONST: return constant_is_good(v, term);
    case FT_NAME: return term->reg.i < v->func->regs.count;
    case FT_LOOP:
    case FT_CLOSE: return term->loop.i < fssa->loops.count;
    case FT_CASE:
        return term->ref < fssa->cases.count && term->imm >= -1 &&
               term->imm < (int64_t)fssa->cases.at[term->ref].count;
    case FT_EFFECT: return term->ref < v->func->nodes.count;
    default: return true;
    }
}

static bool rule_mention(Verifier *v, uint32_t i) {
    const FssaTermNode *term = &v->func->fssa->terms.at[i];
    if (mention_is_good(v, term)) return true;
    complain(v, "term", "term %u: expected %s to mention what there is; found something else", i,
             term_name(term));
    return false;
}

static const char *shown_type(Type type) {
    return type == TYPE_VOID ? "a value without bits" : type_name(type);
}

static void rule_operand_type(Verifier *v, const FssaTermNode *term) {
    for (uint32_t k = 0; k < term->arg_count; k++) {
        Type type = fssa_type(v->func, fssa_args(v->func, term)[k]);
        Type expected = fssa_operand_type(term, k);
        bool integer = type == TYPE_I32 || type == TYPE_I64;
        if (expected == TYPE_COUNT ? !integer : type != expected)
            complain(v, "operand-type", "expected operand %u of %s to be %s; found %s", k + 1,
                     term_name(term), expected == TYPE_COUNT ? "i32 or i64" : shown_type(expected),
                     shown_type(type));
    }
}

// A term whose kind does not leave its type open.
static void rule_own_type(Verifier *v, const FssaTermNode *term) {
    Type type = (Type)term->type, expected = type;
    if (term->kind == FT_NAME) expected = reg_type(v->func, term->reg);
    if (term->kind == FT_NOT || term->kind == FT_AND || term->kind == FT_OR ||
        term->kind == FT_CASE)
        expected = TYPE_I32;
    if (term->kind == FT_READ) expected = TYPE_I64;
    if (term->kind == FT_WRITE || term->kind == FT_PRINT || term->kind == FT_ARRAY ||
        term->kind == FT_EFFECT)
        expected = TYPE_VOID;
    if (type != expected)
        complain(v, "operand-type", "expected %s to be %s; found %s", term_name(term),
                 shown_type(expected), shown_type(type));
}

// Of each term, an equation of whose right side it is part, or no site.
static Site *sites_of_terms(const Verifier *v) {
    const Fssa *fssa = v->func->fssa;
    Site *sites = ARENA_ARRAY(v->scratch, Site, fssa->terms.count);
    for (uint32_t i = 0; i < fssa->terms.count; i++) sites[i] = NO_SITE;
    for (uint32_t e = 0; e < fssa->equations.count; e++)
        sites[fssa->equations.at[e].term.i] = (Site){e};
    for (uint32_t i = fssa->terms.count; i-- > 0;)
        for (uint32_t k = 0; k < fssa->terms.at[i].arg_count; k++) {
            Site *operand = &sites[fssa_args(v->func, &fssa->terms.at[i])[k].i];
            if (operand->i == NO_ID) *operand = sites[i];
        }
    return sites;
}

static bool rules_of_terms(Verifier *v) {
    const Fssa *fssa = v->func->fssa;
    bool good = true;
    for (uint32_t i = 0; i < fssa->terms.count; i++)
        good &= rule_term_kind(v, i) && rule_term_operands(v, i) && rule_mention(v, i);
    return good;
}

static void rules_of_types(Verifier *v) {
    const Fssa *fssa = v->func->fssa;
    const Site *sites = sites_of_terms(v);
    for (uint32_t i = 0; i < fssa->terms.count; i++) {
        v->site = sites[i];
        rule_own_type(v, &fssa->terms.at[i]);
        rule_operand_type(v, &fssa->terms.at[i]);
    }
    v->site = NO_SITE;
}

// ---- Effects

static void rule_effect(Verifier *v, uint32_t node) {
    const Instr *instr = func_at(v->func, (Node){node});
    verify_instr_rules(v, instr, false);
    if (!verify_is_clean(v)) return;
    if (instr->succ_count)
        complain(v, "effect", "expected no successors; found %u", instr->succ_count);
    else if (instr_is_branch(instr) || instr->kind == I_RETURN || !instr_effects(instr))
        complain(v, "effect", "expected an instruction that needs the state; found another");
}

// Each instruction belongs to one term, and each such term is the right side of one equation.
static bool rules_of_effects(Verifier *v) {
    const Func *func = v->func;
    const Fssa *fssa = func->fssa;
    Bits claimed = bits_new(v->scratch, func->nodes.count),
         stands = bits_new(v->scratch, fssa->terms.count);
    v->reg_pool_taken = bits_new(v->scratch, func->reg_pool.count);
    v->node_pool_taken = bits_new(v->scratch, func->node_pool.count);
    v->case_pool_taken = bits_new(v->scratch, func->case_pool.count);
    for (uint32_t e = 0; e < fssa->equations.count; e++) {
        uint32_t term = fssa->equations.at[e].term.i;
        const FssaTermNode *node = &fssa->terms.at[term];
        v->site = (Site){e};
        if (node->kind != FT_EFFECT) continue;
        if (!bits_put(&stands, term) || !bits_put(&claimed, node->ref))
            complain(v, "effect", "expected each instruction to stand in one equation; found two");
        else
            rule_effect(v, node->ref);
    }
    v->site = NO_SITE;
    for (uint32_t i = 0; i < fssa->terms.count; i++)
        if (fssa->terms.at[i].kind == FT_EFFECT && !bits_has(&stands, i))
            complain(v, "effect",
                     "expected an instruction as the right side of an equation; found one inside");
    return verify_is_clean(v);
}

// ---- Definitions

static void rule_defined_once(Verifier *v, Bits *defined, Reg reg) {
    if (!bits_put(defined, reg.i))
        complain(v, "definition", "expected one definition of %s; found two",
                 verify_reg_text(v, reg));
}

static void rule_equation(Verifier *v, FssaEquation equation) {
    Type type = reg_type(v->func, equation.dest), found = fssa_type(v->func, equation.term);
    if (type != found)
        complain(v, "equation", "expected %s, which is %s, to be defined by that; found %s",
                 verify_reg_text(v, equation.dest), shown_type(type), shown_type(found));
}

static bool equations_in_range(Verifier *v) {
    const Fssa *fssa = v->func->fssa;
    bool good = true;
    for (uint32_t e = 0; e < fssa->equations.count; e++) {
        FssaEquation equation = fssa->equations.at[e];
        if (equation.dest.i < v->func->regs.count && equation.term.i < fssa->terms.count) continue;
        complain(v, "equation", "equation %u: expected a register and a term; found %u and %u", e,
                 equation.dest.i, equation.term.i);
        good = false;
    }
    if (fssa->entry.i != NO_ID && fssa->entry.i >= v->func->regs.count) {
        complain(v, "definition", "expected a register for the first state; found %u",
                 fssa->entry.i);
        good = false;
    }
    return good;
}

static Bits rules_of_equations(Verifier *v) {
    const Func *func = v->func;
    const Fssa *fssa = func->fssa;
    Bits defined = bits_new(v->scratch, func->regs.count);
    for (uint32_t i = 0; i < func->params.count; i++) bits_add(&defined, func->params.at[i].i);
    if (fssa->entry.i != NO_ID) rule_defined_once(v, &defined, fssa->entry);
    for (uint32_t e = 0; e < fssa->equations.count; e++) {
        FssaEquation equation = fssa->equations.at[e];
        const FssaTermNode *term = fssa_at(func, equation.term);
        Reg result = term->kind == FT_EFFECT ? func->nodes.at[term->ref].dest : NO_REG;
        v->site = (Site){e};
        rule_equation(v, equation);
        rule_defined_once(v, &defined, equation.dest);
        if (result.i != NO_ID) rule_defined_once(v, &defined, result);
    }
    v->site = NO_SITE;
    return defined;
}

static void rule_read(Verifier *v, Bits *defined, Reg reg) {
    if (bits_put(defined, reg.i))
        complain(v, "definition", "expected a definition of %s, which is read; found none",
                 verify_reg_text(v, reg));
}

static void rules_of_reads(Verifier *v, Bits *defined) {
    const Func *func = v->func;
    for (uint32_t i = 0; i < func->fssa->terms.count; i++)
        if (func->fssa->terms.at[i].kind == FT_NAME)
            rule_read(v, defined, func->fssa->terms.at[i].reg);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t k = 0; k < func->nodes.at[n].arg_count; k++)
            rule_read(v, defined, instr_args(func, &func->nodes.at[n])[k]);
}

// ---- Ends

static void rule_end(Verifier *v, const char *what, FssaTerm end, Type type) {
    if (end.i == NO_ID) return;
    if (end.i >= v->func->fssa->terms.count)
        complain(v, "end", "expected a term for the %s; found %u", what, end.i);
    else if (fssa_type(v->func, end) != type)
        complain(v, "end", "expected the %s to be %s; found %s", what, shown_type(type),
                 shown_type(fssa_type(v->func, end)));
}

// A function need not have a result: if no way leads to a return.
static void rules_of_ends(Verifier *v) {
    const Func *func = v->func;
    const ParamType *result =
        program_ptype_info(v->program, program_sig_info(v->program, func->sig)->result);
    if (ptype_reg_type(result) == TYPE_VOID && func->fssa->result.i != NO_ID)
        complain(v, "end", "expected no result of a function that has none; found one");
    else
        rule_end(v, "result", func->fssa->result, ptype_reg_type(result));
    rule_end(v, "state", func->fssa->state, TYPE_VOID);
    for (uint32_t i = 0; i < func->fssa->loops.count; i++) {
        rule_end(v, "condition to go on", func->fssa->loops.at[i].goes_on, TYPE_I32);
        rule_end(v, "state of being stuck", func->fssa->loops.at[i].stuck, TYPE_VOID);
    }
}

// ---- Cycles and nesting

static const char *region_name(const Verifier *v, uint32_t region) {
    return region ? fssa_loop_label(v->func, (FssaLoop){region - 1}) : "0";
}

static void rule_nested(Verifier *v, const FssaRegions *regions, FssaTerm read, uint32_t from) {
    if (read.i == NO_ID || fssa_region_contains(v->func, regions->of[read.i], from)) return;
    complain(v, "nesting",
             "expected what belongs to loop %s to be read in that loop; found it %s%s",
             region_name(v, regions->of[read.i]), from ? "in loop " : "outside of all loops",
             from ? region_name(v, from) : "");
}

// Where an operand of a term is read: the first argument of a `loop` outside of the loop.
static uint32_t reading_region(const Func *func, const FssaRegions *regions, uint32_t term,
                               uint32_t k) {
    const FssaTermNode *node = &func->fssa->terms.at[term];
    if (node->kind != FT_LOOP && node->kind != FT_CLOSE) return regions->of[term];
    if (node->kind == FT_CLOSE || k == 1) return node->loop.i + 1;
    FssaLoop around = func->fssa->loops.at[node->loop.i].parent;
    return around.i == NO_ID ? 0 : around.i + 1;
}

static void rule_nested_effect(Verifier *v, const FssaRegions *regions, const uint32_t *definitions,
                               uint32_t term) {
    const Func *func = v->func;
    const Instr *instr = func_at(func, (Node){func->fssa->terms.at[term].ref});
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        uint32_t equation = definitions[instr_args(func, instr)[k].i];
        if (equation != NO_ID)
            rule_nested(v, regions, func->fssa->equations.at[equation].term, regions->of[term]);
    }
}

static void rules_of_nesting(Verifier *v, const FssaRegions *regions) {
    const Func *func = v->func;
    const Fssa *fssa = func->fssa;
    const uint32_t *definitions = fssa_definitions(v->scratch, func);
    const Site *sites = sites_of_terms(v);
    for (uint32_t i = 0; i < fssa->terms.count; i++) {
        const FssaTermNode *term = &fssa->terms.at[i];
        v->site = sites[i];
        for (uint32_t k = 0; k < term->arg_count; k++)
            rule_nested(v, regions, fssa_args(func, term)[k], reading_region(func, regions, i, k));
        if (term->kind == FT_EFFECT) rule_nested_effect(v, regions, definitions, i);
    }
    v->site = NO_SITE;
    rule_nested(v, regions, fssa->result, 0);
    rule_nested(v, regions, fssa->state, 0);
    for (uint32_t i = 0; i < fssa->loops.count; i++) {
        rule_nested(v, regions, fssa->loops.at[i].goes_on, i + 1);
        rule_nested(v, regions, fssa->loops.at[i].stuck, i + 1);
    }
}

// Some identifier on the cycle.
static void rule_acyclic(Verifier *v, const FssaRegions *regions) {
    const Fssa *fssa = v->func->fssa;
    if (regions->cycle.i == NO_ID) return;
    const FssaTermNode *term = fssa_at(v->func, regions->cycle);
    Reg reg = term->kind == FT_NAME ? term->reg : NO_REG;
    for (uint32_t e = 0; reg.i == NO_ID && e < fssa->equations.count; e++)
        if (fssa->equations.at[e].term.i == regions->cycle.i) reg = fssa->equations.at[e].dest;
    complain(
        v, "acyclic",
        "expected no identifier to depend on itself but by the second argument of a loop; found %s",
        reg.i == NO_ID ? "one" : verify_reg_text(v, reg));
}

void fssa_verify(Verifier *v) {
    const Fssa *fssa = v->func->fssa;
    Map labels = {0};
    for (uint32_t i = 0; i < fssa->loops.count; i++) rule_loop(v, &labels, i);
    for (uint32_t i = 0; i < fssa->cases.count; i++) rule_cases(v, i);
    if (!rules_of_terms(v) || !equations_in_range(v)) return;
    rules_of_types(v);
    if (!verify_is_clean(v) || !rules_of_effects(v)) return;
    Bits defined = rules_of_equations(v);
    rules_of_reads(v, &defined);
    rules_of_ends(v);
    if (!verify_is_clean(v)) return;
    FssaRegions regions = fssa_regions(v->scratch, v->func);
    rule_acyclic(v, &regions);
    if (verify_is_clean(v)) rules_of_nesting(v, &regions);
}
