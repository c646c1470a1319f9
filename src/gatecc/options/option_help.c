// Prints the rows of options.def by kind of treatment; the rows of missing_options.def follow with
// their reasons. The same rows serve to read the command line, so the help is always true.
#include "gatecc/options/option_help.h"

#include "gatecc/options/missing_options.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
    const char *name, *form, *handler, *who;
} HelpRow;

static const HelpRow rows[] = {
#define OPTION(name, form, handler, who) {name, #form, #handler, #who},
#include "gatecc/options/options.def"
};

typedef enum { HELP_DONE, HELP_PASSED, HELP_NOTHING } HelpKind;

static HelpKind kind_of(const HelpRow *row) {
    if (strcmp(row->handler, "NULL") != 0) return HELP_DONE;
    return strcmp(row->who, "0") == 0 ? HELP_NOTHING : HELP_PASSED;
}

// An option that takes its argument as a word of its own says so.
static const char *argument_of(const HelpRow *row) {
    if (strcmp(row->form, "SEPARATE") == 0) return " ARG";
    return strcmp(row->form, "NONE") == 0 ? "" : "ARG";
}

static void list_machine_options(Out *out, size_t *column, const MachineOption *row) {
    for (; row->name; row++) {
        option_list_word(out, column, "-m", row->name);
        if (row->form == MACHINE_VALUE) out_text(out, "=ARG");
        if (row->form == MACHINE_SWITCH) option_list_word(out, column, "-mno-", row->name);
    }
}

static void print_kind(Out *out, const char *title, HelpKind kind, const TargetLanguage *language) {
    size_t column = 0;
    out_printf(out, "%s\n", title);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (kind_of(&rows[i]) != kind) continue;
        if (strcmp(rows[i].handler, "on_machine") == 0)
            list_machine_options(out, &column, language->options->options);
        option_list_word(out, &column, rows[i].name, argument_of(&rows[i]));
    }
    out_char(out, '\n');
}

void option_help(Out *out, const TargetLanguage *language) {
    print_kind(out, "Done:", HELP_DONE, language);
    print_kind(out, "Passed on to the linker:", HELP_PASSED, language);
    print_kind(out, "Nothing is to be done, since gatecc works so in any case:", HELP_NOTHING,
               language);
    option_reasons(out, language);
}
