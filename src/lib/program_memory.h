// The resources of a program of the library: its memory and the files that it has open, and the way
// back if memory runs out.
//
// The inside of the compiler ends the run where memory is lacking (base/arena.h). A library must
// not: here every call that may ask for memory runs behind a border, and control comes back to the
// border. Half-done work stays as it is then. Nobody looks at the remains any more, and closing the
// program releases them, as every block is known.
//
// The linker wraps the functions (WRAPPED in the Makefile): the parts of the library call
// __wrap_malloc for malloc and so on.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct HeldBlock HeldBlock;
typedef struct HeldFile HeldFile;

typedef struct {
    HeldBlock *blocks; // all of them
    HeldFile *files;
    size_t used, limit; // bytes; a limit of 0 is none
    bool failed;
    char reason[160]; // if it failed: a message, with its newline
} Holdings;

// Runs a call; memory that the call asks for belongs to the holdings. False if it lacked memory,
// now or before.
bool holdings_run(Holdings *holdings, void (*run)(void *context), void *context);
// Releases everything.
void holdings_release(Holdings *holdings);
