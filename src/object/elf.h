// Reading an object of x86-64: sections, symbols, relocations.
//
// The file may be anything: every offset and size is compared with the file before it is used, and what does not fit is
// refused with a reason. Names end within their tables. Nothing is copied but small records; bytes stay where they are.
#pragma once

#include "base/bits.h"
#include "base/hash.h"
#include "base/vec.h"

// What relocations do to the field at P, with S the symbol's address, A the addend, GOT(S) that of the entry of the
// table of addresses that holds S: the numbers are those of the ABI.
typedef enum {
    RELOC_64 = 1,         // S + A
    RELOC_PC32 = 2,       // S + A - P
    RELOC_PLT32 = 4,      // the same, or that of a stub that jumps to S
    RELOC_GOTPCREL = 9,   // GOT(S) + A - P
    RELOC_32 = 10,        // S + A, zeros above
    RELOC_32S = 11,       // S + A, the sign above
    RELOC_GOTTPOFF = 22,  // the same of the entry that holds S's distance from the thread's pointer
    RELOC_PC64 = 24,      // S + A - P
    RELOC_GOTPCRELX = 41, // GOTPCREL, in an instruction that the linker may change
    RELOC_REX_GOTPCRELX = 42, // the same
} RelocType;

typedef struct {
    uint64_t at;     // offset in its section
    uint32_t type;   // RelocType, or another
    uint32_t symbol; // index in Elf.symbols
    int64_t addend;
} ElfReloc;

enum {
    SECTION_PROGBITS = 1,
    SECTION_NOTE = 7,
    SECTION_NOBITS = 8,
    SECTION_INIT = 14,
    SECTION_FINI = 15,
    SECTION_GROUP = 17,
    SECTION_UNWIND = 0x70000001
};
enum {
    SECTION_WRITE = 1,
    SECTION_ALLOC = 2,
    SECTION_EXEC = 4,
    SECTION_MERGE = 16, // equal entries, or with STRINGS equal texts, may become one
    SECTION_STRINGS = 32,
    SECTION_THREAD = 1024
};

// A run of bytes that is accounted for.
typedef struct {
    uint64_t start, end;
    bool alone; // nothing else lies there
} ElfRange;

typedef struct {
    const char *name;
    uint32_t type;
    uint64_t flags, size, align;
    uint64_t entry;       // the size of an entry of a MERGE section
    const uint8_t *bytes; // NULL if it has none: zeros, or nothing
    VEC(ElfReloc) relocs; // ascending
    VEC(ElfRange) ranges; // what is accounted for, in any order
} ElfSection;

enum { BIND_LOCAL, BIND_GLOBAL, BIND_WEAK };
enum {
    SYMBOL_NONE,
    SYMBOL_OBJECT,
    SYMBOL_FUNC,
    SYMBOL_SECTION,
    SYMBOL_FILE,
    SYMBOL_COMMON,
    SYMBOL_TLS
};
enum { SECTION_UNDEFINED = 0, SECTION_ABSOLUTE = 0xfff1, SECTION_COMMON = 0xfff2 };

typedef struct {
    const char *name;
    uint8_t bind, type, visibility;
    uint32_t section; // index in Elf.sections, or one of the above
    uint64_t value, size;
} ElfSymbol;

// Relocations are read of relocatable objects only.
enum { ELF_RELOCATABLE = 1, ELF_PROGRAM, ELF_SHARED };

typedef struct {
    Arena *arena;
    uint32_t type; // one of these
    const uint8_t *bytes;
    uint64_t length;
    uint64_t name_bytes; // of all names so far
    ElfSection *sections;
    uint32_t section_count;
    ElfSymbol *symbols;
    uint32_t symbol_count;
    Table names; // symbols by name, but for those of sections and files
} Elf;

// Reads the tables. False if it is no object of this machine, or a broken one; *reason says why.
bool elf_open(Elf *elf, Arena *arena, const void *bytes, size_t length, const char **reason);
// The symbol of a name; NO_SYMBOL if there is none, or more than one.
#define NO_SYMBOL UINT32_MAX
uint32_t elf_find(const Elf *elf, const char *name);
// The number of the first relocation at an offset or after it.
uint32_t elf_first_reloc(const ElfSection *section, uint64_t at);
// Whether symbol, section and range exist.
bool elf_has_range(const Elf *elf, uint32_t section, uint64_t at, uint64_t size);
void elf_account(Elf *elf, uint32_t section, uint64_t at, uint64_t size, bool alone);
// Whether a section has that name, or one that goes on with a dot: what linkers do with a section depends on its name.
bool elf_is_named(const ElfSection *section, const char *base);
