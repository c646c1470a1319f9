// The programs of the system that gatecc does not replace: the assembler and the linker.
#pragma once

#include "driver/gatecc_options.h"

typedef struct {
    Arena *arena;
    const GateccOptions *options;
    const char *compiler;                     // the system's; NULL until it is needed
    double assembler_seconds, linker_seconds; // of processor time, so far
} Toolchain;

// Assembles a text to an object. False after a message.
bool assemble(Toolchain *toolchain, const Out *text, const char *object);
// -v and -###: shows how an object is made of C.
void show_compilation(Toolchain *toolchain, const char *input, const char *object);
// Assembles a file. False after a message.
bool assemble_file(Toolchain *toolchain, const char *file, const char *object);
// Has the system's compiler preprocess assembler text and, in the modes from MODE_OBJECT on, assemble it;
// standard output gets the text if there is no output. False after a message.
bool preprocess_assembly(Toolchain *toolchain, const char *file, const char *output);
// Links; objects are the files that were made of the inputs, or the inputs themselves. False after a message.
bool link_objects(Toolchain *toolchain, const char *const *objects, const char *output);
// Has the system's compiler answer -print-... False after a message.
bool ask_system_compiler(Toolchain *toolchain);
