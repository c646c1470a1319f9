// The command line of gatecc.
#pragma once

#include "c/compile/compile.h"
#include "gatecc/options/code_options.h"
#include "gatecc/options/math_options.h"
#include "gatecc/options/profile_options.h"
#include "gatecc/options/remark_options.h"
#include "message/message.h"
#include "pipeline/pipeline.h"
#include "system/process.h"

// How far the inputs are taken. Of several on one command line the first of this list counts.
typedef enum {
    MODE_DEPENDENCIES, // -M, -MM
    MODE_PREPROCESS,   // -E
    MODE_SYNTAX,       // -fsyntax-only
    MODE_EMIT,         // --emit=FORM
    MODE_ASSEMBLY,     // -S
    MODE_OBJECT,       // -c
    MODE_LINK,
} GateccMode;

// The kind of an input: by its ending, or by -x.
typedef enum {
    LANGUAGE_C,
    LANGUAGE_PREPROCESSED, // C in which nothing is a macro any more
    LANGUAGE_HEADER,
    LANGUAGE_ASSEMBLY,
    LANGUAGE_ASSEMBLY_CPP, // to be preprocessed
    LANGUAGE_OBJECT,       // for the linker, whatever its contents
    LANGUAGE_OTHER,        // known not to be C
} Language;

typedef struct {
    const char *path;
    Language language;
} Input;

// A word for the linker: an option, or the object that comes out of an input.
typedef struct {
    const char *text; // NULL for an input
    uint32_t input;
} LinkWord;

// A request other than a compilation.
typedef enum {
    QUESTION_NONE,
    QUESTION_HELP,
    QUESTION_OPTIONS,    // --help=options
    QUESTION_WARNINGS,   // --help=warnings
    QUESTION_COMPLETION, // --completion=PREFIX
    QUESTION_VERSION,
    QUESTION_DUMP_MACHINE,
    QUESTION_DUMP_VERSION,
    QUESTION_DUMP_FULL_VERSION,
    QUESTION_PRINT, // -print-...: the system's compiler knows
} Question;

typedef enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourUse;

typedef struct {
    GateccMode mode;
    Question question;
    const char *completed; // --completion=: how the options start that are asked for
    VEC(Input) inputs;
    const char *output;   // -o, or NULL
    bool no_line_markers; // -P
    bool dump_macros;     // -dM
    // Dependencies: -M and -MM print dependencies instead of output, -MD and -MMD beside it.
    bool dependencies;
    bool dependencies_skip_system; // -MM, -MMD
    bool dependencies_phony;       // -MP
    const char *dependency_file;   // -MF
    Words targets;                 // -MT, and -MQ with its quoting done
    // Compiling
    Form emit;                               // of MODE_EMIT
    uint32_t level;                          // -O
    bool for_debugging;                      // -Og
    bool no_inline;                          // -fno-inline
    bool calls_return;                       // -fno-optimize-sibling-calls
    CheckMode check;                         // --check=
    bool off[PASS_COUNT];                    // -fno-PASS
    bool on[PASS_COUNT];                     // -fPASS
    uint32_t facts_left_out;                 // -fno-FACT: see Program
    const char *certificate;                 // --certificate=, or NULL
    const char *dump_directory;              // --dump-rejected=, or NULL
    bool locations;                          // --locations: emit source locations
    uint32_t debug;                          // the level of -g, 0 to 3
    uint32_t dwarf;                          // the version that it writes, 4 or 5
    Words prefix_maps;                       // OLD=NEW, in order
    bool frame_pointer_given, frame_pointer; // -fno-omit-frame-pointer
    PicLevel pic;
    bool pic_small; // -fpic, -fpie: the macros tell
    bool bound;     // -fno-semantic-interposition: what is exported is not defined elsewhere
    bool function_sections, data_sections;
    CodeSettings code;      // protection and similar options
    bool preprocessed;      // -fpreprocessed: C inputs are
    ProfileOptions profile; // --coverage and related options
    MathOptions math;       // -ffast-math and related options
    bool no_ident;          // -fno-ident: objects do not name their compiler
    bool record_switches;   // -frecord-gcc-switches: objects tell the command line
    const Words *words;     // the command line
    Words mattering;        // options among them that can change the code, for options_that_matter
    // Options for other programs
    Words to_preprocess;    // for assembler text that is preprocessed
    Words to_assemble;      // for as
    Words preprocessor;     // -Wp, and -Xpreprocessor, to be read at the end
    VEC(LinkWord) link;     // in order; inputs are among them
    bool something_to_link; // -l and the like, which do without inputs
    // Messages
    uint32_t error_limit; // -ferror-limit=, 0 for none
    ColourUse colour;
    MessageOptions messages;
    RemarkOptions remarks; // -fopt-info, -Rpass= and related options
    bool verbose;          // -v
    bool dry;              // -###
    bool stats;            // --stats
    bool timed;            // --time-report
    bool save_temporaries;
    bool kept_here;              // -save-temps=cwd: in the working directory
    const char *language;        // -x, or NULL; while the command line is read
    bool guessed_standard_input; // - is an input, and no -x names its language
    const WordSize *word_size;   // another size of words, for which C is refused; or NULL
    Words unknown;               // options that nobody knows
    Words foreign;               // options of other languages
    CompileOptions compile;
} GateccOptions;

// The options of an empty command line.
void gatecc_defaults(GateccOptions *options);
// Reads the words of a command line. False after a message on standard error.
bool gatecc_options(GateccOptions *options, Arena *arena, const Words *words);
// The function that each function calls when it is entered: -pg.
static inline EntryCall gatecc_entry_call(const GateccOptions *options) {
    const TargetOptions *machine = options->compile.pp.target->language->options;
    if (!options->profile.entry_calls) return (EntryCall){0};
    return machine->entry_call(&options->code, options->pic != PIC_NONE);
}
// Reads one option of the front end (-D, -I, -std=, -W..., ...) at argv[*at], for other programs;
// *at moves to its last word. False if it is none, or after a message, which *told says.
bool gatecc_front_option(GateccOptions *options, Arena *arena, char **argv, int *at, bool *told);
