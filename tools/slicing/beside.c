// Compares slices with their originals while a program does its work.
//
// At the first calls of a function, a child process runs the slice on the same arguments in the same memory, another
// one the original; then the program goes on with the original, as if nothing had happened. Compared is the result and,
// if the slice was asked to have all effects ($BESIDE_EFFECTS), what the call changed in the program's memory: its data,
// its heap and what it mapped, each word with the value before the call (the parent's memory, which does not change
// meanwhile). The stack is left out, and so is every word and result in which two runs of the original differ: values that
// nobody set, such as padding. A function that leaves otherwise than by returning (longjmp, exit, abort, a fault, no
// end) promises nothing.
//
// At the program's end a line "NUMBER calls C compared N wrong W other O" is added to the file $BESIDE_REPORT for each
// function that was called, O being the calls that did not return.
#define _GNU_SOURCE
#include "beside.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_FUNCTIONS = 8192,
    MOST_CHANGES = 1 << 16,
    MOST_RESULT = 4096,
    CHUNK = 1 << 16,
    CPU_SECONDS = 4
};

typedef struct {
    unsigned long address, value;
} Change;

typedef struct {
    int returned;
    int result_size;
    int change_count; // may be more than there is room for
    unsigned char result[MOST_RESULT];
    Change changes[MOST_CHANGES];
} Outcome;

typedef struct {
    int calls, compared, wrong, other;
} Tally;

// All of this lies in shared memory, not in the program's data: looking must not change what is looked at.
typedef struct {
    int started, child, effects, most_calls;
    pid_t program;
    int current; // the outcome that this child fills in
    Outcome outcomes[3];
    Tally tallies[MOST_FUNCTIONS];
    char maps[1 << 18];
    unsigned char before[CHUNK];
    char report[4096];
} State;

static State *state;

static void report(void) {
    if (state->child || (pid_t)syscall(SYS_getpid) != state->program) return;
    FILE *file = fopen(state->report, "a");
    if (!file) return;
    for (int i = 0; i < MOST_FUNCTIONS; i++) {
        const Tally *tally = &state->tallies[i];
        if (tally->calls)
            fprintf(file, "%d calls %d compared %d wrong %d other %d\n", i, tally->calls,
                    tally->compared, tally->wrong, tally->other);
    }
    fclose(file);
}

__attribute__((constructor)) static void start(void) {
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (state == MAP_FAILED) abort();
    const char *path = getenv("BESIDE_REPORT"), *effects = getenv("BESIDE_EFFECTS"),
               *calls = getenv("BESIDE_CALLS");
    if (!path) return;
    strncpy(state->report, path, sizeof state->report - 1);
    state->effects = effects && *effects == '1';
    state->most_calls = calls ? atoi(calls) : 4;
    state->program = (pid_t)syscall(SYS_getpid); // getpid itself is wrapped
    state->started = 1;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    atexit(report);
}

// The first calls, and then ever rarer ones: the 8th, 16th and so on.
int beside_wanted(int number) {
    if (!state || !state->started || state->child || number >= MOST_FUNCTIONS) return 0;
    int calls = ++state->tallies[number].calls;
    return calls <= state->most_calls || (calls < 4000 && (calls & (calls - 1)) == 0);
}

// Gives this process files of its own in place of the open ones: what it reads and writes must not be seen by others.
static void own_files(void) {
    for (int fd = 0; fd < 64; fd++) {
        struct stat about;
        off_t at = lseek(fd, 0, SEEK_CUR);
        if (fd == 1 || fd == 2 || at < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        int copy = memfd_create("copy", 0);
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        int from = open(path, O_RDONLY);
        off_t start = 0;
        while (start < about.st_size &&
               sendfile(copy, from, &start, (size_t)(about.st_size - start)) > 0)
            continue;
        lseek(copy, at, SEEK_SET);
        dup2(copy, fd);
        close(copy);
        close(from);
    }
}

// Another process in which 1 is returned; 0 here when that one has ended.
int beside_try(int what) {
    Outcome *outcome = &state->outcomes[what];
    outcome->returned = outcome->result_size = outcome->change_count = 0;
    pid_t child = fork();
    if (child < 0) abort();
    if (child > 0) {
        waitpid(child, NULL, 0);
        state->child = 0;
        return 0;
    }
    int null = open("/dev/null", O_RDWR);
    dup2(null, 1);
    dup2(null, 2);
    close(null);
    own_files();
    struct itimerval limit = {.it_value.tv_sec = CPU_SECONDS};
    setitimer(ITIMER_PROF, &limit, NULL);
    signal(SIGPROF, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(30 * CPU_SECONDS); // for what waits instead of computing
    state->child = 1;
    state->current = what;
    return 1;
}

static void compare_chunk(Outcome *outcome, unsigned long address, unsigned long size) {
    struct iovec mine = {state->before, size}, its = {(void *)address, size};
    if (process_vm_readv(state->program, &mine, 1, &its, 1, 0) != (ssize_t)size) return;
    if (memcmp(state->before, (void *)address, size) == 0) return;
    for (unsigned long i = 0; i + 8 <= size; i += 8) {
        if (memcmp(state->before + i, (void *)(address + i), 8) == 0) continue;
        if (outcome->change_count < MOST_CHANGES) {
            Change *change = &outcome->changes[outcome->change_count];
            change->address = address + i;
            memcpy(&change->value, (void *)(address + i), 8);
        }
        outcome->change_count++;
    }
}

// Private writable memory of the program's file, the heap and what was mapped; no stack, no libraries.
static void find_changes(Outcome *outcome) {
    char *at;
    int file = open("/proc/self/maps", O_RDONLY);
    ssize_t length = 0, got;
    while ((got = read(file, state->maps + length, sizeof state->maps - 1 - (size_t)length)) > 0)
        length += got;
    state->maps[length] = 0;
    close(file);
    for (at = state->maps; *at;) {
        char *end = strchr(at, '\n');
        if (!end) break;
        *end = 0;
        unsigned long from, to;
        char rights[8], rest[16] = "";
        int path = 0;
        sscanf(at, "%lx-%lx %7s %*s %*s %15s %n", &from, &to, rights, rest, &path);
        const char *slash = strchr(at, '/');
        // What is small and has no name belongs to the libraries.
        int plain = !slash && !strchr(at, '[') && to - from > 1 << 17,
            heap = strstr(at, "[heap]") != NULL;
        int data = slash && !strstr(slash, ".so");
        if (rights[1] == 'w' && rights[3] == 'p' && (plain || heap || data) &&
            to - from < 1ul << 28)
            for (unsigned long p = from; p < to; p += CHUNK)
                compare_chunk(outcome, p, to - p < CHUNK ? to - p : CHUNK);
        at = end + 1;
    }
}

void beside_done(const void *result, unsigned long size) {
    Outcome *outcome = &state->outcomes[state->current];
    if (size > MOST_RESULT) size = MOST_RESULT;
    if (size) memcpy(outcome->result, result, size);
    outcome->result_size = (int)size;
    if (state->effects) find_changes(outcome);
    outcome->returned = 1;
    _exit(0);
}

static int same_outcome(const Outcome *a, const Outcome *b) {
    if (a->result_size != b->result_size ||
        memcmp(a->result, b->result, (size_t)a->result_size) != 0)
        return 0;
    if (a->change_count != b->change_count) return 0;
    int count = a->change_count < MOST_CHANGES ? a->change_count : MOST_CHANGES;
    return memcmp(a->changes, b->changes, (size_t)count * sizeof *a->changes) == 0;
}

int beside_unsure(void) {
    const Outcome *slice = &state->outcomes[BESIDE_SLICE],
                  *original = &state->outcomes[BESIDE_ORIGINAL];
    return original->returned && (!slice->returned || !same_outcome(slice, original));
}

void beside_fill(void *stack, unsigned long size) {
    memset(stack, 0x5a, size);
}

static const Change *change_at(const Outcome *outcome, unsigned long address) {
    int low = 0, high = outcome->change_count < MOST_CHANGES ? outcome->change_count : MOST_CHANGES;
    while (low < high) {
        int middle = (low + high) / 2;
        if (outcome->changes[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < outcome->change_count && low < MOST_CHANGES &&
                   outcome->changes[low].address == address
               ? &outcome->changes[low]
               : NULL;
}

static int same_change(const Change *a, const Change *b) {
    return a == b || (a && b && a->value == b->value);
}

// Bytes and words in which the two runs of the original agree, and the slice does not.
static const char *difference(void) {
    const Outcome *slice = &state->outcomes[BESIDE_SLICE],
                  *original = &state->outcomes[BESIDE_ORIGINAL],
                  *again = &state->outcomes[BESIDE_AGAIN];
    if (!slice->returned) return "does not return";
    for (int i = 0; i < original->result_size; i++)
        if (original->result[i] == again->result[i] && original->result[i] != slice->result[i])
            return "has another result";
    for (int side = 0; side < 2; side++) {
        const Outcome *one = side ? slice : original;
        for (int i = 0; i < one->change_count && i < MOST_CHANGES; i++) {
            unsigned long address = one->changes[i].address;
            const Change *in_original = change_at(original, address),
                         *in_again = change_at(again, address);
            if (same_change(in_original, in_again) &&
                !same_change(in_original, change_at(slice, address)))
                return "leaves other memory";
        }
    }
    return NULL;
}

void beside_judge(int number) {
    Tally *tally = &state->tallies[number];
    if (!state->outcomes[BESIDE_ORIGINAL].returned) {
        tally->other++;
        return;
    }
    if (beside_unsure()) {
        if (!state->outcomes[BESIDE_AGAIN].returned) {
            tally->other++;
            return;
        }
        const char *problem = difference();
        if (problem) {
            FILE *file = fopen(state->report, "a");
            if (file && tally->wrong == 0)
                fprintf(file, "%d call %d: %s\n", number, tally->calls, problem);
            if (file) fclose(file);
            tally->wrong++;
        }
    }
    tally->compared++;
}

// ---- What leaves a function in another way ends a child (the linker's --wrap leads here)

_Noreturn void __real_longjmp(jmp_buf to, int value);
_Noreturn void __real__longjmp(jmp_buf to, int value);
_Noreturn void __real_exit(int status);
_Noreturn void __wrap_longjmp(jmp_buf to, int value);
_Noreturn void __wrap__longjmp(jmp_buf to, int value);
_Noreturn void __wrap_exit(int status);

_Noreturn void __wrap_longjmp(jmp_buf to, int value) {
    if (state && state->child) _exit(0);
    __real_longjmp(to, value);
}

_Noreturn void __wrap__longjmp(jmp_buf to, int value) {
    if (state && state->child) _exit(0);
    __real__longjmp(to, value);
}

_Noreturn void __wrap_exit(int status) {
    if (state && state->child) _exit(0);
    __real_exit(status);
}

// ---- What would differ between two runs of the same function

pid_t __wrap_getpid(void);
int __wrap_gettimeofday(struct timeval *now, void *zone);

pid_t __wrap_getpid(void) {
    return 1;
}

int __wrap_gettimeofday(struct timeval *now, void *zone) {
    (void)zone;
    *now = (struct timeval){.tv_sec = 1000000000, .tv_usec = 1};
    return 0;
}
