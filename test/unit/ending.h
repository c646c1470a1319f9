// For unit tests of what ends the run: one line on standard error and exit status 2.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    int status; // exit status, or -1 if the process did not exit by itself
    char text[512];
} Ending;

// Runs an action in a child process and yields how that ended and what it said.
static Ending ending_of(void (*action)(void)) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        action();
        _exit(0);
    }
    close(ends[1]);
    Ending ending = {.status = -1};
    size_t used = 0;
    for (ssize_t n; (n = read(ends[0], ending.text + used, sizeof ending.text - 1 - used)) > 0;)
        used += (size_t)n;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) ending.status = WEXITSTATUS(status);
    return ending;
}

static void assert_fatal(void (*action)(void), const char *message) {
    Ending ending = ending_of(action);
    assert_string_equal(ending.text, message);
    assert_int_equal(ending.status, 2);
}
