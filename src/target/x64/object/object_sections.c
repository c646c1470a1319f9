// Checks the headers of sections, by which linkers go.
//
// A section is of one of the kinds of sections.def, to the last bit of its name, type and flags, or
// its name is in the source. A section of the source holds data or code, and its header has nothing
// that a linker would take for something else. Only assembler text of the source may bring others.
#include "elf/note.h"
#include "target/x64/object/walk.h"

#include <string.h>

typedef enum { NAMING_ONE, NAMING_OWN, NAMING_MANY } SectionNaming;

typedef struct {
    SectionKind kind;
    const char *name;
    SectionNaming naming;
    uint32_t type;
    const char *flags, *more;
    uint64_t entry;
} SectionRow;

static const SectionRow rows[] = {
#define SECTION(kind, name, naming, type, flags, more, entry)                                      \
    {KIND_##kind, name, NAMING_##naming, SECTION_##type, flags, more, entry},
#include "target/x64/object/sections.def"
};

static uint64_t flags_of(const char *letters) {
    static const uint32_t flags[] = {
        ['a'] = SECTION_ALLOC,   ['w'] = SECTION_WRITE,     ['x'] = SECTION_EXEC,
        ['M'] = SECTION_MERGE,   ['S'] = SECTION_STRINGS,   ['T'] = SECTION_THREAD,
        ['I'] = SECTION_ABOUT,   ['R'] = SECTION_RETAINED,  ['G'] = SECTION_GROUPED,
        ['o'] = SECTION_ORDERED, ['C'] = SECTION_COMPRESSED};
    uint64_t set = 0;
    for (; *letters; letters++) set |= flags[(unsigned char)*letters];
    return set;
}

static bool row_has_name(const SectionRow *row, const char *name) {
    size_t length = strlen(row->name);
    if (strncmp(name, row->name, length) != 0) return false;
    return !name[length] || row->naming == NAMING_MANY ||
           (row->naming == NAMING_OWN && name[length] == '.');
}

static void find_kind(ElfSection *section) {
    const SectionRow *row = rows, *end = rows + sizeof rows / sizeof *rows;
    while (row < end && !row_has_name(row, section->name)) row++;
    if (row == end || section->type != row->type || section->address) return;
    uint64_t flags = flags_of(row->flags), more = flags_of(row->more);
    bool tables = row->type == SECTION_SYMBOLS || row->type == SECTION_RELOCS ||
                  row->type == SECTION_GROUP || section->flags & SECTION_ORDERED;
    if ((section->flags & ~more) != (flags & ~more) || section->entry != row->entry) return;
    if (!tables && (section->link || section->info)) return;
    section->kind = row->kind;
    section->base = row->name;
}

// Relocations have the name of the section that they are of.
static bool check_relocs(ObjectFile *object, const ElfSection *section) {
    return section->type != SECTION_RELOCS ||
           strcmp(section->name + strlen(".rela"), object->elf.sections[section->info].name) == 0 ||
           object_fails(object, "relocations have another name than what they are of");
}

void object_find_kinds(ObjectFile *object) {
    for (uint32_t s = 1; s < object->elf.section_count; s++) find_kind(&object->elf.sections[s]);
}

// ---- Groups

// Sections of a group may be left out by the linker for those of another object whose group has the
// same name: only thunks are so, each the only one in a group of its own name.
static bool check_group(ObjectFile *object, const ElfSection *group) {
    Elf *elf = &object->elf;
    enum { LEAVE_OUT = 1, ONE_MEMBER = 8 };
    const uint8_t *bytes = group->bytes;
    uint32_t member = group->size == ONE_MEMBER ? bytes[4] | (uint32_t)bytes[5] << 8 : 0;
    bool good = member && member < elf->section_count && !bytes[6] && !bytes[7] &&
                bytes[0] == LEAVE_OUT && !bytes[1] && !bytes[2] && !bytes[3] &&
                elf->sections[group->link % elf->section_count].type == SECTION_SYMBOLS &&
                group->info < elf->symbol_count && object_is_thunk(object, group->info) &&
                elf->symbols[group->info].section == member && !elf->sections[member].group;
    if (good) elf->sections[member].group = group->info;
    return good ||
           object_fails(object, "the linker may leave out a section for that of another object");
}

bool object_groups(ObjectFile *object) {
    for (uint32_t s = 1; s < object->elf.section_count; s++)
        if (object->elf.sections[s].type == SECTION_GROUP &&
            !check_group(object, &object->elf.sections[s]))
            return false;
    return true;
}

// ---- Notes

// Linkers read notes, whatever their sections are called. gatecc writes two: the digests of the
// certificate, and which protections the code is made for.
static bool is_note(const ElfSection *section) {
    enum { HEAD = 12, PROPERTY = 32, FEATURES = 24 };
    static const uint8_t gatecc[HEAD + 8] = {sizeof NOTE_NAME,
                                             0,
                                             0,
                                             0,
                                             NOTE_BYTES,
                                             0,
                                             0,
                                             0,
                                             NOTE_TYPE_CERTIFICATE,
                                             0,
                                             0,
                                             0,
                                             'g',
                                             'a',
                                             't',
                                             'e',
                                             'c',
                                             'c'};
    uint8_t property[PROPERTY] = {4,   0,   0,   0, 16, 0, 0, 0,    5, 0, 0, 0,
                                  'G', 'N', 'U', 0, 2,  0, 0, 0xc0, 4, 0, 0, 0};
    if (section->size == sizeof gatecc + NOTE_BYTES)
        return memcmp(section->bytes, gatecc, sizeof gatecc) == 0;
    if (section->size != PROPERTY) return false;
    property[FEATURES] = section->bytes[FEATURES] & 3;
    return memcmp(section->bytes, property, PROPERTY) == 0;
}

// ---- All of them

// A section that the source names.
static bool is_plain(const ElfSection *section) {
    uint64_t known =
        SECTION_WRITE | SECTION_ALLOC | SECTION_EXEC | SECTION_THREAD | SECTION_RETAINED;
    bool code = section->flags & SECTION_EXEC,
         other = section->flags & (SECTION_WRITE | SECTION_THREAD);
    bool kind = strncmp(section->name, ".note", 5) == 0
                    ? section->type == SECTION_NOTE
                    : section->type == SECTION_PROGBITS || section->type == SECTION_NOBITS;
    return kind && !(section->flags & ~known) && !(code && other) && !section->link &&
           !section->info && !section->address && !section->entry;
}

// Sections of assembler text: code of another compiler, or relocations of another kind, are none.
static bool is_taken_instead(const ElfSection *section) {
    static const uint8_t types[] = {SECTION_PROGBITS, SECTION_NOTE, SECTION_NOBITS, SECTION_INIT,
                                    SECTION_FINI};
    return section->type >= UINT8_MAX || !memchr(types, (int)section->type, sizeof types) ||
           strncmp(section->name, ".gnu.", 5) == 0 || strncmp(section->name, ".llvm.", 6) == 0;
}

static bool check_section(ObjectFile *object, const ElfSection *section) {
    bool text = object_has_text(object), named = section->named;
    const char *problem = NULL;
    // Be it empty: linkers have names for where it starts and stops.
    if (section->kind == KIND_OTHER && !named && (!text || is_taken_instead(section)))
        problem = ": linkers may take it instead of the code";
    else if (section->kind == KIND_OTHER && !is_plain(section) && named)
        problem = " is of another kind than it should be";
    else if (section->flags & SECTION_GROUPED && !section->group)
        problem = " is in no group";
    else if (section->flags & SECTION_RETAINED && !object->elf.gnu)
        problem = " is retained, but the file does not say that this means something";
    else if (section->kind == KIND_NOTE && !is_note(section))
        problem = ": it is no note of gatecc's";
    return !problem || object_fails(object, arena_printf(object->arena, "section '%s'%s",
                                                         section->name, problem));
}

bool object_sections(ObjectFile *object) {
    bool stack = false;
    for (uint32_t s = 1; s < object->elf.section_count; s++) {
        const ElfSection *section = &object->elf.sections[s];
        stack |= section->kind == KIND_STACK;
        if (!check_section(object, section) || !check_relocs(object, section)) return false;
    }
    return stack || object_fails(object, "it lets the linker make the stack executable");
}
