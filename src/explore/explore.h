// The data of an explorer page, and the page around it. docs/explore.md has the format.
#pragma once

#include "assembly/debug_source.h"
#include "history/history.h"

// A file that locations name; the text is NULL if it is not to be shown, or could not be read.
typedef struct {
    const char *name, *text;
    size_t length;
} ExploreFile;

// A program that has gone through a pipeline, with what became of its functions.
typedef struct {
    const char *label;
    const char *const *options;
    uint32_t option_count;
    const Program *program;
    const Pipeline *pipeline; // that has run
    const History *history;
    const Debug *debug;      // where functions begin; or NULL
    const Diag *diags[2];    // its messages
    const char *const *only; // functions that are shown; NULL: all
    uint32_t only_count;
} ExplorePipeline;

typedef struct {
    const char *file, *command;
    bool times; // with seconds
    bool live;  // served: the page may ask for more
    const ExploreFile *files;
    uint32_t file_count;
    const ExplorePipeline *pipelines;
    uint32_t pipeline_count;
    const Out *run; // the member "run", or NULL
} Exploration;

// The data, as JSON that can stand in a page.
void explore_write_data(Out *out, const Exploration *exploration);

// The data that the functions of a pipeline share.
typedef struct {
    const Exploration *exploration;
    const ExplorePipeline *pipeline;
    struct AssemblyWriter *assembly;
    const uint32_t *file_of; // file of the program -> its number in the page
    const uint32_t *step_of; // step of the pipeline -> its number in the page
} ExploreContext;

// One function (explore_function.c).
void explore_write_function(Out *out, const ExploreContext *context,
                            const FunctionHistory *function);

// A page with the data in it. The output of explore_write_data goes in; a served page has its
// policy in a header.
void explore_write_page(Out *out, const Out *data, bool served);
// The policy by which browsers load only the contents of the page.
void explore_write_policy(Out *out, bool served);
