// Names, operators and demanded values, shared by the two translations from functional SSA to Imp.
// Only src/imp includes this header.
#pragma once

#include "imp/imp_fssa.h"

typedef struct {
    Imp *imp;
    Arena *scratch;
    Diag *diag;
    const Func *func;
    uint32_t *definitions; // equation of each register, or NO_ID
    uint32_t *names;       // of registers, or IMP_NONE
    bool refused;
} ImpMaker;

// A value to compute: `term`, in variable `name`. With `reg` the value is that identifier itself.
typedef struct {
    uint32_t name;
    FssaTerm term;
    Reg reg;
} ImpTarget;
typedef VEC(ImpTarget) ImpTargets;

void imp_maker_init(ImpMaker *maker, Arena *arena, Arena *scratch, Diag *diag, const Func *func);
// The name of a register: without %, if that is a word.
uint32_t imp_maker_reg(ImpMaker *maker, Reg reg);
// PREFIX_N for the next N that makes a name that is not in use.
uint32_t imp_maker_fresh(ImpMaker *maker, const char *prefix, uint32_t *count);
// The right side of a register's equation; NO_FSSA_TERM if it has none, or is the result of an
// effect.
FssaTerm imp_maker_definition(const ImpMaker *maker, Reg reg);
void imp_maker_refuse(ImpMaker *maker, const char *reason);
// The values to compute; see fssa_to_imp. `values` leaves the state out, and says so.
ImpTargets imp_maker_targets(ImpMaker *maker, const FssaImpOptions *options, bool values);
// A term without operands, or an operator, of finished operands. Of a READ the first is a name.
uint32_t imp_maker_expr(ImpMaker *maker, const FssaTermNode *node, const uint32_t *args);
// An expression that is only shown.
uint32_t imp_maker_text(ImpMaker *maker, Out *text);
// The program: with the inputs, and `skip` if there is nothing to do.
Imp *imp_maker_finish(ImpMaker *maker);

// The two ways; the first is exactly that of the paper.
Imp *imp_exact(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options);
Imp *imp_clean(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options);
