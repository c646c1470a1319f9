// -Wformat-overflow, -Wformat-truncation: what sprintf writes at least, compared with the array
// that it writes to.
#include "c/parse/warn.h"

#include <stdlib.h>
#include <string.h>

static const CString *literal_of(const Expr *expr) {
    while (expr->kind == EX_CAST &&
           (expr->cast == CAST_POINTER || expr->cast == CAST_DECAY || expr->cast == CAST_SAME))
        expr = expr->left;
    return expr->kind == EX_STRING && expr->string->element == 1 ? expr->string : NULL;
}

static uint64_t digits_of(const Expr *arg, bool is_signed) {
    if (!arg || arg->kind != EX_INT || arg->assumed) return 1;
    bool negative = is_signed && (int64_t)arg->integer < 0;
    uint64_t value = negative ? 0 - arg->integer : arg->integer, count = negative;
    do count++;
    while (value /= 10);
    return count;
}

// What one conversion writes at least. `at` is behind the %; it is moved behind the conversion.
// False if that is not known.
static bool least_of(const char **at, const Expr *const *args, uint32_t count, uint32_t *next,
                     uint64_t *least) {
    const char *p = *at;
    uint64_t width = 0, precision = UINT64_MAX;
    p += strspn(p, "-+ #0'");
    if (*p == '*') return false;
    width = strtoull(p, (char **)&p, 10);
    if (*p == '.') {
        if (p[1] == '*') return false;
        precision = strtoull(p + 1, (char **)&p, 10);
    }
    p += strspn(p, "hlLqjzt");
    const Expr *arg = *next < count ? args[*next] : NULL;
    *least = 0;
    switch (*p) {
    case '%': *least = 1; break;
    case 'c':
        *least = 1;
        (*next)++;
        break;
    case 'd':
    case 'i':
    case 'u':
        *least = precision == 0 ? 0 : digits_of(arg, *p != 'u');
        if (precision != UINT64_MAX && precision > *least) *least = precision;
        (*next)++;
        break;
    case 'x':
    case 'X':
    case 'o':
        *least = precision == 0 ? 0 : precision != UINT64_MAX ? precision : 1;
        (*next)++;
        break;
    case 's': {
        const CString *string = arg ? literal_of(arg) : NULL;
        if (string) *least = strlen((const char *)string->bytes);
        if (*least > precision) *least = precision;
        (*next)++;
        break;
    }
    default: return false;
    }
    if (*least < width) *least = width;
    *at = p + 1;
    return true;
}

// The characters that a format yields at least; false if it has something that is not known.
static bool least_length(const Expr *call, uint32_t format, uint64_t *length) {
    const CString *string = literal_of(call->args[format]);
    if (!string) return false;
    uint32_t next = format + 1;
    *length = 0;
    for (const char *at = (const char *)string->bytes; *at;) {
        uint64_t least = 1;
        if (*at++ == '%' &&
            !least_of(&at, (const Expr *const *)call->args, call->arg_count, &next, &least))
            return false;
        *length += least;
    }
    return true;
}

static void note_output(Parser *parser, const Expr *call, const Decl *func, uint64_t length,
                        uint64_t room) {
    parser_note(parser, call->pos,
                "'%s' output %llu byte%s or more into a destination of size %llu", func->name->text,
                (unsigned long long)length + 1, length ? "s" : "", (unsigned long long)room);
}

void warn_format_size(Parser *parser, const Expr *call, const Decl *func, bool unused) {
    bool bounded = func->name->text[1] == 'n';
    uint32_t format = bounded ? 2 : 1;
    uint64_t length, room, size;
    const Decl *decl;
    if (call->arg_count <= format || !least_length(call, format, &length)) return;
    bool known = known_room(call->args[0], &room, &decl);
    if (!bounded) {
        if (!known || length < room) return;
        warn_at_expr(parser, WARN_FORMAT_OVERFLOW, call,
                     length == room
                         ? "'%s' writing a terminating nul past the end of the destination"
                         : "'%s' writing %llu bytes into a region of size %llu",
                     func->name->text, (unsigned long long)length + 1, (unsigned long long)room);
        note_output(parser, call, func, length, room);
        return;
    }
    if (!expr_is_integer_constant(call->args[1], &size) || call->args[1]->assumed) return;
    if (known && size > room) {
        warn_at_expr(parser, WARN_FORMAT_OVERFLOW, call,
                     "specified bound %llu exceeds destination size %llu", (unsigned long long)size,
                     (unsigned long long)room);
    } else if (size > 0 && length >= size && unused) {
        warn_at_expr(parser, WARN_FORMAT_TRUNCATION, call,
                     length == size
                         ? "'%s' output truncated before the last format character"
                         : "'%s' output truncated writing %llu bytes into a region of size %llu",
                     func->name->text, (unsigned long long)length + 1, (unsigned long long)size);
        note_output(parser, call, func, length, size);
    }
}
