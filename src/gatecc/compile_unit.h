// Compiles one C file.
#pragma once

#include "gatecc/options/gatecc_options.h"

// The data that all C files of a command share.
typedef struct {
    Arena *arena; // for what lives as long as the command
    const GateccOptions *options;
    PassTransform *transforms[PASS_COUNT];
    Pipeline pipeline;
    Out remarks; // of all files so far, for the file that -fopt-info names
    // Processor time so far, if it is measured, outside of the rows of the pipeline; `end` is the
    // end of assembler text.
    double front_seconds, certificate_seconds, end_seconds;
} Compiler;

void compiler_init(Compiler *compiler, Arena *arena, const GateccOptions *options);
void compiler_free(Compiler *compiler);

// Where assembler text goes. Written text is taken away now and then, so that the assembler works
// beside the compiler.
typedef struct {
    Out text;
    bool (*drain)(void *context, Out *text); // NULL: all of it is kept. False after a message
    void *context;
    Out certificate; // if there is to be an object: without its end, which names the object
} AssemblySink;

// -E, -M: preprocesses an input to where `output` says, NULL being standard output. False after
// diagnostics.
bool preprocess_unit(Compiler *compiler, const Input *input, const char *output);
// Compiles an input as far as the mode says: verifies it, writes the form that is to be emitted, or
// yields assembler text, the last of which is left in the sink. The certificate is written beside
// that. False after diagnostics.
bool compile_unit(Compiler *compiler, const Input *input, AssemblySink *sink);
