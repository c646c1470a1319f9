// Which warnings are on, and the options that say so.
#include "c/warnings.h"

#include <stddef.h>
#include <string.h>

// OWN: about what the compiler did, not about the source.
typedef enum { GROUP_ALWAYS, GROUP_ALL, GROUP_EXTRA, GROUP_PEDANTIC, GROUP_NEVER, GROUP_OWN } Group;

typedef struct {
    const char *name;
    Group group;
} Row;

static const Row rows[WARN_COUNT] = {
#define WARNING(id, name, group) [WARN_##id] = {name, GROUP_##group},
    WARNINGS(WARNING)
#undef WARNING
};

// Names that stand for several warnings.
typedef struct {
    const char *name, *members[8];
} Family;

static const Family families[] = {
    {"unused",
     {"unused-variable", "unused-function", "unused-label", "unused-value",
      "unused-but-set-variable"}},
    {"conversion", {"sign-conversion", "float-conversion"}},
    {"implicit", {"implicit-function-declaration", "implicit-int"}},
    {"unused-local-typedefs", {NULL}},
    {"switch-enum", {"switch"}},
    {"pipeline", {"rejected-pass", "form-not-reached"}},
};

const char *warning_name(Warning warning) {
    return rows[warning].name;
}

void warnings_init(WarningSet *set) {
    *set = (WarningSet){0};
    for (unsigned i = 0; i < WARN_COUNT; i++)
        set->on[i] = rows[i].group == GROUP_ALWAYS || rows[i].group == GROUP_OWN;
}

void warnings_none(WarningSet *set) {
    memset(set->on, 0, sizeof set->on);
    set->none = true;
}

// With -w only an error that was asked for by its name is told, and only if it is not about the source.
WarningLevel warnings_level(const WarningSet *set, const char *name) {
    for (unsigned i = 0; name && i < WARN_COUNT; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        if (rows[i].group == GROUP_OWN && set->error[i] && !set->off[i]) return LEVEL_ERROR;
        if (!set->on[i] || set->none) return LEVEL_IGNORED;
        bool error = set->error[i] || (set->all_errors && !set->plain[i]);
        return error ? LEVEL_ERROR : LEVEL_WARNING;
    }
    if (set->none) return LEVEL_IGNORED;
    return set->all_errors ? LEVEL_ERROR : LEVEL_WARNING;
}

static void switch_group(WarningSet *set, Group group, bool on) {
    for (unsigned i = 0; i < WARN_COUNT; i++)
        if (rows[i].group == group) set->on[i] = on;
}

static void switch_one(WarningSet *set, unsigned i, bool on, bool error) {
    if (error) {
        set->error[i] = on;
        set->plain[i] = !on;
    } else {
        set->off[i] = !on;
    }
    if (!error || on) set->on[i] = on;
}

// Switches a warning and what else its name stands for, or with `error` whether it is an error; false
// if there is none of that name.
static bool switch_name(WarningSet *set, const char *name, bool on, bool error) {
    bool found = false;
    for (unsigned i = 0; i < WARN_COUNT; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        switch_one(set, i, on, error);
        found = true;
    }
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(families[i].name, name) != 0) continue;
        const char *const *members = families[i].members;
        for (; *members; members++) switch_name(set, *members, on, error);
        found = true;
    }
    return found;
}

bool warnings_set(WarningSet *set, const char *name, WarningLevel level) {
    bool on = level != LEVEL_IGNORED;
    if (!switch_name(set, name, on, false)) return false;
    if (on) switch_name(set, name, level == LEVEL_ERROR, true);
    return true;
}

bool warnings_option(WarningSet *set, const char *text) {
    bool on = strncmp(text, "no-", 3) != 0;
    if (!on) text += 3;
    if (strcmp(text, "error") == 0) {
        set->all_errors = on;
        return true;
    }
    if (strncmp(text, "error=", 6) == 0) return switch_name(set, text + 6, on, true);
    if (strcmp(text, "all") == 0) {
        switch_group(set, GROUP_ALL, on);
    } else if (strcmp(text, "extra") == 0) {
        switch_group(set, GROUP_EXTRA, on);
    } else if (strcmp(text, "pedantic") == 0) {
        switch_group(set, GROUP_PEDANTIC, on);
    } else {
        // -Wname=level is -Wname
        char name[64];
        size_t length = strcspn(text, "=");
        if (length >= sizeof name) return false;
        memcpy(name, text, length);
        name[length] = '\0';
        return switch_name(set, name, on && strcmp(text + length, "=0") != 0, false);
    }
    return true;
}
