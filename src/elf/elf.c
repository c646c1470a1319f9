#include "elf/elf.h"

#include "target/model.h"

#include <stdlib.h>
#include <string.h>

// Offsets in the tables of the file format.
enum {
    HEADER_SIZE = 64,
    SECTION_SIZE = 64,
    SYMBOL_SIZE = 24,
    RELOC_SIZE = 24,
    HEADER_SYSTEM = 7, // none, or GNU; the bytes behind it are zero
    HEADER_FLAGS = 48,
    SYSTEM_GNU = 3
};

static uint64_t number_at(const uint8_t *bytes, uint32_t size) {
    uint64_t number = 0;
    for (uint32_t k = size; k-- > 0;) number = number << 8 | bytes[k];
    return number;
}

static bool within(uint64_t at, uint64_t size, uint64_t length) {
    return at <= length && size <= length - at;
}

// A name in a table of names; NULL if it does not end there.
static const char *name_at(Elf *elf, uint64_t table, uint64_t size, uint64_t at) {
    enum { NAMES_PER_BYTE = 16 };
    if (!within(table, size, elf->length) || at >= size) return NULL;
    const char *name = (const char *)elf->bytes + table + at, *end = memchr(name, 0, size - at);
    // Names may share their ends: their total length is limited, so that time stays in proportion
    // to the file.
    elf->name_bytes += end ? (uint64_t)(end - name) : 0;
    return elf->name_bytes / NAMES_PER_BYTE <= elf->length && end ? name : NULL;
}

typedef struct {
    Elf *elf;
    const uint8_t *headers; // of sections
} ElfReader;

static const uint8_t *header_of(const ElfReader *r, uint32_t section) {
    return r->headers + (uint64_t)section * SECTION_SIZE;
}
static uint64_t offset_of(const ElfReader *r, uint32_t section) {
    return number_at(header_of(r, section) + 24, 8);
}

static const char *read_section(ElfReader *r, uint32_t s, uint32_t names) {
    Elf *elf = r->elf;
    const uint8_t *header = header_of(r, s);
    ElfSection *section = &elf->sections[s];
    uint64_t at = offset_of(r, s);
    section->type = (uint32_t)number_at(header + 4, 4);
    section->flags = number_at(header + 8, 8);
    section->address = number_at(header + 16, 8);
    section->size = number_at(header + 32, 8);
    section->link = (uint32_t)number_at(header + 40, 4);
    section->info = (uint32_t)number_at(header + 44, 4);
    section->align = number_at(header + 48, 8);
    section->entry = number_at(header + 56, 8);
    section->name = name_at(elf, offset_of(r, names), number_at(header_of(r, names) + 32, 8),
                            number_at(header, 4));
    if (!section->name) return "a section has no name";
    if (section->align & (section->align - 1)) return "a section has an odd alignment";
    if (section->type == 0 || section->type == SECTION_NOBITS) return NULL;
    if (!within(at, section->size, elf->length)) return "a section goes beyond the file";
    section->bytes = elf->bytes + at;
    return NULL;
}

static uint32_t symbol_named(const Elf *elf, const char *name, uint64_t hash) {
    uint32_t id;
    for (uint32_t at = table_first(&elf->names, hash);
         (id = table_id(&elf->names, hash, &at)) != HASH_NONE;)
        if (strcmp(elf->symbols[id].name, name) == 0) return id;
    return NO_SYMBOL;
}

static void file_name(Elf *elf, uint32_t i) {
    const ElfSymbol *symbol = &elf->symbols[i];
    if (symbol->type == SYMBOL_SECTION || symbol->type == SYMBOL_FILE || !*symbol->name) return;
    uint64_t hash = hash_bytes(symbol->name, strlen(symbol->name));
    uint32_t first = symbol_named(elf, symbol->name, hash);
    if (first == NO_SYMBOL)
        table_insert(elf->arena, &elf->names, hash, i);
    else
        elf->symbols[first].again = true;
}

static const char *read_symbols(ElfReader *r, uint32_t table) {
    Elf *elf = r->elf;
    const ElfSection *section = &elf->sections[table];
    uint32_t names = section->link, locals = section->info;
    if (elf->symbols) return "it has two tables of symbols";
    if (section->entry != SYMBOL_SIZE || section->size % SYMBOL_SIZE)
        return "its symbols are of another size";
    if (names >= elf->section_count || elf->sections[names].type != SECTION_NAMES ||
        section->size / SYMBOL_SIZE >= UINT32_MAX)
        return "its symbols have no names";
    // The first one stands for none. Linkers need not know that.
    static const uint8_t none[SYMBOL_SIZE];
    if (section->size && memcmp(section->bytes, none, SYMBOL_SIZE) != 0)
        return "its first symbol is one";
    elf->symbol_count = (uint32_t)(section->size / SYMBOL_SIZE);
    elf->symbols = ARENA_ARRAY(elf->arena, ElfSymbol, elf->symbol_count + 1);
    for (uint32_t i = 0; i < elf->symbol_count; i++) {
        const uint8_t *at = section->bytes + (uint64_t)i * SYMBOL_SIZE;
        ElfSymbol *symbol = &elf->symbols[i];
        symbol->name =
            name_at(elf, offset_of(r, names), elf->sections[names].size, number_at(at, 4));
        symbol->bind = at[4] >> 4;
        symbol->type = at[4] & 15;
        symbol->visibility = at[5] & 3;
        symbol->section = (uint32_t)number_at(at + 6, 2);
        symbol->value = number_at(at + 8, 8);
        symbol->size = number_at(at + 16, 8);
        if (!symbol->name) return "a symbol has no name";
        if (at[5] > 3) return "a symbol has a mark that is not known";
        // Linkers may go by the place instead of the binding.
        if ((symbol->bind == BIND_LOCAL) != (i < locals)) return "local symbols do not come first";
        if (symbol->section >= elf->section_count && symbol->section < 0xff00)
            return "a symbol is in no section";
        file_name(elf, i);
    }
    return NULL;
}

static int compare_relocs(const void *a, const void *b) {
    const ElfReloc *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static const char *read_relocs(Elf *elf, uint32_t table) {
    const ElfSection *from = &elf->sections[table];
    uint32_t target = from->info, symbols = from->link;
    if (from->entry != RELOC_SIZE || from->size % RELOC_SIZE || symbols >= elf->section_count ||
        elf->sections[symbols].type != SECTION_SYMBOLS)
        return "relocations of another size, or by no symbols";
    if (target >= elf->section_count || elf->sections[target].relocs.count)
        return "relocations of no section, or twice of one";
    ElfSection *section = &elf->sections[target];
    for (uint64_t at = 0; within(at, RELOC_SIZE, from->size); at += RELOC_SIZE) {
        const uint8_t *bytes = from->bytes + at;
        ElfReloc reloc = {.at = number_at(bytes, 8),
                          .type = (uint32_t)number_at(bytes + 8, 4),
                          .symbol = (uint32_t)number_at(bytes + 12, 4),
                          .addend = (int64_t)number_at(bytes + 16, 8)};
        reloc.size = elf->target->relocation_size(reloc.type);
        if (reloc.symbol >= elf->symbol_count) return "a relocation by no symbol";
        vec_push(elf->arena, &section->relocs, reloc);
    }
    if (section->relocs.count)
        qsort(section->relocs.at, section->relocs.count, sizeof(ElfReloc), compare_relocs);
    return NULL;
}

// One kind of table after the other, as relocations refer to symbols.
static const char *read_tables(ElfReader *r) {
    Elf *elf = r->elf;
    const char *reason = NULL;
    for (uint32_t s = 0; s < elf->section_count && !reason; s++)
        if (elf->sections[s].type == SECTION_SYMBOLS) reason = read_symbols(r, s);
    for (uint32_t s = 0; s < elf->section_count && !reason && elf->type == ELF_RELOCATABLE; s++)
        if (elf->sections[s].type == SECTION_RELOCS) reason = read_relocs(elf, s);
    return reason;
}

static const char *open_object(Elf *elf) {
    static const uint8_t start[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    const uint8_t *bytes = elf->bytes;
    if (elf->length < HEADER_SIZE || memcmp(bytes, start, sizeof start) != 0)
        return "it is no object file";
    elf->gnu = bytes[HEADER_SYSTEM] == SYSTEM_GNU;
    elf->target = target_model_of_elf((uint32_t)number_at(bytes + 18, 2));
    if (!elf->target || number_at(bytes + HEADER_FLAGS, 4) ||
        number_at(bytes + HEADER_SYSTEM + 1, 8) || (bytes[HEADER_SYSTEM] && !elf->gnu))
        return "it is not an object file of this machine";
    elf->type = (uint32_t)number_at(bytes + 16, 2);
    if (elf->type < ELF_RELOCATABLE || elf->type > ELF_SHARED) return "it is no object file";
    uint64_t headers = number_at(bytes + 40, 8), count = number_at(bytes + 60, 2);
    uint32_t names = (uint32_t)number_at(bytes + 62, 2);
    if (headers == 0 || number_at(bytes + 58, 2) != SECTION_SIZE ||
        !within(headers, SECTION_SIZE, elf->length))
        return "it has no sections";
    ElfReader reader = {.elf = elf, .headers = bytes + headers};
    // Where there are many, the first entry, which stands for no section, has their number.
    if (count == 0) count = number_at(reader.headers + 32, 8);
    if (names == 0xffff) names = (uint32_t)number_at(reader.headers + 40, 4);
    if (count > elf->length / SECTION_SIZE || !within(headers, count * SECTION_SIZE, elf->length) ||
        names >= count)
        return "its sections go beyond the file";
    if (count >= 0xff00) return "it has too many sections";
    elf->section_count = (uint32_t)count;
    elf->sections = ARENA_ARRAY(elf->arena, ElfSection, count);
    for (uint32_t s = 0; s < count; s++) {
        const char *reason = read_section(&reader, s, names);
        if (reason) return reason;
    }
    return read_tables(&reader);
}

bool elf_open(Elf *elf, Arena *arena, const void *bytes, size_t length, const char **reason) {
    *elf = (Elf){.arena = arena, .bytes = bytes, .length = length};
    *reason = open_object(elf);
    return !*reason;
}

static const char *check_relocs(const ElfSection *section) {
    uint64_t done = 0;
    for (uint32_t k = 0; k < section->relocs.count; k++) {
        const ElfReloc *reloc = &section->relocs.at[k];
        if (reloc->size == UINT32_MAX) return "a relocation of a kind that is not known";
        if (!within(reloc->at, reloc->size, section->size))
            return "a relocation beyond its section";
        if (reloc->at < done) return "two relocations change the same place";
        for (uint32_t b = 0; b < reloc->size; b++)
            if (!section->bytes || section->bytes[reloc->at + b])
                return "a relocation changes bytes that are not zero";
        done = reloc->at + reloc->size;
    }
    return NULL;
}

const char *elf_check_relocs(const Elf *elf) {
    const char *reason = NULL;
    for (uint32_t s = 0; s < elf->section_count && !reason; s++)
        if (elf->sections[s].flags & SECTION_ALLOC) reason = check_relocs(&elf->sections[s]);
    return reason;
}

uint32_t elf_find(const Elf *elf, const char *name) {
    uint32_t found = symbol_named(elf, name, hash_bytes(name, strlen(name)));
    return found == NO_SYMBOL || elf->symbols[found].again ? NO_SYMBOL : found;
}

uint32_t elf_first_reloc(const ElfSection *section, uint64_t at) {
    uint32_t low = 0, high = section->relocs.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (section->relocs.at[middle].at + section->relocs.at[middle].size <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool elf_has_range(const Elf *elf, uint32_t section, uint64_t at, uint64_t size) {
    return section < elf->section_count && within(at, size, elf->sections[section].size);
}

bool elf_is_aligned(const ElfSection *section, uint64_t at, uint64_t align) {
    return align <= 1 || (at % align == 0 && section->align && section->align % align == 0);
}

bool elf_has_relocs(const ElfSection *section, uint64_t at, uint64_t size) {
    uint32_t found = elf_first_reloc(section, at);
    return found < section->relocs.count && section->relocs.at[found].at < at + size;
}

void elf_account(Elf *elf, uint32_t section, uint64_t align, bool named, ElfRange range) {
    ElfSection *in = &elf->sections[section];
    if (align > in->needed) in->needed = align;
    in->named |= named;
    if (range.end > range.start) vec_push(elf->arena, &in->ranges, range);
}
