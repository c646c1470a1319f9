// flip SEED COUNT CERTIFICATE OBJECT: changes single bits of an object and asks gatecheck about each (tools/object-check).
//
// Bits are those of code, of the relocations of code, and of jump tables, which are relocations, too. A changed bit of code
// must be found if the instruction in which it lies is another one then, is longer or shorter, or none of ours; a bit that a
// relocation covers means nothing, as the linker writes over it; a bit of a relocation must always be found. Certificate and
// object are tied anew each time, as who changes an object on purpose would do, so that no digest tells. Prints a
// line for each that gatecheck did not find, and a summary: "flips: T tried, C change code, R change relocations, K keep it,
// U are covered by relocations; F found, M missed, S strange; X of the covered found". Fails if one was missed, or if gatecheck ended otherwise than by an answer.
#include "cert/note.h"
#include "driver/certificate_file.h"
#include "object/insn_print.h"

#include "test/gen/random.h"

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef enum { FLIP_CODE, FLIP_RELOCATION, FLIP_KEPT, FLIP_COVERED, FLIP_KINDS } FlipKind;

typedef struct {
    uint64_t at; // in the file
    uint32_t size;
    uint32_t section;
} Region;

typedef struct {
    uint8_t *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    uint32_t section_count;
    const char *names;
    uint8_t *covered; // per byte of the file: a relocation writes it
    uint32_t *start;  // per byte of the file: where its instruction starts, 0 if there is none
    Region *code, *relocations, *tables;
    uint32_t code_count, relocation_count, table_count;
} Target;

static void die(const char *what) {
    fprintf(stderr, "flip: %s\n", what);
    exit(2);
}

static void *need(void *memory) {
    if (!memory) die("out of memory");
    return memory;
}

// ---- The object

static void read_object(Target *t, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die("cannot read the object");
    fseek(file, 0, SEEK_END);
    t->size = (size_t)ftell(file);
    rewind(file);
    t->bytes = need(malloc(t->size));
    if (fread(t->bytes, 1, t->size, file) != t->size) die("cannot read the object");
    fclose(file);
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)t->bytes;
    t->sections = (const Elf64_Shdr *)(const void *)(t->bytes + header->e_shoff);
    t->section_count = header->e_shnum ? header->e_shnum : (uint32_t)t->sections[0].sh_size;
    uint32_t names = header->e_shstrndx == SHN_XINDEX ? t->sections[0].sh_link : header->e_shstrndx;
    t->names = (const char *)t->bytes + t->sections[names].sh_offset;
    t->covered = need(calloc(t->size, 1));
    t->start = need(calloc(t->size, sizeof *t->start));
}

static bool is_code(const Elf64_Shdr *section) {
    return section->sh_type == SHT_PROGBITS && section->sh_flags & SHF_EXECINSTR;
}

static void find_instructions(Target *t, const Elf64_Shdr *section) {
    for (uint64_t at = 0; at < section->sh_size;) {
        Insn insn;
        uint64_t here = section->sh_offset + at;
        if (!insn_decode(t->bytes + here, section->sh_size - at, &insn)) die("not our code");
        for (uint32_t i = 0; i < insn.length; i++) t->start[here + i] = (uint32_t)here;
        at += insn.length;
    }
}

static uint32_t relocated_size(uint64_t type) {
    return type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
}

// Of data only those count that are relative: the entries of jump tables.
static void find_relocations(Target *t, const Elf64_Shdr *section, uint32_t number) {
    const Elf64_Shdr *of = &t->sections[section->sh_info];
    for (uint64_t at = 0; at < section->sh_size; at += sizeof(Elf64_Rela)) {
        const Elf64_Rela *rela =
            (const Elf64_Rela *)(const void *)(t->bytes + section->sh_offset + at);
        uint64_t type = ELF64_R_TYPE(rela->r_info);
        Region region = {section->sh_offset + at, sizeof *rela, number};
        if (is_code(of)) {
            t->relocations[t->relocation_count++] = region;
            memset(t->covered + of->sh_offset + rela->r_offset, 1, relocated_size(type));
        } else if (type == R_X86_64_PC32 && !(of->sh_flags & SHF_WRITE)) {
            t->tables[t->table_count++] = region;
        }
    }
}

static bool is_table_section(const Target *t, const Elf64_Shdr *section) {
    const char *name = t->names + t->sections[section->sh_info].sh_name;
    return section->sh_type == SHT_RELA && strcmp(name, ".eh_frame") != 0 &&
           (is_code(&t->sections[section->sh_info]) || strncmp(name, ".rodata", 7) == 0);
}

static void find_regions(Target *t) {
    t->code = need(calloc(t->section_count, sizeof *t->code));
    t->relocations = need(calloc(t->size / sizeof(Elf64_Rela) + 1, sizeof(Region)));
    t->tables = need(calloc(t->size / sizeof(Elf64_Rela) + 1, sizeof(Region)));
    for (uint32_t i = 0; i < t->section_count; i++) {
        const Elf64_Shdr *section = &t->sections[i];
        if (is_code(section) && section->sh_size) {
            t->code[t->code_count++] = (Region){section->sh_offset, (uint32_t)section->sh_size, i};
            find_instructions(t, section);
        }
        if (is_table_section(t, section)) find_relocations(t, section, i);
    }
}

// ---- Bits

static Region pick(Random *random, const Region *regions, uint32_t count) {
    uint64_t all = 0, at;
    uint32_t i = 0;
    for (i = 0; i < count; i++) all += regions[i].size;
    at = random_next(random) % all;
    for (i = 0; at >= regions[i].size; i++) at -= regions[i].size;
    return (Region){regions[i].at + at, 1, regions[i].section};
}

static FlipKind kind_of_code(Target *t, uint64_t byte, uint8_t bit) {
    uint64_t start = t->start[byte];
    Insn before, after;
    if (t->covered[byte]) return FLIP_COVERED;
    insn_decode(t->bytes + start, t->size - start, &before);
    t->bytes[byte] ^= bit;
    bool known = insn_decode(t->bytes + start, t->size - start, &after);
    t->bytes[byte] ^= bit;
    bool same = known && insn_same(&before, &after) && before.length == after.length;
    return same ? FLIP_KEPT : FLIP_CODE;
}

static void write_object(const Target *t, const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(t->bytes, 1, t->size, file) != t->size || fclose(file))
        die("cannot write an object");
}

// A certificate without its last lines, and the same for another object.
static Out unended(Arena *arena, const char *path) {
    char *text;
    size_t length, first = strlen(CERTIFICATE_FIRST_LINE), end;
    CertificateClaim claim;
    Out out = {0};
    if (!read_file(arena, path, &text, &length) ||
        certificate_end(text, length, first, &end, &claim.digests[DIGEST_CERTIFICATE]) !=
            CERTIFICATE_WHOLE ||
        certificate_claim(text, &first, &end, &claim))
        die("no certificate");
    out_bytes(&out, text, end);
    return out;
}

static void tie(const Out *certificate, const char *path, const char *object) {
    Arena *arena = arena_new("tie");
    Out copy = {0};
    out_bytes(&copy, certificate->text, certificate->length);
    if (!certificate_write(arena, &copy, path, object)) die("cannot tie");
    arena_free(arena);
}

// gatecheck's exit status, or 128 and more if it did not end by itself.
static int ask(const char *certificate, const char *object) {
    char *arguments[] = {(char *)"gatecheck", (char *)certificate, (char *)"--object",
                         (char *)object, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) != 0)
        die("cannot run gatecheck");
    posix_spawn_file_actions_destroy(&actions);
    if (waitpid(child, &status, 0) < 0) die("cannot wait");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void show(const Target *t, const Region *at, uint8_t bit, const char *what) {
    const Elf64_Shdr *section = &t->sections[at->section];
    printf("%s: %s+0x%llx bit 0x%02x", what, t->names + section->sh_name,
           (unsigned long long)(at->at - section->sh_offset), bit);
    uint64_t start = t->start[at->at];
    Insn insn;
    if (start && insn_decode(t->bytes + start, t->size - start, &insn)) {
        Out out = {0};
        insn_print(&out, &insn, start - section->sh_offset);
        printf(": now %.*s", (int)out.length, out.text);
        out_free(&out);
    }
    printf("\n");
}

typedef struct {
    const char *certificate, *object; // where the changed ones are
    Out base;
    uint32_t kinds[FLIP_KINDS], found, missed, strange, covered_found;
} Trial;

static void try_bit(Target *t, Trial *trial, const Region *at, uint8_t bit, FlipKind kind) {
    trial->kinds[kind]++;
    if (kind == FLIP_KEPT) return;
    t->bytes[at->at] ^= bit;
    write_object(t, trial->object);
    tie(&trial->base, trial->certificate, trial->object);
    int status = ask(trial->certificate, trial->object);
    bool found = status == 1 || status == 2;
    if (kind == FLIP_COVERED) {
        trial->covered_found += found;
    } else {
        trial->found += found;
        trial->missed += status == 0;
        if (status == 0) show(t, at, bit, "missed");
    }
    trial->strange += status > 2;
    if (status > 2) show(t, at, bit, "strange");
    t->bytes[at->at] ^= bit;
}

static void try_bits(Target *t, Trial *trial, uint64_t seed, uint32_t count) {
    Random random = random_from(seed);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t which = random_below(&random, 8);
        bool table = which == 0 && t->table_count, link = which == 1 && t->relocation_count;
        Region at = table  ? pick(&random, t->tables, t->table_count)
                    : link ? pick(&random, t->relocations, t->relocation_count)
                           : pick(&random, t->code, t->code_count);
        uint8_t bit = (uint8_t)(1u << random_below(&random, 8));
        try_bit(t, trial, &at, bit, table || link ? FLIP_RELOCATION : kind_of_code(t, at.at, bit));
    }
}

int main(int argc, char **argv) {
    if (argc != 5) die("SEED COUNT CERTIFICATE OBJECT");
    Target target = {0};
    Arena *arena = arena_new("flip");
    Trial trial = {.certificate = arena_printf(arena, "%s.flipped", argv[3]),
                   .object = arena_printf(arena, "%s.flipped", argv[4]),
                   .base = unended(arena, argv[3])};
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    read_object(&target, argv[4]);
    find_regions(&target);
    if (!target.code_count) die("no code");
    write_object(&target, trial.object);
    tie(&trial.base, trial.certificate, trial.object);
    if (ask(trial.certificate, trial.object) != 0) die("gatecheck refuses the object as it is");
    try_bits(&target, &trial, strtoull(argv[1], NULL, 10), count);
    printf("flips: %u tried, %u change code, %u change relocations, %u keep it, %u are covered by "
           "relocations; %u found, %u missed, %u strange; %u of the covered found\n",
           count, trial.kinds[FLIP_CODE], trial.kinds[FLIP_RELOCATION], trial.kinds[FLIP_KEPT],
           trial.kinds[FLIP_COVERED], trial.found, trial.missed, trial.strange,
           trial.covered_found);
    unlink(trial.certificate);
    unlink(trial.object);
    return trial.missed || trial.strange;
}
