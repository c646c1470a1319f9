// The helpers that the files of external functions share: access to simulated memory that reports a
// wrong step itself, the arguments of formats, streams, and the state that a C library keeps
// between calls.
//
// When a helper yields false or NULL, it has ended the run; its caller just returns.
#pragma once

#include "run/world/world.h"

// The functions of the table. Each is called only after its arguments were found to be of the
// right types and defined.
#define EXTERNAL(name, function, observable, types) ExternalFunction function;
#include "run/world/externals.def"

// ---- State

// An open stream is a stream of the host; the program only sees the address of an opaque object.
typedef struct {
    FILE *host;       // NULL: closed
    uint64_t address; // of the FILE object; 0 if there was no memory for it
    int32_t number;   // its descriptor, as the program knows it
    bool borrowed;    // one of the host's standard streams, never closed
} Stream;

// Objects of the library that are made on first use.
typedef enum {
    STATIC_CTYPE,
    STATIC_LOWER,
    STATIC_UPPER,
    STATIC_TIME,
    STATIC_TIME_TEXT,
    STATIC_ZONE_GMT,
    STATIC_ZONE_UTC,
    STATIC_LOCALE,
    STATIC_LCONV,
    STATIC_ERROR_TEXT,
    STATIC_NAME,
    STATIC_COUNT
} StaticObject;

typedef struct {
    const char *name;
    uint64_t value; // address of its text
} Setting;

enum { RANDOM_DEGREE = 31, KNOWN_ERRORS = 134, SIGNAL_COUNT = 65 };

// Everything the library remembers. It hangs on World.files.
struct Files {
    const char *current;  // name of the function being performed, for messages
    VEC(Stream) streams;  // the first three are stdin, stdout, stderr
    VEC(uint32_t) closed; // streams that can be used again
    Map stream_of;        // address of the FILE object -> stream
    VEC(int) descriptors; // the host's, by the program's number; -1 if closed
    Out text;             // the text that is being formatted or read
    Out event;            // the event that is being recorded
    uint32_t names;       // that tmpnam has made up
    uint64_t strtok;      // where strtok goes on
    uint32_t random[RANDOM_DEGREE];
    uint32_t random_at;
    bool random_seeded;
    VEC(Setting) environment;
    uint64_t handlers[SIGNAL_COUNT]; // that the program has set
    bool told_of_signals;            // that there are none
    uint64_t statics[STATIC_COUNT];
    uint64_t error_texts[KNOWN_ERRORS];
};

// Makes the state, with the standard streams, unless it exists.
Files *external_state(World *world);

// ---- Arguments and results

static inline uint32_t arg_i32(const ExternalCall *call, uint32_t i) {
    return as_i32(call->args[i]);
}
static inline int32_t arg_int(const ExternalCall *call, uint32_t i) {
    return (int32_t)as_i32(call->args[i]);
}
static inline uint64_t arg_i64(const ExternalCall *call, uint32_t i) {
    return as_i64(call->args[i]);
}
static inline void give_i32(ExternalCall *call, int32_t n) {
    call->result = value_i32((uint32_t)n);
}
static inline void give_i64(ExternalCall *call, uint64_t n) {
    call->result = value_i64(n);
}

// Ends the run with a wrong step whose reason starts with the function's name.
void external_wrong(ExternalCall *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Sets the program's errno.
void external_errno(ExternalCall *call, int code);
// The address of the program's errno.
uint64_t external_errno_address(World *world);

// ---- Memory

// The bytes from an address to the end of its object.
typedef struct {
    const uint8_t *data;
    const uint8_t *undef; // NULL if all are defined
    uint64_t size;
    uint64_t address;
} Bytes;

bool bytes_at(ExternalCall *call, uint64_t address, Bytes *bytes);
// Says why byte i cannot be read: it lies past the end or is undefined.
void bytes_wrong(ExternalCall *call, const Bytes *bytes, uint64_t i);
static inline bool bytes_ok(const Bytes *bytes, uint64_t i) {
    return i < bytes->size && !(bytes->undef && bytes->undef[i]);
}
static inline bool bytes_get(ExternalCall *call, const Bytes *bytes, uint64_t i, uint8_t *byte) {
    if (!bytes_ok(bytes, i)) {
        bytes_wrong(call, bytes, i);
        return false;
    }
    *byte = bytes->data[i];
    return true;
}
// The number of bytes before the first NUL, but not more than limit; false if a byte that had to
// be looked at is undefined or missing.
bool bytes_length(ExternalCall *call, const Bytes *bytes, uint64_t limit, uint64_t *length);

// `size` defined bytes to read; any pointer will do for none.
const uint8_t *external_read(ExternalCall *call, uint64_t address, uint64_t size);
// `size` bytes to write, which count as defined from now on.
uint8_t *external_write(ExternalCall *call, uint64_t address, uint64_t size);
// Writes bytes of the host, or the text and its NUL.
bool external_put(ExternalCall *call, uint64_t address, const void *bytes, uint64_t size);
// A terminated string of defined bytes.
const char *external_string(ExternalCall *call, uint64_t address, uint64_t *length);
// Copies bytes, defined or not, as memmove does.
bool external_copy(ExternalCall *call, uint64_t to, uint64_t from, uint64_t size);
bool external_load(ExternalCall *call, Chunk chunk, uint64_t address, Value *value);
bool external_store(ExternalCall *call, Chunk chunk, uint64_t address, Value value);

// The address of a new heap block, or 0 with errno set.
uint64_t external_allocate(ExternalCall *call, uint64_t size, uint64_t align, bool defined);
// A new block with the contents of an old block, which is freed, as by realloc.
uint64_t external_reallocate(ExternalCall *call, uint64_t old, uint64_t size);
// The address of an object of the library, made with its contents if it is new.
uint64_t external_static(World *world, StaticObject which, const char *name, const void *bytes,
                         uint64_t size);
// A new object of the library; 0, and the run has ended, if there is no memory.
uint64_t external_object(World *world, const char *name, const void *bytes, uint64_t size);
// Calls a function of the program with two pointers and yields its i32.
bool external_compare(ExternalCall *call, uint64_t function, uint64_t a, uint64_t b,
                      int32_t *order);

// ---- Variable arguments, printf and scanf

// Where a format takes its arguments from: the call itself, or a va_list.
typedef struct {
    uint64_t list; // address of the va_list, or 0
    uint32_t next; // index of the call's next argument
    bool guarded;  // %n only in formats that cannot be changed
} FormatArguments;

static inline FormatArguments arguments_from(uint32_t first) {
    return (FormatArguments){.next = first};
}
static inline FormatArguments arguments_list(uint64_t list) {
    return (FormatArguments){.list = list};
}
// The next argument, which must be of that type and defined.
bool arguments_next(ExternalCall *call, FormatArguments *arguments, Type type, Value *value);

// Appends what printf would write. *length is its length, or -1 with errno set if it cannot be
// written.
bool external_format(ExternalCall *call, uint64_t format, FormatArguments arguments, Out *out,
                     int32_t *length);

// Ends the program as the checked functions do: more was to be written than fits, or %n is in a
// format that can be changed.
void external_overflow(ExternalCall *call);
void external_writable_format(ExternalCall *call);

// ---- Streams

// The open stream whose FILE object has this address.
Stream *external_stream(ExternalCall *call, uint64_t address);
// The standard stream 0, 1 or 2; NULL, without a wrong step, if the program closed it.
Stream *external_standard(ExternalCall *call, uint32_t which);
// Writes to a stream and records what was written. False if the host refused; errno is set then.
bool external_output(ExternalCall *call, Stream *stream, const void *bytes, size_t size);
// Records an event made of a word and a text: what was written, or the name of a file.
void external_event(ExternalCall *call, const char *what, const void *bytes, size_t size);
