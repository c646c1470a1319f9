// What the parts of the test runner share.
//   support.c  text, files, running one command
//   steps.c    text tests and documents
//   limit.c    what a test uses of its time
//   record.c   which tests of a long run have passed already
//   main.c     unit tests and scripts; finding, starting, counting
// Nothing is taken from src/: the runner must not share the bugs it looks for. A test's process is
// short-lived, so most memory is not freed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
    char *at; // NUL-terminated once anything, even nothing, was added
    size_t length;
    size_t capacity;
} Text;

typedef enum { KIND_UNIT, KIND_SCRIPT, KIND_DOCUMENT, KIND_TEXT, KIND_COUNT } Kind;

typedef struct {
    Kind kind;
    char *name;    // path of the test, relative to the root
    char *scratch; // absolute path of its scratch directory; commands run in its `work`
} Test;

typedef struct {
    const char *root;   // the repository
    const char *build;  // where programs were built
    const char *bin;    // directory put first in PATH
    const char *prefix; // command put before unit tests, for example valgrind
    const char *except; // file with the tests to leave out, or NULL
    const char *record; // file with the tests that have ended, or NULL
    const char *state;  // of the sources, for the record
    unsigned jobs;
    unsigned limit; // seconds a test may compute, and may wait
    bool update;
    bool with_long;
    bool kinds[KIND_COUNT];
    char **patterns;
    int pattern_count;
} Options;

// What became of a test file.
typedef struct {
    unsigned passed;
    unsigned failed;
    Text report; // for the user, in whole lines
} Outcome;

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *reallocate(void *old, size_t size);
char *joined(const char *format, ...) __attribute__((format(printf, 1, 2)));
void add_bytes(Text *text, const char *bytes, size_t length);
void add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void add_indented(Text *report, const char *text);
bool starts(const char *text, const char *with);
bool ends(const char *text, const char *with);

bool read_whole(const char *path, Text *text);
void write_whole(const char *path, const char *bytes, size_t length);
void make_directory(const char *path);
void remove_tree(const char *path);

// Runs a shell command in a directory, with standard output and standard error in the two files
// (which may be one). Yields the exit status, 128 + N for a command that died of signal N.
int run_command(const char *command, const char *directory, const char *out, const char *err);

// Runs a text test or a document.
void run_steps(const Options *options, const Test *test, Outcome *outcome);

// What a test that runs has used of its time.
typedef struct {
    pid_t leader;    // of its process group; 0 if none runs
    double computed; // seconds of processor time
    unsigned waited; // seconds in which it did not want a processor
} Usage;

// Brings the usage of tests up to date; to be called once a second.
void measure(Usage *tests, size_t count);

// Takes the tests that have passed according to the record out of the list, and counts their cases.
// Yields how many tests are left.
size_t record_recall(const Options *options, Test *tests, size_t count, unsigned *passed);
// Adds a test that has ended.
void record_add(const Options *options, const Test *test, unsigned passed, unsigned failed,
                double seconds);
