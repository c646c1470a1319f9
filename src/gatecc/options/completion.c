// The words that a shell can complete: every option of the tables, so that none can be forgotten.
#include "gatecc/options/completion.h"

#include "c/tables/warnings.h"
#include "form/program.h"
#include "gatecc/options/long_options.h"
#include "pass/fact_kinds.h"
#include "pipeline/pipeline.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const char *prefix;
    VEC(char *) found;
} Completion;

// Adds a word that is made of three parts. A * at the end of a row stands for any rest.
static void add(Completion *c, const char *before, const char *name, const char *after) {
    size_t length = strlen(name);
    if (length && name[length - 1] == '*') length--;
    char *word = arena_printf(c->arena, "%s%.*s%s", before, (int)length, name, after);
    if (strncmp(word, c->prefix, strlen(c->prefix)) == 0) vec_push(c->arena, &c->found, word);
}

static void add_both(Completion *c, const char *letter, const char *name) {
    add(c, letter, name, "");
    if (strncmp(name, "no-", 3) == 0) return;
    const char *no = arena_printf(c->arena, "%sno-", letter);
    add(c, no, name, "");
}

// What gatecc has, and what it knows of gcc's and can be passed over; nobody is led to what is
// refused.
static void add_options(Completion *c) {
#define OPTION(name, form, handler, who) add(c, "", name, "");
#include "gatecc/options/options.def"
#define FLAG(name)               add_both(c, "-f", name);
#define WARN(name)               add_both(c, "-W", name);
#define DEBUG(name)              add(c, "-g", name, "");
#define HARMLESS(option, reason) add(c, "", option, "");
#include "gatecc/options/missing_options.def"
    for (uint32_t i = 0; long_option_at(i); i++) add(c, "--", long_option_at(i), "");
}

static void add_machine_options(Completion *c, const TargetOptions *options) {
    for (const MachineOption *row = options->options; row->name; row++) {
        add(c, "-m", row->name, row->form == MACHINE_VALUE ? "=" : "");
        if (row->form == MACHINE_SWITCH) add(c, "-mno-", row->name, "");
    }
    for (const char *const *name = options->known.ignored; *name; name++) add_both(c, "-m", *name);
    for (const OptionNote *row = options->known.harmless; row->option; row++)
        add(c, "", row->option, "");
}

static void add_warnings(Completion *c) {
    static const char *const groups[] = {"all", "extra", "error", "fatal-errors", "pedantic"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) add(c, "-W", groups[i], "");
    for (unsigned i = 0; i < WARN_COUNT; i++) {
        add_both(c, "-W", warning_name(i));
        add(c, "-Werror=", warning_name(i), "");
    }
}

// The options whose values are known.
static void add_values(Completion *c) {
    static const char *const words[] = {"-O0",
                                        "-O1",
                                        "-O2",
                                        "-O3",
                                        "-Os",
                                        "-Og",
                                        "-Ofast",
                                        "--check=fast",
                                        "--check=steps",
                                        "--check=matrix",
                                        "--check=off",
                                        "-std=c89",
                                        "-std=c99",
                                        "-std=c11",
                                        "-std=c17",
                                        "-std=gnu89",
                                        "-std=gnu99",
                                        "-std=gnu11",
                                        "-std=gnu17",
                                        "-fvisibility=default",
                                        "-fvisibility=hidden"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) add(c, "", words[i], "");
    for (PassId pass = 0; pass < PASS_COUNT; pass++) add(c, "-fno-", pass_table[pass].name, "");
    for (FactKind kind = 0; kind < FACT_KIND_COUNT; kind++)
        add(c, "-fno-", fact_kind_name(kind), "");
    for (Form form = 0; form < FORM_COUNT; form++) add(c, "--emit=", form_name(form), "");
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void completion_print(Arena *arena, Out *out, const TargetLanguage *language, const char *prefix) {
    Completion c = {.arena = arena, .prefix = prefix};
    add_options(&c);
    add_machine_options(&c, language->options);
    add_warnings(&c);
    add_values(&c);
    if (c.found.count) qsort(c.found.at, c.found.count, sizeof *c.found.at, compare);
    for (uint32_t i = 0; i < c.found.count; i++) {
        if (i && strcmp(c.found.at[i - 1], c.found.at[i]) == 0) continue;
        out_text(out, c.found.at[i]);
        out_char(out, '\n');
    }
}
