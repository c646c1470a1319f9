// Options about local variables beyond the meaning of the source.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// How variables begin that the source gives no value.
typedef enum {
    INIT_NONE,   // as they are
    INIT_ZERO,   // all bytes zero
    INIT_PATTERN // all bytes 0xfe
} AutoInit;

typedef struct {
    // Slots are marked with their class for the protection of the stack (BufferKind of program.h):
    bool mark_buffers;
    bool strict;          // small arrays of characters count as well
    uint32_t buffer_size; // bytes of an array of characters that is large; 0: 8
    AutoInit init;
} LocalOptions;
