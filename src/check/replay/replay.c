// Replays a certificate. For each function this establishes: the first form is well-formed RTL;
// each further form is well-formed, is the form that its pass yields, and was accepted by the
// checker of that pass as a replacement of the previous form. So the last form behaves as the
// first, no matter which program wrote the certificate. A form of RTL may be offered: steps of
// later functions may copy it to the places where the function is called. These copies are not
// circular: each function occurs once, and is not offered before its own steps are checked. Every
// function that is needed ends as allocated machine code (completeness.h). The front end, not this
// checker, answers for the first form, which must mean the same as the source.
//
// A certificate may come from anywhere. Budgets that follow from the size of the file limit
// everything that is kept or repeated without being written out.
#include "check/replay/replay.h"

#include "base/bits.h"
#include "cert/certificate.h"
#include "cert/declarations.h"
#include "cert/items.h"
#include "check/passes.h"
#include "check/unit/check_unit.h"
#include "verify/verify.h"

#include <string.h>

typedef struct {
    Replay *replay;
    Diag *diag;
    const char *name; // of the file
    uint32_t source;  // the same, if it is text
    CertCoder coder;
    Arena *first;   // the first form of the function at hand
    Arena *work[2]; // the forms that follow, in turn, with their hints
    Arena *scratch; // of verifier and checkers
    Bits seen;      // functions, by symbol
    Bits resumed;   // functions that went on from the offered form
    Bodies bodies;  // the offered bodies
    Completeness completeness;
    const char *function;
} ReplayState;

// ---- Messages

// A place in the file, as messages have it: a binary file has no lines to show.
static const char *place_here(const ReplayState *s) {
    return s->coder.t.at;
}

static void complain_at(ReplayState *s, const char *place, const char *text) {
    uint32_t at = (uint32_t)(place - s->coder.t.start);
    Span span = {.source = s->source, .start = at, .end = at};
    if (s->coder.t.text)
        diag_error(s->diag, span, "%s", text);
    else
        diag_error(s->diag, SPAN_NONE, "%s: %s", s->name, text);
}

static ReplayStatus unreadable(ReplayState *s, const char *place, const char *problem) {
    unsigned long at = (unsigned long)(place - s->coder.t.start);
    complain_at(s, place,
                s->coder.t.text ? problem : arena_printf(s->scratch, "byte %lu: %s", at, problem));
    return REPLAY_UNREADABLE;
}

// The complaint of the tokens.
static ReplayStatus unread(ReplayState *s) {
    const TokenStream *t = &s->coder.t;
    return unreadable(s, t->found_at ? t->found_at : t->start, t->problem);
}

static ReplayStatus invalid(ReplayState *s, const char *place, const char *step,
                            const char *reason) {
    const char *text = arena_printf(s->scratch, "%s: %s", step, reason);
    if (s->function) text = arena_printf(s->scratch, "function '%s', %s", s->function, text);
    complain_at(s, place, text);
    return REPLAY_INVALID;
}

// The same about a site of a function, which may be none.
static ReplayStatus invalid_at(ReplayState *s, const char *place, const char *step,
                               const Func *func, Site site, const char *reason) {
    Out text = {0};
    if (func) func_print_site(&text, func, site);
    out_printf(&text, "%s%s%c", text.length ? ": " : "", reason, '\0');
    ReplayStatus status = invalid(s, place, step, text.text);
    out_free(&text);
    return status;
}

static ReplayStatus judged(ReplayState *s, const char *place, const char *step, const Func *func,
                           const Verdict *verdict) {
    if (verdict->accepted) return REPLAY_VALID;
    return invalid_at(s, place, step, func, verdict->site, verdict->reason);
}

static ReplayStatus no_complaint(ReplayState *s, const char *place, const char *step,
                                 const Complaints *complaints) {
    if (!complaints->list.count) return REPLAY_VALID;
    const Complaint *first = &complaints->list.at[0];
    const char *reason =
        arena_printf(s->scratch, "not well-formed: %s: %s", first->rule, first->message);
    return invalid_at(s, place, step, first->func, first->site, reason);
}

static void tell(const ReplayState *s, const char *pass, const Func *func) {
    if (s->replay->form) s->replay->form(s->replay->context, pass, func);
}

// ---- One form

static Func *read_form(ReplayState *s, Arena *arena, Sym symbol, Form form, const Func *before) {
    arena_reset(s->coder.t.scratch);
    Func *func = form_read(&s->coder, arena, symbol, form, before);
    if (func) func_keep_cache(func);
    return func;
}

// ---- One step

// The number of a hint's values that may come from repetitions: in proportion to the previous form
// and to the rest of the file, where the next form is.
static uint64_t hint_budget(const ReplayState *s, const Func *before) {
    uint64_t size = (uint64_t)before->nodes.count + before->regs.count + before->reg_pool.count +
                    before->node_pool.count + before->phi_args.count;
    if (before->mach) size += before->mach->code.count;
    uint64_t limit = 64 + 8 * size + (uint64_t)(s->coder.t.end - s->coder.t.at);
    return limit < s->coder.budget ? limit : s->coder.budget;
}

static const void *read_hint(ReplayState *s, Arena *arena, PassId pass, const Func *before) {
    uint64_t budget = hint_budget(s, before), left = budget;
    void *hint = arena_alloc(arena, hint_shapes[pass]->size);
    columns_code(&s->coder.t, arena, hint_shapes[pass], hint, &left);
    s->coder.budget -= budget - left;
    return hint;
}

// "step" PASS LINE hint form
static ReplayStatus step(ReplayState *s, const char *place, Arena *arena, Sym symbol,
                         const Func **func) {
    TokenStream *t = &s->coder.t;
    PassId pass = (PassId)token_word(t, 0, pass_word);
    token_line(t);
    if (!tokens_good(t)) return unread(s);
    if (!hint_shapes[pass]) return unreadable(s, place, "this pass is no step");
    const char *name = pass_table[pass].name;
    if ((*func)->form != pass_compares(pass))
        return invalid(s, place, name, "the form before it is not one that it takes");
    const void *hint = read_hint(s, arena, pass, *func);
    const Func *after = read_form(s, arena, symbol, pass_table[pass].to, *func);
    if (!after) return unread(s);
    arena_reset(s->scratch);
    Verdict verdict = pass_verify(pass, s->scratch, *func, after);
    if (verdict.accepted) tell(s, name, after);
    if (verdict.accepted && !s->replay->out)
        verdict = pass_check(pass, s->scratch, &s->bodies, *func, after, hint);
    *func = after;
    s->replay->steps++;
    return judged(s, place, name, after, &verdict);
}

// ---- One function

// "offer" LINE
static ReplayStatus offer(ReplayState *s, const char *place, Sym symbol, const Func *func) {
    token_line(&s->coder.t);
    if (func->form != FORM_FIRST)
        return invalid(s, place, "offer", "the form is not one that can be copied");
    if (body_of(&s->bodies, symbol).rtl)
        return unreadable(s, place, "a form of this function was offered already");
    Func *body = func_clone(func, s->coder.program->arena);
    func_keep_cache(body);
    s->bodies.of[symbol.i].rtl = body;
    return REPLAY_VALID;
}

// { step | "offer" LINE } "end" LINE
static ReplayStatus all_steps(ReplayState *s, Sym symbol, const Func *first) {
    TokenStream *t = &s->coder.t;
    ReplayStatus status = REPLAY_VALID;
    const Func *func = first;
    for (int turn = 0; status == REPLAY_VALID;) {
        const char *place = place_here(s);
        uint32_t item = token_word(t, 0, part_word);
        if (!tokens_good(t)) return unread(s);
        if (item == PART_END) break;
        if (item == PART_OFFER) {
            status = offer(s, place, symbol, func);
            continue;
        }
        turn = !turn;
        arena_reset(s->work[turn]);
        status = step(s, place, s->work[turn], symbol, &func);
    }
    if (status != REPLAY_VALID) return status;
    token_line(t);
    completeness_note(&s->completeness, func);
    if (s->replay->done) s->replay->done(s->replay->context, first, func);
    s->function = NULL;
    return status;
}

// "certify" symbol form { step | "offer" LINE } "end" LINE
static ReplayStatus function(ReplayState *s, const char *place, Sym symbol) {
    const Symbol *info = program_at(s->coder.program, symbol);
    if (info->kind != SYM_FUNC || !info->defined || info->alias.i != NO_ID ||
        !bits_put(&s->seen, symbol.i))
        return unreadable(s, place, "this is not the name of a function that is still missing");
    Func *first = read_form(s, s->first, symbol, FORM_FIRST, NULL);
    if (!first) return unread(s);
    Complaints complaints = {.arena = s->scratch, .most = 1};
    if (verify_func(&complaints, first)) tell(s, NULL, first);
    ReplayStatus status = no_complaint(s, place, "as it was compiled", &complaints);
    if (status != REPLAY_VALID) return status;
    Verdict verdict = check_unit_function(s->scratch, first);
    status = judged(s, place, "memory of the unit", first, &verdict);
    return status == REPLAY_VALID ? all_steps(s, symbol, first) : status;
}

// "resume" symbol { step } "end" LINE: the function goes on from the form that was offered.
static ReplayStatus resumed(ReplayState *s, const char *place, Sym symbol) {
    const Func *body = body_of(&s->bodies, symbol).rtl;
    if (!body || !bits_put(&s->resumed, symbol.i))
        return unreadable(s, place, "no form of this was offered that is still waiting");
    tell(s, NULL, body);
    return all_steps(s, symbol, body);
}

static ReplayStatus item(ReplayState *s) {
    TokenStream *t = &s->coder.t;
    const char *place = place_here(s);
    uint32_t word = token_word(t, 0, item_word);
    Sym symbol = token_symbol(t, s->coder.program, NO_SYM);
    token_line(t);
    if (!tokens_good(t)) return unread(s);
    s->function = program_text(s->coder.program, program_at(s->coder.program, symbol)->name);
    arena_reset(s->first);
    arena_reset(s->scratch);
    return word == ITEM_CERTIFY ? function(s, place, symbol) : resumed(s, place, symbol);
}

// ---- All of it

static ReplayStatus check_hash(ReplayState *s, size_t first, size_t *end) {
    const TokenStream *t = &s->coder.t;
    Digest *hash = &s->replay->claim.digests[DIGEST_CERTIFICATE];
    size_t length = (size_t)(t->end - t->start);
    CertificateEnd ending = certificate_end(t->start, length, first, end, hash);
    if (ending == CERTIFICATE_NO_HASH)
        return unreadable(s, t->end, "the certificate does not end with its hash");
    if (ending == CERTIFICATE_WHOLE) return REPLAY_VALID;
    return invalid(s, t->start + *end, "hash",
                   arena_printf(s->scratch, "it is not that of what stands before it, %s",
                                digest_text(hash).text));
}

// The lines at both ends. The rest is what lies between. A text does not end with its hash.
static ReplayStatus frame(ReplayState *s, const char *text, size_t length) {
    TokenStream *t = &s->coder.t;
    size_t first = strlen(CERTIFICATE_FIRST_LINE), end = length;
    bool is_text = is_text_certificate(text, length);
    if (length < first || memcmp(text, CERTIFICATE_START, strlen(CERTIFICATE_START)) != 0)
        return unreadable(s, text, "this is not a certificate");
    if (is_text) first = strlen(CERTIFICATE_TEXT_LINE);
    if (!is_text && memcmp(text, CERTIFICATE_FIRST_LINE, first) != 0)
        return unreadable(s, text + strlen(CERTIFICATE_START),
                          "certificates of this version cannot be checked, only those of "
                          "version " CERTIFICATE_VERSION);
    t->text = is_text;
    ReplayStatus status = REPLAY_VALID;
    if (is_text)
        s->replay->claim.digests[DIGEST_CERTIFICATE] = sha256_of(text, length);
    else
        status = check_hash(s, first, &end);
    if (status != REPLAY_VALID) return status;
    const char *problem = certificate_claim(text, &first, &end, &s->replay->claim);
    if (problem) return unreadable(s, text + first, problem);
    if (s->replay->begin) s->replay->begin(s->replay->context, &s->replay->claim);
    t->at = text + first;
    t->end = text + end - !is_text; // a binary file ends with a line break
    if (is_text) tokens_at_end(t);
    return REPLAY_VALID;
}

static ReplayStatus declarations(ReplayState *s) {
    Program *program = s->coder.program;
    const char *place = place_here(s);
    declarations_code(&s->coder);
    if (!tokens_good(&s->coder.t)) return unread(s);
    Complaints complaints = {.arena = s->scratch, .most = 1};
    verify_declarations(&complaints, program);
    s->seen = bits_new(program->arena, program->symbols.count);
    s->resumed = bits_new(program->arena, program->symbols.count);
    s->bodies = bodies_new(program->arena, program);
    s->completeness = completeness_new(program->arena, program);
    ReplayStatus status = no_complaint(s, place, "declarations", &complaints);
    if (status != REPLAY_VALID || !s->coder.memory) return status;
    Verdict verdict = check_unit(s->scratch, program, s->coder.memory);
    return judged(s, place, "memory of the unit", NULL, &verdict);
}

static ReplayStatus nothing_missing(ReplayState *s) {
    const Program *program = s->coder.program;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->kind != SYM_FUNC || !symbol->defined || symbol->alias.i != NO_ID ||
            bits_has(&s->seen, i))
            continue;
        s->function = program_text(program, symbol->name);
        return invalid(s, s->coder.t.end, "as it was compiled", "it is missing");
    }
    return REPLAY_VALID;
}

// Nothing that is needed was left out. A function may wait for ever in the form that was offered,
// or end in any form, if nothing refers to it.
static ReplayStatus all_covered(ReplayState *s) {
    const Program *program = s->coder.program;
    Coverage coverage = s->replay->coverage = completeness_of(&s->completeness);
    if (s->replay->partial || coverage.first.i == NO_ID) return REPLAY_VALID;
    const char *reason = "there is none, but others can see it";
    if (coverage.because.i != NO_ID)
        reason = arena_printf(s->scratch, "there is none, but '%s' refers to it",
                              program_text(program, program_at(program, coverage.because)->name));
    s->function = program_text(program, program_at(program, coverage.first)->name);
    return invalid(s, s->coder.t.end, "machine code", reason);
}

// The frame around the tokens when they are written. An encoding that is there already is taken as
// it is.
static void begin_writing(ReplayState *s, const char *origin) {
    TokenStream *t = &s->coder.t;
    Out *out = s->replay->out;
    t->out_text = s->replay->encoding == ENCODING_TEXT;
    if (!out || t->out_text == t->text) return;
    t->out = out;
    out_text(out, t->out_text ? CERTIFICATE_TEXT_LINE : CERTIFICATE_FIRST_LINE);
    out_bytes(out, origin, (size_t)(t->at - origin));
}

static void end_writing(const ReplayState *s, const char *text, size_t length) {
    const TokenStream *t = &s->coder.t;
    Out *out = s->replay->out;
    const char *end = t->end + !t->text;
    size_t last = t->text ? 0 : CERTIFICATE_LAST_LINE;
    if (!t->out) {
        out_bytes(out, text, length);
        return;
    }
    if (!t->out_text) out_char(out, '\n');
    out_bytes(out, end, (size_t)(text + length - last - end));
    Digest hash = sha256_of(out->text, out->length);
    if (!t->out_text) out_printf(out, CERTIFICATE_HASH "%s\n", digest_text(&hash).text);
}

static ReplayStatus run(ReplayState *s, const char *text, size_t length) {
    ReplayStatus status = frame(s, text, length);
    if (status == REPLAY_VALID) {
        const char *origin = strchr(text, '\n') + 1;
        begin_writing(s, origin);
        status = declarations(s);
    }
    while (status == REPLAY_VALID && !tokens_at_end(&s->coder.t)) status = item(s);
    if (status == REPLAY_VALID && s->replay->out) {
        end_writing(s, text, length);
        return status;
    }
    if (status == REPLAY_VALID) status = nothing_missing(s);
    if (status == REPLAY_VALID) status = all_covered(s);
    if (status == REPLAY_VALID && s->replay->end)
        s->replay->end(s->replay->context, s->coder.program, &s->replay->coverage);
    return status;
}

ReplayStatus replay_certificate(Replay *replay, const char *name, const char *text, size_t length) {
    enum { KEPT_PER_BYTE = 64 };
    Arena *program = arena_new("program");
    ReplayState s = {.replay = replay,
                     .diag = replay->diag,
                     .name = name,
                     .source = diag_source(replay->diag, name, text, length),
                     .first = arena_new("function"),
                     .work = {arena_new("function"), arena_new("function")},
                     .scratch = arena_new("check")};
    TokenStream t = {
        .start = text, .at = text, .end = text + length, .scratch = arena_new("tokens")};
    coder_init(&s.coder, t, program, program_new(program));
    s.coder.budget = KEPT_PER_BYTE * (uint64_t)length;
    ReplayStatus status = run(&s, text, length);
    arena_free(s.coder.t.scratch);
    arena_free(s.first);
    for (int i = 0; i < 2; i++) arena_free(s.work[i]);
    arena_free(s.scratch);
    arena_free(program);
    return status;
}
