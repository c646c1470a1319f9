// Which warnings are on, and the options that say so.
#include "c/warnings.h"

#include <stddef.h>
#include <string.h>

typedef enum { GROUP_ALWAYS, GROUP_ALL, GROUP_EXTRA, GROUP_PEDANTIC, GROUP_NEVER } Group;

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
    {"implicit", {"implicit-function-declaration", "implicit-int"}},
    {"unused-local-typedefs", {NULL}},
    {"switch-enum", {"switch"}},
};

const char *warning_name(Warning warning) {
    return rows[warning].name;
}

void warnings_init(WarningSet *set) {
    *set = (WarningSet){0};
    for (unsigned i = 0; i < WARN_COUNT; i++) set->on[i] = rows[i].group == GROUP_ALWAYS;
}

void warnings_none(WarningSet *set) {
    memset(set->on, 0, sizeof set->on);
    set->none = true;
}

bool warnings_want(const WarningSet *set, const char *name) {
    for (unsigned i = 0; name && i < WARN_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) return set->on[i];
    return !set->none;
}

static void switch_group(WarningSet *set, Group group, bool on) {
    for (unsigned i = 0; i < WARN_COUNT; i++)
        if (rows[i].group == group) set->on[i] = on;
}

// Switches a warning, or with `error` whether it is an error; false if there is none of that name.
static bool switch_name(WarningSet *set, const char *name, bool on, bool error) {
    for (unsigned i = 0; i < WARN_COUNT; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        if (error) set->error[i] = on;
        if (!error || on) set->on[i] = on;
        return true;
    }
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(families[i].name, name) != 0) continue;
        const char *const *members = families[i].members;
        for (; *members; members++) switch_name(set, *members, on, error);
        return true;
    }
    return false;
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
    } else if (strcmp(text, "everything") == 0) {
        for (unsigned i = 0; i < WARN_COUNT; i++) set->on[i] = on;
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
