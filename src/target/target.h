// What the rest of the compiler asks of a machine that is not about its code: how people and tools
// call it.
#pragma once

#include <stdint.h>

typedef struct {
    const char *triplet;   // by which tools know it
    const char *assembler; // the option by which `as` writes its objects
    uint16_t elf_machine;  // the number of the machine in the header of an object
} TargetInfo;

extern const TargetInfo x64_target;
