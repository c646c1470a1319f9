// Branches whose target is not written in them, and returns: as they are, or through thunks. A
// thunk's call pushes an address, the wanted one is put in its place, and a return goes there; a
// processor that guesses where a return leads guesses the loop behind that call. Thunks that the
// object defines are compared, too; the linker may take another object's of the same name.
#include "target/x64/object/walk.h"

#include <stdio.h>
#include <string.h>

#define INDIRECT_THUNK "__x86_indirect_thunk_"
#define RETURN_THUNK   "__x86_return_thunk"

// The lines of a thunk. Each has labels of its own, and its call leads into itself, so that it
// destroys nothing.
static bool match_thunk(CodeWalk *w, const char *line) {
    X64Regs written = w->now.written;
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

bool match_stop(CodeWalk *w, bool good) {
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

// ---- Functions that gatecc knows by their names

bool match_call_named(CodeWalk *w, const char *name) {
    return code_is_like(w, "call ^%s", name) || code_is_like(w, "call got^%s", name);
}

// The register of which a thunk has its name; M_RSP of the one that returns, NO_ID of what is none.
static uint32_t register_of(const char *name) {
    size_t length = strlen(INDIRECT_THUNK);
    if (strcmp(name, RETURN_THUNK) == 0) return M_RSP;
    if (strncmp(name, INDIRECT_THUNK, length) != 0) return NO_ID;
    MachineReg reg = target_register_named(&x64_model, name + length, strlen(name + length));
    return reg < M_XMM0 && reg != M_RSP ? reg : NO_ID;
}

bool object_is_thunk(const ObjectFile *object, uint32_t symbol) {
    return register_of(object->elf.symbols[symbol].name) != NO_ID;
}

// A thunk fills a section of its own, in a group of its own: of two equal ones the linker leaves
// one out.
static bool is_placed(const ObjectFile *object, uint32_t symbol) {
    const ElfSymbol *thunk = &object->elf.symbols[symbol];
    enum { HIDDEN = 2 };
    if (thunk->type != SYMBOL_FUNC || thunk->visibility != HIDDEN || thunk->value ||
        !elf_has_range(&object->elf, thunk->section, 0, thunk->size))
        return false;
    const ElfSection *section = &object->elf.sections[thunk->section];
    return section->kind == KIND_CODE && section->size == thunk->size && section->group == symbol &&
           section->flags & SECTION_GROUPED && !section->relocs.count &&
           strcmp(section->name + strlen(section->base), "") != 0 &&
           strcmp(section->name + strlen(section->base) + 1, thunk->name) == 0;
}

bool object_thunk(ObjectFile *object, uint32_t symbol) {
    const ElfSymbol *thunk = &object->elf.symbols[symbol];
    uint32_t reg = register_of(thunk->name);
    if (reg == NO_ID || !object_is_special(object, symbol) || !is_placed(object, symbol))
        return false;
    CodeWalk walk = {.object = object,
                     .program = object->program,
                     .arena = object->arena,
                     .section = thunk->section,
                     .end = thunk->size,
                     .insn_at = UINT64_MAX,
                     .failed_at = UINT64_MAX};
    walk.now.placed = object->bound.count;
    match_begin(&walk, NULL);
    bool good = reg == M_RSP ? match_return_body(&walk)
                             : match_body(&walk, machine_reg_name((MachineReg)reg));
    if (!good || walk.now.at != walk.end) return false;
    elf_account(&object->elf, thunk->section, 0, false,
                (ElfRange){.end = thunk->size, .alone = true});
    return true;
}
