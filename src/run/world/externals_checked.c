// The checked functions of hardened programs, such as __memcpy_chk. Each takes the size of the
// object as well, and ends the program if more is to be written; otherwise it calls the plain
// function. The checked functions of printf's family are in externals_format.c.
#include "run/world/externals.h"

#include <string.h>

static void end_with(ExternalCall *call, const char *message) {
    Stream *stream = external_standard(call, 2);
    if (stream) external_output(call, stream, message, strlen(message));
    world_exit(call->world, END_ABORT, 0);
}

void external_overflow(ExternalCall *call) {
    end_with(call, "*** buffer overflow detected ***: terminated\n");
}

void external_writable_format(ExternalCall *call) {
    end_with(call, "*** %n in writable segment detected ***\n");
}

// Performs a function if so many bytes fit.
static void if_fits(ExternalCall *call, uint64_t size, uint64_t room, ExternalFunction *function) {
    if (size > room)
        external_overflow(call);
    else
        function(call);
}

// ---- <string.h>

void external_memcpy_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 2), arg_i64(call, 3), external_memcpy);
}
void external_memmove_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 2), arg_i64(call, 3), external_memmove);
}
void external_mempcpy_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 2), arg_i64(call, 3), external_mempcpy);
}
void external_memset_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 2), arg_i64(call, 3), external_memset);
}
void external_explicit_bzero_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 1), arg_i64(call, 2), external_bzero);
}
void external_strncpy_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 2), arg_i64(call, 3), external_strncpy);
}
void external_stpncpy_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 2), arg_i64(call, 3), external_stpncpy);
}

static void if_string_fits(ExternalCall *call, ExternalFunction *function) {
    uint64_t length;
    if (external_string(call, arg_i64(call, 1), &length))
        if_fits(call, length + 1, arg_i64(call, 2), function);
}

void external_strcpy_chk(ExternalCall *call) {
    if_string_fits(call, external_strcpy);
}
void external_stpcpy_chk(ExternalCall *call) {
    if_string_fits(call, external_stpcpy);
}

void external_strcat_chk(ExternalCall *call) {
    uint64_t before, length;
    if (external_string(call, arg_i64(call, 0), &before) &&
        external_string(call, arg_i64(call, 1), &length))
        if_fits(call, before + length + 1, arg_i64(call, 2), external_strcat);
}

void external_strncat_chk(ExternalCall *call) {
    uint64_t before, length = 0, limit = arg_i64(call, 2);
    Bytes bytes;
    if (!external_string(call, arg_i64(call, 0), &before)) return;
    if (limit &&
        (!bytes_at(call, arg_i64(call, 1), &bytes) || !bytes_length(call, &bytes, limit, &length)))
        return;
    if_fits(call, before + length + 1, arg_i64(call, 3), external_strncat);
}

// ---- <wchar.h>: sizes count wide characters

// The number of wide characters of a string, with the terminating one.
static bool wide_size(ExternalCall *call, uint64_t address, uint64_t *size) {
    Value character;
    *size = 0;
    do {
        if (!external_load(call, CHUNK_I32, address + 4 * *size, &character)) return false;
        ++*size;
    } while (as_i32(character));
    return true;
}

void external_wcscpy_chk(ExternalCall *call) {
    uint64_t size;
    if (wide_size(call, arg_i64(call, 1), &size))
        if_fits(call, size, arg_i64(call, 2), external_wcscpy);
}

void external_wcscat_chk(ExternalCall *call) {
    uint64_t before, size;
    if (wide_size(call, arg_i64(call, 0), &before) && wide_size(call, arg_i64(call, 1), &size))
        if_fits(call, before - 1 + size, arg_i64(call, 2), external_wcscat);
}

// ---- <stdio.h>, <unistd.h>

// Performs the plain function, which does not have the argument `size`.
static void without(ExternalCall *call, uint32_t size, ExternalFunction *function) {
    enum { MOST = 5 };
    Value args[MOST];
    ExternalCall plain = *call;
    plain.args = args;
    plain.arg_count = 0;
    for (uint32_t i = 0; i < call->arg_count && plain.arg_count < MOST; i++)
        if (i != size) args[plain.arg_count++] = call->args[i];
    function(&plain);
    call->result = plain.result;
}

void external_fgets_chk(ExternalCall *call) {
    int32_t wanted = arg_int(call, 2);
    if (wanted > 0 && (uint64_t)wanted > arg_i64(call, 1))
        external_overflow(call);
    else
        without(call, 1, external_fgets);
}

void external_gets_chk(ExternalCall *call) {
    without(call, 1, external_gets); // a line that is too long does not fit into the object
}

void external_fread_chk(ExternalCall *call) {
    uint64_t size = arg_i64(call, 2), count = arg_i64(call, 3);
    if (size && count > arg_i64(call, 1) / size)
        external_overflow(call);
    else
        without(call, 1, external_fread);
}

void external_read_chk(ExternalCall *call) {
    if_fits(call, arg_i64(call, 2), arg_i64(call, 3), external_read_descriptor);
}

// The word of an fd_set in which a descriptor is.
void external_fdelt_chk(ExternalCall *call) {
    enum { DESCRIPTORS = 1024, BITS = 64 };
    if (arg_i64(call, 0) >= DESCRIPTORS)
        external_overflow(call);
    else
        give_i64(call, arg_i64(call, 0) / BITS);
}

// What inline versions of getc and putc call when their buffers are empty or full. The program's
// FILE objects have none, so that is always.
void external_underflow(ExternalCall *call) {
    external_fgetc(call);
}

void external_flush_character(ExternalCall *call) {
    Value args[2] = {call->args[1], call->args[0]};
    ExternalCall plain = *call;
    plain.args = args;
    external_fputc(&plain);
    call->result = plain.result;
}
