// Which warnings are on, and the options that say so.
#include "c/tables/warnings.h"

#include <stddef.h>
#include <string.h>

typedef enum {
    GROUP_ALWAYS,
    GROUP_ALL,
    GROUP_EXTRA,
    GROUP_EXTRA_UNUSED,
    GROUP_PEDANTIC,
    GROUP_NEVER,
    GROUP_OWN,
    GROUP_COUNT
} WarningGroup;

typedef struct {
    const char *name;
    WarningGroup group;
    const char *text;
} WarningRow;

static const WarningRow rows[WARN_COUNT] = {
#define WARNING(id, name, group, text) [WARN_##id] = {name, GROUP_##group, text},
#include "c/tables/warnings.def"
#undef WARNING
};

// Names that stand for several warnings, perhaps for one of that name, too.
typedef struct {
    const char *name, *members[12];
} Family;

static const Family families[] = {
    {"unused",
     {"unused-variable", "unused-const-variable", "unused-function", "unused-label", "unused-value",
      "unused-but-set-variable", "unused-local-typedefs"}},
    {"unused-variable", {"unused-const-variable"}},
    {"conversion", {"sign-conversion", "float-conversion"}},
    {"implicit", {"implicit-function-declaration", "implicit-int"}},
    {"parentheses", {"dangling-else"}},
    {"uninitialized", {"maybe-uninitialized"}},
    {"format",
     {"format-extra-args", "format-zero-length", "format-contains-nul", "format-overflow",
      "format-truncation"}},
    {"pipeline", {"rejected-pass", "form-not-reached"}},
};
// The warnings of -Wformat=2 beyond -Wformat.
static const Family format_2 = {"format", {"format-nonliteral", "format-security", "format-y2k"}};

// Names that other compilers have, or gcc had, for the same.
static const struct {
    const char *other, *name;
} aliases[] = {
    {"array-bounds-pointer-arithmetic", "array-bounds"},
    {"bitwise-op-parentheses", "parentheses"},
    {"comments", "comment"},
    {"conditional-uninitialized", "maybe-uninitialized"},
    {"fallthrough", "implicit-fallthrough"},
    {"format-insufficient-args", "format"},
    {"format-invalid-specifier", "format"},
    {"fortify-source", "stringop-overflow"},
    {"implicit-int-conversion", "conversion"},
    {"incompatible-function-pointer-types", "incompatible-pointer-types"},
    {"incompatible-pointer-types-discards-qualifiers", "discarded-qualifiers"},
    {"initializer-overrides", "override-init"},
    {"literal-conversion", "float-conversion"},
    {"logical-op-parentheses", "parentheses"},
    {"return-stack-address", "return-local-addr"},
    {"shadow-compatible-local", "shadow"},
    {"shadow-local", "shadow"},
    {"shift-op-parentheses", "parentheses"},
    {"shorten-64-to-32", "conversion"},
    {"sometimes-uninitialized", "maybe-uninitialized"},
    {"tautological-unsigned-zero-compare", "type-limits"},
    {"unsequenced", "sequence-point"},
    {"unused-local-typedef", "unused-local-typedefs"},
    {"vla-extension", "vla"},
};

const char *warning_name(Warning warning) {
    return rows[warning].name;
}

const char *warning_text(Warning warning) {
    return rows[warning].text;
}

const char *warning_group(Warning warning) {
    static const char *const names[GROUP_COUNT] = {
        [GROUP_ALWAYS] = "default",      [GROUP_ALL] = "-Wall",
        [GROUP_EXTRA] = "-Wextra",       [GROUP_EXTRA_UNUSED] = "-Wextra",
        [GROUP_PEDANTIC] = "-Wpedantic", [GROUP_NEVER] = "",
        [GROUP_OWN] = "default"};
    return names[rows[warning].group];
}

void warnings_init(WarningSet *set) {
    *set = (WarningSet){0};
    for (unsigned i = 0; i < WARN_COUNT; i++)
        set->on[i] = rows[i].group == GROUP_ALWAYS || rows[i].group == GROUP_OWN;
    set->error[WARN_COVERAGE_MISMATCH] = true;
}

void warnings_none(WarningSet *set) {
    memset(set->on, 0, sizeof set->on);
    set->none = true;
}

// With -w only an error that was asked for by its name is told, and only if it is not about the
// source.
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

// Warnings that need two groups.
static void join_groups(WarningSet *set) {
    for (unsigned i = 0; i < WARN_COUNT; i++)
        if (rows[i].group == GROUP_EXTRA_UNUSED && !set->named[i])
            set->on[i] = set->extra && set->unused;
}

static void switch_group(WarningSet *set, WarningGroup group, bool on, bool error) {
    if (group == GROUP_EXTRA) set->extra = on;
    if (group == GROUP_ALL) set->unused = on;
    for (unsigned i = 0; i < WARN_COUNT; i++) {
        bool joint = group == GROUP_EXTRA && rows[i].group == GROUP_EXTRA_UNUSED;
        if (rows[i].group != group && !joint) continue;
        if (error)
            switch_one(set, i, on, true);
        else if (!set->named[i] && !joint)
            set->on[i] = on;
    }
    join_groups(set);
}

static const char *usual_name(const char *name) {
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].other, name) == 0) return aliases[i].name;
    return name;
}

// How a name is switched.
typedef struct {
    bool on;
    bool error;  // switches whether it is an error, not whether it is on
    bool member; // it is switched as a member of a family, so that its own name may have said
                 // otherwise
    bool always; // even then (#pragma)
    uint8_t level;
} WarningSwitch;

static bool switch_name(WarningSet *set, const char *name, WarningSwitch how);

static void switch_members(WarningSet *set, const Family *family, WarningSwitch how) {
    how.member = true;
    how.level = 0;
    for (const char *const *member = family->members; *member; member++)
        switch_name(set, *member, how);
}

// Switches the warnings of a name, or with `error` whether they are errors; false if there is no
// such name.
static bool switch_name(WarningSet *set, const char *name, WarningSwitch how) {
    bool found = false;
    for (unsigned i = 0; i < WARN_COUNT; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        found = true;
        if (how.member && set->named[i] && !how.always && !how.error) continue;
        switch_one(set, i, how.on, how.error);
        if (how.level) set->level[i] = how.level;
        if (!how.member) set->named[i] = true;
    }
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(families[i].name, name) != 0 || (how.member && found)) continue;
        switch_members(set, &families[i], how);
        found = true;
    }
    if (strcmp(name, "unused") == 0 && !how.error) {
        set->unused = how.on;
        if (how.always && !how.on) set->on[WARN_UNUSED_PARAMETER] = false;
        join_groups(set);
    }
    if (strcmp(name, "format") == 0 && (how.level > 1 || !how.on))
        switch_members(set, &format_2, how);
    return found;
}

// ---- Options

// NAME or NAME=LEVEL. The level 0 is off.
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

// Whether this warning has levels and this is a level of it. The levels of null-dereference are
// gatecc's own.
static bool has_level(const Named *named) {
    static const char *const graded[] = {
        "array-bounds",          "format",           "format-overflow",      "format-truncation",
        "shift-overflow",        "use-after-free",   "implicit-fallthrough", "stringop-overflow",
        "unused-const-variable", "null-dereference", "attribute-alias"};
    if (strcmp(named->name, "cast-align") == 0) return strcmp(named->level, "strict") == 0;
    if (!*named->level || named->level[strspn(named->level, "0123456789")]) return false;
    for (size_t i = 0; i < sizeof graded / sizeof *graded; i++)
        if (strcmp(graded[i], named->name) == 0) return true;
    return false;
}

static uint8_t level_number(const Named *named) {
    if (named->level && strcmp(named->level, "strict") == 0) return 2;
    bool digit = named->level && named->level[0] >= '0' && named->level[0] <= '9';
    return digit ? (uint8_t)(named->level[0] - '0') : 0;
}

// -Weverything, as clang has it.
static void switch_everything(WarningSet *set, bool on) {
    static const WarningGroup groups[] = {GROUP_ALL, GROUP_EXTRA, GROUP_PEDANTIC, GROUP_NEVER};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        switch_group(set, groups[i], on, false);
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
    if (strcmp(named->name, "everything") == 0 && !error) {
        switch_everything(set, on);
        return true;
    }
    if (strcmp(named->name, "system-headers") == 0) {
        set->system_headers = on;
        return true;
    }
    // -Wno-attributes=VENDOR:: is about attributes that are unknown, not about the warning.
    if (named->level && strcmp(named->name, "attributes") == 0) return true;
    if (named->level && on && !has_level(named)) return false;
    bool zero = named->level && *named->level && !named->level[strspn(named->level, "0")];
    const char *name = usual_name(named->name);
    if (zero && on) return switch_name(set, name, (WarningSwitch){.on = false});
    return switch_name(set, name,
                       (WarningSwitch){.on = on, .error = error, .level = level_number(named)});
}

bool warnings_set(WarningSet *set, const char *name, WarningLevel level) {
    // Messages of gcc say "-Wformat=", and programs take that over.
    Named named;
    if (!split_name(name, &named)) return false;
    bool on = level != LEVEL_IGNORED;
    const char *usual = usual_name(named.name);
    if (!switch_name(set, usual,
                     (WarningSwitch){.on = on, .always = true, .level = level_number(&named)}))
        return false;
    if (on)
        switch_name(set, usual,
                    (WarningSwitch){.on = level == LEVEL_ERROR, .error = true, .always = true});
    return true;
}

bool warnings_option(WarningSet *set, const char *text) {
    static const char prefix[] = "error=";
    if (strcmp(text, "error-implicit-function-declaration") == 0)
        text = "error=implicit-function-declaration";
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
