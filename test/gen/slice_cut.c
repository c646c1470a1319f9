#include "test/gen/slice_cut.h"

#include "base/bits.h"
#include "fact/slot_fields.h"
#include "run/world/run.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

Program *program_twin(Arena *arena, const Program *program) {
    Out text = {0};
    Diag diag;
    program_print(&text, program, &(PrintOptions){0});
    const char *copy = arena_text(arena, text.text, text.length);
    diag_init(&diag, arena, stderr);
    Program *twin = program_parse(arena, &diag, FORM_RTL, "twin", copy, text.length);
    diag_free(&diag);
    out_free(&text);
    return twin;
}

// ---- Cutting

static uint32_t *shuffled(Arena *arena, Random *random, uint32_t count) {
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = random_below(random, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    return order;
}

typedef struct {
    Arena *arena;
    Random *random;
    const Func *twin;
    Func *cut;
    const uint32_t *next;
    uint32_t *node, *reg, *slot; // of the twin -> of the cut
    Node end;
} Cut;

static void cut_registers(Cut *cut) {
    const Func *twin = cut->twin;
    uint32_t *order = shuffled(cut->arena, cut->random, twin->regs.count);
    cut->reg = ARENA_ARRAY(cut->arena, uint32_t, twin->regs.count);
    for (uint32_t i = 0; i < twin->regs.count; i++)
        cut->reg[order[i]] = func_add_reg(cut->cut, twin->regs.at[order[i]]).i;
    for (uint32_t i = 0; i < twin->params.count; i++)
        vec_push(cut->arena, &cut->cut->params, (Reg){cut->reg[twin->params.at[i].i]});
    order = shuffled(cut->arena, cut->random, twin->slots.count);
    cut->slot = ARENA_ARRAY(cut->arena, uint32_t, twin->slots.count);
    for (uint32_t i = 0; i < twin->slots.count; i++)
        cut->slot[order[i]] = func_add_slot(cut->cut, twin->slots.at[order[i]]).i;
    cut->cut->next_temp = twin->next_temp;
}

static void cut_node(Cut *cut, uint32_t n) {
    const Instr *instr = &cut->twin->nodes.at[n];
    Node fresh = func_copy_instr(cut->cut, cut->twin, instr);
    Instr *copy = &cut->cut->nodes.at[fresh.i];
    if (copy->dest.i != NO_ID) copy->dest.i = cut->reg[copy->dest.i];
    if (instr_names_slot(instr)) copy->ref = cut->slot[copy->ref];
    Reg *args = ARENA_ARRAY(cut->arena, Reg, instr->arg_count);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        args[k].i = cut->reg[instr_args(cut->twin, instr)[k].i];
    func_set_args(cut->cut, fresh, args, instr->arg_count);
    cut->node[n] = fresh.i;
}

// Where an edge to a node of the twin goes, sometimes through a nop.
static Node cut_target(Cut *cut, uint32_t to) {
    uint32_t next = cut->next[to];
    Node target = next < cut->twin->nodes.count ? (Node){cut->node[next]} : cut->end;
    return random_chance(cut->random, 1, 6) ? func_nop(cut->cut, target) : target;
}

static void cut_end(Cut *cut) {
    const Program *program = cut->twin->program;
    const SigInfo *sig = program_sig_info(program, cut->twin->sig);
    Type type = ptype_reg_type(program_ptype_info(program, sig->result));
    if (type == TYPE_VOID) {
        cut->end = func_add(cut->cut, (Instr){.kind = I_RETURN, .dest = NO_REG});
        return;
    }
    Reg zero = func_temp(cut->cut, type);
    cut->end = func_const(cut->cut, zero, 0, (Node){cut->cut->nodes.count + 1});
    Node leave = func_add(cut->cut, (Instr){.kind = I_RETURN, .dest = NO_REG});
    func_set_args(cut->cut, leave, &zero, 1);
}

void slice_cut(Arena *arena, Random *random, Program *twin, Sym symbol, const uint32_t *next) {
    const Func *func = program_at(twin, symbol)->func;
    Cut cut = {.arena = arena, .random = random, .twin = func, .next = next};
    cut.cut = func_new(twin, arena, symbol, func->sig);
    cut.cut->form = func->form;
    cut.node = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    cut_registers(&cut);
    Node entry = func_nop(cut.cut, (Node){0});
    uint32_t *order = shuffled(arena, random, func->nodes.count);
    for (uint32_t i = 0; i < func->nodes.count; i++)
        if (next[order[i]] == order[i]) cut_node(&cut, order[i]);
    cut_end(&cut);
    func_set_succ(cut.cut, entry, 0, cut_target(&cut, 0));
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; next[n] == n && k < instr->succ_count; k++)
            func_set_succ(cut.cut, (Node){cut.node[n]}, k,
                          cut_target(&cut, instr_succs(func, instr)[k].i));
    }
    program_at(twin, symbol)->func = cut.cut;
}

// ---- Running

static Sym told_symbol(Program *program) {
    Sym symbol = program_symbol(program, str_of(&program->strings, "told"), SYM_DATA);
    Symbol *info = program_at(program, symbol);
    info->defined = true;
    info->size = info->align = 4;
    return symbol;
}

static Node tell(Func *func, Sym told, Reg reg, Node succ) {
    Node node = func_add(func, (Instr){.kind = I_BUILTIN,
                                       .op = BI_VOLATILE_STORE,
                                       .base = BASE_SYMBOL,
                                       .chunk = CHUNK_I32,
                                       .ref = told.i,
                                       .dest = NO_REG});
    func_set_args(func, node, &reg, 1);
    func_set_succs(func, node, &succ, 1);
    return node;
}

static void log_node(Func *func, Sym told, Reg number_reg, uint32_t n, uint32_t number) {
    Node moved = func_duplicate(func, (Node){n});
    Instr instr = func->nodes.at[moved.i];
    if (instr.succ_count == 1 && instr.dest.i != NO_ID && reg_type(func, instr.dest) == TYPE_I32)
        func_set_succ(func, moved, 0, tell(func, told, instr.dest, instr.succ[0]));
    Node at = moved;
    for (uint32_t k = 0; k < instr.arg_count; k++) {
        Reg arg = instr_args(func, &func->nodes.at[moved.i])[k];
        if (reg_type(func, arg) == TYPE_I32) at = tell(func, told, arg, at);
    }
    at = tell(func, told, number_reg, at);
    func->nodes.at[n] =
        (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = number_reg, .imm = (int32_t)number};
    func_set_succs(func, (Node){n}, &at, 1);
}

// Without the event.
static void silence(Func *func, uint32_t n) {
    Instr *instr = &func->nodes.at[n];
    if (instr->kind == I_BUILTIN && instr->op == BI_VOLATILE_LOAD)
        *instr = (Instr){.kind = I_LOAD,
                         .base = instr->base,
                         .scale = instr->scale,
                         .chunk = instr->chunk,
                         .dest = instr->dest,
                         .arg_count = instr->arg_count,
                         .succ_count = 1,
                         .arg = {instr->arg[0], instr->arg[1], instr->arg[2]},
                         .succ = {instr->succ[0]},
                         .ref = instr->ref,
                         .imm = instr->imm};
    if (instr->kind == I_BUILTIN && instr->op == BI_VOLATILE_STORE) {
        instr->kind = I_STORE;
        instr->op = 0;
    }
    if (instr->kind != I_CALL) return;
    Node succ = instr->succ[0];
    Reg arg = instr_args(func, instr)[instr->arg_count - 1];
    *instr = (Instr){.kind = I_NOP, .dest = instr->dest};
    if (instr->dest.i != NO_ID) {
        *instr = (Instr){
            .kind = I_OP, .op = OP_AND_I32, .dest = instr->dest, .immediate = true, .imm = 255};
        func_set_args(func, (Node){n}, &arg, 1);
    }
    func_set_succs(func, (Node){n}, &succ, 1);
}

Func *func_logged(Arena *arena, const Func *func, const uint32_t *numbers) {
    Func *logged = func_clone(func, arena);
    Sym told = told_symbol(func->program);
    Reg number_reg = func_temp(logged, TYPE_I32);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (numbers[n] != NO_ID)
            log_node(logged, told, number_reg, n, numbers[n]);
        else
            silence(logged, n);
    }
    return logged;
}

static RunResult run(Arena *arena, const Func *func, uint64_t seed, uint64_t fuel) {
    Random random = random_from(seed);
    uint64_t mask = type_mask(reg_type(func, func->params.at[0]));
    Value args[2];
    for (int i = 0; i < 2; i++) {
        uint64_t bits = random_next(&random);
        args[i] = (Value){.bits = bits >> (random_next(&random) & 63) & mask};
    }
    RunOptions options = {.fuel = fuel, .capture = true, .no_input = true, .no_files = true};
    RunResult result = {0};
    rtl_run_func(arena, func->program, func, args, 2, &options, &result);
    out_free(&result.output);
    return result;
}

// Ways that are assumed not to be taken are wrong steps.
static void close_ways(Func *func, const SliceFunctionHint *hint) {
    for (uint32_t i = 0; i < hint->assumed.count; i++) {
        SliceAssumption assumed = hint->assumed.at[i];
        Node wrong =
            func_add(func, (Instr){.kind = I_BUILTIN, .op = BI_UNREACHABLE, .dest = NO_REG});
        for (uint32_t k = 0; k < func->nodes.at[assumed.branch.i].succ_count; k++)
            if (k != assumed.way) func_set_succ(func, assumed.branch, k, wrong);
    }
}

const char *slice_difference(Arena *arena, const Program *before, const Program *after,
                             const SliceFunctionHint *hint, uint64_t seed, uint64_t *events) {
    const Func *fresh = program_at(after, hint->symbol)->func;
    const Func *old = program_at(before, hint->symbol)->func;
    const uint32_t *numbers = (const uint32_t *)hint->old.at;
    Func *closed = func_clone(old, arena);
    close_ways(closed, hint);
    uint32_t *kept = ARENA_ARRAY(arena, uint32_t, closed->nodes.count);
    for (uint32_t n = 0; n < closed->nodes.count; n++)
        kept[n] = n < old->nodes.count && hint->next.at[n] == n ? n : NO_ID;
    RunResult was = run(arena, func_logged(arena, closed, kept), seed, 6000);
    RunResult is = run(arena, func_logged(arena, fresh, numbers), seed, 60000);
    uint32_t count = was.behaviour.event_hashes.count - (was.behaviour.end == END_RESULT);
    uint32_t other = is.behaviour.event_hashes.count - (is.behaviour.end == END_RESULT);
    *events += count;
    for (uint32_t e = 0; e < count && e < other; e++)
        if (was.behaviour.event_hashes.at[e] != is.behaviour.event_hashes.at[e])
            return arena_printf(arena, "event %u differs", e);
    if (count > other)
        return arena_printf(arena, "%u events have become %u, %s", count, other,
                            is.behaviour.reason ? is.behaviour.reason : "");
    if (was.behaviour.end != END_RESULT) return NULL;
    // A return that is not the original's may yield anything.
    const char *reason = is.behaviour.reason;
    if (is.behaviour.end != END_RESULT && !(reason && strstr(reason, "the result is undefined")))
        return reason ? reason : "the slice does not return";
    return count == other ? NULL : "the slice goes on where the original returns";
}
