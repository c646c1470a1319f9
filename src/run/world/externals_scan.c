// The functions of scanf's family.
//
// Characters come from a stream of the host or from a string in simulated memory, one at a time,
// and one character can be put back, as in glibc. The grammar of a number collects its characters,
// and the host converts them.
#include "run/world/externals.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ExternalCall *call;
    FormatArguments arguments;
    const char *at; // rest of the format
    FILE *host;     // NULL: the string
    Bytes text;
    uint64_t read;     // characters taken
    bool wrong;        // the run ended
    bool input_failed; // the input ended where something was wanted
    int32_t stored;    // conversions that were stored
} Scanner;

// One conversion: %[*][width][length]letter
typedef struct {
    bool suppress;
    uint64_t width; // UINT64_MAX if there is none
    Chunk integer;  // where an integer goes
    Chunk real;     // where a floating number goes
    char letter;
    bool in_set[256]; // %[
} ScanConversion;

// ---- Input

// The next character, or EOF.
static int next_character(Scanner *scanner) {
    int c;
    if (scanner->host)
        c = getc(scanner->host);
    else {
        uint8_t byte;
        if (!bytes_get(scanner->call, &scanner->text, scanner->read, &byte)) {
            scanner->wrong = true;
            return EOF;
        }
        c = byte ? byte : EOF;
    }
    if (c != EOF) scanner->read++;
    return c;
}

static void put_back(Scanner *scanner, int c) {
    if (c == EOF) return;
    scanner->read--;
    if (scanner->host) ungetc(c, scanner->host);
}

// Skips white space; false at the end of the input.
static bool skip_space(Scanner *scanner) {
    int c;
    do c = next_character(scanner);
    while (c != EOF && isspace(c));
    put_back(scanner, c);
    return c != EOF;
}

// A number as it is collected. `ahead` is the character after it.
typedef struct {
    Scanner *scanner;
    Out *text;
    uint64_t room; // characters that the width still allows
    int ahead;
} Collector;

static void advance(Collector *collector) {
    collector->ahead = collector->room ? next_character(collector->scanner) : EOF;
}

static void collect(Collector *collector) {
    out_char(collector->text, (char)collector->ahead);
    collector->room--;
    advance(collector);
}

// Collects the next character if it is one of these, whatever its case.
static bool collect_if(Collector *collector, const char *characters) {
    int c = collector->ahead;
    if (c == EOF || !c || !strchr(characters, tolower(c))) return false;
    collect(collector);
    return true;
}

static Collector collector_start(Scanner *scanner, const ScanConversion *target) {
    Collector collector = {
        .scanner = scanner, .text = &scanner->call->world->files->text, .room = target->width};
    collector.text->length = 0;
    advance(&collector);
    return collector;
}

// ---- Integers

// Collects a sign, a prefix and digits; false if there are no digits. Base 0 is settled by the
// prefix.
static bool collect_integer(Collector *collector, int *base) {
    static const char digits[] = "0123456789abcdef";
    char allowed[sizeof digits] = {0};
    bool any = false;
    collect_if(collector, "+-");
    if (collector->ahead == '0' && (*base == 0 || *base == 16)) {
        collect(collector);
        any = true;
        if (collect_if(collector, "x"))
            *base = 16;
        else if (!*base)
            *base = 8;
    }
    if (!*base) *base = 10;
    memcpy(allowed, digits, (size_t)*base);
    while (collect_if(collector, allowed)) any = true;
    return any;
}

// glibc writes a null pointer as "(nil)" and reads it again.
static bool collect_nil(Collector *collector) {
    for (const char *c = "(nil)"; *c; c++)
        if (!collect_if(collector, (char[]){*c, 0})) return false;
    return true;
}

static bool store_integer(Scanner *scanner, const ScanConversion *target, uint64_t n) {
    Value address;
    if (target->suppress) return true;
    if (!arguments_next(scanner->call, &scanner->arguments, TYPE_I64, &address)) return false;
    return external_store(scanner->call, target->integer, as_i64(address),
                          target->integer == CHUNK_I64 ? value_i64(n) : value_i32((uint32_t)n));
}

static bool scan_integer(Scanner *scanner, const ScanConversion *target) {
    int base = target->letter == 'i'                            ? 0
               : target->letter == 'o'                          ? 8
               : target->letter == 'd' || target->letter == 'u' ? 10
                                                                : 16;
    Collector collector = collector_start(scanner, target);
    bool nil = target->letter == 'p' && collector.ahead == '(';
    bool ok = nil ? collect_nil(&collector) : collect_integer(&collector, &base);
    put_back(scanner, collector.ahead);
    if (!ok) return false;
    out_char(collector.text, 0);
    const char *text = collector.text->text;
    uint64_t n = target->letter == 'd' || target->letter == 'i' ? (uint64_t)strtol(text, NULL, base)
                                                                : strtoul(text, NULL, base);
    if (!store_integer(scanner, target, nil ? 0 : n)) {
        scanner->wrong = true;
        return false;
    }
    scanner->stored += !target->suppress;
    return true;
}

// ---- Floating numbers

static bool collect_word(Collector *collector, const char *word) {
    for (; *word; word++)
        if (!collect_if(collector, (char[]){*word, 0})) return false;
    return true;
}

// "inf", "infinity" or "nan".
static bool collect_special(Collector *collector) {
    if (tolower(collector->ahead) == 'n') return collect_word(collector, "nan");
    if (!collect_word(collector, "inf")) return false;
    return tolower(collector->ahead) != 'i' || collect_word(collector, "inity");
}

static bool collect_digits(Collector *collector, const char *digits) {
    bool any = false;
    while (collect_if(collector, digits)) any = true;
    return any;
}

static bool collect_float(Collector *collector) {
    const char *digits = "0123456789", *exponent = "e";
    collect_if(collector, "+-");
    if (collector->ahead != EOF && strchr("in", tolower(collector->ahead)))
        return collect_special(collector);
    bool any = collect_if(collector, "0"), hexadecimal = any && collect_if(collector, "x");
    if (hexadecimal) {
        digits = "0123456789abcdef";
        exponent = "p";
        any = false;
    }
    any |= collect_digits(collector, digits);
    bool point = collect_if(collector, ".");
    if (point) any |= collect_digits(collector, digits);
    if (any && collect_if(collector, exponent)) {
        collect_if(collector, "+-");
        collect_digits(collector, "0123456789");
    }
    return any || (hexadecimal && point); // glibc reads "0x." as 0
}

static bool scan_float(Scanner *scanner, const ScanConversion *target) {
    Collector collector = collector_start(scanner, target);
    bool ok = collect_float(&collector);
    put_back(scanner, collector.ahead);
    if (!ok) return false;
    if (target->suppress) return true;
    out_char(collector.text, 0);
    const char *text = collector.text->text;
    Value address, value;
    if (target->real == CHUNK_F32)
        value = value_f32(strtof(text, NULL));
    else if (target->real == CHUNK_F64)
        value = value_f64(strtod(text, NULL));
    else
        value = value_f80(strtold(text, NULL));
    if (!arguments_next(scanner->call, &scanner->arguments, TYPE_I64, &address) ||
        !external_store(scanner->call, target->real, as_i64(address), value)) {
        scanner->wrong = true;
        return false;
    }
    scanner->stored++;
    return true;
}

// ---- Characters

static bool accepts(const ScanConversion *target, int c) {
    if (c == EOF) return false;
    if (target->letter == 's') return !isspace(c);
    return target->letter == 'c' || target->in_set[c];
}

// %s, %[ and %c: as many characters as are accepted, and for the first two a NUL. They are stored
// at once, so that a text which is too long for its object is found out at the first byte outside.
static bool scan_text(Scanner *scanner, const ScanConversion *target) {
    ExternalCall *call = scanner->call;
    Value address = {0};
    bool terminated = target->letter != 'c';
    uint64_t limit = !terminated && target->width == UINT64_MAX ? 1 : target->width, count = 0;
    if (!target->suppress && !arguments_next(call, &scanner->arguments, TYPE_I64, &address)) {
        scanner->wrong = true;
        return false;
    }
    int c = EOF;
    for (; count < limit; count++) {
        c = next_character(scanner);
        if (!accepts(target, c)) break;
        uint8_t byte = (uint8_t)c;
        if (!target->suppress && !external_put(call, as_i64(address) + count, &byte, 1)) {
            scanner->wrong = true;
            return false;
        }
    }
    if (count < limit) put_back(scanner, c);
    if (!count || scanner->wrong) {
        scanner->input_failed = c == EOF;
        return false;
    }
    if (terminated && !target->suppress && !external_put(call, as_i64(address) + count, "", 1)) {
        scanner->wrong = true;
        return false;
    }
    scanner->stored += !target->suppress;
    return true;
}

// ---- The format

static void parse_length(Scanner *scanner, ScanConversion *target) {
    target->integer = CHUNK_I32;
    target->real = CHUNK_F32;
    char c = *scanner->at;
    if (!c || !strchr("hlqjztL", c)) return;
    bool twice = (c == 'h' || c == 'l') && scanner->at[1] == c;
    scanner->at += twice ? 2 : 1;
    target->integer = c != 'h' ? CHUNK_I64 : twice ? CHUNK_I8 : CHUNK_I16;
    if (c == 'l' && !twice) target->real = CHUNK_F64;
    if (c == 'L' || c == 'q' || (c == 'l' && twice)) target->real = CHUNK_F80;
}

// The characters after "%["; false if there is no "]".
static bool parse_set(Scanner *scanner, ScanConversion *target) {
    const uint8_t *at = (const uint8_t *)scanner->at;
    bool inside = *at != '^';
    if (!inside) at++;
    memset(target->in_set, !inside, sizeof target->in_set);
    const uint8_t *first = at;
    for (; *at && (*at != ']' || at == first); at++) {
        bool range = *at == '-' && at > first && at[1] && at[1] != ']' && at[-1] <= at[1];
        for (unsigned c = range ? at[-1] : *at; c <= (range ? at[1] : *at); c++)
            target->in_set[c] = inside;
        at += range;
    }
    scanner->at = (const char *)at + (*at != 0);
    return *at != 0;
}

static bool parse_conversion(Scanner *scanner, ScanConversion *target) {
    *target = (ScanConversion){.width = UINT64_MAX};
    if (*scanner->at == '*') {
        target->suppress = true;
        scanner->at++;
    }
    if (isdigit((unsigned char)*scanner->at)) {
        char *end;
        target->width = strtoul(scanner->at, &end, 10);
        scanner->at = end;
        if (!target->width) target->width = UINT64_MAX;
    }
    parse_length(scanner, target);
    target->letter = *scanner->at;
    if (*scanner->at) scanner->at++;
    if (target->letter == 'p') target->integer = CHUNK_I64;
    bool ok = target->letter && strchr("diouxXpeEfFgGaAcsn%[", target->letter) &&
              (target->letter != '[' || parse_set(scanner, target)) &&
              !(strchr("cs[", target->letter) && target->integer == CHUNK_I64);
    if (!ok) {
        external_wrong(scanner->call, "the format has a conversion that is not known");
        scanner->wrong = true;
    }
    return ok;
}

// Takes exactly this character from the input.
static bool match(Scanner *scanner, int wanted) {
    int c = next_character(scanner);
    if (c == wanted) return true;
    put_back(scanner, c);
    scanner->input_failed = c == EOF;
    return false;
}

// Performs one conversion; false if the scan ends here.
static bool convert(Scanner *scanner, const ScanConversion *target) {
    if (target->letter == 'n') {
        if (store_integer(scanner, target, scanner->read)) return true;
        scanner->wrong = true;
        return false;
    }
    if (target->letter != 'c' && target->letter != '[' && !skip_space(scanner)) {
        scanner->input_failed = true;
        return false;
    }
    switch (target->letter) {
    case '%': return match(scanner, '%');
    case 'c':
    case 's':
    case '[': return scan_text(scanner, target);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p': return scan_integer(scanner, target);
    default: return scan_float(scanner, target);
    }
}

// The result is the number of conversions stored, or EOF if the input ended before the first.
static void scan(Scanner *scanner, uint32_t format) {
    uint64_t length;
    bool going = true;
    scanner->at = external_string(scanner->call, arg_i64(scanner->call, format), &length);
    if (!scanner->at) return;
    while (going && *scanner->at && !scanner->wrong) {
        int c = (unsigned char)*scanner->at++;
        if (isspace(c))
            skip_space(scanner);
        else if (c != '%')
            going = match(scanner, c);
        else {
            ScanConversion target;
            going = parse_conversion(scanner, &target) && convert(scanner, &target);
        }
    }
    give_i32(scanner->call, !scanner->stored && scanner->input_failed ? EOF : scanner->stored);
}

// ---- The functions

static void scan_stream(ExternalCall *call, const Stream *stream, uint32_t format,
                        FormatArguments arguments) {
    Scanner scanner = {.call = call, .arguments = arguments};
    if (!stream) return;
    scanner.host = stream->host;
    scan(&scanner, format);
}

static void scan_string(ExternalCall *call, FormatArguments arguments) {
    Scanner scanner = {.call = call, .arguments = arguments};
    if (bytes_at(call, arg_i64(call, 0), &scanner.text)) scan(&scanner, 1);
}

static void scan_standard(ExternalCall *call, FormatArguments arguments) {
    Stream *stream = external_standard(call, 0);
    if (stream)
        scan_stream(call, stream, 0, arguments);
    else
        give_i32(call, EOF);
}

void external_scanf(ExternalCall *call) {
    scan_standard(call, arguments_from(1));
}
void external_vscanf(ExternalCall *call) {
    scan_standard(call, arguments_list(arg_i64(call, 1)));
}
void external_fscanf(ExternalCall *call) {
    scan_stream(call, external_stream(call, arg_i64(call, 0)), 1, arguments_from(2));
}
void external_vfscanf(ExternalCall *call) {
    scan_stream(call, external_stream(call, arg_i64(call, 0)), 1, arguments_list(arg_i64(call, 2)));
}
void external_sscanf(ExternalCall *call) {
    scan_string(call, arguments_from(2));
}
void external_vsscanf(ExternalCall *call) {
    scan_string(call, arguments_list(arg_i64(call, 2)));
}
