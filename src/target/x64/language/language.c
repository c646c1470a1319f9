// x86-64 with the System V ABI, as the front end of C sees it.
#include "target/x64/language/language_private.h"

static const TargetBuiltin builtins[] = {
#define MACHINE(name, signature, text, output, inputs, clobbers)                                   \
    {name, signature, text, output, inputs, clobbers},
#include "target/x64/language/builtins.def"
};

// There is one calling convention, as in gcc for x86-64.
static const char *const attributes[] = {"cdecl", "sysv_abi", NULL};

const TargetLanguage x64_language = {
    .model = {.long_double = LONG_DOUBLE_IS_EXTENDED,
              .largest_align = 16,
              .array_align = 16,
              .largest_lock_free = 8,
              .va_list_members = "uupp"},
    .macros = {.machine = &x64_machine_macros,
               .integers = &lp64_macros,
               .floats = &iec_60559_macros,
               .long_double = &x64_long_double_macros},
    .builtins = builtins,
    .builtin_count = sizeof builtins / sizeof *builtins,
    .assembly = &x64_asm,
    .options = &x64_options,
    .frames = &x64_frames,
    .attributes = attributes,
    .aggregate_parts = x64_aggregate_parts,
};
