#include "lib/program_memory.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where a call comes back to. Borders may be nested: the front end runs in a thread of its own,
// which has one, too.
typedef struct Border {
    struct Border *outer;
    Holdings *holdings;
    jmp_buf back;
} Border;

// The innermost one of this thread; NULL outside of calls.
static _Thread_local Border *border;

_Noreturn void __real_fatal(const char *format, ...);
_Noreturn void __wrap_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- Blocks

// Stands before the bytes that were asked for, and keeps their alignment.
struct HeldBlock {
    HeldBlock *next, *before; // NULL at the ends
    Holdings *holdings;       // NULL: nobody's
    size_t size;
};

_Static_assert(sizeof(HeldBlock) % 16 == 0, "what follows is aligned as malloc has it");

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static void link_block(HeldBlock *block) {
    Holdings *holdings = block->holdings;
    if (!holdings) return;
    block->before = NULL;
    block->next = holdings->blocks;
    if (block->next) block->next->before = block;
    holdings->blocks = block;
    holdings->used += block->size;
}

static void unlink_block(HeldBlock *block) {
    Holdings *holdings = block->holdings;
    if (!holdings) return;
    if (block->next) block->next->before = block->before;
    if (block->before)
        block->before->next = block->next;
    else
        holdings->blocks = block->next;
    holdings->used -= block->size;
}

// Whether so many bytes more may be had.
static bool may_have(const Holdings *holdings, size_t size) {
    if (size > SIZE_MAX / 2) return false;
    if (!holdings || !holdings->limit) return true;
    return holdings->used <= holdings->limit && size <= holdings->limit - holdings->used;
}

static Holdings *current(void) {
    return border ? border->holdings : NULL;
}

static void *hand_out(HeldBlock *block, size_t size) {
    if (!block) return NULL;
    *block = (HeldBlock){.holdings = current(), .size = size};
    link_block(block);
    return block + 1;
}

void *__wrap_malloc(size_t size) {
    if (!may_have(current(), size)) return NULL;
    return hand_out(__real_malloc(sizeof(HeldBlock) + size), size);
}

void *__wrap_calloc(size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    if (!may_have(current(), count * size)) return NULL;
    return hand_out(__real_calloc(1, sizeof(HeldBlock) + count * size), count * size);
}

void *__wrap_realloc(void *old, size_t size) {
    if (!old) return __wrap_malloc(size);
    HeldBlock *block = (HeldBlock *)old - 1;
    Holdings *holdings = block->holdings;
    if (size > block->size && !may_have(holdings, size - block->size)) return NULL;
    unlink_block(block);
    HeldBlock *moved = __real_realloc(block, sizeof(HeldBlock) + size);
    if (moved) moved->size = size;
    link_block(moved ? moved : block);
    return moved ? moved + 1 : NULL;
}

void __wrap_free(void *old) {
    if (!old) return;
    HeldBlock *block = (HeldBlock *)old - 1;
    unlink_block(block);
    __real_free(block);
}

// ---- Files

struct HeldFile {
    HeldFile *next;
    FILE *stream; // or NULL
    int descriptor;
};

int __real_open(const char *path, int flags, ...);
int __real_close(int descriptor);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
int __real_fclose(FILE *stream);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int descriptor);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
int __wrap_fclose(FILE *stream);

static void close_file(const HeldFile *file) {
    if (file->stream)
        __real_fclose(file->stream);
    else
        __real_close(file->descriptor);
}

// Notes a file that was opened; if there is no memory for the note, it is closed again.
static void note_file(HeldFile opened) {
    Holdings *holdings = current();
    if (!holdings) return;
    HeldFile *file = __wrap_malloc(sizeof *file);
    if (!file) {
        close_file(&opened);
        __wrap_fatal("out of memory (%zu bytes)", sizeof *file);
    }
    *file = opened;
    file->next = holdings->files;
    holdings->files = file;
}

static void forget_file(const FILE *stream, int descriptor) {
    Holdings *holdings = current();
    if (!holdings) return;
    HeldFile **link = &holdings->files;
    while (*link && ((*link)->stream != stream || (*link)->descriptor != descriptor))
        link = &(*link)->next;
    HeldFile *file = *link;
    if (!file) return;
    *link = file->next;
    __wrap_free(file);
}

int __wrap_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    int descriptor = __real_open(path, flags, mode);
    if (descriptor >= 0) note_file((HeldFile){.descriptor = descriptor});
    return descriptor;
}

int __wrap_close(int descriptor) {
    forget_file(NULL, descriptor);
    return __real_close(descriptor);
}

FILE *__wrap_fopen(const char *path, const char *mode) {
    FILE *stream = __real_fopen(path, mode);
    if (stream) note_file((HeldFile){.stream = stream, .descriptor = -1});
    return stream;
}

FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
    FILE *stream = __real_fopencookie(cookie, mode, functions);
    if (stream) note_file((HeldFile){.stream = stream, .descriptor = -1});
    return stream;
}

int __wrap_fclose(FILE *stream) {
    forget_file(stream, -1);
    return __real_fclose(stream);
}

// ---- Borders

static _Noreturn void go_back(void) {
    longjmp(border->back, 1);
}

_Noreturn void __wrap_fatal(const char *format, ...) {
    char reason[sizeof(((Holdings *)0)->reason) - sizeof "error: \n"];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    Holdings *holdings = current();
    if (!holdings) __real_fatal("%s", reason);
    snprintf(holdings->reason, sizeof holdings->reason, "error: %s\n", reason);
    holdings->failed = true;
    go_back();
}

static void close_files(Holdings *holdings) {
    for (; holdings->files; holdings->files = holdings->files->next) close_file(holdings->files);
}

bool holdings_run(Holdings *holdings, void (*run)(void *context), void *context) {
    if (holdings->failed) return false;
    Border here = {.outer = border, .holdings = holdings};
    if (setjmp(here.back) == 0) {
        border = &here;
        run(context);
        border = here.outer;
        return true;
    }
    border = here.outer;
    if (border && border->holdings == holdings) go_back(); // what called this cannot go on either
    close_files(holdings);
    return false;
}

void holdings_release(Holdings *holdings) {
    close_files(holdings);
    while (holdings->blocks) {
        HeldBlock *block = holdings->blocks;
        holdings->blocks = block->next;
        __real_free(block);
    }
}

// ---- Threads

// A call that stack_run is to make on another stack, in a thread that has no border yet.
typedef struct {
    void (*run)(void *context);
    void *context;
    Holdings *holdings;
    bool failed;
} OtherStack;

void __real_stack_run(void (*run)(void *context), void *context);
void __wrap_stack_run(void (*run)(void *context), void *context);

static void run_on_other_stack(void *context) {
    OtherStack *call = context;
    Border here = {.outer = border, .holdings = call->holdings};
    if (setjmp(here.back) == 0) {
        border = &here;
        call->run(call->context);
    } else {
        call->failed = true;
    }
    border = here.outer;
}

void __wrap_stack_run(void (*run)(void *context), void *context) {
    OtherStack call = {.run = run, .context = context, .holdings = current()};
    __real_stack_run(run_on_other_stack, &call);
    if (call.failed) go_back();
}
