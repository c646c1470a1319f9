#include "target/model.h"

// The table is apart from the program, which is const to those who ask.
const Convention *convention_of(const Program *program, Sig sig) {
    Conventions *known = program->conventions;
    Convention **found = NULL;
    while (known->count <= sig.i) vec_push(program->arena, known, NULL);
    found = &known->at[sig.i];
    if (*found) return *found;
    *found = ARENA_NEW(program->arena, Convention);
    program->target->classify(program->arena, program, program_sig_info(program, sig), *found);
    return *found;
}

uint32_t convention_first_piece(const Convention *convention, uint32_t param) {
    // The hidden address, which belongs to no parameter, comes first.
    uint32_t low = convention->hidden, high = convention->arguments.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (convention->arguments.at[middle].param < param)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < convention->arguments.count && convention->arguments.at[low].param == param;
    return found ? low : NO_ID;
}

const Piece *convention_stack_argument(const Convention *convention, int64_t offset) {
    uint32_t low = 0, high = convention->on_stack.count; // those before `low` start at or before it
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (convention->arguments.at[convention->on_stack.at[middle]].stack <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    const Piece *piece = &convention->arguments.at[convention->on_stack.at[low - 1]];
    return offset < (int64_t)piece->stack + piece->size ? piece : NULL;
}
