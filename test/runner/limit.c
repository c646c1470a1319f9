// What a test has used of its time. The clock does not tell: on a machine that does other things as
// well, time passes in which a test could go on and does not get a processor. So two things are
// measured, of the process that leads a test, its process group and their descendants: the
// processor time that they took (with that of children that have ended and were waited for), and
// the time in which none of them wanted a processor. The second is counted by looking once a
// second.
#include "runner.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    pid_t id, parent, group;
    char state;
    unsigned long long ticks; // processor time, with that of ended children
    const Usage *test;        // to which it belongs, or NULL
} Process;

typedef struct {
    Process *at;
    size_t count, capacity;
} Processes;

static bool read_process(const char *name, Process *process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%.48s/stat", name);
    Text stat = {0};
    unsigned long long user = 0, system = 0, children_user = 0, children_system = 0;
    // The name in parentheses may hold anything, parentheses too.
    const char *rest = read_whole(path, &stat) ? strrchr(stat.at, ')') : NULL;
    *process = (Process){.id = (pid_t)atol(name)};
    bool good =
        rest && sscanf(rest, ") %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
                       &process->state, &process->parent, &process->group, &user, &system,
                       &children_user, &children_system) == 7;
    process->ticks = user + system + children_user + children_system;
    free(stat.at);
    return good;
}

static bool wants(char state) {
    return state == 'R' || state == 'D'; // D: waits for a disk
}

// Whether a process wants a processor. The state of a process is that of its first thread, which
// may only wait for the others.
static bool wants_processor(const Process *process) {
    char path[64];
    bool wanted = wants(process->state);
    snprintf(path, sizeof path, "/proc/%ld/task", (long)process->id);
    DIR *directory = wanted ? NULL : opendir(path);
    for (struct dirent *entry; directory && !wanted && (entry = readdir(directory));) {
        char name[64];
        Process thread;
        snprintf(name, sizeof name, "%ld/task/%.16s", (long)process->id, entry->d_name);
        wanted = isdigit((unsigned char)entry->d_name[0]) && read_process(name, &thread) &&
                 wants(thread.state);
    }
    if (directory) closedir(directory);
    return wanted;
}

static int compare_processes(const void *a, const void *b) {
    const Process *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static Processes read_processes(void) {
    Processes processes = {0};
    DIR *directory = opendir("/proc");
    if (!directory) return processes;
    for (struct dirent *entry; (entry = readdir(directory));) {
        Process process;
        if (!isdigit((unsigned char)entry->d_name[0]) || !read_process(entry->d_name, &process))
            continue;
        if (processes.count == processes.capacity) {
            processes.capacity = processes.capacity ? processes.capacity * 2 : 256;
            processes.at = reallocate(processes.at, processes.capacity * sizeof *processes.at);
        }
        processes.at[processes.count++] = process;
    }
    closedir(directory);
    if (processes.count)
        qsort(processes.at, processes.count, sizeof *processes.at, compare_processes);
    return processes;
}

// To which test a process belongs: as one of its group, or as a child of one that belongs to it.
// False if that is known already.
static bool assign(const Processes *processes, Process *process, const Usage *tests, size_t count) {
    if (process->test) return false;
    for (size_t i = 0; i < count; i++)
        if (tests[i].leader > 0 && process->group == tests[i].leader) process->test = &tests[i];
    const Process key = {.id = process->parent};
    const Process *parent =
        bsearch(&key, processes->at, processes->count, sizeof key, compare_processes);
    if (!process->test && parent) process->test = parent->test;
    return process->test != NULL;
}

void measure(Usage *tests, size_t count) {
    Processes processes = read_processes();
    for (bool more = true; more;) { // once for each generation
        more = false;
        for (size_t i = 0; i < processes.count; i++)
            more |= assign(&processes, &processes.at[i], tests, count);
    }
    for (size_t i = 0; i < count; i++) {
        bool wanted = tests[i].leader <= 0;
        unsigned long long ticks = 0;
        for (size_t p = 0; p < processes.count; p++) {
            const Process *process = &processes.at[p];
            if (process->test != &tests[i]) continue;
            ticks += process->ticks;
            wanted = wanted || wants_processor(process);
        }
        tests[i].computed = (double)ticks / (double)sysconf(_SC_CLK_TCK);
        tests[i].waited += !wanted;
    }
    free(processes.at);
}
