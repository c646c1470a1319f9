// A program that was read and taken through a pipeline, with its history: what gate explore shows.
#pragma once

#include "explore/explore.h"
#include "gate/gate_session.h"

// The request, besides the options of every command of gate.
typedef struct {
    Words words;        // the command line behind the command, without what follows
    const char *versus; // options of the second pipeline, or NULL
    Words functions;    // --function=; none: all
    bool no_times, data_only, no_run;
    bool serve, port_given;
    uint32_t port; // 0: any
    int run_argc;  // arguments of the recorded run
    char **run_argv;
} ExploreOptions;

// Takes a word of a command line; what is not an option of this command alone is left for the
// others.
void explore_option(Arena *arena, ExploreOptions *options, const char *word);

// Replacements of the file and of the file system; none if it is all zero.
typedef struct {
    const char *text; // of the file
    size_t length;
    bool (*read)(void *context, Arena *arena, const char *path, char **text, size_t *length);
    void *context;
} ExploreSource;

typedef struct {
    GateSession session;
    Pipeline pipeline;
    Debug debug;
    Program *program;
    History *history;
    Words options; // all but the file
    VEC(ExploreFile) files;
    Words system; // files of which only the name is told
    Words own;    // files that were read besides
} Explored;

// Reads the program that a command line names, with more options behind it, and takes the program
// through the pipeline. An exit status; what is to be freed is freed by explored_free in any case.
int explored_run(Explored *explored, const ExploreOptions *options, const char *more,
                 const ExploreSource *source);
void explored_free(Explored *explored);
// The shown parts of an explored program. Its parts live as long as the other.
ExplorePipeline explored_pipeline(Explored *explored, const ExploreOptions *options);

// All of it, once or, with --versus, twice, as the data of a page.
typedef struct {
    Arena *arena;
    const char *command;
    const ExploreSource *source;
    bool live;
    // the resulting data
    Out data;
    const char *file, *output;
    Words own;               // the files that were read
    const char *own_headers; // the directory of our own
} ExploreRun;
// An exit status. The data are the caller's to free.
int explore_run(ExploreRun *run, const ExploreOptions *options);

// --serve (explore_served.c)
int explore_serve(ExploreRun *run, const ExploreOptions *options);
