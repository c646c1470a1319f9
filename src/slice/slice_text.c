#include "slice/slice_text.h"

#include "c/preprocess/raw_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t at;
    const char *text;
} TextInsertion;

// What is known of a line of a function.
typedef struct {
    uint32_t begin, end; // its bytes, without the newline
    bool cut;            // something of it is cut
    bool left;           // a token of it stays
    bool brace;          // ... and the first one is a }
    bool directive;
    bool comment; // a comment begins or goes on here
    bool blank;
} TextLine;

typedef struct {
    Arena *arena;
    const Units *units;
    const Bits *kept;
    SliceText *slice;
    Bits cut; // bytes
    VEC(TextInsertion) insertions;
    // Of the function at hand
    uint32_t first_line; // number of its first line, from 0
    VEC(TextLine) lines;
    VEC(RawPiece) comments;
    // Of the file
    VEC(uint32_t) starts; // of lines
    Bits numbered;        // lines whose number matters
    // While writing
    uint32_t next_cut;     // the first byte that is cut at or behind the present line
    bool removed;          // lines were left out since the last one written
    uint32_t waiting;      // blank lines that are not written yet: how many,
    uint32_t waiting_from; // and the first of them
    uint32_t shift; // how many lines less than in the original there are, since the last #line
    uint32_t marked,
        mark; // the last #line of the original: its line plus one, and the number it gives the next
} Cutter;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static uint32_t line_of(const Cutter *cutter, uint32_t offset) {
    uint32_t low = 0, high = cutter->starts.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (cutter->starts.at[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool starts_line(const Cutter *cutter, uint32_t offset) {
    const char *text = cutter->units->text;
    while (offset > 0 && is_blank(text[offset - 1])) offset--;
    return offset == 0 || text[offset - 1] == '\n';
}

// ---- What is cut

static void cut_bytes(Cutter *cutter, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (cutter->units->text[i] != '\n') bits_add(&cutter->cut, i);
}

// Goes on behind a word and the blanks around it, if it stands there.
static bool skip_word(const char **at, const char *word) {
    const char *text = *at;
    size_t length = strlen(word);
    while (is_blank(*text)) text++;
    if (strncmp(text, word, length) != 0) return false;
    if (isalnum((unsigned char)*word) && isalnum((unsigned char)text[length])) return false;
    *at = text + length;
    return true;
}

// Whether a directive is a #pragma that says something of the statement behind it: compilers insist
// on that statement.
static bool is_of_statement(const char *text) {
    static const char *const own[] = {"unroll",   "nounroll", "unroll_and_jam", "ivdep", "simd",
                                      "novector", "vector",   "loop",           "acc"};
    static const char *const alone[] = {"barrier",       "flush",   "taskwait",     "taskyield",
                                        "cancel",        "end",     "cancellation", "declare",
                                        "threadprivate", "requires"};
    if (!skip_word(&text, "#") || !skip_word(&text, "pragma")) return false;
    if (skip_word(&text, "omp")) {
        for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
            if (skip_word(&text, alone[i])) return false;
        return true;
    }
    if (!skip_word(&text, "GCC")) skip_word(&text, "clang");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (skip_word(&text, own[i])) return true;
    return false;
}

// Cuts everything but directives that stay.
static void cut_range(Cutter *cutter, uint32_t from, uint32_t to) {
    RawText raw = {
        .text = cutter->units->text, .at = from, .end = to, .fresh = starts_line(cutter, from)};
    uint32_t at = from;
    for (RawPiece piece; (piece = raw_next(&raw)).kind != RAW_END;) {
        if (piece.kind != RAW_DIRECTIVE || is_of_statement(raw.text + piece.begin)) continue;
        cut_bytes(cutter, at, piece.begin);
        at = piece.end;
    }
    cut_bytes(cutter, at, to);
}

// Cuts it with the blanks on one of its sides.
static void cut_item(Cutter *cutter, uint32_t from, uint32_t to) {
    const char *text = cutter->units->text;
    if (starts_line(cutter, from)) {
        while (to < cutter->units->length && is_blank(text[to])) to++;
    } else {
        while (is_blank(text[from - 1])) from--;
    }
    cut_range(cutter, from, to);
}

// Cuts the pragmas in the lines in front of a statement that go with it.
static void cut_pragmas(Cutter *cutter, uint32_t statement) {
    const char *text = cutter->units->text;
    if (!starts_line(cutter, statement)) return;
    for (uint32_t line = line_of(cutter, statement); line > 0;) {
        uint32_t end = cutter->starts.at[line--] - 1, at = cutter->starts.at[line];
        while (at < end && is_blank(text[at])) at++;
        if (at == end) continue;
        for (uint32_t i; line > 0; line--) { // it may go over several lines
            for (i = cutter->starts.at[line] - 1; i > 0 && text[i - 1] == '\r';) i--;
            if (i == 0 || text[i - 1] != '\\') break;
        }
        if (!is_of_statement(text + cutter->starts.at[line])) return;
        cut_bytes(cutter, cutter->starts.at[line], end);
    }
}

static void insert(Cutter *cutter, uint32_t at, const char *text) {
    vec_push(cutter->arena, &cutter->insertions, (TextInsertion){.at = at, .text = text});
}

static bool stays(const Cutter *cutter, uint32_t unit) {
    return bits_has(cutter->kept, unit_owner(cutter->units, unit));
}

// Whether an if without its else would take that of an if around it.
static bool would_take_else(const Cutter *cutter, uint32_t unit) {
    const Units *units = cutter->units;
    for (uint32_t at = unit_at(units, unit)->parent;;) {
        const Unit *inner = unit_at(units, at), *outer = unit_at(units, inner->parent);
        if (inner->role == ROLE_ITEM || inner->role == ROLE_FUNCTION || inner->kind == UNIT_BLOCK)
            return false;
        uint32_t next = inner->last + 1;
        if (inner->role == ROLE_BODY && outer->kind == UNIT_IF && next <= outer->last &&
            unit_at(units, next)->role == ROLE_ELSE)
            return true;
        at = inner->parent;
    }
}

// A label needs a statement behind it in its block.
static void finish_label(Cutter *cutter, uint32_t unit) {
    const Units *units = cutter->units;
    const Unit *label = unit_at(units, unit);
    uint32_t last = unit_at(units, label->parent)->last;
    for (uint32_t at = label->last + 1; at <= last; at = unit_at(units, at)->last + 1) {
        const Unit *next = unit_at(units, at);
        if (next->role == ROLE_BODY) return; // of a labelled statement
        if (next->role != ROLE_ITEM) break;
        if (!stays(cutter, at)) continue;
        if (next->kind == UNIT_DECLARATION) break;
        return;
    }
    insert(cutter, label->end, " ;");
}

// Cuts a unit that does not stay although what is around it does. False if its braces stay, and
// what is in them is to be looked at.
static bool cut_unit(Cutter *cutter, uint32_t unit) {
    const Unit *at = unit_at(cutter->units, unit);
    bool controlled = at->role == ROLE_BODY || at->role == ROLE_ELSE;
    cut_pragmas(cutter, at->begin);
    if (at->role == ROLE_ELSE && at->else_begin != NO_ID && !would_take_else(cutter, unit)) {
        cut_item(cutter, at->else_begin, at->end);
    } else if (controlled && at->braces) {
        return false;
    } else if (controlled) {
        cut_range(cutter, at->begin, at->end);
        insert(cutter, at->begin, ";");
    } else {
        cut_item(cutter, at->begin, at->end);
    }
    return true;
}

// Cuts the declarators of a declaration that do not stay, with a comma each.
static void cut_declarators(Cutter *cutter, uint32_t declaration) {
    const Units *units = cutter->units;
    const char *text = units->text;
    uint32_t last = unit_at(units, declaration)->last,
             behind = NO_ID; // the end of the last one that stays
    bool cut = false;        // those from `from` on
    uint32_t from = 0, end = 0;
    for (uint32_t u = declaration + 1; u <= last; u = unit_at(units, u)->last + 1) {
        const Unit *at = unit_at(units, u);
        if (at->role != ROLE_DECLARATOR) continue;
        if (!at->clean || stays(cutter, u)) {
            // What is cut in front of it goes with the comma behind it.
            if (cut && behind == NO_ID) cut_range(cutter, from, at->begin);
            if (cut && behind != NO_ID) cut_range(cutter, behind, end);
            cut = false;
            behind = at->clean ? at->end : NO_ID;
            if (!at->clean) return;
            continue;
        }
        if (!cut) from = at->begin;
        cut = true;
        end = at->end;
    }
    if (!cut) return;
    if (behind != NO_ID) from = behind;
    while (behind == NO_ID && from && is_blank(text[from - 1])) from--;
    cut_range(cutter, from, end);
}

static void cut_function(Cutter *cutter, const UnitFunction *function) {
    const Units *units = cutter->units;
    uint32_t last = unit_at(units, function->root)->last;
    for (uint32_t u = function->root + 1; u <= last; u++) {
        const Unit *at = unit_at(units, u);
        if (!at->clean) continue;
        if (at->role == ROLE_DECLARATOR) {
            if (!stays(cutter, u)) u = at->last;
        } else if (stays(cutter, u)) {
            if (at->kind == UNIT_DECLARATION) cut_declarators(cutter, u);
            if (at->kind == UNIT_LABEL || at->kind == UNIT_CASE) finish_label(cutter, u);
        } else if (cut_unit(cutter, u)) {
            u = at->last;
        }
    }
}

// ---- Comments that go with what is cut

static void note_piece(Cutter *cutter, RawPiece piece) {
    uint32_t first = line_of(cutter, piece.begin), last = line_of(cutter, piece.end - 1);
    for (uint32_t i = first; i <= last; i++) {
        TextLine *line = &cutter->lines.at[i - cutter->first_line];
        if (piece.kind == RAW_DIRECTIVE && !bits_has(&cutter->cut, piece.begin))
            line->directive = true;
        if (piece.kind == RAW_COMMENT) line->comment = true;
        if (piece.kind != RAW_TOKEN || bits_has(&cutter->cut, piece.begin)) continue;
        if (!line->left) line->brace = cutter->units->text[piece.begin] == '}';
        line->left = true;
    }
    if (piece.kind == RAW_COMMENT && !bits_has(&cutter->cut, piece.begin))
        vec_push(cutter->arena, &cutter->comments, piece);
}

static void note_insertions(Cutter *cutter, uint32_t from) {
    for (uint32_t i = from; i < cutter->insertions.count; i++) {
        uint32_t at = cutter->insertions.at[i].at;
        cutter->lines.at[line_of(cutter, at ? at - 1 : 0) - cutter->first_line].left = true;
    }
}

static void find_lines(Cutter *cutter, const Unit *root, uint32_t first_insertion) {
    const Units *units = cutter->units;
    vec_clear(&cutter->lines);
    vec_clear(&cutter->comments);
    cutter->first_line = line_of(cutter, root->begin);
    uint32_t last = line_of(cutter, root->end - 1);
    for (uint32_t i = cutter->first_line; i <= last; i++) {
        TextLine line = {.begin = cutter->starts.at[i], .blank = true};
        line.end = i + 1 < cutter->starts.count ? cutter->starts.at[i + 1] - 1 : units->length;
        for (uint32_t k = line.begin; k < line.end; k++) {
            line.cut |= bits_has(&cutter->cut, k);
            line.blank &= is_blank(units->text[k]);
        }
        vec_push(cutter->arena, &cutter->lines, line);
    }
    RawText raw = {.text = units->text, .at = root->begin, .end = root->end};
    for (RawPiece piece; (piece = raw_next(&raw)).kind != RAW_END;) note_piece(cutter, piece);
    note_insertions(cutter, first_insertion);
}

// Whether the statements that follow a line are cut as far as they belong together.
static bool paragraph_is_cut(const Cutter *cutter, uint32_t line) {
    bool any = false;
    for (uint32_t i = line + 1; i < cutter->lines.count; i++) {
        const TextLine *at = &cutter->lines.at[i];
        if (at->left) return any && at->brace;
        if (at->blank || at->directive) break;
        if (at->comment && !at->cut) {
            if (any) break;
            continue;
        }
        any |= at->cut;
    }
    return any;
}

static void cut_comments(Cutter *cutter) {
    bool known = false, answer = false; // of the comment below
    uint32_t below = 0;                 // the line in which it begins
    for (uint32_t i = cutter->comments.count; i-- > 0;) {
        RawPiece piece = cutter->comments.at[i];
        uint32_t first = line_of(cutter, piece.begin) - cutter->first_line;
        uint32_t last = line_of(cutter, piece.end - 1) - cutter->first_line;
        const TextLine *line = &cutter->lines.at[first], *end = &cutter->lines.at[last];
        if (line->left || end->left || line->directive) {
            known = false;
            continue;
        }
        if (!line->cut) { // in lines of its own
            if (!known || below != last + 1) answer = paragraph_is_cut(cutter, last);
            known = true;
            below = first;
            if (!answer) continue;
        }
        cut_bytes(cutter, piece.begin, piece.end);
        for (uint32_t k = first; k <= last; k++) cutter->lines.at[k].cut = true;
    }
}

// ---- Writing

static void copy(Cutter *cutter, uint32_t from, uint32_t to) {
    SliceText *slice = cutter->slice;
    if (from == to) return;
    vec_push(
        slice->arena, &slice->pieces,
        (TextPiece){.from = (uint32_t)slice->text.length, .original = from, .length = to - from});
    out_bytes(&slice->text, cutter->units->text + from, to - from);
}

static uint32_t line_end(const Cutter *cutter, uint32_t line) {
    return line + 1 < cutter->starts.count ? cutter->starts.at[line + 1] : cutter->units->length;
}

static bool ends_with_brace(const Out *text) {
    size_t at = text->length;
    while (at && (is_blank(text->text[at - 1]) || text->text[at - 1] == '\n')) at--;
    return at && text->text[at - 1] == '{';
}

// Blank lines are written with what follows them, if nothing between was left out; else one of them
// is, unless it would be the first or last of a block.
static void write_blank_lines(Cutter *cutter, const char *next) {
    const Out *text = &cutter->slice->text;
    uint32_t count = cutter->waiting, from = cutter->waiting_from;
    cutter->waiting = 0;
    bool edge = *next == '}' || ends_with_brace(text);
    bool after_blank = text->length >= 2 && text->text[text->length - 1] == '\n' &&
                       text->text[text->length - 2] == '\n';
    if (cutter->removed && count) {
        uint32_t wanted = edge || after_blank ? 0 : 1;
        cutter->shift += count - wanted;
        count = wanted;
    }
    for (uint32_t i = 0; i < count; i++)
        copy(cutter, cutter->starts.at[from + i], line_end(cutter, from + i));
    cutter->removed = false;
}

// A line from the original, with what is cut out of it and put into it.
static void compose(Cutter *cutter, uint32_t line, Out *out, uint32_t *insertion) {
    const char *text = cutter->units->text;
    uint32_t end = line_end(cutter, line);
    for (uint32_t i = cutter->starts.at[line]; i < end || i == cutter->units->length; i++) {
        for (; *insertion < cutter->insertions.count && cutter->insertions.at[*insertion].at == i;
             ++*insertion)
            out_text(out, cutter->insertions.at[*insertion].text);
        if (i >= end) break;
        if (!bits_has(&cutter->cut, i)) out_char(out, text[i]);
    }
}

static void put_line_number(Cutter *cutter, uint32_t line) {
    if (!cutter->shift) return;
    uint32_t number = cutter->marked ? cutter->mark + (line - cutter->marked) : line + 1;
    out_printf(&cutter->slice->text, "#line %u\n", number);
    cutter->shift = 0;
}

// A #line of the original counts from there on.
static void note_mark(Cutter *cutter, uint32_t line, const char *text) {
    while (is_blank(*text)) text++;
    if (*text++ != '#') return;
    while (is_blank(*text)) text++;
    if (strncmp(text, "line", 4) == 0) text += 4;
    while (is_blank(*text)) text++;
    if (!isdigit((unsigned char)*text)) return;
    cutter->marked = line + 1;
    cutter->mark = (uint32_t)strtoul(text, NULL, 10);
    cutter->shift = 0;
}

// The same, byte by byte with its origin.
static void write_changed(Cutter *cutter, uint32_t line, uint32_t *insertion) {
    SliceText *slice = cutter->slice;
    const char *text = cutter->units->text;
    uint32_t end = line_end(cutter, line), from = cutter->starts.at[line];
    size_t start = slice->text.length;
    for (uint32_t i = from; i <= end; i++) {
        bool more = *insertion < cutter->insertions.count &&
                    cutter->insertions.at[*insertion].at == i &&
                    (i < end || end == cutter->units->length);
        if (i == end || more || bits_has(&cutter->cut, i)) {
            copy(cutter, from, i);
            from = i;
        }
        for (; more && *insertion < cutter->insertions.count &&
               cutter->insertions.at[*insertion].at == i;
             ++*insertion)
            out_text(&slice->text, cutter->insertions.at[*insertion].text);
        if (i < end && bits_has(&cutter->cut, i)) from = i + 1;
    }
    // Blanks at the end of what is left.
    Out *out = &slice->text;
    bool newline = out->length > start && out->text[out->length - 1] == '\n';
    bool carriage = newline && end - cutter->starts.at[line] > 1 && text[end - 2] == '\r';
    size_t length = out->length - newline;
    while (length > start && is_blank(out->text[length - 1])) length--;
    out->length = length;
    if (carriage) out_char(out, '\r');
    if (newline) out_char(out, '\n');
}

static bool line_is_changed(Cutter *cutter, uint32_t line, uint32_t insertion) {
    uint32_t end = line_end(cutter, line);
    if (insertion < cutter->insertions.count && cutter->insertions.at[insertion].at < end)
        return true;
    if (cutter->next_cut < cutter->starts.at[line] || !line)
        cutter->next_cut = bits_next(&cutter->cut, cutter->starts.at[line]);
    return cutter->next_cut < end;
}

static void write_line(Cutter *cutter, uint32_t line, uint32_t *insertion) {
    const char *text = cutter->units->text;
    uint32_t from = cutter->starts.at[line], end = line_end(cutter, line);
    bool changed = line_is_changed(cutter, line, *insertion);
    Out left = {0};
    uint32_t at = *insertion;
    if (changed)
        compose(cutter, line, &left, &at);
    else
        out_bytes(&left, text + from, end - from);
    size_t first = 0;
    while (first < left.length && (is_blank(left.text[first]) || left.text[first] == '\n')) first++;
    bool blank = first == left.length;
    out_char(&left, '\0');
    if (blank && changed) {
        cutter->removed = true;
        cutter->shift++;
        *insertion = at;
    } else if (blank) {
        if (!cutter->waiting++) cutter->waiting_from = line;
    } else {
        write_blank_lines(cutter, left.text + first);
        if (bits_has(&cutter->numbered, line)) put_line_number(cutter, line);
        if (changed)
            write_changed(cutter, line, insertion);
        else
            copy(cutter, from, end);
        note_mark(cutter, line, left.text);
    }
    out_free(&left);
}

// ---- The file

static int by_place(const void *a, const void *b) {
    const TextInsertion *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

// Lines whose number matters: where units begin that stay and use it; behind a function that is
// sliced, if one further down does.
static void find_numbered(Cutter *cutter, const Bits *functions) {
    const Units *units = cutter->units;
    bool later = false, inside = false; // in functions further down, in the one at hand
    cutter->numbered = bits_new(cutter->arena, cutter->starts.count + 2);
    for (uint32_t u = units->all.count; u-- > 1;) {
        const Unit *at = unit_at(units, u);
        bool sliced = bits_has(functions, at->function);
        if (at->role == ROLE_FUNCTION) {
            if (sliced && at->end != NO_ID && later)
                bits_add(&cutter->numbered, line_of(cutter, at->end) + 1);
            later |= inside;
            inside = false;
        }
        if (at->uses_line && at->begin != NO_ID && (!sliced || stays(cutter, u)))
            bits_add(&cutter->numbered, line_of(cutter, at->begin));
        inside |= at->uses_line;
    }
}

void slice_text_cut(SliceText *slice, const Units *units, const Bits *kept, const Bits *functions) {
    Arena *scratch = arena_new("text of a slice");
    Cutter cutter = {.arena = scratch,
                     .units = units,
                     .kept = kept,
                     .slice = slice,
                     .cut = bits_new(scratch, units->length + 1)};
    vec_push(scratch, &cutter.starts, 0);
    for (uint32_t i = 0; i < units->length; i++)
        if (units->text[i] == '\n' && i + 1 < units->length)
            vec_push(scratch, &cutter.starts, i + 1);
    for (uint32_t f = 0; f < units->functions.count; f++) {
        const UnitFunction *function = &units->functions.at[f];
        if (!bits_has(functions, f) || function->elsewhere) continue;
        uint32_t first = cutter.insertions.count;
        cut_function(&cutter, function);
        find_lines(&cutter, unit_at(units, function->root), first);
        cut_comments(&cutter);
    }
    find_numbered(&cutter, functions);
    if (cutter.insertions.count)
        qsort(cutter.insertions.at, cutter.insertions.count, sizeof *cutter.insertions.at,
              by_place);
    uint32_t insertion = 0;
    for (uint32_t line = 0; line < cutter.starts.count; line++)
        write_line(&cutter, line, &insertion);
    write_blank_lines(&cutter, "");
    arena_free(scratch);
}

uint32_t slice_text_original(const SliceText *slice, uint32_t offset) {
    uint32_t low = 0, high = slice->pieces.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (slice->pieces.at[middle].from <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return NO_ID;
    const TextPiece *piece = &slice->pieces.at[low - 1];
    uint32_t inside = offset - piece->from;
    return inside < piece->length ? piece->original + inside : NO_ID;
}

void slice_text_lines(const SliceText *slice, const Units *units, const Bits *functions,
                      Bits *lines) {
    for (uint32_t f = 0; f < units->functions.count; f++) {
        const UnitFunction *function = &units->functions.at[f];
        const Unit *root = unit_at(units, function->root);
        if (!bits_has(functions, f) || function->elsewhere) continue;
        uint32_t line = root->line, at = root->begin;
        for (uint32_t p = 0; p < slice->pieces.count; p++) {
            TextPiece piece = slice->pieces.at[p];
            for (uint32_t i = piece.original; i < piece.original + piece.length; i++) {
                if (i < root->begin || i >= root->end || isspace((unsigned char)units->text[i]))
                    continue;
                for (; at < i; at++) line += units->text[at] == '\n';
                bits_add(lines, line);
            }
        }
    }
}

void slice_text_free(SliceText *slice) {
    out_free(&slice->text);
}
