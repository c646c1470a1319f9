// Reads the options of x86-64, under the names of gcc. Lists the options of gcc that gatecc passes
// over or refuses.
#include "target/x64/language/language_private.h"

#include "assembly/code_settings.h"
#include "target/x64/code/emit_options.h"

#include <stdlib.h>
#include <string.h>

// The index of a value in a list that ends with NULL; -1 if it is not there.
static int choice(const char *value, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (strcmp(value, names[i]) == 0) return i;
    return -1;
}

// ---- The stack

static bool on_guard_place(MachineOptionUse *use) {
    static const char *const places[] = {"tls", "global", NULL};
    int place = choice(use->value, places);
    use->settings->guard_global = place > 0;
    return place >= 0;
}

static bool on_guard_segment(MachineOptionUse *use) {
    static const char *const names[] = {"fs", "gs", NULL};
    use->settings->guard_base = use->value;
    return choice(use->value, names) >= 0;
}

static bool on_guard_offset(MachineOptionUse *use) {
    char *end;
    use->settings->code.guard_value.offset = strtoll(use->value, &end, 0);
    return *use->value && !*end;
}

static bool on_guard_symbol(MachineOptionUse *use) {
    use->settings->guard_symbol = use->value;
    return *use->value;
}

static void set_bits(MachineOptionUse *use, uint32_t bits, bool on) {
    uint32_t *machine = &use->settings->code.machine;
    *machine = on ? *machine | bits : *machine & ~bits;
}

// -mpreferred-stack-boundary=N, -mincoming-stack-boundary=N
static bool on_boundary(MachineOptionUse *use) {
    char *end;
    unsigned long given = strtoul(use->value, &end, 0);
    if (!*use->value || *end || given < 3 || given > 12) return false;
    set_bits(use, (uint32_t)use->which, given == 3);
    if (given > 4) use->reason = "the stack is aligned to 16 bytes";
    return given <= 4;
}

// ---- Registers

enum { NO_SSE = 1, NO_X87 = 2, INVERTED = 4 };

static bool on_registers(MachineOptionUse *use) {
    bool off = use->off != (use->which & INVERTED);
    if (use->which & NO_SSE) use->settings->no_floats = off;
    if (use->which & NO_X87) use->settings->no_extended = off;
    return true;
}

// ---- Branches and addresses

static bool on_thunk(MachineOptionUse *use) {
    static const char *const names[] = {"keep", "thunk", "thunk-inline", "thunk-extern", NULL};
    int kind = choice(use->value, names);
    set_bits(use, (uint32_t)X64_BRANCH_MASK << use->which, false);
    if (kind >= 0) set_bits(use, (uint32_t)kind << use->which, true);
    return kind >= 0;
}

static bool on_speculation(MachineOptionUse *use) {
    static const char *const names[] = {"none", "return", "indirect-jmp", "all", NULL};
    int kind = choice(use->value, names);
    use->settings->code.stop_after_return = kind & 1;
    use->settings->code.stop_after_jump = kind & 2;
    return kind >= 0;
}

static bool on_model(MachineOptionUse *use) {
    static const char *const names[] = {"small", "kernel", NULL};
    int model = choice(use->value, names);
    if (model < 0) use->reason = "there are only the small code model and the kernel's";
    set_bits(use, X64_FAR_BELOW, model > 0);
    return model >= 0;
}

static bool on_switch(MachineOptionUse *use) {
    set_bits(use, (uint32_t)use->which, !use->off);
    return true;
}

static bool on_inverted(MachineOptionUse *use) {
    set_bits(use, (uint32_t)use->which, use->off);
    return true;
}

static const MachineOption options[] = {
    {"stack-protector-guard", MACHINE_VALUE, on_guard_place, 0},
    {"stack-protector-guard-reg", MACHINE_VALUE, on_guard_segment, 0},
    {"stack-protector-guard-offset", MACHINE_VALUE, on_guard_offset, 0},
    {"stack-protector-guard-symbol", MACHINE_VALUE, on_guard_symbol, 0},
    {"indirect-branch", MACHINE_VALUE, on_thunk, X64_INDIRECT_SHIFT},
    {"function-return", MACHINE_VALUE, on_thunk, X64_RETURN_SHIFT},
    {"harden-sls", MACHINE_VALUE, on_speculation, 0},
    {"cmodel", MACHINE_VALUE, on_model, 0},
    {"indirect-branch-register", MACHINE_SWITCH, on_switch, X64_BRANCH_BY_REGISTER},
    {"indirect-branch-cs-prefix", MACHINE_SWITCH, on_switch, X64_BRANCH_PREFIX},
    {"red-zone", MACHINE_SWITCH, on_inverted, X64_NO_RED_ZONE},
    {"sse", MACHINE_SWITCH, on_registers, NO_SSE},
    {"sse2", MACHINE_SWITCH, on_registers, NO_SSE},
    {"80387", MACHINE_SWITCH, on_registers, NO_X87},
    {"uintr", MACHINE_SWITCH, on_switch, X64_USER_INTERRUPTS},
    {"preferred-stack-boundary", MACHINE_VALUE, on_boundary, X64_LOOSE_FUNCTIONS},
    {"incoming-stack-boundary", MACHINE_VALUE, on_boundary, X64_LOOSE_CALLERS},
    {"skip-rax-setup", MACHINE_SWITCH, on_switch, X64_NO_VECTOR_COUNT},
    {"fentry", MACHINE_SWITCH, on_switch, X64_ENTRY_FIRST},
    {"record-mcount", MACHINE_SWITCH, on_switch, X64_ENTRY_RECORDED},
    {"nop-mcount", MACHINE_SWITCH, on_switch, X64_ENTRY_EMPTY},
    {"hard-float", MACHINE_PLAIN, on_registers, NO_X87},
    {"soft-float", MACHINE_PLAIN, on_registers, NO_X87 | INVERTED},
    {"general-regs-only", MACHINE_PLAIN, on_registers, NO_SSE | NO_X87 | INVERTED},
    {0},
};

// ---- Together

static void settle_guard(CodeSettings *settings) {
    GuardValue *value = &settings->code.guard_value;
    const char *symbol = settings->guard_symbol;
    value->base = settings->guard_base ? settings->guard_base : "fs";
    value->symbol = symbol;
    if (settings->guard_global) {
        value->base = NULL;
        value->symbol = symbol ? symbol : "__stack_chk_guard";
    }
    if (!value->offset) value->offset = 40;
}

static const char *settle(CodeSettings *settings, bool position_independent) {
    CodeOptions *code = &settings->code;
    settle_guard(settings);
    code->no_vectors = settings->no_floats;
    if (!settings->no_floats) code->machine &= ~(uint32_t)X64_NO_VECTOR_COUNT;
    settings->loose_stack = code->machine & (X64_LOOSE_FUNCTIONS | X64_LOOSE_CALLERS);
    if (code->machine & X64_FAR_BELOW && position_independent)
        return "code model kernel does not support PIC mode";
    bool thunks = x64_indirect_branch(code) || x64_function_return(code);
    if (thunks && code->shadow_stack)
        return "'-mindirect-branch' and '-mfunction-return' are not compatible with "
               "'-fcf-protection=return'";
    return NULL;
}

static EntryCall entry_call(const CodeSettings *settings, bool position_independent) {
    bool first = settings->code.machine & X64_ENTRY_FIRST;
    EntryCall call = {.name = first ? "__fentry__" : "mcount", .framed = !first};
    if (settings->code.machine & X64_ENTRY_EMPTY && position_independent)
        call.mistake = "'-mnop-mcount' is not implemented for '-fPIC'";
    return call;
}

static const char *macro(const CodeSettings *settings, uint32_t i) {
    static const char *const tracking[] = {NULL, "define __CET__ 1", "define __CET__ 2",
                                           "define __CET__ 3"};
    const CodeOptions *code = &settings->code;
    const char *macros[] = {
        tracking[code->track_branches + 2 * code->shadow_stack],
        code->machine & X64_FAR_BELOW ? "undef __code_model_small__" : NULL,
        code->machine & X64_FAR_BELOW ? "define __code_model_kernel__ 1" : NULL,
        settings->no_extended ? "define _SOFT_FLOAT 1" : NULL,
    };
    for (uint32_t k = 0; k < sizeof macros / sizeof *macros; k++)
        if (macros[k] && i-- == 0) return macros[k];
    return NULL;
}

// ---- Those that are only known

static const OptionNote harmless[] = {
#define HARMLESS(option, reason) {option, reason},
#include "target/x64/language/missing_options.def"
    {NULL, NULL}};

static const OptionNote refused[] = {
#define REFUSED(option, reason) {option, reason},
#include "target/x64/language/missing_options.def"
    {NULL, NULL}};

static const OptionValues valued[] = {
#define VALUES(option, reason, values) {option, reason, values},
#include "target/x64/language/missing_options.def"
    {NULL, NULL, NULL}};

static const char *const ignored[] = {
#define MACHINE(name) name,
#include "target/x64/language/missing_options.def"
    NULL};

static const WordSize word_sizes[] = {
    {"-m32", "--32"}, {"-m16", "--32"}, {"-mx32", "--x32"}, {NULL, NULL}};

const TargetOptions x64_options = {
    .options = options,
    .known = {.harmless = harmless,
              .refused = refused,
              .valued = valued,
              .ignored = ignored,
              .reason_of_ignored =
                  "instructions beyond x86-64 are allowed, not used, and their macros not "
                  "defined; how fast code is chosen"},
    .own_word_size = "-m64",
    .word_sizes = word_sizes,
    .settle = settle,
    .entry_call = entry_call,
    .macro = macro,
    .float_unit = "SSE",
    .extended_unit = "x87",
};
