// Compiles one C file.
#pragma once

#include "gatecc/options/gatecc_options.h"

// What all C files of a command have in common.
typedef struct {
    Arena *arena; // for what lives as long as the command
    const GateccOptions *options;
    PassTransform *transforms[PASS_COUNT];
    Pipeline pipeline;
    Out remarks; // of all files so far, for the file that -fopt-info names
    // Processor time so far, if it is measured, of what is not a row of the pipeline; `end` is what
    // assembler text ends with.
    double front_seconds, certificate_seconds, end_seconds;
} Compiler;

void compiler_init(Compiler *compiler, Arena *arena, const GateccOptions *options);
void compiler_free(Compiler *compiler);

// Where assembler text goes. What has been written so far is taken away now and then, so that the
// assembler is at work beside the compiler.
typedef struct {
    Out text;
    bool (*drain)(void *context, Out *text); // NULL: all of it is kept. False after a message
    void *context;
    Out certificate; // if there is to be an object: without its end, which tells of that
} AssemblySink;

// -E, -M: preprocesses an input to where `output` says, NULL being standard output. False after
// diagnostics.
bool preprocess_unit(Compiler *compiler, const Input *input, const char *output);
// Compiles an input as far as the mode says: verifies it, writes the form that is to be emitted, or
// yields assembler text, the last of which is left in the sink. The certificate is written beside
// that. False after diagnostics.
bool compile_unit(Compiler *compiler, const Input *input, AssemblySink *sink);
