// The lines of the machine form: labels of blocks, instructions, and what an allocated function
// declares. See parse.h.
//
//   allocated
//   saves MACHINE { "," MACHINE }
//   spills SIZE { "," SIZE }
//   bNUMBER ":"
//   [ place { "," place } "=" ] instruction [ location ]
//
// Blocks are numbered from 0 in their order, so that a label says which block it is, and a
// successor is known before its block has been read.
#include "target/model.h"
#include "text/parse/parse.h"

#include <string.h>

// The instruction being read.
typedef struct {
    TextParser *p;
    MachInstr *instr;
    uint32_t mnemonic; // where its name stands
} Line;

static Func *func_of(const Line *l) {
    return l->p->body.func;
}

// ---- Places

// The number of a word that is a letter and a number without leading zeros; NO_ID if it is not one.
static uint32_t word_number(const TextParser *p, char letter) {
    const char *text = p->lexer.text + p->token.start;
    uint32_t length = p->token.end - p->token.start;
    if (!parse_at(p, T_WORD) || length < 2 || length > 10 || text[0] != letter) return NO_ID;
    if (text[1] == '0' && length > 2) return NO_ID;
    uint32_t number = 0;
    for (uint32_t i = 1; i < length; i++) {
        if (!char_is_digit(text[i])) return NO_ID;
        number = number * 10 + (uint32_t)(text[i] - '0');
    }
    return number;
}

static MachineReg machine_reg_here(const TextParser *p) {
    if (!parse_at(p, T_WORD)) return MACHINE_REG_LIMIT;
    return target_register_named(p->program->target, p->lexer.text + p->token.start,
                                 p->token.end - p->token.start);
}

// place = register | MACHINE | sNUMBER
static bool place(TextParser *p, Place *found) {
    if (parse_at(p, T_REGISTER)) {
        Reg reg;
        if (!parse_register(p, &reg)) return false;
        *found = place_of_reg(reg);
        return true;
    }
    MachineReg machine = machine_reg_here(p);
    uint32_t spill = word_number(p, 's'), start = p->token.start;
    if (machine == MACHINE_REG_LIMIT && spill == NO_ID)
        return parse_expected(p, "a register or a spill");
    parse_next(p);
    *found = machine != MACHINE_REG_LIMIT ? place_machine(machine) : place_spill(spill);
    if (machine != MACHINE_REG_LIMIT || spill < p->body.func->mach->spills.count) return true;
    parse_error(p, start, "%s is not one of the spills of this function", parse_shown(p, start));
    return false;
}

// places = place { "," place }, at the end of p->body.places
static bool places(TextParser *p) {
    do {
        Place found;
        if (!place(p, &found)) return false;
        vec_push(p->scratch, &p->body.places, found);
    } while (parse_accept(p, ','));
    return true;
}

static bool source(Line *l, unsigned which) {
    return place(l->p, &l->instr->src[which]);
}

// The result of an instruction gets its type.
static bool result(Line *l, uint32_t which, Type type) {
    Place found = l->p->body.places.at[which];
    if (place_kind(found) != PLACE_REG) return true;
    return parse_define_register(l->p, place_reg(found), type, l->p->body.place_starts.at[which]);
}

// The only result, whose type may follow later.
static bool one_result(Line *l) {
    TextParser *p = l->p;
    if (p->body.place_starts.count != 1) {
        parse_error(p, l->mnemonic, "%s needs one place for its result",
                    parse_shown(p, l->mnemonic));
        return false;
    }
    l->instr->dest = p->body.places.at[0];
    return true;
}

static bool no_result(Line *l) {
    if (l->p->body.place_starts.count == 0) return true;
    parse_error(l->p, l->mnemonic, "%s has no result", parse_shown(l->p, l->mnemonic));
    return false;
}

// ---- Addresses

static bool index_and_scale(Line *l) {
    return place(l->p, &l->instr->index) && parse_scale(l->p, &l->instr->scale);
}

// base = symbol | slot | "incoming" | "outgoing" | place | place scale
static bool base(Line *l) {
    TextParser *p = l->p;
    MachInstr *instr = l->instr;
    if (parse_at(p, T_SYMBOL)) {
        instr->base = MB_SYMBOL;
        return parse_symbol(p, &instr->ref);
    }
    if (parse_at(p, T_SLOT)) {
        instr->base = MB_SLOT;
        return parse_slot(p, &instr->ref);
    }
    instr->base = parse_at_word(p, "incoming") ? MB_INCOMING : MB_OUTGOING;
    if (parse_accept_word(p, "incoming") || parse_accept_word(p, "outgoing")) return true;
    instr->base = MB_PLACE;
    if (!place(p, &instr->base_place)) return false;
    if (!parse_at(p, '*')) return true;
    instr->base = MB_NONE;
    instr->index = instr->base_place;
    instr->base_place = NO_PLACE;
    return parse_scale(p, &instr->scale);
}

static bool at_index(const TextParser *p) {
    Lexer ahead = p->lexer;
    uint32_t kind = parse_at(p, '+') ? lex_next(&ahead).kind : T_BAD;
    return kind == T_REGISTER || kind == T_WORD;
}

static bool displacement(Line *l, bool alone) {
    TextParser *p = l->p;
    uint32_t start = p->token.start;
    int64_t value = 0;
    if (!(alone ? parse_integer(p, 64, &value) : parse_displacement(p, &value))) return false;
    l->instr->displacement = (int32_t)value;
    if (value == l->instr->displacement) return true;
    return parse_error(p, start, "a displacement has at most 32 bits"), false;
}

// address = "[" ( base [ "+" place scale ] [ displacement ] | integer ) "]"
static bool address(Line *l) {
    TextParser *p = l->p;
    if (!parse_expect(p, '[', "'['")) return false;
    l->instr->addressed = true;
    bool number = parse_at_number(p);
    if (!number && !base(l)) return false;
    if (!number && !l->instr->scale && at_index(p)) {
        parse_next(p);
        if (!index_and_scale(l)) return false;
    }
    return displacement(l, number) && parse_expect(p, ']', "']'");
}

static bool at_chunk(const TextParser *p) {
    return parse_at(p, T_WORD) &&
           chunk_named(p->lexer.text + p->token.start, p->token.end - p->token.start) < CHUNK_COUNT;
}

// memory = CHUNK address
static bool memory(Line *l, unsigned which) {
    TextParser *p = l->p;
    if (l->instr->addressed)
        return parse_error(p, p->token.start, "an instruction has one address at most"), false;
    const char *text = p->lexer.text + p->token.start;
    l->instr->chunk = (uint8_t)chunk_named(text, p->token.end - p->token.start);
    l->instr->memory = (uint8_t)which;
    parse_next(p);
    return address(l);
}

// operand = place | memory | integer
static bool operand(Line *l, unsigned which, Type type) {
    TextParser *p = l->p;
    if (at_chunk(p)) return memory(l, which);
    if (!parse_at_number(p)) return source(l, which);
    if (l->instr->immediate != NO_SOURCE || !type_is_int(type)) {
        parse_error(p, p->token.start, "operand %u must be a place", which + 1);
        return false;
    }
    l->instr->immediate = (uint8_t)which;
    return parse_integer(p, type == TYPE_I32 ? 32 : 64, &l->instr->imm);
}

// ---- Operators

// operands = operand { "," operand } | operand "&" operand "," "0"
static bool operands(Line *l) {
    TextParser *p = l->p;
    const OpInfo *info = op_info(l->instr->op);
    for (unsigned k = 0; k < info->arity; k++) {
        if (k == 1 && parse_accept(p, '&'))
            l->instr->tested = true;
        else if (k && !parse_expect(p, ',', "','"))
            return false;
        if (!operand(l, k, info->operand[k])) return false;
    }
    int64_t zero = 0;
    uint32_t start = p->token.end;
    if (!l->instr->tested) return true;
    if (!parse_expect(p, ',', "','") || !parse_integer(p, 32, &zero)) return false;
    return zero == 0 || (parse_error(p, start, "a test compares with 0"), false);
}

static bool constant(Line *l) {
    const OpInfo *info = op_info(l->instr->op);
    if (type_is_int(info->result))
        return parse_integer(l->p, info->result == TYPE_I32 ? 32 : 64, &l->instr->imm);
    Instr number = {0};
    if (!parse_float(l->p, info->result, &number)) return false;
    l->instr->imm = number.imm;
    l->instr->high = number.high;
    return true;
}

// address = "addr" ( symbol | slot ) [ displacement ]
static bool address_of(Line *l) {
    TextParser *p = l->p;
    l->instr->op = parse_at(p, T_SLOT) ? OP_ADDR_SLOT : OP_ADDR_SYMBOL;
    if (!(parse_at(p, T_SLOT) ? parse_slot(p, &l->instr->ref) : parse_symbol(p, &l->instr->ref)))
        return false;
    return parse_displacement(p, &l->instr->imm);
}

// operation = operator ( operands | constant | address ); the word of the instruction may have been
// its operator already
static bool operation(Line *l) {
    if (!mach_kind_is_wordless(l->instr->kind)) {
        const Mnemonic *mnemonic = parse_find_mnemonic(l->p);
        if (!mnemonic || mnemonic->kind != I_OP || op_info(mnemonic->op)->arity == 0)
            return parse_expected(l->p, "an operator");
        l->instr->op = mnemonic->op;
        parse_next(l->p);
    }
    if (l->instr->op == OP_ADDR_SYMBOL) return address_of(l);
    return op_info(l->instr->op)->arity ? operands(l) : constant(l);
}

// condition = operator operands
static bool condition(Line *l) {
    Instr found = {0};
    if (!parse_condition(l->p, &found)) return false;
    l->instr->op = found.op;
    return operands(l);
}

static bool type_word(TextParser *p, Type *type) {
    *type = parse_at(p, T_WORD)
                ? type_named(p->lexer.text + p->token.start, p->token.end - p->token.start)
                : TYPE_COUNT;
    if (*type == TYPE_VOID || *type == TYPE_COUNT)
        return parse_expected(p, "the type of a register");
    parse_next(p);
    return true;
}

// ---- Memory

// value = place | integer
static bool value(Line *l, unsigned which) {
    bool narrow = chunk_type(l->instr->chunk) == TYPE_I32;
    if (!parse_at_number(l->p)) return source(l, which);
    l->instr->immediate = (uint8_t)which;
    return parse_integer(l->p, narrow ? 32 : 64, &l->instr->imm);
}

// access = address { "," value }
static bool access(Line *l, size_t sources, bool loads) {
    Type type = chunk_type(l->instr->chunk);
    if (!(loads ? one_result(l) && result(l, 0, type) : no_result(l)) || !address(l)) return false;
    for (unsigned k = 0; k < sources; k++)
        if (!parse_expect(l->p, ',', "','") || !value(l, k)) return false;
    return true;
}

// ---- Calls

static bool wrong_count(Line *l, const char *what, uint32_t found, uint32_t expected) {
    parse_error(l->p, l->mnemonic, "%s: expected %u %s, one for each register; found %u",
                parse_shown(l->p, l->mnemonic), expected, what, found);
    return false;
}

static uint32_t results_found(const Line *l) {
    return l->p->body.place_starts.count;
}

static void store_list(Line *l) {
    const BodyState *body = &l->p->body;
    uint32_t results = body->place_starts.count;
    const Place *places = body->places.at, *arguments = places ? places + results : NULL;
    mach_set_list(body->func, l->instr, places, results, arguments, body->places.count - results);
}

static bool params(Line *l) {
    const Convention *convention = convention_of(l->p->program, func_of(l)->sig);
    uint32_t count = convention->in_registers.count;
    if (results_found(l) != count) return wrong_count(l, "results", results_found(l), count);
    for (uint32_t k = 0; k < count; k++)
        if (!result(l, k, convention->arguments.at[convention->in_registers.at[k]].type))
            return false;
    store_list(l);
    return true;
}

// callee = symbol | place | memory
static bool callee(Line *l, bool is_explicit) {
    TextParser *p = l->p;
    if (!parse_at(p, T_SYMBOL) && !is_explicit)
        return parse_expected(p, "a symbol, or a signature and a place");
    if (at_chunk(p)) return memory(l, 0);
    if (!parse_at(p, T_SYMBOL)) return source(l, 0);
    uint32_t start = p->token.start;
    if (!parse_symbol(p, &l->instr->ref)) return false;
    if (is_explicit) return true;
    const Symbol *symbol = program_at(p->program, (Sym){l->instr->ref});
    l->instr->aux = symbol->sig.i;
    if (symbol->kind != SYM_FUNC)
        parse_error(p, start, "%s is not a function; write a signature before it",
                    parse_shown(p, start));
    return symbol->sig.i != NO_ID;
}

// Whether a signature stands before what is called.
static bool at_signature(const TextParser *p) {
    Lexer ahead = p->lexer;
    return parse_at(p, T_WORD) && lex_next(&ahead).kind == '(' && !parse_at_word(p, "incoming");
}

// All may be left out.
static bool call_results(Line *l) {
    const Convention *convention = convention_of(l->p->program, (Sig){l->instr->aux});
    uint32_t count = convention->results.count, found = results_found(l);
    if (found != 0 && found != count) return wrong_count(l, "results", found, count);
    for (uint32_t k = 0; k < found; k++)
        if (!result(l, k, convention->results.at[k].type)) return false;
    return true;
}

// call = [ type params ] callee "(" [ places ] ")"
static bool call(Line *l) {
    TextParser *p = l->p;
    PType type;
    Sig sig;
    bool is_explicit = at_signature(p);
    if (is_explicit) {
        if (!parse_result_type(p, &type) || !parse_params(p, PARAMS_CALLED, type, &sig))
            return false;
        l->instr->aux = sig.i;
    }
    if (!callee(l, is_explicit) || !parse_expect(p, '(', "'('")) return false;
    if (!parse_accept(p, ')') && (!places(p) || !parse_expect(p, ')', "',' or ')'"))) return false;
    if (!(mach_kind_ends(l->instr->kind) ? no_result(l) : call_results(l))) return false;
    store_list(l);
    return true;
}

// returned = [ places ]
static bool returned(Line *l) {
    if (!no_result(l)) return false;
    bool more = !parse_at(l->p, T_LINE) && !parse_at(l->p, T_END) && !parse_at(l->p, '!');
    if (more && !places(l->p)) return false;
    store_list(l);
    return true;
}

// ---- Control

static bool target(Line *l) {
    TextParser *p = l->p;
    uint32_t block = word_number(p, 'b');
    if (block == NO_ID) return parse_expected(p, "the label of a block");
    vec_push(p->scratch, &p->body.succ_starts, p->token.start);
    vec_push(p->scratch, &p->body.targets, block);
    parse_next(p);
    return true;
}

// cases = "{" { integer ":" LABEL "," } "default" ":" LABEL "}", the default first among the
// targets
static bool cases(Line *l) {
    TextParser *p = l->p;
    Func *func = func_of(l);
    bool narrow = op_info(l->instr->op)->operand[0] == TYPE_I32;
    if (!parse_expect(p, '{', "'{'")) return false;
    l->instr->aux = func->case_pool.count;
    vec_push(p->scratch, &p->body.targets, 0);
    vec_push(p->scratch, &p->body.succ_starts, 0);
    while (!parse_accept_word(p, "default")) {
        int64_t value;
        if (!parse_at_number(p)) return parse_expected(p, "a case or 'default'");
        if (!parse_integer(p, narrow ? 32 : 64, &value) || !parse_expect(p, ':', "':'") ||
            !target(l) || !parse_expect(p, ',', "','"))
            return false;
        vec_push(func->arena, &func->case_pool, value);
    }
    if (!parse_expect(p, ':', "':'") || !target(l)) return false;
    p->body.targets.at[0] = vec_pop(&p->body.targets);
    uint32_t start = vec_pop(&p->body.succ_starts);
    p->body.succ_starts.at[p->body.succ_starts.count - p->body.targets.count] = start;
    return parse_expect(p, '}', "'}'");
}

// ---- Builtins

static bool more_sources(Line *l, size_t count) {
    for (unsigned k = 0; k < count; k++) {
        if (k && !parse_expect(l->p, ',', "','")) return false;
        if (!source(l, k)) return false;
    }
    return true;
}

// fill = place "," ( place | BYTE )
static bool fill(Line *l) {
    TextParser *p = l->p;
    uint32_t byte;
    if (!source(l, 0) || !parse_expect(p, ',', "','")) return false;
    if (!parse_at(p, T_NUMBER)) return source(l, 1);
    if (!parse_u32(p, UINT8_MAX, "a byte", &byte)) return false;
    l->instr->immediate = 1;
    l->instr->high = (uint16_t)byte;
    return true;
}

static bool number_of(Line *l, BuiltinForm form) {
    uint64_t number;
    TextParser *p = l->p;
    bool align = form == BIF_ALIGN;
    const char *what = align               ? "an alignment"
                       : form == BIF_SIZE  ? "a number of bytes"
                       : form == BIF_LEVEL ? "the number of a frame"
                                           : "the number of a statement";
    bool first = !builtin_info(l->instr->op)->arguments[0];
    if (!(align ? parse_expect_word(p, "align") : first || parse_expect(p, ',', "','")) ||
        !parse_unsigned(p, INT64_MAX, what, &number))
        return false;
    l->instr->imm = (int64_t)number;
    return true;
}

static bool va_arg_(Line *l) {
    PType type;
    if (!parse_param_type(l->p, &type)) return false;
    const ParamType *info = program_ptype_info(l->p->program, type);
    l->instr->aux = type.i;
    bool aggregate = ptype_is_aggregate(info);
    return (aggregate ? no_result(l) : one_result(l) && result(l, 0, info->type)) &&
           more_sources(l, 1 + aggregate);
}

static bool builtin(Line *l) {
    const BuiltinInfo *info = builtin_info(l->instr->op);
    size_t count = strlen(info->arguments);
    bool atomic = info->form == BIF_ATOMIC;
    if (builtin_has_address(info))
        return access(l, count, info->result == BIR_CHUNK) &&
               (!atomic || parse_order(l->p, &l->instr->aux, true));
    if (info->form == BIF_PTYPE) return va_arg_(l);
    if (!(info->result == BIR_I64 ? one_result(l) && result(l, 0, TYPE_I64) : no_result(l)))
        return false;
    if (info->form == BIF_ORDER) return parse_order(l->p, &l->instr->aux, false);
    if (!(l->instr->op == BI_MEMSET ? fill(l) : more_sources(l, count))) return false;
    if (info->form == BIF_MACHINE)
        return (!count || parse_expect(l->p, ',', "','")) &&
               parse_machine_register(l->p, &l->instr->imm);
    return info->form == BIF_PLAIN || number_of(l, info->form);
}

// ---- Instructions

// Whether the current token is the word of a kind, and, if the text goes on with "." and a chunk or
// type, one that the kind may have; the instruction gets it.
static bool at_kind(Line *l, MachKind kind) {
    const MachKindInfo *info = &mach_kinds[kind];
    const char *text = l->p->lexer.text + l->p->token.start;
    size_t length = l->p->token.end - l->p->token.start, word = strlen(info->word);
    if (length < word || memcmp(text, info->word, word) != 0) return false;
    *l->instr = mach_instr(kind);
    if (info->text[0] != '.') return length == word;
    if (length == word || text[word] != '.') return false;
    text += word + 1, length -= word + 1;
    if (info->text[1] == TEXT_TYPE) {
        Op op =
            op_of(mach_kind_has(kind, MACH_EQUALITY) ? FAM_EQ : FAM_MOVE, type_named(text, length));
        l->instr->op = (uint16_t)op;
        return mach_kind_takes(kind, op);
    }
    Chunk chunk = chunk_named(text, length);
    l->instr->chunk = (uint8_t)chunk;
    return mach_kind_has(kind, MACH_WIDTH) ? chunk == CHUNK_I32 || chunk == CHUNK_I64
                                           : chunk < CHUNK_COUNT;
}

// The kind of an instruction that is written as its operator or builtin.
static bool at_operator(Line *l, MachKind kind) {
    const Mnemonic *mnemonic = parse_find_mnemonic(l->p);
    bool operation = mach_kind_has(kind, MACH_OPERATION);
    if (!mnemonic || mnemonic->kind != (operation ? I_OP : I_BUILTIN)) return false;
    *l->instr = mach_instr(kind);
    l->instr->op = mnemonic->op;
    l->instr->chunk = mnemonic->chunk;
    return mach_kind_takes(kind, mnemonic->op);
}

static bool find_kind(Line *l) {
    for (MachKind kind = 0; parse_at(l->p, T_WORD) && kind < MACH_KIND_COUNT; kind++)
        if (mach_kind_is_wordless(kind) ? at_operator(l, kind) : at_kind(l, kind)) return true;
    return parse_unknown_mnemonic(l->p);
}

// A type stands behind the word: that of the move.
static bool moved_type(Line *l) {
    Type type;
    if (!type_word(l->p, &type)) return false;
    l->instr->op = (uint16_t)op_move(type);
    return true;
}

static bool result_type(Line *l) {
    Type type;
    if (!type_word(l->p, &type)) return false;
    l->instr->aux = type;
    return true;
}

static bool byte_count(Line *l) {
    uint32_t size;
    if (!parse_u32(l->p, 8, "a number of bytes", &size)) return false;
    l->instr->imm = size;
    return true;
}

static bool checked(Line *l) {
    l->instr->checked = parse_accept_word(l->p, "checked");
    return true;
}

static bool piece(Line *l, MachText which) {
    MachInstr *instr = l->instr;
    switch (which) {
    case TEXT_OPERATION: return operation(l);
    case TEXT_CHECKED: return checked(l);
    case TEXT_CONDITION: return condition(l);
    case TEXT_TYPE: return moved_type(l);
    case TEXT_RESULT_TYPE: return result_type(l);
    case TEXT_ADDRESS: return address(l);
    case TEXT_NUMBER: return byte_count(l);
    case TEXT_VALUE: return value(l, 0);
    case TEXT_PLACE: return source(l, 0);
    case TEXT_SOURCE_2: return operand(l, 2, TYPE_VOID);
    case TEXT_SOURCE_3: return operand(l, 3, TYPE_VOID);
    case TEXT_DEST: return place(l->p, &instr->dest);
    case TEXT_CALL: return call(l);
    case TEXT_PARAMETERS: return params(l);
    case TEXT_RETURNED: return returned(l);
    case TEXT_LABEL: return target(l);
    case TEXT_CASES: return cases(l);
    case TEXT_BUILTIN: return builtin(l);
    case TEXT_CHUNK: break; // only in words
    }
    return false;
}

// What is meant literally up to the next piece: a word, an arrow or a sign.
static bool literal(Line *l, const char **text) {
    const char *start = *text;
    while (**text >= 'a' && **text <= 'z') ++*text;
    if (*text > start)
        return parse_expect_word(l->p, arena_text(l->p->scratch, start, (size_t)(*text - start)));
    bool arrow = *start == '-';
    *text += arrow ? 2 : 1;
    if (arrow) return parse_expect(l->p, T_ARROW, "'->'");
    return parse_expect(l->p, (uint32_t)*start, arena_printf(l->p->scratch, "'%c'", *start));
}

// Lists and builtins see to their results themselves; both places of an exchange are operands.
static bool instruction(Line *l) {
    MachKind kind = l->instr->kind;
    const char *text = mach_kinds[kind].text;
    bool has_result = mach_kind_has(kind, MACH_DEST) && !mach_kind_has(kind, MACH_BOTH);
    bool listed = mach_kind_has(kind, MACH_LIST) || mach_kind_has(kind, MACH_BUILTIN);
    if (!listed && !(has_result ? one_result(l) : no_result(l))) return false;
    if (*text == '.') text += 2; // read with the word
    while (*text) {
        if (*text == ' ')
            text++;
        else if (!(*text >= 'A' && *text <= 'Z' ? piece(l, (MachText)*text++) : literal(l, &text)))
            return false;
    }
    return !has_result || result(l, 0, mach_result_type(l->instr));
}

// ---- Lines

// If the line starts with results: those, in p->body.places and place_starts, and "=".
static bool results(TextParser *p) {
    Lexer ahead = p->lexer;
    uint32_t next = parse_at(p, T_WORD) ? lex_next(&ahead).kind : T_BAD;
    vec_clear(&p->body.places);
    vec_clear(&p->body.place_starts);
    if (!parse_at(p, T_REGISTER) && next != '=' && next != ',') return true;
    do {
        Place found;
        vec_push(p->scratch, &p->body.place_starts, p->token.start);
        if (!place(p, &found)) return false;
        vec_push(p->scratch, &p->body.places, found);
    } while (parse_accept(p, ','));
    return parse_expect(p, '=', "'='");
}

// Whether an instruction may stand here.
static bool in_block(TextParser *p) {
    const Mach *mach = p->body.func->mach;
    if (!mach->blocks.count)
        return parse_error(p, p->token.start, "an instruction stands behind the label of a block"),
               false;
    const MachBlock *block = &mach->blocks.at[mach->blocks.count - 1];
    if (!block->count || !mach_kind_ends(mach->code.at[mach->code.count - 1].kind)) return true;
    return parse_error(p, p->token.start, "this block has ended; a label is needed"), false;
}

static void excuse_results(TextParser *p) {
    for (uint32_t k = 0; k < p->body.places.count; k++)
        if (place_kind(p->body.places.at[k]) == PLACE_REG)
            p->body.reg_places.at[place_index(p->body.places.at[k])].excused = true;
}

static bool instruction_line(TextParser *p) {
    MachInstr instr = mach_instr(MK_STOP);
    Line line = {.p = p, .instr = &instr};
    uint32_t succ_count = p->body.succ_starts.count;
    vec_clear(&p->body.targets);
    if (!in_block(p) || !results(p)) return false;
    line.mnemonic = p->token.start;
    bool known = find_kind(&line);
    if (known) parse_next(p);
    if (!known || !instruction(&line) || !parse_location(p, &instr.loc) || !parse_end_of_line(p)) {
        p->body.succ_starts.count = succ_count;
        excuse_results(p);
        return false;
    }
    mach_add(p->body.func, instr);
    if (mach_kind_ends(instr.kind))
        mach_end(p->body.func, p->body.targets.at, p->body.targets.count);
    return true;
}

static void check_ended(TextParser *p, uint32_t start) {
    const Mach *mach = p->body.func->mach;
    if (!mach->blocks.count || p->diag->errors != p->body.errors) return;
    const MachBlock *block = &mach->blocks.at[mach->blocks.count - 1];
    if (!block->count || !mach_kind_ends(mach->code.at[mach->code.count - 1].kind))
        diag_error(p->diag, ((Span){.source = p->source, .start = start, .end = start + 1}),
                   "block b%u does not end with an instruction that says where to go on",
                   mach->blocks.count - 1);
}

// label = bNUMBER ":"
static bool label_line(TextParser *p) {
    uint32_t next = p->body.func->mach->blocks.count, start = p->token.start;
    check_ended(p, start);
    if (word_number(p, 'b') != next)
        parse_error(p, start, "blocks are numbered in order: this is b%u", next);
    mach_open(p->body.func);
    parse_next(p);
    return parse_expect(p, ':', "':'") && parse_end_of_line(p);
}

// saves = "saves" MACHINE { "," MACHINE }
static bool saves_line(TextParser *p) {
    do {
        MachineReg machine = machine_reg_here(p);
        if (machine == MACHINE_REG_LIMIT) return parse_expected(p, "a machine register");
        regs_add(&p->body.func->mach->saved, machine);
        parse_next(p);
    } while (parse_accept(p, ','));
    return parse_end_of_line(p);
}

// spills = "spills" SIZE { "," SIZE }
static bool spills_line(TextParser *p) {
    Func *func = p->body.func;
    do {
        MachSpill spill;
        if (!parse_u32(p, 16, "the size of a spill", &spill.size)) return false;
        vec_push(func->arena, &func->mach->spills, spill);
    } while (parse_accept(p, ','));
    return parse_end_of_line(p);
}

void mach_parse_begin(TextParser *p) {
    p->body.func->mach = ARENA_NEW(p->body.func->arena, Mach);
}

bool mach_parse_line(TextParser *p) {
    Lexer ahead = p->lexer;
    if (word_number(p, 'b') != NO_ID && lex_next(&ahead).kind == ':') return label_line(p);
    Mach *mach = p->body.func->mach;
    if (mach->blocks.count) return instruction_line(p);
    if (parse_accept_word(p, "allocated")) {
        mach->allocated = true;
        return parse_end_of_line(p);
    }
    if (parse_accept_word(p, "saves")) return saves_line(p);
    if (parse_accept_word(p, "spills")) return spills_line(p);
    return instruction_line(p);
}

void mach_parse_end(TextParser *p, uint32_t end) {
    const Mach *mach = p->body.func->mach;
    check_ended(p, end);
    parse_check_registers(p);
    if (p->diag->errors != p->body.errors) return;
    for (uint32_t i = 0; i < mach->succs.count; i++)
        if (mach->succs.at[i] >= mach->blocks.count)
            parse_error(p, p->body.succ_starts.at[i], "there is no block b%u in this function",
                        mach->succs.at[i]);
}
