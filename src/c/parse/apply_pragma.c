// Pragmas that the parser carries out: the packing of structures, and properties of symbols.
//
// A pragma about a symbol holds for declarations before and behind the pragma, so the parser keeps
// it by the symbol's name.
#include "c/parse/declare.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Reads the words and numbers of a pragma's text.
typedef struct {
    const char *at, *end;
} PragmaText;

static bool pragma_char(PragmaText *text, char c) {
    while (text->at < text->end && isspace((unsigned char)*text->at)) text->at++;
    if (text->at == text->end || *text->at != c) return false;
    text->at++;
    return true;
}

static size_t pragma_word(PragmaText *text, const char **word) {
    while (text->at < text->end && isspace((unsigned char)*text->at)) text->at++;
    *word = text->at;
    while (text->at < text->end && (isalnum((unsigned char)*text->at) || *text->at == '_'))
        text->at++;
    return (size_t)(text->at - *word);
}

static bool is_word(const char *word, size_t length, const char *expected) {
    return strlen(expected) == length && memcmp(word, expected, length) == 0;
}

static void malformed(Parser *parser, const Token *pragma, const char *name) {
    parser_warn(parser, WARN_UNKNOWN_PRAGMAS, pragma->pos, pragma->pos + 1,
                "malformed '#pragma %s' ignored", name);
}

// ---- #pragma pack

static void pragma_pack(Parser *parser, PragmaText *text, const Token *pragma) {
    bool good = pragma_char(text, '(');
    bool pushed = false, popped = false, set = false;
    uint32_t value = parser->options->pack;
    while (good && !pragma_char(text, ')')) {
        const char *word;
        size_t length = pragma_word(text, &word);
        if (is_word(word, length, "push"))
            pushed = true;
        else if (is_word(word, length, "pop"))
            popped = true;
        else if (length > 0 && length < 4 && isdigit((unsigned char)*word))
            set = true, value = (uint32_t)strtoul(word, NULL, 10);
        else if (length == 0 || !(pushed || popped)) // else: the name of what is pushed
            good = false;
        pragma_char(text, ',');
    }
    if (!good || (set && (value > 16 || (value & (value - 1)) != 0))) {
        malformed(parser, pragma, "pack");
        return;
    }
    if (pushed) vec_push(parser->arena, &parser->pack_stack, parser->pack);
    if (popped && parser->pack_stack.count == 0)
        parser_warn(parser, WARN_UNKNOWN_PRAGMAS, pragma->pos, pragma->pos + 1,
                    "'#pragma pack(pop)' without a matching push");
    else if (popped)
        parser->pack = vec_pop(&parser->pack_stack);
    if (set || !(pushed || popped)) parser->pack = value;
}

// ---- Symbols

// #pragma GCC visibility push(KIND), #pragma GCC visibility pop
static void pragma_visibility(Parser *parser, PragmaText *text, const Token *pragma) {
    static const char *const kinds[] = {"default", "hidden", "protected", "internal"};
    const char *word;
    size_t length = pragma_word(text, &word);
    if (is_word(word, length, "pop") && parser->visibilities.count) {
        parser->visibilities.count--;
        return;
    }
    if (is_word(word, length, "push") && pragma_char(text, '(')) {
        length = pragma_word(text, &word);
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            if (!is_word(word, length, kinds[i])) continue;
            vec_push(parser->arena, &parser->visibilities, (uint8_t)i);
            return;
        }
    }
    malformed(parser, pragma, "GCC visibility");
}

static SymbolPragma *symbol_pragma(Parser *parser, const Ident *name) {
    uint32_t index = map_get(&parser->pragma_names, name->name.i);
    return index == HASH_NONE ? NULL : &parser->symbol_pragmas.at[index];
}

static SymbolPragma *note_symbol(Parser *parser, Ident *name) {
    SymbolPragma *known = symbol_pragma(parser, name);
    if (known) return known;
    uint32_t index = parser->symbol_pragmas.count;
    map_set(parser->arena, &parser->pragma_names, name->name.i, index);
    vec_push(parser->arena, &parser->symbol_pragmas, (SymbolPragma){.name = name});
    return &parser->symbol_pragmas.at[index];
}

void apply_symbol_pragmas(Parser *parser, Decl *decl) {
    const SymbolPragma *noted = symbol_pragma(parser, decl->name);
    bool within = parser->visibilities.count && !decl->attributes->visibility_given;
    if (!decl->external || !(noted || within)) return;
    Attributes given = *parser->plain;
    if (within) {
        given.visibility = parser->visibilities.at[parser->visibilities.count - 1];
        given.visibility_given = true;
    }
    if (noted) {
        given.weak = noted->weak;
        given.alias = noted->alias;
        if (noted->asm_name) decl->asm_name = noted->asm_name;
    }
    add_attributes(parser, decl, &given);
}

// An alias without a declaration is like its target.
void finish_symbol_pragmas(Parser *parser) {
    for (uint32_t i = 0; i < parser->symbol_pragmas.count; i++) {
        const SymbolPragma *noted = &parser->symbol_pragmas.at[i];
        if (!noted->alias || find_entity(parser, noted->name)) continue;
        const Ident *target = pp_ident(parser->pp, noted->alias, strlen(noted->alias));
        const Decl *original = find_entity(parser, target);
        if (!original) continue;
        Declaration declaration = {.kind = original->kind,
                                   .name = noted->name,
                                   .type = original->type,
                                   .storage = STORAGE_EXTERN,
                                   .pos = original->pos};
        declare_entity(parser, &declaration);
    }
}

// #pragma weak NAME, #pragma weak NAME = TARGET
static void pragma_weak(Parser *parser, PragmaText *text, const Token *pragma) {
    const char *word, *target = NULL;
    size_t length = pragma_word(text, &word), target_length = 0;
    if (pragma_char(text, '=')) target_length = pragma_word(text, &target);
    if (!length || (target && !target_length)) {
        malformed(parser, pragma, "weak");
        return;
    }
    SymbolPragma *noted = note_symbol(parser, pp_ident(parser->pp, word, length));
    noted->weak = true;
    if (target) noted->alias = arena_text(parser->arena, target, target_length);
    Decl *decl = find_entity(parser, noted->name);
    if (decl) apply_symbol_pragmas(parser, decl);
}

// #pragma redefine_extname NAME SYMBOL
static void pragma_rename(Parser *parser, PragmaText *text, const Token *pragma) {
    const char *word, *symbol;
    size_t length = pragma_word(text, &word), symbol_length = pragma_word(text, &symbol);
    if (!length || !symbol_length) {
        malformed(parser, pragma, "redefine_extname");
        return;
    }
    SymbolPragma *noted = note_symbol(parser, pp_ident(parser->pp, word, length));
    noted->asm_name = arena_text(parser->arena, symbol, symbol_length);
    Decl *decl = find_entity(parser, noted->name);
    if (decl) apply_symbol_pragmas(parser, decl);
}

// #pragma scalar_storage_order big-endian, little-endian or default
static void pragma_scalar_order(Parser *parser, PragmaText *text, const Token *pragma) {
    const char *at = text->at, *end = text->end;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t')) end--;
    size_t length = (size_t)(end - at);
    if (is_word(at, length, "big-endian"))
        parser->big_endian = true;
    else if (is_word(at, length, "little-endian"))
        parser->big_endian = false;
    else if (is_word(at, length, "default"))
        parser->big_endian = parser->options->dialect.big_endian;
    else
        parser_warn(parser, WARN_PRAGMAS, pragma->pos, pragma->pos + 1,
                    "expected 'big-endian', 'little-endian' or 'default' after "
                    "'#pragma scalar_storage_order'");
}

// ---- Others

// #pragma message "TEXT", perhaps in parentheses.
static void pragma_message(Parser *parser, const PragmaText *text, const Token *pragma) {
    const char *open = memchr(text->at, '"', (size_t)(text->end - text->at));
    const char *close = open ? memchr(open + 1, '"', (size_t)(text->end - open - 1)) : NULL;
    if (close)
        pp_report(parser->pp, DIAG_NOTE, "message", pragma->pos, 1, "'#pragma message: %.*s'",
                  (int)(close - open - 1), open + 1);
    else
        malformed(parser, pragma, "message");
}

static void unknown(Parser *parser, const Token *pragma) {
    parser_warn(parser, WARN_UNKNOWN_PRAGMAS, pragma->pos, pragma->pos + 1,
                "unknown '#pragma %.*s' ignored", (int)pragma->length, pragma->spelling);
}

// optimize: only -fno-strict-aliasing, or a level without -fstrict-aliasing, has a meaning here. It
// stays for the rest of the file: more functions than wanted tell nothing by their types.
static void pragma_optimize(Parser *parser, const PragmaText *text) {
    const char *options = arena_text(parser->arena, text->at, (size_t)(text->end - text->at));
    static const char *const loose[] = {"no-strict-aliasing", "O0", "O1", "Og", "(0", "(1"};
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
        if (strstr(options, loose[i])) parser->loose_aliasing = true;
}

static void pragma_gcc(Parser *parser, PragmaText *text, const Token *pragma) {
    // They ask for speed, or for instructions that are not used.
    static const char *const harmless[] = {"optimize",    "target",        "push_options",
                                           "pop_options", "reset_options", "unroll",
                                           "ivdep",       "pch_preprocess"};
    const char *word;
    size_t length = pragma_word(text, &word);
    if (is_word(word, length, "visibility")) {
        pragma_visibility(parser, text, pragma);
        return;
    }
    if (is_word(word, length, "optimize")) pragma_optimize(parser, text);
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (is_word(word, length, harmless[i])) return;
    unknown(parser, pragma);
}

void apply_pragma(Parser *parser, const Token *pragma) {
    static const struct {
        const char *name;
        void (*handle)(Parser *parser, PragmaText *text, const Token *pragma);
    } rows[] = {{"pack", pragma_pack},
                {"weak", pragma_weak},
                {"redefine_extname", pragma_rename},
                {"scalar_storage_order", pragma_scalar_order},
                {"GCC", pragma_gcc}};
    PragmaText text = {.at = pragma->spelling, .end = pragma->spelling + pragma->length};
    const char *word;
    size_t length = pragma_word(&text, &word);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!is_word(word, length, rows[i].name)) continue;
        rows[i].handle(parser, &text, pragma);
        return;
    }
    if (is_word(word, length, "message"))
        pragma_message(parser, &text, pragma);
    else
        unknown(parser, pragma);
}
