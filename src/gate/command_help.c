#include "gate/command_help.h"

#include "base/spelling.h"

#include <string.h>

typedef enum {
#define COMMAND(name, arguments, about) NUMBER_##name,
#include "gate/command_help.def"
    COMMAND_COUNT
} CommandNumber;

// The names by which rows of options say whose they are.
enum {
#define COMMAND(name, arguments, about) name = 1 << NUMBER_##name,
#include "gate/command_help.def"
};

static const struct {
    const char *name, *arguments, *about;
} commands[COMMAND_COUNT] = {
#define COMMAND(name, arguments, about) {#name, arguments, about},
#include "gate/command_help.def"
};

static const struct {
    unsigned commands;
    const char *option, *meaning;
} options[] = {
#define OPTION(commands, option, meaning) {commands, option, meaning},
#include "gate/command_help.def"
};

enum { OPTION_COUNT = sizeof options / sizeof *options, MEANINGS_AT = 25 };

static CommandNumber number_of(const char *command) {
    CommandNumber i = 0;
    while (i < COMMAND_COUNT && strcmp(commands[i].name, command) != 0) i++;
    return i;
}

// "  --option=VALUE         meaning", with further lines of the meaning below the first.
static void print_option(Out *out, const char *option, const char *meaning) {
    out_printf(out, "  %-22s ", option);
    for (; *meaning; meaning++) {
        out_char(out, *meaning);
        for (int i = 0; *meaning == '\n' && i < MEANINGS_AT; i++) out_char(out, ' ');
    }
    out_char(out, '\n');
}

bool command_exists(const char *command) {
    return number_of(command) < COMMAND_COUNT;
}

int command_help_print(const char *command) {
    CommandNumber number = number_of(command);
    Out out = {0};
    bool bare = !*commands[number].arguments;
    out_printf(&out, "usage: gate %s%s%s\n\n%s\noptions%s:\n", command, bare ? "" : " [OPTIONS] ",
               commands[number].arguments, commands[number].about, bare ? "" : ", before FILE");
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        if (options[i].commands >> number & 1)
            print_option(&out, options[i].option, options[i].meaning);
    if (!bare && number != NUMBER_run)
        out_text(&out,
                 "\nexit status: 0 good, 1 mistakes in the input or forms that differ, 2 usage\n");
    out_flush(&out, stdout);
    out_free(&out);
    return 0;
}

static size_t name_length(const char *option) {
    return strcspn(option, "= ");
}

static bool same_option(uint32_t row, const char *option) {
    size_t length = name_length(option);
    return name_length(options[row].option) == length &&
           memcmp(options[row].option, option, length) == 0;
}

// The commands of all rows of an option.
static unsigned takers(const char *option) {
    unsigned found = 0;
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        if (same_option(i, option)) found |= options[i].commands;
    return found;
}

bool command_takes(const char *command, const char *option) {
    CommandNumber number = number_of(command);
    unsigned found = takers(option);
    return number == COMMAND_COUNT || !found || found >> number & 1;
}

void command_takers(Out *out, const char *option) {
    unsigned left = takers(option), before = 0;
    for (CommandNumber i = 0; i < COMMAND_COUNT; i++) {
        if (!(left >> i & 1)) continue;
        left &= ~(1u << i);
        out_printf(out, "%s%s", !before++ ? "" : left ? ", " : " and ", commands[i].name);
    }
}

const char *command_nearest_option(Arena *arena, const char *command, const char *option) {
    CommandNumber number = number_of(command);
    Spelling spelling;
    spelling_start(&spelling, option);
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
        const char *row = options[i].option;
        if (number == COMMAND_COUNT || options[i].commands >> number & 1)
            spelling_try(&spelling, arena_text(arena, row, name_length(row)));
    }
    return spelling.nearest;
}
