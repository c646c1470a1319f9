#include "test/gen/hostile_object.h"

#include <elf.h>
#include <string.h>

const HostileObject hostile_objects[] = {
    {"names of locals", true},
    {"constructors", true},
    {"constructors back", false},
    {"zeros", true},
};
const uint32_t hostile_object_count = sizeof hostile_objects / sizeof *hostile_objects;

enum { TEXT = 1, TABLE, BSS, RELOCS, STACK, SYMBOLS, NAMES, SECTIONS };

typedef struct {
    Elf64_Shdr headers[SECTIONS];
    Out parts[SECTIONS];
} Parts;

static uint32_t add_name(Parts *parts, const char *name) {
    Out *names = &parts->parts[NAMES];
    uint32_t at = (uint32_t)names->length;
    out_bytes(names, name, strlen(name) + 1);
    return at;
}

static void add_symbol(Parts *parts, const char *name, uint8_t info, uint16_t section,
                       uint64_t value, uint64_t size) {
    Elf64_Sym symbol = {.st_name = name ? add_name(parts, name) : 1, // the first one's
                        .st_info = info,
                        .st_shndx = section,
                        .st_value = value,
                        .st_size = size};
    out_bytes(&parts->parts[SYMBOLS], &symbol, sizeof symbol);
}

static void add_functions(Parts *parts, Program *program, uint32_t n, bool back) {
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%u", i);
        add_symbol(parts, name, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), TEXT, i, 0);
        out_char(&parts->parts[TEXT], '\x90');
        Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
        Symbol *info = program_at(program, symbol);
        info->linkage = LINK_STATIC;
        info->defined = true;
        info->constructor = UINT16_MAX;
        Elf64_Rela reloc = {.r_offset = 8 * (uint64_t)i,
                            .r_info = ELF64_R_INFO((uint64_t)(back ? n - i : i + 1), R_X86_64_64)};
        out_bytes(&parts->parts[RELOCS], &reloc, sizeof reloc);
        out_bytes(&parts->parts[TABLE], "\0\0\0\0\0\0\0", 8);
    }
    parts->headers[SYMBOLS].sh_info = n + 1;
    parts->headers[TABLE].sh_addralign = 8;
}

static void add_zeros(Parts *parts, Program *program, uint32_t n) {
    add_symbol(parts, "zeros", ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), BSS, 0, (uint64_t)n << 20);
    Symbol *info =
        program_at(program, program_symbol(program, str_of(&program->strings, "zeros"), SYM_DATA));
    info->defined = true;
    info->size = parts->headers[BSS].sh_size = (uint64_t)n << 20;
}

static void write_parts(Out *object, Parts *parts) {
    static const char *const names[SECTIONS] = {
        "",        ".text",  ".init_array", ".bss", ".rela.init_array", ".note.GNU-stack",
        ".symtab", ".strtab"};
    Elf64_Ehdr header = {.e_ident = ELFMAG "\2\1\1",
                         .e_type = ET_REL,
                         .e_machine = EM_X86_64,
                         .e_version = 1,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = NAMES};
    for (uint32_t s = 1; s < SECTIONS; s++) parts->headers[s].sh_name = add_name(parts, names[s]);
    header.e_shoff = sizeof header;
    for (uint32_t s = 1; s < SECTIONS; s++) {
        if (s != BSS) parts->headers[s].sh_size = parts->parts[s].length;
        parts->headers[s].sh_offset = header.e_shoff;
        header.e_shoff += parts->parts[s].length;
    }
    out_bytes(object, &header, sizeof header);
    for (uint32_t s = 1; s < SECTIONS; s++) {
        out_bytes(object, parts->parts[s].text, parts->parts[s].length);
        out_free(&parts->parts[s]);
    }
    out_bytes(object, parts->headers, sizeof parts->headers);
}

void hostile_object(Out *object, Program *program, const HostileObject *shape, uint32_t n) {
    Parts parts = {
        .headers = {[TEXT] = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR},
                    [TABLE] = {.sh_type = SHT_INIT_ARRAY,
                               .sh_flags = SHF_ALLOC | SHF_WRITE,
                               .sh_entsize = 8},
                    [BSS] = {.sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_WRITE},
                    [RELOCS] = {.sh_type = SHT_RELA,
                                .sh_flags = SHF_INFO_LINK,
                                .sh_link = SYMBOLS,
                                .sh_info = TABLE,
                                .sh_entsize = sizeof(Elf64_Rela)},
                    [STACK] = {.sh_type = SHT_PROGBITS},
                    [SYMBOLS] = {.sh_type = SHT_SYMTAB,
                                 .sh_link = NAMES,
                                 .sh_info = 1,
                                 .sh_entsize = sizeof(Elf64_Sym)},
                    [NAMES] = {.sh_type = SHT_STRTAB}}};
    out_char(&parts.parts[NAMES], '\0');
    out_bytes(&parts.parts[SYMBOLS], &(Elf64_Sym){0}, sizeof(Elf64_Sym));
    if (strncmp(shape->name, "constructors", 12) == 0) {
        add_functions(&parts, program, n, !shape->good);
    } else if (strcmp(shape->name, "zeros") == 0) {
        add_zeros(&parts, program, n);
    } else {
        for (uint32_t i = 0; i < n; i++)
            add_symbol(&parts, i ? NULL : "name", ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE), TEXT, 0, 0);
        parts.headers[SYMBOLS].sh_info = n + 1;
    }
    write_parts(object, &parts);
}
