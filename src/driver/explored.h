// A program that was read and taken through a pipeline, with its history: what gate explore shows.
#pragma once

#include "driver/gate_session.h"
#include "explore/explore.h"

// What was asked for, besides what every command of gate knows.
typedef struct {
    Words words;        // the command line behind the command, without what follows
    const char *versus; // options of the second pipeline, or NULL
    Words functions;    // --function=; none: all
    bool no_times, data_only, no_run;
    bool serve;
    uint32_t port; // 0: any
    int run_argc;  // arguments of the recorded run
    char **run_argv;
} ExploreOptions;

typedef struct {
    GateSession session;
    Pipeline pipeline;
    Debug debug;
    Program *program;
    History *history;
    Words options; // all but the file
    VEC(ExploreFile) files;
    const char *const *system; // files of which only the name is told
    uint32_t system_count;
} Explored;

// Reads the program that a command line names, with more options behind it, and takes it through the pipeline. An exit status; what is to be
// freed is freed by explored_free in any case. `main_text` takes the place of what is in the file, unless it is NULL.
int explored_run(Explored *explored, const ExploreOptions *options, const char *more);
void explored_free(Explored *explored);
// What is shown of it. Its parts live as long as the other.
ExplorePipeline explored_pipeline(Explored *explored, const ExploreOptions *options);
