// Questions that have an answer only after inlining: operands of asm that must be constants
// (asm_late.c), sizes of objects, whether something is a constant, and the variable arguments that
// a function passes on. The inline functions of hardened headers ask such questions about their
// parameters.
//
// Until its answer is known, each question is a call of a function that does not exist, a function
// of the list below. When all functions are there, callees first, calls of functions that still
// have such questions are replaced by their bodies (late.c). The answers are read off the function
// in SSA form, where the usual transforms have propagated constants and taken the branches that
// constants decide: late_size.c answers for sizes that are constants, late_dynamic.c for sizes that
// the program computes. Then checked functions of the library give way to plain ones where nothing
// is left to check (late_fold.c). The resulting functions have constants, moves and operators
// instead of questions. In the same way calls of library functions wait for sizes and strings that
// small functions get as arguments (late_library.c).
//
// Why here, and not in later forms: the size of an object that the compiler knows is not a function
// of the program's state. The size is any number that is not too small, and better answers change
// the behaviour of a program, though never of a correct program. If RTL had an operator for sizes,
// the interpreter, which knows every object, and each pass would have to agree on how much is
// known. So the front end decides once, before the program has a meaning: all later forms and
// levels run the same checks. The price: sizes are not known through calls that only the pipeline
// replaces. The hardened functions of headers are always_inline, and so replaced here.
#pragma once

#include "base/bits.h"
#include "c/lower/lower_private.h"
#include "graph/definitions.h"
#include "pass/pass.h"
#include "pipeline/pipeline.h"

// The functions that do not exist.
typedef enum {
    LATE_SIZE,                        // size_t (pointer), for each kind of __builtin_object_size
    LATE_DYNAMIC = LATE_SIZE + 4,     // the same for __builtin_dynamic_object_size
    LATE_CONSTANT = LATE_DYNAMIC + 4, // int (int): whether the argument is a constant
    LATE_CONSTANT_64,                 // int (long)
    LATE_SUBOBJECT, // pointer (pointer, size): the pointer, where a member of this size begins
    LATE_OPEN,      // pointer (pointer): the same for one that reaches to the end of the object
    LATE_PARAMETER, // pointer (pointer, size): a parameter of which a declaration says that so much is accessed
    LATE_PACK,     // int (): an argument that stands for all that the function got behind "..."
    LATE_PACK_LEN, // int (): how many these are
    LATE_COUNT
} LateKind;

// The known contents of a register: an integer, or the address of a symbol plus an integer.
typedef struct {
    bool known;
    Sym symbol;
    int64_t value;
} KnownRegister;

// How many bytes there are behind a pointer.
typedef enum { SIZE_NONE, SIZE_KNOWN, SIZE_UNKNOWN } SizeState;
typedef struct {
    SizeState state; // SIZE_NONE: nothing has been seen yet
    int64_t bytes;   // may be negative: the pointer is behind the end
    int64_t whole;   // of the object
    int64_t start;   // from the object's start to the pointer; negative: it is before the object
} PointerSize;

// A function in SSA form, with what is known of its registers.
typedef struct {
    const Lower *lower;
    Arena *arena;
    const Func *ssa;
    Preds preds;
    const KnownRegister *known;
    const PointerSize *sizes[4];      // by kind; NULL: not computed yet
    const PointerSize *computable[2]; // by kind & 1: SIZE_KNOWN if the program can compute the size
} LateFacts;

// ---- lower_late.c: asking

// The question that an instruction calls; LATE_COUNT if it is no question.
LateKind late_kind(const Lower *lower, const Instr *instr);
// Parameters, from 1, whose product is how much a function allocates; false if it does not.
bool late_allocates(const Lower *lower, const Instr *call, uint32_t params[2]);
// Whether what a call yields is its first argument.
bool late_passes_through(const Lower *lower, const Instr *call);
// Whether it copies a string, the second argument, to the first, and yields its end.
bool late_copies_string(const Lower *lower, const Instr *call);

// ---- late_size.c

// The size of an object that has a symbol; false if it is not known.
bool late_symbol_size(const Lower *lower, Sym symbol, uint64_t *size);
PointerSize late_size(LateFacts *facts, Reg pointer, uint32_t kind);
bool late_is_computable(LateFacts *facts, Reg pointer, uint32_t kind);

// ---- late_dynamic.c

typedef struct {
    Node node; // of the question
    uint32_t kind;
} DynamicQuestion;
typedef VEC(DynamicQuestion) DynamicQuestions;
// Puts an instruction before a node, whose own instruction moves to the node that is yielded.
Node late_put_before(Func *func, Node node, Instr instr);
// Answers questions about pointers whose sizes the program can compute.
void late_answer_dynamic(Arena *arena, const Lower *lower, Func *func,
                         const DynamicQuestions *questions);

// ---- late_library.c

// What defines registers of a function in RTL.
typedef struct {
    const Lower *lower;
    const Func *func;
    const Definition *definitions;
} LateOrigins;
LateOrigins late_origins(Arena *arena, const Lower *lower, const Func *func);

// LIBRARY_NONE if an instruction is no call that can be folded.
LateLibrary late_library_kind(const Lower *lower, const Instr *instr);
bool late_uses_library(const Lower *lower, const Func *func);
// The parameters on which calls of library functions wait, a bit for each.
uint64_t late_open_parameters(const LateOrigins *origins);
// Whether a call passes a constant for such a parameter of its callee.
bool late_is_closed(const LateOrigins *origins, const Instr *call, uint64_t open);
// Folds calls of library functions as far as their arguments are known.
void late_fold_library(Arena *arena, Lower *lower, Func *func);

// ---- late_fold.c

// Makes a call of memcpy or memset a builtin; nodes may be added behind the others.
void late_put_block(Func *func, Node node, bool copies, int64_t size);

// Makes a call of a checked function a call of the plain function, if the known arguments allow it.
// Nodes may be added behind the others. `read`: whether a register is read anywhere.
void late_fold_call(Lower *lower, Func *func, Node node, const KnownRegister *args,
                    const Bits *read);

// The string at a known address; NULL if it is not known.
const char *late_string(const Program *program, const KnownRegister *at);
// Whether a call is one of a checked function.
bool late_is_checked(const Lower *lower, const Instr *instr);

// ---- late_print.c

// Makes a call of a function that prints one of a simpler function. The format is argument `at`;
// `argument_text` is the next argument's string, if known. Whether it could be done.
bool late_fold_print(Lower *lower, Func *func, Node node, const char *format, uint32_t at,
                     const char *argument_text);

// ---- late_pack.c

// The registers that LATE_PACK sets in a function, and whether a call has such a register as an
// argument.
Bits late_packs(const Lower *lower, Arena *arena, const Func *func);
bool late_passes_pack(const Func *func, const Bits *packs, const Instr *instr);
// The body of a function that passes on its variable arguments, for a call: these are parameters.
// NULL, and reported, if that cannot be.
const Func *late_specialize(Lower *lower, Arena *arena, const Func *body, const SigInfo *call);

// ---- asm_late.c

// The walk over all functions, and the one at hand.
// A copy of a body, and the copy in which its call was.
typedef struct {
    Sym callee;
    uint32_t outer; // NO_ID: the call was the function's own
} LateCopy;
typedef VEC(LateCopy) LateCopies;
typedef VEC(uint32_t) CopyOfNodes;

typedef struct {
    Lower *lower;
    Program *program;
    Pipeline *pipeline; // to look at functions in SSA
    Bodies bodies;      // of functions with questions that may be answered where they are called,
    uint32_t symbols;   // the number at the start; the other symbols are for single calls,
    uint32_t capacity;  // as far as there is room
    const Func **packs; // by symbol: those that pass on their variable arguments
    uint64_t *open;     // by symbol: the parameters for which the body on offer waits; 0: it is
                        // good for each call
    Arena *scratch;     // of the function at hand
    Func *func;
    LateCopies copies;   // that have been put into it
    CopyOfNodes copy_of; // by node: the innermost copy that it belongs to; NO_ID: none
    Map found; // asm statement -> index of its operands' values; none if it is never reached
    VEC(KnownRegister) values;
} Late;

// Puts a constant, or a nop if nobody wants it, in the place of a call.
void late_put_constant(Func *func, Node node, int64_t value);

const KnownRegister *late_known(LateFacts *facts, const KnownRegister *answers);
bool asm_is_late(const Late *late, const Instr *instr);
void asm_find_values(Late *late, const LateFacts *facts);
// Whether the operands of all statements are known now.
bool asm_settle(Late *late);
void asm_report_late(Late *late);
void asm_number_copies(Late *late, uint32_t first); // from this node on
