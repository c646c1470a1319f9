#include "gate/gate_asm.h"

#include "gate/exit_status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void asm_defaults(AsmOptions *options) {
    *options = (AsmOptions){.choice = {.seed = 1}, .seeds = 1};
}

static bool mistake(bool *told, const char *format, const char *value) {
    fprintf(stderr, "gate: ");
    fprintf(stderr, format, value);
    fprintf(stderr, "\nTry 'gate --help'.\n");
    *told = true;
    return true;
}

static const char *value_of(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool is_number(const char *text, uint64_t most, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *number <= most;
}

static bool choice_named(const char *name, AsmChoiceKind *kind) {
    static const char *const names[] = {
        [ASM_EAGER] = "eager", [ASM_LAZY] = "lazy", [ASM_REVERSE] = "reverse"};
    for (AsmChoiceKind i = ASM_EAGER; i <= ASM_REVERSE; i++)
        if (strcmp(names[i], name) == 0) {
            *kind = i;
            return true;
        }
    return false;
}

static bool give(AsmOptions *options, const char *name) {
    if (options->given && strcmp(options->given, name) != 0)
        options->other = name;
    else
        options->given = name;
    return true;
}

bool asm_option(AsmOptions *options, const char *argument, bool *told) {
    AsmChoice *choice = &options->choice;
    const char *value;
    uint64_t number;
    *told = false;
    if ((value = value_of(argument, "--seed="))) {
        if (!is_number(value, UINT64_MAX, &choice->seed))
            return mistake(told, "'%s' is not a number", value);
        return give(options, "--seed");
    }
    if ((value = value_of(argument, "--order="))) {
        if (!choice_named(value, &choice->kind))
            return mistake(told, "there is no order '%s' (eager, lazy, reverse)", value);
        return give(options, "--order");
    }
    if (strcmp(argument, "--step") == 0) return options->step = true;
    if (strcmp(argument, "--exhaustive") == 0) {
        choice->visits = 1;
        return give(options, "--exhaustive");
    }
    if ((value = value_of(argument, "--exhaustive="))) {
        if (!is_number(value, UINT32_MAX, &number) || !number)
            return mistake(told, "'%s' is not a number of visits", value);
        choice->visits = (uint32_t)number;
        return give(options, "--exhaustive");
    }
    if (strcmp(argument, "--lockstep") == 0) return options->lockstep = true;
    if (!(value = value_of(argument, "--seeds="))) return false;
    if (!is_number(value, UINT32_MAX, &number) || !number)
        return mistake(told, "'%s' is not a number of seeds", value);
    options->seeds = (uint32_t)number;
    options->seeds_given = true;
    return true;
}

bool asm_seed_given(const AsmOptions *options) {
    return options->given && strcmp(options->given, "--seed") == 0;
}

const char *asm_mistake(Arena *arena, const AsmOptions *options, const char *command, RunWay way,
                        const char *form) {
    if (options->seeds_given && strcmp(command, "compare") != 0)
        return "--seeds goes with compare only";
    if (options->other)
        return arena_printf(arena, "%s and %s exclude each other", options->given, options->other);
    if (options->step && options->choice.visits)
        return "--step and --exhaustive exclude each other";
    bool runs = strcmp(command, "run") == 0;
    if (form && strcmp(form, "asm") == 0 && !runs && strcmp(command, "show") != 0)
        return "asm is a way to run ssa: it goes with run and show only";
    if (options->lockstep && strcmp(command, "compare") != 0)
        return "--lockstep goes with compare only";
    bool seed = asm_seed_given(options);
    bool code = options->lockstep || (form && strcmp(form, form_name(FORM_MACH0)) == 0);
    if (options->given && (way != RUN_asm || !runs) && !(seed && code))
        return arena_printf(
            arena,
            seed ? "%s goes with run asm, with mach0, and with compare --lockstep only"
                 : "%s goes with run asm, or run ssa --asm, only",
            options->given);
    if (seed && options->seeds_given) return "--seed and --seeds exclude each other";
    return NULL;
}

uint64_t asm_seed(const AsmOptions *options) {
    return asm_seed_given(options) ? options->choice.seed : 0;
}

// ---- What was found

static const char *counted(char *text, size_t size, uint64_t number) {
    if (number == UINT64_MAX)
        snprintf(text, size, "too many to count");
    else
        snprintf(text, size, "%llu", (unsigned long long)number);
    return text;
}

int asm_tell(const AsmChoice *choice, const AsmReport *report, int status) {
    char orders[32], runs[32];
    if (!choice->visits) return status;
    fprintf(stderr,
            "gate: tried every order of %llu blocks, %llu visits: %llu states, %llu firings\n",
            (unsigned long long)report->blocks, (unsigned long long)report->visits,
            (unsigned long long)report->states, (unsigned long long)report->firings);
    fprintf(stderr, "gate: orders: %s; runs with sets: %s; disagreements: %llu\n",
            counted(orders, sizeof orders, report->orders),
            counted(runs, sizeof runs, report->runs), (unsigned long long)report->disagreements);
    if (report->too_large)
        fprintf(stderr, "gate: not tried, as there are too many states: %llu visits\n",
                (unsigned long long)report->too_large);
    if (report->left_early)
        fprintf(stderr, "gate: not tried, as the block was left before its end: %llu visits\n",
                (unsigned long long)report->left_early);
    if (report->first) fprintf(stderr, "gate: %s\n", report->first);
    return report->disagreements ? EXIT_BAD : status;
}
