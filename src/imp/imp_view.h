// gate's commands on Imp and on recursive functions: two views of functional SSA that are no forms
// of their own.
#pragma once

#include "base/diag.h"
#include "form/program.h"

typedef enum { VIEW_NONE, VIEW_IMP, VIEW_KLEENE } ImpView;

typedef struct {
    ImpView view;
    const char *result; // --result: the identifier, or NULL
    bool exact;         // --exact: as in the paper
    bool clean;         // --clean: a program of Imp, too, goes through functional SSA
    // Of a run:
    bool trace;
    uint64_t fuel;
    int argc; // the file and its arguments
    char **argv;
} ViewOptions;

// The view that the word FORM of a command names.
ImpView view_named(const char *name);
// Takes the argument if it is an option of views.
bool view_option(ViewOptions *options, const char *argument);
// Whether a file holds a view itself: .imp, .kleene. Others hold programs that become functional
// SSA.
ImpView view_of_file(const char *path);

// A program of Imp as functional SSA; NULL after messages. *unreadable as for load_program.
Program *view_load_imp(Arena *arena, Diag *diag, const char *path, bool *unreadable);

// Shows a program in functional SSA; false after messages.
bool view_show(Arena *arena, Diag *diag, Out *out, const Program *program,
               const ViewOptions *options);
// Runs main of a program in functional SSA. The exit status, as of gate run; 1 after messages.
int view_run(Arena *arena, Diag *diag, const Program *program, const ViewOptions *options);

// The same for a file of Imp or of recursive functions. A file of the view's own kind is taken as
// it is, unless an option asks for more. *unreadable tells that it could not be read.
bool view_show_file(Arena *arena, Diag *diag, Out *out, const char *path,
                    const ViewOptions *options, bool *unreadable);
int view_run_file(Arena *arena, Diag *diag, const char *path, const ViewOptions *options);
