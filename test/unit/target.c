// Files of machine code from anywhere: notes and functions are found, an answer comes for whatever
// is damaged, and what would take long is refused.
#include "gatecheck/gatecheck_target.h"

#include "base/out.h"
#include "test/gen/random.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The names of sections and symbols, in one table.
static const char names[] = "\0" NOTE_SECTION "\0one\0two";
enum { NAME_NOTE = 1, NAME_ONE = NAME_NOTE + sizeof NOTE_SECTION, NAME_TWO = NAME_ONE + 4 };

// The shape of an object with `notes` headers of one section of notes and `symbols` functions, all
// by names that end at the end of a name of `length` more bytes.
typedef struct {
    uint32_t notes, symbols, length;
} ObjectShape;

static void write_object(Out *out, ObjectShape shape) {
    uint32_t sections = 3 + shape.notes;
    size_t table = sizeof(Elf64_Ehdr), note = table + sections * sizeof(Elf64_Shdr);
    size_t symbols = note + 20 + NOTE_BYTES, count = shape.symbols + 3;
    size_t texts = symbols + count * sizeof(Elf64_Sym);
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', 2, 1, 1},
                         .e_type = ET_REL,
                         .e_machine = EM_X86_64,
                         .e_shoff = table,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = (Elf64_Half)sections,
                         .e_shstrndx = 2};
    out_bytes(out, &header, sizeof header);
    Elf64_Shdr none = {0},
               symbol_table = {.sh_type = SHT_SYMTAB,
                               .sh_offset = symbols,
                               .sh_size = count * sizeof(Elf64_Sym),
                               .sh_link = 2,
                               .sh_info = (Elf64_Word)count, // all of them are local
                               .sh_entsize = sizeof(Elf64_Sym)},
               text_table = {.sh_type = SHT_STRTAB,
                             .sh_offset = texts,
                             .sh_size = sizeof names + shape.length + 1},
               notes = {.sh_name = NAME_NOTE,
                        .sh_type = SHT_NOTE,
                        .sh_offset = note,
                        .sh_size = 20 + NOTE_BYTES};
    out_bytes(out, &none, sizeof none);
    out_bytes(out, &symbol_table, sizeof symbol_table);
    out_bytes(out, &text_table, sizeof text_table);
    for (uint32_t i = 0; i < shape.notes; i++) out_bytes(out, &notes, sizeof notes);
    const uint32_t head[] = {sizeof NOTE_NAME, NOTE_BYTES, NOTE_TYPE_CERTIFICATE};
    out_bytes(out, head, sizeof head);
    out_bytes(out, NOTE_NAME "\0", 8);
    for (int i = 0; i < NOTE_BYTES; i++) out_char(out, (char)(i + 1));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t name = i == 1 ? NAME_ONE : i == 2 ? NAME_TWO : (uint32_t)sizeof names;
        Elf64_Sym symbol = {.st_name = i > 2 ? name + (i - 3) % (shape.length + 1) : name,
                            .st_info = STT_FUNC,
                            .st_shndx = 1};
        if (i == 0) symbol = (Elf64_Sym){0}; // the first one is nobody's
        out_bytes(out, &symbol, sizeof symbol);
    }
    out_bytes(out, names, sizeof names);
    for (uint32_t i = 0; i < shape.length; i++) out_char(out, 'x');
    out_char(out, '\0');
}

static void test_found(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Out out = {0};
    write_object(&out, (ObjectShape){.notes = 1});
    CodeFile target = {.arena = arena};
    assert_null(target_open(&target, out.text, out.length));
    assert_string_equal(target.kind, "object");
    const ObjectNotes *notes = &target.pieces.at[0].notes;
    assert_true(notes->named && !notes->linked && piece_is_alone(&target.pieces.at[0]));
    assert_int_equal(notes->functions.count, 2);
    assert_string_equal(notes->functions.at[1], "two");
    assert_int_equal(out.text[notes->at.at[0]], 1);
    CertificateClaim claim = {0};
    for (int i = 0; i < DIGEST_BYTES; i++)
        claim.digests[DIGEST_CERTIFICATE].at[i] = (uint8_t)(i + 1);
    assert_ptr_equal(target_piece(&target, &claim), &target.pieces.at[0]);
    // The contents of the note do not count in the digest, all else does.
    Digest before = note_object_digest(out.text, out.length, notes->at.at[0]);
    out.text[notes->at.at[0] + NOTE_BYTES - 1] ^= 1;
    Digest same = note_object_digest(out.text, out.length, notes->at.at[0]);
    out.text[notes->at.at[0] - 1] ^= 1;
    Digest other = note_object_digest(out.text, out.length, notes->at.at[0]);
    assert_memory_equal(&before, &same, sizeof before);
    assert_memory_not_equal(&before, &other, sizeof before);
    out_free(&out);
    arena_free(arena);
}

static const char *answer(ObjectShape shape) {
    Arena *arena = arena_new("test");
    Out out = {0};
    write_object(&out, shape);
    CodeFile target = {.arena = arena};
    const char *problem = target_open(&target, out.text, out.length);
    out_free(&out);
    arena_free(arena);
    return problem;
}

// Sections that are the same bytes, and names that are the ends of one.
static void test_products(void **state) {
    (void)state;
    assert_non_null(answer((ObjectShape){.notes = 20000}));
    assert_null(answer((ObjectShape){.notes = 1, .symbols = 1000, .length = 10}));
    assert_non_null(answer((ObjectShape){.notes = 1, .symbols = 20000, .length = 1000000}));
}

static void test_damaged(void **state) {
    (void)state;
    Random random = random_from(18);
    Out whole = {0};
    write_object(&whole, (ObjectShape){.notes = 2, .symbols = 3, .length = 5});
    for (int i = 0; i < 20000; i++) {
        Arena *arena = arena_new("test");
        size_t length = random_chance(&random, 1, 8) ? random_below(&random, (uint32_t)whole.length)
                                                     : whole.length;
        char *text = malloc(length + 1); // one that ends where it says, for who watches memory
        memcpy(text, whole.text, length);
        for (uint64_t k = random_below(&random, 4); length && k < 4; k++)
            text[random_below(&random, (uint32_t)length)] =
                (char)(random_chance(&random, 1, 2) ? 0xff : random_below(&random, 256));
        CodeFile target = {.arena = arena};
        target_open(&target, text, length);
        for (uint32_t p = 0; p < target.pieces.count; p++)
            for (uint32_t k = 0; k < target.pieces.at[p].notes.at.count; k++)
                assert_true(target.pieces.at[p].notes.at.at[k] + NOTE_BYTES <= length);
        free(text);
        arena_free(arena);
    }
    out_free(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
