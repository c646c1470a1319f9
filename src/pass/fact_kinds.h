// The kinds of facts of fact_kinds.def, and sets of them.
#pragma once

#include "form/program.h"

typedef enum {
#define FACT_KIND(name, meaning) FACT_##name,
#include "pass/fact_kinds.def"
    FACT_KIND_COUNT
} FactKind;

const char *fact_kind_name(FactKind kind);
FactKind fact_kind_named(const char *name); // FACT_KIND_COUNT if there is none

// Whether passes look for facts of a kind in functions of a program.
static inline bool fact_is_wanted(const Program *program, FactKind kind) {
    return !(program->facts_left_out >> kind & 1);
}
