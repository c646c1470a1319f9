// Transforms with a mistake in them, one for each pass or more, such as compilers have had: an
// operator taken for commutative, a store that is thought to leave alone what was loaded, phis that
// are executed one after the other. Each works throughout on what it believes and says so in its
// hint, which is in agreement with itself.
//
// A transform is broken by misleading it: it gets the function as the mistake has it, and its
// result is offered as that of the true one. Over ordinary programs (test/mutants) each mistake
// must show where nothing is checked, at least once; with checks on, what changes the behaviour is
// rejected, and the program does what it did.
#include "form/gsa.h"
#include "form/mach.h"
#include "hint/hints_mach.h"
#include "pipeline/transforms.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/one_by_one.h"
#include "test/gen/subjects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Each changes a function, and says whether it did.
typedef bool Mislead(Func *func);
// Puts right what the transform was not to see, in its result.
typedef void Restore(const Func *before, Func *after);

typedef struct {
    PassId pass;
    const char *belief;
    Mislead *mislead;
    PassTransform *instead; // of misleading it: another transform
    Restore *restore;       // or NULL
    bool one_by_one;        // the pass runs only on request
    bool bodies;            // it is what it copies that it is wrong about
} Mistake;

// ---- What is believed of operators

typedef struct {
    Op from, to;
} Exchange;

static bool exchange_ops(Func *func, const Exchange *exchanges, uint32_t count) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_OP && instr->kind != I_COND) continue;
        for (uint32_t i = 0; i < count; i++)
            if (instr->op == exchanges[i].from) {
                instr->op = (uint16_t)exchanges[i].to;
                any = true;
                break;
            }
    }
    return any;
}
#define EXCHANGE_OPS(func, ...)                                                                    \
    exchange_ops(func, (const Exchange[]){__VA_ARGS__},                                            \
                 sizeof((const Exchange[]){__VA_ARGS__}) / sizeof(Exchange))

static bool unsigned_is_signed(Func *func) {
    return EXCHANGE_OPS(func, {OP_ULT_I32, OP_LT_I32}, {OP_ULE_I32, OP_LE_I32},
                        {OP_UGT_I32, OP_GT_I32}, {OP_UGE_I32, OP_GE_I32}, {OP_ULT_I64, OP_LT_I64},
                        {OP_UGE_I64, OP_GE_I64});
}
static bool equal_is_less(Func *func) {
    return EXCHANGE_OPS(func, {OP_LE_I32, OP_LT_I32}, {OP_GE_I32, OP_GT_I32},
                        {OP_LE_I64, OP_LT_I64}, {OP_GE_I64, OP_GT_I64});
}
static bool shifts_are_logical(Func *func) {
    return EXCHANGE_OPS(func, {OP_SAR_I32, OP_SHR_I32}, {OP_SAR_I64, OP_SHR_I64});
}
// A counter moves by one, whatever it says.
static bool steps_are_one(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        bool sum = instr->kind == I_OP && (instr->op == OP_ADD_I32 || instr->op == OP_ADD_I64);
        if (!sum || !instr->immediate || instr->imm == 1) continue;
        instr->imm = 1;
        any = true;
    }
    return any;
}
static bool differences_commute(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_OP || (instr->op != OP_SUB_I32 && instr->op != OP_SUB_I64) ||
            instr->immediate || instr->arg[0].i <= instr->arg[1].i)
            continue;
        Reg first = instr->arg[0];
        instr->arg[0] = instr->arg[1];
        instr->arg[1] = first;
        any = true;
    }
    return any;
}
// What may go wrong is taken for something that may not, and so may stand anywhere.
static bool quotients_are_total(Func *func) {
    return EXCHANGE_OPS(func, {OP_DIVS_I32, OP_ADD_I32}, {OP_DIVU_I32, OP_ADD_I32},
                        {OP_DIVS_I64, OP_ADD_I64}, {OP_DIVU_I64, OP_ADD_I64});
}
static void restore_operators(const Func *before, Func *after) {
    uint16_t *ops = calloc(before->regs.count, sizeof *ops);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (before->nodes.at[n].kind == I_OP)
            ops[before->nodes.at[n].dest.i] = before->nodes.at[n].op;
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        Instr *instr = &after->nodes.at[n];
        bool sum = instr->kind == I_OP && (instr->op == OP_ADD_I32 || instr->op == OP_ADD_I64);
        if (sum && instr->dest.i < before->regs.count && ops[instr->dest.i])
            instr->op = ops[instr->dest.i];
    }
    free(ops);
}

// ---- What is believed of memory

// Loads are what they were, whatever was stored in between, as long as control goes straight on.
static bool stores_change_nothing(Func *func) {
    bool any = false;
    Preds preds = preds_of(func->arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *first = &func->nodes.at[n];
        if (first->kind != I_LOAD) continue;
        Instr *at = first;
        for (uint32_t steps = 0; steps < 100 && at->succ_count == 1; steps++) {
            Node next = at->succ[0];
            if (preds_count(&preds, next) != 1) break;
            at = &func->nodes.at[next.i];
            Instr like = *at;
            like.dest = first->dest;
            if (at->kind != I_LOAD || at == first || at->dest.i == first->dest.i ||
                reg_type(func, at->dest) != reg_type(func, first->dest) ||
                !instr_same(func, first, func, &like))
                continue;
            Type type = reg_type(func, at->dest);
            if (type != TYPE_I32 && type != TYPE_I64) continue;
            Op op = type == TYPE_I32 ? OP_MOVE_I32 : OP_MOVE_I64;
            *at = (Instr){.kind = I_OP,
                          .op = (uint16_t)op,
                          .dest = at->dest,
                          .arg_count = 1,
                          .arg = {first->dest},
                          .succ_count = 1,
                          .succ = {at->succ[0]},
                          .loc = at->loc};
            any = true;
        }
    }
    return any;
}
static bool bytes_have_signs(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_LOAD || instr->chunk != CHUNK_U8) continue;
        instr->chunk = CHUNK_I8;
        any = true;
    }
    return any;
}
// The second word of a slot is taken for the first.
static bool words_are_one(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        bool second = instr->base == BASE_SLOT && !instr->scale && instr->imm == 4;
        if (instr->kind != I_LOAD || instr->chunk != CHUNK_I32 || !second) continue;
        instr->imm = 0;
        any = true;
    }
    return any;
}
static bool calls_are_dead(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_CALL || instr->dest.i != NO_ID || instr->succ_count != 1) continue;
        *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
        any = true;
    }
    return any;
}
static bool volatile_is_plain(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_BUILTIN || instr->op != BI_VOLATILE_STORE) continue;
        *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
        any = true;
    }
    return any;
}

// ---- What is believed of control and of merges

static bool branches_are_reversed(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_COND) continue;
        Node first = instr->succ[0];
        instr->succ[0] = instr->succ[1];
        instr->succ[1] = first;
        any = true;
    }
    return any;
}
static bool last_case_is_default(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_SWITCH || instr->succ_count < 3) continue;
        Node other = instr_succs(func, instr)[0];
        func_set_succ(func, (Node){n}, instr->succ_count - 1, other);
        any = true;
    }
    return any;
}
// The last definition of a variable that has several is taken for that of another.
static bool definitions_are_lost(Func *func) {
    bool any = false;
    uint32_t regs = func->regs.count, *last = calloc(regs, sizeof *last);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Reg dest = func->nodes.at[n].dest;
        if (dest.i == NO_ID) continue;
        if (last[dest.i])
            last[dest.i] = n + 1;
        else
            last[dest.i] = NO_ID;
    }
    for (uint32_t r = 0; r < regs; r++)
        if (last[r] && last[r] != NO_ID) {
            func->nodes.at[last[r] - 1].dest = func_temp(func, reg_type(func, (Reg){r}));
            any = true;
        }
    free(last);
    return any;
}
// What leaves a loop is the value before the last increment.
static bool increments_are_late(Func *func) {
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *add = &func->nodes.at[n];
        if (add->kind != I_OP || add->op != OP_ADD_I32 || !add->immediate) continue;
        for (uint32_t u = 0; u < func->nodes.count; u++) {
            Instr *use = &func->nodes.at[u];
            bool outcome = use->kind == I_RETURN || use->kind == I_OP;
            for (uint32_t k = 0; outcome && k < use->arg_count && use != add; k++)
                if (use->arg[k].i == add->dest.i) {
                    use->arg[k] = add->arg[0];
                    any = true;
                }
        }
    }
    return any;
}
// A phi reads what the phi before it has set.
static bool phis_are_in_turn(Func *func) {
    bool any = false;
    Preds preds = preds_of(func->arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t count = func_phi_count(func, (Node){n}), ways = preds_count(&preds, (Node){n});
        const Phi *phis = func_phis(func, (Node){n});
        for (uint32_t i = 1; i < count; i++)
            for (uint32_t k = 0; k < ways; k++)
                for (uint32_t earlier = 0; earlier < i; earlier++) {
                    Reg *arg = &func->phi_args.at[phis[i].args_at + k];
                    if (arg->i != phis[earlier].dest.i) continue;
                    *arg = func->phi_args.at[phis[earlier].args_at + k];
                    any = true;
                }
    }
    return any;
}
// Arguments of phis that are constants or parameters are taken for those of the other way.
static bool early(const Func *func, Reg reg) {
    for (uint32_t i = 0; i < func->params.count; i++)
        if (func->params.at[i].i == reg.i) return true;
    return false;
}
static bool ways_are_mixed_up(Func *func) {
    bool any = false;
    Preds preds = preds_of(func->arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t ways = preds_count(&preds, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            Reg *args = func->phi_args.at + func_phis(func, (Node){n})[i].args_at;
            for (uint32_t k = 0; k < ways; k++)
                for (uint32_t other = 0; other < ways; other++)
                    if (args[k].i != args[other].i && early(func, args[other])) {
                        args[k] = args[other];
                        any = true;
                    }
        }
    }
    return any;
}
static bool gammas_are_reversed(Func *func) {
    bool any = false;
    if (!func->gsa) return false;
    for (uint32_t i = 0; i < func->gsa->merges.count; i++) {
        const Merge *merge = &func->gsa->merges.at[i];
        MergeArg *args = func->gsa->merge_args.at + merge->args_at;
        if (merge->kind != MERGE_GAMMA || merge->arg_count != 2) continue;
        Reg first = args[0].reg;
        args[0].reg = args[1].reg;
        args[1].reg = first;
        any |= first.i != args[0].reg.i;
    }
    return any;
}
static bool parameters_are_reversed(Func *func) {
    if (func->params.count < 2 ||
        reg_type(func, func->params.at[0]) != reg_type(func, func->params.at[1]))
        return false;
    Reg first = func->params.at[0];
    func->params.at[0] = func->params.at[1];
    func->params.at[1] = first;
    return true;
}

// ---- What is believed of machine code

static bool machine_differences_commute(Func *func) {
    bool any = false;
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        MachInstr *instr = &func->mach->code.at[i];
        if (instr->kind != MK_OP || (instr->op != OP_SUB_I32 && instr->op != OP_SUB_I64) ||
            instr->immediate != NO_SOURCE || instr->memory != NO_SOURCE)
            continue;
        Place first = instr->src[0];
        instr->src[0] = instr->src[1];
        instr->src[1] = first;
        any |= first.i != instr->src[0].i;
    }
    return any;
}
// A store and a load behind it exchange their places: a schedule of its own, as the true one
// changes little.
static Func *loads_overtake_stores(Arena *arena, const Bodies *bodies, const Func *func,
                                   void **hint) {
    bool any = false;
    (void)bodies;
    Func *after = func_clone(func, arena);
    ScheduleHint *order = ARENA_NEW(arena, ScheduleHint);
    *hint = order;
    for (uint32_t i = 0; i < after->mach->code.count; i++) vec_push(arena, &order->old, i);
    for (uint32_t i = 0; i + 1 < after->mach->code.count; i++) {
        MachInstr *store = &after->mach->code.at[i], *load = store + 1, first = *store;
        bool reads = load->kind == MK_LOAD || (load->kind == MK_OP && load->memory != NO_SOURCE);
        if ((store->kind != MK_STORE && store->kind != MK_UPDATE) || !reads) continue;
        *store = *load;
        *load = first;
        order->old.at[i] = i + 1;
        order->old.at[i + 1] = i;
        any = true;
        i++;
    }
    return any ? after : NULL;
}
static bool displacements_are_gone(Func *func) {
    bool any = false;
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        MachInstr *instr = &func->mach->code.at[i];
        if (instr->kind != MK_LOAD || instr->base != MB_PLACE || !instr->displacement) continue;
        instr->displacement = 0;
        any = true;
    }
    return any;
}

static const Mistake mistakes[] = {
    {.pass = PASS_inline_calls,
     .belief = "arguments come in the opposite order",
     .mislead = parameters_are_reversed,
     .bodies = true},
    {.pass = PASS_inline_calls,
     .belief = "a callee's branches are the other way round",
     .mislead = branches_are_reversed,
     .bodies = true},
    {.pass = PASS_split_slots, .belief = "the second word is the first", .mislead = words_are_one},
    {.pass = PASS_invert_loops, .belief = "less or equal is less", .mislead = equal_is_less},
    {.pass = PASS_unroll_loops,
     .belief = "differences are commutative",
     .mislead = differences_commute},
    {.pass = PASS_normalize,
     .belief = "the last case of a switch is the default",
     .mislead = last_case_is_default},
    {.pass = PASS_normalize,
     .belief = "branches are the other way round",
     .mislead = branches_are_reversed},
    {.pass = PASS_ssa_build,
     .belief = "the last definition is of another variable",
     .mislead = definitions_are_lost},
    {.pass = PASS_son_build,
     .belief = "differences are commutative",
     .mislead = differences_commute},
    {.pass = PASS_son_build,
     .belief = "stores change nothing that was loaded",
     .mislead = stores_change_nothing},
    {.pass = PASS_son_build,
     .belief = "calls without a result are dead",
     .mislead = calls_are_dead},
    {.pass = PASS_son_build, .belief = "shifts bring in zeros", .mislead = shifts_are_logical},
    {.pass = PASS_son_build, .belief = "less or equal is less", .mislead = equal_is_less},
    {.pass = PASS_son_build,
     .belief = "a division cannot go wrong",
     .mislead = quotients_are_total,
     .restore = restore_operators},
    {.pass = PASS_copy_prop,
     .belief = "phis have the parameter on all ways",
     .mislead = ways_are_mixed_up,
     .one_by_one = true},
    {.pass = PASS_sccp,
     .belief = "unsigned comparisons are signed",
     .mislead = unsigned_is_signed,
     .one_by_one = true},
    {.pass = PASS_lvn,
     .belief = "differences are commutative",
     .mislead = differences_commute,
     .one_by_one = true},
    {.pass = PASS_gvn,
     .belief = "bytes have signs",
     .mislead = bytes_have_signs,
     .one_by_one = true},
    {.pass = PASS_gvn,
     .belief = "stores change nothing that was loaded",
     .mislead = stores_change_nothing,
     .one_by_one = true},
    {.pass = PASS_widen, .belief = "counters move by one", .mislead = steps_are_one},
    {.pass = PASS_dead_code,
     .belief = "calls without a result are dead",
     .mislead = calls_are_dead},
    {.pass = PASS_dead_code, .belief = "a volatile store is dead", .mislead = volatile_is_plain},
    {.pass = PASS_close_loops,
     .belief = "what leaves is what was there before the increment",
     .mislead = increments_are_late},
    {.pass = PASS_gsa_build,
     .belief = "branches are the other way round",
     .mislead = branches_are_reversed},
    {.pass = PASS_gate_simplify,
     .belief = "gammas are the other way round",
     .mislead = gammas_are_reversed},
    {.pass = PASS_if_convert,
     .belief = "gammas are the other way round",
     .mislead = gammas_are_reversed},
    {.pass = PASS_straighten,
     .belief = "phis have the parameter on all ways",
     .mislead = ways_are_mixed_up},
    {.pass = PASS_tidy,
     .belief = "branches are the other way round",
     .mislead = branches_are_reversed},
    {.pass = PASS_ssa_destruct,
     .belief = "phis are executed one after the other",
     .mislead = phis_are_in_turn},
    {.pass = PASS_select_code, .belief = "bytes have signs", .mislead = bytes_have_signs},
    {.pass = PASS_select_code,
     .belief = "unsigned comparisons are signed",
     .mislead = unsigned_is_signed},
    {.pass = PASS_schedule,
     .belief = "loads may overtake stores",
     .instead = loads_overtake_stores},
    {.pass = PASS_allocate,
     .belief = "differences are commutative",
     .mislead = machine_differences_commute},
    {.pass = PASS_allocate, .belief = "a displacement is zero", .mislead = displacements_are_gone},
};
enum { MISTAKES = sizeof mistakes / sizeof mistakes[0] };

// ---- The broken transform. It has no context, so what is broken is here.

static const Mistake *broken;

static Bodies mislead_bodies(Arena *arena, const Bodies *bodies, bool *any) {
    Bodies wrong = {.of = ARENA_ARRAY(arena, OfferedBody, bodies->count), .count = bodies->count};
    for (uint32_t i = 0; i < bodies->count; i++) {
        wrong.of[i] = bodies->of[i];
        if (!bodies->of[i].rtl) continue;
        Func *copy = func_clone(bodies->of[i].rtl, arena);
        *any |= broken->mislead(copy);
        wrong.of[i].rtl = copy;
    }
    return wrong;
}

static Func *break_transform(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    PassTransform *transform = transform_table[broken->pass];
    bool any = false;
    if (broken->bodies) {
        if (!bodies) return transform(arena, bodies, func, hint);
        Bodies wrong = mislead_bodies(arena, bodies, &any);
        return transform(arena, &wrong, func, hint);
    }
    Func *copy = func_clone(func, arena);
    any = broken->mislead(copy);
    if (!any) return transform(arena, bodies, func, hint);
    Func *after = transform(arena, bodies, copy, hint);
    if (after && broken->restore) broken->restore(func, after);
    return after;
}

// ---- Programs

typedef struct {
    uint64_t rejected;
    RunResult result;
} Compiled;

// The program through the pipeline, and how it behaves then; with no mistake as the front end made
// it.
static void compile(Arena *arena, const char *path, bool checked, Compiled *compiled) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = subject_read(arena, &diag, path);
    if (broken) {
        PassTransform **table = ARENA_ARRAY(arena, PassTransform *, PASS_COUNT);
        memcpy(table, transform_table, PASS_COUNT * sizeof *table);
        table[broken->pass] = broken->instead ? broken->instead : break_transform;
        Pipeline pipeline;
        pipeline_init(&pipeline, arena, table, &diag);
        pipeline.plain = plain_transform_table;
        pipeline.plan = plan_inlining;
        pipeline.check = checked ? CHECK_FAST : CHECK_OFF;
        if (broken->one_by_one) switch_one_by_one(&pipeline);
        pipeline.on[broken->pass] = true; // whatever its level
        pipeline_run_program(&pipeline, program);
        for (uint32_t step = 0; step < step_count; step++)
            compiled->rejected += pipeline.stats[step].rejected;
        pipeline_free(&pipeline);
    }
    char name[] = "program", *argv[] = {name, NULL};
    RunOptions options = {.capture = true, .no_input = true, .no_files = true, .fuel = 3000000};
    rtl_run(arena, program, 1, argv, &options, &compiled->result);
    diag_free(&diag);
}

static bool behaves_alike(Arena *arena, const Compiled *original, const Compiled *other) {
    const char *difference;
    const Out *a = &original->result.output, *b = &other->result.output;
    return behaviour_refines(arena, &original->result.behaviour, &other->result.behaviour,
                             &difference) &&
           other->result.behaviour.end != END_FUEL && a->length == b->length &&
           (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

// Whether the mistake showed in the program where it was not checked.
static bool try_mistake(const Mistake *mistake, const char *path, uint64_t *rejected) {
    Arena *arena = arena_new("program");
    Compiled original = {0}, unchecked = {0}, checked = {0};
    broken = NULL;
    compile(arena, path, false, &original);
    broken = mistake;
    bool shown = false;
    if (original.result.behaviour.end == END_RESULT) {
        compile(arena, path, false, &unchecked);
        compile(arena, path, true, &checked);
        shown = !behaves_alike(arena, &original, &unchecked);
        if (!behaves_alike(arena, &original, &checked) || (shown && !checked.rejected))
            fail_msg("%s: \"%s\" is not caught in %s", pass_table[mistake->pass].name,
                     mistake->belief, path);
        *rejected += checked.rejected;
    }
    out_free(&original.result.output);
    out_free(&unchecked.result.output);
    out_free(&checked.result.output);
    arena_free(arena);
    return shown;
}

static void test_mistakes(void **state) {
    (void)state;
    Arena *arena = arena_new("paths");
    Subjects subjects = subjects_list(arena, NULL);
    uint64_t enough = effort(1, 1, UINT32_MAX), unseen = 0;
    for (uint32_t i = 0; i < MISTAKES; i++) {
        uint64_t shown = 0, rejected = 0;
        for (uint32_t k = 0; k < subjects.count && shown < enough; k++)
            shown += try_mistake(&mistakes[i], subjects.paths[(k + i) % subjects.count], &rejected);
        print_message("%-14s %-50s shows in %llu programs, rejected %llu times\n",
                      pass_table[mistakes[i].pass].name, mistakes[i].belief,
                      (unsigned long long)shown, (unsigned long long)rejected);
        unseen += !shown || !rejected;
    }
    assert_int_equal(unseen, 0);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
