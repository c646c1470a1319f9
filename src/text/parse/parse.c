// The parser of the text forms: tokens, types and top-level items. See parse.h.
#include "text/parse/parse.h"

#include "base/bits.h"
#include "target/model.h"

#include <string.h>

// ---- Tokens and mistakes

bool parse_token_is(const TextParser *p, TextToken token, const char *word) {
    size_t length = strlen(word);
    return token.kind == T_WORD && token.end - token.start == length &&
           memcmp(p->lexer.text + token.start, word, length) == 0;
}

bool parse_at_word(const TextParser *p, const char *word) {
    return parse_token_is(p, p->token, word);
}

bool parse_accept_word(TextParser *p, const char *word) {
    if (!parse_at_word(p, word)) return false;
    parse_next(p);
    return true;
}

static TextToken token_at(const TextParser *p, uint32_t place) {
    Lexer lexer = p->lexer;
    lexer.at = place;
    return lex_next(&lexer);
}

Span parse_span(const TextParser *p, uint32_t place) {
    TextToken token = token_at(p, place);
    return (Span){.source = p->source, .start = token.start, .end = token.end};
}

uint32_t parse_line(TextParser *p, uint32_t place) {
    return diag_place(p->diag, p->source, place).line;
}

const char *parse_shown(TextParser *p, uint32_t place) {
    TextToken token = token_at(p, place);
    if (token.kind == T_END) return "the end of the text";
    if (token.kind == T_LINE) return "the end of the line";
    size_t length = token.end - token.start, room = sizeof p->found - 6, at = 0;
    p->found[at++] = '\'';
    for (size_t i = 0; i < length && i < room; i++) {
        char c = p->lexer.text[token.start + i];
        p->found[at++] = c >= ' ' && c < 127 ? c : '?';
    }
    memcpy(p->found + at, length > room ? "...'" : "'", length > room ? 5 : 2);
    return p->found;
}

bool parse_expected(TextParser *p, const char *what) {
    if (parse_at(p, T_BAD))
        parse_error(p, p->token.start, "%s", p->token.problem);
    else
        parse_error(p, p->token.start, "expected %s, found %s", what,
                    parse_shown(p, p->token.start));
    return false;
}

bool parse_expect(TextParser *p, uint32_t kind, const char *what) {
    return parse_accept(p, kind) || parse_expected(p, what);
}

bool parse_expect_word(TextParser *p, const char *word) {
    if (parse_accept_word(p, word)) return true;
    char what[32];
    snprintf(what, sizeof what, "'%s'", word);
    return parse_expected(p, what);
}

bool parse_end_of_line(TextParser *p) {
    return parse_at(p, T_END) || parse_expect(p, T_LINE, "the end of the line");
}

// ---- Types

static Type scalar_type(const TextParser *p) {
    if (!parse_at(p, T_WORD)) return TYPE_COUNT;
    return type_named(p->lexer.text + p->token.start, p->token.end - p->token.start);
}

static bool too_many_parts(TextParser *p, uint32_t most) {
    static const char *const words[PARTS_LIMIT + 1] = {"no", "one", "two", "three", "four"};
    parse_error(p, p->token.start, "an aggregate has at most %s part%s", words[most],
                most == 1 ? "" : "s");
    return false;
}

// aggregate = "agg" "(" SIZE "align" ALIGN [ ":" part [ "," part ] ] ")"
static bool aggregate(TextParser *p, PType *type) {
    ParamType info = {.type = TYPE_VOID};
    uint32_t place = p->token.start;
    parse_next(p);
    if (!parse_expect(p, '(', "'('") ||
        !parse_unsigned(p, UINT64_MAX, "the size of the aggregate", &info.size) ||
        !parse_expect_word(p, "align") || !parse_u32(p, UINT32_MAX, "an alignment", &info.align))
        return false;
    if (info.size == 0) return parse_error(p, place, "an aggregate has at least one byte"), false;
    if (parse_accept(p, ':')) {
        do {
            Type part = scalar_type(p);
            if (part == TYPE_VOID || part == TYPE_COUNT)
                return parse_expected(p, "the type of a register");
            if (info.parts == target_most_parts(p->program->target))
                return too_many_parts(p, info.parts);
            info.part[info.parts++] = part;
            parse_next(p);
        } while (parse_accept(p, ','));
    }
    *type = program_ptype(p->program, info);
    return parse_expect(p, ')', "')'");
}

bool parse_param_type(TextParser *p, PType *type) {
    if (parse_at_word(p, "agg")) return aggregate(p, type);
    Type scalar = scalar_type(p);
    if (scalar == TYPE_VOID || scalar == TYPE_COUNT)
        return parse_expected(p, "the type of a parameter");
    *type = PTYPE_OF(scalar);
    parse_next(p);
    return true;
}

bool parse_result_type(TextParser *p, PType *type) {
    *type = PTYPE_VOID;
    if (parse_accept_word(p, "void")) return true;
    if (scalar_type(p) == TYPE_COUNT && !parse_at_word(p, "agg"))
        return parse_expected(p, "the type of the result");
    return parse_param_type(p, type);
}

// param = type | type register | "..."
static bool param(TextParser *p, ParamsKind kind, SigInfo *sig) {
    if (parse_at(p, T_ELLIPSIS)) {
        if (sig->variadic) return parse_expected(p, "the type of a parameter");
        sig->variadic = true;
        sig->fixed_count = p->types.count;
        parse_next(p);
        return true;
    }
    if (sig->variadic && kind != PARAMS_CALLED) return parse_expected(p, "')' after '...'");
    PType type;
    if (!parse_param_type(p, &type)) return false;
    vec_push(p->keep, &p->types, type);
    if (kind != PARAMS_DEFINED) return true;
    if (!parse_at(p, T_REGISTER)) // some bodies find their parameters elsewhere
        return form_table[p->form].body != BODY_graph ||
               parse_expected(p, "the register of the parameter");
    vec_push(p->keep, &p->param_places, p->token.start);
    RegInfo info;
    if (!parse_register_name(p, &info)) return false;
    info.type = ptype_reg_type(program_ptype_info(p->program, type));
    vec_push(p->keep, &p->params, info);
    return true;
}

bool parse_params(TextParser *p, ParamsKind kind, PType result, Sig *sig) {
    SigInfo info = {.result = result};
    vec_clear(&p->types);
    vec_clear(&p->params);
    if (!parse_expect(p, '(', "'('")) return false;
    if (!parse_accept(p, ')')) {
        do
            if (!param(p, kind, &info)) return false;
        while (parse_accept(p, ','));
        if (!parse_expect(p, ')', "',' or ')'")) return false;
    }
    info.params = p->types.at;
    info.param_count = p->types.count;
    if (!info.variadic) info.fixed_count = info.param_count;
    uint32_t number = 0;
    if (parse_accept_word(p, "as") && !parse_u32(p, UINT16_MAX, "the class of a type", &number))
        return false;
    info.c_type = (uint16_t)number;
    info.returns_twice = kind == PARAMS_CALLED && parse_accept_word(p, "returns_twice");
    *sig = program_sig(p->program, info);
    return true;
}

// ---- Attributes

static const Attribute *attribute_named(const TextParser *p) {
    for (uint32_t i = 0; i < attribute_count; i++)
        if (parse_at_word(p, attribute_table[i].word)) return &attribute_table[i];
    return NULL;
}

static bool attribute_value(TextParser *p, Sym id, const Attribute *attribute) {
    Str section;
    uint32_t priority;
    switch (attribute->kind) {
    case ATTR_LINKAGE: program_at(p->program, id)->linkage = (Linkage)attribute->value; return true;
    case ATTR_VISIBILITY:
        program_at(p->program, id)->visibility = (Visibility)attribute->value;
        return true;
    case ATTR_FLAG: program_at(p->program, id)->flags |= attribute->value; return true;
    case ATTR_SECTION:
        if (!parse_text(p, &section)) return false;
        program_at(p->program, id)->section = section;
        return true;
    case ATTR_ALIGN:
        return parse_u32(p, UINT32_MAX, "an alignment", &program_at(p->program, id)->align);
    case ATTR_CONSTRUCTOR:
    case ATTR_DESTRUCTOR: break;
    }
    if (!parse_u32(p, INT32_MAX, "a priority", &priority)) return false;
    if (attribute->kind == ATTR_CONSTRUCTOR)
        program_at(p->program, id)->constructor = (int32_t)priority;
    else
        program_at(p->program, id)->destructor = (int32_t)priority;
    return true;
}

// attributes = { attribute }, in any order, none twice; `where` is what kind of symbol it is
static bool attributes(TextParser *p, Sym symbol, uint32_t where) {
    uint32_t seen = 0;
    const Attribute *attribute;
    while ((attribute = attribute_named(p))) {
        uint32_t bit = attribute->kind == ATTR_FLAG ? attribute->value << ATTR_DESTRUCTOR << 1
                                                    : (uint32_t)1 << attribute->kind;
        if (seen & bit) {
            parse_error(p, p->token.start, "'%s' repeats or contradicts an earlier attribute",
                        attribute->word);
            return false;
        }
        if (!(attribute->where & where)) {
            parse_error(p, p->token.start, "'%s' does not apply to this kind of symbol",
                        attribute->word);
            return false;
        }
        seen |= bit;
        parse_next(p);
        if (!attribute_value(p, symbol, attribute)) return false;
    }
    return true;
}

// ---- Top-level items

// The declared symbol, fresh.
static bool declare(TextParser *p, SymKind kind, bool defined, Sym *symbol) {
    if (!parse_at(p, T_SYMBOL)) return parse_expected(p, "the name of a symbol");
    uint32_t place = p->token.start;
    Str name;
    if (!parse_name(p, &name)) return false;
    Sym earlier = program_find(p->program, name);
    if (earlier.i != NO_ID) {
        parse_error(p, place, "%s is already declared on line %u", parse_shown(p, place),
                    parse_line(p, p->symbol_places.at[earlier.i]));
        return false;
    }
    *symbol = program_symbol(p->program, name, kind);
    program_at(p->program, *symbol)->defined = defined;
    vec_push(p->keep, &p->symbol_places, place);
    return true;
}

// code = "code" ( "fixed" | "pie" | "shared" ) [ "frame_pointers" ] [ "loose_stack" ] [
// "split_stack" ]
static bool code(TextParser *p) {
    if (p->code_given)
        return parse_error(p, p->token.start, "what code goes by is said already"), false;
    PicLevel pic = 0;
    while (pic < PIC_COUNT && !parse_accept_word(p, pic_name(pic))) pic++;
    if (pic == PIC_COUNT) return parse_expected(p, "'fixed', 'pie' or 'shared'");
    p->code_given = true;
    p->program->pic = pic;
    p->program->frame_pointer = parse_accept_word(p, "frame_pointers");
    p->program->loose_stack = parse_accept_word(p, "loose_stack");
    p->program->split_stack = parse_accept_word(p, "split_stack");
    return parse_end_of_line(p);
}

// file = "file" NUMBER string
static bool file(TextParser *p) {
    uint32_t place = p->token.start, number;
    if (!parse_u32(p, UINT32_MAX, "the number of the file", &number)) return false;
    if (number != p->program->files.count) {
        parse_error(p, place, "files are numbered from 1 in order: this is number %u",
                    p->program->files.count);
        return false;
    }
    Str name;
    if (!parse_text(p, &name)) return false;
    vec_push(p->program->arena, &p->program->files, name);
    return parse_end_of_line(p);
}

// global = "global" symbol "size" SIZE "align" ALIGN attributes [ "=" data ]
static bool global(TextParser *p, bool external) {
    Sym id;
    uint64_t size;
    uint32_t align;
    if (!declare(p, SYM_DATA, !external, &id) || !parse_expect_word(p, "size") ||
        !parse_unsigned(p, UINT64_MAX, "a size", &size) || !parse_expect_word(p, "align") ||
        !parse_u32(p, UINT32_MAX, "an alignment", &align) || !attributes(p, id, ON_DATA))
        return false;
    program_at(p->program, id)->size = size;
    program_at(p->program, id)->align = align;
    if (!external && parse_accept(p, '=') && !parse_data(p, id)) return false;
    return parse_end_of_line(p);
}

static bool mention_target(TextParser *p, Sym id) {
    if (!parse_expect(p, '=', "'='")) return false;
    if (!parse_at(p, T_SYMBOL)) return parse_expected(p, "the name of a symbol");
    Mention mention = {.in = id, .item = NO_ID, .place = p->token.start};
    if (!parse_name(p, &mention.name)) return false;
    vec_push(p->keep, &p->mentions, mention);
    return true;
}

// alias = "alias" symbol "=" symbol attributes
static bool alias(TextParser *p) {
    Sym id;
    return declare(p, SYM_DATA, true, &id) && mention_target(p, id) &&
           attributes(p, id, ON_ALIAS) && parse_end_of_line(p);
}

static bool at_item(const TextParser *p, TextToken token) {
    return parse_token_is(p, token, "code") || parse_token_is(p, token, "file") ||
           parse_token_is(p, token, "extern") || parse_token_is(p, token, "global") ||
           parse_token_is(p, token, "alias") || parse_token_is(p, token, "indirect") ||
           parse_token_is(p, token, "function");
}

// Goes from the first line of a body to its closing brace and yields where that is. No token
// crosses a line, so only the first one of each line is looked at. A line that can only stand
// outside of a body ends it too, lest one forgotten brace swallow the rest of the text.
static uint32_t skip_body(TextParser *p) {
    for (;;) {
        parse_next(p);
        if (parse_at(p, '}') || parse_at(p, T_END) || at_item(p, p->token)) return p->token.start;
        p->lexer.at = p->token.start;
        lex_skip_line(&p->lexer);
        if (p->lexer.at < p->lexer.end) p->lexer.at++;
    }
}

// The function of a header that has been read, with its parameters.
static Func *new_function(TextParser *p, Sym symbol, Sig sig) {
    Func *func = func_new(p->program, p->program->arena, symbol, sig);
    func->form = p->form;
    for (uint32_t i = 0; i < p->params.count; i++) {
        Reg reg = func_add_reg(func, p->params.at[i]);
        vec_push(func->arena, &func->params, reg);
    }
    program_at(p->program, symbol)->func = func;
    return func;
}

// function = "function" type symbol params attributes [ "{" line { line } "}" ]
static bool function(TextParser *p, bool external) {
    PType result;
    Sym id;
    Sig sig;
    ParamsKind kind = external || p->headers ? PARAMS_DECLARED : PARAMS_DEFINED;
    uint32_t first_param = p->param_places.count;
    if (!parse_result_type(p, &result) || !declare(p, SYM_FUNC, !external, &id) ||
        !parse_params(p, kind, result, &sig) || !attributes(p, id, ON_FUNCTION))
        return false;
    program_at(p->program, id)->sig = sig;
    if (external || p->headers) return parse_end_of_line(p);
    if (!parse_expect(p, '{', "'{'")) return false;
    if (!parse_at(p, T_LINE) && !parse_at(p, T_END)) return parse_end_of_line(p);
    Body body = {.func = new_function(p, id, sig), .first_param = first_param};
    body.start = p->lexer.at;
    body.end = skip_body(p);
    vec_push(p->keep, &p->bodies, body);
    if (parse_accept(p, '}')) return parse_end_of_line(p);
    parse_error(p, p->symbol_places.at[id.i], "the body of %s has no closing brace",
                parse_shown(p, p->symbol_places.at[id.i]));
    return true; // what stands here is an item
}

// indirect = "indirect" "function" type symbol params attributes "=" symbol
static bool indirect(TextParser *p) {
    PType result;
    Sym id;
    Sig sig;
    if (!parse_expect_word(p, "function") || !parse_result_type(p, &result) ||
        !declare(p, SYM_FUNC, true, &id) || !parse_params(p, PARAMS_DECLARED, result, &sig) ||
        !attributes(p, id, ON_FUNCTION))
        return false;
    program_at(p->program, id)->sig = sig;
    program_at(p->program, id)->flags |= SYMF_INDIRECT;
    return mention_target(p, id) && parse_end_of_line(p);
}

// item = code | file | reserve | asm | [ "extern" ] ( global | function ) | alias | indirect
static bool item(TextParser *p) {
    if (parse_accept_word(p, "code")) return code(p);
    if (parse_accept_word(p, "file")) return file(p);
    if (parse_accept_word(p, "reserve")) return parse_reserve_item(p);
    if (parse_accept_word(p, "asm")) return parse_asm_item(p);
    if (parse_accept_word(p, "alias")) return alias(p);
    if (parse_accept_word(p, "indirect")) return indirect(p);
    bool external = parse_accept_word(p, "extern");
    if (parse_accept_word(p, "global")) return global(p, external);
    if (parse_accept_word(p, "function")) return function(p, external);
    return parse_expected(p, external ? "'function' or 'global'"
                                      : "'code', 'file', 'reserve', 'asm', 'extern', 'global', "
                                        "'alias', 'indirect' or 'function'");
}

// After a mistake in the line that starts here: to the next line, or, if it looks like the header
// of a function, past its body.
static void skip_item(TextParser *p, uint32_t start) {
    p->lexer.at = start;
    bool opened = false;
    for (parse_next(p); !parse_at(p, T_LINE) && !parse_at(p, T_END); parse_next(p))
        opened = parse_at(p, '{') || (opened && !parse_at(p, '}'));
    if (!opened) return;
    skip_body(p);
    if (!parse_at(p, '}')) return;
    lex_skip_line(&p->lexer);
    parse_next(p);
}

static void items(TextParser *p) {
    parse_next(p);
    while (!parse_at(p, T_END)) {
        uint32_t start = p->token.start;
        if (!parse_accept(p, T_LINE) && !item(p)) skip_item(p, start);
    }
}

// ---- Symbols that were mentioned in items

static void resolve_mentions(TextParser *p) {
    for (uint32_t i = 0; i < p->mentions.count; i++) {
        const Mention *mention = &p->mentions.at[i];
        Symbol *in = program_at(p->program, mention->in);
        Sym symbol = program_find(p->program, mention->name);
        if (symbol.i == NO_ID)
            parse_error(p, mention->place, "%s is not declared", parse_shown(p, mention->place));
        else if (mention->item == NO_ID)
            in->alias = symbol;
        else
            in->data.at[mention->item].symbol = symbol;
    }
}

// Whether a symbol has the type of what it stands for.
static bool is_like_target(const Symbol *symbol) {
    return symbol->alias.i != NO_ID && !(symbol->flags & SYMF_INDIRECT);
}

// An alias is what it stands for. Chains of aliases are walked once: what a walk passes is done.
static void resolve_aliases(TextParser *p) {
    Program *program = p->program;
    Bits done = bits_new(p->keep, program->symbols.count);
    Bits passed = bits_new(p->keep, program->symbols.count);
    VEC(Sym) path = {0};
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        Sym at = {i};
        vec_clear(&path);
        while (is_like_target(program_at(program, at)) && !bits_has(&done, at.i) &&
               bits_put(&passed, at.i)) {
            vec_push(p->keep, &path, at);
            at = program_at(program, at)->alias;
        }
        if (is_like_target(program_at(program, at)) && !bits_has(&done, at.i))
            parse_error(p, p->symbol_places.at[at.i], "%s is an alias of itself",
                        parse_shown(p, p->symbol_places.at[at.i]));
        const Symbol *target = program_at(program, at);
        for (uint32_t k = 0; k < path.count; k++) {
            Symbol *symbol = program_at(program, path.at[k]);
            symbol->kind = target->kind;
            symbol->sig = target->sig;
            symbol->size = target->size;
            symbol->align = target->align;
            bits_add(&done, path.at[k].i);
        }
    }
}

void parse_open(TextParser *p, Arena *arena, Diag *diag, const char *name, const char *text,
                size_t length) {
    *p = (TextParser){
        .diag = diag,
        .source = diag_source(diag, name, text, length),
        .lexer = {.text = text, .end = (uint32_t)length},
        .program = program_new(arena),
        .keep = arena_new("parser"),
        .names = arena_new("registers"),
        .scratch = arena_new("body parser"),
    };
    parse_mnemonics(p);
}

void parse_items(TextParser *p, uint32_t end) {
    uint32_t whole = p->lexer.end;
    p->lexer.end = end;
    items(p);
    resolve_mentions(p);
    resolve_aliases(p);
    p->lexer.end = whole;
}

void parse_close(TextParser *p) {
    arena_free(p->keep);
    arena_free(p->names);
    arena_free(p->scratch);
}

Program *program_parse(Arena *arena, Diag *diag, Form form, const char *name, const char *text,
                       size_t length) {
    return program_parse_for(program_usual_target(), arena, diag, form, name, text, length);
}

Program *program_parse_for(const struct TargetModel *target, Arena *arena, Diag *diag, Form form,
                           const char *name, const char *text, size_t length) {
    uint32_t errors = diag->errors;
    TextParser p;
    parse_open(&p, arena, diag, name, text, length);
    p.program->target = target;
    p.form = form;
    p.lexer.plain_registers = form == FORM_MACH0;
    parse_items(&p, p.lexer.end);
    for (uint32_t i = 0; i < p.bodies.count; i++) parse_body(&p, &p.bodies.at[i]);
    parse_close(&p);
    return diag->errors == errors ? p.program : NULL;
}
