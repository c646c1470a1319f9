// <signal.h>: no signal is ever delivered. So a handler is remembered and never runs. A call that
// would wait for a signal, or send a signal that has a handler, is a wrong step with its own
// message: the program would wait for ever, or go on as it never does.
#include "run/world/externals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

enum { DEFAULT = 0, IGNORE = 1 }; // handlers that are no functions
#define FAILED UINT64_MAX

static bool is_signal(int32_t number) {
    return number > 0 && number < SIGNAL_COUNT;
}

// Who has set a handler may wait for it in a loop that nothing here can tell from others.
static void tell(const ExternalCall *call, int32_t number) {
    Files *files = call->world->files;
    if (files->told_of_signals || call->world->options->capture) return;
    files->told_of_signals = true;
    fprintf(
        stderr,
        "gate: note: %s: there are no signals here, and the handler of signal %d is never called\n",
        files->current, number);
}

void external_signal(ExternalCall *call) {
    int32_t number = arg_int(call, 0);
    uint64_t handler = arg_i64(call, 1);
    if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) {
        external_errno(call, EINVAL);
        give_i64(call, FAILED);
        return;
    }
    uint64_t *now = &call->world->files->handlers[number];
    give_i64(call, *now);
    *now = handler;
    if (handler != DEFAULT && handler != IGNORE) tell(call, number);
}

static bool is_ignored(uint64_t handler, int32_t number) {
    bool usually = number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
    return handler == IGNORE || (handler == DEFAULT && usually);
}

void external_raise(ExternalCall *call) {
    int32_t number = arg_int(call, 0);
    if (!is_signal(number)) {
        external_errno(call, EINVAL);
        give_i32(call, -1);
        return;
    }
    uint64_t handler = call->world->files->handlers[number];
    give_i32(call, 0);
    if (is_ignored(handler, number)) return;
    if (number == SIGABRT && handler == DEFAULT)
        external_abort(call);
    else
        external_wrong(call, "there are no signals here: nothing handles signal %d", number);
}

void external_no_signals(ExternalCall *call) {
    external_wrong(call, "there are no signals here: none is sent, and none comes");
}
