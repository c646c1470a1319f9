// The data of a program, its aliases and tables of constructors, beside the sections of an object; and that nothing else
// is there.
//
// A datum is right if its symbol has the size, binding, visibility and kind that the program says, its section is loaded and
// can be written to unless it is constant, its place is aligned, and each byte and each relocation is what the initial
// value says.
#include "object/walk.h"

#include <stdlib.h>
#include <string.h>

static bool fails(ObjectFile *object, const char *text) {
    if (!object->problem) object->problem = text;
    return false;
}

static bool fails_at(ObjectFile *object, Sym symbol, const char *reason) {
    const Symbol *info = program_at(object->program, symbol);
    return fails(object, arena_printf(object->arena, "%s '%s': %s",
                                      info->kind == SYM_FUNC ? "function" : "datum",
                                      program_text(object->program, info->name), reason));
}

// ---- Symbols

// A name that the compiler made: no symbol of the object has it.
static bool is_label(const ObjectFile *object, const Symbol *info) {
    return info->linkage == LINK_STATIC && program_text(object->program, info->name)[0] == '.';
}

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
        return fails_at(object, symbol, "it is bound otherwise than the certificate says");
    if (bind != BIND_LOCAL && elf->visibility != visibility_of(info->visibility))
        return fails_at(object, symbol, "it is visible otherwise than the certificate says");
    uint8_t type = info->kind == SYM_FUNC      ? SYMBOL_FUNC
                   : info->flags & SYMF_THREAD ? SYMBOL_TLS
                                               : SYMBOL_OBJECT;
    bool defined = info->defined || info->linkage == LINK_COMMON;
    if (defined && elf->type != type) return fails_at(object, symbol, "it is of another kind");
    return true;
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

static bool holds_address(DataCursor *c, const DataItem *item) {
    const ElfSection *section = c->section;
    if (c->reloc == section->relocs.count || section->relocs.at[c->reloc].at != c->at ||
        section->relocs.at[c->reloc].type != RELOC_64 || !section->bytes)
        return false;
    for (uint32_t k = 0; k < 8; k++)
        if (section->bytes[c->at + k]) return false;
    LinkTarget target = link_of_reloc(c->object, &section->relocs.at[c->reloc], 0);
    c->reloc++;
    c->at += 8;
    return link_is_symbol(c->object, &target, item->symbol, item->value);
}

static bool holds_item(DataCursor *c, const DataItem *item, uint64_t size) {
    if (item->kind == DATA_ADDR) return holds_address(c, item);
    for (uint64_t k = 0; k < size; k++) {
        uint8_t byte = item->kind == DATA_BYTES  ? item->bytes[k]
                       : item->kind == DATA_ZERO ? 0
                                                 : (uint8_t)((uint64_t)item->value >> 8 * k);
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
        if (size > left) return fails_at(object, symbol, "its initial value is larger than it");
        left -= size;
        if (!holds_item(&c, item, size))
            return fails_at(
                object, symbol,
                arena_printf(object->arena,
                             "its bytes from offset 0x%llx on are not its initial value",
                             (unsigned long long)(start - at)));
    }
    if (c.reloc != elf_first_reloc(in, c.at))
        return fails_at(object, symbol, "a relocation more changes it");
    // Constants without a name may share their places, all else has one of its own.
    bool label =
        info->linkage == LINK_STATIC && program_text(object->program, info->name)[0] == '.';
    elf_account(&object->elf, section, at, info->size, !label || !(info->flags & SYMF_CONST));
    return true;
}

static bool holds_addresses(const Symbol *info) {
    for (uint32_t i = 0; i < info->data.count; i++)
        if (info->data.at[i].kind == DATA_ADDR) return true;
    return false;
}

// Sections of which the linker does nothing but put them together.
static bool is_usual(const ElfSection *section) {
    static const char *const names[] = {".text", ".data", ".bss", ".rodata", ".tdata", ".tbss"};
    for (uint32_t k = 0; k < sizeof names / sizeof *names; k++)
        if (elf_is_named(section, names[k])) return true;
    return false;
}

// Texts without a name may share their place with equal ones: each ends with its only zero.
static bool is_text(const ObjectFile *object, const Symbol *info, const ElfSection *section) {
    if (!(info->flags & SYMF_CONST) || !is_label(object, info) || info->data.count != 1)
        return false;
    const DataItem *item = &info->data.at[0];
    uint64_t size = (uint64_t)item->value;
    return item->kind == DATA_BYTES && size > 0 && size == info->size && section->entry == 1 &&
           section->flags & SECTION_STRINGS &&
           memchr(item->bytes, 0, size) == item->bytes + size - 1;
}

// Constant data that hold addresses are written once if they may lie anywhere. A section that the source names may hold
// other data, too.
static bool check_section(ObjectFile *object, Sym symbol, const ElfSection *section) {
    const Symbol *info = program_at(object->program, symbol);
    bool constant = info->flags & SYMF_CONST, thread = info->flags & SYMF_THREAD;
    bool moves = object->program->pic != PIC_NONE && holds_addresses(info);
    bool writable = section->flags & SECTION_WRITE;
    if (!(section->flags & SECTION_ALLOC)) return fails_at(object, symbol, "it is not loaded");
    if (!constant && !writable) return fails_at(object, symbol, "it cannot be written to");
    if (!constant && !info->section.i && elf_is_named(section, ".data.rel.ro"))
        return fails_at(object, symbol, "it cannot be written to");
    if (constant && !moves && writable && !info->section.i && !thread)
        return fails_at(object, symbol, "it is constant, but can be written to");
    if (constant && moves && writable && !info->section.i && !thread &&
        !elf_is_named(section, ".data.rel.ro"))
        return fails_at(object, symbol, "it is constant, but can be written to");
    if (thread != !!(section->flags & SECTION_THREAD))
        return fails_at(object, symbol, "it is in a section for other data");
    bool named = info->section.i
                     ? strcmp(section->name, program_text(object->program, info->section)) == 0
                     : is_usual(section);
    if (!named) return fails_at(object, symbol, "it is in another section than it should be");
    if (section->flags & SECTION_MERGE && !is_text(object, info, section))
        return fails_at(object, symbol, "the linker may put it together with others");
    return true;
}

static bool check_datum_at(ObjectFile *object, Sym symbol, uint32_t section, uint64_t at) {
    const Symbol *info = program_at(object->program, symbol);
    if (!elf_has_range(&object->elf, section, at, info->size))
        return fails_at(object, symbol, "it goes beyond its section");
    const ElfSection *in = &object->elf.sections[section];
    uint64_t align = info->align ? info->align : 1;
    if (!check_section(object, symbol, in)) return false;
    if (at % align || (in->align ? in->align : 1) % align)
        return fails_at(object, symbol, "it is not aligned");
    object->data++;
    return check_contents(object, symbol, section, at);
}

static bool check_datum(ObjectFile *object, Sym symbol) {
    const Symbol *info = program_at(object->program, symbol);
    uint32_t found = elf_find(&object->elf, program_text(object->program, info->name));
    if (found == NO_SYMBOL)
        return info->linkage == LINK_STATIC ||
               fails_at(object, symbol, "the object does not define it");
    const ElfSymbol *elf = &object->elf.symbols[found];
    if (!object_check_symbol(object, symbol, found)) return false;
    if (elf->size != info->size) return fails_at(object, symbol, "it is of another size");
    if (elf->section == SECTION_COMMON) {
        object->data++;
        return (info->linkage == LINK_COMMON && elf->value == info->align) ||
               fails_at(object, symbol, "it is common");
    }
    return check_datum_at(object, symbol, elf->section, elf->value);
}

// ---- Aliases

static bool check_alias(ObjectFile *object, Sym symbol) {
    const Symbol *info = program_at(object->program, symbol);
    uint32_t found = elf_find(&object->elf, program_text(object->program, info->name));
    uint32_t target =
        elf_find(&object->elf,
                 program_text(object->program, program_at(object->program, info->alias)->name));
    if (found == NO_SYMBOL && (info->linkage == LINK_STATIC || info->flags & SYMF_VERSION))
        return true;
    if (found == NO_SYMBOL || target == NO_SYMBOL)
        return fails_at(object, symbol, "the object does not define it");
    const ElfSymbol *a = &object->elf.symbols[found], *b = &object->elf.symbols[target];
    if (a->section != b->section || a->value != b->value)
        return fails_at(object, symbol, "it stands for something else");
    return info->flags & SYMF_VERSION || object_check_symbol(object, symbol, found);
}

// ---- Tables of constructors

static int32_t priority_of(const char *name, const char *table) {
    size_t length = strlen(table);
    if (strncmp(name, table, length) != 0) return -1;
    if (!name[length]) return UINT16_MAX;
    return name[length] == '.' ? (int32_t)strtol(name + length + 1, NULL, 10) : -1;
}

static bool check_hooks_of(ObjectFile *object, uint32_t s, Bits *seen) {
    ElfSection *section = &object->elf.sections[s];
    bool init = section->type == SECTION_INIT;
    int32_t priority = priority_of(section->name, init ? ".init_array" : ".fini_array");
    uint32_t count = object->program->symbols.count, at = count;
    for (uint32_t k = 0; k < section->relocs.count; k++) {
        const ElfReloc *reloc = &section->relocs.at[k];
        LinkTarget target = link_of_reloc(object, reloc, 0);
        bool found = false;
        // Entries come in the order of symbols, so the next one is mostly near.
        for (uint32_t n = 0; n < count && !found; n++) {
            uint32_t i = at = at + 1 < count ? at + 1 : 0;
            const Symbol *info = program_at(object->program, (Sym){i});
            int32_t wanted = init ? info->constructor : info->destructor;
            found = info->kind == SYM_FUNC && wanted >= 0 &&
                    (wanted > UINT16_MAX ? UINT16_MAX : wanted) == priority &&
                    link_is_symbol(object, &target, (Sym){i}, 0) && bits_put(seen, 2 * i + init);
        }
        if (!found || reloc->type != RELOC_64 || reloc->at != 8 * (uint64_t)k)
            return fails(object, arena_printf(object->arena,
                                              "section '%s': entry %u is none of the certificate's",
                                              section->name, k));
    }
    uint64_t flags = section->flags & (SECTION_ALLOC | SECTION_WRITE | SECTION_THREAD);
    if (flags != (SECTION_ALLOC | SECTION_WRITE) || section->align % 8)
        return fails(object,
                     arena_printf(object->arena, "section '%s' is not loaded as it should be",
                                  section->name));
    if (section->size != 8 * (uint64_t)section->relocs.count)
        return fails(object, arena_printf(object->arena, "section '%s' has more than addresses",
                                          section->name));
    elf_account(&object->elf, s, 0, section->size, true);
    return true;
}

static bool check_hooks(ObjectFile *object) {
    Bits seen = bits_new(object->arena, 2 * object->program->symbols.count);
    for (uint32_t s = 0; s < object->elf.section_count; s++) {
        uint32_t type = object->elf.sections[s].type;
        if ((type == SECTION_INIT || type == SECTION_FINI) && !check_hooks_of(object, s, &seen))
            return false;
    }
    for (uint32_t i = 0; i < object->program->symbols.count; i++) {
        const Symbol *info = program_at(object->program, (Sym){i});
        if (info->kind != SYM_FUNC || !info->defined) continue;
        if ((info->constructor >= 0 && !bits_has(&seen, 2 * i + 1)) ||
            (info->destructor >= 0 && !bits_has(&seen, 2 * i)))
            return fails_at(object, (Sym){i},
                            "no table of the object makes it run before or after main");
    }
    return true;
}

// ---- Nothing else

static int compare_ranges(const void *a, const void *b) {
    const ElfRange *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

// Between what is accounted for there are nothing but zeros, or in code instructions that do nothing.
static bool is_padding(const ElfSection *section, uint64_t at, uint64_t end) {
    uint32_t reloc = elf_first_reloc(section, at);
    if (reloc < section->relocs.count && section->relocs.at[reloc].at < end) return false;
    if (!section->bytes) return true;
    while (at < end && section->flags & SECTION_EXEC) {
        Insn insn;
        if (!insn_decode(section->bytes + at, end - at, &insn) || insn.mnemonic != INSN_NOP)
            return false;
        at += insn.length;
    }
    for (; at < end; at++)
        if (section->bytes[at]) return false;
    return true;
}

// Tables of the assembler and the linker that no code of the unit reads.
static bool is_believed(const ElfSection *section) {
    static const char *const names[] = {".eh_frame", "__patchable_function_entries",
                                        "__mcount_loc"};
    if (section->flags & SECTION_EXEC) return false;
    if (section->type == SECTION_NOTE && strncmp(section->name, ".note", 5) == 0) return true;
    for (uint32_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(section->name, names[k]) == 0) return true;
    return false;
}

static bool check_gap(ObjectFile *object, const ElfSection *section, uint64_t at, uint64_t end) {
    if (is_padding(section, at, end) && (section->ranges.count || is_usual(section))) return true;
    // The text of an asm statement may also fill a section of its own, and be the only one to refer to a datum.
    bool own =
        object->program->asms.count && (!section->ranges.count || !(section->flags & SECTION_EXEC));
    if (object->program->file_asms.count || own) {
        vec_push(object->arena, &object->believed,
                 (ObjectBelief){.what = own ? "text of asm statements in"
                                            : "asm outside of functions in",
                                .where = section->name,
                                .start = at,
                                .end = end});
        return true;
    }
    return fails(
        object,
        arena_printf(
            object->arena,
            "section '%s', offset 0x%llx: 0x%llx bytes are nothing that the certificate has",
            section->name, (unsigned long long)at, (unsigned long long)(end - at)));
}

// Sections of a group may be left out by the linker for those of another object: only thunks are so.
static bool check_group(ObjectFile *object, const ElfSection *group) {
    const Elf *elf = &object->elf;
    for (uint64_t at = 4; at + 4 <= group->size; at += 4) {
        uint32_t member = (uint32_t)group->bytes[at] | (uint32_t)group->bytes[at + 1] << 8 |
                          (uint32_t)group->bytes[at + 2] << 16 |
                          (uint32_t)group->bytes[at + 3] << 24;
        if (member >= elf->section_count ||
            strncmp(elf->sections[member].name, ".text.__x86_", 12) != 0)
            return fails(object, "the linker may leave out a section for that of another object");
    }
    return true;
}

// Kinds and flags whose meaning is known: besides those of elf.h, the section is one of a group, or kept in any case; tables that no code
// reads may lie in the order of what they are about.
static bool is_plain(const ElfSection *section) {
    enum { IN_ORDER = 0x80, OTHER_FLAGS = 0x200 | 0x200000 };
    uint64_t known = SECTION_WRITE | SECTION_ALLOC | SECTION_EXEC | SECTION_MERGE |
                     SECTION_STRINGS | SECTION_THREAD | OTHER_FLAGS;
    if (is_believed(section)) known |= IN_ORDER;
    uint32_t type = section->type;
    bool kind = type == SECTION_PROGBITS || type == SECTION_NOBITS || type == SECTION_NOTE ||
                type == SECTION_INIT || type == SECTION_FINI || type == SECTION_UNWIND;
    bool code = section->flags & SECTION_EXEC, writable = section->flags & SECTION_WRITE;
    if (code && section->flags & (SECTION_WRITE | SECTION_MERGE | SECTION_THREAD)) return false;
    return kind && !(section->flags & ~known) && !(writable && section->flags & SECTION_MERGE);
}

// Code of another compiler, or relocations of another kind.
static bool is_taken_instead(const ElfSection *section) {
    enum { TYPE_UNWIND = 0x70000001 };
    static const uint8_t types[] = {0, 1, 2, 3, 4, 7, 8, 14, 15, 17};
    bool known = section->type == TYPE_UNWIND ||
                 (section->type < UINT8_MAX && memchr(types, (int)section->type, sizeof types));
    return !known || strncmp(section->name, ".gnu.", 5) == 0 ||
           strncmp(section->name, ".llvm.", 6) == 0;
}

static bool check_rest(ObjectFile *object) {
    for (uint32_t s = 1; s < object->elf.section_count; s++) {
        ElfSection *section = &object->elf.sections[s];
        if (section->type == SECTION_GROUP && !check_group(object, section)) return false;
        if (!(section->flags & SECTION_ALLOC) && is_taken_instead(section))
            return fails(object,
                         arena_printf(object->arena,
                                      "section '%s': linkers may take it instead of the code",
                                      section->name));
        if (!(section->flags & SECTION_ALLOC) || section->size == 0) continue;
        if (!is_plain(section))
            return fails(object, arena_printf(object->arena,
                                              "section '%s' is of another kind than it should be",
                                              section->name));
        if (is_believed(section)) {
            vec_push(
                object->arena, &object->believed,
                (ObjectBelief){.what = "section", .where = section->name, .end = section->size});
            continue;
        }
        if (section->ranges.count)
            qsort(section->ranges.at, section->ranges.count, sizeof *section->ranges.at,
                  compare_ranges);
        uint64_t done = 0;
        bool alone = false;
        for (uint32_t k = 0; k < section->ranges.count; k++) {
            const ElfRange *range = &section->ranges.at[k];
            if (range->start > done && !check_gap(object, section, done, range->start))
                return false;
            if (range->start < done && (range->alone || alone))
                return fails(object,
                             arena_printf(object->arena,
                                          "section '%s', offset 0x%llx: two things lie there",
                                          section->name, (unsigned long long)range->start));
            if (range->end > done) alone = range->alone;
            if (range->end > done) done = range->end;
        }
        if (done < section->size && !check_gap(object, section, done, section->size)) return false;
    }
    return true;
}

// Names that others can see are the certificate's; assembler text may define more.
static bool check_names(ObjectFile *object) {
    const Program *program = object->program;
    Bits known = bits_new(object->arena, object->elf.symbol_count);
    bool text = program->file_asms.count || program->asms.count;
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *info = program_at(program, (Sym){s});
        uint32_t found = elf_find(&object->elf, program_text(program, info->name));
        bool defined = info->defined || info->alias.i != NO_ID || info->linkage == LINK_COMMON;
        bool here = found != NO_SYMBOL && object->elf.symbols[found].section != SECTION_UNDEFINED;
        if (found != NO_SYMBOL && (defined || !here)) bits_add(&known, found);
    }
    for (uint32_t i = 1; i < object->elf.symbol_count; i++) {
        const ElfSymbol *symbol = &object->elf.symbols[i];
        if (symbol->bind == BIND_LOCAL || bits_has(&known, i)) continue;
        bool other = symbol->section == SECTION_UNDEFINED;
        if (!other && object_thunk(object, i)) continue;
        if (text || other)
            vec_push(object->arena, &object->believed,
                     (ObjectBelief){.what = "name", .where = symbol->name});
        else
            return fails(object,
                         arena_printf(object->arena,
                                      "symbol '%s': the certificate defines none of that name",
                                      symbol->name));
    }
    return true;
}

// What the certificate does not define is not defined by the object either, unless by assembler text.
static bool check_external(ObjectFile *object, Sym symbol) {
    const Program *program = object->program;
    const char *name = program_text(program, program_at(program, symbol)->name);
    uint32_t found = elf_find(&object->elf, name);
    if (found == NO_SYMBOL) return true;
    if (object->elf.symbols[found].section == SECTION_UNDEFINED)
        return object_check_symbol(object, symbol, found);
    if (!program->file_asms.count && !program->asms.count)
        return fails_at(object, symbol, "the object defines it, but the certificate does not");
    vec_push(object->arena, &object->believed,
             (ObjectBelief){.what = "name", .where = object->elf.symbols[found].name});
    return true;
}

static bool check_data(ObjectFile *object) {
    const Program *program = object->program;
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *info = program_at(program, (Sym){s});
        bool label = is_label(object, info);
        bool data = info->kind == SYM_DATA && (info->defined || info->linkage == LINK_COMMON);
        if (!info->defined && !data && info->alias.i == NO_ID && !check_external(object, (Sym){s}))
            return false;
        if (info->alias.i != NO_ID ? !check_alias(object, (Sym){s})
                                   : data && !label && !check_datum(object, (Sym){s}))
            return false;
    }
    // Labels whose place became known, also on the way.
    while (object->bound.count) {
        Sym symbol = vec_pop(&object->bound);
        const ObjectPlace *place = &object->places[symbol.i];
        if (!check_datum_at(object, symbol, place->section, place->at)) return false;
    }
    return true;
}

bool object_finish(ObjectFile *object, const Program *program) {
    if (!object_has_program(object, program)) return false;
    return check_data(object) && check_hooks(object) && check_names(object) && check_rest(object);
}
