// The normal form of pass normalize by a naive definition, as a second opinion on the checker.
#pragma once

#include "form/program.h"

enum { NORMAL_FORM_LIMIT = 64 };

// What a function of up to NORMAL_FORM_LIMIT nodes lacks to the normal form; NULL if nothing.
const char *normal_form_defect(const Func *func);
