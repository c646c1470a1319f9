#include "test/gen/damage.h"

#include "cert/certificate.h"

#include <string.h>

typedef struct {
    size_t start, end; // the end is one past the last byte, a line break included
} Range;

static Range line_around(const Out *text, size_t at) {
    Range line = {at, at};
    while (line.start > 0 && text->text[line.start - 1] != '\n') line.start--;
    while (line.end < text->length && text->text[line.end] != '\n') line.end++;
    if (line.end < text->length) line.end++;
    return line;
}

static size_t random_place(Random *random, const Out *text) {
    return random_below(random, (uint32_t)text->length);
}

// Puts other bytes where a range was.
static void replace(Out *text, Range range, const char *bytes, size_t length) {
    Out result = {0};
    out_bytes(&result, text->text, range.start);
    out_bytes(&result, bytes, length);
    out_bytes(&result, text->text + range.end, text->length - range.end);
    text->length = 0;
    out_bytes(text, result.text, result.length);
    out_free(&result);
}

static void copy_line(Random *random, Out *text, bool over_another) {
    Range from = line_around(text, random_place(random, text));
    Range to = line_around(text, random_place(random, text));
    if (!over_another) to = (Range){from.end, from.end};
    Out line = {0};
    out_bytes(&line, text->text + from.start, from.end - from.start);
    replace(text, to, line.text, line.length);
    out_free(&line);
}

static void exchange_lines(Random *random, Out *text) {
    Range first = line_around(text, random_place(random, text));
    if (first.end >= text->length) return;
    Range second = line_around(text, first.end);
    Out lines = {0};
    out_bytes(&lines, text->text + second.start, second.end - second.start);
    out_bytes(&lines, text->text + first.start, first.end - first.start);
    replace(text, (Range){first.start, second.end}, lines.text, lines.length);
    out_free(&lines);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A number from a place on, going round at the end of the text; an empty range if there is none.
static Range number_from(const Out *text, size_t at, size_t limit) {
    while (at < limit && !is_digit(text->text[at])) at++;
    Range number = {at, at};
    while (number.end < limit && is_digit(text->text[number.end])) number.end++;
    return number;
}

static void change_number(Random *random, Out *text) {
    static const char *const others[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "7",
                                         "-",
                                         "4294967295",
                                         "4294967294",
                                         "99999999999999999999",
                                         "18446744073709551615"};
    Range number = number_from(text, random_place(random, text), text->length);
    char other[24];
    if (number.start == number.end) return;
    uint32_t way = random_below(random, 4);
    uint64_t value = 0;
    for (size_t i = number.start; i < number.end && i < number.start + 9; i++)
        value = value * 10 + (uint64_t)(text->text[i] - '0');
    if (way < 2)
        snprintf(other, sizeof other, "%llu",
                 (unsigned long long)(way || !value ? value + 1 : value - 1));
    else if (way == 2)
        snprintf(other, sizeof other, "%u", random_below(random, 20));
    else
        snprintf(other, sizeof other, "%s",
                 others[random_below(random, sizeof others / sizeof others[0])]);
    replace(text, number, other, strlen(other));
}

static void exchange_numbers(Random *random, Out *text) {
    size_t at = random_place(random, text);
    Range line = line_around(text, at);
    Range first = number_from(text, at, line.end), second = number_from(text, first.end, line.end);
    if (second.start == second.end) return;
    Out both = {0};
    out_bytes(&both, text->text + second.start, second.end - second.start);
    out_bytes(&both, text->text + first.end, second.start - first.end);
    out_bytes(&both, text->text + first.start, first.end - first.start);
    replace(text, (Range){first.start, second.end}, both.text, both.length);
    out_free(&both);
}

// What stands around a place up to one of the marks on both sides, blanks at its start left out.
static Range part_around(const Out *text, size_t at, const char *marks) {
    Range part = {at, at};
    while (part.start > 0 && !strchr(marks, text->text[part.start - 1])) part.start--;
    while (part.end < text->length && !strchr(marks, text->text[part.end])) part.end++;
    while (part.start < part.end && text->text[part.start] == ' ') part.start++;
    return part;
}

// An operand or a word in the place of a word: so one of another kind comes to stand there, as an
// operand in memory for a register.
static void copy_part(Random *random, Out *text) {
    static const char operand_ends[] = "\n,={}", word_ends[] = " \n,()[]:";
    Range from = part_around(text, random_place(random, text),
                             random_chance(random, 1, 2) ? operand_ends : word_ends);
    Range to = part_around(text, random_place(random, text), word_ends);
    Out part = {0};
    out_bytes(&part, text->text + from.start, from.end - from.start);
    replace(text, to, part.text, part.length);
    out_free(&part);
}

void damage_text(Random *random, Out *text) {
    if (!text->length) return;
    switch (random_below(random, 10)) {
    case 0: text->text[random_place(random, text)] ^= (char)(1 << random_below(random, 7)); break;
    case 1: replace(text, line_around(text, random_place(random, text)), "", 0); break;
    case 2: copy_line(random, text, false); break;
    case 3: copy_line(random, text, true); break;
    case 4: exchange_lines(random, text); break;
    case 5: exchange_numbers(random, text); break;
    case 6:
    case 7: copy_part(random, text); break;
    default: change_number(random, text); break;
    }
}

void damage_rehash(Out *text) {
    if (is_text_certificate(text->text, text->length)) return;
    size_t end = text->length;
    Range last = line_around(text, end ? end - 1 : 0);
    if (last.end - last.start == CERTIFICATE_LAST_LINE &&
        memcmp(text->text + last.start, CERTIFICATE_HASH, strlen(CERTIFICATE_HASH)) == 0)
        end = last.start;
    text->length = end;
    if (end && text->text[end - 1] != '\n') out_char(text, '\n');
    Digest hash = sha256_of(text->text, text->length);
    out_printf(text, CERTIFICATE_HASH "%s\n", digest_text(&hash).text);
}
