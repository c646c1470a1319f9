// Macros whose value the preprocessor knows: __LINE__, __FILE__, __COUNTER__, __has_include, ...
#include "c/preprocess/pp_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

void builtin_init(Pp *pp) {
    static const struct {
        const char *name;
        MacroKind kind;
    } builtins[] = {
        {"__LINE__", MACRO_LINE},
        {"__FILE__", MACRO_FILE},
        {"__BASE_FILE__", MACRO_BASE_FILE},
        {"__INCLUDE_LEVEL__", MACRO_INCLUDE_LEVEL},
        {"__COUNTER__", MACRO_COUNTER},
        {"__DATE__", MACRO_DATE},
        {"__TIME__", MACRO_TIME},
        {"__TIMESTAMP__", MACRO_TIMESTAMP},
        {"_Pragma", MACRO_PRAGMA},
        {"__has_include", MACRO_HAS_INCLUDE},
        {"__has_include_next", MACRO_HAS_INCLUDE_NEXT},
        {"__has_attribute", MACRO_HAS_ATTRIBUTE},
        {"__has_c_attribute", MACRO_HAS_C_ATTRIBUTE},
        {"__has_builtin", MACRO_HAS_BUILTIN},
    };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        Ident *name = pp_ident(pp, builtins[i].name, strlen(builtins[i].name));
        name->macro = macro_builtin(pp, builtins[i].kind, name);
    }
}

// ---- Time

static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

// SOURCE_DATE_EPOCH, if it is set and sensible, makes builds reproducible.
static bool source_date(time_t *now) {
    const char *text = getenv("SOURCE_DATE_EPOCH");
    if (!text || !*text) return false;
    char *end;
    long long seconds = strtoll(text, &end, 10);
    if (*end || seconds < 0 || seconds > 253402300799) return false;
    *now = (time_t)seconds;
    return true;
}

static void find_date(Pp *pp) {
    time_t now;
    struct tm parts;
    bool fixed = source_date(&now);
    if (!fixed) time(&now);
    if (!(fixed ? gmtime_r(&now, &parts) : localtime_r(&now, &parts))) {
        pp->date = "\"??? ?? ????\"";
        pp->time = "\"??:??:??\"";
        return;
    }
    pp->date = arena_printf(pp->arena, "\"%s %2d %4d\"", months[parts.tm_mon], parts.tm_mday,
                            1900 + parts.tm_year);
    pp->time =
        arena_printf(pp->arena, "\"%02d:%02d:%02d\"", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

static const char *timestamp(Pp *pp) {
    struct stat info;
    struct tm parts;
    time_t when;
    if (!source_date(&when)) {
        if (stat(pp->buffer->file->path, &info) != 0) return "\"??? ??? ?? ??:??:?? ????\"";
        when = info.st_mtime;
    }
    if (!localtime_r(&when, &parts)) return "\"??? ??? ?? ??:??:?? ????\"";
    return arena_printf(pp->arena, "\"%s %s %2d %02d:%02d:%02d %d\"", days[parts.tm_wday],
                        months[parts.tm_mon], parts.tm_mday, parts.tm_hour, parts.tm_min,
                        parts.tm_sec, 1900 + parts.tm_year);
}

// ---- Values

static const char *quoted(Pp *pp, const char *text) {
    vec_clear(&pp->text);
    text_add(pp, "\"", 1);
    for (; *text; text++) {
        if (*text == '\\' || *text == '"') text_add(pp, "\\", 1);
        text_add(pp, text, 1);
    }
    text_add(pp, "\"", 2); // with the NUL
    return pp->text.at;
}

const char *pp_mapped(Pp *pp, const char *path) {
    for (uint32_t i = pp->options.prefixes.count; i--;) {
        const char *prefix = pp->options.prefixes.at[i];
        size_t length = strcspn(prefix, "=");
        if (strncmp(path, prefix, length) == 0)
            return arena_printf(pp->arena, "%s%s", prefix + length + 1, path + length);
    }
    return path;
}

// ---- What the parser knows

static bool is_one_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}
#define IS_ONE_OF(name, names) is_one_of(name, names, sizeof names / sizeof *names)

// __name__ is the same attribute as name.
static bool has_attribute(Pp *pp, const Ident *ident) {
    static const char *const known[] = {
#define FLAG(name, field)      name,
#define PARSED(name, function) name,
#define HARMLESS(name, reason) name,
#include "c/tables/attributes.def"
    };
    const char *text = ident->text;
    uint32_t length = ident->length;
    if (length > 4 && memcmp(text, "__", 2) == 0 && memcmp(text + length - 2, "__", 2) == 0)
        text = arena_text(pp->arena, text + 2, length - 4);
    for (const char *const *own = pp->options.target->language->attributes; *own; own++)
        if (strcmp(text, *own) == 0) return true;
    return IS_ONE_OF(text, known);
}

typedef struct {
    const char *name;
    bool sized, partial;
} BuiltinRow;

// Whether a name is the name of a row, or stands for objects of a size, which takes the place of n,
// or follows.
static bool is_named(const BuiltinRow *row, const char *name) {
    if (strcmp(name, row->name) == 0) return true;
    size_t length = strlen(row->name);
    if (!row->sized) return false;
    if (strcmp(row->name + length - 2, "_n") == 0) length -= 2;
    static const char *const sizes[] = {"_1", "_2", "_4", "_8", "_16"};
    return strncmp(name, row->name, length) == 0 && IS_ONE_OF(name + length, sizes);
}

// A library function is a builtin one by its own name and as __builtin_NAME.
static bool has_builtin(const TargetLanguage *language, const char *name) {
    static const BuiltinRow builtins[] = {
#define FUNCTION(name, handler, operation, signature) {name, false, false},
#define PARTIAL(name, handler, operation, signature)  {name, false, true},
#define SIZED(name, operation, signature)             {name, true, false},
#include "c/tables/cbuiltins.def"
    };
    static const char *const library[] = {
#define LIBRARY(name, types)  name,
#define FLOATING(name, types) name, name "f", name "l",
#include "c/tables/library.def"
#undef LIBRARY
#undef FLOATING
    };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (is_named(&builtins[i], name)) return !builtins[i].partial;
    for (uint32_t i = 0; i < language->builtin_count; i++)
        if (strcmp(name, language->builtins[i].name) == 0) return true;
    const char *prefix = "__builtin_";
    if (strncmp(name, prefix, strlen(prefix)) == 0) name += strlen(prefix);
    return IS_ONE_OF(name, library);
}

// When C23 took in an attribute of its own; 0 if that is none that is known here.
static uint32_t standard_attribute(const char *name) {
    static const struct {
        const char *name;
        uint32_t since;
    } rows[] = {{"nodiscard", 202003},
                {"maybe_unused", 201904},
                {"deprecated", 201904},
                {"fallthrough", 201904}};
    size_t length = strlen(name);
    bool reserved =
        length > 4 && strncmp(name, "__", 2) == 0 && strcmp(name + length - 2, "__") == 0;
    if (reserved) name += 2, length -= 4;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0)
            return rows[i].since;
    return 0;
}

// (name) behind __has_attribute and __has_builtin. Attributes may have a prefix, gnu::name.
static uint32_t has_name(Pp *pp, const Token *name, MacroKind kind) {
    Token token, ident;
    pp_get_solid(pp, &token);
    bool good = token.kind == TOK_LPAREN;
    if (good) pp_get_solid(pp, &ident);
    good = good && ident.kind == TOK_IDENT;
    if (good) pp_get_solid(pp, &token);
    bool other_vendor = false;
    bool prefixed = good && token.kind == TOK_COLON && kind != MACRO_HAS_BUILTIN;
    if (prefixed) {
        other_vendor = strcmp(ident.ident->text, "gnu") && strcmp(ident.ident->text, "__gnu__");
        pp_get_solid(pp, &token);
        pp_get_solid(pp, &ident);
        good = ident.kind == TOK_IDENT;
        pp_get_solid(pp, &token);
    }
    if (!good || token.kind != TOK_RPAREN) {
        pp_error(pp, good ? &token : name, "expected a name in parentheses after '%s'",
                 name->ident->text);
        return 0;
    }
    if (other_vendor) return 0;
    if (kind == MACRO_HAS_ATTRIBUTE) return has_attribute(pp, ident.ident);
    if (kind == MACRO_HAS_C_ATTRIBUTE && !prefixed) return standard_attribute(ident.ident->text);
    if (kind == MACRO_HAS_C_ATTRIBUTE) return has_attribute(pp, ident.ident);
    return has_builtin(pp->options.target->language, ident.ident->text);
}

static const char *number(Pp *pp, uint32_t value) {
    return arena_printf(pp->arena, "%u", value);
}

static const char *value_of(Pp *pp, MacroKind kind, const Token *name) {
    if (kind == MACRO_DATE || kind == MACRO_TIME || kind == MACRO_TIMESTAMP)
        pp_warn(pp, warning_name(WARN_DATE_TIME), name,
                "macro \"%s\" might prevent reproducible builds", name->ident->text);
    switch (kind) {
    case MACRO_LINE:
        pp->line_uses++;
        return number(pp, pp_presumed(pp, pp_file_pos(pp, name)).line);
    case MACRO_FILE: return quoted(pp, pp_mapped(pp, pp_presumed(pp, pp_file_pos(pp, name)).file));
    case MACRO_BASE_FILE: return quoted(pp, pp_mapped(pp, pp->main_file->path));
    case MACRO_INCLUDE_LEVEL: return number(pp, pp->buffer->depth);
    case MACRO_COUNTER: return number(pp, pp->counter++);
    case MACRO_DATE:
    case MACRO_TIME:
        if (!pp->date) find_date(pp);
        return kind == MACRO_DATE ? pp->date : pp->time;
    case MACRO_TIMESTAMP: return timestamp(pp);
    case MACRO_HAS_INCLUDE: return include_exists(pp, name, INCLUDE_ORDINARY) ? "1" : "0";
    case MACRO_HAS_INCLUDE_NEXT: return include_exists(pp, name, INCLUDE_NEXT) ? "1" : "0";
    default: return number(pp, has_name(pp, name, kind));
    }
}

bool builtin_expand(Pp *pp, Macro *macro, Token *name) {
    if (macro->kind == MACRO_PRAGMA) {
        // In an argument it is carried out when the expansion is read, in its turn among the
        // tokens.
        if (pp->in_directive || pp->argument_depth) return false;
        return pragma_operator(pp, name);
    }
    if ((macro->kind == MACRO_HAS_INCLUDE || macro->kind == MACRO_HAS_INCLUDE_NEXT) &&
        !pp->in_expression) {
        pp_error(pp, name, "'%s' can only be used in #if and #elif", name->ident->text);
        return false;
    }
    macro->disabled = true; // while its operand is read: an operand can be of any depth
    const char *text = value_of(pp, macro->kind, name);
    macro->disabled = false;
    Token value = lex_make(pp, *text == '"' ? TOK_STRING : TOK_NUMBER, text, strlen(text));
    value.pos = name->pos;
    value.expansion = name->expansion;
    pp_push_tokens(pp, arena_copy(pp->scratch, &value, sizeof value), 1, NULL, 0);
    *name = padding(name);
    return true;
}
