// Which warnings are on, and the options that say so.
#include "c/warnings.h"

#include <stddef.h>
#include <string.h>

// OWN: about what the compiler did, not about the source.
typedef enum {
    GROUP_ALWAYS,
    GROUP_ALL,
    GROUP_EXTRA,
    GROUP_PEDANTIC,
    GROUP_NEVER,
    GROUP_OWN
} WarningGroup;

typedef struct {
    const char *name;
    WarningGroup group;
} WarningRow;

static const WarningRow rows[WARN_COUNT] = {
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

static void switch_one(WarningSet *set, unsigned i, bool on, bool error) {
    if (error) {
        set->error[i] = on;
        set->plain[i] = !on;
    } else {
        set->off[i] = !on;
    }
    if (!error || on) set->on[i] = on;
}

static void switch_group(WarningSet *set, WarningGroup group, bool on, bool error) {
    for (unsigned i = 0; i < WARN_COUNT; i++) {
        if (rows[i].group != group) continue;
        if (error)
            switch_one(set, i, on, true);
        else
            set->on[i] = on;
    }
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

// ---- Options

// NAME or NAME=LEVEL. What is about levels is not known here, but that 0 is off.
typedef struct {
    char name[64];
    const char *level; // behind the '=', or NULL
} Named;

static bool split_name(const char *text, Named *named) {
    size_t length = strcspn(text, "=");
    if (length >= sizeof named->name) return false;
    memcpy(named->name, text, length);
    named->name[length] = '\0';
    named->level = text[length] ? text + length + 1 : NULL;
    return true;
}

// Whether gcc has levels of this warning and this is one.
static bool has_level(const Named *named) {
    static const char *const graded[] = {"format", "implicit-fallthrough"};
    if (!*named->level || named->level[strspn(named->level, "0123456789")]) return false;
    for (size_t i = 0; i < sizeof graded / sizeof *graded; i++)
        if (strcmp(graded[i], named->name) == 0) return true;
    return false;
}

// Switches what an option names, a group included; false if there is nothing of that name.
static bool switch_named(WarningSet *set, const Named *named, bool on, bool error) {
    static const struct {
        const char *name;
        WarningGroup group;
    } groups[] = {{"all", GROUP_ALL}, {"extra", GROUP_EXTRA}, {"pedantic", GROUP_PEDANTIC}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (strcmp(groups[i].name, named->name) != 0) continue;
        if (named->level) return false;
        switch_group(set, groups[i].group, on, error);
        return true;
    }
    // -Wno-attributes=VENDOR:: is about attributes that are unknown, not about the warning.
    if (named->level && strcmp(named->name, "attributes") == 0) return true;
    if (named->level && on && !has_level(named)) return false;
    bool zero = named->level && *named->level && !named->level[strspn(named->level, "0")];
    if (zero && on) return switch_name(set, named->name, false, false);
    return switch_name(set, named->name, on, error);
}

bool warnings_set(WarningSet *set, const char *name, WarningLevel level) {
    // Messages of gcc say "-Wformat=", and programs take that over.
    Named named;
    if (!split_name(name, &named)) return false;
    bool on = level != LEVEL_IGNORED;
    if (!switch_name(set, named.name, on, false)) return false;
    if (on) switch_name(set, named.name, level == LEVEL_ERROR, true);
    return true;
}

bool warnings_option(WarningSet *set, const char *text) {
    static const char prefix[] = "error=";
    bool on = strncmp(text, "no-", 3) != 0;
    if (!on) text += 3;
    if (strcmp(text, "error") == 0) {
        set->all_errors = on;
        return true;
    }
    bool error = strncmp(text, prefix, strlen(prefix)) == 0;
    Named named;
    if (!split_name(error ? text + strlen(prefix) : text, &named)) return false;
    return switch_named(set, &named, on, error);
}
