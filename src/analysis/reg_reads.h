// Lists the reads of each register of a function in SSA, for passes that go from a definition to
// its uses.
#pragma once

#include "form/program.h"

// A read by an argument of an instruction, or of a phi. The argument of a phi is read at the end of
// the way in: by the predecessor that the argument belongs to.
typedef struct {
    Node node;    // the instruction, or the predecessor
    uint32_t arg; // index among the instruction's arguments; READ_BY_PHI + index in phi_args
} RegRead;

enum { READ_BY_PHI = 0x40000000 };

static inline bool read_is_by_phi(const RegRead *read) {
    return read->arg >= READ_BY_PHI;
}

// The reads of register r are list[first[r] .. first[r + 1] - 1].
typedef struct {
    uint32_t *first;
    RegRead *list;
} RegReads;

RegReads reg_reads_of(Arena *arena, const Func *func, const Preds *preds);
