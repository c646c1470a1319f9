// The lines of functional SSA. See parse.h.
//
//   loop = "loop" LABEL [ "in" LABEL ]                 LABEL = number { "." number }
//   cases = "cases" NUMBER ":" integer { "," integer }
//   entry = "entry" register
//   equation = [ type ] register "=" term
//            | register "=" "after" term ":" [ register "=" ] instruction [ location ]
//   next = "next" LABEL ":" term "else" term
//   end = "result" term | "state" term
//   term = integer | register | constant | "undef" | "array"
//        | operator "(" terms ")" | ( "loop" | "close" ) LABEL "(" terms ")"
//        | "gamma" "(" term ":" term { "," term ":" term } ")"
//        | ( "not" | "and" | "or" | "stuck" | "read" | "write" | "print" ) "(" terms ")"
//        | "case" ( integer | "default" ) "of" NUMBER "(" term ")"
//   terms = term { "," term }
//   constant = an instruction of RTL that has no operands: const.f64 0x1p+0, addr @x + 8
//
// Terms may be nested as deeply as one likes; those that are not complete wait on a stack.
#include "text/parse/parse.h"

// ---- Loops and cases

// The number of a loop whose label is the current token; HASH_NONE if there is none.
static bool label(TextParser *p, Str *label, uint32_t *loop) {
    if (!parse_at(p, T_NUMBER)) return parse_expected(p, "the label of a loop");
    const char *text = p->lexer.text + p->token.start;
    uint32_t length = p->token.end - p->token.start;
    for (uint32_t i = 0; i < length; i++)
        if (!char_is_digit(text[i]) && (text[i] != '.' || i + 1 == length || text[i + 1] == '.'))
            return parse_expected(p, "the label of a loop: numbers with dots between them");
    *label = str_intern(&p->program->strings, text, length);
    *loop = map_get(&p->body.loop_labels, label->i);
    parse_next(p);
    return true;
}

static bool known_loop(TextParser *p, FssaLoop *loop) {
    uint32_t place = p->token.start;
    Str name;
    if (!label(p, &name, &loop->i)) return false;
    if (loop->i != HASH_NONE) return true;
    return parse_error(p, place, "there is no loop %s", parse_shown(p, place)), false;
}

static bool loop_line(TextParser *p) {
    uint32_t place = p->token.start, earlier;
    FssaLoop parent = NO_FSSA_LOOP;
    Str name;
    if (!label(p, &name, &earlier)) return false;
    if (earlier != HASH_NONE)
        return parse_error(p, place, "loop %s is declared twice", parse_shown(p, place)), false;
    if (parse_accept_word(p, "in") && !known_loop(p, &parent)) return false;
    map_set(p->scratch, &p->body.loop_labels, name.i, fssa_add_loop(p->body.func, name, parent).i);
    return parse_end_of_line(p);
}

static bool cases_line(TextParser *p) {
    Func *func = p->body.func;
    uint32_t place = p->token.start, number;
    if (!parse_u32(p, UINT32_MAX - 1, "the number of a list of cases", &number)) return false;
    if (number != func->fssa->cases.count) {
        parse_error(p, place, "lists of cases are numbered in order: this is %u",
                    func->fssa->cases.count);
        return false;
    }
    if (!parse_expect(p, ':', "':'")) return false;
    vec_clear(&p->body.list);
    do {
        int64_t value;
        if (!parse_integer(p, 64, &value)) return false;
        vec_push(p->scratch, &p->body.list, value);
    } while (parse_accept(p, ','));
    fssa_add_cases(func, p->body.list.at, p->body.list.count);
    return parse_end_of_line(p);
}

static bool entry_line(TextParser *p) {
    uint32_t place = p->token.start;
    Fssa *fssa = p->body.func->fssa;
    Reg reg;
    if (!parse_register(p, &reg) || !parse_define_register(p, reg, TYPE_VOID, place)) return false;
    if (fssa->entry.i != NO_ID)
        return parse_error(p, place, "there is one state on entering"), false;
    fssa->entry = reg;
    return parse_end_of_line(p);
}

// ---- Terms

// What was read of a term whose operands follow, or all of it.
typedef struct {
    FssaTermNode node;
    bool complete;
} Head;

static bool which_case(TextParser *p, FssaTermNode *node) {
    const Func *func = p->body.func;
    uint32_t place = p->token.start;
    bool other = parse_accept_word(p, "default");
    int64_t value = 0;
    if ((!other && !parse_integer(p, 64, &value)) || !parse_expect_word(p, "of") ||
        !parse_u32(p, UINT32_MAX - 1, "the number of a list of cases", &node->ref))
        return false;
    if (node->ref >= func->fssa->cases.count)
        return parse_error(p, place, "there is no list of cases %u", node->ref), false;
    FssaCases list = func->fssa->cases.at[node->ref];
    node->imm = -1;
    if (other) return true;
    for (uint32_t k = 0; k < list.count; k++)
        if (func->case_pool.at[list.first + k] == value) node->imm = k;
    if (node->imm >= 0) return true;
    return parse_error(p, place, "%lld is not in list %u", (long long)value, node->ref), false;
}

// A constant that is written as an instruction, or an operator.
static bool operator_head(TextParser *p, Head *head) {
    const Mnemonic *mnemonic = parse_find_mnemonic(p);
    uint32_t place = p->token.start;
    if (!mnemonic) return parse_unknown_mnemonic(p);
    if (mnemonic->kind != I_OP)
        return parse_error(p, place, "%s is not an operator", mnemonic->name), false;
    head->node.kind = FT_OP;
    head->node.op = mnemonic->op;
    head->node.type = (uint8_t)op_info(mnemonic->op)->result;
    if (op_info(mnemonic->op)->arity) return parse_next(p), true;
    Instr instr = {.dest = NO_REG};
    if (!parse_instruction(p, NO_NODE, &instr)) return false;
    head->node.kind = FT_CONST;
    head->node.op = instr.op;
    head->node.high = instr.high;
    head->node.ref = instr.ref;
    head->node.imm = instr.imm;
    head->node.type = (uint8_t)op_info(instr.op)->result;
    head->complete = true;
    return true;
}

static bool word_head(TextParser *p, Head *head) {
    bool loop = parse_at_word(p, "loop");
    if (loop || parse_at_word(p, "close")) {
        parse_next(p);
        head->node.kind = loop ? FT_LOOP : FT_CLOSE;
        return known_loop(p, &head->node.loop);
    }
    if (parse_accept_word(p, "case")) {
        head->node.kind = FT_CASE;
        head->node.type = TYPE_I32;
        return which_case(p, &head->node);
    }
    for (FssaTermKind kind = 0; kind < FSSA_TERM_KINDS; kind++) {
        if (!fssa_word(kind) || !parse_at_word(p, fssa_word(kind))) continue;
        parse_next(p);
        head->node.kind = (uint8_t)kind;
        head->complete = fssa_takes(&head->node, 0);
        if (kind == FT_NOT || kind == FT_AND || kind == FT_OR) head->node.type = TYPE_I32;
        if (kind == FT_READ) head->node.type = TYPE_I64;
        if (kind == FT_WRITE || kind == FT_PRINT || kind == FT_ARRAY) head->node.type = TYPE_VOID;
        return true;
    }
    return operator_head(p, head);
}

// The beginning of a term where one of a type is expected; TYPE_COUNT if that is not known.
static bool term_head(TextParser *p, Type expected, Head *head) {
    *head = (Head){.node = {.type = (uint8_t)expected, .reg = NO_REG, .loop = NO_FSSA_LOOP}};
    if (parse_at(p, T_REGISTER)) {
        head->node.kind = FT_NAME;
        head->complete = true;
        return parse_register(p, &head->node.reg);
    }
    if (parse_at(p, T_WORD)) return word_head(p, head);
    if (!parse_at_number(p)) return parse_expected(p, "a term");
    if (expected != TYPE_I32 && expected != TYPE_I64)
        return parse_expected(p, "a term that tells its type");
    head->node.kind = FT_CONST;
    head->node.op = (uint16_t)op_const(expected);
    head->complete = true;
    return parse_integer(p, expected == TYPE_I32 ? 32 : 64, &head->node.imm);
}

static FssaTerm finish_term(TextParser *p) {
    BodyState *body = &p->body;
    uint32_t first = body->open_args.at[body->open.count - 1];
    FssaTerm term = fssa_add_term(body->func, body->open.at[body->open.count - 1],
                                  body->operands.at + first, body->operands.count - first);
    body->operands.count = first;
    body->open.count--;
    body->open_args.count--;
    return term;
}

// An operand is complete. True if the next one follows; false, with no mistake, if the term is
// complete, too.
static bool next_operand(TextParser *p, bool *mistake) {
    const BodyState *body = &p->body;
    const FssaTermNode *node = &body->open.at[body->open.count - 1];
    uint32_t count = body->operands.count - body->open_args.at[body->open.count - 1];
    bool colon = node->kind == FT_GAMMA && count % 2, enough = fssa_takes(node, count);
    bool more = !enough || node->kind == FT_GAMMA || fssa_takes(node, count + 1);
    if (enough && parse_accept(p, ')')) return false;
    if (more && parse_accept(p, colon ? ':' : ',')) return true;
    *mistake = true;
    return parse_expected(p, colon ? "':'" : !enough ? "','" : more ? "',' or ')'" : "')'");
}

static bool term(TextParser *p, Type expected, FssaTerm *result) {
    BodyState *body = &p->body;
    vec_clear(&body->open);
    vec_clear(&body->open_args);
    vec_clear(&body->operands);
    for (;;) {
        Head head;
        bool mistake = false, more = false;
        if (body->open.count) {
            const FssaTermNode *node = &body->open.at[body->open.count - 1];
            expected = fssa_operand_type(node, body->operands.count -
                                                   body->open_args.at[body->open.count - 1]);
        }
        if (!term_head(p, expected, &head)) return false;
        vec_push(p->scratch, &body->open, head.node);
        vec_push(p->scratch, &body->open_args, body->operands.count);
        if (!head.complete) {
            if (!parse_expect(p, '(', "'('")) return false;
            continue;
        }
        for (*result = finish_term(p); body->open.count && !more;) {
            vec_push(p->scratch, &body->operands, *result);
            more = next_operand(p, &mistake);
            if (mistake) return false;
            if (!more) *result = finish_term(p);
        }
        if (!more) return true;
    }
}

// ---- Equations and ends

// "after" has been read.
static bool effect(TextParser *p, FssaTerm *result) {
    FssaTermNode node = {.kind = FT_EFFECT, .type = TYPE_VOID, .reg = NO_REG, .loop = NO_FSSA_LOOP};
    FssaTerm state;
    Node made;
    if (!term(p, TYPE_VOID, &state) || !parse_expect(p, ':', "':'") || !parse_node(p, &made))
        return false;
    node.ref = made.i;
    *result = fssa_add_term(p->body.func, node, &state, 1);
    return true;
}

static bool equation_line(TextParser *p) {
    Type type = TYPE_VOID;
    Reg dest;
    FssaTerm right;
    if (parse_at(p, T_WORD)) {
        type = type_named(p->lexer.text + p->token.start, p->token.end - p->token.start);
        if (type == TYPE_VOID || type == TYPE_COUNT)
            return parse_expected(
                p, "an equation, or one of 'loop', 'cases', 'entry', 'next', 'result' and 'state'");
        parse_next(p);
    }
    uint32_t place = p->token.start;
    if (!parse_register(p, &dest)) return false;
    if (!parse_define_register(p, dest, type, place)) return false;
    if (!parse_expect(p, '=', "'='")) return false;
    bool good = type == TYPE_VOID && parse_accept_word(p, "after") ? effect(p, &right)
                                                                   : term(p, type, &right);
    if (!good || !parse_end_of_line(p)) return false;
    fssa_add_equation(p->body.func, dest, right);
    return true;
}

static bool next_line(TextParser *p) {
    uint32_t place = p->token.start;
    FssaLoop loop;
    if (!known_loop(p, &loop)) return false;
    FssaLoopInfo *info = &p->body.func->fssa->loops.at[loop.i];
    if (info->goes_on.i != NO_ID)
        return parse_error(p, place, "there is one such line for a loop"), false;
    return parse_expect(p, ':', "':'") && term(p, TYPE_I32, &info->goes_on) &&
           parse_expect_word(p, "else") && term(p, TYPE_VOID, &info->stuck) && parse_end_of_line(p);
}

static bool end_line(TextParser *p, Type type, FssaTerm *end) {
    if (end->i != NO_ID) return parse_error(p, p->token.start, "there is one such line"), false;
    return term(p, type, end) && parse_end_of_line(p);
}

// ---- As a form (forms.def)

void fssa_parse_begin(TextParser *p) {
    fssa_start(p->body.func);
}

bool fssa_parse_line(TextParser *p) {
    const Func *func = p->body.func;
    const SigInfo *sig = program_sig_info(p->program, func->sig);
    if (parse_accept_word(p, "loop")) return loop_line(p);
    if (parse_accept_word(p, "cases")) return cases_line(p);
    if (parse_accept_word(p, "entry")) return entry_line(p);
    if (parse_accept_word(p, "next")) return next_line(p);
    if (parse_accept_word(p, "result"))
        return end_line(p, ptype_reg_type(program_ptype_info(p->program, sig->result)),
                        &func->fssa->result);
    if (parse_accept_word(p, "state")) return end_line(p, TYPE_VOID, &func->fssa->state);
    return equation_line(p);
}

// Names have the types of their registers, and what is made of them those of their operands where
// nothing else told.
static void settle_types(const Func *func) {
    for (uint32_t i = 0; i < func->fssa->terms.count; i++) {
        FssaTermNode *node = &func->fssa->terms.at[i];
        if (node->kind == FT_NAME) node->type = (uint8_t)reg_type(func, node->reg);
        if (node->type == TYPE_COUNT && node->arg_count > 1)
            node->type = (uint8_t)fssa_type(func, fssa_args(func, node)[1]);
    }
}

void fssa_parse_end(TextParser *p, uint32_t place) {
    (void)place;
    for (uint32_t i = 0; i < p->body.reg_places.count; i++) {
        const RegPlace *known = &p->body.reg_places.at[i];
        if (known->definition == NO_ID && p->diag->errors == p->body.errors)
            parse_error(p, known->mention, "%s has no equation", parse_shown(p, known->mention));
    }
    parse_variadic_calls(p);
    settle_types(p->body.func);
}
