// What is established about each function: its first form is well-formed RTL; each further form is
// well-formed, has the form that its pass yields, and was accepted by the checker of that pass as a
// replacement of the form before. So the last form behaves as the first, whatever wrote the certificate.
// A form of RTL may be offered: steps of later functions may copy it to where the function is called. As a
// function is seen only once, and copies of itself are not offered before, that goes round in no circle.
// Every function that is needed ends as allocated machine code (completeness.h).
// That the first form is what the source means is the front end's business, not ours.
//
// A file is text from anywhere. What is kept or repeated without being written out is limited by budgets
// that follow from the size of the file.
#include "check/replay.h"

#include "base/bits.h"
#include "cert/certificate.h"
#include "cert/hints.h"
#include "cert/read_form.h"
#include "form/verify.h"
#include "pipeline/passes.h"

#include <string.h>

typedef struct {
    Replay *replay;
    Diag *diag;
    TextParser parser;
    FormReader forms;
    Arena *first;   // the first form of the function at hand
    Arena *work[2]; // the forms that follow, in turn, with their hints
    Arena *scratch; // of verifier and checkers
    Bits seen;      // functions, by symbol
    Bits resumed;   // those that went on from the form that was offered
    Bodies bodies;  // what was offered
    Completeness completeness;
    const char *function;
} ReplayState;

// ---- Messages

static ReplayStatus unreadable(ReplayState *s, uint32_t place, const char *problem) {
    Span span = {.source = s->parser.source, .start = place, .end = place + 1};
    diag_error(s->diag, span, "%s", problem);
    return REPLAY_UNREADABLE;
}

static ReplayStatus invalid(ReplayState *s, uint32_t place, const char *step, const char *reason) {
    Span span = {.source = s->parser.source, .start = place, .end = place};
    if (s->function)
        diag_error(s->diag, span, "function '%s', %s: %s", s->function, step, reason);
    else
        diag_error(s->diag, span, "%s: %s", step, reason);
    return REPLAY_INVALID;
}

// The same about a site of a function, which may be none.
static ReplayStatus invalid_at(ReplayState *s, uint32_t place, const char *step, const Func *func,
                               Site site, const char *reason) {
    Out text = {0};
    if (func) func_print_site(&text, func, site);
    out_printf(&text, "%s%s%c", text.length ? ": " : "", reason, '\0');
    ReplayStatus status = invalid(s, place, step, text.text);
    out_free(&text);
    return status;
}

static ReplayStatus judged(ReplayState *s, uint32_t place, const char *step, const Func *func,
                           const Verdict *verdict) {
    if (verdict->accepted) return REPLAY_VALID;
    return invalid_at(s, place, step, func, verdict->site, verdict->reason);
}

static ReplayStatus no_complaint(ReplayState *s, uint32_t place, const char *step,
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

// "{" LINE form "}" LINE
static Func *braced_form(ReplayState *s, Arena *arena, Sym symbol, Form form, const Func *before) {
    TextParser *p = &s->parser;
    if (!parse_expect(p, '{', "'{'") || !parse_expect(p, T_LINE, "the end of the line"))
        return NULL;
    Func *func = form_read(&s->forms, arena, symbol, form, before);
    if (!func || !parse_expect(p, '}', "'}'") || !parse_end_of_line(p)) return NULL;
    func_keep_cache(func);
    return func;
}

// ---- One step

// The pass, one that has a checker, whose name is the current token.
static PassId pass_here(const TextParser *p) {
    for (uint32_t i = 0; i < PASS_COUNT; i++)
        if (!pass_table[i].inner && parse_at_word(p, pass_table[i].name)) return (PassId)i;
    return PASS_COUNT;
}

// So many values of a hint may come from repetitions: in proportion to the form before and to what is left
// of the file, where the form after it is.
static uint64_t hint_budget(const ReplayState *s, const Func *before) {
    uint64_t size = (uint64_t)before->nodes.count + before->regs.count + before->reg_pool.count +
                    before->node_pool.count + before->phi_args.count;
    uint64_t limit = 64 + 8 * size + (s->parser.lexer.end - s->parser.lexer.at);
    return limit < s->forms.budget ? limit : s->forms.budget;
}

static const void *read_hint(ReplayState *s, Arena *arena, PassId pass, const Func *before) {
    TextParser *p = &s->parser;
    HintReader reader = {.arena = arena,
                         .text = p->lexer.text,
                         .at = p->lexer.at,
                         .end = p->lexer.end,
                         .budget = hint_budget(s, before)};
    uint64_t budget = reader.budget;
    const void *hint = hint_read(&reader, hint_shapes[pass]);
    s->forms.budget -= budget - reader.budget;
    if (!hint) unreadable(s, reader.at, reader.problem);
    p->lexer.at = reader.at;
    parse_next(p);
    return hint;
}

// "step" PASS LINE hint form
static ReplayStatus step(ReplayState *s, Arena *arena, Sym symbol, const Func **func) {
    TextParser *p = &s->parser;
    uint32_t place = p->token.start;
    parse_next(p);
    PassId pass = pass_here(p);
    if (pass == PASS_COUNT) return parse_expected(p, "the name of a pass"), REPLAY_UNREADABLE;
    const char *name = pass_table[pass].name;
    parse_next(p);
    if (!parse_at(p, T_LINE)) return parse_expected(p, "the end of the line"), REPLAY_UNREADABLE;
    if ((*func)->form != pass_compares(pass))
        return invalid(s, place, name, "the form before it is not one that it takes");
    const void *hint = read_hint(s, arena, pass, *func);
    if (!hint) return REPLAY_UNREADABLE;
    const Func *after = braced_form(s, arena, symbol, pass_table[pass].to, *func);
    if (!after) return REPLAY_UNREADABLE;
    tell(s, name, after);
    arena_reset(s->scratch);
    Verdict verdict = pass_verify(pass, s->scratch, *func, after);
    if (verdict.accepted) verdict = pass_check(pass, s->scratch, &s->bodies, *func, after, hint);
    *func = after;
    s->replay->steps++;
    return judged(s, place, name, after, &verdict);
}

// ---- One function

static bool function_symbol(ReplayState *s, Sym *symbol) {
    TextParser *p = &s->parser;
    uint32_t place = p->token.start;
    if (!parse_symbol(p, &symbol->i)) return false;
    const Symbol *info = program_at(p->program, *symbol);
    if (info->kind == SYM_FUNC && info->defined && info->alias.i == NO_ID &&
        bits_put(&s->seen, symbol->i))
        return true;
    unreadable(s, place, "this is not the name of a function that is still missing");
    return false;
}

// "offer" LINE
static ReplayStatus offer(ReplayState *s, Sym symbol, const Func *func) {
    TextParser *p = &s->parser;
    uint32_t place = p->token.start;
    parse_next(p);
    if (!parse_end_of_line(p)) return REPLAY_UNREADABLE;
    if (func->form != FORM_FIRST)
        return invalid(s, place, "offer", "the form is not one that can be copied");
    if (body_of(&s->bodies, symbol).rtl)
        return unreadable(s, place, "a form of this function was offered already");
    s->bodies.of[symbol.i].rtl = func_clone(func, p->program->arena);
    return REPLAY_VALID;
}

// { step | "offer" LINE }
static ReplayStatus all_steps(ReplayState *s, Sym symbol, const Func *first) {
    TextParser *p = &s->parser;
    ReplayStatus status = REPLAY_VALID;
    const Func *func = first;
    for (int turn = 0; status == REPLAY_VALID; turn = !turn) {
        if (parse_at_word(p, "offer")) status = offer(s, symbol, func);
        if (status != REPLAY_VALID || !parse_at_word(p, "step")) break;
        arena_reset(s->work[turn]);
        status = step(s, s->work[turn], symbol, &func);
    }
    if (status != REPLAY_VALID) return status;
    completeness_note(&s->completeness, func);
    if (s->replay->done) s->replay->done(s->replay->context, first, func);
    s->function = NULL;
    return status;
}

// "certify" symbol form { step | "offer" LINE }
static ReplayStatus function(ReplayState *s) {
    TextParser *p = &s->parser;
    uint32_t place = p->token.start;
    Sym symbol;
    parse_next(p);
    if (!function_symbol(s, &symbol)) return REPLAY_UNREADABLE;
    s->function = program_text(p->program, program_at(p->program, symbol)->name);
    arena_reset(s->first);
    arena_reset(s->scratch);
    Func *first = braced_form(s, s->first, symbol, FORM_FIRST, NULL);
    if (!first) return REPLAY_UNREADABLE;
    tell(s, NULL, first);
    Complaints complaints = {.arena = s->scratch, .most = 1};
    verify_func(&complaints, first);
    ReplayStatus status = no_complaint(s, place, "as it was compiled", &complaints);
    return status == REPLAY_VALID ? all_steps(s, symbol, first) : status;
}

// Whether two functions are the same, names of slots and locations aside.
static bool is_same(Arena *arena, const Func *a, const Func *b) {
    if (!check_same_frame(arena, a, b).accepted || a->regs.count != b->regs.count ||
        a->nodes.count != b->nodes.count)
        return false;
    for (uint32_t n = 0; n < a->nodes.count; n++)
        if (!instr_same(a, &a->nodes.at[n], b, &b->nodes.at[n]) ||
            !check_same_succs(a, &a->nodes.at[n], b, &b->nodes.at[n]))
            return false;
    return true;
}

// "resume" symbol form { step }: the function goes on from the form that was offered.
static ReplayStatus resumed(ReplayState *s) {
    TextParser *p = &s->parser;
    Sym symbol;
    parse_next(p);
    uint32_t place = p->token.start;
    if (!parse_symbol(p, &symbol.i)) return REPLAY_UNREADABLE;
    const Func *body = body_of(&s->bodies, symbol).rtl;
    if (!body || !bits_put(&s->resumed, symbol.i))
        return unreadable(s, place, "no form of this was offered that is still waiting");
    s->function = program_text(p->program, program_at(p->program, symbol)->name);
    arena_reset(s->first);
    arena_reset(s->scratch);
    Func *first = braced_form(s, s->first, symbol, FORM_FIRST, NULL);
    if (!first) return REPLAY_UNREADABLE;
    tell(s, NULL, first);
    if (is_same(s->scratch, body, first)) return all_steps(s, symbol, first);
    return invalid(s, place, "resumed", "it is not the form that was offered");
}

// ---- All of it

// The lines at both ends. The rest is what lies between.
static ReplayStatus frame(ReplayState *s, const char *text, size_t length) {
    size_t first = strlen(CERTIFICATE_FIRST_LINE), end;
    Digest *hash = &s->replay->claim.digests[DIGEST_CERTIFICATE];
    if (length < first || memcmp(text, CERTIFICATE_START, strlen(CERTIFICATE_START)) != 0)
        return unreadable(s, 0, "this is not a certificate");
    if (memcmp(text, CERTIFICATE_FIRST_LINE, first) != 0)
        return unreadable(s, (uint32_t)strlen(CERTIFICATE_START),
                          "certificates of this version cannot be checked, only those of "
                          "version " CERTIFICATE_VERSION);
    CertificateEnd ending = certificate_end(text, length, first, &end, hash);
    if (ending == CERTIFICATE_NO_HASH)
        return unreadable(s, (uint32_t)length, "the certificate does not end with its hash");
    if (ending == CERTIFICATE_OTHER_HASH)
        return invalid(s, (uint32_t)end, "hash",
                       arena_printf(s->scratch, "it is not that of what stands before it, %s",
                                    digest_text(hash).text));
    const char *problem = certificate_claim(text, &first, &end, &s->replay->claim);
    if (problem) return unreadable(s, (uint32_t)first, problem);
    if (s->replay->begin) s->replay->begin(s->replay->context, &s->replay->claim);
    s->parser.lexer.at = (uint32_t)first;
    s->parser.lexer.end = (uint32_t)end;
    return REPLAY_VALID;
}

// Where the first function starts: at the first line that begins so. A text of data has no line breaks.
static uint32_t end_of_declarations(const Lexer *lexer) {
    Lexer at = *lexer;
    while (at.at < at.end) {
        if (at.end - at.at >= 8 && memcmp(at.text + at.at, "certify ", 8) == 0) break;
        lex_skip_line(&at);
        at.at += at.at < at.end;
    }
    return at.at;
}

static ReplayStatus declarations(ReplayState *s) {
    TextParser *p = &s->parser;
    uint32_t errors = s->diag->errors, end = end_of_declarations(&p->lexer);
    p->headers = true;
    parse_items(p, end);
    if (s->diag->errors != errors) return REPLAY_UNREADABLE;
    if (!p->code_given)
        return unreadable(s, end, "the declarations do not say what machine code goes by: 'code'");
    p->lexer.at = end;
    parse_next(p);
    Complaints complaints = {.arena = s->scratch, .most = 1};
    verify_declarations(&complaints, p->program);
    s->seen = bits_new(p->keep, p->program->symbols.count);
    s->resumed = bits_new(p->keep, p->program->symbols.count);
    s->bodies = bodies_new(p->keep, p->program);
    s->completeness = completeness_new(p->keep, p->program);
    return no_complaint(s, end, "declarations", &complaints);
}

static ReplayStatus nothing_missing(ReplayState *s) {
    const Program *program = s->parser.program;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->kind != SYM_FUNC || !symbol->defined || symbol->alias.i != NO_ID ||
            bits_has(&s->seen, i))
            continue;
        s->function = program_text(program, symbol->name);
        return invalid(s, s->parser.lexer.end, "as it was compiled", "it is missing");
    }
    return REPLAY_VALID;
}

// Nothing that is needed was left out. A function may wait for ever in the form that was offered, or end in any
// form, if nothing refers to it.
static ReplayStatus all_covered(ReplayState *s) {
    const Program *program = s->parser.program;
    Coverage coverage = s->replay->coverage = completeness_of(&s->completeness);
    if (s->replay->partial || coverage.first.i == NO_ID) return REPLAY_VALID;
    const char *reason = "there is none, but others can see it";
    if (coverage.because.i != NO_ID)
        reason = arena_printf(s->scratch, "there is none, but '%s' refers to it",
                              program_text(program, program_at(program, coverage.because)->name));
    s->function = program_text(program, program_at(program, coverage.first)->name);
    return invalid(s, s->parser.lexer.end, "machine code", reason);
}

static ReplayStatus run(ReplayState *s, const char *text, size_t length) {
    TextParser *p = &s->parser;
    ReplayStatus status = frame(s, text, length);
    if (status == REPLAY_VALID) status = declarations(s);
    while (status == REPLAY_VALID && !parse_at(p, T_END)) {
        if (parse_at_word(p, "certify"))
            status = function(s);
        else if (parse_at_word(p, "resume"))
            status = resumed(s);
        else
            status =
                (parse_expected(p, "'certify', 'resume', 'step' or 'offer'"), REPLAY_UNREADABLE);
    }
    if (status == REPLAY_VALID) status = nothing_missing(s);
    if (status == REPLAY_VALID) status = all_covered(s);
    if (status == REPLAY_VALID && s->replay->end)
        s->replay->end(s->replay->context, p->program, &s->replay->coverage);
    return status;
}

ReplayStatus replay_certificate(Replay *replay, const char *name, const char *text, size_t length) {
    enum { KEPT_PER_BYTE = 16 };
    Arena *program = arena_new("program");
    ReplayState s = {.replay = replay,
                     .diag = replay->diag,
                     .first = arena_new("function"),
                     .work = {arena_new("function"), arena_new("function")},
                     .scratch = arena_new("check")};
    parse_open(&s.parser, program, replay->diag, name, text, length);
    s.forms = (FormReader){.parser = &s.parser, .budget = KEPT_PER_BYTE * (uint64_t)length};
    ReplayStatus status = run(&s, text, length);
    parse_close(&s.parser);
    arena_free(s.first);
    for (int i = 0; i < 2; i++) arena_free(s.work[i]);
    arena_free(s.scratch);
    arena_free(program);
    return status;
}
