// Messages about names that are not known, with what may be meant: a name that looks like it, a
// keyword, a struct whose keyword is missing, or the header that everybody forgets.
#include "c/expression.h"
#include "c/spelling.h"

#include <string.h>

// ---- Headers

typedef struct {
    const char *name, *header;
} Origin;

static const Origin origins[] = {
    {"NULL", "stddef.h"},
    {"size_t", "stddef.h"},
    {"ptrdiff_t", "stddef.h"},
    {"offsetof", "stddef.h"},
    {"wchar_t", "stddef.h"},
    {"bool", "stdbool.h"},
    {"true", "stdbool.h"},
    {"false", "stdbool.h"},
    {"int8_t", "stdint.h"},
    {"int16_t", "stdint.h"},
    {"int32_t", "stdint.h"},
    {"int64_t", "stdint.h"},
    {"uint8_t", "stdint.h"},
    {"uint16_t", "stdint.h"},
    {"uint32_t", "stdint.h"},
    {"uint64_t", "stdint.h"},
    {"intptr_t", "stdint.h"},
    {"uintptr_t", "stdint.h"},
    {"FILE", "stdio.h"},
    {"EOF", "stdio.h"},
    {"stdin", "stdio.h"},
    {"stdout", "stdio.h"},
    {"stderr", "stdio.h"},
    {"printf", "stdio.h"},
    {"fprintf", "stdio.h"},
    {"sprintf", "stdio.h"},
    {"snprintf", "stdio.h"},
    {"scanf", "stdio.h"},
    {"fscanf", "stdio.h"},
    {"sscanf", "stdio.h"},
    {"puts", "stdio.h"},
    {"putchar", "stdio.h"},
    {"getchar", "stdio.h"},
    {"fgets", "stdio.h"},
    {"fputs", "stdio.h"},
    {"fopen", "stdio.h"},
    {"fclose", "stdio.h"},
    {"perror", "stdio.h"},
    {"malloc", "stdlib.h"},
    {"calloc", "stdlib.h"},
    {"realloc", "stdlib.h"},
    {"free", "stdlib.h"},
    {"exit", "stdlib.h"},
    {"abort", "stdlib.h"},
    {"atoi", "stdlib.h"},
    {"strtol", "stdlib.h"},
    {"rand", "stdlib.h"},
    {"srand", "stdlib.h"},
    {"qsort", "stdlib.h"},
    {"EXIT_SUCCESS", "stdlib.h"},
    {"EXIT_FAILURE", "stdlib.h"},
    {"strlen", "string.h"},
    {"strcpy", "string.h"},
    {"strncpy", "string.h"},
    {"strcat", "string.h"},
    {"strcmp", "string.h"},
    {"strncmp", "string.h"},
    {"strchr", "string.h"},
    {"strstr", "string.h"},
    {"memcpy", "string.h"},
    {"memmove", "string.h"},
    {"memset", "string.h"},
    {"memcmp", "string.h"},
    {"strdup", "string.h"},
    {"isalpha", "ctype.h"},
    {"isdigit", "ctype.h"},
    {"isspace", "ctype.h"},
    {"toupper", "ctype.h"},
    {"tolower", "ctype.h"},
    {"sqrt", "math.h"},
    {"pow", "math.h"},
    {"sin", "math.h"},
    {"cos", "math.h"},
    {"fabs", "math.h"},
    {"floor", "math.h"},
    {"ceil", "math.h"},
    {"M_PI", "math.h"},
    {"INT_MAX", "limits.h"},
    {"INT_MIN", "limits.h"},
    {"UINT_MAX", "limits.h"},
    {"LONG_MAX", "limits.h"},
    {"CHAR_BIT", "limits.h"},
    {"errno", "errno.h"},
    {"assert", "assert.h"},
    {"va_list", "stdarg.h"},
    {"time_t", "time.h"},
    {"time", "time.h"},
    {"clock", "time.h"},
};

static const char *header_of(const char *name) {
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
        if (strcmp(origins[i].name, name) == 0) return origins[i].header;
    return NULL;
}

void note_header(Parser *parser, const Token *token) {
    const char *header = header_of(token->ident->text);
    if (header)
        parser_note(parser, token->pos, "'%s' is declared in <%s>", token->ident->text, header);
}

// ---- Names

// Nobody reads a thousand suggestions; looking for them takes time for each name in scope.
enum { MOST_TRIES = 2000000 };

static void try_names(Parser *parser, Spelling *spelling, bool types) {
    const Decl *lists[] = {parser->scope->depth > 0 ? parser->scope->decls : NULL,
                           parser->file_scope.decls};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const Decl *decl = lists[i]; decl; decl = decl->next_in_scope) {
            if (parser->spelling_tries++ > MOST_TRIES) return;
            if (decl->name && (decl->kind == DECL_TYPEDEF) == types && decl->type->kind != CT_ERROR)
                spelling_try(spelling, decl->name->text);
        }
    }
}

static void try_keywords(Spelling *spelling) {
    static const char *const keywords[] = {
        "break",  "case",   "char",     "const",  "continue", "default",  "do",       "double",
        "else",   "enum",   "extern",   "float",  "for",      "goto",     "if",       "inline",
        "int",    "long",   "register", "return", "short",    "signed",   "sizeof",   "static",
        "struct", "switch", "typedef",  "union",  "void",     "unsigned", "volatile", "while",
    };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        spelling_try(spelling, keywords[i]);
    // Letters exchanged, or one too many or missing; other words only look alike.
    if (spelling->bound > 1 && spelling->nearest &&
        strlen(spelling->nearest) != strlen(spelling->wrong))
        spelling->nearest = NULL;
}

// Reports a name with what was found about it.
static void report(Parser *parser, const char *message, const char *name, const char *nearest) {
    const char *header = header_of(name);
    if (header)
        error_at_token(parser, "%s; it is defined in <%s>", message, header);
    else if (nearest)
        error_at_token(parser, "%s; did you mean '%s'?", message, nearest);
    else
        error_at_token(parser, "%s", message);
}

void report_undeclared(Parser *parser, const Token *token) {
    const char *name = token->ident->text;
    if (pp_needs_arguments(token->ident)) {
        error_at_token(parser, "the macro '%s' needs arguments", name);
        return;
    }
    Spelling spelling;
    spelling_start(&spelling, name);
    try_names(parser, &spelling, false);
    report(parser, arena_printf(parser->arena, "'%s' is not declared", name), name,
           spelling.nearest);
}

void report_unknown_type(Parser *parser, const Token *token) {
    const char *name = token->ident->text;
    const TagDecl *tag = token->ident->tag;
    if (tag) {
        const char *word = tag->type->kind == CT_STRUCT  ? "struct"
                           : tag->type->kind == CT_UNION ? "union"
                                                         : "enum";
        error_at_token(parser, "unknown type name '%s'; did you mean '%s %s'?", name, word, name);
        return;
    }
    Spelling spelling;
    spelling_start(&spelling, name);
    try_keywords(&spelling);
    try_names(parser, &spelling, true);
    report(parser, arena_printf(parser->arena, "unknown type name '%s'", name), name,
           spelling.nearest);
}

void report_no_type(Parser *parser, const char *what) {
    if (parser_at(parser, TOK_IDENT) && !parser->token.ident->keyword)
        report_unknown_type(parser, &parser->token);
    else if (!parser_stray(parser))
        error_at_token(parser, "expected the type of %s", what);
    parser->panic = true;
}

void report_no_member(Parser *parser, const CType *type, const Token *at) {
    const Record *record = type->record;
    Spelling spelling;
    spelling_start(&spelling, at->ident->text);
    for (uint32_t i = 0; i < record->members.count && parser->spelling_tries < MOST_TRIES; i++) {
        parser->spelling_tries++;
        if (record->members.at[i].name) spelling_try(&spelling, record->members.at[i].name->text);
    }
    parser_error(parser, at->pos, at->pos + at->length, "%s has no member named '%s'%s%s%s",
                 type_text(parser, type), at->ident->text,
                 spelling.nearest ? "; did you mean '" : "",
                 spelling.nearest ? spelling.nearest : "", spelling.nearest ? "'?" : "");
}
