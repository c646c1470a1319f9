// printf and its relatives.
//
// The format is parsed here. Each conversion then takes an argument of exactly the right type, and
// the host's printf renders the one value: numbers come out as they do natively. Strings are taken
// from simulated memory, where a precision bounds what is looked at.
#include "run/world/externals.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

typedef enum {
    LENGTH_INT,
    LENGTH_CHAR,
    LENGTH_SHORT,
    LENGTH_LONG,
    LENGTH_LONG_DOUBLE
} PrintedLength;

static const char flag_characters[] = "-+ #0'";
enum { FLAG_LEFT = 1, FLAG_COUNT = sizeof flag_characters - 1 };

// One conversion of a format: %[flags][width][.precision][length]letter
typedef struct {
    uint32_t flags; // bit i: flag_characters[i]
    int32_t width;
    int32_t precision; // -1 if there is none
    PrintedLength length;
    char letter;
} FormatConversion;

typedef struct {
    ExternalCall *call;
    FormatArguments arguments;
    uint64_t format; // its address
    const char *at;  // rest of it
    Out *out;
    size_t start;    // length of `out` at the start
    bool unwritable; // a wide character has no encoding
} FormatPrinter;

// ---- Parsing

// C promises 4095 characters for a conversion. A little more than that is fine, but no typing error
// in a width shall fill the host's memory.
enum { COUNT_MAX = 1 << 24 };

// A number, or * for the next argument; 0 if there is neither.
static bool parse_count(FormatPrinter *printer, int32_t *count) {
    int64_t n = 0;
    if (*printer->at == '*') {
        printer->at++;
        Value value;
        if (!arguments_next(printer->call, &printer->arguments, TYPE_I32, &value)) return false;
        n = (int32_t)as_i32(value);
    }
    while (isdigit((unsigned char)*printer->at) && n <= COUNT_MAX)
        n = n * 10 + (*printer->at++ - '0');
    *count = (int32_t)n;
    if (n >= -COUNT_MAX && n <= COUNT_MAX) return true;
    external_wrong(printer->call, "a width or precision of the format is too large");
    return false;
}

static PrintedLength parse_length(FormatPrinter *printer) {
    char c = *printer->at;
    if (!c || !strchr("hlqjztL", c)) return LENGTH_INT;
    bool twice = (c == 'h' || c == 'l') && printer->at[1] == c;
    printer->at += twice ? 2 : 1;
    if (c == 'h') return twice ? LENGTH_CHAR : LENGTH_SHORT;
    return c == 'L' ? LENGTH_LONG_DOUBLE : LENGTH_LONG;
}

static bool parse_conversion(FormatPrinter *printer, FormatConversion *conversion) {
    *conversion = (FormatConversion){.precision = -1};
    const char *flag;
    while (*printer->at && (flag = strchr(flag_characters, *printer->at))) {
        conversion->flags |= 1u << (flag - flag_characters);
        printer->at++;
    }
    if (!parse_count(printer, &conversion->width)) return false;
    if (conversion->width < 0) {
        conversion->flags |= FLAG_LEFT;
        conversion->width = -conversion->width;
    }
    if (*printer->at == '.') {
        printer->at++;
        if (!parse_count(printer, &conversion->precision)) return false;
        if (conversion->precision < 0) conversion->precision = -1;
    }
    conversion->length = parse_length(printer);
    conversion->letter = *printer->at;
    if (*printer->at) printer->at++;
    return true;
}

// ---- Rendering

enum { SPEC_SIZE = FLAG_COUNT + 8 };

// The same conversion for the host, with width and precision as arguments.
static void host_spec(const FormatConversion *conversion, const char *length, char *spec) {
    *spec++ = '%';
    for (uint32_t i = 0; i < FLAG_COUNT; i++)
        if (conversion->flags >> i & 1) *spec++ = flag_characters[i];
    for (const char *c = "*.*"; *c; c++) *spec++ = *c;
    while (*length) *spec++ = *length++;
    *spec++ = conversion->letter;
    *spec = 0;
}

// The integer argument, cut and extended as its length and the letter say.
static bool next_integer(FormatPrinter *printer, const FormatConversion *conversion, bool is_signed,
                         uint64_t *n) {
    bool wide = conversion->length >= LENGTH_LONG;
    Value value;
    if (!arguments_next(printer->call, &printer->arguments, wide ? TYPE_I64 : TYPE_I32, &value))
        return false;
    *n = value.bits;
    switch (conversion->length) {
    case LENGTH_CHAR: *n = is_signed ? (uint64_t)(int64_t)(int8_t)*n : (uint8_t)*n; break;
    case LENGTH_SHORT: *n = is_signed ? (uint64_t)(int64_t)(int16_t)*n : (uint16_t)*n; break;
    case LENGTH_INT: *n = is_signed ? (uint64_t)(int64_t)(int32_t)*n : (uint32_t)*n; break;
    default: break;
    }
    return true;
}

static bool format_integer(FormatPrinter *printer, const FormatConversion *conversion) {
    char spec[SPEC_SIZE];
    uint64_t n;
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    if (!next_integer(printer, conversion, is_signed, &n)) return false;
    host_spec(conversion, "j", spec);
    if (is_signed)
        out_printf(printer->out, spec, conversion->width, conversion->precision, (intmax_t)n);
    else
        out_printf(printer->out, spec, conversion->width, conversion->precision, (uintmax_t)n);
    return true;
}

static bool format_float(FormatPrinter *printer, const FormatConversion *conversion) {
    char spec[SPEC_SIZE];
    Value value;
    bool extended = conversion->length == LENGTH_LONG_DOUBLE;
    if (!arguments_next(printer->call, &printer->arguments, extended ? TYPE_F80 : TYPE_F64, &value))
        return false;
    host_spec(conversion, extended ? "L" : "", spec);
    if (extended)
        out_printf(printer->out, spec, conversion->width, conversion->precision, as_f80(value));
    else
        out_printf(printer->out, spec, conversion->width, conversion->precision, as_f64(value));
    return true;
}

static bool print_pointer(FormatPrinter *printer, const FormatConversion *conversion) {
    char spec[SPEC_SIZE];
    Value value;
    if (!arguments_next(printer->call, &printer->arguments, TYPE_I64, &value)) return false;
    host_spec(conversion, "", spec);
    out_printf(printer->out, spec, conversion->width, conversion->precision,
               (void *)(uintptr_t)as_i64(value));
    return true;
}

static void print_padded(FormatPrinter *printer, const FormatConversion *conversion,
                         const char *text, uint64_t length) {
    uint64_t width = (uint64_t)conversion->width;
    uint64_t padding = width > length ? width - length : 0;
    bool left = conversion->flags & FLAG_LEFT;
    if (left) out_bytes(printer->out, text, length);
    for (uint64_t i = 0; i < padding; i++) out_char(printer->out, ' ');
    if (!left) out_bytes(printer->out, text, length);
}

static bool print_character(FormatPrinter *printer, const FormatConversion *conversion) {
    Value value;
    if (!arguments_next(printer->call, &printer->arguments, TYPE_I32, &value)) return false;
    char c = (char)as_i32(value);
    if (conversion->length == LENGTH_LONG && as_i32(value) > 127)
        printer->unwritable = true;
    else
        print_padded(printer, conversion, &c, 1);
    return true;
}

// In the C locale the wide characters up to 127 are their own encodings and the others have none.
static bool print_wide(FormatPrinter *printer, const FormatConversion *conversion,
                       uint64_t address) {
    Out text = {0};
    uint64_t limit = conversion->precision < 0 ? UINT64_MAX : (uint64_t)conversion->precision;
    Value c = {0};
    bool ok = true;
    while (text.length < limit) {
        ok = external_load(printer->call, CHUNK_I32, address + text.length * 4, &c);
        if (!ok || !as_i32(c) || as_i32(c) > 127) break;
        out_char(&text, (char)as_i32(c));
    }
    printer->unwritable = ok && as_i32(c) > 127;
    if (ok && !printer->unwritable) print_padded(printer, conversion, text.text, text.length);
    out_free(&text);
    return ok;
}

static bool print_string(FormatPrinter *printer, const FormatConversion *conversion) {
    Value value;
    Bytes bytes;
    uint64_t limit = conversion->precision < 0 ? UINT64_MAX : (uint64_t)conversion->precision;
    uint64_t length = 0;
    if (!arguments_next(printer->call, &printer->arguments, TYPE_I64, &value)) return false;
    if (!as_i64(value)) { // as glibc does, which prints it whole or not at all
        print_padded(printer, conversion, "(null)", limit < 6 ? 0 : 6);
        return true;
    }
    if (conversion->length == LENGTH_LONG) return print_wide(printer, conversion, as_i64(value));
    if (!limit) {
        print_padded(printer, conversion, "", 0);
        return true;
    }
    if (!bytes_at(printer->call, as_i64(value), &bytes) ||
        !bytes_length(printer->call, &bytes, limit, &length))
        return false;
    print_padded(printer, conversion, (const char *)bytes.data, length);
    return true;
}

// %n: the number of characters so far.
static bool store_count(FormatPrinter *printer, const FormatConversion *conversion) {
    static const Chunk chunk[] = {
        [LENGTH_CHAR] = CHUNK_I8,  [LENGTH_SHORT] = CHUNK_I16,       [LENGTH_INT] = CHUNK_I32,
        [LENGTH_LONG] = CHUNK_I64, [LENGTH_LONG_DOUBLE] = CHUNK_I64,
    };
    Value value;
    const Object *format = memory_find(printer->call->world->memory, printer->format);
    if (printer->arguments.guarded && format && !format->readonly) {
        external_writable_format(printer->call);
        return false;
    }
    if (!arguments_next(printer->call, &printer->arguments, TYPE_I64, &value)) return false;
    uint64_t count = printer->out->length - printer->start;
    return external_store(printer->call, chunk[conversion->length], as_i64(value),
                          conversion->length >= LENGTH_LONG ? value_i64(count)
                                                            : value_i32((uint32_t)count));
}

static bool print_error(FormatPrinter *printer, const FormatConversion *conversion) {
    Value code;
    if (!external_load(printer->call, CHUNK_I32, external_errno_address(printer->call->world),
                       &code))
        return false;
    const char *text = strerror((int)as_i32(code));
    print_padded(printer, conversion, text, strlen(text));
    return true;
}

static bool print_conversion(FormatPrinter *printer, const FormatConversion *conversion) {
    switch (conversion->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': return format_integer(printer, conversion);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return format_float(printer, conversion);
    case 'c': return print_character(printer, conversion);
    case 's': return print_string(printer, conversion);
    case 'p': return print_pointer(printer, conversion);
    case 'n': return store_count(printer, conversion);
    case 'm': return print_error(printer, conversion);
    case '%': out_char(printer->out, '%'); return true;
    case 0: external_wrong(printer->call, "the format ends inside a conversion"); return false;
    default:
        external_wrong(printer->call, "the format has an unknown conversion '%c'",
                       conversion->letter);
        return false;
    }
}

bool external_format(ExternalCall *call, uint64_t format, FormatArguments arguments, Out *out,
                     int32_t *length) {
    uint64_t size;
    FormatPrinter printer = {
        .call = call, .arguments = arguments, .format = format, .out = out, .start = out->length};
    printer.at = external_string(call, format, &size);
    if (!printer.at) return false;
    while (*printer.at && !printer.unwritable) {
        size_t plain = strcspn(printer.at, "%");
        out_bytes(out, printer.at, plain);
        printer.at += plain;
        if (!*printer.at) break;
        printer.at++;
        FormatConversion conversion;
        if (!parse_conversion(&printer, &conversion) || !print_conversion(&printer, &conversion))
            return false;
    }
    size_t written = out->length - printer.start;
    if (printer.unwritable || written > INT_MAX) {
        external_errno(call, printer.unwritable ? EILSEQ : EOVERFLOW);
        *length = -1;
    } else
        *length = (int32_t)written;
    return true;
}

// ---- The functions

// Formats into the library's buffer.
static bool format_text(ExternalCall *call, uint32_t format, FormatArguments arguments, Out **out,
                        int32_t *length) {
    *out = &call->world->files->text;
    (*out)->length = 0;
    return external_format(call, arg_i64(call, format), arguments, *out, length);
}

static void print_to(ExternalCall *call, Stream *stream, uint32_t format,
                     FormatArguments arguments) {
    Out *out;
    int32_t length;
    if (!stream || !format_text(call, format, arguments, &out, &length)) return;
    bool written = external_output(call, stream, out->text, out->length);
    give_i32(call, written ? length : -1);
}

// printf to a standard output that was closed fails.
static void print_standard(ExternalCall *call, uint32_t format, FormatArguments arguments) {
    Stream *stream = external_standard(call, 1);
    if (stream)
        print_to(call, stream, format, arguments);
    else
        give_i32(call, -1);
}

void external_printf(ExternalCall *call) {
    print_standard(call, 0, arguments_from(1));
}
void external_vprintf(ExternalCall *call) {
    print_standard(call, 0, arguments_list(arg_i64(call, 1)));
}
// The arguments of a checked function, whose flag is another argument.
static FormatArguments guarded(const ExternalCall *call, FormatArguments arguments, uint32_t flag) {
    arguments.guarded = arg_int(call, flag) > 0;
    return arguments;
}

void external_printf_chk(ExternalCall *call) {
    print_standard(call, 1, guarded(call, arguments_from(2), 0));
}
void external_vprintf_chk(ExternalCall *call) {
    print_standard(call, 1, guarded(call, arguments_list(arg_i64(call, 2)), 0));
}
void external_fprintf(ExternalCall *call) {
    print_to(call, external_stream(call, arg_i64(call, 0)), 1, arguments_from(2));
}
void external_vfprintf(ExternalCall *call) {
    print_to(call, external_stream(call, arg_i64(call, 0)), 1, arguments_list(arg_i64(call, 2)));
}
void external_fprintf_chk(ExternalCall *call) {
    print_to(call, external_stream(call, arg_i64(call, 0)), 2, guarded(call, arguments_from(3), 1));
}
void external_vfprintf_chk(ExternalCall *call) {
    print_to(call, external_stream(call, arg_i64(call, 0)), 2,
             guarded(call, arguments_list(arg_i64(call, 3)), 1));
}

// Formats and stores at the first argument's address what fits into `size` bytes with the NUL.
static void print_into(ExternalCall *call, uint64_t size, uint32_t format,
                       FormatArguments arguments) {
    Out *out;
    int32_t length;
    if (!format_text(call, format, arguments, &out, &length)) return;
    uint64_t kept = out->length < size ? out->length : size - 1;
    if (size && (!external_put(call, arg_i64(call, 0), out->text, kept) ||
                 !external_put(call, arg_i64(call, 0) + kept, "", 1)))
        return;
    give_i32(call, length);
}

void external_sprintf(ExternalCall *call) {
    print_into(call, UINT64_MAX, 1, arguments_from(2));
}
void external_vsprintf(ExternalCall *call) {
    print_into(call, UINT64_MAX, 1, arguments_list(arg_i64(call, 2)));
}
// Formats and stores all of it, unless that is more than the object holds.
static void print_checked(ExternalCall *call, FormatArguments arguments) {
    Out *out;
    int32_t length;
    if (!format_text(call, 3, arguments, &out, &length)) return;
    if (out->length >= arg_i64(call, 2))
        external_overflow(call);
    else if (external_put(call, arg_i64(call, 0), out->text, out->length) &&
             external_put(call, arg_i64(call, 0) + out->length, "", 1))
        give_i32(call, length);
}

void external_sprintf_chk(ExternalCall *call) {
    print_checked(call, guarded(call, arguments_from(4), 1));
}
void external_vsprintf_chk(ExternalCall *call) {
    print_checked(call, guarded(call, arguments_list(arg_i64(call, 4)), 1));
}
void external_snprintf(ExternalCall *call) {
    print_into(call, arg_i64(call, 1), 2, arguments_from(3));
}
void external_vsnprintf(ExternalCall *call) {
    print_into(call, arg_i64(call, 1), 2, arguments_list(arg_i64(call, 3)));
}
static void print_bounded(ExternalCall *call, FormatArguments arguments) {
    if (arg_i64(call, 3) < arg_i64(call, 1))
        external_overflow(call);
    else
        print_into(call, arg_i64(call, 1), 4, arguments);
}

void external_snprintf_chk(ExternalCall *call) {
    print_bounded(call, guarded(call, arguments_from(5), 2));
}
void external_vsnprintf_chk(ExternalCall *call) {
    print_bounded(call, guarded(call, arguments_list(arg_i64(call, 5)), 2));
}

// Stores the address of a new heap block with the text.
static void print_allocated(ExternalCall *call, uint32_t format, FormatArguments arguments) {
    Out *out;
    int32_t length;
    if (!format_text(call, format, arguments, &out, &length)) return;
    uint64_t block = external_allocate(call, out->length + 1, 16, true);
    if (block && (!external_put(call, block, out->text, out->length) ||
                  !external_store(call, CHUNK_I64, arg_i64(call, 0), value_i64(block))))
        return;
    give_i32(call, block ? length : -1);
}

void external_asprintf(ExternalCall *call) {
    print_allocated(call, 1, arguments_from(2));
}
void external_vasprintf(ExternalCall *call) {
    print_allocated(call, 1, arguments_list(arg_i64(call, 2)));
}
void external_asprintf_chk(ExternalCall *call) {
    print_allocated(call, 2, guarded(call, arguments_from(3), 1));
}
void external_vasprintf_chk(ExternalCall *call) {
    print_allocated(call, 2, guarded(call, arguments_list(arg_i64(call, 3)), 1));
}
