// Writing the allocated function: instructions together with their origins.
#pragma once

#include "pass/pass.h"
#include "target/model.h"

typedef struct {
    Arena *scratch;
    const Func *from;
    Func *to;
    AllocateHint *hint;
    uint32_t swap_spill; // through which vector registers are exchanged; NO_ID: not needed so far
} Writer;

// One move of a group that acts at once. Several may have one source, none has a destination of
// another.
typedef struct {
    Place dest;
    Place src;       // NO_PLACE: made again by the instruction
    uint32_t remake; // of the unbounded function
    uint8_t type;    // Type of what is moved
} PlaceMove;

typedef VEC(PlaceMove) MoveList;

Writer writer_new(Arena *scratch, Arena *arena, const Func *from, AllocateHint *hint);
uint32_t writer_spill(Writer *writer, Type type);
void writer_open(Writer *writer, uint32_t origin);
// The instruction, with places set, that was instruction `origin`; its list, if there is one, is
// the list of the unbounded function with `list` in its place.
void writer_instr(Writer *writer, uint32_t origin, MachInstr instr, const Place *list);
void writer_move(Writer *writer, Place dest, Place src, Type type);
// The constant or address that an instruction of the unbounded function makes, made again.
void writer_remake(Writer *writer, Place dest, uint32_t from);
// Puts a group of moves into an order in which none destroys what another still needs. The list is
// used up.
void writer_moves(Writer *writer, MoveList *moves);
void writer_jump(Writer *writer);

// Numbers the spills from the given one on, all of one size, by their uses, so that those with many
// uses lie where addresses are short (frame_positions.c). When all is written.
void writer_order_spills(Writer *writer, uint32_t from);
