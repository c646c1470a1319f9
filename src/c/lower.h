// Lowering: from typed trees to RTL.
#pragma once

#include "c/parse.h"
#include "ir/ir.h"

typedef struct Lower Lower;

Lower *lower_new(Arena *arena, Pp *pp, Types *types, Diag *diag, Program *program);
void lower_function(Lower *lower, Decl *func);
void lower_finish(Lower *lower, Decl *const *decls, uint32_t count);
