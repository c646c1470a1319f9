// Removes temporary files. Every temporary file has a private directory of its own, for three
// reasons. The file can have its final name while it is made. The program that makes the file (as,
// ld) creates it with the permissions that it finds right. And a program which outlives gatecc
// cannot create the file again once the directory is removed.
//
// A signal handler gets nothing but the signal's number. So the files to remove must be in a
// variable of this file, the only mutable variable of the driver. Signals are held back while the
// variable changes.
#include "system/cleanup.h"

#include "base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Leftover {
    struct Leftover *next;
    char *directory;
    char *path; // of the file in it
} Leftover;

static struct {
    Leftover *first;
    pid_t child;
} pending;

static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGABRT};
enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

void cleanup_hold(sigset_t *before) {
    sigset_t all;
    sigemptyset(&all);
    for (int i = 0; i < SIGNAL_COUNT; i++) sigaddset(&all, signals[i]);
    sigprocmask(SIG_BLOCK, &all, before);
}

void cleanup_release(const sigset_t *before) {
    sigprocmask(SIG_SETMASK, before, NULL);
}

// May be called by a signal handler. A process that is still at work may put the file back before
// its directory is gone.
static void remove_leftover(const Leftover *leftover) {
    do unlink(leftover->path);
    while (rmdir(leftover->directory) != 0 && (errno == ENOTEMPTY || errno == EEXIST));
}

static void remove_all(void) {
    if (pending.child) {
        kill(pending.child, SIGTERM);
        waitpid(pending.child, NULL, 0);
    }
    for (const Leftover *at = pending.first; at; at = at->next) remove_leftover(at);
}

static void on_signal(int number) {
    remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void forget_leftover(Leftover *leftover) {
    free(leftover->directory);
    free(leftover->path);
    free(leftover);
}

static void on_exit_of_program(void) {
    sigset_t before;
    cleanup_hold(&before);
    remove_all();
    pending.child = 0;
    while (pending.first) {
        Leftover *leftover = pending.first;
        pending.first = leftover->next;
        forget_leftover(leftover);
    }
    cleanup_release(&before);
}

// A signal that is ignored, as nohup does, stays ignored.
void cleanup_start(void) {
    struct sigaction action = {.sa_handler = on_signal}, old;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNAL_COUNT; i++) sigaddset(&action.sa_mask, signals[i]);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    atexit(on_exit_of_program);
}

const char *cleanup_directory(char *pattern, const char *name) {
    Leftover *leftover = xmalloc(sizeof *leftover);
    size_t length = strlen(pattern), name_length = strlen(name);
    *leftover =
        (Leftover){.directory = xmalloc(length + 1), .path = xmalloc(length + name_length + 2)};
    sigset_t before;
    cleanup_hold(&before);
    bool made = mkdtemp(pattern) != NULL;
    int reason = errno;
    memcpy(leftover->directory, pattern, length + 1);
    memcpy(leftover->path, pattern, length);
    leftover->path[length] = '/';
    memcpy(leftover->path + length + 1, name, name_length + 1);
    if (made) {
        leftover->next = pending.first;
        pending.first = leftover;
    }
    cleanup_release(&before);
    if (!made) forget_leftover(leftover);
    errno = reason;
    return made ? leftover->path : NULL;
}

void cleanup_forget(const char *path) {
    sigset_t before;
    cleanup_hold(&before);
    Leftover **at = &pending.first;
    while (*at && (*at)->path != path) at = &(*at)->next;
    Leftover *leftover = *at;
    if (leftover) {
        remove_leftover(leftover);
        *at = leftover->next;
        forget_leftover(leftover);
    }
    cleanup_release(&before);
}

void cleanup_child(pid_t child) {
    pending.child = child;
}
