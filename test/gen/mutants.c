#include "test/gen/mutants.h"

#include "form/mach.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint32_t mutant_draw(Mutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}

Instr *mutant_draw_instr(Mutant *mutant) {
    return &mutant->after->nodes.at[mutant_draw(mutant, mutant->after->nodes.count)];
}

bool mutant_change_reg(Mutant *mutant, Reg *reg) {
    const Func *after = mutant->after;
    for (int tries = 0; tries < 50; tries++) {
        Reg other = {mutant_draw(mutant, after->regs.count)};
        if (other.i == reg->i || reg_type(after, other) != reg_type(after, *reg)) continue;
        *reg = other;
        return true;
    }
    return false;
}

// ---- Damage to the code

static bool change_argument(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    return mutant_change_reg(mutant, &instr->arg[mutant_draw(mutant, instr->arg_count)]);
}
static bool change_phi_argument(Mutant *mutant) {
    uint32_t count = mutant->after->phi_args.count;
    return count &&
           mutant_change_reg(mutant, &mutant->after->phi_args.at[mutant_draw(mutant, count)]);
}
static bool exchange_phi_arguments(Mutant *mutant) {
    uint32_t count = mutant->after->phi_args.count;
    if (count < 2) return false;
    Reg *args = mutant->after->phi_args.at + mutant_draw(mutant, count - 1), first = args[0];
    args[0] = args[1];
    args[1] = first;
    return args[0].i != args[1].i;
}
static bool exchange_destinations(Mutant *mutant) {
    Instr *a = mutant_draw_instr(mutant), *b = mutant_draw_instr(mutant);
    if (a == b || a->dest.i == NO_ID || b->dest.i == NO_ID ||
        reg_type(mutant->after, a->dest) != reg_type(mutant->after, b->dest))
        return false;
    Reg first = a->dest;
    a->dest = b->dest;
    b->dest = first;
    return true;
}
static bool change_immediate(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    bool constant = instr->kind == I_OP && (instr->op == OP_CONST_I32 || instr->op == OP_CONST_I64);
    if (!instr->immediate && !constant) return false;
    instr->imm = (int32_t)(instr->imm + (mutant_draw(mutant, 2) ? 1 : -1));
    return true;
}
static bool change_operator(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    Op op = (Op)mutant_draw(mutant, OP_COUNT);
    if ((instr->kind != I_OP && instr->kind != I_COND) || instr->op == op) return false;
    const OpInfo *old = op_info((Op)instr->op), *fresh = op_info(op);
    if (old->arity == 0 || old->arity != fresh->arity || old->result != fresh->result ||
        memcmp(old->operand, fresh->operand, sizeof old->operand) != 0 ||
        (instr->kind == I_COND && !(fresh->flags & OPF_COND)))
        return false;
    instr->op = (uint16_t)op;
    return true;
}
static bool erase_instruction(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->succ_count != 1 || instr->kind == I_NOP) return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    return true;
}
static bool make_constant(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_OP || reg_type(mutant->after, instr->dest) != TYPE_I32) return false;
    *instr = (Instr){.kind = I_OP,
                     .op = OP_CONST_I32,
                     .dest = instr->dest,
                     .succ_count = 1,
                     .succ = {instr->succ[0]},
                     .imm = mutant_draw(mutant, 4)};
    return true;
}
static bool swap_branch(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_COND) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return true;
}
static bool decide_branch(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->succ_count < 2) return false;
    Node succ = instr_succs(mutant->after, instr)[mutant_draw(mutant, instr->succ_count)];
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
    return true;
}
static bool retarget_edge(Mutant *mutant) {
    uint32_t node = mutant_draw(mutant, mutant->after->nodes.count);
    uint32_t count = mutant->after->nodes.at[node].succ_count;
    if (!count) return false;
    Node succ = {mutant_draw(mutant, mutant->after->nodes.count)};
    func_set_succ(mutant->after, (Node){node}, mutant_draw(mutant, count), succ);
    return true;
}
static bool exchange_instructions(Mutant *mutant) {
    Instr *a = mutant_draw_instr(mutant);
    if (a->succ_count != 1) return false;
    Instr *b = &mutant->after->nodes.at[a->succ[0].i], first = *a;
    if (a == b || b->succ_count != 1 || (a->kind == I_NOP && b->kind == I_NOP)) return false;
    Node a_succ = a->succ[0], b_succ = b->succ[0];
    *a = *b;
    *b = first;
    a->succ[0] = a_succ;
    b->succ[0] = b_succ;
    return true;
}

const MutantKind code_mutant_kinds[] = {
    {"change an argument", change_argument},
    {"change an argument of a phi", change_phi_argument},
    {"exchange arguments of phis", exchange_phi_arguments},
    {"exchange destinations", exchange_destinations},
    {"change an immediate", change_immediate},
    {"change an operator", change_operator},
    {"erase an instruction", erase_instruction},
    {"make a constant", make_constant},
    {"swap a branch", swap_branch},
    {"decide a branch", decide_branch},
    {"retarget an edge", retarget_edge},
    {"exchange two instructions", exchange_instructions},
};
const uint32_t code_mutant_kind_count = sizeof code_mutant_kinds / sizeof code_mutant_kinds[0];

// ---- Trying them

typedef struct {
    uint32_t made, malformed, rejected, different;
} Score;

// A graph of a few nodes, all branches, or a random function of some hundred; as SSA or RTL.
static const Func *original(const MutantPass *pass, Arena *arena, uint64_t seed) {
    Program *program = program_new(arena);
    if (pass->machine) program->pic = (PicLevel)(seed / 7 % 3);
    Random random = random_from(seed);
    const Func *func;
    if (random_next(&random) % 4) {
        RandomOptions options = random_options(random_next(&random) % 2 ? 60 : 200, seed);
        options.variables = 2 + (uint32_t)(seed % 5);
        func = random_func(arena, program, options, seed);
    } else {
        uint32_t nodes = 3 + random_below(&random, 9);
        uint8_t succs[16][2], counts[16];
        for (uint32_t i = 0; i < nodes; i++) {
            counts[i] = (uint8_t)(random_chance(&random, 8, 10) ? random_range(&random, 1, 2) : 0);
            for (uint32_t k = 0; k < 2; k++) succs[i][k] = (uint8_t)random_below(&random, nodes);
        }
        func = func_of_graph(arena, program, nodes, (const uint8_t(*)[2])succs, counts, seed);
    }
    if (pass->machine) return func;
    CopiesHint norm_hint = {0};
    SsaHint ssa_hint = {0};
    return ssa_build(arena, normalize(arena, func, &norm_hint), &ssa_hint);
}

bool mutant_damage(Mutant *mutant, const MutantKind *kind) {
    for (int tries = 0; tries < 100; tries++)
        if (kind->damage(mutant)) return true;
    return false;
}

static uint32_t shared_kinds(const MutantPass *pass) {
    return pass->machine ? mach_mutant_kind_count : code_mutant_kind_count;
}

static const MutantKind *kind_at(const MutantPass *pass, uint32_t kind) {
    uint32_t shared = shared_kinds(pass);
    if (kind >= shared) return &pass->kinds[kind - shared];
    return pass->machine ? &mach_mutant_kinds[kind] : &code_mutant_kinds[kind];
}

static void try_mutant(const MutantPass *pass, Arena *arena, uint32_t kind, uint64_t seed,
                       Score *score) {
    Mutant mutant = {
        .arena = arena, .random = random_from(seed), .before = original(pass, arena, seed)};
    if (!pass->make(&mutant)) return;
    mutant.origins = mutant.after->mach && mutant.after->mach->allocated;
    if (!mutant_damage(&mutant, kind_at(pass, kind))) return;
    // A third of the mutants are damaged twice, so that code and hint may fit together again.
    uint32_t kinds = shared_kinds(pass) + pass->kind_count;
    if (mutant_draw(&mutant, 3) == 0)
        mutant_damage(&mutant, kind_at(pass, mutant_draw(&mutant, kinds)));
    score->made++;
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, mutant.after)) { // the verifier stands before the checker
        score->malformed++;
        return;
    }
    Verdict verdict = pass->check(arena, mutant.before, mutant.after, mutant.hint);
    const char *difference = NULL;
    for (uint64_t run = 0; run < 4 && !difference; run++)
        difference = behaviour_difference(arena, mutant.before, mutant.after, seed + run, 2000);
    score->rejected += !verdict.accepted;
    score->different += difference != NULL;
    if (!verdict.accepted || !difference) return;
    Out text = {0};
    func_print(&text, mutant.before, &(PrintOptions){0});
    func_print(&text, mutant.after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu, %s: accepted, but %s\n%s", (unsigned long long)seed,
             kind_at(pass, kind)->name, difference, text.text);
}

static void print_score(const char *name, const Score *score, const char *end) {
    uint32_t harmless = score->made - score->malformed - score->rejected;
    print_message("%-30s %6u mutants, %6u malformed, %6u rejected, %6u harmless, "
                  "%6u behave differently%s\n",
                  name, score->made, score->malformed, score->rejected, harmless, score->different,
                  end);
}

void mutants_try(const MutantPass *pass, uint64_t count) {
    uint32_t kinds = shared_kinds(pass) + pass->kind_count;
    Arena *arena = arena_new("mutant");
    Score *scores = xmalloc(kinds * sizeof(Score)), total = {0};
    memset(scores, 0, kinds * sizeof(Score));
    for (uint64_t seed = 1; seed <= count; seed++) {
        uint32_t kind = (uint32_t)(seed % kinds);
        try_mutant(pass, arena, kind, seed, &scores[kind]);
        arena_reset(arena);
    }
    for (uint32_t i = 0; i < kinds; i++) {
        print_score(kind_at(pass, i)->name, &scores[i], "");
        if (i >= shared_kinds(pass) && !scores[i].made)
            fail_msg("no function could be damaged so: %s", kind_at(pass, i)->name);
        total.made += scores[i].made;
        total.malformed += scores[i].malformed;
        total.rejected += scores[i].rejected;
        total.different += scores[i].different;
    }
    print_score("mutation score", &total, ", all of those rejected");
    assert_true(total.different > total.made / 40);
    free(scores);
    arena_free(arena);
}
