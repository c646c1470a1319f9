// The options of the ways to side forms (pipeline/side_forms.h).
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t
        seed; // which of the orders that are right is chosen; 0: the one in which the function is written
} AsideOptions;
