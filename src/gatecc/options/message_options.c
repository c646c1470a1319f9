// Options about how messages look. Later options override earlier ones.
#include "gatecc/options/message_options.h"

#include "base/spelling.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// -fNAME and -fno-NAME.
typedef struct {
    const char *name;
    size_t place;
    bool inverted; // the member says that it is off
} Switch;

static const Switch switches[] = {
    {"diagnostics-show-caret", offsetof(MessageOptions, no_caret), true},
    {"diagnostics-show-line-numbers", offsetof(MessageOptions, no_line_numbers), true},
    {"diagnostics-show-option", offsetof(MessageOptions, no_option), true},
    {"diagnostics-generate-patch", offsetof(MessageOptions, patch), false},
    {"diagnostics-parseable-fixits", offsetof(MessageOptions, parseable_fixits), false},
    {"show-column", offsetof(MessageOptions, no_column), true},
};

static bool set_switch(MessageOptions *options, const char *name) {
    bool on = strncmp(name, "no-", 3) != 0;
    if (!on) name += 3;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (strcmp(switches[i].name, name) != 0) continue;
        *(bool *)((char *)options + switches[i].place) = on != switches[i].inverted;
        return true;
    }
    return false;
}

// -fNAME=NUMBER.
typedef struct {
    const char *name;
    size_t place;
    uint32_t least, most, usual; // another number counts as the usual one, as it does for gcc
} NumberOption;

static const NumberOption numbers[] = {
    {"diagnostics-column-origin", offsetof(MessageOptions, column_origin), 0, UINT32_MAX, 1},
    {"diagnostics-minimum-margin-width", offsetof(MessageOptions, margin), 0, 1000, 6},
    {"tabstop", offsetof(MessageOptions, tabstop), 1, 100, 8},
    {"message-length", offsetof(MessageOptions, message_length), 0, 1000000, 0},
};

static bool is_number(const char *text) {
    return *text && !text[strspn(text, "0123456789")];
}

static bool set_number(MessageOptions *options, const NumberOption *row, const char *text,
                       const char *value) {
    if (!is_number(value)) {
        fprintf(stderr, "gatecc: error: argument to '%.*s' should be a non-negative integer\n",
                (int)(value - text), text);
        return false;
    }
    unsigned long number = strtoul(value, NULL, 10);
    bool fits = number >= row->least && number <= row->most;
    *(uint32_t *)((char *)options + row->place) = fits ? (uint32_t)number : row->usual;
    return true;
}

// -fNAME=WORD.
typedef struct {
    const char *name, *words[8];
    void (*set)(MessageOptions *options, size_t word);
} Choice;

static void set_format(MessageOptions *options, size_t word) {
    static const MessageFormat formats[] = {MESSAGES_TEXT, MESSAGES_JSON,  MESSAGES_JSON,
                                            MESSAGES_JSON, MESSAGES_SARIF, MESSAGES_SARIF};
    options->format = formats[word];
    options->to_file = word == 3 || word == 5;
}

static void set_column_unit(MessageOptions *options, size_t word) {
    options->byte_columns = word == 1;
}

static void set_escape(MessageOptions *options, size_t word) {
    options->escape_bytes = word == 1;
}

static void set_location(MessageOptions *options, size_t word) {
    options->every_line = word == 1;
}

static const Choice choices[] = {
    {"diagnostics-format",
     {"text", "json", "json-stderr", "json-file", "sarif-stderr", "sarif-file"},
     set_format},
    {"diagnostics-column-unit", {"display", "byte"}, set_column_unit},
    {"diagnostics-escape-format", {"unicode", "bytes"}, set_escape},
    {"diagnostics-show-location", {"once", "every-line"}, set_location},
};

static bool set_choice(MessageOptions *options, const Choice *row, const char *text,
                       const char *value) {
    for (size_t i = 0; row->words[i]; i++) {
        if (strcmp(row->words[i], value) != 0) continue;
        row->set(options, i);
        return true;
    }
    fprintf(stderr, "gatecc: error: unrecognized argument in option '%s'", text);
    const char *nearest = spelling_nearest(value, row->words);
    if (nearest) {
        fprintf(stderr, "; did you mean '%s'?\n", nearest);
        return false;
    }
    fprintf(stderr, " (valid:");
    for (size_t i = 0; row->words[i]; i++) fprintf(stderr, " %s", row->words[i]);
    fprintf(stderr, ")\n");
    return false;
}

bool message_option(MessageOptions *options, const char *text) {
    const char *name = text + 2, *value = strchr(text, '=');
    size_t length = value ? (size_t)(value - name) : 0;
    if (strcmp(name, "diagnostics-plain-output") == 0) {
        options->no_caret = options->no_line_numbers = options->plain = true;
        return true;
    }
    if (!value) return set_switch(options, name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == length && strncmp(numbers[i].name, name, length) == 0)
            return set_number(options, &numbers[i], text, value + 1);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (strlen(choices[i].name) == length && strncmp(choices[i].name, name, length) == 0)
            return set_choice(options, &choices[i], text, value + 1);
    return false;
}
