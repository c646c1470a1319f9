// Imp, the imperative language of Pop et al. (section 3): assignments, sequences and loops, here
// also conditionals, arrays and output. docs/imp.md has the grammar and the rules.
//
// A program is a tree in dense tables. Statements that follow each other are a list; the paper's
// tree of sequences, by which its Dewey numbers go, is laid over the lists by imp_places.
#pragma once

#include "base/diag.h"
#include "base/str.h"
#include "form/ops.h"
#include "form/value.h"

#define IMP_NONE UINT32_MAX // no expression, statement or name

// A name stands for an integer or for an array. Arrays have an integer at each index, at first 0.
typedef struct {
    Str text;
    bool is_array;
    bool is_input; // has its value from outside
    Span span;     // where it is first mentioned
} ImpName;

// Values are bits as in registers (form/value.h): 64 of them wherever only infix operators are
// used.
//   NUMBER    value
//   VARIABLE  name; of an array only as the right side of an assignment
//   ELEMENT   name[args[0]]
//   OPERATOR  op of args, by ops.def; wrong outside of its domain
//   AND, OR   args[1] is looked at only if args[0] does not decide; 0 or 1
//   NOT       1 if args[0] is 0, else 0
//   CHOICE    args[1] if args[0] is not 0, else args[2]
//   UNDEF     no value: branching on UNDEF, printing it or using it as an index is a wrong step
//   TEXT      something that Imp cannot compute, shown as it is written
typedef enum {
    IMP_NUMBER,
    IMP_VARIABLE,
    IMP_ELEMENT,
    IMP_OPERATOR,
    IMP_AND,
    IMP_OR,
    IMP_NOT,
    IMP_CHOICE,
    IMP_UNDEF,
    IMP_TEXT
} ImpExprKind;

typedef struct {
    uint8_t kind;     // ImpExprKind
    uint8_t count;    // of args
    uint16_t op;      // OPERATOR
    uint32_t name;    // VARIABLE, ELEMENT
    uint32_t args[3]; // of smaller numbers
    int64_t value;    // NUMBER
    Str text;         // TEXT
    Span span;
} ImpExpr;

//   ASSIGN   name := value
//   STORE    name[index] := value
//   WHILE    while value do body end
//   IF       if value then body [else other] end
//   PRINT    print value, in a line
//   SKIP     nothing
//   OPAQUE   text: what Imp cannot do, for people
typedef enum {
    IMP_ASSIGN,
    IMP_STORE,
    IMP_WHILE,
    IMP_IF,
    IMP_PRINT,
    IMP_SKIP,
    IMP_OPAQUE
} ImpStmtKind;

typedef struct {
    uint8_t kind; // ImpStmtKind
    uint32_t name;
    uint32_t index, value; // expressions
    uint32_t body, other;  // first statements of lists
    uint32_t next;         // in its list
    Str text;              // OPAQUE; WHILE: its loop of functional SSA, if it was made from one
    Span span;             // of its first words
} ImpStmt;

typedef struct {
    Arena *arena;
    StrTable strings;
    VEC(ImpName) names;
    VEC(ImpExpr) exprs;
    VEC(ImpStmt) stmts;
    VEC(uint32_t) inputs;  // names, in order
    VEC(uint32_t) by_text; // of each string its name, or IMP_NONE
    uint32_t first;        // statement
    const char *note;      // a comment in front of it, or NULL
} Imp;

Imp *imp_new(Arena *arena);
// The name of that text; made if it is not there.
uint32_t imp_name(Imp *imp, const char *text, size_t length, Span span);
static inline const char *imp_name_text(const Imp *imp, uint32_t name) {
    return str_text(&imp->strings, imp->names.at[name].text);
}

// ---- Making trees. Expressions and statements that do not come from text have no place.

uint32_t imp_number(Imp *imp, int64_t value);
uint32_t imp_variable(Imp *imp, uint32_t name);
uint32_t imp_expr(Imp *imp, ImpExprKind kind, Op op, const uint32_t *args, uint32_t count);
uint32_t imp_add_stmt(Imp *imp, ImpStmt stmt); // lists and operands that it has not are IMP_NONE
// A statement with everything but its kind absent.
ImpStmt imp_stmt(ImpStmtKind kind);

// ---- Text

// A program, or NULL after messages. It is parsed only: imp_verify is another step.
Imp *imp_parse(Arena *arena, Diag *diag, const char *path, const char *text, size_t length);
void imp_print(Out *out, const Imp *imp);
void imp_print_expr(Out *out, const Imp *imp, uint32_t expr);
// Whether a name needs no % in front of it: a word that is no keyword.
bool imp_is_word(const char *text, size_t length);

// Settles which names are arrays and complains about
// - a name that is used as both;
// - an integer variable that is read where on some path of the text, whatever conditions say, it
//   was not written before: a loop's body may not run at all, and of a conditional either part may;
// - what Imp cannot compute (TEXT, OPAQUE).
bool imp_verify(Imp *imp, Diag *diag);

// ---- Places

// Dewey numbers: the whole program is 1, `S0; S1` at h has S0 at h.1 and S1 at h.2, a loop's body
// is at h.1, the parts of a conditional are at h.1 and h.2. A list S0; S1; S2 is S0; (S1; S2).
typedef struct {
    uint32_t parent; // index of a place, IMP_NONE for the whole
    uint32_t depth;  // count of digits
    uint8_t digit;
} ImpPlace;

typedef struct {
    VEC(ImpPlace) places;
    uint32_t *of_stmt; // place of a statement
    uint32_t *loop;    // innermost loop around a statement, itself not counted, or IMP_NONE
} ImpPlaces;

ImpPlaces imp_places(Arena *arena, const Imp *imp);
// Numbers of more digits are written 0.N for the N-th statement of the text.
enum { IMP_LONGEST_PLACE = 40 };
// 1.2.1, with another digit behind it unless that is negative.
void imp_print_place(Out *out, const ImpPlaces *places, uint32_t stmt, int digit);
// The same without dots, as a suffix of identifiers: _121; of long places _0N and, with a digit,
// _0NxD.
void imp_print_suffix(Out *out, const ImpPlaces *places, uint32_t stmt, int digit);
