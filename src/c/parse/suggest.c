// Messages about names that are not known, with what may be meant: a name that looks like it, a
// keyword, a struct whose keyword is missing, or the header that everybody forgets.
#include "base/spelling.h"
#include "c/parse/expression.h"

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
    {"fflush", "stdio.h"},
    {"fgetc", "stdio.h"},
    {"fputc", "stdio.h"},
    {"getc", "stdio.h"},
    {"putc", "stdio.h"},
    {"ungetc", "stdio.h"},
    {"fread", "stdio.h"},
    {"fwrite", "stdio.h"},
    {"fseek", "stdio.h"},
    {"ftell", "stdio.h"},
    {"rewind", "stdio.h"},
    {"feof", "stdio.h"},
    {"ferror", "stdio.h"},
    {"tmpfile", "stdio.h"},
    {"setvbuf", "stdio.h"},
    {"vprintf", "stdio.h"},
    {"vfprintf", "stdio.h"},
    {"vsnprintf", "stdio.h"},
    {"vsprintf", "stdio.h"},
    {"getline", "stdio.h"},
    {"fileno", "stdio.h"},
    {"fdopen", "stdio.h"},
    {"popen", "stdio.h"},
    {"pclose", "stdio.h"},
    {"BUFSIZ", "stdio.h"},
    {"SEEK_SET", "stdio.h"},
    {"SEEK_END", "stdio.h"},
    {"SEEK_CUR", "stdio.h"},
    {"atof", "stdlib.h"},
    {"atol", "stdlib.h"},
    {"strtoul", "stdlib.h"},
    {"strtoll", "stdlib.h"},
    {"strtoull", "stdlib.h"},
    {"strtod", "stdlib.h"},
    {"getenv", "stdlib.h"},
    {"atexit", "stdlib.h"},
    {"abs", "stdlib.h"},
    {"labs", "stdlib.h"},
    {"bsearch", "stdlib.h"},
    {"RAND_MAX", "stdlib.h"},
    {"setenv", "stdlib.h"},
    {"mkstemp", "stdlib.h"},
    {"strncat", "string.h"},
    {"strrchr", "string.h"},
    {"strpbrk", "string.h"},
    {"strspn", "string.h"},
    {"strcspn", "string.h"},
    {"strtok", "string.h"},
    {"strtok_r", "string.h"},
    {"strerror", "string.h"},
    {"memchr", "string.h"},
    {"strndup", "string.h"},
    {"strnlen", "string.h"},
    {"strcasecmp", "string.h"},
    {"isalnum", "ctype.h"},
    {"isupper", "ctype.h"},
    {"islower", "ctype.h"},
    {"ispunct", "ctype.h"},
    {"isprint", "ctype.h"},
    {"isxdigit", "ctype.h"},
    {"iscntrl", "ctype.h"},
    {"isgraph", "ctype.h"},
    {"isblank", "ctype.h"},
    {"tan", "math.h"},
    {"asin", "math.h"},
    {"acos", "math.h"},
    {"atan", "math.h"},
    {"atan2", "math.h"},
    {"exp", "math.h"},
    {"log", "math.h"},
    {"log2", "math.h"},
    {"log10", "math.h"},
    {"fmod", "math.h"},
    {"fmin", "math.h"},
    {"fmax", "math.h"},
    {"hypot", "math.h"},
    {"cbrt", "math.h"},
    {"isnan", "math.h"},
    {"isinf", "math.h"},
    {"INFINITY", "math.h"},
    {"NAN", "math.h"},
    {"HUGE_VAL", "math.h"},
    {"LONG_MIN", "limits.h"},
    {"ULONG_MAX", "limits.h"},
    {"LLONG_MAX", "limits.h"},
    {"LLONG_MIN", "limits.h"},
    {"ULLONG_MAX", "limits.h"},
    {"CHAR_MAX", "limits.h"},
    {"CHAR_MIN", "limits.h"},
    {"SCHAR_MAX", "limits.h"},
    {"UCHAR_MAX", "limits.h"},
    {"SHRT_MAX", "limits.h"},
    {"USHRT_MAX", "limits.h"},
    {"PATH_MAX", "limits.h"},
    {"INT8_MAX", "stdint.h"},
    {"INT16_MAX", "stdint.h"},
    {"INT32_MAX", "stdint.h"},
    {"INT64_MAX", "stdint.h"},
    {"UINT8_MAX", "stdint.h"},
    {"UINT16_MAX", "stdint.h"},
    {"UINT32_MAX", "stdint.h"},
    {"UINT64_MAX", "stdint.h"},
    {"SIZE_MAX", "stdint.h"},
    {"INT32_MIN", "stdint.h"},
    {"INT64_MIN", "stdint.h"},
    {"intmax_t", "stdint.h"},
    {"uintmax_t", "stdint.h"},
    {"UINTPTR_MAX", "stdint.h"},
    {"INT32_C", "stdint.h"},
    {"UINT32_C", "stdint.h"},
    {"INT64_C", "stdint.h"},
    {"UINT64_C", "stdint.h"},
    {"PRId64", "inttypes.h"},
    {"PRIu64", "inttypes.h"},
    {"PRIx64", "inttypes.h"},
    {"PRId32", "inttypes.h"},
    {"PRIu32", "inttypes.h"},
    {"PRIx32", "inttypes.h"},
    {"ENOENT", "errno.h"},
    {"EINVAL", "errno.h"},
    {"EINTR", "errno.h"},
    {"ENOMEM", "errno.h"},
    {"ERANGE", "errno.h"},
    {"EAGAIN", "errno.h"},
    {"EEXIST", "errno.h"},
    {"va_start", "stdarg.h"},
    {"va_end", "stdarg.h"},
    {"va_arg", "stdarg.h"},
    {"va_copy", "stdarg.h"},
    {"mktime", "time.h"},
    {"localtime", "time.h"},
    {"gmtime", "time.h"},
    {"strftime", "time.h"},
    {"difftime", "time.h"},
    {"clock_t", "time.h"},
    {"CLOCKS_PER_SEC", "time.h"},
    {"clock_gettime", "time.h"},
    {"DBL_MAX", "float.h"},
    {"DBL_MIN", "float.h"},
    {"DBL_EPSILON", "float.h"},
    {"FLT_MAX", "float.h"},
    {"FLT_EPSILON", "float.h"},
    {"DBL_DIG", "float.h"},
    {"SIGINT", "signal.h"},
    {"SIGSEGV", "signal.h"},
    {"SIGTERM", "signal.h"},
    {"SIGABRT", "signal.h"},
    {"sig_atomic_t", "signal.h"},
    {"setjmp", "setjmp.h"},
    {"longjmp", "setjmp.h"},
    {"jmp_buf", "setjmp.h"},
    {"fork", "unistd.h"},
    {"execv", "unistd.h"},
    {"execvp", "unistd.h"},
    {"usleep", "unistd.h"},
    {"getpid", "unistd.h"},
    {"unlink", "unistd.h"},
    {"chdir", "unistd.h"},
    {"getcwd", "unistd.h"},
    {"isatty", "unistd.h"},
    {"dup2", "unistd.h"},
    {"lseek", "unistd.h"},
    {"ssize_t", "unistd.h"},
    {"O_RDONLY", "fcntl.h"},
    {"O_WRONLY", "fcntl.h"},
    {"O_RDWR", "fcntl.h"},
    {"O_CREAT", "fcntl.h"},
    {"pthread_t", "pthread.h"},
    {"pthread_create", "pthread.h"},
    {"pthread_join", "pthread.h"},
    {"pthread_mutex_t", "pthread.h"},
    {"pthread_mutex_lock", "pthread.h"},
    {"setlocale", "locale.h"},
    {"LC_ALL", "locale.h"},
    {"wcslen", "wchar.h"},
    {"wprintf", "wchar.h"},
    {"wint_t", "wchar.h"},
    {"alignas", "stdalign.h"},
    {"alignof", "stdalign.h"},
    {"noreturn", "stdnoreturn.h"},
    {"static_assert", "assert.h"},
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

// Where a line with another #include goes: behind the last one of the file, or to its beginning.
static Pos place_of_include(Parser *parser, Pos pos) {
    const Inclusion *in = pp_inclusion(parser->pp, pos);
    if (!in) return 0;
    Pos last = pp_last_include(parser->pp, in);
    if (!last) return in->start;
    const char *text = in->file->text, *newline = strchr(text + (last - in->start), '\n');
    return newline ? in->start + (Pos)(newline + 1 - text) : 0;
}

// Tells which #include is missing, and once for each header where to put it.
static void note_include(Parser *parser, Pos pos, const char *header, const char *text) {
    Pos place = place_of_include(parser, pos);
    bool told = false;
    for (uint32_t i = 0; i < parser->headers.count && !told; i++)
        told = parser->headers.at[i] == header;
    if (told || !place || is_expanded(pos)) {
        parser_note(parser, pos, "%s", text);
        return;
    }
    vec_push(parser->arena, &parser->headers, header);
    parser_fix_insert(parser, place, arena_printf(parser->arena, "#include <%s>\n", header));
    parser_note(parser, place, "%s", text);
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

// Reports a name with the findings about it.
static void report(Parser *parser, const char *message, const char *name, const char *nearest) {
    const char *header = header_of(name);
    const Token *token = &parser->token;
    if (header) {
        error_at_token(parser, "%s", message);
        note_include(
            parser, token->pos, header,
            arena_printf(parser->arena,
                         "'%s' is defined in header '<%s>'; did you forget to '#include <%s>'?",
                         name, header, header));
    } else if (nearest) {
        parser_fix_replace(parser, token->pos, token->pos + token->length, nearest);
        error_at_token(parser, "%s; did you mean '%s'?", message, nearest);
    } else {
        error_at_token(parser, "%s", message);
    }
}

void report_implicit_function(Parser *parser, const Token *token) {
    const char *name = token->ident->text, *header = header_of(name);
    Spelling spelling;
    spelling_start(&spelling, name);
    if (!header && !pp_needs_arguments(token->ident)) try_names(parser, &spelling, false);
    if (spelling.nearest)
        parser_fix_replace(parser, token->pos, token->pos + token->length, spelling.nearest);
    parser_warn(parser, WARN_IMPLICIT_FUNCTION, token->pos, token->pos + token->length,
                "implicit declaration of function '%s'%s%s%s", name,
                spelling.nearest ? "; did you mean '" : "",
                spelling.nearest ? spelling.nearest : "", spelling.nearest ? "'?" : "");
    if (header)
        note_include(parser, token->pos, header,
                     arena_printf(parser->arena, "include '<%s>' or provide a declaration of '%s'",
                                  header, name));
}

// Whether what follows a name can only follow a keyword: "retrun x", "whlie (x) {", "esle {".
static bool follows_keyword(Parser *parser, const char *keyword) {
    enum { MOST_AHEAD = 1000 };
    const Token *next = parser_peek(parser, 1);
    bool value = next->kind == TOK_IDENT || next->kind == TOK_NUMBER || next->kind == TOK_STRING ||
                 next->kind == TOK_CHAR;
    if (strcmp(keyword, "else") == 0 || strcmp(keyword, "do") == 0)
        return next->kind == TOK_LBRACE || (value && next->kind == TOK_IDENT);
    if (strcmp(keyword, "return") == 0 || strcmp(keyword, "goto") == 0) return value;
    if (strcmp(keyword, "case") == 0) return value;
    if (next->kind != TOK_LPAREN) return false;
    uint32_t depth = 1, n = 2;
    for (; depth && n < MOST_AHEAD; n++) {
        const Token *token = parser_peek(parser, n);
        if (token->kind == TOK_EOF) return false;
        if (token->kind == TOK_LPAREN) depth++;
        if (token->kind == TOK_RPAREN) depth--;
        if (token->kind == TOK_SEMI && depth == 1) return strcmp(keyword, "for") == 0;
    }
    return depth == 0 && parser_peek(parser, n)->kind == TOK_LBRACE;
}

bool mend_keyword(Parser *parser) {
    static const char *const words[] = {"return", "while", "switch", "else", "case",
                                        "goto",   "for",   "if",     "do",   NULL};
    const Token *token = &parser->token;
    if (token->kind != TOK_IDENT || token->ident->keyword || token->ident->ordinary) return false;
    const char *nearest = spelling_nearest(token->ident->text, words);
    if (!nearest || !follows_keyword(parser, nearest)) return false;
    parser_fix_replace(parser, token->pos, token->pos + token->length, nearest);
    error_at_token(parser, "'%s' undeclared (first use in this function); did you mean '%s'?",
                   token->ident->text, nearest);
    parser->token.ident = pp_ident(parser->pp, nearest, strlen(nearest));
    return true;
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
    if (parser->spelling_tries <= MOST_TRIES)
        parser->spelling_tries += pp_try_macros(parser->pp, &spelling);
    const char *where =
        parser->function ? "(first use in this function)" : "here (not in a function)";
    report(parser, arena_printf(parser->arena, "'%s' undeclared %s", name, where), name,
           spelling.nearest);
    if (!parser->function || parser->undeclared_told || parser->muted) return;
    parser->undeclared_told = true;
    parser_note(parser, token->pos,
                "each undeclared identifier is reported only once for each function it appears in");
}

void report_unknown_type(Parser *parser, const Token *token) {
    const char *name = token->ident->text;
    const TagDecl *tag = token->ident->tag;
    if (tag) {
        const char *word = tag->type->kind == CT_STRUCT  ? "struct"
                           : tag->type->kind == CT_UNION ? "union"
                                                         : "enum";
        parser_fix_insert(parser, token->pos, arena_printf(parser->arena, "%s ", word));
        error_at_token(parser, "unknown type name '%s'; use '%s' keyword to refer to the type",
                       name, word);
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
}

void report_no_member(Parser *parser, const CType *type, const Token *at) {
    const Record *record = type->record;
    if (record->damaged) { // the member may be one that could not be read
        parser->mistakes++;
        return;
    }
    Spelling spelling;
    spelling_start(&spelling, at->ident->text);
    for (uint32_t i = 0; i < record->members.count && parser->spelling_tries < MOST_TRIES; i++) {
        parser->spelling_tries++;
        if (record->members.at[i].name) spelling_try(&spelling, record->members.at[i].name->text);
    }
    if (spelling.nearest)
        parser_fix_replace(parser, at->pos, at->pos + at->length, spelling.nearest);
    parser_error(parser, at->pos, at->pos + at->length, "%s has no member named '%s'%s%s%s",
                 type_text(parser, type), at->ident->text,
                 spelling.nearest ? "; did you mean '" : "",
                 spelling.nearest ? spelling.nearest : "", spelling.nearest ? "'?" : "");
}
