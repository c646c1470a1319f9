// flip SEED COUNT ASKED CERTIFICATE OBJECT: changes single bits of an object and sees that the comparison with its certificate
// finds each (tools/object-check).
//
// Bits are those of code, of data, and of the relocations of both, which jump tables consist of. A changed bit of code
// must be found if the instruction in which it lies is another one then, is longer or shorter, or none of ours; a bit that a
// relocation covers means nothing, as the linker writes over it; a bit of a relocation must be found unless it means the same.
//
// The certificate is replayed once, and each of its functions is compared with all the changed objects. The first ASKED of
// them are also given to gatecheck itself, with certificate and object tied anew, as who changes an object on purpose would
// do, so that no digest tells: it must answer the same.
//
// Prints a line for each that was not found, and a summary: "flips: T tried, C change code, R change relocations, D change data, K keep
// it, U are covered by relocations; F found, M missed, A asked, S strange; X of the covered found". Strange is what gatecheck
// answers otherwise, or not at all. Fails if one was missed or is strange.
#include "check/replay/replay.h"
#include "elf/note.h"
#include "elf/object_file.h"
#include "gatecc/certificate_file.h"
#include "target/x64/object/insn_print.h"

#include "test/gen/random.h"

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef enum {
    FLIP_CODE,
    FLIP_RELOCATION,
    FLIP_DATA,
    FLIP_KEPT,
    FLIP_COVERED,
    FLIP_KINDS
} FlipKind;

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
    const Elf64_Sym *symbols;
    uint32_t symbol_count;
    uint64_t note;    // where its contents are
    uint8_t *covered; // per byte of the file: a relocation writes it
    uint32_t *start;  // per byte of the file: where its instruction starts, 0 if there is none
    Region *code, *relocations, *tables, *data;
    uint32_t code_count, relocation_count, table_count, data_count;
} Target;

static _Noreturn void die(const char *what) {
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

// What is read when the program runs, but for tables that gatecheck says it does not look at.
static bool is_data(const Target *t, const Elf64_Shdr *section) {
    static const char *const believed[] = {".eh_frame", "__patchable_function_entries",
                                           "__mcount_loc"};
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(t->names + section->sh_name, believed[i]) == 0) return false;
    return section->sh_type == SHT_PROGBITS && section->sh_flags & SHF_ALLOC && !is_code(section) &&
           section->sh_size;
}

static void find_relocations(Target *t, const Elf64_Shdr *section, uint32_t number) {
    const Elf64_Shdr *of = &t->sections[section->sh_info];
    for (uint64_t at = 0; at < section->sh_size; at += sizeof(Elf64_Rela)) {
        const Elf64_Rela *rela =
            (const Elf64_Rela *)(const void *)(t->bytes + section->sh_offset + at);
        uint64_t type = ELF64_R_TYPE(rela->r_info);
        Region region = {section->sh_offset + at, sizeof *rela, number};
        memset(t->covered + of->sh_offset + rela->r_offset, 1, relocated_size(type));
        if (is_code(of))
            t->relocations[t->relocation_count++] = region;
        else if (is_data(t, of))
            t->tables[t->table_count++] = region;
    }
}

static void find_regions(Target *t) {
    t->code = need(calloc(t->section_count, sizeof *t->code));
    t->data = need(calloc(t->section_count, sizeof *t->data));
    t->relocations = need(calloc(t->size / sizeof(Elf64_Rela) + 1, sizeof(Region)));
    t->tables = need(calloc(t->size / sizeof(Elf64_Rela) + 1, sizeof(Region)));
    for (uint32_t i = 0; i < t->section_count; i++) {
        const Elf64_Shdr *section = &t->sections[i];
        if (is_code(section) && section->sh_size) {
            t->code[t->code_count++] = (Region){section->sh_offset, (uint32_t)section->sh_size, i};
            find_instructions(t, section);
        }
        if (is_data(t, section))
            t->data[t->data_count++] = (Region){section->sh_offset, (uint32_t)section->sh_size, i};
        if (section->sh_type == SHT_SYMTAB) {
            t->symbols = (const Elf64_Sym *)(const void *)(t->bytes + section->sh_offset);
            t->symbol_count = (uint32_t)(section->sh_size / sizeof(Elf64_Sym));
        }
        if (section->sh_type == SHT_RELA &&
            (is_code(&t->sections[section->sh_info]) || is_data(t, &t->sections[section->sh_info])))
            find_relocations(t, section, i);
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

typedef struct {
    uint64_t at, type, section, symbol, offset;
} Meaning;

// What a relocation asks for. Local symbols are but places in sections, and linkers need not know that they may do without an
// entry of the table.
static Meaning meaning_of(const Target *t, const Elf64_Rela *rela) {
    Meaning meaning = {.at = rela->r_offset,
                       .type = ELF64_R_TYPE(rela->r_info),
                       .symbol = ELF64_R_SYM(rela->r_info),
                       .offset = (uint64_t)rela->r_addend};
    if (meaning.type == R_X86_64_GOTPCRELX || meaning.type == R_X86_64_REX_GOTPCRELX)
        meaning.type = R_X86_64_GOTPCREL;
    const Elf64_Sym *symbol = &t->symbols[meaning.symbol < t->symbol_count ? meaning.symbol : 0];
    if (ELF64_ST_BIND(symbol->st_info) != STB_LOCAL) return meaning;
    meaning.section = symbol->st_shndx;
    meaning.symbol = meaning.symbol < t->symbol_count ? 0 : meaning.symbol;
    meaning.offset += symbol->st_value;
    return meaning;
}

static const Elf64_Rela *relocation_around(const Target *t, const Region *at) {
    uint64_t start = t->sections[at->section].sh_offset;
    start += (at->at - start) / sizeof(Elf64_Rela) * sizeof(Elf64_Rela);
    return (const Elf64_Rela *)(const void *)(t->bytes + start);
}

static FlipKind kind_of_relocation(Target *t, const Region *at, uint8_t bit) {
    Meaning before = meaning_of(t, relocation_around(t, at));
    t->bytes[at->at] ^= bit;
    Meaning after = meaning_of(t, relocation_around(t, at));
    t->bytes[at->at] ^= bit;
    return memcmp(&before, &after, sizeof before) == 0 ? FLIP_KEPT : FLIP_RELOCATION;
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

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) die("cannot write a file");
}

// Writes the object as it is now and a certificate that belongs to it, by all digests. False if it is no object any more, so
// that there is nothing to ask.
static bool write_tied(const Target *t, const Out *certificate, const char *path,
                       const char *object) {
    Arena *arena = arena_new("tie");
    ObjectNotes notes;
    Out copy = {0};
    bool whole = notes_find(arena, (const char *)t->bytes, t->size, &notes) && notes.at.count == 1;
    if (whole) {
        write_file(object, t->bytes, t->size);
        out_bytes(&copy, certificate->text, certificate->length);
        if (!certificate_write(arena, &copy, path, object)) die("cannot tie");
    }
    arena_free(arena);
    return whole;
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

// ---- Changed objects

typedef struct {
    Region at;
    uint8_t bit;
    FlipKind kind;
    ObjectFile object;
    bool good; // nothing is wrong so far
} Flip;

typedef struct {
    Flip *flips;
    uint32_t count;
} Batch;

static Flip choose(Target *t, Random *random) {
    uint32_t which = random_below(random, 8);
    bool table = which == 0 && t->table_count, link = which == 1 && t->relocation_count;
    bool data = which == 2 && t->data_count;
    Region at = table  ? pick(random, t->tables, t->table_count)
                : link ? pick(random, t->relocations, t->relocation_count)
                : data ? pick(random, t->data, t->data_count)
                       : pick(random, t->code, t->code_count);
    uint8_t bit = (uint8_t)(1u << random_below(random, 8));
    FlipKind kind = FLIP_DATA;
    if (table || link)
        kind = kind_of_relocation(t, &at, bit);
    else if (!data)
        kind = kind_of_code(t, at.at, bit);
    else if (t->covered[at.at])
        kind = FLIP_COVERED;
    return (Flip){.at = at, .bit = bit, .kind = kind};
}

static void open_changed(Arena *arena, const Target *t, Flip *flip) {
    uint8_t *copy = ARENA_ARRAY(arena, uint8_t, t->size);
    memcpy(copy, t->bytes, t->size);
    if (flip->bit) copy[flip->at.at] ^= flip->bit;
    flip->good = object_open(&flip->object, arena, copy, t->size);
}

static void compare_function(void *context, const Func *first, const Func *last) {
    Batch *batch = context;
    (void)first;
    if (last->form != FORM_MACH || !last->mach->allocated) return;
    for (uint32_t i = 0; i < batch->count; i++) {
        Flip *flip = &batch->flips[i];
        flip->good = flip->good && object_function(&flip->object, last);
    }
}

static void compare_data(void *context, const Program *program, const Coverage *coverage) {
    Batch *batch = context;
    (void)coverage;
    for (uint32_t i = 0; i < batch->count; i++) {
        Flip *flip = &batch->flips[i];
        flip->good = flip->good && object_finish(&flip->object, program);
    }
}

static void compare_batch(Arena *arena, Batch *batch, const char *path) {
    char *text;
    size_t length;
    Diag diag;
    diag_init(&diag, arena, NULL);
    Replay replay = {
        .diag = &diag, .done = compare_function, .end = compare_data, .context = batch};
    if (!read_file(arena, path, &text, &length) ||
        replay_certificate(&replay, path, text, length) != REPLAY_VALID)
        die("the certificate is not valid");
    diag_free(&diag);
}

// ---- The whole

typedef struct {
    const char *certificate, *object; // where changed ones are written for gatecheck
    Out base;
    uint32_t kinds[FLIP_KINDS], found, missed, asked, strange, covered_found;
} Trial;

static void show(Target *t, const Flip *flip, const char *what) {
    const Elf64_Shdr *section = &t->sections[flip->at.section];
    uint64_t start = t->start[flip->at.at];
    Insn insn;
    printf("%s: %s+0x%llx bit 0x%02x", what, t->names + section->sh_name,
           (unsigned long long)(flip->at.at - section->sh_offset), flip->bit);
    if (section->sh_type == SHT_RELA) {
        const Elf64_Rela *rela = relocation_around(t, &flip->at);
        printf(": relocation of type %u at 0x%llx", (uint32_t)ELF64_R_TYPE(rela->r_info),
               (unsigned long long)rela->r_offset);
    }
    t->bytes[flip->at.at] ^= flip->bit;
    if (section->sh_type == SHT_RELA) {
        const Elf64_Rela *rela = relocation_around(t, &flip->at);
        printf(", now type %u at 0x%llx symbol %u addend %lld",
               (uint32_t)ELF64_R_TYPE(rela->r_info), (unsigned long long)rela->r_offset,
               (uint32_t)ELF64_R_SYM(rela->r_info), (long long)rela->r_addend);
    }
    if (start && insn_decode(t->bytes + start, t->size - start, &insn)) {
        Out out = {0};
        insn_print(&out, &insn, start - section->sh_offset);
        printf(": now %.*s", (int)out.length, out.text);
        out_free(&out);
    }
    t->bytes[flip->at.at] ^= flip->bit;
    printf("\n");
}

static void ask_too(Target *t, Trial *trial, const Flip *flip) {
    t->bytes[flip->at.at] ^= flip->bit;
    bool whole = write_tied(t, &trial->base, trial->certificate, trial->object);
    t->bytes[flip->at.at] ^= flip->bit;
    if (!whole) return;
    trial->asked++;
    int status = ask(trial->certificate, trial->object);
    if (status == (flip->good ? 0 : 1)) return;
    trial->strange++;
    show(t, flip, "strange");
}

static void count_flip(Target *t, Trial *trial, const Flip *flip) {
    trial->kinds[flip->kind]++;
    if (flip->kind == FLIP_COVERED) trial->covered_found += !flip->good;
    if (flip->kind == FLIP_COVERED || flip->kind == FLIP_KEPT) return;
    trial->found += !flip->good;
    trial->missed += flip->good;
    if (flip->good) show(t, flip, "missed");
}

enum { BATCH = 256 };

static void try_batch(Target *t, Trial *trial, Random *random, uint32_t count, uint32_t asked,
                      const char *path) {
    Arena *arena = arena_new("flips");
    Batch batch = {.flips = ARENA_ARRAY(arena, Flip, (size_t)count + 1), .count = count + 1};
    for (uint32_t i = 0; i < count; i++) batch.flips[i] = choose(t, random);
    for (uint32_t i = 0; i <= count; i++) open_changed(arena, t, &batch.flips[i]);
    compare_batch(arena, &batch, path);
    if (!batch.flips[count].good) {
        printf("refused: %s\n", batch.flips[count].object.problem);
        exit(1);
    }
    for (uint32_t i = 0; i < count; i++) count_flip(t, trial, &batch.flips[i]);
    for (uint32_t i = 0; i < count && trial->asked < asked; i++) ask_too(t, trial, &batch.flips[i]);
    arena_free(arena);
}

int main(int argc, char **argv) {
    if (argc != 6) die("SEED COUNT ASKED CERTIFICATE OBJECT");
    Target target = {0};
    Arena *arena = arena_new("flip");
    Trial trial = {.certificate = arena_printf(arena, "%s.flipped", argv[4]),
                   .object = arena_printf(arena, "%s.flipped", argv[5]),
                   .base = unended(arena, argv[4])};
    Random random = random_from(strtoull(argv[1], NULL, 10));
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    uint32_t asked = (uint32_t)strtoul(argv[3], NULL, 10);
    read_object(&target, argv[5]);
    find_regions(&target);
    if (!target.code_count) die("no code");
    for (uint32_t done = 0; done < count; done += BATCH)
        try_batch(&target, &trial, &random, count - done < BATCH ? count - done : BATCH, asked,
                  argv[4]);
    printf("flips: %u tried, %u change code, %u change relocations, %u change data, %u keep it, %u "
           "are covered by "
           "relocations; %u found, %u missed, %u asked, %u strange; %u of the covered found\n",
           count, trial.kinds[FLIP_CODE], trial.kinds[FLIP_RELOCATION], trial.kinds[FLIP_DATA],
           trial.kinds[FLIP_KEPT], trial.kinds[FLIP_COVERED], trial.found, trial.missed,
           trial.asked, trial.strange, trial.covered_found);
    unlink(trial.certificate);
    unlink(trial.object);
    return trial.missed || trial.strange;
}
