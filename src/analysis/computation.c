#include "analysis/computation.h"

#include "base/hash.h"

bool computation_commutes(const Instr *instr) {
    return instr->arg_count == 2 && op_info((Op)instr->op)->flags & OPF_COMM;
}

uint64_t computation_hash(const Instr *instr, const uint32_t *number) {
    uint64_t hash = (uint64_t)instr->op << 32 ^ (uint64_t)instr->high << 16 ^ instr->ref;
    uint64_t args = 0;
    for (uint32_t i = 0; i < instr->arg_count; i++) {
        // A sum hides the order.
        uint64_t arg = (number[instr->arg[i].i] + UINT64_C(1)) * 0x9e3779b97f4a7c15u;
        args = computation_commutes(instr) ? args + arg : (args << 7 | args >> 57) + arg;
    }
    return hash_mix(hash_mix(hash ^ (uint64_t)instr->imm * 0xd6e8feb86659fd93u) ^ args);
}

bool computation_same(const Instr *a, const Instr *b, const uint32_t *number) {
    if (a->op != b->op || a->immediate != b->immediate || a->imm != b->imm || a->high != b->high ||
        a->ref != b->ref || a->arg_count != b->arg_count)
        return false;
    bool same = true;
    for (uint32_t i = 0; i < a->arg_count; i++) same &= number[a->arg[i].i] == number[b->arg[i].i];
    return same || (computation_commutes(a) && number[a->arg[0].i] == number[b->arg[1].i] &&
                    number[a->arg[1].i] == number[b->arg[0].i]);
}
