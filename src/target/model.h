// The trusted half of the record of a machine: the meaning of code for the machine, and the
// machine's constraints on that code. Every program carries its model (Program.target); gatecheck
// links the models of all machines, and nothing else of them.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct TargetModel {
    const char *name;     // as targets.def has it
    const char *triplet;  // by which tools know the machine
    uint16_t elf_machine; // the number of the machine in the header of an object
} TargetModel;

// The numbers of the machines.
enum {
#define TARGET(name) TARGET_##name,
#include "target/targets.def"
    TARGET_COUNT
};

extern const TargetModel *const target_models[TARGET_COUNT];

// The model with a name or triplet of `length` characters; NULL if there is none.
const TargetModel *target_model_named(const char *name, size_t length);
// The model whose objects have this number of a machine; NULL if there is none.
const TargetModel *target_model_of_elf(uint32_t elf_machine);
