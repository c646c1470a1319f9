// The state that the commands of gate share: the request, and a program on its way to the requested
// form.
#pragma once

#include "base/sha256.h"
#include "form/function_names.h"
#include "gate/exit_status.h"
#include "gate/gate_asm.h"
#include "gate/table/matrix_print.h"
#include "gatecc/options/gatecc_options.h"
#include "imp/imp_view.h"
#include "pipeline/pipeline.h"
#include "solve/obligations_smt.h"
#include "watch/trace.h"

typedef struct {
    const char *command;
    const char *form;
    const char *file;
    int argc; // of the program: its name and arguments
    char **argv;
    Form form_id;
    uint32_t after;     // a step, or step_count if none is named
    uint32_t after_too; // diff: the one that --after named before, or step_count
    const char *pass;   // diff: a pass or step, or NULL
    bool all;           // diff: also what has not changed
    bool hints;         // diff: also the hints in words
    uint32_t level;     // -O
    bool off[PASS_COUNT], on[PASS_COUNT];
    bool forged[PASS_COUNT]; // --forge
    PassTransform *transforms[PASS_COUNT];
    bool help;               // only help is asked for
    FunctionNames functions; // --function; none: all
    const char *output;
    const char *dump_directory;
    bool verbose, json; // explain
    bool locations, typing, matrix, dominance, gates, stats, werror;
    TraceKind trace;
    bool strict_aliasing; // run: effective types are tracked
    const char *input;    // the input of the program, or NULL: standard input
    RunWay way;
    AsmOptions state_machine;
    SmtEncoding obligations; // to be shown in this encoding
    VEC(MatrixPair) pairs;   // for which the matrix is to be coherent
    ViewOptions view;        // Imp and recursive functions
    uint64_t fuel;
    ObjectPlacement placement;
    CheckMode check;
    bool check_given;
    Arena *arena;        // for the lists of the next
    GateccOptions front; // how C is read
    Words front_words;   // the same, as it was written
    Words mattering;     // options that can change the code, for options_that_matter
} GateOptions;

typedef struct {
    Arena *arena;
    Diag diag;
    Diag forms;   // where forms that are not reached are told; errors if `strict`
    Diag unheard; // messages about functions that nobody has asked about
    bool strict;
    Pipeline *pipeline; // that was started last
    GateOptions options;
    Digest source;    // of what the program was compiled from, where a certificate is to tell
    bool wants_words; // the next is to be found
    const WatchSource *words; // the source's names of functions and parameters (watch/watch.h)
    Out aside; // typing or obligations of the functions so far, if they were asked for
} GateSession;

// ---- What was asked for (gate_options.c)

// Tells a mistake in the command line; false.
__attribute__((format(printf, 1, 2))) bool gate_usage(const char *format, ...);
// The arguments of a command besides options.
enum { TAKES_FILE = 1, TAKES_FORM = 2, TAKES_ARGS = 4 };
// Reads the command line behind the command; false after a message.
bool gate_parse_options(GateOptions *options, unsigned takes, int argc, char **argv);

// ---- Programs and pipelines (gate_session.c)

// A session of a command as it is without any options.
void session_init(GateSession *session, const char *command);
void session_free(GateSession *session);
// A pipeline of the first so many steps.
void session_start_pipeline(GateSession *session, Pipeline *pipeline, uint32_t steps);
// A step that --after names is switched on, unless its pass is switched off.
void session_request(GateOptions *options, uint32_t step);
// All steps. If functions were read in a form that is made only inside of an excursion that is
// checked as a whole, the steps up to the way out: the way out has nothing to compare with, which
// is reported.
uint32_t session_all_steps(const GateSession *session, const Program *program);
// Reports the work of the passes on request, and passes that were to be forged and were not.
void session_show_stats(GateSession *session, const Pipeline *pipeline);
// Loads the program; NULL, with an exit status, after a message.
Program *session_load(GateSession *session, int *status);
// The same, and takes it to the form and step that were asked for.
Program *session_load_after(GateSession *session, int *status);
bool session_is_good(const GateSession *session);
// Writes to the file that was asked for, or to standard output; an exit status.
int session_write_output(GateSession *session, Out *out);

// ---- gate compare (gate_compare.c)

int gate_compare(GateSession *session);

// ---- gate explain (gate_explain.c)

int gate_explain(GateSession *session);
