// Partial recursive functions: K[[ ]] of Pop et al., section 7.3, as text that can be read back and
// evaluated.
//
// Every identifier is a function of the counters of all loops. x1, x2, ... are the counters, in the
// order in which the loops are numbered.
//
//     I(x1) = E                     plain
//     I(0) = E0; I(z+1) = E1        loop h: by recursion on counter h; E1 is of z
//     min_I() = (mu y. E0 = 0)      close h: the least y for which E0 is 0; I(x1) = E1 is of that
//
// In expressions a function is applied to the counters as they are there. So an expression is the
// same thing in every place, and only its text tells 0, z, y and min_I() apart.
#pragma once

#include "base/diag.h"
#include "form/value.h"
#include "imp/imp_fssa.h"

typedef enum {
    KE_NUMBER,
    KE_CALL,  // of function `ref`
    KE_OP,    // op of ops.def
    KE_NOT,   // of a condition; 0 does not hold, everything else does
    KE_AND,   // of two or more; those behind one that does not hold are not looked at
    KE_OR,    // of two or more; those behind one that holds are not looked at
    KE_GAMMA, // pairs: the value of the first whose condition holds
    KE_INPUT, // number `ref`, from 0 on
    KE_ARRAY, // 0 everywhere
    KE_READ,
    KE_WRITE,
    KE_START, // nothing has been printed yet
    KE_PRINT, // of what was printed before, and a number
    KE_UNDEF,
    KE_OPAQUE // text: what only C can do
} KleeneExprKind;

typedef struct {
    uint8_t kind; // KleeneExprKind
    uint16_t op;
    uint32_t ref;
    uint32_t args_at, arg_count;
    int64_t value; // NUMBER
} KleeneExpr;

typedef enum { KF_PLAIN, KF_LOOP, KF_CLOSE } KleeneKind;

typedef struct {
    Str name;
    KleeneKind kind;
    uint32_t loop;          // LOOP, CLOSE: from 0 on
    uint32_t first, second; // E0 and E1; PLAIN: E is `second`
} KleeneFunc;

// A requested value, with all counters 0.
typedef struct {
    Str name;
    uint32_t expr;
    bool is_output; // the printed output
} KleeneTarget;

typedef struct {
    Arena *arena;
    StrTable strings;
    uint32_t loops;
    VEC(KleeneFunc) funcs;
    VEC(KleeneExpr) exprs;
    VEC(uint32_t) args;
    VEC(KleeneTarget) targets;
    VEC(uint32_t) inputs; // functions whose value is an input, by number
    bool opaque;          // it has something that cannot be evaluated
} Kleene;

Kleene *kleene_new(Arena *arena, uint32_t loops);
uint32_t kleene_add(Kleene *kleene, KleeneExpr expr, const uint32_t *args, uint32_t count);

// Of any function in functional SSA. The request is the printed output, or else the values that
// fssa_to_imp computes.
Kleene *kleene_of_fssa(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options);

void kleene_print(Out *out, const Kleene *kleene);
Kleene *kleene_parse(Arena *arena, Diag *diag, const char *path, const char *text, size_t length);

typedef enum { KLEENE_RESULT, KLEENE_WRONG, KLEENE_FUEL } KleeneEnd;
typedef struct {
    KleeneEnd end;
    const char *reason;
    uint64_t steps;
    Out output; // the printed output, or a line NAME = VALUE for each target; for out_free
} KleeneResult;

// Evaluates what is asked for. Values of functions are kept; fuel is in steps, 0 for no limit.
void kleene_run(Arena *arena, const Kleene *kleene, const int64_t *inputs, uint64_t fuel,
                KleeneResult *result);

// An evaluator that can be asked for one value after the other. `counters` has an entry for each
// loop.
typedef struct KleeneEval KleeneEval;
KleeneEval *kleene_eval_new(Arena *arena, const Kleene *kleene, const int64_t *inputs,
                            uint64_t fuel);
KleeneEnd kleene_eval(KleeneEval *eval, uint32_t func, const uint64_t *counters, Value *value);
// The same for an element of an array.
KleeneEnd kleene_eval_element(KleeneEval *eval, uint32_t func, const uint64_t *counters,
                              int64_t index, Value *value);
const char *kleene_eval_reason(const KleeneEval *eval);
