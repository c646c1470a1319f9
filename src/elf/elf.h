// Reading an object: sections, symbols, relocations.
//
// The file may be anything: every offset and size is compared with the file before it is used, and
// what does not fit is refused with a reason. Names end within their tables. Nothing is copied but
// small records; bytes stay where they are.
#pragma once

#include "base/bits.h"
#include "base/hash.h"
#include "base/vec.h"

typedef struct {
    uint64_t at;     // offset in its section
    uint32_t type;   // a number of reloc.def, or another
    uint32_t size;   // bytes that it changes
    uint32_t symbol; // index in Elf.symbols
    int64_t addend;
} ElfReloc;

enum {
    SECTION_PROGBITS = 1,
    SECTION_SYMBOLS = 2,
    SECTION_NAMES = 3,
    SECTION_RELOCS = 4,
    SECTION_NOTE = 7,
    SECTION_NOBITS = 8,
    SECTION_INIT = 14,
    SECTION_FINI = 15,
    SECTION_GROUP = 17
};
enum {
    SECTION_WRITE = 1,
    SECTION_ALLOC = 2,
    SECTION_EXEC = 4,
    SECTION_MERGE = 16, // equal entries, or with STRINGS equal texts, may become one
    SECTION_STRINGS = 32,
    SECTION_ABOUT = 64,    // `info` is a section
    SECTION_ORDERED = 128, // lies in the order of the sections that it is about
    SECTION_GROUPED = 512, // kept or left out with its group
    SECTION_THREAD = 1024,
    SECTION_COMPRESSED = 2048,
    SECTION_RETAINED = 0x200000 // kept even if nothing refers to it
};

// The purpose of a section, by all properties that a linker uses: the rows of sections.def.
typedef enum {
    KIND_OTHER, // none of them
    KIND_CODE,
    KIND_DATA,
    KIND_MOVED, // constants that hold addresses, which are written once
    KIND_CONST,
    KIND_TEXTS,
    KIND_POOL, // constants of the code
    KIND_THREADS,
    KIND_HOOKS,
    KIND_TABLE,
    KIND_NOTE,
    KIND_STACK,
    KIND_GROUP,
    KIND_ASIDE
} SectionKind;

// A run of bytes that is accounted for.
typedef struct {
    uint64_t start, end;
    bool alone;     // nothing else lies there
    uint32_t align; // of a datum there, the data of which come one after the other; else 0
    uint32_t order; // then: its number
} ElfRange;

typedef struct {
    const char *name;
    uint32_t type;
    uint32_t link, info; // their meaning depends on the type
    uint64_t flags, address, size, align;
    uint64_t entry;       // the size of an entry of a MERGE section
    const uint8_t *bytes; // NULL if it has none: zeros, or nothing
    VEC(ElfReloc) relocs; // ascending
    VEC(ElfRange) ranges; // the ranges that are accounted for, in any order
    uint64_t needed;      // the greatest alignment that something in it asks for
    bool named;           // the source names it for some contents, even empty ones
    SectionKind kind;     // (object_sections.c)
    const char *base;     // its name without that of its symbol
    uint32_t group;       // the symbol of the group that it is alone in; 0: none
} ElfSection;

enum { BIND_LOCAL, BIND_GLOBAL, BIND_WEAK };
enum {
    SYMBOL_NONE,
    SYMBOL_OBJECT,
    SYMBOL_FUNC,
    SYMBOL_SECTION,
    SYMBOL_FILE,
    SYMBOL_COMMON,
    SYMBOL_TLS,
    SYMBOL_INDIRECT = 10
};
enum { SECTION_UNDEFINED = 0, SECTION_ABSOLUTE = 0xfff1, SECTION_COMMON = 0xfff2 };

typedef struct {
    const char *name;
    uint8_t bind, type, visibility;
    uint32_t section; // index in Elf.sections, or one of the above
    uint64_t value, size;
    bool again; // another symbol has this name, too
} ElfSymbol;

// Relocations are read of relocatable objects only.
enum { ELF_RELOCATABLE = 1, ELF_PROGRAM, ELF_SHARED };

typedef struct {
    Arena *arena;
    uint32_t type;                    // one of these
    const struct TargetModel *target; // the machine of the object
    bool gnu;                         // linkers heed what GNU has added
    const uint8_t *bytes;
    uint64_t length;
    uint64_t name_bytes; // of all names so far
    ElfSection *sections;
    uint32_t section_count;
    ElfSymbol *symbols;
    uint32_t symbol_count;
    Table names; // symbols by name, but for those of sections and files
} Elf;

// Reads the tables. False if the file is no object of this machine, or a broken one; *reason says
// why.
bool elf_open(Elf *elf, Arena *arena, const void *bytes, size_t length, const char **reason);
// The mistake in the relocations of loaded sections, or NULL. Each relocation must be of a known
// kind, and change bytes of its section that are zero and that no other relocation changes. All
// that is said of relocations here takes that for granted.
const char *elf_check_relocs(const Elf *elf);
// The symbol of a name; NO_SYMBOL if there is none, or more than one.
#define NO_SYMBOL UINT32_MAX
uint32_t elf_find(const Elf *elf, const char *name);
// The number of the first relocation that changes something behind an offset.
uint32_t elf_first_reloc(const ElfSection *section, uint64_t at);
// Whether symbol, section and range exist.
bool elf_has_range(const Elf *elf, uint32_t section, uint64_t at, uint64_t size);
// Whether a place in a section is aligned wherever the section may lie.
bool elf_is_aligned(const ElfSection *section, uint64_t at, uint64_t align);
// Whether relocations change some of these bytes.
bool elf_has_relocs(const ElfSection *section, uint64_t at, uint64_t size);
// Accounts for a range of which this alignment is asked, 0 if none is; `named`: the source names
// the section for it.
void elf_account(Elf *elf, uint32_t section, uint64_t align, bool named, ElfRange range);
