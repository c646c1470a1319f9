// Choices of options about what C means and how its types are laid out.
#pragma once

#include <stdbool.h>

typedef struct {
    bool ms_extensions;      // -fms-extensions: a structure with a tag can be an anonymous member
    bool plan9_extensions;   // -fplan9-extensions: the same, and pointers convert to it
    bool unsigned_bitfields; // -funsigned-bitfields: int x : 3 is unsigned
    bool single_constants;   // -fsingle-precision-constant: 1.0 is a float
    bool ms_layout;          // -mms-bitfields: as if structures were marked ms_struct
    bool library_atomics;    // -fno-inline-atomics: libatomic does what __atomic functions do
    bool big_endian;         // -fsso-struct=big-endian: scalars of structures are stored so
} Dialect;
