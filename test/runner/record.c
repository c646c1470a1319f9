// The record of a run of many hours. Each test that has ended gets a line, as soon as it has ended:
// how many of its cases passed and failed, how long it computed, its name. A run that was stopped
// goes on where it was: a test that has passed according to the record is counted and not run
// again. The first line names the state of the sources. A record of another state says nothing
// about this one, so it is begun anew.
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Begins the record, with the line that names the state.
static void begin(const char *path, const char *head) {
    write_whole(path, head, strlen(head));
}

static Test *find(Test *tests, size_t count, const char *name, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strlen(tests[i].name) == length && !strncmp(tests[i].name, name, length))
            return &tests[i];
    return NULL;
}

size_t record_recall(const Options *options, Test *tests, size_t count, unsigned *passed) {
    Text text = {0};
    char *head = joined("state %s\n", options->state ? options->state : "unknown");
    if (!read_whole(options->record, &text)) {
        begin(options->record, head);
        return count;
    }
    if (!starts(text.at, head)) {
        printf("%s is of another state of the sources, and begins anew\n", options->record);
        begin(options->record, head);
        return count;
    }
    unsigned recalled = 0;
    for (const char *line = strchr(text.at, '\n') + 1; *line;) {
        unsigned good, bad, seconds;
        int name = 0;
        size_t length = strcspn(line, "\n");
        bool whole = line[length] == '\n' && // a run may be stopped while it writes
                     sscanf(line, "%u %u %u %n", &good, &bad, &seconds, &name) == 3 && name > 0;
        Test *test = whole && !bad ? find(tests, count, line + name, length - (size_t)name) : NULL;
        if (test) {
            *test = tests[--count];
            *passed += good;
            recalled++;
        }
        line += length + (line[length] == '\n');
    }
    if (recalled) printf("passed before, according to %s: %u tests\n", options->record, recalled);
    return count;
}

void record_add(const Options *options, const Test *test, unsigned passed, unsigned failed,
                double seconds) {
    char *line = joined("%u %u %.0f %s\n", passed, failed, seconds, test->name);
    int file = open(options->record, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0 || write(file, line, strlen(line)) != (ssize_t)strlen(line))
        die("cannot write %s: %s", options->record, strerror(errno));
    close(file);
    free(line);
}
