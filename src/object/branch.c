// Branches whose target is not written in them, and returns: as they are, or through thunks. A thunk's call pushes an address,
// the wanted one is put in its place, and a return goes there; a processor that guesses where a return leads guesses the
// loop behind that call. Thunks that the object defines are compared, too; the linker may take another object's of
// the same name.
#include "object/walk.h"

#include <stdio.h>
#include <string.h>

#define INDIRECT_THUNK "__x86_indirect_thunk_"
#define RETURN_THUNK   "__x86_return_thunk"

// The lines of a thunk. Each has labels of its own, and its call leads into itself, so that it destroys nothing.
static bool match_thunk(CodeWalk *w, const char *line) {
    MachineRegSet written = w->now.written;
    for (uint32_t k = 6; k <= 7; k++) w->now.label_at[k] = w->now.label_to[k] = UINT64_MAX;
    bool good = code_is_like(w, "call 6; 7:; pause; lfence; jmp 7; 6:; %s; ret", line);
    w->now.written = written;
    return good;
}

static bool match_body(CodeWalk *w, const char *reg) {
    char line[24];
    snprintf(line, sizeof line, "mov.8 %s,(rsp)", reg);
    return match_thunk(w, line);
}

static bool match_return_body(CodeWalk *w) {
    return match_thunk(w, "lea.8 (rsp+8),rsp");
}

// The instruction behind a jump or return is reached by guess only.
static bool match_stop(CodeWalk *w, bool good) {
    if (good) code_is(w, "int3");
    return good;
}

bool match_jump_to(CodeWalk *w, const char *reg) {
    return match_stop(w, code_is_like(w, "jmp %s", reg) || code_is_like(w, "notrack jmp %s", reg) ||
                             code_is_like(w, "jmp ^" INDIRECT_THUNK "%s", reg) ||
                             code_is_like(w, "cs jmp ^" INDIRECT_THUNK "%s", reg) ||
                             match_body(w, reg));
}

bool match_call_of(CodeWalk *w, const char *reg) {
    if (code_is_like(w, "call %s", reg) || code_is_like(w, "call ^" INDIRECT_THUNK "%s", reg) ||
        code_is_like(w, "cs call ^" INDIRECT_THUNK "%s", reg))
        return true;
    return code_is(w, "jmp 8; 9:") && match_body(w, reg) && code_is(w, "8:; call 9");
}

bool match_return_line(CodeWalk *w) {
    return match_stop(w, code_is(w, "ret") || code_is(w, "jmp ^" RETURN_THUNK) ||
                             match_return_body(w));
}

// ---- Thunks of the object

static bool is_thunk(const ObjectFile *object, uint32_t symbol, const char **reg) {
    const char *name = object->elf.symbols[symbol].name;
    *reg = NULL;
    if (strcmp(name, RETURN_THUNK) == 0) return true;
    if (strncmp(name, INDIRECT_THUNK, strlen(INDIRECT_THUNK)) != 0) return false;
    *reg = name + strlen(INDIRECT_THUNK);
    return machine_reg_named(*reg, strlen(*reg)) < M_XMM0;
}

bool object_thunk(ObjectFile *object, uint32_t symbol) {
    const ElfSymbol *thunk = &object->elf.symbols[symbol];
    const char *reg;
    if (!is_thunk(object, symbol, &reg) ||
        !elf_has_range(&object->elf, thunk->section, thunk->value, thunk->size))
        return false;
    const ElfSection *section = &object->elf.sections[thunk->section];
    CodeWalk walk = {.object = object,
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
