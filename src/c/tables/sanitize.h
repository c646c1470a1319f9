// Which kinds of undefined behaviour a program is to be checked for while it runs, and what a
// failed check does.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
#define SANITIZER(id, name, member) SANITIZE_##id,
#include "c/tables/sanitize.def"
    SANITIZE_COUNT
} Sanitizer;

typedef uint32_t SanitizerSet; // bit k for the sanitizer k
#define SANITIZE_BIT(id)    ((SanitizerSet)1 << SANITIZE_##id)
#define SANITIZE_EVERYTHING (((SanitizerSet)1 << SANITIZE_COUNT) - 1)

extern const SanitizerSet sanitize_undefined; // the members of undefined
#define SANITIZE_UNDEFINED sanitize_undefined

typedef struct {
    SanitizerSet on;
    SanitizerSet trap;    // a failed check ends the program by a trap; else a handler is called,
    SanitizerSet recover; // and then the program goes on, or else it ends there
    bool traps_overflow;  // -ftrapv: an overflow that is not reported traps, in every function
    bool wraps;           // -fwrapv: signed arithmetic has no mistakes
    bool c90;             // in which shifts of negative numbers have none
} SanitizeOptions;

// The meaning of a name in a list.
typedef enum {
    SANITIZE_KNOWN,   // the members in the set
    SANITIZE_NOTHING, // there is nothing to do about it
    SANITIZE_MISSING, // known, and not done
    SANITIZE_UNKNOWN
} SanitizeName;

SanitizeName sanitize_named(const char *name, size_t length, SanitizerSet *set,
                            const char **reason);
