// Units of the source: the statements, declarations and initializers of functions, as far as these
// can be cut out of the text of the main file, and the nodes that lowering makes for each. Units
// are recorded on request (CompileOptions.units); slicing makes this request. Otherwise nothing is
// recorded, and the only cost is a look at a null pointer.
//
// The parser opens a unit in front of each item of a block, each controlled statement, each `else
// if` and each initializer, and closes the unit behind. A unit can be cut if it lies in the main
// file and shares no macro invocation with the text before or behind it. Otherwise its nodes count
// as nodes of its `owner`, the innermost enclosing unit that can be cut; neighbours that share an
// invocation only with each other are one unit together. A statement expression contains no units
// of its own.
//
// Units are numbered in the order in which they begin, from 1, over the whole file: the units
// inside of a unit follow it.
#pragma once

#include "base/bits.h"
#include "base/hash.h"
#include "c/preprocess/pp.h"
#include "c/types/ast.h"
#include "form/program.h"

typedef enum {
    UNIT_FUNCTION, // the body of a function, with its braces
    UNIT_BLOCK,
    UNIT_EXPRESSION,
    UNIT_DECLARATION,
    UNIT_DECLARATOR,  // one of several, with its initializer
    UNIT_INITIALIZER, // of one variable, from the '='
    UNIT_IF,
    UNIT_WHILE,
    UNIT_DO,
    UNIT_FOR,
    UNIT_SWITCH,
    UNIT_CASE,  // case or default, without what follows
    UNIT_LABEL, // likewise
    UNIT_GOTO,
    UNIT_BREAK,
    UNIT_CONTINUE,
    UNIT_RETURN,
    UNIT_ASM,
    UNIT_EMPTY,
    UNIT_LABELLED, // a controlled statement with its labels
    UNIT_GROUP,    // several items of a block that one macro makes
    UNIT_KIND_COUNT
} UnitKind;

const char *unit_kind_name(UnitKind kind);

typedef enum {
    ROLE_FUNCTION,
    ROLE_ITEM, // of a block
    ROLE_BODY, // of an if, loop or switch: something has to stand there
    ROLE_ELSE, // the same behind else
    ROLE_DECLARATOR,
    ROLE_INITIALIZER,
} UnitRole;

typedef struct {
    uint8_t kind, role;  // UnitKind, UnitRole
    bool braces;         // a block with braces of its own
    bool clean;          // can be cut out
    bool pinned;         // stays if the enclosing unit does
    bool always;         // stays
    bool uses_line;      // its tokens depend on the number of their line
    bool left, right;    // shares no macro invocation with what is before, behind
    uint32_t parent;     // the unit around it, as parsed; 0 for a function
    uint32_t owner;      // itself, or the unit that its nodes count for
    uint32_t last;       // the last unit inside of it, or itself
    uint32_t function;   // index
    uint32_t begin, end; // bytes of the main file
    uint32_t line, column, end_line,
        end_column;         // the same for people; the end is that of the last byte
    uint32_t else_begin;    // ROLE_ELSE: where `else` begins; NO_ID if it cannot be cut
    uint32_t lines_inside;  // while parsing: uses of __LINE__ in units inside of it
    uint32_t first, behind; // the nodes emitted between its begin and end, in the order of emission
} Unit;

// A variable that has automatic storage or is static in a block.
typedef struct {
    const char *name;
    uint32_t
        declared;     // where its name stands in its declaration: a byte of the main file, or NO_ID
    uint32_t unit;    // in which it is declared; 0: a parameter
    uint8_t place;    // UnitPlace
    uint8_t parts;    // registers: 1, or 2 in a row
    uint32_t number;  // final; NO_ID if no node mentions it
    const Decl *decl; // while its function is lowered
} UnitVariable;

typedef enum { PLACE_REGISTER, PLACE_SLOT, PLACE_SYMBOL, PLACE_POINTER } UnitPlace;

typedef struct {
    const char *name;
    uint32_t definition;     // the byte at which its definition begins
    uint32_t root;           // its unit
    Sym symbol;              // NO_SYM if it was not lowered
    bool elsewhere;          // its body is not in the main file, or is made by a macro as a whole
    uint32_t tail, tail_end; // the nodes emitted for the return at the end
    uint32_t count;          // nodes emitted
    const uint32_t *units;   // of each: the unit that it was emitted for
    const uint32_t *nodes; // of each: its final number; NO_ID if it is a jump or cannot be reached
    const uint32_t *
        leads; // of each: the final number of what control comes to from there; NO_ID: not reachable
    const uint8_t *kinds; // of each: InstrKind
    const uint32_t
        *jumps; // of each node: its target, if it only jumps, in the order of emission; NO_ID
                // otherwise
    VEC(UnitVariable) variables;
} UnitFunction;

// A unit that says something of another, or of a name.
typedef struct {
    uint32_t unit, to;
} UnitLink;
typedef struct {
    uint32_t unit;
    Ident *name;
} UnitName;
typedef struct {
    uint32_t unit;
    LabelDecl *label;
} UnitLabelUse;

typedef struct Units {
    Arena *arena; // of the program
    VEC(Unit) all;
    VEC(UnitFunction) functions;
    VEC(UnitLink)
    labels;              // a unit that jumps to, or takes the address of, a label; the label's unit
    VEC(UnitLink) cases; // a switch; one of its labels
    VEC(UnitName) mentions; // identifiers in a unit, in order of units, but for members
    VEC(UnitName) declares; // identifiers that it declares
    VEC(Ident *) globals;   // variables of file scope
    const char *text;       // of the main file
    uint32_t length;
    // Which variables have to be in memory although nothing takes their address any more, in the
    // text of a slice; or NULL.
    bool (*in_memory)(void *context, const char *function, uint32_t offset, const char *name);
    // A statement that gets a node even if it does nothing, so that a value can be asked for there:
    // the byte at which it begins, and its kind; of the original if `original` maps bytes of the
    // slice to the original.
    bool has_point;
    uint8_t point_kind;
    uint32_t point;
    uint32_t (*original)(void *context, uint32_t offset);
    void *context; // of both
    // While parsing
    VEC(UnitLabelUse) label_uses; // of the present function
    Pp *pp;
    bool after_member; // the last token was . or ->
    PpUses uses;       // before the present token
    // While lowering
    VEC(uint32_t) emitted; // units of the nodes of the present function
} Units;

// Of a unit with this number.
static inline Unit *unit_at(const Units *units, uint32_t unit) {
    return &units->all.at[unit];
}
// The unit that the nodes of a unit count for.
static inline uint32_t unit_owner(const Units *units, uint32_t unit) {
    return units->all.at[unit].owner;
}

// An empty record; for CompileOptions.units.
void units_init(Units *units, Arena *arena);
// Finds out what can be cut, once all is parsed.
void units_settle(Units *units);
// The byte of the main file that a position belongs to for a reader; NO_ID if it is in another
// file.
uint32_t units_offset(const Units *units, Pos pos);
// Whether a variable is to be in memory because the callback says so.
bool units_keep_in_memory(const Units *units, const Decl *decl);
