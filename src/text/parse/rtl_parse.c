// Instructions: a mnemonic and what follows it. See parse.h.
#include "text/parse/parse.h"

#include <string.h>

// ---- Mnemonics

static void add_mnemonic(TextParser *p, const char *name, Mnemonic mnemonic) {
    mnemonic.name = name;
    mnemonic.length = strlen(name);
    table_insert(p->keep, &p->mnemonic_table, hash_bytes(name, mnemonic.length),
                 p->mnemonics.count);
    vec_push(p->keep, &p->mnemonics, mnemonic);
}

// name.chunk, for every chunk
static void add_accesses(TextParser *p, const char *name, Mnemonic mnemonic) {
    for (Chunk chunk = 0; chunk < CHUNK_COUNT; chunk++) {
        mnemonic.chunk = (uint8_t)chunk;
        add_mnemonic(p, arena_printf(p->keep, "%s.%s", name, chunk_name(chunk)), mnemonic);
    }
}

void parse_mnemonics(TextParser *p) {
    for (uint32_t kind = 0; kind < INSTR_KIND_COUNT; kind++) {
        Mnemonic mnemonic = {.kind = (uint8_t)kind};
        if (instr_kinds[kind].fields & INSTR_ACCESS)
            add_accesses(p, instr_kinds[kind].word, mnemonic);
        else if (!instr_kind_is_wordless(kind))
            add_mnemonic(p, instr_kinds[kind].word, mnemonic);
    }
    for (Op op = 0; op < OP_COUNT; op++) // "addr" is one word for two operators
        if (op != OP_ADDR_SLOT)
            add_mnemonic(p, op_info(op)->name, (Mnemonic){.kind = I_OP, .op = (uint16_t)op});
    for (Builtin builtin = 0; builtin < BI_COUNT; builtin++) {
        const BuiltinInfo *info = builtin_info(builtin);
        Mnemonic mnemonic = {.kind = I_BUILTIN, .op = (uint16_t)builtin};
        if (builtin_has_address(info))
            add_accesses(p, info->name, mnemonic);
        else
            add_mnemonic(p, info->name, mnemonic);
    }
}

const Mnemonic *parse_find_mnemonic(const TextParser *p) {
    return parse_mnemonic_named(p, p->lexer.text + p->token.start, p->token.end - p->token.start);
}

const Mnemonic *parse_mnemonic_named(const TextParser *p, const char *text, size_t length) {
    uint64_t hash = hash_bytes(text, length);
    uint32_t at = table_first(&p->mnemonic_table, hash), id;
    while ((id = table_id(&p->mnemonic_table, hash, &at)) != HASH_NONE) {
        const Mnemonic *mnemonic = &p->mnemonics.at[id];
        if (mnemonic->length == length && memcmp(mnemonic->name, text, length) == 0)
            return mnemonic;
    }
    return NULL;
}

bool parse_unknown_mnemonic(TextParser *p) {
    if (!parse_at(p, T_WORD)) return parse_expected(p, "an instruction");
    bool gated = parse_at_word(p, "mu") || parse_at_word(p, "gamma") || parse_at_word(p, "eta");
    if (gated || parse_at_word(p, "phi"))
        parse_error(p, p->token.start,
                    "%s stands in a file that ends in .%s, with a register for its result",
                    parse_shown(p, p->token.start), form_name(gated ? FORM_GSA : FORM_SSA));
    else
        parse_error(p, p->token.start, "unknown instruction %s", parse_shown(p, p->token.start));
    return false;
}

// ---- Operands

static bool argument(TextParser *p) {
    Reg reg;
    if (!parse_register(p, &reg)) return false;
    vec_push(p->scratch, &p->body.args, reg);
    return true;
}

bool parse_at_number(const TextParser *p) {
    return parse_at(p, T_NUMBER) || parse_at(p, '-');
}

static uint32_t bits_of_type(Type type) {
    return type == TYPE_I32 ? 32 : 64;
}

static bool wrong_count(TextParser *p, const OpInfo *info) {
    if (parse_at(p, T_BAD)) return parse_expected(p, "an operand");
    parse_error(p, p->token.start, "%s takes %u operand%s", info->name, info->arity,
                info->arity == 1 ? "" : "s");
    return false;
}

bool parse_operands(TextParser *p, Instr *instr) {
    const OpInfo *info = op_info(instr->op);
    for (uint32_t i = 0; i < info->arity; i++) {
        if (i && !parse_accept(p, ',')) return wrong_count(p, info);
        if (!parse_at_number(p)) {
            if (!argument(p)) return false;
            continue;
        }
        if (i + 1u != info->arity || !op_allows_immediate(instr->op)) {
            parse_error(p, p->token.start, "operand %u of %s must be a register", i + 1,
                        info->name);
            return false;
        }
        instr->immediate = true;
        if (!parse_integer(p, bits_of_type(info->operand[i]), &instr->imm)) return false;
    }
    // what follows in mach0 is a result or a label
    return !parse_at(p, ',') || p->form == FORM_MACH0 || wrong_count(p, info);
}

// address = "addr" ( symbol | slot ) [ displacement ]
static bool address_of(TextParser *p, Instr *instr) {
    if (parse_at(p, T_SLOT)) {
        instr->op = OP_ADDR_SLOT;
        if (!parse_slot(p, &instr->ref)) return false;
    } else if (parse_at(p, T_SYMBOL)) {
        if (!parse_symbol(p, &instr->ref)) return false;
    } else {
        return parse_expected(p, "a symbol or a slot");
    }
    return parse_displacement(p, &instr->imm);
}

static bool operation(TextParser *p, Instr *instr) {
    Type type = op_info(instr->op)->result;
    p->body.result = type;
    if (instr->op == OP_ADDR_SYMBOL) return address_of(p, instr);
    if (op_info(instr->op)->arity > 0) return parse_operands(p, instr);
    return type_is_int(type) ? parse_integer(p, bits_of_type(type), &instr->imm)
                             : parse_float(p, type, instr);
}

// ---- Memory

bool parse_scale(TextParser *p, uint8_t *scale) {
    if (!parse_expect(p, '*', "'*' and a scale")) return false;
    uint32_t place = p->token.start, number;
    if (!parse_u32(p, UINT32_MAX, "a scale", &number)) return false;
    *scale = (uint8_t)number;
    if (number == 1 || number == 2 || number == 4 || number == 8) return true;
    return parse_error(p, place, "a scale is 1, 2, 4 or 8"), false;
}

// base = register | symbol | slot | nothing; a register with a scale is an index already
static bool base(TextParser *p, Instr *instr) {
    if (parse_at(p, T_SYMBOL)) {
        instr->base = BASE_SYMBOL;
        return parse_symbol(p, &instr->ref);
    }
    if (parse_at(p, T_SLOT)) {
        instr->base = BASE_SLOT;
        return parse_slot(p, &instr->ref);
    }
    if (!parse_at(p, T_REGISTER)) return parse_expected(p, "an address");
    if (!argument(p)) return false;
    if (parse_at(p, '*')) return parse_scale(p, &instr->scale);
    instr->base = BASE_REG;
    return true;
}

static bool at_index(const TextParser *p) {
    Lexer ahead = p->lexer;
    return parse_at(p, '+') && lex_next(&ahead).kind == T_REGISTER;
}

// address = "[" ( base [ "+" register scale ] [ displacement ] | integer ) "]"
static bool address(TextParser *p, Instr *instr) {
    if (!parse_expect(p, '[', "'['")) return false;
    if (parse_at_number(p)) return parse_integer(p, 64, &instr->imm) && parse_expect(p, ']', "']'");
    if (!base(p, instr)) return false;
    if (!instr->scale && at_index(p)) {
        parse_next(p);
        if (!argument(p) || !parse_scale(p, &instr->scale)) return false;
    }
    return parse_displacement(p, &instr->imm) && parse_expect(p, ']', "']'");
}

// effective = "as" TYPE
static bool effective_type(TextParser *p, Instr *instr) {
    const char *text = p->lexer.text + p->token.start;
    EffectiveType type = EFFECTIVE_COUNT;
    if (parse_at(p, T_WORD)) type = effective_named(text, p->token.end - p->token.start);
    if (type == EFFECTIVE_COUNT || type == EFFECTIVE_ANY)
        return parse_expected(p, "an effective type");
    instr->effective = (uint8_t)type;
    parse_next(p);
    return true;
}

// access = "." chunk address [ effective ] { "," register }
static bool access(TextParser *p, Instr *instr, bool result, size_t values) {
    if (result) p->body.result = chunk_type(instr->chunk);
    if (!address(p, instr)) return false;
    bool typed = instr_has(instr, INSTR_ACCESS) && parse_accept_word(p, "as");
    if (typed && !effective_type(p, instr)) return false;
    for (size_t i = 0; i < values; i++)
        if (!parse_expect(p, ',', "','") || !argument(p)) return false;
    return true;
}

// ---- Calls

// callee = symbol | register
static bool callee(TextParser *p, Instr *instr, bool is_explicit) {
    uint32_t place = p->token.start;
    instr->ref = NO_ID;
    if (parse_at(p, T_REGISTER) && is_explicit) return argument(p);
    if (parse_at(p, T_REGISTER)) {
        parse_error(p, place, "an indirect call needs a signature before the register");
        return false;
    }
    if (!parse_at(p, T_SYMBOL)) return parse_expected(p, "a symbol, or a signature and a register");
    if (!parse_symbol(p, &instr->ref)) return false;
    if (is_explicit) return true;
    const Symbol *symbol = program_at(p->program, (Sym){instr->ref});
    instr->aux = symbol->sig.i;
    if (symbol->kind != SYM_FUNC)
        parse_error(p, place, "%s is not a function; write a signature before it",
                    parse_shown(p, place));
    return symbol->sig.i != NO_ID; // without one, its declaration has been reported
}

// arguments = "(" [ register { "," register } ] ")", as many as the signature says
static bool arguments(TextParser *p, const SigInfo *sig, uint32_t place) {
    if (!parse_expect(p, '(', "'('")) return false;
    uint32_t before = p->body.args.count;
    if (!parse_accept(p, ')')) {
        do
            if (!argument(p)) return false;
        while (parse_accept(p, ','));
        if (!parse_expect(p, ')', "',' or ')'")) return false;
    }
    uint32_t count = p->body.args.count - before;
    bool more = p->body.variadic;
    uint32_t needed = more ? sig->fixed_count : sig->param_count;
    if (count == needed || (more && count > needed)) return true;
    parse_error(p, place, "%s is called with %u argument%s, but takes %s%u", parse_shown(p, place),
                count, count == 1 ? "" : "s", more ? "at least " : "", needed);
    return false;
}

// call = "call" [ type params ] callee arguments [ "into" register ]
static bool call(TextParser *p, Instr *instr) {
    bool is_explicit = parse_at(p, T_WORD);
    PType result;
    Sig id;
    if (is_explicit) {
        if (!parse_result_type(p, &result) || !parse_params(p, PARAMS_CALLED, result, &id))
            return false;
        instr->aux = id.i;
    }
    uint32_t place = p->token.start;
    if (!callee(p, instr, is_explicit)) return false;
    SigInfo sig = *program_sig_info(p->program, (Sig){instr->aux});
    p->body.variadic = !is_explicit && sig.variadic;
    if (!arguments(p, &sig, place)) return false;
    const ParamType *type = program_ptype_info(p->program, sig.result);
    p->body.result = type->type;
    if (!ptype_is_aggregate(type)) return true;
    return parse_expect_word(p, "into") && argument(p);
}

// ---- Control

bool parse_condition(TextParser *p, Instr *instr) {
    const Mnemonic *mnemonic = parse_at(p, T_WORD) ? parse_find_mnemonic(p) : NULL;
    if (!mnemonic) return parse_unknown_mnemonic(p);
    if (mnemonic->kind != I_OP || !(op_info(mnemonic->op)->flags & OPF_COND)) {
        parse_error(p, p->token.start, "%s is not a condition", mnemonic->name);
        return false;
    }
    parse_next(p);
    instr->op = mnemonic->op;
    return true;
}

// condition = operator operands "then" LABEL "else" LABEL
static bool condition(TextParser *p, Node node, Instr *instr) {
    if (!parse_condition(p, instr)) return false;
    vec_push(p->scratch, &p->body.succs, NO_NODE);
    vec_push(p->scratch, &p->body.succs, NO_NODE);
    return parse_operands(p, instr) && parse_expect_word(p, "then") && parse_target(p, node, 0) &&
           parse_expect_word(p, "else") && parse_target(p, node, 1);
}

// case = integer ":" LABEL
static bool switch_case(TextParser *p, Node node) {
    int64_t value;
    vec_push(p->scratch, &p->body.case_places, p->token.start);
    if (!parse_at_number(p)) return parse_expected(p, "a case or 'default'");
    if (!parse_integer(p, 64, &value) || !parse_expect(p, ':', "':'")) return false;
    vec_push(p->body.func->arena, &p->body.func->case_pool, value);
    vec_push(p->scratch, &p->body.succs, NO_NODE);
    return parse_target(p, node, p->body.succs.count - 1) && parse_expect(p, ',', "','");
}

// cases = "{" { case "," } "default" ":" LABEL "}"; in mach0 also without anything inside: it goes
// on
static bool cases(TextParser *p, Node node, Instr *instr) {
    if (!parse_expect(p, '{', "'{'")) return false;
    vec_push(p->scratch, &p->body.succs, NO_NODE);
    // A switch that failed may have left places without values behind.
    p->body.case_places.count = instr->aux = p->body.func->case_pool.count;
    if (p->form == FORM_MACH0 && parse_accept(p, '}')) {
        p->body.succs.at[0] = (Node){node.i + 1};
        return true;
    }
    while (!parse_accept_word(p, "default"))
        if (!switch_case(p, node)) return false;
    return parse_expect(p, ':', "':'") && parse_target(p, node, 0) && parse_expect(p, '}', "'}'");
}

// ---- Builtins

// registers = register { "," register }, so many
static bool registers(TextParser *p, size_t count) {
    for (size_t i = 0; i < count; i++)
        if ((i && !parse_expect(p, ',', "','")) || !argument(p)) return false;
    return true;
}

// "," SIZE
static bool number(TextParser *p, Instr *instr, const char *what) {
    uint64_t value;
    bool first = !builtin_info(instr->op)->arguments[0];
    if (!(first || parse_expect(p, ',', "','")) || !parse_unsigned(p, INT64_MAX, what, &value))
        return false;
    instr->imm = (int64_t)value;
    return true;
}

// "align" ALIGN
static bool align(TextParser *p, Instr *instr) {
    uint64_t number;
    if (!parse_expect_word(p, "align") || !parse_unsigned(p, INT64_MAX, "an alignment", &number))
        return false;
    instr->imm = (int64_t)number;
    return true;
}

bool parse_order(TextParser *p, uint32_t *aux, bool maybe_volatile) {
    const char *text = p->lexer.text + p->token.start;
    MemoryOrder order = ORDER_COUNT;
    if (parse_at(p, T_WORD)) order = order_named(text, p->token.end - p->token.start);
    if (order == ORDER_COUNT) return parse_expected(p, "a memory order");
    *aux = order;
    parse_next(p);
    if (maybe_volatile && parse_accept_word(p, "volatile")) *aux |= ATOMIC_VOLATILE;
    return true;
}

// va_arg = "va_arg" type register [ "," register ]
static bool va_arg_(TextParser *p, Instr *instr, size_t count) {
    PType type;
    if (!parse_param_type(p, &type)) return false;
    const ParamType *info = program_ptype_info(p->program, type);
    instr->ref = type.i;
    p->body.result = info->type;
    return registers(p, count + ptype_is_aggregate(info));
}

static bool builtin(TextParser *p, Instr *instr) {
    const BuiltinInfo *info = builtin_info(instr->op);
    size_t count = strlen(info->arguments);
    if (info->result < BIR_CHUNK) p->body.result = (Type)info->result;
    switch (info->form) {
    case BIF_PLAIN: return registers(p, count);
    case BIF_SIZE: return registers(p, count) && number(p, instr, "a number of bytes");
    case BIF_ASM: return registers(p, count) && number(p, instr, "the number of a statement");
    case BIF_LEVEL: return number(p, instr, "the number of a frame");
    case BIF_ALIGN: return registers(p, count) && align(p, instr);
    case BIF_MACHINE:
        return registers(p, count) && (!count || parse_expect(p, ',', "','")) &&
               parse_machine_register(p, &instr->imm);
    case BIF_PTYPE: return va_arg_(p, instr, count);
    case BIF_ADDRESS: return access(p, instr, info->result == BIR_CHUNK, count);
    case BIF_ATOMIC:
        return access(p, instr, info->result == BIR_CHUNK, count) &&
               parse_order(p, &instr->aux, true);
    case BIF_ORDER: return parse_order(p, &instr->aux, false);
    }
    return false;
}

bool parse_instruction(TextParser *p, Node node, Instr *instr) {
    const Mnemonic *mnemonic = parse_at(p, T_WORD) ? parse_find_mnemonic(p) : NULL;
    if (!mnemonic) return parse_unknown_mnemonic(p);
    parse_next(p);
    return parse_operation(p, mnemonic, node, instr);
}

bool parse_operation(TextParser *p, const Mnemonic *mnemonic, Node node, Instr *instr) {
    instr->kind = mnemonic->kind;
    instr->op = mnemonic->op;
    instr->chunk = mnemonic->chunk;
    uint32_t fields = instr_kinds[instr->kind].fields;
    if (fields & INSTR_CONDITION) return condition(p, node, instr);
    if (fields & INSTR_OPERATION) return operation(p, instr);
    if (fields & INSTR_ACCESS)
        return access(p, instr, fields & INSTR_DEST, fields & INSTR_VALUE ? 1 : 0);
    if (fields & INSTR_CALLEE) return call(p, instr);
    if (fields & INSTR_BUILTIN) return builtin(p, instr);
    if (fields & INSTR_RETURNED && parse_at(p, T_REGISTER)) return argument(p);
    if (fields & INSTR_INTEGER && !argument(p)) return false;
    return !(fields & INSTR_CASES) || cases(p, node, instr);
}
