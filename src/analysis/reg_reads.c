#include "analysis/reg_reads.h"

typedef void NoteRead(RegReads *reads, Reg reg, RegRead read);

static void count_read(RegReads *reads, Reg reg, RegRead read) {
    (void)read;
    reads->first[reg.i + 2]++;
}

static void list_read(RegReads *reads, Reg reg, RegRead read) {
    reads->list[reads->first[reg.i + 1]++] = read;
}

static void each_read(const Func *func, const Preds *preds, RegReads *reads, NoteRead *note) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            note(reads, instr_args(func, instr)[k], (RegRead){node, k});
        for (uint32_t i = 0; i < func_phi_count(func, node); i++) {
            const Phi *phi = &func_phis(func, node)[i];
            for (uint32_t k = 0; k < preds_count(preds, node); k++)
                note(reads, phi_args(func, phi)[k],
                     (RegRead){preds_at(preds, node)[k], READ_BY_PHI + phi->args_at + k});
        }
    }
}

// Two walks: first[r + 2] counts the reads of r; then first[r + 1] runs from the start of r's list
// to its end, where first[r + 1] has to point.
RegReads reg_reads_of(Arena *arena, const Func *func, const Preds *preds) {
    RegReads reads = {.first = ARENA_ARRAY(arena, uint32_t, (size_t)func->regs.count + 2)};
    each_read(func, preds, &reads, count_read);
    for (uint32_t r = 2; r < func->regs.count + 2; r++) reads.first[r] += reads.first[r - 1];
    reads.list = ARENA_ARRAY(arena, RegRead, reads.first[func->regs.count + 1]);
    each_read(func, preds, &reads, list_read);
    return reads;
}
