// Suggests the name that the user probably meant by an unknown name.
#pragma once

typedef struct Spelling {
    const char *wrong;
    const char *nearest; // of those tried, or NULL if none is near enough
    unsigned bound;      // distances below it are near enough
} Spelling;

void spelling_start(Spelling *spelling, const char *wrong);
void spelling_try(Spelling *spelling, const char *candidate);
// The nearest of a list that ends with NULL; NULL if none is near enough.
const char *spelling_nearest(const char *wrong, const char *const *candidates);
