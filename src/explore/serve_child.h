// Compilations for the served page, each in a process of its own with limits.
#pragma once

#include "explore/serve.h"

#include <sys/types.h>

enum {
    SERVE_JOBS = 2,                 // at once
    SERVE_CPU_SECONDS = 10,         // of a compilation
    SERVE_WALL_SECONDS = 20,        // of a compilation
    SERVE_MEMORY = 1 << 30,         // more than the server itself has
    SERVE_ANSWER_BYTES = 64 << 20,  // of an answer
    SERVE_MESSAGE_BYTES = 64 << 10, // of its output
};

typedef struct {
    pid_t process;        // 0: no job
    int answer, messages; // where it writes; -1 when that is over
    Out text, said;
    double until;    // when it is stopped
    bool stopped;    // it took too long
    bool overflowed; // or said too much
    void *owner;     // of the request
} ServeJob;

double serve_now(void); // seconds
// Starts a compilation of a body; false if that is not possible.
bool job_start(ServeJob *job, const ServeOptions *options, const char *body, size_t length);
// Reads the available bytes; yields whether both ends are closed.
bool job_read(ServeJob *job);
// Stops the job if it is due, or at once.
void job_stop(ServeJob *job, bool at_once);
// Waits for its end and yields its exit status, -1 if a signal ended it. `text` and `said` are the
// caller's to free.
int job_end(ServeJob *job);
