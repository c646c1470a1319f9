#include "driver/known_options.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *option;
    const char *reason;
} Refusal;

static const Refusal refusals[] = {
#define REFUSED(option, reason) {option, reason},
#include "driver/known_options.def"
};

static const char *const flags[] = {
#define FLAG(name) name,
#include "driver/known_options.def"
    NULL};

static const char *const machine[] = {
#define MACHINE(name) name,
#include "driver/known_options.def"
    NULL};

static const char *const warnings[] = {
#define WARN(name) name,
#include "driver/known_options.def"
    NULL};

static const char *const foreign[] = {
#define FOREIGN(name) name,
#include "driver/known_options.def"
    NULL};

// Whether a name, up to its value, is the one in the table.
static bool fits(const char *name, const char *row) {
    size_t length = strlen(row);
    if (length && row[length - 1] == '*') return strncmp(name, row, length - 1) == 0;
    return strncmp(name, row, length) == 0 && (!name[length] || name[length] == '=');
}

static bool is_in(const char *name, const char *const *table) {
    if (strncmp(name, "no-", 3) == 0) name += 3;
    while (*table && !fits(name, *table)) table++;
    return *table != NULL;
}

const char *option_refusal(const char *option) {
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (fits(option, refusals[i].option)) return refusals[i].reason;
    return NULL;
}

// Whether the option asks not to do what cannot be done.
static bool refuses_refused(const char *option) {
    if (strncmp(option, "-fno-", 5) != 0) return false;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (strncmp(refusals[i].option, "-f", 2) == 0 && fits(option + 5, refusals[i].option + 2))
            return true;
    return false;
}

bool option_is_quiet(const char *option) {
    if (strncmp(option, "-f", 2) == 0) return is_in(option + 2, flags) || refuses_refused(option);
    if (strncmp(option, "-m", 2) == 0) return is_in(option + 2, machine);
    if (strncmp(option, "-W", 2) != 0) return false;
    const char *name = option + 2;
    // A warning that nobody knows is off as it is asked to be.
    if (strncmp(name, "no-", 3) == 0) return true;
    return is_in(strncmp(name, "error=", 6) == 0 ? name + 6 : name, warnings);
}

bool option_is_foreign(const char *option) {
    if (strncmp(option, "-W", 2) != 0) return false;
    return is_in(strncmp(option + 2, "error=", 6) == 0 ? option + 8 : option + 2, foreign);
}
