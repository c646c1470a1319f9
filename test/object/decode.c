// decode compare | unseen | random SEED COUNT | flips SEED COUNT: our decoder against another disassembler (tools/decode-check).
//
// compare reads what `objdump -dw` prints, takes each line's bytes apart and compares what both have: the length, and the
// text, letter by letter. With -k, instructions that we do not know are counted only: such as inline assembly has.
// unseen prints the mnemonics of our table that do not occur in such text.
// random and flips write instructions that our decoder accepts, one behind the other, for objdump to take apart: of random
// bytes, or of the instructions that `objdump -dw` printed with one bit changed.
#include "target/x64/object/insn_print.h"

#include "test/gen/random.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 4096, MAX_BYTES = 32, SHOWN = 40 };

typedef struct {
    uint64_t address;
    uint8_t bytes[MAX_BYTES];
    uint32_t count;
    const char *text;
} Line;

// ---- Lines of objdump

static bool parse_bytes(Line *line, char **at) {
    line->count = 0;
    while (isxdigit((unsigned char)**at) && line->count < MAX_BYTES) {
        line->bytes[line->count++] = (uint8_t)strtoul(*at, at, 16);
        if (**at == ' ') ++*at;
    }
    while (**at == ' ') ++*at;
    return line->count > 0;
}

// Without what is not the instruction: names of targets, comments, spaces at the end and all but one within.
static void tidy(char *text) {
    text[strcspn(text, "#<\n")] = '\0';
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (from[1] != ' ' && from[1] != '\0')) *to++ = *from;
    *to = '\0';
}

static bool parse_line(char *text, Line *line) {
    char *at;
    line->address = strtoull(text, &at, 16);
    if (at == text || *at != ':' || at[1] != '\t') return false;
    at += 2;
    if (!parse_bytes(line, &at) || *at != '\t') return false;
    line->text = at + 1;
    tidy(at + 1);
    return true;
}

static bool next_line(Line *line) {
    static char text[MAX_LINE];
    while (fgets(text, sizeof text, stdin))
        if (parse_line(text, line)) return true;
    return false;
}

// ---- Comparing

// A number as the last word may lack its 0x.
static bool same_target(const char *ours, const char *theirs) {
    size_t word = strrchr(ours, ' ') ? (size_t)(strrchr(ours, ' ') - ours) + 1 : 0;
    if (strncmp(ours, theirs, word) != 0) return false;
    char *end;
    return strtoull(ours + word, NULL, 16) == strtoull(theirs + word, &end, 16) && !*end;
}

static bool same_text(const Insn *insn, const char *ours, const char *theirs) {
    if (insn->mnemonic == INSN_NOP)
        return strstr(theirs, "nop") || strcmp(theirs, "xchg %ax,%ax") == 0;
    if (insn->operand[0].kind == INSN_OPERAND_TARGET) return same_target(ours, theirs);
    return strcmp(ours, theirs) == 0;
}

// What follows changes nothing, and fewer bytes are not enough.
static bool length_is_right(const Line *line, const Insn *insn) {
    uint8_t longer[MAX_BYTES + INSN_MAX_LENGTH];
    Insn again;
    memset(longer, 0x66, sizeof longer);
    memcpy(longer, line->bytes, line->count);
    return insn->length == line->count && !insn_decode(line->bytes, line->count - 1, &again) &&
           insn_decode(longer, sizeof longer, &again) && memcmp(&again, insn, sizeof again) == 0;
}

static void show(const Line *line, const char *what, const char *ours, uint32_t shown) {
    if (shown >= SHOWN) return;
    printf("%llx:", (unsigned long long)line->address);
    for (uint32_t i = 0; i < line->count; i++) printf(" %02x", line->bytes[i]);
    printf(": %s: %s%s%s\n", what, line->text, *ours ? " / " : "", ours);
}

static int compare(bool keep_quiet) {
    uint32_t same = 0, unknown = 0, different = 0;
    Line line;
    while (next_line(&line)) {
        Insn insn;
        if (!insn_decode(line.bytes, line.count, &insn)) {
            if (!keep_quiet) show(&line, "unknown", "", unknown);
            unknown++;
            continue;
        }
        Out out = {0};
        insn_print(&out, &insn, line.address);
        out_char(&out, '\0');
        if (length_is_right(&line, &insn) && same_text(&insn, out.text, line.text))
            same++;
        else
            show(&line, "different", out.text, different++);
        out_free(&out);
    }
    printf("%u instructions the same, %u different, %u unknown\n", same, different, unknown);
    return different || (unknown && !keep_quiet) || !same;
}

static int print_unseen(void) {
    bool seen[INSN_COUNT] = {0};
    Line line;
    Insn insn;
    while (next_line(&line))
        if (insn_decode(line.bytes, line.count, &insn)) seen[insn.mnemonic] = true;
    for (uint32_t i = 0; i < INSN_COUNT; i++)
        if (!seen[i]) printf("%s\n", insn_name((InsnName)i));
    return 0;
}

// ---- Making instructions

static bool write_if_known(const uint8_t *bytes, size_t size) {
    Insn insn;
    if (!insn_decode(bytes, size, &insn)) return false;
    fwrite(bytes, 1, insn.length, stdout);
    return true;
}

// Prefixes and escapes are likelier than by chance, so that the rest of the table has its turn.
static void write_random(uint64_t seed, uint32_t count) {
    static const uint8_t before[] = {0x66, 0xf2, 0xf3, 0xf0, 0x64, 0x65, 0x2e, 0x3e};
    Random random = random_from(seed);
    for (uint32_t done = 0; done < count;) {
        uint8_t bytes[2 * INSN_MAX_LENGTH];
        uint32_t at = 0;
        for (uint32_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)random_next(&random);
        while (random_chance(&random, 1, 3))
            if (at < 4) bytes[at++] = before[random_below(&random, sizeof before)];
        if (random_chance(&random, 1, 2)) bytes[at++] = (uint8_t)(0x40 + random_below(&random, 16));
        if (random_chance(&random, 1, 2)) bytes[at++] = 0x0f;
        done += write_if_known(bytes, sizeof bytes);
    }
}

typedef struct {
    uint8_t *bytes;
    uint32_t *starts;
    size_t size, count, room;
} Code;

static Code read_code(void) {
    Code code = {0};
    Line line;
    while (next_line(&line)) {
        if (code.size + 2 * MAX_BYTES > code.room) {
            code.room = 2 * code.room + 65536;
            code.bytes = realloc(code.bytes, code.room);
            code.starts = realloc(code.starts, code.room * sizeof *code.starts);
            if (!code.bytes || !code.starts) exit(2);
        }
        code.starts[code.count++] = (uint32_t)code.size;
        memcpy(code.bytes + code.size, line.bytes, line.count);
        code.size += line.count;
    }
    return code;
}

static void write_flips(uint64_t seed, uint32_t count) {
    Code code = read_code();
    Random random = random_from(seed);
    if (code.count < 2) exit(2);
    for (uint32_t done = 0; done < count; done++) {
        uint32_t i = random_below(&random, (uint32_t)code.count - 1);
        size_t start = code.starts[i], length = code.starts[i + 1] - start;
        uint8_t *byte = &code.bytes[start + random_below(&random, (uint32_t)length)];
        uint8_t bit = (uint8_t)(1u << random_below(&random, 8));
        *byte ^= bit;
        write_if_known(code.bytes + start, code.size - start);
        *byte ^= bit;
    }
    free(code.bytes);
    free(code.starts);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "compare") == 0) return compare(argc > 2 && strcmp(argv[2], "-k") == 0);
    if (strcmp(what, "unseen") == 0) return print_unseen();
    if (argc != 4) {
        fprintf(stderr, "decode compare [-k] | unseen | random SEED COUNT | flips SEED COUNT\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[2], NULL, 10);
    uint32_t count = (uint32_t)strtoul(argv[3], NULL, 10);
    if (strcmp(what, "random") == 0)
        write_random(seed, count);
    else
        write_flips(seed, count);
    return fflush(stdout) != 0;
}
