#include "slice/transplant.h"

#include "fact/calls.h"
#include "form/ops.h"

#include <string.h>

typedef struct {
    Arena *arena;
    Program *to;
    const Program *from;
    const Sym *symbols;
} Transplant;

static PType move_ptype(const Transplant *move, PType type) {
    return program_ptype(move->to, *program_ptype_info(move->from, type));
}

static Sig move_sig(const Transplant *move, Sig sig) {
    SigInfo info = *program_sig_info(move->from, sig);
    PType *params = ARENA_ARRAY(move->arena, PType, (size_t)info.param_count + 1);
    for (uint32_t i = 0; i < info.param_count; i++) params[i] = move_ptype(move, info.params[i]);
    info.result = move_ptype(move, info.result);
    info.params = params;
    return program_sig(move->to, info);
}

static int64_t move_asm(const Transplant *move, int64_t number) {
    AsmStatement statement = move->from->asms.at[number];
    statement.text = str_of(&move->to->strings, program_text(move->from, statement.text));
    vec_push(move->to->arena, &move->to->asms, statement);
    return move->to->asms.count - 1;
}

static bool move_node(const Transplant *move, Instr *instr) {
    instr->loc = 0;
    Sym symbol = instr_symbol(instr);
    if (symbol.i != NO_ID) {
        instr->ref = move->symbols[symbol.i].i;
        if (instr->ref == NO_ID) return false;
    }
    if (instr->kind == I_CALL) instr->aux = move_sig(move, (Sig){instr->aux}).i;
    if (instr->kind != I_BUILTIN) return true;
    if (builtin_info(instr->op)->form == BIF_PTYPE)
        instr->ref = move_ptype(move, (PType){instr->ref}).i;
    if (builtin_info(instr->op)->form == BIF_ASM) instr->imm = move_asm(move, instr->imm);
    return true;
}

static void move_names(const Transplant *move, Func *copy) {
    RegInfo *regs = ARENA_ARRAY(move->arena, RegInfo, (size_t)copy->regs.count + 1);
    SlotInfo *slots = ARENA_ARRAY(move->arena, SlotInfo, (size_t)copy->slots.count + 1);
    StrTable *strings = &move->to->strings;
    for (uint32_t i = 0; i < copy->regs.count; i++) {
        regs[i] = copy->regs.at[i];
        regs[i].name = str_of(strings, program_text(move->from, regs[i].name));
    }
    for (uint32_t i = 0; i < copy->slots.count; i++) {
        slots[i] = copy->slots.at[i];
        slots[i].name = str_of(strings, program_text(move->from, slots[i].name));
    }
    copy->regs.at = regs;
    copy->slots.at = slots;
}

Func *transplant(Arena *arena, Program *to, const Program *from, const Func *func,
                 const Sym *symbols) {
    Transplant move = {.arena = arena, .to = to, .from = from, .symbols = symbols};
    Func *copy = ARENA_NEW(arena, Func);
    memcpy(copy, func, sizeof *copy);
    copy->program = to;
    copy->symbol = symbols[func->symbol.i];
    if (copy->symbol.i == NO_ID) return NULL;
    copy->sig = move_sig(&move, func->sig);
    move_names(&move, copy);
    uint32_t count = func->nodes.count;
    memset(&copy->nodes, 0, sizeof copy->nodes);
    Instr *nodes = vec_extend(arena, &copy->nodes, count);
    memcpy(nodes, func->nodes.at, count * sizeof *nodes);
    for (uint32_t n = 0; n < count; n++)
        if (!move_node(&move, &nodes[n])) return NULL;
    return copy;
}
