// Lowering: from typed trees to RTL. Both callbacks do nothing once there are errors.
#pragma once

#include "c/parse.h"
#include "ir/ir.h"

typedef struct Lower Lower;

Lower *lower_new(Arena *arena, Pp *pp, Types *types, Diag *diag, Program *program);
void lower_free(Lower *lower);
// Lowers one function while its tree is alive; for ParseOptions.function.
void lower_function(Lower *lower, Decl *func);
// Lowers the objects and completes the program; for ParseOptions.finish.
void lower_finish(Lower *lower, Decl *const *decls, uint32_t count);
