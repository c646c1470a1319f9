#include "target/target.h"

const TargetInfo x64_target = {
    .name = "x86-64", .triplet = "x86_64-linux-gnu", .assembler = "--64", .elf_machine = 62};
