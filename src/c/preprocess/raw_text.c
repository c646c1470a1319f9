#include "c/preprocess/raw_text.h"

#include "c/preprocess/raw_string.h"

#include <ctype.h>
#include <string.h>

static bool at_splice(const RawText *raw, uint32_t at) {
    if (at >= raw->end || raw->text[at] != '\\') return false;
    at++;
    while (at < raw->end &&
           (raw->text[at] == ' ' || raw->text[at] == '\t' || raw->text[at] == '\r'))
        at++;
    return at < raw->end && raw->text[at] == '\n';
}

static uint32_t behind_splice(const RawText *raw, uint32_t at) {
    const char *newline = memchr(raw->text + at, '\n', raw->end - at);
    return newline ? (uint32_t)(newline - raw->text) + 1 : raw->end;
}

static bool starts_with(const RawText *raw, uint32_t at, const char *text) {
    size_t length = strlen(text);
    return raw->end - at >= length && memcmp(raw->text + at, text, length) == 0;
}

static uint32_t behind_comment(const RawText *raw, uint32_t at) {
    if (raw->text[at + 1] == '*') {
        for (at += 2; at < raw->end; at++)
            if (starts_with(raw, at, "*/")) return at + 2;
        return raw->end;
    }
    while (at < raw->end && raw->text[at] != '\n')
        at = at_splice(raw, at) ? behind_splice(raw, at) : at + 1;
    return at;
}

static bool at_comment(const RawText *raw, uint32_t at) {
    return starts_with(raw, at, "/*") || starts_with(raw, at, "//");
}

static uint32_t behind_literal(const RawText *raw, uint32_t at) {
    char quote = raw->text[at++];
    while (at < raw->end && raw->text[at] != quote && raw->text[at] != '\n') {
        if (at_splice(raw, at))
            at = behind_splice(raw, at);
        else
            at += raw->text[at] == '\\' && at + 1 < raw->end ? 2 : 1;
    }
    return at < raw->end && raw->text[at] == quote ? at + 1 : at;
}

static uint32_t behind_raw_string(const RawText *raw, uint32_t at) {
    return (uint32_t)(raw_string_scan(raw->text + at, raw->text + raw->end, false).end - raw->text);
}

static uint32_t behind_directive(const RawText *raw, uint32_t at) {
    while (at < raw->end && raw->text[at] != '\n') {
        if (at_splice(raw, at))
            at = behind_splice(raw, at);
        else if (at_comment(raw, at))
            at = behind_comment(raw, at);
        else if (raw->text[at] == '"')
            at = behind_literal(raw, at);
        else
            at++;
    }
    return at;
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

// A name or a number; ' separates digits.
static uint32_t behind_word(const RawText *raw, uint32_t at) {
    bool number = isdigit((unsigned char)raw->text[at]);
    for (at++; at < raw->end; at++) {
        bool separator = number && raw->text[at] == '\'' && at + 1 < raw->end &&
                         isalnum((unsigned char)raw->text[at + 1]);
        if (!in_word(raw->text[at]) && !separator) break;
    }
    return at;
}

static void skip_space(RawText *raw) {
    while (raw->at < raw->end) {
        char c = raw->text[raw->at];
        if (at_splice(raw, raw->at)) {
            raw->at = behind_splice(raw, raw->at);
            continue;
        }
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v') return;
        raw->fresh |= c == '\n';
        raw->at++;
    }
}

RawPiece raw_next(RawText *raw) {
    skip_space(raw);
    RawPiece piece = {.begin = raw->at, .end = raw->at};
    if (raw->at >= raw->end) return piece;
    char c = raw->text[raw->at];
    if (at_comment(raw, raw->at)) {
        piece.kind = RAW_COMMENT;
        piece.end = behind_comment(raw, raw->at);
    } else if (raw->fresh && (c == '#' || starts_with(raw, raw->at, "%:"))) {
        piece.kind = RAW_DIRECTIVE;
        piece.end = behind_directive(raw, raw->at);
    } else {
        piece.kind = RAW_TOKEN;
        raw->fresh = false;
        piece.end = raw->at + 1;
        if (c == '"' || c == '\'') piece.end = behind_literal(raw, raw->at);
        piece.end = in_word(c) ? behind_word(raw, raw->at) : piece.end;
        if (piece.end < raw->end && raw->text[piece.end] == '"' &&
            raw_string_prefix(raw->text + raw->at, piece.end - raw->at))
            piece.end = behind_raw_string(raw, piece.end);
    }
    raw->at = piece.end;
    return piece;
}
