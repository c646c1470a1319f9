#include "pass/fact_kinds.h"

#include <string.h>

static const char *const names[FACT_KIND_COUNT] = {
#define FACT_KIND(name, meaning) [FACT_##name] = #name,
#include "pass/fact_kinds.def"
};

const char *fact_kind_name(FactKind kind) {
    return names[kind];
}

FactKind fact_kind_named(const char *name) {
    FactKind kind = 0;
    while (kind < FACT_KIND_COUNT && strcmp(names[kind], name) != 0) kind++;
    return kind;
}
