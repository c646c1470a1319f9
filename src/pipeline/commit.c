// Trusted: this file decides whether the output of a pass becomes the function. The loop that
// plans, runs transforms, tries again and waits (pipeline.c) is not believed: the loop asks here
// for the accepted function and cannot set it.
//
// The invariant. The function given to commit_begin is the origin. At any time the accepted
// function is well-formed and may stand for the origin (unless nothing is checked, CHECK_OFF):
//
// - commit_begin makes the origin the accepted function.
// - commit_take is the only other place that sets the accepted function. The output is verified,
//   and a checker compares the output with the accepted function, whatever function the transform
//   was given: so an excursion that is checked as a whole needs no rule of its own. A pass without
//   a checker is always rejected. To stand for another function is transitive.
// - The accepted function stays unchanged: only rooms without the accepted function are emptied,
//   and callers get the function as const. An output whose arena is not its room is rejected.
//
// A body on offer may stand for the function of its symbol. commit_offer is the only place that
// adds a body, and adds one for each symbol at most: the accepted function, if the origin is the
// function in the program. Checkers of passes that copy bodies get this table and no other.
//
// commit_finish is the only way to code. The function handed over is the accepted function, and the
// origin is the function in the program, or the body on offer for the same symbol; both stand for
// the function of the source. commit_keep may put any function into the program, for people to look
// at; no function of this symbol is offered or finished afterwards. A plan may leave functions out:
// commit_missing finds a needed function without code (check/replay/completeness.h).
//
// Facts about the memory of the program are those that commit_claim has checked, with all first
// forms at hand (check/unit/check_unit.c). Only commit_claim sets them.
//
// Certificates do not depend on this file: gatecheck replays them and believes no compiler.
#include "pipeline/commit.h"

#include "check/gates/second_opinion.h"
#include "check/replay/completeness.h"
#include "check/unit/check_unit.h"
#include "pipeline/step_check.h"

#include <time.h>

struct Commit {
    CommitRules rules;
    const Func *origin, *accepted;
    uint32_t room; // of the accepted function; COMMIT_ROOMS if it came from outside
    Arena *rooms[COMMIT_ROOMS];
    Arena *scratch; // of the verifier and the checkers

    const Program *program; // NULL: functions come one by one
    bool *kept;             // by symbol: its function was put there to be looked at
    bool may_be_offered;    // there are these:
    Bodies bodies;
    Completeness completeness;
};

Commit *commit_new(Arena *arena) {
    Commit *commit = ARENA_NEW(arena, Commit);
    for (uint32_t i = 0; i < COMMIT_ROOMS; i++) commit->rooms[i] = arena_new("function");
    commit->scratch = arena_new("check");
    return commit;
}

void commit_free(Commit *commit) {
    for (uint32_t i = 0; i < COMMIT_ROOMS; i++) arena_free(commit->rooms[i]);
    arena_free(commit->scratch);
}

void commit_open(Commit *commit, const Program *program, bool may_be_offered, Arena *arena) {
    commit->program = program;
    commit->kept = ARENA_ARRAY(arena, bool, program->symbols.count);
    commit->may_be_offered = may_be_offered;
    if (!may_be_offered) return;
    commit->bodies = bodies_new(arena, program);
    commit->completeness = completeness_new(arena, program);
}

void commit_close(Commit *commit) {
    commit->program = NULL;
    commit->may_be_offered = false;
}

static Verdict check_first(Commit *commit, const Symbol *symbol) {
    const Func *func = symbol->func;
    if (!unit_has_claims(symbol)) return VERDICT_ACCEPTED;
    if (!func || func->form != FORM_FIRST)
        return verdict_rejected(commit->scratch, NO_SITE, "a function has not its first form");
    return check_unit_function(commit->scratch, func);
}

Verdict commit_claim(Commit *commit, Program *program, UnitMemory *claims) {
    arena_reset(commit->scratch);
    program->unit = NULL;
    if (!claims) return VERDICT_ACCEPTED;
    Verdict verdict = check_unit(commit->scratch, program, claims);
    for (uint32_t i = 0; verdict.accepted && i < program->symbols.count; i++)
        verdict = check_first(commit, &program->symbols.at[i]);
    if (!verdict.accepted) program->unit = NULL;
    return verdict;
}

// ---- One function

void commit_begin(Commit *commit, const CommitRules *rules, const Func *func) {
    commit->rules = *rules;
    commit->origin = commit->accepted = func;
    commit->room = 0;
    while (commit->room < COMMIT_ROOMS && func->arena != commit->rooms[commit->room])
        commit->room++;
}

const Func *commit_accepted(const Commit *commit) {
    return commit->accepted;
}

uint32_t commit_room(Commit *commit, uint32_t other) {
    uint32_t room = 0;
    while (room == commit->room || room == other) room++;
    arena_reset(commit->rooms[room]);
    return room;
}

Arena *commit_arena(const Commit *commit, uint32_t room) {
    return commit->rooms[room];
}

static Verdict ask_again(Commit *commit, PassId pass, const Func *after, const void *hint) {
    if (commit->rules.check != CHECK_MATRIX || !second_opinions[pass]) return VERDICT_ACCEPTED;
    Obligations obligations;
    Verdict verdict =
        second_opinions[pass](commit->scratch, commit->accepted, after, hint, &obligations);
    return verdict.accepted ? obligations_settle(&obligations, commit->rules.refuter) : verdict;
}

// Asking for the time is a system call, and there are many steps.
static double seconds_now(const CommitTimes *times) {
    struct timespec now;
    if (!times) return 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static Verdict judge(Commit *commit, PassId pass, const Func *after, const void *hint,
                     CommitTimes *times) {
    const Func *before = commit->accepted;
    if (commit->rules.check == CHECK_OFF) return VERDICT_ACCEPTED;
    arena_reset(commit->scratch);
    double start = seconds_now(times);
    Verdict verdict = pass_verify(pass, commit->scratch, before, after);
    double verified = seconds_now(times);
    if (verdict.accepted)
        verdict = step_check(pass, commit->scratch, commit_bodies(commit), before, after, hint);
    if (verdict.accepted) verdict = ask_again(commit, pass, after, hint);
    if (!times) return verdict;
    times->verify_seconds += verified - start;
    times->check_seconds += seconds_now(times) - verified;
    return verdict;
}

Verdict commit_take(Commit *commit, PassId pass, uint32_t room, const Func *after, const void *hint,
                    CommitTimes *times) {
    // Only the accepted function's room is never emptied.
    if (room >= COMMIT_ROOMS || after->arena != commit->rooms[room])
        return verdict_rejected(commit->scratch, NO_SITE,
                                "the output is in another room than the pipeline says");
    Verdict verdict = judge(commit, pass, after, hint, times);
    if (!verdict.accepted) return verdict;
    commit->accepted = after;
    commit->room = room;
    return verdict;
}

// ---- A program

const Bodies *commit_bodies(const Commit *commit) {
    return commit->may_be_offered ? &commit->bodies : commit->rules.bodies;
}

static const Func *in_program(const Commit *commit) {
    Sym symbol = commit->origin->symbol;
    if (!commit->program || commit->kept[symbol.i]) return NULL;
    return program_at(commit->program, symbol)->func;
}

bool commit_offer(Commit *commit, bool once) {
    const Func *func = commit->accepted;
    if (!commit->may_be_offered || in_program(commit) != commit->origin) return false;
    OfferedBody *body = &commit->bodies.of[func->symbol.i];
    if (body->rtl) return false;
    bool lasts = func == commit->origin;
    *body =
        (OfferedBody){.rtl = lasts ? func : func_clone(func, commit->program->arena), .once = once};
    return true;
}

void commit_withdraw(Commit *commit) {
    if (commit->may_be_offered) commit->bodies.of[commit->origin->symbol.i] = (OfferedBody){0};
}

bool commit_finish(Commit *commit, void (*finish)(void *finisher, const Func *func),
                   void *finisher) {
    const Func *func = commit->accepted, *known = in_program(commit);
    const Func *offered = commit->may_be_offered ? commit->bodies.of[func->symbol.i].rtl : NULL;
    if (!known || (commit->origin != known && commit->origin != offered)) return false;
    finish(finisher, func);
    if (commit->may_be_offered) completeness_note(&commit->completeness, func);
    return true;
}

void commit_keep(Commit *commit, const Func *func) {
    const Program *program = commit->program;
    Symbol *symbol = program_at(program, func->symbol);
    commit->kept[func->symbol.i] = true;
    if (func != symbol->func) symbol->func = func_clone(func, program->arena);
}

Sym commit_missing(const Commit *commit) {
    return commit->may_be_offered ? completeness_missing(&commit->completeness) : NO_SYM;
}
