// <stdio.h> without formats, and plain descriptors.
//
// A stream of the program is a stream of the host, so that buffering, pushing back and switching
// between reading and writing behave as they do natively. With RunOptions.capture, stdout and
// stderr are host streams that append to RunResult.output. Output to stderr first flushes stdout:
// output appears in the order in which the program wrote it. Descriptors are numbered as in a
// process that opened nothing else.
//
// The trace must distinguish runs that write different bytes from the same place. So the written
// bytes, and the name of each file, are events of their own beside the event of the call.
#include "run/world/externals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_SIZE = 216, COPY_SIZE = 65536 };
enum { NO_DESCRIPTOR = INT32_MAX }; // of captured output, which the host does not know

// ---- State

static ssize_t append_output(void *result, const char *bytes, size_t size) {
    out_bytes(&((RunResult *)result)->output, bytes, size);
    return (ssize_t)size;
}

static ssize_t append_error(void *result, const char *bytes, size_t size) {
    out_bytes(&((RunResult *)result)->errors, bytes, size);
    return append_output(result, bytes, size);
}

// A host stream for a standard one of the program.
static FILE *open_standard(World *world, uint32_t which) {
    FILE *const host[] = {stdin, stdout, stderr};
    if (!which && world->options->no_input) return fopen("/dev/null", "r");
    if (!which || !world->options->capture) return host[which];
    bool error = which == 2 && world->options->errors;
    FILE *stream = fopencookie(
        world->result, "w", (cookie_io_functions_t){.write = error ? append_error : append_output});
    if (stream) setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

// Files a host stream under a number and makes the object that the program sees.
static Stream *add_stream(World *world, FILE *host, const char *name, int32_t number) {
    Files *files = world->files;
    uint32_t at = files->closed.count ? vec_pop(&files->closed) : files->streams.count;
    if (at == files->streams.count) vec_push(world->arena, &files->streams, (Stream){0});
    uint64_t address = external_object(world, name, NULL, FILE_SIZE);
    files->streams.at[at] = (Stream){.host = host, .address = address, .number = number};
    if (address) map_set(world->arena, &files->stream_of, address, at);
    return &files->streams.at[at];
}

Files *external_state(World *world) {
    static const char *const names[] = {"_IO_2_1_stdin_", "_IO_2_1_stdout_", "_IO_2_1_stderr_"};
    if (world->files) return world->files;
    world->files = ARENA_NEW(world->arena, Files);
    world->files->current = "start";
    for (uint32_t i = 0; i < 3; i++) {
        FILE *host = open_standard(world, i);
        if (!host) fatal("cannot open a standard stream: %s", strerror(errno));
        Stream *stream = add_stream(world, host, names[i], (int32_t)i);
        stream->borrowed = host == stdin || host == stdout || host == stderr;
        int descriptor = fileno(host) < 0 ? NO_DESCRIPTOR : fileno(host);
        vec_push(world->arena, &world->files->descriptors, descriptor);
    }
    return world->files;
}

static int close_host(const Stream *stream) {
    return stream->borrowed ? fflush(stream->host) : fclose(stream->host);
}

// Whether the host's descriptor of a number is closed together with a stream, or never.
static bool stream_owns(const Files *files, uint32_t number) {
    if (number < 3) return true;
    for (uint32_t i = 0; i < files->streams.count; i++)
        if (files->streams.at[i].host && files->streams.at[i].number == (int32_t)number)
            return true;
    return false;
}

void external_finish(World *world) {
    Files *files = world->files;
    if (!files) return;
    for (uint32_t i = 0; i < files->descriptors.count; i++)
        if (files->descriptors.at[i] >= 0 && !stream_owns(files, i))
            close(files->descriptors.at[i]);
    for (uint32_t i = 0; i < files->streams.count; i++)
        if (files->streams.at[i].host) close_host(&files->streams.at[i]);
    out_free(&files->text);
    out_free(&files->event);
    world->files = NULL;
}

Stream *external_stream(ExternalCall *call, uint64_t address) {
    Files *files = call->world->files;
    uint32_t at = map_get(&files->stream_of, address);
    if (at != HASH_NONE && files->streams.at[at].host && files->streams.at[at].address == address)
        return &files->streams.at[at];
    external_wrong(call, "0x%llx is not an open stream", (unsigned long long)address);
    return NULL;
}

Stream *external_standard(ExternalCall *call, uint32_t which) {
    Stream *stream = &call->world->files->streams.at[which];
    return stream->host ? stream : NULL;
}

// The host stream of an argument.
static FILE *host_of(ExternalCall *call, uint32_t argument) {
    Stream *stream = external_stream(call, arg_i64(call, argument));
    return stream ? stream->host : NULL;
}

void external_event(ExternalCall *call, const char *what, const void *bytes, size_t size) {
    Out *out = &call->world->files->event;
    out->length = 0;
    out_text(out, what);
    out_char(out, ' ');
    out_quoted(out, bytes, size);
    world_event_text(call->world, out->text, out->length);
}

// ---- Writing

static void output_event(ExternalCall *call, int32_t number, const void *bytes, size_t size) {
    char name[32];
    if (number == 1 || number == 2)
        strcpy(name, number == 1 ? "stdout" : "stderr");
    else
        snprintf(name, sizeof name, "file %d", number);
    external_event(call, name, bytes, size);
}

bool external_output(ExternalCall *call, Stream *stream, const void *bytes, size_t size) {
    Stream *out = external_standard(call, 1);
    if (!size) return true;
    output_event(call, stream->number, bytes, size);
    if (stream->number == 2 && out) fflush(out->host);
    errno = 0;
    if (fwrite(bytes, 1, size, stream->host) == size) return true;
    external_errno(call, errno);
    return false;
}

static void put_string(ExternalCall *call, Stream *stream, bool line) {
    uint64_t length;
    const char *text = external_string(call, arg_i64(call, 0), &length);
    if (!text) return;
    Out *out = &call->world->files->text;
    out->length = 0;
    out_bytes(out, text, length);
    if (line) out_char(out, '\n');
    bool written = stream && external_output(call, stream, out->text, out->length);
    give_i32(call, written ? (int32_t)(out->length & INT32_MAX) : EOF);
}

static void put_character(ExternalCall *call, Stream *stream) {
    uint8_t c = (uint8_t)arg_i32(call, 0);
    bool written = stream && external_output(call, stream, &c, 1);
    give_i32(call, written ? c : EOF);
}

void external_puts(ExternalCall *call) {
    put_string(call, external_standard(call, 1), true);
}

// glibc's fputs gives 1.
void external_fputs(ExternalCall *call) {
    Stream *stream = external_stream(call, arg_i64(call, 1));
    if (!stream) return;
    put_string(call, stream, false);
    if (as_i32(call->result) != (uint32_t)EOF) give_i32(call, 1);
}

void external_putchar(ExternalCall *call) {
    put_character(call, external_standard(call, 1));
}

void external_fputc(ExternalCall *call) {
    Stream *stream = external_stream(call, arg_i64(call, 1));
    if (stream) put_character(call, stream);
}

// The bytes of count elements; false if there are none or the run ended.
static bool total_size(ExternalCall *call, uint64_t *total) {
    uint64_t size = arg_i64(call, 1), count = arg_i64(call, 2);
    if (!size || !count) return false;
    *total = size * count;
    if (*total / size == count) return true;
    external_wrong(call, "%llu times %llu bytes", (unsigned long long)count,
                   (unsigned long long)size);
    return false;
}

void external_fwrite(ExternalCall *call) {
    uint64_t total;
    Stream *stream = external_stream(call, arg_i64(call, 3));
    if (!stream || !total_size(call, &total)) return;
    const uint8_t *bytes = external_read(call, arg_i64(call, 0), total);
    if (bytes && external_output(call, stream, bytes, total)) give_i64(call, arg_i64(call, 2));
}

void external_perror(ExternalCall *call) {
    Value code;
    uint64_t length = 0;
    const char *prefix = "";
    Out *out = &call->world->files->text;
    if (!external_load(call, CHUNK_I32, external_errno_address(call->world), &code)) return;
    if (arg_i64(call, 0)) prefix = external_string(call, arg_i64(call, 0), &length);
    if (!prefix) return;
    out->length = 0;
    out_printf(out, "%s%s%s\n", prefix, *prefix ? ": " : "", strerror((int)as_i32(code)));
    Stream *stream = external_standard(call, 2);
    if (stream) external_output(call, stream, out->text, out->length);
}

// ---- Reading

// Also tells the program why the host gave nothing.
static int get_character(ExternalCall *call, FILE *host) {
    errno = 0;
    int c = getc(host);
    if (c == EOF && errno) external_errno(call, errno);
    return c;
}

void external_fgetc(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (host) give_i32(call, get_character(call, host));
}

void external_getchar(ExternalCall *call) {
    Stream *stream = external_standard(call, 0);
    give_i32(call, stream ? get_character(call, stream->host) : EOF);
}

void external_ungetc(ExternalCall *call) {
    FILE *host = host_of(call, 1);
    if (host) give_i32(call, ungetc(arg_int(call, 0), host));
}

// Reads up to and including a delimiter, but not more than limit bytes, into the library's buffer;
// false if there was nothing.
static bool read_line(ExternalCall *call, FILE *host, int delimiter, uint64_t limit) {
    Out *out = &call->world->files->text;
    int c = 0;
    out->length = 0;
    while (out->length < limit && c != delimiter && (c = get_character(call, host)) != EOF)
        out_char(out, (char)c);
    return out->length;
}

void external_fgets(ExternalCall *call) {
    FILE *host = host_of(call, 2);
    int32_t size = arg_int(call, 1);
    if (!host || size <= 0) return;
    if (!read_line(call, host, '\n', (uint64_t)size - 1) && size > 1) return;
    const Out *out = &call->world->files->text;
    if (external_put(call, arg_i64(call, 0), out->text, out->length) &&
        external_put(call, arg_i64(call, 0) + out->length, "", 1))
        give_i64(call, arg_i64(call, 0));
}

void external_gets(ExternalCall *call) {
    Stream *stream = external_standard(call, 0);
    if (!stream || !read_line(call, stream->host, '\n', UINT64_MAX)) return;
    Out *out = &call->world->files->text;
    if (out->text[out->length - 1] == '\n') out->length--;
    if (external_put(call, arg_i64(call, 0), out->text, out->length) &&
        external_put(call, arg_i64(call, 0) + out->length, "", 1))
        give_i64(call, arg_i64(call, 0));
}

// Reads a line into a heap block that grows as needed, as getline does. glibc starts with 120 bytes
// and doubles.
static void get_delimited(ExternalCall *call, int delimiter, uint32_t stream) {
    FILE *host = host_of(call, stream);
    Value line, size;
    if (!host || !external_load(call, CHUNK_I64, arg_i64(call, 0), &line)) return;
    give_i64(call, (uint64_t)-1);
    uint64_t room = 0;
    if (as_i64(line)) {
        if (!external_load(call, CHUNK_I64, arg_i64(call, 1), &size)) return;
        room = as_i64(size);
    }
    if (!read_line(call, host, delimiter, UINT64_MAX)) return;
    const Out *out = &call->world->files->text;
    uint64_t block = as_i64(line), needed = room < 120 && !block ? 120 : room;
    while (needed < out->length + 1) needed = needed < 60 ? 120 : needed * 2;
    if (needed > room || !block) block = external_reallocate(call, block, needed);
    if (!block || call->world->stopped) return;
    if (external_store(call, CHUNK_I64, arg_i64(call, 0), value_i64(block)) &&
        external_store(call, CHUNK_I64, arg_i64(call, 1), value_i64(needed)) &&
        external_put(call, block, out->text, out->length) &&
        external_put(call, block + out->length, "", 1))
        give_i64(call, out->length);
}

void external_getline(ExternalCall *call) {
    get_delimited(call, '\n', 2);
}
void external_getdelim(ExternalCall *call) {
    get_delimited(call, arg_int(call, 2), 3);
}

// Reads by pieces: the program may ask for more than its object holds if the file is short.
void external_fread(ExternalCall *call) {
    uint64_t total, done = 0;
    FILE *host = host_of(call, 3);
    if (!host || !total_size(call, &total)) return;
    uint8_t *buffer = xmalloc(COPY_SIZE);
    bool ok = true;
    while (ok && done < total) {
        size_t wanted = total - done < COPY_SIZE ? total - done : COPY_SIZE;
        errno = 0;
        size_t count = fread(buffer, 1, wanted, host);
        if (errno && ferror(host)) external_errno(call, errno);
        ok = external_put(call, arg_i64(call, 0) + done, buffer, count) && count == wanted;
        done += count;
    }
    free(buffer);
    give_i64(call, done / arg_i64(call, 1));
}

// ---- Opening and closing

// The lowest free number, as in a process.
static int32_t new_number(World *world, int host) {
    Files *files = world->files;
    uint32_t i = 0;
    while (i < files->descriptors.count && files->descriptors.at[i] >= 0) i++;
    if (i == files->descriptors.count)
        vec_push(world->arena, &files->descriptors, host);
    else
        files->descriptors.at[i] = host;
    return (int32_t)i;
}

// Whether the program may touch the host's files; sets the host's errno if not.
static bool files_allowed(const ExternalCall *call) {
    errno = EACCES;
    return !call->world->options->no_files;
}

// The name of a file, which is an event; NULL if it cannot be read or must not be used.
static const char *path_at(ExternalCall *call, uint64_t address) {
    uint64_t length;
    const char *path = external_string(call, address, &length);
    if (path) external_event(call, "path", path, length);
    return files_allowed(call) ? path : NULL;
}

static void note_written(World *world, const char *path) {
    const char *copy = arena_text(world->arena, path, strlen(path));
    vec_push(world->arena, &world->result->files, copy);
}

// Opens the file that the first two arguments name; the host's refusal sets errno.
static FILE *open_host(ExternalCall *call) {
    uint64_t length;
    const char *path = path_at(call, arg_i64(call, 0));
    const char *mode = external_string(call, arg_i64(call, 1), &length);
    FILE *host = path && mode ? fopen(path, mode) : NULL;
    if (!host)
        external_errno(call, errno);
    else if (*mode == 'w')
        note_written(call->world, path);
    return host;
}

static void give_stream(ExternalCall *call, FILE *host) {
    World *world = call->world;
    if (host)
        give_i64(call, add_stream(world, host, "FILE", new_number(world, fileno(host)))->address);
}

void external_fopen(ExternalCall *call) {
    give_stream(call, open_host(call));
}

void external_tmpfile(ExternalCall *call) {
    FILE *host = files_allowed(call) ? tmpfile() : NULL;
    if (!host) external_errno(call, errno);
    give_stream(call, host);
}

// The name is made of the host's process number, so that runs at the same time differ, and of a
// number of the world's, so that two worlds of one process see the same.
void external_tmpnam(ExternalCall *call) {
    Files *files = call->world->files;
    char name[L_tmpnam];
    do snprintf(name, sizeof name, "/tmp/g%x-%x", (unsigned)getpid(), files->names++);
    while (files_allowed(call) && access(name, F_OK) == 0);
    uint64_t to = arg_i64(call, 0);
    if (!to) to = external_static(call->world, STATIC_NAME, "tmpnam", NULL, sizeof name);
    if (to && external_put(call, to, name, strlen(name) + 1)) give_i64(call, to);
}

void external_fdopen(ExternalCall *call) {
    Files *files = call->world->files;
    uint32_t number = arg_i32(call, 0);
    uint64_t length;
    const char *mode = external_string(call, arg_i64(call, 1), &length);
    if (!mode) return;
    bool known = number < files->descriptors.count && !stream_owns(files, number);
    FILE *host = known ? fdopen(files->descriptors.at[number], mode) : NULL;
    if (host)
        give_i64(call, add_stream(call->world, host, "FILE", (int32_t)number)->address);
    else
        external_errno(call, known ? errno : EBADF);
}

// The stream keeps its number and its object, whatever file it had.
void external_freopen(ExternalCall *call) {
    Stream *stream = external_stream(call, arg_i64(call, 2));
    if (!stream) return;
    close_host(stream);
    FILE *host = arg_i64(call, 0) ? open_host(call) : NULL;
    stream->host = host;
    stream->borrowed = false;
    call->world->files->descriptors.at[stream->number] = host ? fileno(host) : -1;
    if (host) give_i64(call, stream->address);
}

void external_fclose(ExternalCall *call) {
    Files *files = call->world->files;
    Stream *stream = external_stream(call, arg_i64(call, 0));
    if (!stream) return;
    give_i32(call, close_host(stream) ? EOF : 0);
    stream->host = NULL;
    files->descriptors.at[stream->number] = -1;
    uint32_t at = (uint32_t)(stream - files->streams.at);
    if (at < 3) return;
    Memory *memory = call->world->memory;
    memory_remove(memory, memory_find(memory, stream->address));
    vec_push(call->world->arena, &files->closed, at);
}

void external_fflush(ExternalCall *call) {
    FILE *host = NULL;
    if (arg_i64(call, 0) && !(host = host_of(call, 0))) return;
    give_i32(call, fflush(host));
}

// Buffers are the host's business.
void external_setvbuf(ExternalCall *call) {
    if (host_of(call, 0)) give_i32(call, 0);
}

// ---- Position and condition

void external_fseek(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (!host) return;
    int failed = fseek(host, (long)arg_i64(call, 1), arg_int(call, 2));
    if (failed) external_errno(call, errno);
    give_i32(call, failed);
}

void external_ftell(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (!host) return;
    long position = ftell(host);
    if (position < 0) external_errno(call, errno);
    give_i64(call, (uint64_t)position);
}

void external_rewind(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (host) rewind(host);
}

// An fpos_t is 16 bytes, of which the first 8 are the offset.
void external_fgetpos(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (!host) return;
    int64_t position[2] = {ftell(host)};
    if (position[0] < 0) {
        external_errno(call, errno);
        give_i32(call, -1);
    } else
        external_put(call, arg_i64(call, 1), position, sizeof position);
}

void external_fsetpos(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    Value position;
    if (!host || !external_load(call, CHUNK_I64, arg_i64(call, 1), &position)) return;
    give_i32(call, fseek(host, (long)as_i64(position), SEEK_SET));
}

void external_feof(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (host) give_i32(call, feof(host) != 0);
}
void external_ferror(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (host) give_i32(call, ferror(host) != 0);
}
void external_clearerr(ExternalCall *call) {
    FILE *host = host_of(call, 0);
    if (host) clearerr(host);
}
void external_fileno(ExternalCall *call) {
    Stream *stream = external_stream(call, arg_i64(call, 0));
    if (stream) give_i32(call, stream->number);
}

// ---- Names of files

static void give_outcome(ExternalCall *call, int failed) {
    if (failed) external_errno(call, errno);
    give_i32(call, failed);
}

void external_remove(ExternalCall *call) {
    const char *path = path_at(call, arg_i64(call, 0));
    give_outcome(call, path ? remove(path) : -1);
}
void external_unlink(ExternalCall *call) {
    const char *path = path_at(call, arg_i64(call, 0));
    give_outcome(call, path ? unlink(path) : -1);
}
void external_rename(ExternalCall *call) {
    const char *from = path_at(call, arg_i64(call, 0));
    const char *to = from ? path_at(call, arg_i64(call, 1)) : NULL;
    give_outcome(call, to ? rename(from, to) : -1);
}
void external_access(ExternalCall *call) {
    const char *path = path_at(call, arg_i64(call, 0));
    give_outcome(call, path ? access(path, arg_int(call, 1)) : -1);
}

// ---- Descriptors

// The host's descriptor; -1, with errno set, if there is none.
static int host_number(ExternalCall *call) {
    const Files *files = call->world->files;
    uint32_t number = arg_i32(call, 0);
    int host = number < files->descriptors.count ? files->descriptors.at[number] : -1;
    if (host < 0) external_errno(call, EBADF);
    return host;
}

void external_open(ExternalCall *call) {
    const char *path = path_at(call, arg_i64(call, 0));
    FormatArguments arguments = arguments_from(2);
    Value mode = {0};
    if (arg_int(call, 1) & O_CREAT && !arguments_next(call, &arguments, TYPE_I32, &mode)) return;
    int host = path ? open(path, arg_int(call, 1), (mode_t)as_i32(mode)) : -1;
    if (host < 0)
        external_errno(call, errno);
    else if (arg_int(call, 1) & O_TRUNC)
        note_written(call->world, path);
    give_i32(call, host < 0 ? -1 : new_number(call->world, host));
}

void external_close(ExternalCall *call) {
    int host = host_number(call);
    give_i32(call, host < 0 ? -1 : 0);
    if (host < 0) return;
    Files *files = call->world->files;
    if (!stream_owns(files, arg_i32(call, 0))) close(host);
    files->descriptors.at[arg_i32(call, 0)] = -1;
}

void external_read_descriptor(ExternalCall *call) {
    int host = host_number(call);
    uint64_t wanted = arg_i64(call, 2) < COPY_SIZE ? arg_i64(call, 2) : COPY_SIZE;
    uint8_t *buffer = xmalloc(COPY_SIZE);
    ssize_t count = host < 0 ? -1 : read(host, buffer, wanted);
    if (host >= 0 && count < 0) external_errno(call, errno);
    if (count < 0 || external_put(call, arg_i64(call, 1), buffer, (uint64_t)count))
        give_i64(call, (uint64_t)count);
    free(buffer);
}

// Standard output and error are written by their streams, behind what these still hold.
void external_write_descriptor(ExternalCall *call) {
    const uint8_t *bytes = external_read(call, arg_i64(call, 1), arg_i64(call, 2));
    uint32_t number = arg_i32(call, 0);
    if (!bytes) return;
    int host = host_number(call);
    Stream *stream = number == 1 || number == 2 ? external_standard(call, number) : NULL;
    ssize_t count = -1;
    if (stream && host >= 0) {
        if (external_output(call, stream, bytes, arg_i64(call, 2)) && !fflush(stream->host))
            count = (ssize_t)arg_i64(call, 2);
    } else if (host >= 0) {
        output_event(call, (int32_t)number, bytes, arg_i64(call, 2));
        count = write(host, bytes, arg_i64(call, 2));
        if (count < 0) external_errno(call, errno);
    }
    give_i64(call, (uint64_t)count);
}

void external_lseek(ExternalCall *call) {
    int host = host_number(call);
    off_t position = host < 0 ? -1 : lseek(host, (off_t)arg_i64(call, 1), arg_int(call, 2));
    if (host >= 0 && position < 0) external_errno(call, errno);
    give_i64(call, (uint64_t)position);
}

// A run looks the same on a terminal and elsewhere.
void external_isatty(ExternalCall *call) {
    if (host_number(call) >= 0) external_errno(call, ENOTTY);
    give_i32(call, 0);
}

void external_getpid(ExternalCall *call) {
    give_i32(call, 1000);
}
void external_getpagesize(ExternalCall *call) {
    give_i32(call, 4096);
}
