#include "test/gen/forge.h"

#include "form/gsa.h"
#include "form/mach.h"
#include "test/gen/harmless.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const Func *forge_parse(Arena *arena, Form form, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, form, "forgery", text, strlen(text));
    diag_free(&diag);
    if (!program) fail_msg("the text cannot be read:\n%s", text);
    Sym f = program_find(program, str_of(&program->strings, "f"));
    assert_int_not_equal(f.i, NO_ID);
    return program_at(program, f)->func;
}

static const char *reg_text(Arena *arena, const Func *func, Reg reg) {
    Out text = {0};
    reg_print(&text, func, reg);
    const char *result = arena_text(arena, text.text, text.length);
    out_free(&text);
    return result;
}

Reg forge_reg(const Func *func, const char *name) {
    Arena *arena = arena_new("name");
    Reg found = NO_REG;
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (strcmp(reg_text(arena, func, (Reg){i}), name) == 0) found = (Reg){i};
    arena_free(arena);
    if (found.i == NO_ID) fail_msg("there is no register %s", name);
    return found;
}

// ---- Text

// The whole program with the function in its place, as text.
static char *text_of(Arena *arena, const Func *func) {
    Symbol *symbol = program_at(func->program, func->symbol);
    const Func *old = symbol->func;
    Out out = {0};
    symbol->func = func;
    program_print(&out, func->program, &(PrintOptions){0});
    symbol->func = old;
    char *text = arena_text(arena, out.text, out.length);
    out_free(&out);
    return text;
}

static const char *edited(Arena *arena, const char *text, const Edit *edit) {
    const char *place = strstr(text, edit->from);
    if (!place) fail_msg("'%s' does not occur in\n%s", edit->from, text);
    if (strstr(place + 1, edit->from)) fail_msg("'%s' occurs twice in\n%s", edit->from, text);
    return arena_printf(arena, "%.*s%s%s", (int)(place - text), text, edit->to,
                        place + strlen(edit->from));
}

const char *forge_text(Arena *arena, const char *text, const Edit *edits) {
    for (uint32_t i = 0; i < MAX_EDITS && edits[i].from; i++) text = edited(arena, text, &edits[i]);
    return text;
}

// ---- The numbers of registers

// For each register of the function that was read, the one of the same text in `like`, or a new
// one.
static Reg *new_numbers(Arena *arena, const Func *read, Func *like) {
    Reg *numbers = ARENA_ARRAY(arena, Reg, read->regs.count);
    uint32_t known = like->regs.count;
    const char **names = ARENA_ARRAY(arena, const char *, known);
    for (uint32_t i = 0; i < known; i++) names[i] = reg_text(arena, like, (Reg){i});
    for (uint32_t r = 0; r < read->regs.count; r++) {
        const char *name = reg_text(arena, read, (Reg){r});
        uint32_t i = 0;
        while (i < known && strcmp(names[i], name) != 0) i++;
        if (i == known) {
            RegInfo info = read->regs.at[r];
            info.name = str_of(&like->program->strings, program_text(read->program, info.name));
            i = func_add_reg(like, info).i;
        }
        numbers[r] = (Reg){i};
    }
    return numbers;
}

static void renumber(Reg *regs, uint32_t count, const Reg *numbers) {
    for (uint32_t i = 0; i < count; i++)
        if (regs[i].i != NO_ID) regs[i] = numbers[regs[i].i];
}

static void renumber_gates(Gsa *gsa, const Reg *numbers) {
    for (uint32_t i = 0; i < gsa->atoms.count; i++)
        renumber(gsa->atoms.at[i].arg, gsa->atoms.at[i].arg_count, numbers);
    for (uint32_t i = 0; i < gsa->merges.count; i++) renumber(&gsa->merges.at[i].dest, 1, numbers);
    for (uint32_t i = 0; i < gsa->merge_args.count; i++)
        renumber(&gsa->merge_args.at[i].reg, 1, numbers);
    for (uint32_t i = 0; i < gsa->etas.count; i++) {
        renumber(&gsa->etas.at[i].dest, 1, numbers);
        renumber(&gsa->etas.at[i].source, 1, numbers);
    }
}

// The places of an unbounded function are registers.
static void renumber_places(Mach *mach, const Reg *numbers) {
    for (uint32_t i = 0; i < mach->code.count; i++) {
        MachInstr *instr = &mach->code.at[i];
        Place *places[] = {&instr->dest,   &instr->src[0],     &instr->src[1], &instr->src[2],
                           &instr->src[3], &instr->base_place, &instr->index};
        for (uint32_t k = 0; k < sizeof places / sizeof places[0]; k++)
            if (places[k]->i != NO_ID) *places[k] = place_of_reg(numbers[places[k]->i]);
    }
    for (uint32_t i = 0; i < mach->lists.count; i++)
        mach->lists.at[i] = place_of_reg(numbers[mach->lists.at[i].i]);
}

Func *forge_read(Arena *arena, const Func *func, Form form, const char *text) {
    const Func *read = forge_parse(arena, form, text);
    const Program *program = read->program;
    assert_int_equal(program->symbols.count, func->program->symbols.count);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        assert_string_equal(program_text(program, program->symbols.at[i].name),
                            program_text(func->program, func->program->symbols.at[i].name));
    assert_int_equal(program->sigs.count, func->program->sigs.count);
    Func *frame = func_like(func, arena), *result = func_clone(read, arena);
    result->program = func->program;
    result->symbol = func->symbol;
    vec_clear(&result->labels);
    if (result->mach && result->mach->allocated) return result;
    Reg *numbers = new_numbers(arena, read, frame);
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        Instr *instr = &result->nodes.at[n];
        renumber(&instr->dest, 1, numbers);
        if (instr->arg_count <= INLINE_ARGS) renumber(instr->arg, instr->arg_count, numbers);
    }
    renumber(result->reg_pool.at, result->reg_pool.count, numbers);
    renumber(result->phi_args.at, result->phi_args.count, numbers);
    for (uint32_t p = 0; p < result->phis.count; p++)
        renumber(&result->phis.at[p].dest, 1, numbers);
    if (result->gsa) renumber_gates(result->gsa, numbers);
    if (result->mach) renumber_places(result->mach, numbers);
    result->params.at = frame->params.at;
    result->regs.at = frame->regs.at;
    result->regs.count = frame->regs.count;
    result->regs.capacity = frame->regs.capacity;
    if (result->next_temp < frame->next_temp) result->next_temp = frame->next_temp;
    return result;
}

Func *forge_edit(Arena *arena, const Func *func, const Edit *edits) {
    return forge_read(arena, func, func->form, forge_text(arena, text_of(arena, func), edits));
}

// ---- Verdicts

bool forge_is_well_formed(const Forgery *forgery) {
    Complaints complaints = {.arena = forgery->arena};
    return verify_func(&complaints, forgery->after);
}

// The pipeline verifies a function before the values kernel, and what explains a step to it, see
// the function.
static Verdict verdict_on(Forgery *forgery) {
    if (forgery->by_values && !forge_is_well_formed(forgery))
        return (Verdict){.reason = "not well-formed"};
    return forgery->check(forgery->arena, forgery->before, forgery->after, forgery->hint);
}

void forge_expect_accepted(Forgery *forgery, const char *what) {
    Verdict verdict = verdict_on(forgery);
    if (!verdict.accepted) fail_msg("%s: rejected because '%s'", what, verdict.reason);
}

void forge_expect_rejected(Forgery *forgery, const char *what, const char *reason) {
    Verdict verdict = verdict_on(forgery);
    if (forgery->by_values)
        forge_expect_harmless(forgery->arena, verdict, forgery->before, forgery->after, what);
    else if (verdict.accepted)
        fail_msg("%s: accepted; expected: %s", what, reason);
    else if (!strstr(verdict.reason, reason))
        fail_msg("%s: rejected because '%s'; expected: %s", what, verdict.reason, reason);
    arena_free(forgery->arena);
}

// ---- Tables

void forge_codes(ForgeStart *start, const CodeForgery *forgeries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        Forgery forgery = start();
        const char *what = forgeries[i].edits[0].to;
        forge_expect_accepted(&forgery, "before anything was forged");
        forgery.after = forge_edit(forgery.arena, forgery.after, forgeries[i].edits);
        Complaints complaints = {.arena = forgery.arena};
        if (!verify_func(&complaints, forgery.after))
            fail_msg("%s: not well-formed: %s", what, complaints.list.at[0].message);
        forge_expect_rejected(&forgery, what, forgeries[i].reason);
    }
}

void forge_hints(ForgeStart *start, const HintForgery *forgeries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        Forgery forgery = start();
        forge_expect_accepted(&forgery, "before anything was forged");
        forgeries[i].damage(&forgery);
        forge_expect_rejected(&forgery, forgeries[i].what, forgeries[i].reason);
    }
}

// ---- What surrounds the code

static void change_signature(Func *after) {
    PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    SigInfo info = {
        .result = PTYPE_OF(TYPE_I64), .param_count = 2, .fixed_count = 2, .params = params};
    after->sig = program_sig(after->program, info);
}
static void drop_parameter(Func *after) {
    after->params.count--;
}
static void exchange_parameters(Func *after) {
    Reg first = after->params.at[0];
    after->params.at[0] = after->params.at[1];
    after->params.at[1] = first;
}
static void add_slot(Func *after) {
    func_add_slot(after, (SlotInfo){.size = 4, .align = 4});
}
static void grow_slot(Func *after) {
    after->slots.at[0].size *= 2;
}
static void misalign_slot(Func *after) {
    after->slots.at[0].align /= 2;
}
static void drop_register(Func *after) {
    after->regs.count = 2;
}
static void retype_register(Func *after) {
    after->regs.at[2].type = TYPE_I64;
}
static void renumber_register(Func *after) {
    after->regs.at[2].number += 77;
}
static void change_version(Func *after) {
    after->regs.at[2].version++;
}
static void leave_ssa(Func *after) {
    after->form = FORM_RTL;
}
static void claim_gates(Func *after) {
    after->form = FORM_GSA;
}

static const struct {
    const char *name;
    void (*damage)(Func *after);
    const char *reason;
} frames[] = {
    {"the signature", change_signature, "the signature has changed"},
    {"fewer parameters", drop_parameter, "the signature has changed"},
    {"parameters exchanged", exchange_parameters, "parameter 0 has changed"},
    {"one more slot", add_slot, "the number of slots has changed"},
    {"a larger slot", grow_slot, "slot 0 has changed"},
    {"alignment of a slot", misalign_slot, "slot 0 has changed"},
    {"fewer registers", drop_register, "registers are missing"},
    {"type of a register", retype_register, "register 2 has changed"},
    {"number of a register", renumber_register, "register 2 has changed"},
    {"version of a register", change_version, "register 2 has changed"},
    {"RTL instead of SSA", leave_ssa, "the forms are not ssa and ssa"},
    {"GSA instead of SSA", claim_gates, "the forms are not ssa and ssa"},
};

void forge_frames(ForgeStart *start) {
    for (uint32_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        Forgery forgery = start();
        frames[i].damage(forgery.after);
        forge_expect_rejected(&forgery, frames[i].name, frames[i].reason);
    }
}

// ---- A join that loses a way in

const char forge_three_ways[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                                "  0: %k.1 = const.i32 1\n"
                                "  1: switch %n.0 { 1: 2, 2: 5, default: 6 }\n"
                                "  2: nop\n"
                                "  3: %x.1 = phi(2: %n.0, 5: %m.0, 6: %k.1)\n"
                                "  3: %k.2 = add.i32 %k.1, 1\n"
                                "  4: return %x.1\n"
                                "  5: nop -> 3\n"
                                "  6: nop -> 3\n"
                                "}\n";

const Edit forge_two_ways[MAX_EDITS] = {{"5: %m.0, 6: %k.1)", "5: %m.0)"},
                                        {"6: nop -> 3", "6: return %n.0"}};

// ---- A loop with exits

const char forge_closed_loop[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                                 "  slot $s size 8 align 8\n"
                                 "  0: %i.1 = const.i32 0\n"
                                 "  1: %q.1 = const.i32 7\n"
                                 "  2: nop\n"
                                 "  3: %i.2 = phi(2: %i.1, 14: %i.3)\n"
                                 "  3: %q.2 = phi(2: %q.1, 14: %q.5)\n"
                                 "  3: if lt.i32 %i.2, %n.0 then 4 else 19\n"
                                 "  4: %t.1 = mul.i32 %i.2, %m.0\n"
                                 "  5: if eq.i32 %t.1, 42 then 15 else 6\n"
                                 "  6: if lt.i32 %q.2, %m.0 then 7 else 9\n"
                                 "  7: %q.3 = add.i32 %q.2, %t.1\n"
                                 "  8: nop -> 12\n"
                                 "  9: if gt.i32 %t.1, 50 then 10 else 11\n"
                                 "  10: nop -> 12\n"
                                 "  11: nop\n"
                                 "  12: %q.5 = phi(8: %q.3, 10: %t.1, 11: %m.0)\n"
                                 "  12: %u.1 = phi(8: %t.1, 10: %i.2, 11: %q.2)\n"
                                 "  12: store.i32 [$s], %u.1\n"
                                 "  13: %i.3 = add.i32 %i.2, 1\n"
                                 "  14: nop -> 3\n"
                                 "  15: nop\n"
                                 "  16: %i.4 = move.i32 %i.2\n"
                                 "  17: %t.2 = move.i32 %t.1\n"
                                 "  18: nop -> 23\n"
                                 "  19: nop\n"
                                 "  20: %i.5 = move.i32 %i.2\n"
                                 "  21: %q.6 = move.i32 %q.2\n"
                                 "  22: nop\n"
                                 "  23: %r.1 = phi(18: %t.2, 22: %q.6)\n"
                                 "  23: switch %r.1 { 1: 24, 2: 25, default: 27 }\n"
                                 "  24: return %r.1\n"
                                 "  25: %z.1 = sub.i32 %r.1, %m.0\n"
                                 "  26: return %z.1\n"
                                 "  27: nop\n"
                                 "  28: return %n.0\n"
                                 "}\n"
                                 "extern function void @abort()\n";
