// The programs of the system that gatecc does not replace: the assembler and the linker.
#pragma once

#include "gatecc/options/gatecc_options.h"

typedef struct {
    Arena *arena;
    const GateccOptions *options;
    const char *compiler;                     // the system's; NULL until it is needed
    double assembler_seconds, linker_seconds; // of processor time, so far
} Toolchain;

// The name of the system's compiler; NULL after a message.
const char *system_compiler(Arena *arena);

// An assembler that reads a text while it is being written.
typedef struct {
    Toolchain *toolchain;
    Process process;
    int input;
    bool started; // not if commands are only shown
    bool gone;    // it reads no more
} Assembler;

// Starts to assemble what becomes of a C file. False after a message.
bool assembler_start(Assembler *assembler, Toolchain *toolchain, const char *source,
                     const char *object);
bool assembler_feed(Assembler *assembler, const Out *text);
// When it has all of the text: whether the object is good. False after a message.
bool assembler_finish(Assembler *assembler);
// If there will be no more: the object is not to be used.
void assembler_stop(Assembler *assembler);

// Assembles a file. False after a message.
bool assemble_file(Toolchain *toolchain, const char *file, const char *object);
// Has the system's compiler preprocess assembler text and, in the modes from MODE_OBJECT on,
// assemble it; standard output gets the text if there is no output. False after a message.
bool preprocess_assembly(Toolchain *toolchain, const char *file, const char *output);
// Links; objects are the files that were made of the inputs, or the inputs themselves. False after
// a message.
bool link_objects(Toolchain *toolchain, const char *const *objects, const char *output);
// Has the system's compiler answer -print-... False after a message.
bool ask_system_compiler(Toolchain *toolchain);
