#include "base/deep_stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

// A level of nesting takes about a kilobyte. Under a limit of the address space, a stack that
// cannot be reserved as a whole may be reserved in part.
#define LARGEST ((size_t)8 << 30)
#define LEAST   ((size_t)64 << 20)

typedef struct {
    void (*run)(void *context);
    void *context;
} Call;

static void *start(void *argument) {
    const Call *call = argument;
    call->run(call->context);
    return NULL;
}

// Runs a call in a thread with this stack and waits for its end; false if there can be no thread.
static bool run_thread(Call *call, void *stack, size_t size) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) return false;
    bool good = pthread_attr_setstack(&attributes, stack, size) == 0 &&
                pthread_create(&thread, &attributes, start, call) == 0;
    if (good) pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return good;
}

void stack_run(void (*run)(void *context), void *context) {
    Call call = {.run = run, .context = context};
    size_t size = LARGEST;
    void *stack = MAP_FAILED;
    for (; stack == MAP_FAILED && size >= LEAST; size /= 2)
        stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    size *= 2; // the loop has gone on
    if (stack == MAP_FAILED) {
        run(context);
        return;
    }
    mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
    if (!run_thread(&call, stack, size)) run(context);
    munmap(stack, size);
}

size_t stack_room(void) {
    enum { UNKNOWN = 1 << 20 };
    pthread_attr_t attributes;
    void *bottom = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &bottom, &size);
        pthread_attr_destroy(&attributes);
    }
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), low = (uintptr_t)bottom;
    return low && low < here && here - low <= size ? here - low : UNKNOWN;
}

uintptr_t stack_floor(unsigned sixteenths) {
    return (uintptr_t)__builtin_frame_address(0) - stack_room() / 16 * sixteenths;
}
