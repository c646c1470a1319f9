// Types and functions that the two files about initializers share.
#pragma once

#include "c/parse/declare.h"

// An aggregate that a list in braces is going through.
typedef struct {
    CType *type;
    uint64_t offset;
    uint64_t index; // the element or member it stands at
    uint64_t count; // of them; UINT64_MAX if the initializer decides
    uint64_t high;  // one more than the farthest index it has been at
    bool reversed;  // as in Member, of the elements of an array
    bool stale;     // an earlier part of the initializer may have been here
} Level;

// A part of the object that can be given a value.
typedef struct {
    CType *type;
    uint64_t offset;
    bool bitfield;
    bool reversed; // as in Member
    uint16_t bit, width;
} Subobject;

// [low ... high]: the level and the number of elements after the first.
typedef struct {
    uint32_t level;
    bool fresh; // the elements have no value yet
    uint64_t extra;
} DesignatedRange;

// A list in braces behind a mark: the mark's index in the pieces.
typedef struct {
    uint32_t piece;
    Token brace;
} MarkedList;

typedef struct {
    Parser *parser;
    Arena *arena; // of the result
    bool is_static;
    VEC(InitPiece) pieces; // value NULL: everything before about this place is void
    bool marks;            // there are such pieces
    bool records;          // there are pieces that are whole records
    bool went_back;        // an element got a value that may have one already
    bool excess;           // excess elements of this list have been reported
    uint64_t flexible;     // as in Init
    VEC(Level) levels;
    VEC(DesignatedRange) ranges;
    VEC(MarkedList) lists; // in order
    Map unions;            // offset and type of a union to the member that has a value
} Flat;

// Applies the marks: drops voided pieces, and the marks.
void init_settle(Flat *flat);
// Warns of values that later ones for the same place replace; marks have been applied.
void init_warn_overridden(Flat *flat);
