// mach0: the machine language of table 1 of Glesner (docs/papers.md), with all operators of gatecc.
//
// A function is a graph whose nodes stand in a line, one instruction each. Control goes on to the
// next instruction unless the instruction is a JMP, a BRN, a SWITCH or an end. NOP and JMP are nops
// of the graph; the field aux tells them apart.
#pragma once

#include "form/program.h"

enum { MACH0_NOP_GOES_ON, MACH0_NOP_JUMPS };

static inline bool mach0_is_jump(const Instr *instr) {
    return instr->kind == I_NOP && instr->aux == MACH0_NOP_JUMPS;
}
// The NOP that begins a block, and has its label.
static inline bool mach0_is_label(const Instr *instr) {
    return instr->kind == I_NOP && instr->aux == MACH0_NOP_GOES_ON;
}

// Whether control goes on from an instruction to the next in the line, in the same block. A SWITCH
// that has no cases does, too.
static inline bool mach0_goes_on(const Instr *instr) {
    return instr->succ_count == 1 && !mach0_is_jump(instr);
}

// Words of the text that are spelt in another way than in RTL; all others are only written in
// capitals up to the dot.
typedef struct {
    const char *rtl, *mach0;
} Mach0Word;
extern const Mach0Word mach0_words[];
extern const uint32_t mach0_word_count;
