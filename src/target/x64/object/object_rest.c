// That an object has nothing besides what the certificate accounts for: no other bytes and no other
// names.
#include "target/x64/object/walk.h"

#include <stdlib.h>
#include <string.h>

static bool fails_in(ObjectFile *object, const ElfSection *section, const char *what) {
    return object_fails(object, arena_printf(object->arena, "section '%s'%s", section->name, what));
}

// ---- Bytes

static int compare_ranges(const void *a, const void *b) {
    const ElfRange *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

// Between what is accounted for there are nothing but zeros, no more than an alignment takes; or in
// code instructions that do nothing; where there are many, assemblers jump over them.
static bool is_padding(const ElfSection *section, uint64_t at, uint64_t end) {
    bool code = section->flags & SECTION_EXEC;
    if (elf_has_relocs(section, at, end - at) || (!code && end - at >= section->align))
        return false;
    if (!section->bytes) return true;
    while (at < end && code) {
        Insn insn;
        if (!insn_decode(section->bytes + at, end - at, &insn)) return false;
        at += insn.length;
        bool over = insn.mnemonic == INSN_JMP && insn.operand[0].kind == INSN_OPERAND_TARGET &&
                    (uint64_t)insn.operand[0].value <= end - at;
        if (insn.mnemonic != INSN_NOP && !over) return false;
    }
    for (; at < end; at++)
        if (section->bytes[at]) return false;
    return true;
}

// What lies before a range that is accounted for, or, if there is none, before the end of the
// section.
static bool check_gap(ObjectFile *object, const ElfSection *section, uint64_t at, uint64_t end,
                      const ElfRange *next) {
    // Where data may be gone through as an array, each lies as near to the one before as it can.
    bool array = section->ranges.count && section->ranges.at[0].align;
    bool near = !array || (next && end - at < next->align);
    if (near && is_padding(section, at, end) &&
        (section->ranges.count || section->kind != KIND_OTHER))
        return true;
    // The text of an asm statement may also fill a section of its own, and be the only one to refer
    // to a datum.
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
    return fails_in(
        object, section,
        arena_printf(object->arena,
                     ", offset 0x%llx: 0x%llx bytes are nothing that the certificate has",
                     (unsigned long long)at, (unsigned long long)(end - at)));
}

static bool check_bytes(ObjectFile *object, ElfSection *section) {
    uint64_t done = 0;
    uint32_t order = 0;
    bool alone = false;
    if (section->ranges.count)
        qsort(section->ranges.at, section->ranges.count, sizeof(ElfRange), compare_ranges);
    for (uint32_t k = 0; k < section->ranges.count; k++) {
        const ElfRange *range = &section->ranges.at[k];
        const char *problem = NULL;
        if (range->start > done && !check_gap(object, section, done, range->start, range))
            return false;
        if (range->start < done && (range->alone || alone)) problem = "two things lie there";
        if (range->align && range->order < order) problem = "data are in another order";
        if (problem)
            return fails_in(object, section,
                            arena_printf(object->arena, ", offset 0x%llx: %s",
                                         (unsigned long long)range->start, problem));
        if (range->end > done) alone = range->alone;
        if (range->end > done) done = range->end;
        order = range->order;
    }
    return done == section->size || check_gap(object, section, done, section->size, NULL);
}

// Tables that no code of the unit reads.
static bool is_believed(const ObjectFile *object, const ElfSection *section) {
    return section->kind == KIND_TABLE || section->kind == KIND_NOTE ||
           (object_has_text(object) && section->type == SECTION_NOTE && !section->ranges.count);
}

// A section that is aligned more than what is in it asks for tears what linkers put together from
// all objects, as tables of constructors; or nobody can load it. Options may align code, which is
// no such table.
static bool check_alignment(ObjectFile *object, const ElfSection *section) {
    enum { MOST_OF_CODE = 65536 };
    bool free = section->flags & SECTION_EXEC || is_believed(object, section);
    uint64_t most = section->needed > 1 ? section->needed : 1;
    if (free && most < MOST_OF_CODE) most = MOST_OF_CODE;
    if (section->align <= most) return true;
    if (!object_has_text(object) || section->kind == KIND_HOOKS)
        return fails_in(object, section, " is aligned more than what is in it");
    vec_push(object->arena, &object->believed,
             (ObjectBelief){.what = "alignment of section", .where = section->name});
    return true;
}

static bool check_section(ObjectFile *object, ElfSection *section) {
    if (!(section->flags & SECTION_ALLOC)) return true;
    if (!check_alignment(object, section)) return false;
    if (!is_believed(object, section)) return check_bytes(object, section);
    // Linkers may treat a name otherwise if one more relocation leads to it: an external datum is
    // copied.
    for (uint32_t k = 0; k < section->relocs.count && !object_has_text(object); k++)
        if (object->elf.symbols[section->relocs.at[k].symbol].bind != BIND_LOCAL)
            return fails_in(object, section, " refers to a name that others may define");
    vec_push(object->arena, &object->believed,
             (ObjectBelief){.what = "section", .where = section->name, .end = section->size});
    return true;
}

// Where the source names a section, what is in it is put together from all sections of that name,
// in their order: there is one, or one that is retained and one that is not, and the one with the
// first datum comes first.
static bool check_twins(ObjectFile *object) {
    Table names = {0};
    for (uint32_t s = 1; s < object->elf.section_count; s++) {
        const ElfSection *section = &object->elf.sections[s];
        if (!section->named) continue;
        uint64_t hash = hash_bytes(section->name, strlen(section->name));
        uint32_t id;
        for (uint32_t at = table_first(&names, hash);
             (id = table_id(&names, hash, &at)) != HASH_NONE;) {
            const ElfSection *other = &object->elf.sections[id];
            if (strcmp(other->name, section->name) != 0) continue;
            if ((other->flags ^ section->flags) != SECTION_RETAINED)
                return fails_in(object, section, " is there twice");
            if (other->ranges.count && section->ranges.count &&
                other->ranges.at[0].order > section->ranges.at[0].order)
                return fails_in(object, section, ": data are in another order");
        }
        table_insert(object->arena, &names, hash, s);
    }
    return true;
}

// ---- Names

// Functions that gatecc knows by their names.
static bool is_known(const ObjectFile *object, uint32_t symbol) {
    static const char *const names[] = {"__fentry__",       "mcount",
                                        "__stack_chk_fail", "__tls_get_addr",
                                        "__morestack",      "__morestack_allocate_stack_space"};
    for (uint32_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(object->elf.symbols[symbol].name, names[k]) == 0) return true;
    return object_is_thunk(object, symbol);
}

// Symbols that code and data refer to.
static Bits find_used(ObjectFile *object) {
    Bits used = bits_new(object->arena, object->elf.symbol_count);
    for (uint32_t s = 1; s < object->elf.section_count; s++) {
        const ElfSection *section = &object->elf.sections[s];
        if (!(section->flags & SECTION_ALLOC) || is_believed(object, section)) continue;
        for (uint32_t k = 0; k < section->relocs.count; k++)
            bits_add(&used, section->relocs.at[k].symbol);
    }
    return used;
}

// Whether the certificate declares a name as that of an indirect function, or of a version of one.
static bool is_indirect(const ObjectFile *object, Sym owner) {
    if (owner.i == NO_ID) return false;
    const Symbol *info = program_at(object->program, owner);
    if (info->flags & SYMF_VERSION) info = program_at(object->program, info->alias);
    return info->flags & SYMF_INDIRECT;
}

// What is wrong with a name; NULL if nothing is. A name that nothing refers to could still make the
// linker add a part of a library; its own table of addresses is in none.
static const char *check_name(ObjectFile *object, uint32_t i, const Bits *used) {
    const ElfSymbol *symbol = &object->elf.symbols[i];
    Sym owner = object->owners[i];
    bool local = symbol->bind == BIND_LOCAL, here = symbol->section != SECTION_UNDEFINED;
    bool text = object_has_text(object);
    bool strange =
        symbol->type == SYMBOL_INDIRECT ? !is_indirect(object, owner) : symbol->type > SYMBOL_TLS;
    bool table = strcmp(symbol->name, "_GLOBAL_OFFSET_TABLE_") == 0;
    if (!text && (symbol->bind > BIND_WEAK || strange || symbol->type == SYMBOL_COMMON ||
                  (local && symbol->visibility) || (!here && symbol->value)))
        return "it is of a kind that gatecc does not write";
    if (local) return NULL;
    if (here && object_thunk(object, i)) return NULL;
    if (!here && !text && !table && symbol->bind != BIND_WEAK && !bits_has(used, i))
        return "nothing refers to it";
    if (owner.i != NO_ID && object_defines(program_at(object->program, owner)) == here) return NULL;
    if (!text && (here || !(table || is_known(object, i)) || !object_is_special(object, i)))
        return here ? "the certificate defines none of that name"
                    : "the certificate has no such name";
    vec_push(object->arena, &object->believed,
             (ObjectBelief){.what = "name", .where = symbol->name});
    return NULL;
}

static bool check_names(ObjectFile *object) {
    Bits used = find_used(object);
    for (uint32_t i = 1; i < object->elf.symbol_count; i++) {
        const char *problem = check_name(object, i, &used);
        if (problem)
            return object_fails(object, arena_printf(object->arena, "symbol '%s': %s",
                                                     object->elf.symbols[i].name, problem));
    }
    return true;
}

bool object_rest(ObjectFile *object) {
    if (!check_names(object)) return false;
    for (uint32_t s = 1; s < object->elf.section_count; s++)
        if (!check_section(object, &object->elf.sections[s])) return false;
    return check_twins(object);
}
