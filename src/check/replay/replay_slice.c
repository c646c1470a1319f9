// Replays the certificate of a slice. This establishes: both programs are well-formed RTL, and the
// second is a slice of the first (check_slice.c). The front end answers for the rest: the programs
// mean the same as the sources, and the second source is the slice that was printed.
//
// slice = FIRST "before" LINE program "after" LINE program "symbols" LINE hint { "function" LINE
// hint } HASH
#include "check/replay/replay_slice.h"

#include "cert/certificate.h"
#include "cert/hints.h"
#include "check/slice/check_slice.h"
#include "text/text.h"
#include "verify/verify.h"

#include <string.h>

typedef struct {
    SliceReplay *replay;
    const char *text;
    uint32_t source;
    uint32_t at, end; // the rest to read
    uint64_t budget;  // of values that hints may repeat
} SliceReader;

static ReplayStatus mistake(SliceReader *r, ReplayStatus status, uint32_t place,
                            const char *problem) {
    Span span = {.source = r->source, .start = place, .end = place + (status != REPLAY_INVALID)};
    diag_error(r->replay->diag, span, "%s", problem);
    return status;
}

// ---- Reading

// A word at the start of a line; the text behind it comes next.
static bool accept_word(SliceReader *r, const char *word) {
    size_t length = strlen(word);
    if (r->end - r->at < length || memcmp(r->text + r->at, word, length) != 0) return false;
    r->at += (uint32_t)length;
    return true;
}

// The next line that is a word, or the end. No line of a program is one word.
static uint32_t line_of(const SliceReader *r, const char *line) {
    size_t length = strlen(line);
    for (uint32_t at = r->at; at < r->end;) {
        if (r->end - at >= length && memcmp(r->text + at, line, length) == 0) return at;
        const char *next = memchr(r->text + at, '\n', r->end - at);
        at = next ? (uint32_t)(next - r->text) + 1 : r->end;
    }
    return r->end;
}

// One of the programs, which is well-formed; up to the next line of the certificate.
static ReplayStatus read_program(SliceReader *r, const char *word, const char *until,
                                 const Program **program) {
    uint32_t place = r->at;
    Arena *arena = r->replay->arena;
    if (!accept_word(r, word) || !accept_word(r, "\n"))
        return mistake(r, REPLAY_UNREADABLE, place,
                       arena_printf(arena, "'%s' is expected here", word));
    uint32_t length = line_of(r, until) - r->at;
    // The parser wants nothing behind the text.
    const char *text = arena_text(arena, r->text + r->at, length);
    r->at += length;
    *program = program_parse(arena, r->replay->diag, FORM_RTL, word, text, length);
    if (!*program) return REPLAY_UNREADABLE;
    Complaints complaints = {.arena = arena, .most = 1};
    if (verify_program(&complaints, *program)) return REPLAY_VALID;
    const Complaint *first = &complaints.list.at[0];
    return mistake(r, REPLAY_INVALID, place,
                   arena_printf(arena, "the program '%s' is not well-formed: %s: %s", word,
                                first->rule, first->message));
}

static void *read_hint(SliceReader *r, const HintShape *shape) {
    HintReader reader = {.arena = r->replay->arena,
                         .text = r->text,
                         .at = r->at,
                         .end = r->end,
                         .budget = r->budget};
    void *hint = hint_read(&reader, shape);
    r->budget = reader.budget;
    r->at = reader.at;
    if (!hint) mistake(r, REPLAY_UNREADABLE, reader.at, reader.problem);
    return hint;
}

static ReplayStatus read_hints(SliceReader *r) {
    SliceHint *hint = &r->replay->hint;
    if (!accept_word(r, "symbols\n"))
        return mistake(r, REPLAY_UNREADABLE, r->at, "'symbols' is expected here");
    const SliceSymbolsHint *symbols = read_hint(r, &slice_symbols_shape);
    if (!symbols) return REPLAY_UNREADABLE;
    hint->symbols = *symbols;
    while (r->at < r->end) {
        if (!accept_word(r, "function\n"))
            return mistake(r, REPLAY_UNREADABLE, r->at, "'function' is expected here");
        const SliceFunctionHint *function = read_hint(r, &slice_function_shape);
        if (!function) return REPLAY_UNREADABLE;
        vec_push(r->replay->arena, &hint->functions, *function);
    }
    return REPLAY_VALID;
}

// The lines at both ends.
static ReplayStatus read_frame(SliceReader *r, size_t length) {
    size_t first = strlen(SLICE_CERTIFICATE_FIRST_LINE), end;
    if (length < first || memcmp(r->text, SLICE_CERTIFICATE_FIRST_LINE, first) != 0)
        return mistake(r, REPLAY_UNREADABLE, 0,
                       "certificates of slices of this version cannot be checked, only those of "
                       "version " SLICE_CERTIFICATE_VERSION);
    CertificateEnd ending = certificate_end(r->text, length, first, &end, &r->replay->hash);
    if (ending == CERTIFICATE_NO_HASH)
        return mistake(r, REPLAY_UNREADABLE, (uint32_t)length,
                       "the certificate does not end with its hash");
    if (ending == CERTIFICATE_OTHER_HASH)
        return mistake(r, REPLAY_INVALID, (uint32_t)end,
                       arena_printf(r->replay->arena,
                                    "hash: it is not that of what stands before it, %s",
                                    digest_text(&r->replay->hash).text));
    r->at = (uint32_t)first;
    r->end = (uint32_t)end;
    return REPLAY_VALID;
}

static ReplayStatus judge(SliceReader *r) {
    SliceReplay *replay = r->replay;
    Verdict verdict = check_slice(replay->arena, replay->before, replay->after, &replay->hint);
    if (verdict.accepted) return REPLAY_VALID;
    const char *where = "";
    if (verdict.site.i != NO_ID)
        where = arena_printf(replay->arena, "node %u of the slice: ", verdict.site.i);
    return mistake(r, REPLAY_INVALID, 0,
                   arena_printf(replay->arena, "this is no slice: %s%s", where, verdict.reason));
}

ReplayStatus replay_slice(SliceReplay *replay, const char *name, const char *text, size_t length) {
    enum { KEPT_PER_BYTE = 16 };
    if (length >= UINT32_MAX / 2) {
        diag_error(replay->diag, (Span){0}, "%s: the certificate is too long", name);
        return REPLAY_UNREADABLE;
    }
    SliceReader r = {.replay = replay, .text = text, .budget = KEPT_PER_BYTE * (uint64_t)length};
    r.source = diag_source(replay->diag, name, text, length);
    ReplayStatus status = read_frame(&r, length);
    if (status == REPLAY_VALID) status = read_program(&r, "before", "after\n", &replay->before);
    if (status == REPLAY_VALID) status = read_program(&r, "after", "symbols\n", &replay->after);
    if (status == REPLAY_VALID) status = read_hints(&r);
    return status == REPLAY_VALID ? judge(&r) : status;
}

// ---- What was shown

static void print_place(Out *out, const Func *func, Node node) {
    const Program *program = func->program;
    const Loc *loc = &program->locs.at[func_at(func, node)->loc];
    out_printf(out, "node %u", func_label(func, node));
    if (func_at(func, node)->loc && loc->file < program->files.count)
        out_printf(out, " (%s:%u:%u)", program_text(program, program->files.at[loc->file]),
                   loc->line, loc->column);
}

static void print_outputs(Out *out, const SliceVariables *variables,
                          const SliceFunctionHint *hint) {
    SliceWorldSet outputs = hint->outputs;
    const char *between = "at its exits, ";
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++) {
        if (!(outputs >> v & 1)) continue;
        out_printf(out, "%s%s", between, slice_world_name((SliceWorld)v));
        between = ", ";
    }
    for (uint32_t i = 0; i < hint->exits.count; i++, between = ", ") {
        out_text(out, between);
        slice_variable_print(out, variables, hint->exits.at[i]);
    }
    if (outputs & SLICE_RESULT) out_printf(out, "%sits result", between);
}

// The points of a function, node by node, and its outputs.
static void print_asked(Out *out, const SliceReplay *replay, const Func *func,
                        const SliceFunctionHint *hint) {
    SliceCalls calls = slice_calls_of(replay->arena, replay->before);
    SliceVariables variables = slice_variables_of(replay->arena, func, &calls);
    for (uint32_t i = 0; i < hint->points.count; i++) {
        const SlicePoint *point = &hint->points.at[i];
        bool more = i && point->node.i == point[-1].node.i;
        out_text(out, more ? ", " : i ? "; in front of " : "in front of ");
        if (!more) print_place(out, func, point->node);
        if (!more) out_text(out, ", ");
        if (point->variable == NO_ID)
            out_text(out, "what it reads");
        else
            slice_variable_print(out, &variables, point->variable);
    }
    if (hint->points.count && (hint->outputs || hint->exits.count)) out_text(out, "; ");
    print_outputs(out, &variables, hint);
    if (!hint->points.count && !hint->outputs && !hint->exits.count)
        out_text(out, "what its kept nodes read");
}

static void put_name(Out *out, const char *before, const Func *func) {
    out_printf(out, "%s'", before);
    out_shown(out, func_name(func), strlen(func_name(func)));
    out_char(out, '\'');
}

void slice_report(Out *out, const SliceReplay *replay) {
    const SliceHint *hint = &replay->hint;
    for (uint32_t i = 0; i < hint->functions.count; i++) {
        const SliceFunctionHint *function = &hint->functions.at[i];
        const Func *func =
            program_at(replay->before, hint->symbols.symbols.at[function->symbol.i])->func;
        uint32_t kept = 0;
        for (uint32_t n = 0; n < func->nodes.count; n++) kept += function->next.at[n] == n;
        put_name(out, "shown: ", func);
        out_printf(out,
                   " of the slice, which has %u of %u nodes, finds as the original does: ", kept,
                   func->nodes.count);
        print_asked(out, replay, func, function);
        out_text(out, "; the same values in the same order, as long as the original runs\n");
        for (uint32_t k = 0; k < function->assumed.count; k++) {
            put_name(out, "assumed: in ", func);
            out_text(out, " the branch at ");
            print_place(out, func, function->assumed.at[k].branch);
            out_printf(out, " always takes way %u\n", function->assumed.at[k].way);
        }
        for (uint32_t k = 0; k < function->apart.count; k++) {
            put_name(out, "assumed: in ", func);
            out_text(out, " no byte is accessed both by ");
            reg_print(out, func, function->apart.at[k].a);
            out_text(out, " and by ");
            reg_print(out, func, function->apart.at[k].b);
            out_char(out, '\n');
        }
        if (i != 0 || !function->once) continue;
        put_name(out, "assumed: ", func);
        out_text(out, " is not called again while it runs\n");
    }
    out_text(out,
             "assumed: the rtl is what the sources mean; functions of the C library do what is "
             "known of them, and streams of other sources are files; nothing depends on where "
             "objects lie; what is not defined here calls nothing that is, unless it was called by "
             "its name and calls by address\n");
}
