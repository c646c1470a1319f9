// What sections mean to a linker, besides their bytes.
//
// Linkers give sections a meaning by their names (.ctors is a table of functions to call, .init is code that runs first, one of
// several .gnu.linkonce sections is kept), their types and their flags (some are left out, some merged with others). So that
// code and data are what the program finds, only sections are taken that mean nothing but what the comparison sees to.
#include "object/walk.h"

#include <string.h>

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

// A section for code or data, or one of its parts.
static bool is_usual(const char *name) {
    static const char *const names[] = {".text", ".data", ".rodata", ".bss", ".tdata", ".tbss"};
    for (uint32_t k = 0; k < sizeof names / sizeof *names; k++) {
        char next = starts_with(name, names[k]) ? name[strlen(names[k])] : 'x';
        if (next == 0 || next == '.') return true;
    }
    return false;
}

static const char *wanted_name(const Object *object, Sym symbol) {
    const Symbol *info = program_at(object->program, symbol);
    return info->section.i ? program_text(object->program, info->section) : NULL;
}

bool section_is_for(const Object *object, Sym symbol, const ElfSection *section) {
    const char *wanted = wanted_name(object, symbol);
    return wanted ? strcmp(section->name, wanted) == 0 : is_usual(section->name);
}

// Where a linker merges, equal constants of the given size, or equal strings, become one. It finds what a relocation
// refers to by the symbol, or by symbol and addend if that is a section's.
bool section_keeps(const ElfSection *section, uint64_t at, uint64_t size, int64_t entity) {
    uint64_t unit = section->entity;
    if (!(section->flags & SECTION_MERGE)) return true;
    if (!section->bytes || size == 0 || unit == 0 || (uint64_t)entity < at ||
        (uint64_t)entity - at >= size)
        return false;
    if (!(section->flags & SECTION_STRINGS)) return at % unit == 0 && size == unit;
    const uint8_t *end = memchr(section->bytes + at, 0, size);
    return unit == 1 && end == section->bytes + at + size - 1 &&
           (at == 0 || !section->bytes[at - 1]);
}

// Tables of the assembler and the linker that no code of the unit reads.
bool section_is_believed(const ElfSection *section) {
    static const char *const names[] = {".eh_frame", "__patchable_function_entries",
                                        "__mcount_loc"};
    if (section->flags & SECTION_EXEC) return false;
    if (section->type == SECTION_NOTE && starts_with(section->name, ".note")) return true;
    for (uint32_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(section->name, names[k]) == 0) return true;
    return false;
}

static bool is_known_type(uint32_t type) {
    static const uint8_t types[] = {
        SECTION_NULL, SECTION_PROGBITS, SECTION_SYMBOLS, SECTION_NAMES, SECTION_RELOCS,
        SECTION_NOTE, SECTION_NOBITS,   SECTION_INIT,    SECTION_FINI,  SECTION_GROUP};
    enum { TYPE_UNWIND = 0x70000001 };
    return type == TYPE_UNWIND || (type < UINT8_MAX && memchr(types, (int)type, sizeof types));
}

// Whether the source, or assembler text in it, names it.
static bool is_wanted(const Object *object, const ElfSection *section) {
    const Program *program = object->program;
    if (program->file_asms.count || program->asms.count) return true;
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const char *wanted = wanted_name(object, (Sym){s});
        if (wanted && strcmp(wanted, section->name) == 0) return true;
    }
    return false;
}

static const char *problem_with(const Object *object, const ElfSection *section) {
    const uint64_t usual = SECTION_WRITE | SECTION_ALLOC | SECTION_EXEC | SECTION_MERGE |
                           SECTION_STRINGS | SECTION_IN_GROUP | SECTION_THREAD | SECTION_RETAIN;
    bool believed = section_is_believed(section);
    bool hooks =
        starts_with(section->name, ".init_array") || starts_with(section->name, ".fini_array");
    if (!is_known_type(section->type)) return "it is of a type that is not known";
    if (!(section->flags & SECTION_ALLOC))
        return starts_with(section->name, ".gnu.") || starts_with(section->name, ".llvm.")
                   ? "linkers may take it instead of the code"
                   : NULL;
    if (section->flags & SECTION_WRITE && section->flags & SECTION_EXEC)
        return "it can be written to and executed";
    if (section->flags & ~(usual | (believed ? SECTION_LINK_ORDER : 0)))
        return "it has flags that are not known";
    bool good = believed || hooks || is_usual(section->name) || is_wanted(object, section);
    return good ? NULL : "linkers may give it a meaning of its own";
}

bool object_check_sections(Object *object) {
    for (uint32_t s = 1; s < object->elf.section_count; s++) {
        const ElfSection *section = &object->elf.sections[s];
        const char *problem = problem_with(object, section);
        if (!problem) continue;
        object->problem = arena_printf(object->arena, "section '%s': %s", section->name, problem);
        return false;
    }
    return true;
}
