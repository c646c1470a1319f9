// Pragmas: those that concern the preprocessor are carried out here, the others go to the parser as
// one token, TOK_PRAGMA.
#include "c/preprocess/pp_private.h"

#include <string.h>

static bool is_named(const Token *token, const char *name) {
    return token->kind == TOK_IDENT && strcmp(token->ident->text, name) == 0;
}

// The rest of the line, behind what is in the list.
static void read_rest(Pp *pp, Tokens *tokens, bool expand) {
    Token token;
    Spacing spacing = SPACING_OWN;
    for (;;) {
        if (expand)
            pp_get(pp, &token);
        else
            lex_token(pp, &token);
        if (token.kind == TOK_NEWLINE || token.kind == TOK_EOF) break;
        if (token.kind == TOK_PLACEMARKER) {
            spacing_pad(&spacing, &token);
            continue;
        }
        bool white = spacing_white(&spacing, &token);
        token.flags = (uint8_t)((token.flags & ~TOKF_SPACE) | (white ? TOKF_SPACE : 0));
        vec_push(pp->scratch, tokens, token);
    }
}

static bool make_pragma(Pp *pp, const Token *at, Token *token) {
    Token result = lex_make(pp, TOK_PRAGMA, pp->text.at, pp->text.count);
    result.pos = at->pos;
    result.expansion = at->expansion;
    result.flags = (uint8_t)((at->flags & TOKF_SYSTEM) | TOKF_LINE);
    *token = result;
    return true;
}

// ("NAME") of push_macro and pop_macro; NULL after a warning.
static Ident *quoted_name(Pp *pp, const Token *pragma) {
    Token open, string, close;
    lex_token(pp, &open);
    lex_token(pp, &string);
    lex_token(pp, &close);
    if (open.kind == TOK_LPAREN && string.kind == TOK_STRING && string.length > 2 &&
        string.spelling[0] == '"' && close.kind == TOK_RPAREN)
        return pp_ident(pp, string.spelling + 1, string.length - 2);
    pp_warn(pp, "unknown-pragmas", pragma, "invalid #pragma %s, expected (\"NAME\")",
            pragma->ident->text);
    return NULL;
}

static void push_macro(Pp *pp, const Token *pragma) {
    Ident *name = quoted_name(pp, pragma);
    if (name)
        vec_push(pp->arena, &pp->saved, (struct SavedMacro){.name = name, .macro = name->macro});
}

static void pop_macro(Pp *pp, const Token *pragma) {
    Ident *name = quoted_name(pp, pragma);
    if (!name) return;
    for (uint32_t i = pp->saved.count; i--;) {
        if (pp->saved.at[i].name != name) continue;
        name->macro = pp->saved.at[i].macro;
        memmove(&pp->saved.at[i], &pp->saved.at[i + 1],
                (pp->saved.count - i - 1) * sizeof *pp->saved.at);
        pp->saved.count--;
        return;
    }
}

static void poison(Pp *pp) {
    Token token;
    for (lex_token(pp, &token); token.kind == TOK_IDENT; lex_token(pp, &token)) {
        if (token.ident->macro && token.ident->macro->kind == MACRO_POISONED) continue;
        if (token.ident->macro)
            pp_warn(pp, NULL, &token, "poisoning existing macro '%s'", token.ident->text);
        token.ident->macro = macro_builtin(pp, MACRO_POISONED, token.ident);
    }
    if (token.kind != TOK_NEWLINE) pp_error(pp, &token, "invalid #pragma GCC poison");
}

// Messages about the rest of the file are those about a system header from now on.
static void system_header(Pp *pp, const Token *pragma) {
    Buffer *buffer = pp->buffer;
    if (!buffer->below) {
        pp_warn(pp, NULL, pragma, "#pragma system_header ignored outside include file");
        return;
    }
    buffer->flags |= TOKF_SYSTEM;
    pp->inclusions.at[buffer->inclusion].system = true;
}

static void message(Pp *pp, const Token *pragma, bool error) {
    Token token;
    lex_token(pp, &token);
    int length = token.kind == TOK_STRING && token.length >= 2 ? (int)token.length - 2 : 0;
    const char *text = length ? token.spelling + 1 : "";
    if (error)
        pp_error(pp, pragma, "%.*s", length, text);
    else
        pp_warn(pp, NULL, pragma, "%.*s", length, text);
}

// #pragma GCC ...: true if the preprocessor has dealt with it.
static bool gcc_pragma(Pp *pp, const Token *pragma) {
    if (is_named(pragma, "poison"))
        poison(pp);
    else if (is_named(pragma, "system_header"))
        system_header(pp, pragma);
    else if (is_named(pragma, "warning") || is_named(pragma, "error"))
        message(pp, pragma, is_named(pragma, "error"));
    else
        return is_named(pragma, "dependency");
    return true;
}

static bool own_pragma(Pp *pp, const Token *pragma) {
    if (is_named(pragma, "once")) {
        if (!pp->buffer->below) pp_warn(pp, NULL, pragma, "#pragma once in main file");
        pp->buffer->file->origin->once = true;
    } else if (is_named(pragma, "push_macro")) {
        push_macro(pp, pragma);
    } else if (is_named(pragma, "pop_macro")) {
        pop_macro(pp, pragma);
    } else {
        return false;
    }
    return true;
}

bool pragma_directive(Pp *pp, const Token *hash, Token *token) {
    Token first, second = {0};
    lex_token(pp, &first);
    if (first.kind == TOK_NEWLINE) {
        vec_clear(&pp->text);
        return pp->options.keep_lines && make_pragma(pp, hash, token);
    }
    if (own_pragma(pp, &first)) return false;
    bool gcc = is_named(&first, "GCC");
    if (gcc) {
        lex_token(pp, &second);
        if (gcc_pragma(pp, &second)) return false;
    }
    bool expand = !pp->options.keep_lines &&
                  (is_named(&first, "pack") || is_named(&first, "redefine_extname"));
    Tokens tokens = {0};
    vec_push(pp->scratch, &tokens, first);
    if (gcc && second.kind != TOK_NEWLINE) vec_push(pp->scratch, &tokens, second);
    read_rest(pp, &tokens, expand);
    if (gcc && is_named(&second, "diagnostic")) {
        pp_warnings_pragma(pp, tokens.at + 2, tokens.count - 2);
        if (!pp->options.keep_lines) return false; // it concerns nobody behind the preprocessor
    }
    vec_clear(&pp->text);
    for (uint32_t i = 0; i < tokens.count; i++) {
        if (i && tokens.at[i].flags & TOKF_SPACE) text_add(pp, " ", 1);
        text_spelling(pp, &tokens.at[i]);
    }
    return make_pragma(pp, hash, token);
}

// #ident is kept for -E and means nothing otherwise.
void pragma_ident(Pp *pp, const Token *hash, const Token *name) {
    Token string;
    pp_get_solid(pp, &string);
    if (string.kind != TOK_STRING) {
        pp_error(pp, &string, "invalid #%s directive", name->ident->text);
        return;
    }
    vec_clear(&pp->text);
    text_add(pp, "#ident ", 7);
    text_spelling(pp, &string);
    printed_line(pp, hash, pp->text.at, pp->text.count);
}

// ---- _Pragma

// The text in a string literal, with \" and \\ undone.
static const char *destringize(Pp *pp, const Token *string, size_t *length) {
    vec_clear(&pp->text);
    uint32_t start = string->spelling[0] == '"' ? 1 : 2;
    for (uint32_t i = start; i + 1 < string->length; i++) {
        char c = string->spelling[i];
        if (c == '\\' && (string->spelling[i + 1] == '"' || string->spelling[i + 1] == '\\'))
            c = string->spelling[++i];
        if (c == '\n') c = ' ';
        text_add(pp, &c, 1);
    }
    *length = pp->text.count;
    text_add(pp, "\n", 2); // with the NUL
    return arena_text(pp->arena, pp->text.at, pp->text.count - 1);
}

// Carries out the text as if it stood in a #pragma of its own, in a file of its own in memory.
static bool run_pragma(Pp *pp, const Token *name, const char *text, size_t length, Token *token) {
    Buffer *outer = pp->buffer;
    uint8_t system = outer->flags & TOKF_SYSTEM;
    CFile *file = pp_memory_file(pp, "_Pragma", text, length + 1);
    file->origin = outer->file->origin;
    pp_push_file(pp, file, pp_file_pos(pp, name), outer->directory, system);
    // Expansions in progress must not be seen from inside.
    Context *contexts = pp->contexts.at;
    uint32_t count = pp->contexts.count, capacity = pp->contexts.capacity;
    pp->contexts.at = NULL;
    pp->contexts.count = pp->contexts.capacity = 0;
    bool in_directive = pp->in_directive;
    uint8_t parsing = pp->parsing_arguments;
    pp->in_directive = true;
    pp->parsing_arguments = 0;
    Token hash = *name;
    const WarningSet *warnings = pp->warnings;
    bool left = pragma_directive(pp, &hash, token);
    while (pp->contexts.count) pp_pop_context(pp);
    pp->in_directive = in_directive;
    pp->parsing_arguments = parsing;
    pp->contexts.at = contexts;
    pp->contexts.count = count;
    pp->contexts.capacity = capacity;
    Buffer *inner = pp->buffer;
    pp->buffer = outer;
    inner->below = pp->unused_buffers;
    pp->unused_buffers = inner;
    pp_warnings_sync(pp);
    if (warnings != pp->warnings && pp->contexts.count) pp->warnings_moved = true;
    return left;
}

bool pragma_operator(Pp *pp, Token *name) {
    Token open, string, close;
    uint8_t parsing = pp->parsing_arguments;
    pp->parsing_arguments = 1;
    pp_get_solid(pp, &open);
    pp_get_solid(pp, &string);
    pp_get_solid(pp, &close);
    pp->parsing_arguments = parsing;
    if (open.kind != TOK_LPAREN || string.kind != TOK_STRING || close.kind != TOK_RPAREN) {
        pp_error(pp, name, "_Pragma takes a string literal in parentheses");
        *name = padding(name);
        return true;
    }
    size_t length;
    const char *text = destringize(pp, &string, &length);
    Token token;
    if (run_pragma(pp, name, text, length, &token))
        *name = token;
    else
        *name = padding(name);
    return true;
}
