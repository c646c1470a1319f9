// x86-64 as the trusted record has it.
#include "target/model.h"

extern const TargetModel x64_model;

const TargetModel x64_model = {
    .name = "x64",
    .triplet = "x86_64-linux-gnu",
    .elf_machine = 62,
};
