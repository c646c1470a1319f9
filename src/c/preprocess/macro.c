// Definitions of macros: #define, #undef, comparing and printing them.
//
// A body is kept as tokens in the form that substitution wants: parameters are TOK_PARAMETER, # is
// a flag of its operand, ## a flag of its left operand, __VA_OPT__( and its closing parenthesis are
// tokens of their own that know each other.
#include "c/preprocess/pp_private.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(Ident *) Idents;

Ident *macro_name(Pp *pp, const char *directive_name, Token *token, bool defining) {
    lex_token(pp, token);
    if (token->kind == TOK_NEWLINE) {
        pp_error(pp, token, "no macro name given in #%s directive", directive_name);
        return NULL;
    }
    if (token->kind != TOK_IDENT) {
        pp_error(pp, token, "macro names must be identifiers");
        return NULL;
    }
    Ident *ident = token->ident;
    if (ident->macro && ident->macro->kind == MACRO_POISONED) {
        pp_error(pp, token, "use of poisoned name '%s'", ident->text);
        return NULL;
    }
    if (defining &&
        (ident == pp->names.defined || ident == pp->names.va_args || ident == pp->names.va_opt)) {
        pp_error(pp, token, "'%s' cannot be used as a macro name", ident->text);
        return NULL;
    }
    return ident;
}

// ---- Parameters

static bool add_parameter(Pp *pp, Idents *params, const Token *token) {
    if (token->ident->parameter) {
        pp_error(pp, token, "duplicate macro parameter '%s'", token->ident->text);
        return false;
    }
    if (params->count == UINT16_MAX - 1) {
        pp_error(pp, token, "too many macro parameters");
        return false;
    }
    vec_push(pp->arena, params, token->ident);
    token->ident->parameter = (uint16_t)params->count;
    return true;
}

// After "..." or "name...": only the end may follow.
static bool end_variadic(Pp *pp, Token *token) {
    lex_token(pp, token);
    if (token->kind == TOK_RPAREN) return true;
    pp_error(pp, token, "expected ')' after '...' in macro parameter list");
    return false;
}

// The parameters behind the opening parenthesis.
static bool read_parameters(Pp *pp, Macro *macro, Idents *params) {
    Token token;
    lex_token(pp, &token);
    if (token.kind == TOK_RPAREN) return true;
    for (;; lex_token(pp, &token)) {
        if (token.kind == TOK_ELLIPSIS) {
            token.ident = pp->names.va_args;
            macro->variadic = true;
            return add_parameter(pp, params, &token) && end_variadic(pp, &token);
        }
        if (token.kind != TOK_IDENT) {
            pp_error(pp, &token, "expected parameter name in macro parameter list");
            return false;
        }
        if (token.ident == pp->names.va_args) {
            pp_error(pp, &token, "'__VA_ARGS__' cannot be the name of a parameter");
            return false;
        }
        if (!add_parameter(pp, params, &token)) return false;
        lex_token(pp, &token);
        if (token.kind == TOK_ELLIPSIS) {
            macro->variadic = macro->named_variadic = true;
            return end_variadic(pp, &token);
        }
        if (token.kind == TOK_RPAREN) return true;
        if (token.kind != TOK_COMMA) {
            pp_error(pp, &token, "expected ',' or ')' in macro parameter list");
            return false;
        }
    }
}

// ---- Bodies

typedef struct {
    Pp *pp;
    Macro *macro;
    Tokens body;
    Token hash; // a # whose operand comes next
    bool pending_hash;
    bool after_paste; // the last token read was ##
    Token paste;      // that token
    uint32_t va_opt;  // index of the open __VA_OPT__ plus one, or 0
    uint32_t parens;  // open in it
} BodyReader;

static bool paste_at_end(BodyReader *reader, const char *of) {
    pp_error(reader->pp, &reader->paste, "'##' cannot appear at either end of %s", of);
    return false;
}

static bool read_paste(BodyReader *reader, const Token *token) {
    reader->paste = *token;
    Tokens *body = &reader->body;
    if (!body->count) return paste_at_end(reader, "a macro expansion");
    Token *last = &body->at[body->count - 1];
    if (last->kind == TOK_VA_OPT) return paste_at_end(reader, "__VA_OPT__");
    last->flags |= TOKF_PASTE;
    reader->macro->pastes = true;
    reader->after_paste = true;
    return true;
}

static bool open_va_opt(BodyReader *reader, Token *token) {
    Pp *pp = reader->pp;
    if (reader->va_opt) {
        pp_error(pp, token, "__VA_OPT__ may not appear in a __VA_OPT__");
        return false;
    }
    Token paren;
    lex_token(pp, &paren);
    if (paren.kind != TOK_LPAREN) {
        pp_error(pp, &paren, "expected '(' after __VA_OPT__");
        return false;
    }
    token->kind = TOK_VA_OPT;
    reader->va_opt = reader->body.count + 1;
    reader->parens = 0;
    return true;
}

static bool close_va_opt(BodyReader *reader, Token *token) {
    if (reader->after_paste) return paste_at_end(reader, "__VA_OPT__");
    token->kind = TOK_VA_OPT_END;
    reader->body.at[reader->va_opt - 1].length = reader->body.count;
    reader->va_opt = 0;
    return true;
}

static void check_variadic_name(BodyReader *reader, const Token *token) {
    const Ident *ident = token->ident;
    if (ident == reader->pp->names.va_args || ident == reader->pp->names.va_opt)
        pp_warn(reader->pp, NULL, token, "%s can only appear in the expansion of a variadic macro",
                ident->text);
}

// Gives an identifier or parenthesis its meaning in a body.
static bool classify(BodyReader *reader, Token *token) {
    Macro *macro = reader->macro;
    if (token->kind == TOK_IDENT) {
        if (token->ident->parameter && macro->kind == MACRO_FUNCTION) {
            token->kind = TOK_PARAMETER;
            token->number = (uint16_t)(token->ident->parameter - 1);
        } else if (token->ident == reader->pp->names.va_opt && macro->variadic) {
            return open_va_opt(reader, token);
        } else {
            check_variadic_name(reader, token);
        }
    } else if (reader->va_opt && token->kind == TOK_LPAREN) {
        reader->parens++;
    } else if (reader->va_opt && token->kind == TOK_RPAREN) {
        if (reader->parens-- == 0) return close_va_opt(reader, token);
    }
    return true;
}

static bool read_body_token(BodyReader *reader, Token *token) {
    Pp *pp = reader->pp;
    token->flags &= TOKF_SPACE | TOKF_SYSTEM;
    if (token->kind == TOK_HASHHASH && !reader->pending_hash) return read_paste(reader, token);
    if (token->kind == TOK_HASH && reader->macro->kind == MACRO_FUNCTION && !reader->pending_hash) {
        reader->hash = *token;
        reader->pending_hash = true;
        return true;
    }
    if (!classify(reader, token)) return false;
    if (reader->pending_hash) {
        if (token->kind != TOK_PARAMETER && token->kind != TOK_VA_OPT) {
            pp_error(pp, &reader->hash, "'#' is not followed by a macro parameter");
            return false;
        }
        token->flags = (uint8_t)(TOKF_STRINGIZE | (token->flags & ~TOKF_SPACE) |
                                 (reader->hash.flags & TOKF_SPACE));
        reader->pending_hash = false;
    }
    reader->after_paste = false;
    vec_push(pp->arena, &reader->body, *token);
    return true;
}

// The body, from its first token on.
static bool read_body(Pp *pp, Macro *macro, Token *token) {
    BodyReader reader = {.pp = pp, .macro = macro};
    for (; token->kind != TOK_NEWLINE; lex_token(pp, token))
        if (!read_body_token(&reader, token)) return false;
    if (reader.pending_hash) {
        pp_error(pp, &reader.hash, "'#' is not followed by a macro parameter");
        return false;
    }
    if (reader.after_paste) return paste_at_end(&reader, "a macro expansion");
    if (reader.va_opt) {
        pp_error(pp, &reader.body.at[reader.va_opt - 1], "unterminated __VA_OPT__");
        return false;
    }
    if (reader.body.count) reader.body.at[0].flags &= (uint8_t)~TOKF_SPACE;
    macro->body = reader.body.at;
    macro->count = reader.body.count;
    return true;
}

// ---- Redefinition

static bool same_token(const Token *a, const Token *b) {
    uint8_t flags = TOKF_SPACE | TOKF_STRINGIZE | TOKF_PASTE;
    if (a->kind != b->kind || (a->flags & flags) != (b->flags & flags)) return false;
    if (a->kind == TOK_IDENT || a->kind == TOK_PARAMETER) return a->ident == b->ident;
    if (a->length != b->length) return false;
    if (a->kind == TOK_VA_OPT || a->kind == TOK_VA_OPT_END || punctuator_text(a->kind)) return true;
    return memcmp(a->spelling, b->spelling, a->length) == 0;
}

static bool same_macro(const Macro *a, const Macro *b) {
    if (a->kind != b->kind || a->param_count != b->param_count || a->count != b->count ||
        a->variadic != b->variadic || a->named_variadic != b->named_variadic)
        return false;
    for (uint32_t i = 0; i < a->param_count; i++)
        if (a->params[i] != b->params[i]) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_token(&a->body[i], &b->body[i])) return false;
    return true;
}

static void check_redefinition(Pp *pp, const Token *name, const Macro *old, const Macro *fresh) {
    if (old->kind > MACRO_POISONED) {
        pp_warn(pp, "builtin-macro-redefined", name, "redefining builtin macro '%s'",
                name->ident->text);
    } else if (!same_macro(old, fresh)) {
        pp_warn(pp, "macro-redefined", name, "'%s' redefined", name->ident->text);
        pp_note(pp, old->pos, name->ident->length, "previous definition is here");
    }
}

// ---- The directives

static bool read_definition(Pp *pp, Macro *macro, Idents *params) {
    Token token;
    lex_token(pp, &token);
    if (token.kind == TOK_LPAREN && !(token.flags & TOKF_SPACE)) {
        macro->kind = MACRO_FUNCTION;
        if (!read_parameters(pp, macro, params)) return false;
        lex_token(pp, &token);
    } else if (token.kind != TOK_NEWLINE && !(token.flags & TOKF_SPACE)) {
        pp_warn(pp, NULL, &token, "missing white space after the macro name");
    }
    macro->params = params->at;
    macro->param_count = (uint16_t)params->count;
    return read_body(pp, macro, &token);
}

const Macro *macro_define(Pp *pp) {
    Token name;
    if (!macro_name(pp, "define", &name, true)) return NULL;
    Macro *macro = ARENA_NEW(pp->arena, Macro);
    *macro = (Macro){.name = name.ident, .pos = name.pos};
    Idents params = {0};
    bool good = read_definition(pp, macro, &params);
    for (uint32_t i = 0; i < params.count; i++) params.at[i]->parameter = 0;
    if (!good) return NULL;
    if (name.ident->macro) check_redefinition(pp, &name, name.ident->macro, macro);
    return name.ident->macro = macro;
}

const Ident *macro_undefine(Pp *pp) {
    Token name;
    if (!macro_name(pp, "undef", &name, true)) return NULL;
    if (name.ident->macro && name.ident->macro->kind > MACRO_POISONED)
        pp_warn(pp, "builtin-macro-redefined", &name, "undefining builtin macro '%s'",
                name.ident->text);
    name.ident->macro = NULL;
    directive_end(pp, "undef");
    return name.ident;
}

Macro *macro_builtin(Pp *pp, MacroKind kind, Ident *name) {
    Macro *macro = ARENA_NEW(pp->arena, Macro);
    *macro = (Macro){.name = name, .kind = (uint8_t)kind};
    return macro;
}

// ---- Printing

static void print_parameters(Out *out, const Macro *macro) {
    out_char(out, '(');
    for (uint32_t i = 0; i < macro->param_count; i++) {
        if (i) out_char(out, ',');
        bool last = i + 1u == macro->param_count;
        if (last && macro->variadic && !macro->named_variadic) {
            out_text(out, "...");
        } else {
            out_text(out, macro->params[i]->text);
            if (last && macro->variadic) out_text(out, "...");
        }
    }
    out_char(out, ')');
}

static void print_body_token(Pp *pp, Out *out, const Token *token) {
    if (token->flags & TOKF_SPACE) out_char(out, ' ');
    if (token->flags & TOKF_STRINGIZE) out_char(out, '#');
    size_t length;
    const char *text;
    switch (token->kind) {
    case TOK_PARAMETER: out_text(out, token->ident->text); break;
    case TOK_VA_OPT: out_text(out, "__VA_OPT__("); break;
    case TOK_VA_OPT_END: out_char(out, ')'); break;
    default: text = token_spelling(pp, token, &length); out_bytes(out, text, length);
    }
    if (token->flags & TOKF_PASTE) out_text(out, " ##");
}

void macro_print(Pp *pp, Out *out, const Macro *macro) {
    out_text(out, "#define ");
    out_text(out, macro->name->text);
    if (macro->kind == MACRO_FUNCTION) print_parameters(out, macro);
    out_char(out, ' ');
    for (uint32_t i = 0; i < macro->count; i++) {
        // Operands of ## read best with blanks around it.
        Token token = macro->body[i];
        if (i && macro->body[i - 1].flags & TOKF_PASTE) token.flags |= TOKF_SPACE;
        print_body_token(pp, out, &token);
    }
    out_char(out, '\n');
}

static int compare_names(const void *a, const void *b) {
    const Macro *const *left = a, *const *right = b;
    return strcmp((*left)->name->text, (*right)->name->text);
}

void pp_print_macros(Pp *pp, Out *out) {
    VEC(Macro *) macros = {0};
    for (uint32_t i = 0; i < pp->ident_capacity; i++) {
        const Ident *ident = pp->idents[i].ident;
        if (ident && ident->macro && ident->macro->kind < MACRO_POISONED)
            vec_push(pp->arena, &macros, ident->macro);
    }
    if (macros.count) qsort(macros.at, macros.count, sizeof *macros.at, compare_names);
    for (uint32_t i = 0; i < macros.count; i++) macro_print(pp, out, macros.at[i]);
}
