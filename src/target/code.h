// The untrusted half of the record of a machine: how compilers make code for the machine. Checkers
// or tests stand behind the results.
#pragma once

#include "form/program.h"
#include "target/timing.h"

struct Assembly;
struct TargetSelect;

typedef struct TargetCode {
    const char *assembler;             // the option by which `as` writes objects of the machine
    const struct TargetSelect *select; // how instructions are chosen: mach/select/select.h
    const TargetTiming *timing;        // how long instructions take
    // Whether the code of a function has something in its frame, or saves registers there.
    bool (*needs_frame)(const Func *func);
    // Writes the body of a function as assembler text; yields the first location in the body.
    uint32_t (*write_function)(struct Assembly *assembly, const Func *func);
    // Writes the code that functions written so far share.
    void (*write_shared)(struct Assembly *assembly);
} TargetCode;
