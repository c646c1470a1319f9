// Positions: the file, the macros and the warnings that belong to a position.
//
// A position below FIRST_EXPANDED is in the range of an inclusion. A higher position belongs to a
// token that came out of a macro: tokens that are read one after the other from the same expansion
// share a run, which leads back to the spelling and to the expansion. So a position alone gives
// everything that a message needs: the place where the reader has to look, the macros on the way,
// and the warnings that are on there. The place alone cannot give the warnings if a macro's
// expansion holds _Pragma: its tokens belong to the one place where the macro's name stands. Runs
// of such tokens hold the set of warnings themselves, even if the tokens come from an argument.
#include "c/preprocess/pp_private.h"

#include <ctype.h>
#include <string.h>

enum { FURTHEST_IN_RUN = 1000 };

static uint32_t find_inclusion(Pp *pp, Pos pos) {
    uint32_t last = pp->last_inclusion;
    const Inclusion *all = pp->inclusions.at;
    if (last < pp->inclusions.count && all[last].start <= pos &&
        (last + 1 == pp->inclusions.count || pos < all[last + 1].start))
        return last;
    uint32_t low = 0, high = pp->inclusions.count; // it is in [low, high)
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (all[middle].start <= pos)
            low = middle;
        else
            high = middle;
    }
    pp->last_line = 0;
    return pp->last_inclusion = low;
}

// ---- Tokens out of macros

static const Run *find_run(Pp *pp, Pos pos) {
    if (!is_expanded(pos) || !pp->runs.count) return NULL;
    const Run *all = pp->runs.at;
    uint32_t low = 0, high = pp->runs.count; // it is in [low, high)
    if (all[pp->last_run].start <= pos) low = pp->last_run;
    if (low + 1 < high && pos < all[low + 1].start) high = low + 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (all[middle].start <= pos)
            low = middle;
        else
            high = middle;
    }
    pp->last_run = low;
    return &all[low];
}

Spelled pp_spelled(Pp *pp, Pos pos, uint32_t expansion) {
    const Run *run = find_run(pp, pos);
    if (!run) return (Spelled){.pos = pos, .expansion = expansion};
    return (Spelled){.pos = run->spelled + (pos - run->start),
                     .expansion = run->expansion,
                     .warnings = run->warnings};
}

Pos pp_spelling(Pp *pp, Pos pos) {
    return pp_spelled(pp, pos, 0).pos;
}

// Gives the token a position of its own. If there is none left, its place is that of the spelling.
static void set_expanded(Pp *pp, Token *token, const WarningSet *warnings) {
    Run *last = pp->runs.count ? &pp->runs.at[pp->runs.count - 1] : NULL;
    bool joins = last && last->expansion == token->expansion && last->warnings == warnings &&
                 token->pos >= last->spelled && token->pos - last->spelled < FURTHEST_IN_RUN;
    Pos start = joins ? last->start + (token->pos - last->spelled) : pp->next_expanded;
    if (start > UINT32_MAX - token->length - 1) return;
    if (!joins)
        vec_push(pp->arena, &pp->runs,
                 (Run){.start = start,
                       .spelled = token->pos,
                       .expansion = token->expansion,
                       .warnings = warnings});
    Pos end = start + token->length + 1;
    if (end > pp->next_expanded) pp->next_expanded = end;
    token->pos = start;
}

void pp_place_token(Pp *pp, Token *token) {
    const WarningSet *warnings = NULL;
    if (pp->warnings_moved) {
        if (pp_set_at(pp, pp_file_pos(pp, token)) != pp->warnings)
            warnings = pp->warnings;
        else if (!pp->contexts.count)
            pp->warnings_moved = false;
    }
    if (token->expansion || warnings) set_expanded(pp, token, warnings);
}

Pos pp_file_pos(Pp *pp, const Token *token) {
    Spelled spelled = pp_spelled(pp, token->pos, token->expansion);
    for (uint32_t i = spelled.expansion; i; i = pp->expansions.at[i].parent)
        spelled.pos = pp->expansions.at[i].at;
    return spelled.pos;
}

// Tokens that are read from the file while tokens of an expansion wait belong to the same
// invocation.
void pp_note_invocation(Pp *pp, const Token *name) {
    const Buffer *buffer = pp->buffer;
    if (!pp->options.keep_invocations || !buffer || buffer->file != pp->main_file || buffer->depth)
        return;
    Pos here = buffer->start + (Pos)(buffer->at - buffer->text);
    Invocation *last =
        pp->invocations.count ? &pp->invocations.at[pp->invocations.count - 1] : NULL;
    if (!pp->contexts.count && !name->expansion)
        vec_push(pp->arena, &pp->invocations, (Invocation){.at = name->pos, .end = here});
    else if (last && last->end < here)
        last->end = here;
}

const Invocation *pp_invocation(Pp *pp, Pos pos) {
    pos = pp_file_pos(pp, &(Token){.pos = pos});
    uint32_t low = 0, high = pp->invocations.count; // invocations below low begin at or before it
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pp->invocations.at[middle].at <= pos)
            low = middle + 1;
        else
            high = middle;
    }
    const Invocation *found = low ? &pp->invocations.at[low - 1] : NULL;
    return found && pos < found->end ? found : NULL;
}

static Pos shown_pos(Pp *pp, Pos pos) {
    return !is_expanded(pos) ? pos : pp_file_pos(pp, &(Token){.pos = pos});
}

uint32_t pp_expansion_of(Pp *pp, Pos pos) {
    return pp_spelled(pp, pos, 0).expansion;
}

bool pp_in_system_macro(Pp *pp, Pos pos) {
    return is_expanded(pos) && pp_presumed(pp, pp_spelling(pp, pos)).system;
}

// The length of the word that is spelled at a position, at least 1.
static uint32_t word_length(Pp *pp, Pos spelled) {
    const Inclusion *inclusion = &pp->inclusions.at[find_inclusion(pp, spelled)];
    const char *text = inclusion->file->text + (spelled - inclusion->start);
    uint32_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return length ? length : 1;
}

uint32_t pp_length(Pp *pp, Pos pos, Pos end) {
    if (!pos || !end) return 1;
    Spelled first = pp_spelled(pp, pos, 0), last = pp_spelled(pp, end - 1, 0);
    // Text that ends in a macro that is called farther on ends with the macro's name.
    while (last.expansion != first.expansion && last.expansion) {
        const Expansion *expansion = &pp->expansions.at[last.expansion];
        last.pos = expansion->at + str_length(pp->strings, expansion->macro) - 1;
        last.expansion = expansion->parent;
    }
    if (first.expansion != last.expansion) return word_length(pp, first.pos);
    bool together = find_inclusion(pp, first.pos) == find_inclusion(pp, last.pos);
    return together && last.pos >= first.pos ? last.pos - first.pos + 1 : 1;
}

// ---- Files and lines

const Inclusion *pp_inclusion(Pp *pp, Pos pos) {
    if (!pos || !pp->inclusions.count) return NULL;
    pos = shown_pos(pp, pos);
    return &pp->inclusions.at[find_inclusion(pp, pos)];
}

const CFile *pp_main_file(const Pp *pp) {
    return pp->main_file;
}

PpUses pp_uses(const Pp *pp) {
    return (PpUses){.lines = pp->line_uses, .counters = pp->counter};
}

const Expansion *pp_expansion(Pp *pp, uint32_t expansion) {
    return expansion ? &pp->expansions.at[expansion] : NULL;
}

static void find_lines(Arena *arena, CFile *file) {
    vec_push(arena, &file->lines, 0);
    const char *at = file->text, *end = at + file->length;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        vec_push(arena, &file->lines, (uint32_t)(at - file->text));
    }
}

// The line, from 0, of an offset. Look-ups mostly go forward by little.
static uint32_t find_line(Pp *pp, CFile *file, uint32_t offset) {
    if (!file->lines.count) find_lines(pp->arena, file);
    uint32_t low = pp->last_line, high = file->lines.count;
    if (low >= high || file->lines.at[low] > offset) low = 0;
    for (uint32_t step = 1; low + step < high; step *= 2) {
        if (file->lines.at[low + step] <= offset) continue;
        high = low + step;
        break;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (file->lines.at[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return pp->last_line = low;
}

uint32_t pp_line_of(Pp *pp, uint32_t inclusion, Pos pos) {
    if (inclusion != pp->last_inclusion) pp->last_line = 0;
    pp->last_inclusion = inclusion;
    const Inclusion *at = &pp->inclusions.at[inclusion];
    return find_line(pp, at->file, pos - at->start) + 1;
}

Presumed pp_presumed(Pp *pp, Pos pos) {
    if (!pos || !pp->inclusions.count) return (Presumed){.file = "<command-line>"};
    pos = shown_pos(pp, pos);
    const Inclusion *inclusion = &pp->inclusions.at[find_inclusion(pp, pos)];
    uint32_t offset = pos - inclusion->start;
    uint32_t line = find_line(pp, inclusion->file, offset);
    Presumed presumed = {.file = inclusion->file->path,
                         .line = line + 1,
                         .column = offset - inclusion->file->lines.at[line] + 1,
                         .system = inclusion->system};
    uint32_t low = 0, high = inclusion->marks.count; // marks below low are at or before the place
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (inclusion->marks.at[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low) {
        const LineMark *mark = &inclusion->marks.at[low - 1];
        presumed.file = mark->file;
        presumed.line = mark->line + (line + 1 - mark->physical);
        presumed.system = mark->system;
    }
    return presumed;
}

// A line of an inclusion, from 0, as a position; 0 if the file is shorter.
static Pos line_position(const Inclusion *in, uint32_t line, uint32_t column) {
    const CFile *file = in->file;
    if (line >= file->lines.count || !column) return 0;
    uint32_t offset = file->lines.at[line] + column - 1;
    return offset <= file->length ? in->start + offset : 0;
}

Pos pp_position(Pp *pp, const char *file, uint32_t line, uint32_t column) {
    for (uint32_t i = 0; line && i < pp->inclusions.count; i++) {
        Inclusion *in = &pp->inclusions.at[i];
        bool own = strcmp(in->file->path, file) == 0;
        if (!own && !in->marks.count) continue;
        if (!in->file->lines.count) find_lines(pp->arena, in->file);
        for (uint32_t m = in->marks.count; m-- > 0;) {
            const LineMark *mark = &in->marks.at[m];
            if (line < mark->line || strcmp(mark->file, file) != 0) continue;
            Pos pos = line_position(in, mark->physical - 1 + (line - mark->line), column);
            bool inside = m + 1 == in->marks.count || pos - in->start < in->marks.at[m + 1].offset;
            if (pos && inside) return pos;
        }
        Pos pos = own ? line_position(in, line - 1, column) : 0;
        if (pos && (!in->marks.count || pos - in->start < in->marks.at[0].offset)) return pos;
    }
    return 0;
}
