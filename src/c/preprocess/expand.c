// Expansion of macros, with gcc's rules where the standard leaves a choice.
//
// An expansion is pushed as a context and read from there, so that names in the expansion are met
// again; the macro is disabled until its context ends. A name met while its macro is disabled is
// marked and stays as it is for ever. An argument is expanded once, when a use outside # and ##
// first needs the expansion.
//
// White space: a stringized argument shows white space, so expansions keep track of white space
// with padding tokens (TOK_PLACEMARKER). A padding with a source says "here begins the replacement
// of `source`: take the white space before `source`". A padding without a source says "an expansion
// ends here". Where several paddings meet, the first with a source decides, unless its source had
// no white space and an expansion ended since.
#include "base/deep_stack.h"
#include "c/preprocess/pp_private.h"

#include <string.h>

typedef struct {
    const Token *tokens;
    uint32_t count;
    bool omitted; // a variable argument that is not there, not even empty
    bool is_expanded;
    const Token *expanded;
    uint32_t expanded_count;
} Argument;

Token padding(const Token *source) {
    Token token = {.kind = TOK_PLACEMARKER};
    if (source) {
        token.flags = source->flags & (TOKF_SPACE | TOKF_LINE);
        token.number = 1;
    }
    return token;
}

void spacing_pad(Spacing *spacing, const Token *pad) {
    bool source = pad->number;
    if (*spacing == SPACING_OWN && source)
        *spacing = pad->flags & TOKF_SPACE ? SPACING_WHITE : SPACING_TIGHT;
    else if (*spacing == SPACING_TIGHT && !source)
        *spacing = SPACING_OWN;
}

bool spacing_white(Spacing *spacing, const Token *token) {
    bool white = *spacing == SPACING_OWN ? token->flags & TOKF_SPACE : *spacing == SPACING_WHITE;
    *spacing = SPACING_OWN;
    return white;
}

// ---- Arguments

// Whether an opening parenthesis comes next. Expansions that end on the way are left; the white
// space they stood for is put back if there is no call.
static bool find_paren(Pp *pp) {
    Token pad = {0}, next;
    bool padded = false;
    for (;;) {
        if (!pp->contexts.count) {
            if (lex_peek_paren(pp)) return true;
            break;
        }
        Context *context = &pp->contexts.at[pp->contexts.count - 1];
        if (context->at < context->end) {
            if (context->at->kind == TOK_LPAREN) return true;
            if (context->at->kind != TOK_PLACEMARKER) break;
            next = *context->at++;
        } else {
            if (context->barrier) break;
            pp_pop_context(pp);
            next = padding(NULL);
        }
        if (!padded || !pad.number || (!(pad.flags & TOKF_SPACE) && !next.number)) pad = next;
        padded = true;
    }
    if (padded) {
        pp_push_tokens(pp, arena_copy(pp->scratch, &pad, sizeof pad), 1, NULL, 0);
    }
    return false;
}

typedef struct {
    Tokens tokens;
    Tokens pragmas;     // directives among the arguments; they go before the expansion
    VEC(uint32_t) ends; // of each argument in `tokens`
    uint32_t count;     // how many arguments there are
    bool terminated;
} Collected;

// One argument. Returns the kind of token that ended it.
static TokenKind collect_argument(Pp *pp, const Macro *macro, Collected *collected) {
    uint32_t start = collected->tokens.count, depth = 0;
    bool variable = macro->variadic && collected->count == macro->param_count;
    Token token;
    for (;;) {
        pp_get(pp, &token);
        if (token.kind == TOK_PLACEMARKER) {
            if (collected->tokens.count == start) continue;
        } else if (token.kind == TOK_LPAREN) {
            depth++;
        } else if (token.kind == TOK_RPAREN) {
            if (depth-- == 0) break;
        } else if (token.kind == TOK_COMMA) {
            if (depth == 0 && !variable) break;
        } else if (token.kind == TOK_PRAGMA && !pp->contexts.count) {
            vec_push(pp->scratch, &collected->pragmas, token);
            continue;
        } else if (token.kind == TOK_EOF || token.kind == TOK_NEWLINE) {
            break;
        }
        vec_push(pp->scratch, &collected->tokens, token);
    }
    Tokens *tokens = &collected->tokens;
    while (tokens->count > start && tokens->at[tokens->count - 1].kind == TOK_PLACEMARKER)
        tokens->count--;
    return token.kind;
}

static void collect_arguments(Pp *pp, const Macro *macro, Collected *collected) {
    uint8_t parsing = pp->parsing_arguments;
    pp->parsing_arguments = 2;
    pp->prevent_expansion++;
    Token paren;
    pp_get_solid(pp, &paren);
    TokenKind kind;
    do {
        collected->count++;
        kind = collect_argument(pp, macro, collected);
        vec_push(pp->scratch, &collected->ends, collected->tokens.count);
    } while (kind == TOK_COMMA);
    pp->prevent_expansion--;
    pp->parsing_arguments = parsing;
    collected->terminated = kind == TOK_RPAREN;
}

// Counts tokens of an expansion. Tokens of arguments count as well: calls nested in arguments read
// the same tokens again at each level.
static bool within_limit(Pp *pp, const Token *name, uint32_t count) {
    pp->produced += count;
    if (pp->produced <= pp->options.expansion_limit) return true;
    if (!pp->stopped)
        pp_error(pp, name, "expansion of macro '%s' yields more than %u tokens", name->ident->text,
                 pp->options.expansion_limit);
    pp->stopped = true;
    return false;
}

static void note_definition(Pp *pp, const Macro *macro) {
    pp_note(pp, macro->pos, macro->name->length, "macro '%s' defined here", macro->name->text);
}

static bool check_count(Pp *pp, const Macro *macro, const Token *name, Collected *collected) {
    if (!collected->terminated) {
        pp_error(pp, name, "unterminated argument list invoking macro '%s'", name->ident->text);
        note_definition(pp, macro);
        return false;
    }
    uint32_t given = collected->count, wanted = macro->param_count;
    if (given == 1 && wanted == 0 && !collected->tokens.count) given = collected->count = 0;
    if (given == wanted || (given + 1 == wanted && macro->variadic)) return true;
    if (given < wanted)
        pp_error(pp, name, "macro '%s' requires %u argument%s, but only %u given",
                 name->ident->text, wanted, wanted == 1 ? "" : "s", given);
    else
        pp_error(pp, name, "macro '%s' passed %u arguments, but takes just %u", name->ident->text,
                 given, wanted);
    note_definition(pp, macro);
    return false;
}

// The arguments of a call whose parenthesis comes next; NULL after a report.
static Argument *read_arguments(Pp *pp, const Macro *macro, const Token *name, Tokens *pragmas) {
    Collected collected = {0};
    collect_arguments(pp, macro, &collected);
    *pragmas = collected.pragmas;
    if (!check_count(pp, macro, name, &collected)) return NULL;
    if (!within_limit(pp, name, collected.tokens.count)) return NULL;
    Argument *arguments = ARENA_ARRAY(pp->scratch, Argument, macro->param_count + 1u);
    uint32_t start = 0;
    for (uint32_t i = 0; i < collected.count; i++) {
        if (collected.tokens.count) arguments[i].tokens = collected.tokens.at + start;
        arguments[i].count = collected.ends.at[i] - start;
        start = collected.ends.at[i];
    }
    // A comma before ## and an omitted variable argument goes away; before an empty argument only
    // where it is the sole parameter and the standard is not followed to the letter.
    if (macro->variadic) {
        bool lone = collected.count == 1 && arguments[0].count == 0 && pp->gnu;
        if (collected.count < macro->param_count || lone)
            arguments[macro->param_count - 1].omitted = true;
    }
    return arguments;
}

static void expand_argument(Pp *pp, Argument *argument) {
    argument->is_expanded = true;
    if (stack_is_low(pp->stack_floor)) {
        if (argument->count)
            pp_error(pp, &argument->tokens[0], "macro calls are nested too deeply here");
        pp->stopped = true;
        return;
    }
    uint32_t prevented = pp->prevent_expansion, depth = pp->contexts.count;
    pp->prevent_expansion = 0;
    pp->argument_depth++;
    pp_push_tokens(pp, argument->tokens, argument->count, NULL, 0);
    pp->contexts.at[depth].barrier = true;
    Tokens tokens = {0};
    for (Token token; pp_get(pp, &token), token.kind != TOK_EOF;)
        vec_push(pp->scratch, &tokens, token);
    while (pp->contexts.count > depth) pp_pop_context(pp);
    pp->argument_depth--;
    pp->prevent_expansion = prevented;
    argument->expanded = tokens.at;
    argument->expanded_count = tokens.count;
    pp->produced += tokens.count;
}

// ---- # and ##

static bool is_literal(const Token *token) {
    return token->kind == TOK_STRING || token->kind == TOK_CHAR || token->kind == TOK_HEADER;
}

static void text_escaped(Pp *pp, const Token *token) {
    for (uint32_t i = 0; i < token->length; i++) {
        char c = token->spelling[i];
        if (c == '\\' || c == '"') text_add(pp, "\\", 1);
        // The end of a line in a raw string.
        text_add(pp, c == '\n' ? "\\n" : &c, c == '\n' ? 2 : 1);
    }
}

static Token stringize(Pp *pp, const Token *tokens, uint32_t count) {
    vec_clear(&pp->text);
    text_add(pp, "\"", 1);
    Spacing spacing = SPACING_OWN;
    uint32_t backslashes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Token *token = &tokens[i];
        if (token->kind == TOK_PLACEMARKER) {
            spacing_pad(&spacing, token);
            continue;
        }
        if (spacing_white(&spacing, token) && pp->text.count > 1) text_add(pp, " ", 1);
        if (is_literal(token))
            text_escaped(pp, token);
        else
            text_spelling(pp, token);
        bool backslash = token->kind == TOK_OTHER && token->spelling[0] == '\\';
        backslashes = backslash ? backslashes + 1 : 0;
    }
    if (backslashes & 1) {
        pp_warn(pp, NULL, &tokens[count - 1], "invalid string literal, ignoring final '\\'");
        pp->text.count--;
    }
    text_add(pp, "\"", 1);
    return lex_make(pp, TOK_STRING, pp->text.at, pp->text.count);
}

enum { PASTED_PER_TOKEN = 16 };

// Joins two tokens. A mistake is the macro's mistake, so it is reported at its name. Long results
// count as several tokens, since a row of pastes makes each of its prefixes.
static bool paste(Pp *pp, const Macro *macro, const Token *name, Token *left, const Token *right) {
    vec_clear(&pp->text);
    text_spelling(pp, left);
    uint32_t middle = pp->text.count;
    text_spelling(pp, right);
    if (!within_limit(pp, name, pp->text.count / PASTED_PER_TOKEN)) return false;
    Token token = *left;
    if (lex_text(pp, &token)) {
        token.flags = (uint8_t)((left->flags & (TOKF_SPACE | TOKF_SYSTEM)) | TOKF_PASTED);
        token.number = 0;
        *left = token;
        return true;
    }
    const char *text = pp->text.at;
    pp_error(pp, name, "pasting \"%.*s\" and \"%.*s\" does not give a valid preprocessing token",
             (int)middle, text, (int)(pp->text.count - middle), text + middle);
    note_definition(pp, macro);
    return false;
}

// Carries out the pastes that substitution has marked, in place.
static void paste_all(Pp *pp, const Macro *macro, const Token *name, Tokens *list) {
    Tokens result = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        Token token = list->at[i];
        bool pasting = token.flags & TOKF_PASTE, pasted = pasting;
        while (pasting) {
            uint32_t next = i + 1;
            while (next < list->count && list->at[next].kind == TOK_PLACEMARKER) next++;
            token.flags &= (uint8_t)~TOKF_PASTE;
            if (next == list->count || !paste(pp, macro, name, &token, &list->at[next])) break;
            pasting = list->at[next].flags & TOKF_PASTE;
            i = next;
        }
        vec_push(pp->scratch, &result, token);
        if (pasted) vec_push(pp->scratch, &result, padding(NULL));
    }
    *list = result;
}

// ---- Substitution

typedef struct {
    Pp *pp;
    const Macro *macro;
    const Token *name;
    Argument *arguments;
    uint32_t expansion;
    Tokens list;
    const Token *va_opt_token; // that __VA_OPT__, or NULL
    uint32_t va_opt_start;     // the length of `list` at its beginning; UINT32_MAX if none is open
} Substitution;

static void emit(Substitution *s, Token token) {
    vec_push(s->pp->scratch, &s->list, token);
}

static Token *last_token(Substitution *s) {
    return s->list.count ? &s->list.at[s->list.count - 1] : NULL;
}

static bool pasted_to_left(const Substitution *s, const Token *token) {
    return token != s->macro->body && token[-1].flags & TOKF_PASTE;
}

// Padding on the left of the replacement of a parameter or __VA_OPT__, unless it is pasted there.
static void pad_left(Substitution *s, const Token *token) {
    if (token != s->macro->body && !pasted_to_left(s, token) && s->list.count != s->va_opt_start)
        emit(s, padding(token));
}

static void set_paste(Token *token, bool on) {
    token->flags = (uint8_t)((token->flags & ~TOKF_PASTE) | (on ? TOKF_PASTE : 0));
}

static Token stringized(Substitution *s, const Token *token, const Token *tokens, uint32_t count) {
    Token result = stringize(s->pp, tokens, count);
    result.pos = token->pos;
    result.expansion = s->expansion;
    result.flags = token->flags & (TOKF_SYSTEM | TOKF_PASTE);
    return result;
}

// An argument on the right of ## only: what happens to the token on the left. A comma before a
// variable argument is not pasted; it goes away if the argument is omitted.
static void settle_left(Substitution *s, const Token *parameter, const Argument *argument) {
    Token *left = last_token(s);
    if (!left) return;
    bool variable = s->macro->variadic && parameter->number + 1u == s->macro->param_count;
    if (left->kind == TOK_COMMA && variable) {
        set_paste(left, false);
        if (argument->omitted) s->list.count--;
    } else if (argument->count == 0) {
        set_paste(left, false);
    }
}

// An argument at the beginning of __VA_OPT__ loses the padding it begins with. If nothing is left,
// a ## before __VA_OPT__ joins the empty argument, so that it joins no later token.
static void settle_va_opt_start(Substitution *s, const Token *parameter, const Token **tokens,
                                uint32_t *count) {
    while (*count && (*tokens)->kind == TOK_PLACEMARKER) {
        ++*tokens;
        --*count;
    }
    Token *left = last_token(s);
    if (!*count && left && left->flags & TOKF_PASTE) set_paste(left, parameter->flags & TOKF_PASTE);
}

static void substitute_parameter(Substitution *s, const Token *parameter) {
    Pp *pp = s->pp;
    Argument *argument = &s->arguments[parameter->number];
    bool to_right = parameter->flags & TOKF_PASTE, to_left = pasted_to_left(s, parameter);
    const Token *tokens = argument->tokens;
    uint32_t count = argument->count;
    Token text;
    if (parameter->flags & TOKF_STRINGIZE) {
        text = stringized(s, parameter, tokens, count);
        tokens = &text;
        count = 1;
    } else if (!to_left && !to_right) {
        if (!argument->is_expanded) expand_argument(pp, argument);
        tokens = argument->expanded;
        count = argument->expanded_count;
    } else if (!to_right && s->list.count != s->va_opt_start) {
        settle_left(s, parameter, argument);
    }
    pad_left(s, parameter);
    if (s->list.count == s->va_opt_start) settle_va_opt_start(s, parameter, &tokens, &count);
    if (count) {
        memcpy(vec_extend(pp->scratch, &s->list, count), tokens, count * sizeof *tokens);
        if (to_right) set_paste(last_token(s), true);
    }
    if (!to_right) emit(s, padding(NULL));
}

static bool has_variable_arguments(Substitution *s) {
    Argument *argument = &s->arguments[s->macro->param_count - 1];
    if (!argument->is_expanded) expand_argument(s->pp, argument);
    for (uint32_t i = 0; i < argument->expanded_count; i++)
        if (argument->expanded[i].kind != TOK_PLACEMARKER) return true;
    return false;
}

static void end_va_opt(Substitution *s, const Token *close) {
    Tokens *list = &s->list;
    uint32_t start = s->va_opt_start;
    const Token *open = s->va_opt_token;
    s->va_opt_start = UINT32_MAX;
    if (open->flags & TOKF_STRINGIZE) {
        while (list->count > start && last_token(s)->kind == TOK_PLACEMARKER) list->count--;
        Tokens inner = {.at = list->at + start, .count = list->count - start};
        paste_all(s->pp, s->macro, s->name, &inner);
        Token text = stringized(s, open, inner.at, inner.count);
        set_paste(&text, close->flags & TOKF_PASTE);
        list->count = start;
        emit(s, text);
        if (!(close->flags & TOKF_PASTE)) emit(s, padding(NULL));
        return;
    }
    Token *last = last_token(s);
    if (last && list->count == start && last->flags & TOKF_PASTE) set_paste(last, false);
    if (!(close->flags & TOKF_PASTE)) {
        emit(s, padding(NULL));
        return;
    }
    // The padding of an empty argument is joined instead of the token before it.
    while (list->count > start && last_token(s)->kind == TOK_PLACEMARKER && !last_token(s)->number)
        list->count--;
    last = last_token(s);
    if (last && last->kind != TOK_PLACEMARKER) set_paste(last, true);
}

// The tokens that replace a macro call or, with pastes, an object-like macro.
static Tokens substitute(Pp *pp, const Macro *macro, const Token *name, Argument *arguments,
                         uint32_t expansion) {
    Substitution s = {.pp = pp,
                      .macro = macro,
                      .name = name,
                      .arguments = arguments,
                      .expansion = expansion,
                      .va_opt_start = UINT32_MAX};
    for (uint32_t i = 0; i < macro->count && !pp->stopped; i++) {
        const Token *token = &macro->body[i];
        if (token->kind == TOK_PARAMETER) {
            substitute_parameter(&s, token);
        } else if (token->kind == TOK_VA_OPT) {
            pad_left(&s, token);
            s.va_opt_start = s.list.count;
            s.va_opt_token = token;
            if (!has_variable_arguments(&s)) i = token->length - 1;
        } else if (token->kind == TOK_VA_OPT_END) {
            end_va_opt(&s, token);
        } else {
            Token copy = *token;
            copy.expansion = expansion;
            emit(&s, copy);
        }
    }
    if (macro->pastes) paste_all(pp, macro, name, &s.list);
    return s.list;
}

// ---- Calls

static uint32_t new_expansion(Pp *pp, const Macro *macro, const Token *name) {
    if (pp->expansions.count == UINT32_MAX - 1) return 0;
    vec_push(pp->arena, &pp->expansions,
             (Expansion){.macro = macro->name->name, .at = name->pos, .parent = name->expansion});
    return pp->expansions.count - 1;
}

bool macro_expand(Pp *pp, Macro *macro, Token *name) {
    if (macro->kind > MACRO_POISONED) {
        pp_note_invocation(pp, name);
        return builtin_expand(pp, macro, name);
    }
    Argument *arguments = NULL;
    Tokens pragmas = {0};
    if (macro->kind == MACRO_FUNCTION) {
        if (!find_paren(pp)) return false;
        arguments = read_arguments(pp, macro, name, &pragmas);
        if (!arguments) {
            name->flags |= TOKF_FAILED;
            return false;
        }
    }
    pp_note_invocation(pp, name);
    uint32_t expansion = new_expansion(pp, macro, name);
    if (!within_limit(pp, name, macro->count)) return false;
    if (macro->pastes || macro->param_count) {
        Tokens list = substitute(pp, macro, name, arguments, expansion);
        if (!within_limit(pp, name, list.count)) return false;
        pp_push_tokens(pp, list.at, list.count, macro, 0);
    } else {
        pp_push_tokens(pp, macro->body, macro->count, macro, expansion);
    }
    macro->disabled = true;
    if (pragmas.count) pp_push_tokens(pp, pragmas.at, pragmas.count, NULL, 0);
    *name = padding(name);
    return true;
}

bool pp_needs_arguments(const Ident *ident) {
    return ident->macro && ident->macro->kind == MACRO_FUNCTION;
}
