#include "target/target.h"

const TargetInfo x64_target = {
    .triplet = "x86_64-linux-gnu", .assembler = "--64", .elf_machine = 62};
