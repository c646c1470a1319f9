// The options of the ways to side forms (pipeline/side_forms.h).
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t seed; // chooses one of the right orders; 0: the order in which the function is written
} AsideOptions;
