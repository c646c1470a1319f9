// Reads the options of x86-64, under the names of gcc. Lists the options of gcc that gatecc passes
// over or refuses.
#include "target/x64/language/language_private.h"

#include "assembly/code_settings.h"

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
    use->settings->guard_reg = use->value;
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

// -mpreferred-stack-boundary=N, -mincoming-stack-boundary=N
static bool on_boundary(MachineOptionUse *use) {
    char *end;
    unsigned long given = strtoul(use->value, &end, 0);
    if (!*use->value || *end || given < 3 || given > 12) return false;
    *(use->which ? &use->settings->incoming_boundary : &use->settings->boundary) = (uint32_t)given;
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
    CodeOptions *code = &use->settings->code;
    int kind = choice(use->value, names);
    if (kind >= 0)
        *(use->which ? &code->function_return : &code->indirect_branch) = (BranchKind)kind;
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
    use->settings->code.far_below = model > 0;
    return model >= 0;
}

enum { USER_INTERRUPTS, RED_ZONE, BY_REGISTER, PREFIX, SKIP_RAX };

static bool on_switch(MachineOptionUse *use) {
    bool on = !use->off;
    CodeOptions *code = &use->settings->code;
    switch (use->which) {
    case USER_INTERRUPTS: code->user_interrupts = on; break;
    case RED_ZONE: code->no_red_zone = !on; break;
    case BY_REGISTER: code->branch_by_register = on; break;
    case PREFIX: code->branch_prefix = on; break;
    case SKIP_RAX: use->settings->no_vector_count = on; break;
    default: break;
    }
    return true;
}

static const MachineOption options[] = {
    {"stack-protector-guard", MACHINE_VALUE, on_guard_place, 0},
    {"stack-protector-guard-reg", MACHINE_VALUE, on_guard_segment, 0},
    {"stack-protector-guard-offset", MACHINE_VALUE, on_guard_offset, 0},
    {"stack-protector-guard-symbol", MACHINE_VALUE, on_guard_symbol, 0},
    {"indirect-branch", MACHINE_VALUE, on_thunk, 0},
    {"function-return", MACHINE_VALUE, on_thunk, 1},
    {"harden-sls", MACHINE_VALUE, on_speculation, 0},
    {"cmodel", MACHINE_VALUE, on_model, 0},
    {"indirect-branch-register", MACHINE_SWITCH, on_switch, BY_REGISTER},
    {"indirect-branch-cs-prefix", MACHINE_SWITCH, on_switch, PREFIX},
    {"red-zone", MACHINE_SWITCH, on_switch, RED_ZONE},
    {"sse", MACHINE_SWITCH, on_registers, NO_SSE},
    {"sse2", MACHINE_SWITCH, on_registers, NO_SSE},
    {"80387", MACHINE_SWITCH, on_registers, NO_X87},
    {"uintr", MACHINE_SWITCH, on_switch, USER_INTERRUPTS},
    {"preferred-stack-boundary", MACHINE_VALUE, on_boundary, 0},
    {"incoming-stack-boundary", MACHINE_VALUE, on_boundary, 1},
    {"skip-rax-setup", MACHINE_SWITCH, on_switch, SKIP_RAX},
    {"hard-float", MACHINE_PLAIN, on_registers, NO_X87},
    {"soft-float", MACHINE_PLAIN, on_registers, NO_X87 | INVERTED},
    {"general-regs-only", MACHINE_PLAIN, on_registers, NO_SSE | NO_X87 | INVERTED},
    {0},
};

// ---- Together

static void settle_guard(CodeSettings *settings) {
    GuardValue *value = &settings->code.guard_value;
    const char *symbol = settings->guard_symbol;
    value->segment = settings->guard_reg ? settings->guard_reg : "fs";
    value->symbol = symbol;
    if (settings->guard_global) {
        value->segment = NULL;
        value->symbol = symbol ? symbol : "__stack_chk_guard";
    }
    if (!value->offset) value->offset = 40;
}

static const char *settle(CodeSettings *settings, bool position_independent) {
    CodeOptions *code = &settings->code;
    settle_guard(settings);
    code->no_vectors = settings->no_floats;
    code->no_vector_count = settings->no_floats && settings->no_vector_count;
    if (settings->incoming_boundary == 3) settings->boundary = 3;
    if (code->far_below && position_independent)
        return "code model kernel does not support PIC mode";
    bool thunks = code->indirect_branch != BRANCH_KEPT || code->function_return != BRANCH_KEPT;
    if (thunks && code->shadow_stack)
        return "'-mindirect-branch' and '-mfunction-return' are not compatible with "
               "'-fcf-protection=return'";
    return NULL;
}

static const char *macro(const CodeSettings *settings, uint32_t i) {
    static const char *const tracking[] = {NULL, "define __CET__ 1", "define __CET__ 2",
                                           "define __CET__ 3"};
    const CodeOptions *code = &settings->code;
    const char *macros[] = {
        tracking[code->track_branches + 2 * code->shadow_stack],
        code->far_below ? "undef __code_model_small__" : NULL,
        code->far_below ? "define __code_model_kernel__ 1" : NULL,
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
    .macro = macro,
    .float_unit = "SSE",
    .extended_unit = "x87",
};
