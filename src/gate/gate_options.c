// The command line of gate.
#include "explore/forge.h"
#include "gate/command_help.h"
#include "gate/gate_session.h"
#include "gatecc/options/certified_options.h"
#include "pipeline/transforms.h"
#include "solve/cadical.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

bool gate_usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "gate: ");
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'gate --help'.\n");
    return false;
}

static bool number_argument(const char *text, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

// The value of --name=value if the argument is that option.
static const char *value_of(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                           : NULL;
}

static bool check_named(const char *name, CheckMode *check) {
    const char *names[] = {[CHECK_FAST] = "fast",
                           [CHECK_STEPS] = "steps",
                           [CHECK_MATRIX] = "matrix",
                           [CHECK_OFF] = "off"};
    for (*check = 0; *check < sizeof names / sizeof names[0]; ++*check)
        if (strcmp(names[*check], name) == 0) return true;
    return false;
}

// I,J
static bool parse_pair(GateOptions *options, const char *text) {
    MatrixPair pair;
    int end = -1;
    options->matrix = true;
    if (sscanf(text, "%" SCNu32 ",%" SCNu32 "%n", &pair.from, &pair.to, &end) != 2 || text[end])
        return gate_usage("'%s' is not a pair of nodes", text);
    vec_push(options->arena, &options->pairs, pair);
    return true;
}

static bool unknown_option(const GateOptions *options, const char *argument) {
    const char *nearest = command_nearest_option(options->arena, options->command, argument);
    return nearest ? gate_usage("unknown option '%s'; did you mean '%s'?", argument, nearest)
                   : gate_usage("unknown option '%s'", argument);
}

// An option that some other command takes.
static bool misplaced_option(const char *argument) {
    Out takers = {0};
    command_takers(&takers, argument);
    gate_usage("%.*s goes with %.*s only", (int)strcspn(argument, "="), argument,
               (int)takers.length, takers.text);
    out_free(&takers);
    return false;
}

// PASS,PASS,...
static bool parse_passes(const GateOptions *options, bool *chosen, const char *text) {
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        const char *name = arena_text(options->arena, at, (size_t)(end - at));
        PassId pass = pass_named(name);
        if (pass == PASS_COUNT) return gate_usage("there is no pass '%s'", name);
        chosen[pass] = true;
    }
    return true;
}

// The pass by whose checker one is judged that has none.
static const char *judged_by(PassId pass) {
    for (uint32_t i = 0; i < excursion_count; i++)
        if (pass_table[excursion_table[i].way_in].to == pass_table[pass].to)
            return pass_table[excursion_table[i].way_out].name;
    return "another";
}

// The pass runs whatever its level, with a mistake in it.
static bool parse_forge(GateOptions *options, const char *name) {
    PassId pass = pass_named(name);
    if (pass == PASS_COUNT) return gate_usage("there is no pass '%s'", name);
    if (!forge_table[pass])
        return gate_usage("--forge: pass %s has no checker of its own; %s has, which leads back",
                          name, judged_by(pass));
    options->transforms[pass] = forge_table[pass];
    options->on[pass] = options->forged[pass] = true;
    return true;
}

static bool parse_valued_option(GateOptions *options, const char *argument) {
    const char *value;
    if ((value = value_of(argument, "--after"))) {
        if (options->after_too != step_count) return gate_usage("--after is given three times");
        options->after_too = options->after;
        options->after = step_named(value);
        if (options->after == step_count) return gate_usage("there is no step '%s'", value);
    } else if ((value = value_of(argument, "--off")) || (value = value_of(argument, "--on"))) {
        return parse_passes(options, argument[3] == 'f' ? options->off : options->on, value);
    } else if ((value = value_of(argument, "--pass"))) {
        if (options->pass) return gate_usage("--pass is given twice");
        options->pass = value;
    } else if ((value = value_of(argument, "--function"))) {
        return functions_named(&options->functions, options->arena, value) ||
               gate_usage("'%s' is not a list of functions", value);
    } else if ((value = value_of(argument, "--ssa"))) {
        if (!transform_select_ssa(options->transforms, value))
            return gate_usage("there is no flavour '%s' of SSA", value);
    } else if ((value = value_of(argument, "--forge"))) {
        return parse_forge(options, value);
    } else if ((value = value_of(argument, "--fuel"))) {
        if (!number_argument(value, &options->fuel))
            return gate_usage("'%s' is not a number", value);
    } else if ((value = value_of(argument, "--placement"))) {
        options->placement = strcmp(value, "touching") == 0 ? PLACEMENT_TOUCHING : PLACEMENT_APART;
        if (options->placement == PLACEMENT_APART && strcmp(value, "apart") != 0)
            return gate_usage("there is no placement '%s' (apart, touching)", value);
    } else if ((value = value_of(argument, "--trace"))) {
        options->trace = strcmp(value, "all") == 0     ? TRACE_ALL
                         : strcmp(value, "calls") == 0 ? TRACE_CALLS
                                                       : TRACE_EVENTS;
        if (options->trace == TRACE_EVENTS && strcmp(value, "events") != 0)
            return gate_usage("there is no trace '%s' (events, calls, all)", value);
    } else if ((value = value_of(argument, "--input"))) {
        options->input = value;
    } else if ((value = value_of(argument, "--matrix"))) {
        return parse_pair(options, value);
    } else if ((value = value_of(argument, "--format"))) {
        options->json = strcmp(value, "json") == 0;
        if (!options->json && strcmp(value, "text") != 0)
            return gate_usage("there is no format '%s'", value);
    } else if ((value = value_of(argument, "--dump-rejected"))) {
        options->dump_directory = value;
    } else if ((value = value_of(argument, "--obligations"))) {
        options->obligations = smt_encoding_named(value);
        if (!options->obligations) return gate_usage("there is no encoding '%s'", value);
    } else if ((value = value_of(argument, "--check"))) {
        options->check_given = true;
        if (!check_named(value, &options->check))
            return gate_usage("there is no check '%s'", value);
        if (options->check == CHECK_MATRIX && !cadical_is_installed())
            return gate_usage("%s", CADICAL_MISSING);
    } else {
        return unknown_option(options, argument);
    }
    return true;
}

static bool parse_level(GateOptions *options, const char *argument) {
    char digit = argument[2];
    if (digit < '0' || digit > '2' || argument[3])
        return gate_usage("there is no level '%s'", argument);
    options->level = (uint32_t)(digit - '0');
    return true;
}

static bool unknown_form(const char *name) {
    Out forms = {0};
    for (Form form = 0; form < FORM_COUNT; form++)
        out_printf(&forms, "%s%s", form ? ", " : "", form_name(form));
    gate_usage("'%s' is not a form (forms: %.*s; show and run: also imp, kleene, asm)", name,
               (int)forms.length, forms.text);
    out_free(&forms);
    return false;
}

static bool parse_option(GateOptions *options, char **argv, int *at) {
    const char *argument = argv[*at];
    if (strcmp(argument, "--locations") == 0)
        options->locations = true;
    else if (strcmp(argument, "--all") == 0)
        options->all = true;
    else if (strcmp(argument, "--hints") == 0)
        options->hints = true;
    else if (strcmp(argument, "--plain") == 0)
        transform_select_plain(options->transforms);
    else if (strcmp(argument, "--typing") == 0)
        options->typing = true;
    else if (strcmp(argument, "--matrix") == 0)
        options->matrix = true;
    else if (strcmp(argument, "--dominance") == 0)
        options->dominance = true;
    else if (run_way_of_option(argument) != RUN_PLAIN)
        options->way = run_way_of_option(argument);
    else if (strcmp(argument, "--strict-aliasing") == 0)
        options->strict_aliasing = true;
    else if (strcmp(argument, "--gates") == 0)
        options->gates = true;
    else if (strcmp(argument, "--verbose") == 0)
        options->verbose = true;
    else if (strcmp(argument, "--trace") == 0)
        options->trace = TRACE_EVENTS;
    else if (strcmp(argument, "--stats") == 0)
        options->stats = true;
    else if (strcmp(argument, "-Werror") == 0)
        options->werror = options->front.compile.warnings.all_errors = true;
    else if (strcmp(argument, "-o") == 0) {
        if (!argv[*at + 1]) return gate_usage("%s needs a file name", "-o");
        options->output = argv[++*at];
    } else if (strncmp(argument, "-O", 2) == 0) {
        return parse_level(options, argument);
    } else {
        bool told;
        if (asm_option(&options->state_machine, argument, &told)) return !told;
        int first = *at;
        if (gatecc_front_option(&options->front, options->arena, argv, at, &told)) {
            for (int i = first; i <= *at; i++)
                words_add(options->arena, &options->front_words, argv[i]);
            return true;
        }
        return !told &&
               (view_option(&options->view, argument) || parse_valued_option(options, argument));
    }
    return true;
}

// GateOptions may stand anywhere before FILE; what follows FILE belongs to the program that is run.
bool gate_parse_options(GateOptions *options, unsigned takes, int argc, char **argv) {
    bool takes_form = takes & TAKES_FORM, takes_args = takes & TAKES_ARGS;
    int at = 2;
    const char *misplaced = NULL; // the last option that is for other commands
    for (; at < argc && !(options->file && takes_args); at++) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0)
            return options->help = true;
        if (argv[at][0] == '-' && argv[at][1] != '\0') {
            int first = at;
            if (!parse_option(options, argv, &at)) return false;
            if (!command_takes(options->command, argv[first])) misplaced = argv[first];
            note_option(options->arena, &options->mattering, argv[first],
                        at > first ? argv[at] : NULL);
        } else if (takes_form && !options->form) {
            options->form = argv[at];
        } else if (takes & TAKES_FILE && !options->file) {
            options->file = argv[at];
            options->argc = argc - at;
            options->argv = argv + at;
        } else {
            return gate_usage("'%s' is one argument too many", argv[at]);
        }
    }
    if (!(takes & TAKES_FILE)) return !misplaced || misplaced_option(misplaced);
    if (!options->file) return gate_usage("%s needs a file", options->command);
    options->front.compile.pp.inlines = options->level > 0;
    options->front.compile.pp.optimize = (uint8_t)options->level;
    if (options->strict_aliasing && options->front.compile.aliasing == ALIASING_BY_LEVEL)
        options->front.compile.aliasing = ALIASING_STRICT;
    bool machine = takes_form && strcmp(options->form, "asm") == 0;
    if (machine) options->way = RUN_asm;
    AsmOptions *state_machine = &options->state_machine;
    if (state_machine->step && options->way == RUN_asm && !state_machine->given) {
        state_machine->choice.kind = ASM_STEP;
        state_machine->step = false;
    }
    const char *mistake = asm_mistake(options->arena, &options->state_machine, options->command,
                                      options->way, options->form);
    if (mistake) return gate_usage("%s", mistake);
    if (machine) options->form = form_name(run_way_table[RUN_asm].form);
    if (takes_form && (options->view.view = view_named(options->form)) != VIEW_NONE)
        options->form_id = FORM_FSSA;
    while (takes_form && !options->view.view &&
           strcmp(options->form, form_name(options->form_id)) != 0)
        if (++options->form_id == FORM_COUNT) return unknown_form(options->form);
    if ((options->view.result || options->view.exact || options->view.clean) && !options->view.view)
        return gate_usage("--result, --exact and --clean go with imp and kleene only");
    if (options->view.exact && options->view.clean)
        return gate_usage("--exact and --clean exclude each other");
    if (options->dominance &&
        (strcmp(options->command, "show") != 0 || strcmp(options->form, "son") != 0))
        return gate_usage("--dominance goes with %s only", "show son");
    const RunWayInfo *way = &run_way_table[options->way];
    if (machine && !takes_args)
        return (!options->locations || gate_usage("--locations does not go with show asm")) &&
               (!misplaced || misplaced_option(misplaced));
    if (way->name && !(takes_form && takes_args && options->form_id == way->form))
        return gate_usage("--%s goes with run %s only", way->name, form_name(way->form));
    return !misplaced || misplaced_option(misplaced);
}
