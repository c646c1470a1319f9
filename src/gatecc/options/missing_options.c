#include "gatecc/options/missing_options.h"

#include "base/spelling.h"
#include "c/tables/warnings.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const OptionNote refused[] = {
#define REFUSED(option, reason) {option, reason},
#include "gatecc/options/missing_options.def"
    {NULL, NULL}};

static const OptionNote harmless[] = {
#define HARMLESS(option, reason) {option, reason},
#include "gatecc/options/missing_options.def"
    {NULL, NULL}};

static const OptionNote foreign[] = {
#define FOREIGN(option, language) {option, language},
#include "gatecc/options/missing_options.def"
    {NULL, NULL}};

// The rows that go without a reason of their own, in order, with those of their groups between
// them.
typedef struct {
    const char *start; // what the option begins with; NULL: `text` is a reason
    const char *text;
} GroupedRow;

static const GroupedRow grouped[] = {
#define GROUP(reason) {NULL, reason},
#define FLAG(name)    {"-f", name},
#define WARN(name)    {"-W", name},
#define DEBUG(name)   {"-g", name},
#include "gatecc/options/missing_options.def"
};

static const char *const flags[] = {
#define FLAG(name) name,
#include "gatecc/options/missing_options.def"
    NULL};

static const char *const warnings[] = {
#define WARN(name) name,
#include "gatecc/options/missing_options.def"
    NULL};

static const char *const debugging[] = {
#define DEBUG(name) name,
#include "gatecc/options/missing_options.def"
    NULL};

static const char *const own[] = {
#define OPTION(name, form, handler, who) name,
#include "gatecc/options/options.def"
    NULL};

// Whether a name, up to its value, is the one in the table.
static bool fits(const char *name, const char *row) {
    size_t length = strlen(row);
    if (length && row[length - 1] == '*') return strncmp(name, row, length - 1) == 0;
    return strncmp(name, row, length) == 0 && (!name[length] || name[length] == '=');
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_in(const char *name, const char *const *table) {
    if (starts_with(name, "no-")) name += 3;
    while (*table && !fits(name, *table)) table++;
    return *table != NULL;
}

static const char *find_note(const OptionNote *notes, const char *option) {
    while (notes->option && !fits(option, notes->option)) notes++;
    return notes->text;
}

// The same for -fno-NAME and -mno-NAME as for -fNAME and -mNAME.
static const char *find_note_of_name(const OptionNote *notes, const char *option) {
    const char *text = find_note(notes, option);
    if (text || !option[1] || !starts_with(option + 2, "no-")) return text;
    for (; notes->option; notes++)
        if (strncmp(option, notes->option, 2) == 0 && fits(option + 5, notes->option + 2)) break;
    return notes->text;
}

// The note of an option in either of two tables.
static const char *find_in_both(const OptionNote *a, const OptionNote *b, const char *option) {
    const char *text = find_note_of_name(a, option);
    return text ? text : find_note_of_name(b, option);
}

bool option_refused(const TargetLanguage *language, const char *option) {
    const KnownMachineOptions *known = &language->options->known;
    if (find_note(harmless, option) || find_note(known->harmless, option)) return false;
    const char *reason = find_note(refused, option);
    if (!reason) reason = find_note(known->refused, option);
    if (reason)
        fprintf(stderr, "gatecc: error: option '%s' is not supported: %s\n", option, reason);
    return reason;
}

const char *option_language(const char *option) {
    return find_note_of_name(foreign, option);
}

// The row of an option that may have certain values.
static const OptionValues *find_values(const TargetLanguage *language, const char *option) {
    const OptionValues *row = language->options->known.valued;
    while (row->option && !fits(option, row->option)) row++;
    return row->option ? row : NULL;
}

bool option_value_error(const TargetLanguage *language, const char *option) {
    const OptionValues *row = find_values(language, option);
    const char *value = strchr(option, '=');
    if (!row || !value) return false;
    size_t length = strlen(++value);
    for (const char *at = row->values; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncmp(at, value, length) == 0) return false;
    fprintf(stderr,
            "gatecc: error: bad value '%s' for '%s=' switch\n"
            "gatecc: note: valid arguments to '%s=' switch are: %s\n",
            value, row->option, row->option, row->values);
    return true;
}

bool option_is_quiet(const TargetLanguage *language, const char *option) {
    const KnownMachineOptions *known = &language->options->known;
    if (find_in_both(harmless, known->harmless, option) || find_values(language, option))
        return true;
    bool negative = option[1] && starts_with(option + 2, "no-");
    if (starts_with(option, "-f"))
        return is_in(option + 2, flags) ||
               (negative && find_in_both(refused, known->refused, option));
    if (starts_with(option, "-m")) return is_in(option + 2, known->ignored);
    if (starts_with(option, "-g")) return is_in(option + 2, debugging);
    if (!starts_with(option, "-W")) return false;
    const char *name = option + 2;
    if (starts_with(name, "no-error=")) return is_in(name + 9, warnings);
    // A warning that nobody knows is off as it is asked to be.
    if (negative) return true;
    return is_in(starts_with(name, "error=") ? name + 6 : name, warnings);
}

// ---- What may be meant

typedef struct {
    Arena *arena;
    Spelling spelling;
} Guess;

static void try_table(Guess *guess, const char *start, const char *const *table) {
    for (; *table; table++)
        spelling_try(&guess->spelling, arena_printf(guess->arena, "%s%s", start, *table));
}

static void try_notes(Guess *guess, const OptionNote *notes) {
    for (; notes->option; notes++) spelling_try(&guess->spelling, notes->option);
}

static void try_own(Guess *guess) {
    for (const char *const *name = own; *name; name++) {
        size_t length = strlen(*name);
        if (length < 4) continue; // everything is near to these
        bool has_value = (*name)[length - 1] == '=';
        spelling_try(&guess->spelling,
                     has_value ? arena_text(guess->arena, *name, length - 1) : *name);
    }
}

static void try_machine(Guess *guess, const MachineOption *option) {
    for (; option->name; option++) {
        spelling_try(&guess->spelling, arena_printf(guess->arena, "-m%s", option->name));
        if (option->form == MACHINE_SWITCH)
            spelling_try(&guess->spelling, arena_printf(guess->arena, "-mno-%s", option->name));
    }
}

const char *option_nearest(Arena *arena, const TargetLanguage *language, const char *option) {
    Guess guess = {.arena = arena};
    const char *value = strchr(option, '=');
    if (value) option = arena_text(arena, option, (size_t)(value - option));
    spelling_start(&guess.spelling, option);
    if (guess.spelling.bound > 2 && strlen(option) < 8) guess.spelling.bound = 2;
    try_own(&guess);
    try_machine(&guess, language->options->options);
    for (unsigned i = 0; i < WARN_COUNT; i++)
        spelling_try(&guess.spelling, arena_printf(arena, "-W%s", warning_name(i)));
    try_table(&guess, "-f", flags);
    try_table(&guess, "-m", language->options->known.ignored);
    try_table(&guess, "-W", warnings);
    try_table(&guess, "-g", debugging);
    try_notes(&guess, harmless);
    try_notes(&guess, language->options->known.harmless);
    return guess.spelling.nearest;
}

static void print_notes(Out *out, const OptionNote *notes) {
    for (; notes->option; notes++) out_printf(out, "  %-28s %s\n", notes->option, notes->text);
}

enum { HELP_WIDTH = 100 };

void option_list_word(Out *out, size_t *column, const char *start, const char *name) {
    size_t length = strlen(start) + strlen(name);
    if (*column + length + 1 > HELP_WIDTH || !*column) {
        out_text(out, *column ? "\n    " : "    ");
        *column = 4;
    } else {
        out_char(out, ' ');
        (*column)++;
    }
    out_printf(out, "%s%s", start, name);
    *column += length;
}

static void print_groups(Out *out, const KnownMachineOptions *known) {
    size_t column = 0;
    for (size_t i = 0; i < sizeof grouped / sizeof *grouped; i++) {
        if (grouped[i].start) {
            option_list_word(out, &column, grouped[i].start, grouped[i].text);
            continue;
        }
        out_printf(out, "%s  %s:\n", column ? "\n" : "", grouped[i].text);
        column = 0;
    }
    out_printf(out, "%s  %s:\n", column ? "\n" : "", known->reason_of_ignored);
    column = 0;
    for (const char *const *name = known->ignored; *name; name++)
        option_list_word(out, &column, "-m", *name);
    if (column) out_char(out, '\n');
}

static void print_foreign(Out *out) {
    size_t column = 0;
    out_text(out, "For other languages; a warning says so:\n");
    for (const OptionNote *row = foreign; row->option; row++)
        option_list_word(out, &column, "", row->option);
    out_char(out, '\n');
}

void option_reasons(Out *out, const TargetLanguage *language) {
    const KnownMachineOptions *known = &language->options->known;
    out_text(out, "Passed over:\n");
    print_notes(out, harmless);
    print_notes(out, known->harmless);
    for (const OptionValues *row = known->valued; row->option; row++)
        out_printf(out, "  %-28s %s\n", row->option, row->reason);
    out_text(out, "Passed over, with or without no-:\n");
    print_groups(out, known);
    out_text(out, "Refused:\n");
    print_notes(out, refused);
    print_notes(out, known->refused);
    print_foreign(out);
}

void option_warnings(Out *out) {
    out_text(out, "Warnings, by the name behind -W, and what turns them on:\n");
    for (unsigned i = 0; i < WARN_COUNT; i++)
        out_printf(out, "  %-30s %-10s %s\n", warning_name(i), warning_group(i), warning_text(i));
    out_text(out, "Accepted, not given:\n");
    for (const char *const *name = warnings; *name; name++) out_printf(out, "  %s\n", *name);
}
