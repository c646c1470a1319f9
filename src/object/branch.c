// Branches whose target is not written in them, and returns: as they are, or through thunks. A thunk's call pushes an address,
// the wanted one is put in its place, and a return goes there; a processor that guesses where a return leads guesses the
// loop behind that call. Thunks that the object defines are compared, too; the linker may take another object's of
// the same name.
#include "object/walk.h"

#include <stdio.h>
#include <string.h>

#define INDIRECT_THUNK "__x86_indirect_thunk_"
#define RETURN_THUNK   "__x86_return_thunk"
#define THUNK_START    "call 6; 7:; pause; lfence; jmp 7; 6:; "

// Each has labels of its own.
static void forget_labels(Walk *w) {
    for (uint32_t k = 6; k <= 7; k++) w->now.label_at[k] = w->now.label_to[k] = UINT64_MAX;
}

static bool match_body(Walk *w, const char *reg) {
    MachineRegSet written = w->now.written;
    forget_labels(w);
    bool good = match_format(w, THUNK_START "mov.8 %s,(rsp); ret", reg);
    w->now.written = written; // the call in it comes back at once
    return good;
}

static bool match_return_body(Walk *w) {
    forget_labels(w);
    return match(w, THUNK_START "lea.8 (rsp+8),rsp; ret");
}

// The instruction behind a jump or return is reached by guess only.
static bool match_stop(Walk *w, bool good) {
    if (good) match(w, "int3");
    return good;
}

bool match_jump_to(Walk *w, const char *reg) {
    return match_stop(w, match_format(w, "jmp %s", reg) || match_format(w, "notrack jmp %s", reg) ||
                             match_format(w, "jmp ^" INDIRECT_THUNK "%s", reg) ||
                             match_format(w, "cs jmp ^" INDIRECT_THUNK "%s", reg) ||
                             match_body(w, reg));
}

bool match_call_of(Walk *w, const char *reg) {
    if (match_format(w, "call %s", reg) || match_format(w, "call ^" INDIRECT_THUNK "%s", reg) ||
        match_format(w, "cs call ^" INDIRECT_THUNK "%s", reg))
        return true;
    return match(w, "jmp 8; 9:") && match_body(w, reg) && match(w, "8:; call 9");
}

bool match_return_line(Walk *w) {
    return match_stop(w, match(w, "ret") || match(w, "jmp ^" RETURN_THUNK) || match_return_body(w));
}

// ---- Thunks of the object

static bool is_thunk(const Object *object, uint32_t symbol, const char **reg) {
    const char *name = object->elf.symbols[symbol].name;
    *reg = NULL;
    if (strcmp(name, RETURN_THUNK) == 0) return true;
    if (strncmp(name, INDIRECT_THUNK, strlen(INDIRECT_THUNK)) != 0) return false;
    *reg = name + strlen(INDIRECT_THUNK);
    return machine_reg_named(*reg, strlen(*reg)) < M_XMM0;
}

bool object_thunk(Object *object, uint32_t symbol) {
    const ElfSymbol *thunk = &object->elf.symbols[symbol];
    const char *reg;
    if (!is_thunk(object, symbol, &reg) ||
        !elf_has_range(&object->elf, thunk->section, thunk->value, thunk->size))
        return false;
    const ElfSection *section = &object->elf.sections[thunk->section];
    Walk walk = {.object = object,
                 .program = object->program,
                 .arena = object->arena,
                 .section = thunk->section,
                 .start = thunk->value,
                 .end = thunk->value + thunk->size,
                 .insn_at = UINT64_MAX,
                 .failed_at = UINT64_MAX};
    walk.now.at = walk.start;
    walk.now.placed = object->bound.count;
    match_begin(&walk, NULL);
    bool good = section->bytes && (reg ? match_body(&walk, reg) : match_return_body(&walk)) &&
                walk.now.at == walk.end;
    if (good) elf_account(&object->elf, thunk->section, thunk->value, thunk->size, true);
    return good;
}
