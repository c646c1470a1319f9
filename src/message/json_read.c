#include "message/json_read.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const char *at, *end;
    const char *mistake;
} JsonReader;

static bool fail(JsonReader *reader, const char *mistake) {
    if (!reader->mistake) reader->mistake = mistake;
    return false;
}

static void skip_blanks(JsonReader *reader) {
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at) reader->at++;
}

static bool next_is(JsonReader *reader, char c) {
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != c) return false;
    reader->at++;
    return true;
}

static bool expect(JsonReader *reader, char c, const char *mistake) {
    return next_is(reader, c) || fail(reader, mistake);
}

static bool read_hex(JsonReader *reader, uint32_t *code) {
    *code = 0;
    if (reader->end - reader->at < 4) return fail(reader, "an escape ends early");
    for (int i = 0; i < 4; i++) {
        char c = *reader->at++;
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) return fail(reader, "an escape has no four digits");
        *code = *code << 4 | digit;
    }
    return true;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

// \uXXXX, or two of them that are one character together.
static bool read_code(JsonReader *reader, char **to) {
    uint32_t code, low;
    if (!read_hex(reader, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (reader->end - reader->at < 2 || memcmp(reader->at, "\\u", 2) != 0)
            return fail(reader, "half a character");
        reader->at += 2;
        if (!read_hex(reader, &low)) return false;
        if (low < 0xdc00 || low > 0xdfff) return fail(reader, "half a character");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
        return fail(reader, "half a character");
    }
    if (code == 0) return fail(reader, "a NUL in a text");
    *to = put_utf8(*to, code);
    return true;
}

static bool read_escape(JsonReader *reader, char **to) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end) return fail(reader, "a text does not end");
    char c = *reader->at++;
    if (c == 'u') return read_code(reader, to);
    const char *known = c ? strchr(names, c) : NULL;
    if (!known) return fail(reader, "an escape that there is not");
    *(*to)++ = values[known - names];
    return true;
}

static bool read_text(JsonReader *reader, JsonText *text) {
    if (!expect(reader, '"', "a text was expected")) return false;
    const char *stop = reader->at;
    while (stop < reader->end && *stop != '"')
        stop += *stop == '\\' && stop + 1 < reader->end ? 2 : 1;
    char *bytes = arena_alloc(reader->arena, (size_t)(stop - reader->at) + 5), *to = bytes;
    while (reader->at < reader->end && *reader->at != '"') {
        char c = *reader->at++;
        if ((unsigned char)c < ' ') return fail(reader, "a control character in a text");
        if (c != '\\')
            *to++ = c;
        else if (!read_escape(reader, &to))
            return false;
    }
    *text = (JsonText){bytes, (size_t)(to - bytes)};
    return expect(reader, '"', "a text does not end");
}

static bool read_member(JsonReader *reader, JsonMember *member) {
    *member = (JsonMember){0};
    JsonText text;
    if (!read_text(reader, &member->name) || !expect(reader, ':', "a colon was expected"))
        return false;
    member->list = next_is(reader, '[');
    if (member->list && next_is(reader, ']')) return true;
    do {
        if (!read_text(reader, &text)) return false;
        vec_push(reader->arena, &member->texts, text);
    } while (member->list && next_is(reader, ','));
    return !member->list || expect(reader, ']', "a list does not end");
}

JsonObject json_read(Arena *arena, const char *text, size_t length) {
    JsonObject object = {0};
    JsonReader reader = {.arena = arena, .at = text, .end = text + length};
    bool good = expect(&reader, '{', "an object was expected");
    if (good && !next_is(&reader, '}')) {
        JsonMember member;
        do {
            good = read_member(&reader, &member);
            if (good) vec_push(arena, &object.members, member);
        } while (good && next_is(&reader, ','));
        good = good && expect(&reader, '}', "an object does not end");
    }
    skip_blanks(&reader);
    if (good && reader.at != reader.end) fail(&reader, "something follows the object");
    object.mistake = reader.mistake;
    return object;
}

const JsonMember *json_member(const JsonObject *object, const char *name, bool list) {
    for (uint32_t i = 0; i < object->members.count; i++) {
        const JsonMember *member = &object->members.at[i];
        if (member->list == list && strcmp(member->name.text, name) == 0) return member;
    }
    return NULL;
}
