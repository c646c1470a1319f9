// Compares the data of a program and its aliases with the sections of an object.
//
// A datum is right under these conditions. Its symbol has the size, binding, visibility and kind
// that the program says. Its section is loaded, and writable unless the datum is constant. Its
// place is aligned. Each byte and each relocation agrees with the initial value.
#include "target/x64/object/walk.h"

#include <stdlib.h>
#include <string.h>

// ---- Symbols

static uint8_t visibility_of(Visibility visibility) {
    static const uint8_t numbers[] = {
        [VIS_DEFAULT] = 0, [VIS_INTERNAL] = 1, [VIS_HIDDEN] = 2, [VIS_PROTECTED] = 3};
    return numbers[visibility];
}

bool object_check_symbol(ObjectFile *object, Sym symbol, uint32_t found) {
    const Symbol *info = program_at(object->program, symbol);
    const ElfSymbol *elf = &object->elf.symbols[found];
    uint8_t bind = info->linkage == LINK_STATIC ? BIND_LOCAL
                   : info->linkage == LINK_WEAK ? BIND_WEAK
                                                : BIND_GLOBAL;
    if (elf->bind != bind)
        return object_fails_at(object, symbol, "it is bound otherwise than the certificate says");
    if (bind != BIND_LOCAL && elf->visibility != visibility_of(info->visibility))
        return object_fails_at(object, symbol, "it is visible otherwise than the certificate says");
    uint8_t type = info->flags & SYMF_INDIRECT ? SYMBOL_INDIRECT
                   : info->kind == SYM_FUNC    ? SYMBOL_FUNC
                   : info->flags & SYMF_THREAD ? SYMBOL_TLS
                                               : SYMBOL_OBJECT;
    // Who only mentions a name need not say what it is.
    bool open = !object_defines(info) && elf->type == SYMBOL_NONE;
    return open || elf->type == type || object_fails_at(object, symbol, "it is of another kind");
}

bool object_is_in(const ObjectFile *object, const Symbol *info, const ElfSection *section,
                  SectionKind kind) {
    const Program *program = object->program;
    if (info->section.i) return strcmp(section->name, program_text(program, info->section)) == 0;
    if (section->kind != kind) return false;
    const char *rest = section->name + strlen(section->base);
    return !*rest || strcmp(rest + 1, program_text(program, info->name)) == 0;
}

// ---- Contents

typedef struct {
    ObjectFile *object;
    const ElfSection *section;
    uint64_t at;    // in the section
    uint32_t reloc; // the next one
} DataCursor;

static bool holds_byte(DataCursor *c, uint8_t byte) {
    const ElfSection *section = c->section;
    bool free = c->reloc == section->relocs.count || section->relocs.at[c->reloc].at > c->at;
    bool same = (section->bytes ? section->bytes[c->at] : 0) == byte;
    c->at++;
    return free && same;
}

// Zeros cost no more than the file has of them, and the linker's none.
static bool holds_zeros(DataCursor *c, uint64_t size) {
    const ElfSection *section = c->section;
    uint64_t at = c->at;
    c->at += size;
    if (elf_has_relocs(section, at, size)) return false;
    if (!section->bytes || !size) return true;
    return object_works(c->object, size) && !section->bytes[at] &&
           memcmp(section->bytes + at, section->bytes + at + 1, size - 1) == 0;
}

static bool holds_address(DataCursor *c, const DataItem *item) {
    const ElfSection *section = c->section;
    LinkTarget target;
    if (c->reloc == section->relocs.count || section->relocs.at[c->reloc].at != c->at) return false;
    c->at += 8;
    return link_of_reloc(c->object, &section->relocs.at[c->reloc++], FIELD_WORD, 0, &target) &&
           link_is_symbol(c->object, &target, item->symbol, item->value);
}

static bool holds_item(DataCursor *c, const DataItem *item, uint64_t size) {
    if (item->kind == DATA_ADDR) return holds_address(c, item);
    if (item->kind == DATA_ZERO) return holds_zeros(c, size);
    for (uint64_t k = 0; k < size; k++) {
        uint8_t byte =
            item->kind == DATA_BYTES ? item->bytes[k] : (uint8_t)((uint64_t)item->value >> 8 * k);
        if (!holds_byte(c, byte)) return false;
    }
    return true;
}

static bool check_contents(ObjectFile *object, Sym symbol, uint32_t section, uint64_t at) {
    const Symbol *info = program_at(object->program, symbol);
    const ElfSection *in = &object->elf.sections[section];
    DataCursor c = {.object = object, .section = in, .at = at, .reloc = elf_first_reloc(in, at)};
    uint64_t left = info->size;
    for (uint32_t i = 0; i <= info->data.count; i++) {
        DataItem rest = {.kind = DATA_ZERO, .value = (int64_t)left};
        const DataItem *item = i < info->data.count ? &info->data.at[i] : &rest;
        uint64_t size = data_item_size(item), start = c.at;
        if (size > left)
            return object_fails_at(object, symbol, "its initial value is larger than it");
        left -= size;
        if (!holds_item(&c, item, size))
            return object_fails_at(
                object, symbol,
                arena_printf(object->arena,
                             "its bytes from offset 0x%llx on are not its initial value",
                             (unsigned long long)(start - at)));
    }
    if (c.reloc != elf_first_reloc(in, c.at))
        return object_fails_at(object, symbol, "a relocation more changes it");
    // Constants without a name may share their places, all else has one of its own. The data of a
    // section that the source names may be gone through as an array.
    bool label = object_is_label(object, info);
    elf_account(&object->elf, section, info->align, info->section.i,
                (ElfRange){.start = at,
                           .end = at + info->size,
                           .alone = !label || !(info->flags & SYMF_CONST),
                           .align = !info->section.i ? 0
                                    : info->align    ? info->align
                                                     : 1,
                           .order = symbol.i});
    return true;
}

static bool holds_addresses(const Symbol *info) {
    for (uint32_t i = 0; i < info->data.count; i++)
        if (info->data.at[i].kind == DATA_ADDR) return true;
    return false;
}

// Texts without a name may share their place with equal ones: each ends with its only zero.
static bool is_text(const ObjectFile *object, const Symbol *info) {
    if (!(info->flags & SYMF_CONST) || !object_is_label(object, info) || info->data.count != 1)
        return false;
    const DataItem *item = &info->data.at[0];
    uint64_t size = (uint64_t)item->value;
    return item->kind == DATA_BYTES && size > 0 && size == info->size &&
           memchr(item->bytes, 0, size) == item->bytes + size - 1;
}

// The kind of the section of a datum, if the source names none. Constant data that hold addresses
// are written once if they may lie anywhere.
static SectionKind kind_for(const ObjectFile *object, const Symbol *info) {
    bool moves = object->program->pic != PIC_NONE && holds_addresses(info);
    if (info->flags & SYMF_THREAD) return KIND_THREADS;
    if (!(info->flags & SYMF_CONST)) return KIND_DATA;
    return moves ? KIND_MOVED : KIND_CONST;
}

// A section that the source names may hold other data, too.
static bool check_section(ObjectFile *object, Sym symbol, const ElfSection *section) {
    const Symbol *info = program_at(object->program, symbol);
    SectionKind kind = kind_for(object, info);
    bool writable = section->flags & SECTION_WRITE, thread = info->flags & SYMF_THREAD;
    const char *problem = NULL;
    if (!(section->flags & SECTION_ALLOC))
        problem = "it is not loaded";
    else if (!object_is_in(object, info, section, kind) &&
             !(is_text(object, info) && object_is_in(object, info, section, KIND_TEXTS)))
        problem = "it is in another section than it should be";
    else if (section->kind != kind && kind == KIND_DATA && !writable)
        problem = "it cannot be written to";
    else if (thread != !!(section->flags & SECTION_THREAD) || section->flags & SECTION_EXEC)
        problem = "it is in a section for other data";
    else if (!object_is_retained(info, section))
        problem = "the linker may leave it out, or keep it";
    return !problem || object_fails_at(object, symbol, problem);
}

static bool check_datum_at(ObjectFile *object, Sym symbol, uint32_t section, uint64_t at) {
    const Symbol *info = program_at(object->program, symbol);
    if (!elf_has_range(&object->elf, section, at, info->size))
        return object_fails_at(object, symbol, "it goes beyond its section");
    const ElfSection *in = &object->elf.sections[section];
    if (!check_section(object, symbol, in)) return false;
    if (!elf_is_aligned(in, at, info->align))
        return object_fails_at(object, symbol, "it is not aligned");
    object->data++;
    return check_contents(object, symbol, section, at);
}

static bool check_datum(ObjectFile *object, Sym symbol) {
    const Symbol *info = program_at(object->program, symbol);
    uint32_t found = object->places[symbol.i].symbol;
    if (found == NO_SYMBOL)
        return !symbol_is_root(info) ||
               object_fails_at(object, symbol, "the object does not define it");
    const ElfSymbol *elf = &object->elf.symbols[found];
    if (!object_check_symbol(object, symbol, found)) return false;
    if (elf->size != info->size) return object_fails_at(object, symbol, "it is of another size");
    bool common = info->linkage == LINK_COMMON && !info->section.i;
    if (common != (elf->section == SECTION_COMMON))
        return object_fails_at(object, symbol, common ? "it is not common" : "it is common");
    if (!common) return check_datum_at(object, symbol, elf->section, elf->value);
    object->data++;
    return elf->value == info->align || object_fails_at(object, symbol, "it is not aligned");
}

// ---- Aliases

static bool check_alias(ObjectFile *object, Sym symbol) {
    const Symbol *info = program_at(object->program, symbol);
    uint32_t found = object->places[symbol.i].symbol;
    uint32_t target = object->places[info->alias.i].symbol;
    if (found == NO_SYMBOL && info->linkage == LINK_STATIC && !(info->flags & SYMF_USED))
        return true;
    if (found == NO_SYMBOL || target == NO_SYMBOL)
        return object_fails_at(object, symbol, "the object does not define it");
    const ElfSymbol *a = &object->elf.symbols[found], *b = &object->elf.symbols[target];
    bool same = a->section == b->section && a->value == b->value && a->section != SECTION_COMMON;
    // Who loads the object may copy as much of a datum as its name is said to have.
    if (info->kind == SYM_DATA) same &= a->size == b->size;
    if (info->flags & SYMF_VERSION)
        same &= a->bind == b->bind && a->type == b->type && a->visibility == b->visibility;
    if (!same) return object_fails_at(object, symbol, "it stands for something else");
    return info->flags & SYMF_VERSION || object_check_symbol(object, symbol, found);
}

// ---- All of them

// What the certificate does not define is not defined by the object either, unless by assembler
// text.
static bool check_external(ObjectFile *object, Sym symbol) {
    uint32_t found = object->places[symbol.i].symbol;
    if (found == NO_SYMBOL) return true;
    if (object->elf.symbols[found].section == SECTION_UNDEFINED)
        return object_check_symbol(object, symbol, found);
    if (!object_has_text(object))
        return object_fails_at(object, symbol,
                               "the object defines it, but the certificate does not");
    vec_push(object->arena, &object->believed,
             (ObjectBelief){.what = "name", .where = object->elf.symbols[found].name});
    return true;
}

static bool check_symbol(ObjectFile *object, Sym symbol) {
    const Symbol *info = program_at(object->program, symbol);
    if (info->alias.i != NO_ID) return check_alias(object, symbol);
    if (!object_defines(info)) return check_external(object, symbol);
    if (info->kind != SYM_DATA) return true; // a function, which was compared if it is there
    if (!object_is_label(object, info)) return check_datum(object, symbol);
    return object->places[symbol.i].section || !symbol_is_root(info) || object_has_text(object) ||
           object_fails_at(object, symbol, "nothing says where it is");
}

static bool check_data(ObjectFile *object) {
    for (uint32_t s = 0; s < object->program->symbols.count; s++)
        if (!check_symbol(object, (Sym){s})) return false;
    // Labels whose place became known, also on the way.
    while (object->bound.count) {
        Sym symbol = vec_pop(&object->bound);
        const ObjectPlace *place = &object->places[symbol.i];
        if (!check_datum_at(object, symbol, place->section, place->at)) return false;
    }
    return true;
}

bool x64_object_finish(ObjectFile *object, const Program *program) {
    if (!object_has_program(object, program)) return false;
    return check_data(object) && object_hooks(object) && object_groups(object) &&
           object_sections(object) && object_rest(object);
}
