// What may be asked of passes to forms from which nothing leads back (rows CHECKED_ASIDE of
// passes.def).
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t
        seed; // which of the orders that are right is chosen; 0: the one in which the function is written
} AsideOptions;
