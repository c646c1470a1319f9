// What addresses in code and data refer to, by relocations or by what the assembler has computed.
#include "object/walk.h"

#include <string.h>

LinkTarget link_of_reloc(const ObjectFile *object, const ElfReloc *reloc, int64_t distance) {
    const ElfSymbol *symbol = &object->elf.symbols[reloc->symbol];
    bool here = symbol->bind == BIND_LOCAL && symbol->section > SECTION_UNDEFINED &&
                symbol->section < object->elf.section_count;
    int64_t offset = (int64_t)((uint64_t)reloc->addend + (uint64_t)distance);
    if (here) offset = (int64_t)((uint64_t)offset + symbol->value);
    uint64_t within = symbol->type == SYMBOL_SECTION ? (uint64_t)reloc->addend : 0;
    return (LinkTarget){.symbol = here ? NO_SYMBOL : reloc->symbol,
                        .section = here ? symbol->section : 0,
                        .entity = symbol->value + within,
                        .offset = offset,
                        .type = reloc->type};
}

// A field that the linker fills holds zero until then.
bool link_target(CodeWalk *w, const Insn *insn, uint32_t field, int64_t value, bool relative,
                 LinkTarget *target) {
    const ElfSection *section = &w->object->elf.sections[w->section];
    uint64_t at = w->now.at + field;
    uint32_t found = elf_first_reloc(section, at);
    if (found < section->relocs.count && section->relocs.at[found].at == at) {
        w->relocs++;
        *target = link_of_reloc(w->object, &section->relocs.at[found],
                                relative ? (int64_t)insn->length - (int64_t)field : 0);
        return value == 0;
    }
    *target = (LinkTarget){.symbol = NO_SYMBOL,
                           .section = w->section,
                           .type = LINK_COMPUTED,
                           .offset = (int64_t)(w->now.at + insn->length + (uint64_t)value)};
    target->entity = (uint64_t)target->offset;
    return relative;
}

// Whether the linker takes a reference to a merged section for one to what lies there.
static bool finds(const ElfSection *section, const LinkTarget *target, uint64_t at, uint64_t size) {
    return !(section->flags & SECTION_MERGE) ||
           (target->entity >= at && target->entity - at < size);
}

// A name that the compiler made is no more than a label: it is not in the object, so what refers to it first says where it
// is, and its contents are compared there (object_data.c).
static bool is_label(const Program *program, const Symbol *symbol) {
    return symbol->linkage == LINK_STATIC && program_text(program, symbol->name)[0] == '.';
}

static bool is_at_label(ObjectFile *object, const LinkTarget *target, Sym symbol, int64_t offset) {
    ObjectPlace *place = &object->places[symbol.i];
    uint64_t at = (uint64_t)target->offset - (uint64_t)offset;
    if (target->symbol != NO_SYMBOL || !elf_has_range(&object->elf, target->section, at, 0) ||
        !finds(&object->elf.sections[target->section], target, at,
               program_at(object->program, symbol)->size))
        return false;
    if (place->section) return place->section == target->section && place->at == at;
    *place = (ObjectPlace){.section = target->section, .at = at};
    vec_push(object->arena, &object->bound, symbol);
    return true;
}

bool link_is_symbol(ObjectFile *object, const LinkTarget *target, Sym symbol, int64_t offset) {
    const Symbol *info = program_at(object->program, symbol);
    if (is_label(object->program, info)) return is_at_label(object, target, symbol, offset);
    uint32_t found = elf_find(&object->elf, program_text(object->program, info->name));
    if (found == NO_SYMBOL) return false;
    if (target->symbol != NO_SYMBOL) return target->symbol == found && target->offset == offset;
    const ElfSymbol *definition = &object->elf.symbols[found];
    return target->section == definition->section && !symbol_is_replaceable(info) &&
           definition->value + (uint64_t)offset == (uint64_t)target->offset;
}

bool link_is_name(const ObjectFile *object, const LinkTarget *target, const char *name) {
    return target->symbol != NO_SYMBOL && target->offset == 0 &&
           strcmp(object->elf.symbols[target->symbol].name, name) == 0;
}

bool link_is_constant(ObjectFile *object, const LinkTarget *target, uint32_t size, uint64_t low,
                      uint64_t high) {
    uint64_t at = (uint64_t)target->offset;
    if (target->symbol != NO_SYMBOL || !elf_has_range(&object->elf, target->section, at, size))
        return false;
    const ElfSection *section = &object->elf.sections[target->section];
    uint32_t reloc = elf_first_reloc(section, at);
    if (!section->bytes || !(section->flags & SECTION_ALLOC) || section->flags & SECTION_WRITE ||
        !elf_is_named(section, ".rodata"))
        return false;
    uint64_t align = section->align ? section->align : 1;
    if (section->flags & SECTION_THREAD || at % size || align % size) return false;
    if (!finds(section, target, at, size)) return false;
    bool merged = section->flags & SECTION_MERGE;
    if (merged && (section->flags & SECTION_STRINGS || section->entry != size)) return false;
    if (reloc < section->relocs.count && section->relocs.at[reloc].at < at + size) return false;
    for (uint32_t k = 0; k < size; k++)
        if (section->bytes[at + k] != (uint8_t)((k < 8 ? low : high) >> k % 8 * 8)) return false;
    elf_account(&object->elf, target->section, at, size, false);
    return true;
}
