// Removes temporary files, and stops the process that is writing one, when the program ends, also
// by a signal; only SIGKILL leaves them behind.
#pragma once

#include <signal.h>
#include <sys/types.h>

// From now on signals that end the program clean up first. Once, at the start.
void cleanup_start(void);

// Makes a fresh private directory from a template that ends in XXXXXX (which is filled in), for one
// file of the given name: both are removed at the end. NULL, with errno set, on failure; else the
// path of the file, which does not exist yet and stays known to cleanup until it is forgotten.
const char *cleanup_directory(char *pattern, const char *name);
// Removes the directory of such a file now, and the file if it is still there.
void cleanup_forget(const char *path);

// Between these two no signal cleans up; calls nest. For starting the child and telling of it at
// once.
void cleanup_hold(sigset_t *before);
void cleanup_release(const sigset_t *before);
// The process to be stopped and waited for before files are removed; 0 if there is none.
void cleanup_child(pid_t child);
