// The description for debuggers, made while functions are lowered: lower_debug.c has blocks and
// variables, lower_debug_type.c types.
#pragma once

#include "c/lower/lower_private.h"

uint32_t debug_type(Lower *lower, const CType *type);
// Describes the members of records and enums that were mentioned; at the end of the unit, of all of
// them.
void debug_complete_types(Lower *lower, bool at_end);
// The type that a typedef of file scope declares.
uint32_t debug_typedef(Lower *lower, Decl *decl);
// A type among whose specifiers was the name of another; NULL if there was none.
uint32_t debug_named_type(Lower *lower, const CType *type, Decl *name);
