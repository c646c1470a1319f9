#include "explore/serve_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double serve_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// ---- In the child

static bool limit(unsigned resource, rlim_t most) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return false;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
    return setrlimit(resource, &(struct rlimit){most, most}) == 0;
}

// The address space that the server has already, in bytes.
static rlim_t memory_now(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static bool close_others(void) {
#ifdef SYS_close_range
    return syscall(SYS_close_range, 4u, ~0u, 0u) == 0;
#else
    for (int file = 4; file < 65536; file++) close(file);
    return true;
#endif
}

// Nothing that the server has open is left but the two ways out, and no file can be written: what
// is not a pipe has no room for a byte.
static bool confine(int answer, int messages) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(messages, 1) < 0 || dup2(messages, 2) < 0 ||
        dup2(answer, 3) < 0)
        return false;
    bool good = close_others();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    good &= prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    good &= limit(RLIMIT_AS, memory_now() + SERVE_MEMORY);
    good &= limit(RLIMIT_CPU, SERVE_CPU_SECONDS) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0);
    good &= limit(RLIMIT_NOFILE, 32);
    return good;
}

// ---- In the server

bool job_start(ServeJob *job, const ServeOptions *options, const char *body, size_t length) {
    int answer[2], messages[2];
    if (pipe2(answer, O_CLOEXEC) != 0) return false;
    if (pipe2(messages, O_CLOEXEC) != 0) {
        close(answer[0]);
        close(answer[1]);
        return false;
    }
    pid_t process = fork();
    if (process == 0) {
        if (!confine(answer[1], messages[1])) {
            fputs("gate: the limits of a compilation could not be set\n", stderr);
            _exit(SERVE_BAD_REQUEST);
        }
        int status = options->compile(options->context, body, length, 3);
        fflush(NULL);
        _exit(status);
    }
    close(answer[1]);
    close(messages[1]);
    if (process < 0) {
        close(answer[0]);
        close(messages[0]);
        return false;
    }
    fcntl(answer[0], F_SETFL, O_NONBLOCK);
    fcntl(messages[0], F_SETFL, O_NONBLOCK);
    *job = (ServeJob){.process = process,
                      .answer = answer[0],
                      .messages = messages[0],
                      .until = serve_now() + SERVE_WALL_SECONDS};
    return true;
}

// Reads all that is there. Of what is more than the limit nothing is kept.
static void read_from(int *from, Out *to, size_t most, bool *overflowed) {
    char bytes[65536];
    ssize_t count;
    while (*from >= 0 && (count = read(*from, bytes, sizeof bytes)) != 0) {
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (count < 0) break;
        if (to->length + (size_t)count <= most)
            out_bytes(to, bytes, (size_t)count);
        else
            *overflowed = true;
    }
    if (*from >= 0) close(*from);
    *from = -1;
}

bool job_read(ServeJob *job) {
    bool too_much = false;
    read_from(&job->answer, &job->text, SERVE_ANSWER_BYTES, &job->overflowed);
    read_from(&job->messages, &job->said, SERVE_MESSAGE_BYTES, &too_much);
    if (job->overflowed) kill(job->process, SIGKILL);
    return job->answer < 0 && job->messages < 0;
}

void job_stop(ServeJob *job, bool at_once) {
    if (!at_once && serve_now() < job->until) return;
    job->stopped = true;
    kill(job->process, SIGKILL);
}

int job_end(ServeJob *job) {
    int status;
    if (job->answer >= 0) close(job->answer);
    if (job->messages >= 0) close(job->messages);
    while (waitpid(job->process, &status, 0) < 0 && errno == EINTR) continue;
    job->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
