#include "base/out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void out_free(Out *out) {
    free(out->text);
    *out = (Out){0};
}

static void reserve(Out *out, size_t extra) {
    size_t needed = size_add(out->length, extra);
    if (needed <= out->capacity) return;
    size_t capacity = out->capacity ? size_mul(out->capacity, 2) : 4096;
    if (capacity < needed) capacity = needed;
    out->text = xrealloc(out->text, capacity);
    out->capacity = capacity;
}

void out_bytes(Out *out, const void *bytes, size_t size) {
    if (!size) return;
    reserve(out, size);
    memcpy(out->text + out->length, bytes, size);
    out->length += size;
}

void out_text(Out *out, const char *text) {
    out_bytes(out, text, strlen(text));
}

void out_char(Out *out, char c) {
    reserve(out, 1);
    out->text[out->length++] = c;
}

void out_u64(Out *out, uint64_t n) {
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    out_bytes(out, digits + at, sizeof digits - at);
}

void out_i64(Out *out, int64_t n) {
    if (n < 0) out_char(out, '-');
    out_u64(out, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

void out_vprintf(Out *out, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0) fatal("cannot format output");
    reserve(out, (size_t)length + 1);
    vsnprintf(out->text + out->length, (size_t)length + 1, format, again);
    va_end(again);
    out->length += (size_t)length;
}

void out_printf(Out *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    out_vprintf(out, format, args);
    va_end(args);
}

void out_quoted(Out *out, const char *text, size_t length) {
    static const char named[] = "\aa\bb\ff\nn\rr\tt\vv\\\\\"\"";
    out_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *name = c ? strchr(named, c) : NULL;
        while (name && (name - named) % 2) name = strchr(name + 1, c);
        if (name) {
            out_char(out, '\\');
            out_char(out, name[1]);
        } else if (c >= ' ' && c < 127) {
            out_char(out, (char)c);
        } else {
            out_printf(out, "\\x%02x", c);
        }
    }
    out_char(out, '"');
}

size_t shown_size(const char *text, size_t length) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) return c[0] >= ' ' && c[0] != 127;
    size_t size = c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    if (size == 0 || size > length) return 0;
    for (size_t i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    bool control = c[0] == 0xc2 && c[1] < 0xa0;
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool surrogate = c[0] == 0xed && c[1] >= 0xa0;
    bool beyond = c[0] == 0xf4 && c[1] >= 0x90;
    return control || overlong || surrogate || beyond ? 0 : size;
}

void out_shown(Out *out, const char *text, size_t length) {
    for (size_t i = 0, size; i < length; i += size ? size : 1) {
        size = shown_size(text + i, length - i);
        if (size)
            out_bytes(out, text + i, size);
        else
            out_char(out, text[i] == '\t' ? ' ' : '?');
    }
}

void out_flush(Out *out, FILE *stream) {
    size_t written = out->length ? fwrite(out->text, 1, out->length, stream) : 0;
    if ((written != out->length || fflush(stream) != 0) && stream != stderr)
        fatal("cannot write output: %s", strerror(errno));
    out->length = 0;
}

bool read_file(Arena *arena, const char *path, char **text, size_t *length) {
    bool standard = strcmp(path, "-") == 0;
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    struct stat info;
    size_t capacity = 65536;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        capacity = (size_t)info.st_size + 1;
    char *buffer = arena_alloc(arena, capacity);
    size_t used = 0;
    ssize_t n;
    while ((n = read(file, buffer + used, capacity - used)) != 0) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        used += (size_t)n;
        if (used < capacity) continue;
        buffer = arena_grow(arena, buffer, capacity, size_mul(capacity, 2));
        capacity *= 2;
    }
    int reason = errno;
    if (!standard) close(file);
    errno = reason;
    if (n < 0) return false;
    buffer[used] = '\0'; // the loop leaves room: it ends only with used < capacity
    *text = buffer;
    *length = used;
    return true;
}
