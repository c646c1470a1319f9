// libFuzzer target: any bytes through the lexer and the preprocessor, as one file in memory that
// can include nothing but itself. It must neither crash nor hang, and every error must have a
// place.
//
//   clang -std=c11 -D_GNU_SOURCE -Isrc -g -O1 -fsanitize=fuzzer,address,undefined \
//       test/fuzz/preprocess.c src/c/*/*.c src/base/*.c -o build/fuzz-preprocess
#include "c/preprocess/pp.h"
#include "message/message.h"
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *text;
    size_t length;
} Input;

static bool read_input(void *context, Arena *arena, const char *path, char **text, size_t *length) {
    const Input *input = context;
    if (strcmp(path, "main.c") != 0) return false;
    *text = arena_text(arena, input->text, input->length);
    *length = input->length;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    Input input = {.text = (const char *)data + 1, .length = size - 1};
    Arena *arena = arena_new("fuzz");
    Diag diag;
    StrTable strings;
    diag_init(&diag, arena, NULL);
    str_init(&strings, arena);
    // The first byte chooses what is done with the tokens.
    PpOptions options = {.target = &targets[0],
                         .arena = arena,
                         .diag = &diag,
                         .strings = &strings,
                         .no_standard_dirs = true,
                         .no_predefined = data[0] & 1,
                         .keep_lines = data[0] & 2,
                         .standard = data[0] & 4 ? "c11" : NULL,
                         .pedantic = data[0] & 8,
                         .read = read_input,
                         .context = &input,
                         .expansion_limit = 20000};
    Pp *pp = pp_new(&options);
    if (pp_open(pp, "main.c")) {
        Out out = {0};
        uint32_t count = 0;
        if (data[0] & 2) {
            pp_print(pp, &out, data[0] & 16);
            pp_print_macros(pp, &out);
        } else {
            for (Token token; pp_next(pp, &token), token.kind != TOK_EOF && count < 1000000;
                 count++) {
                size_t length;
                token_spelling(pp, &token, &length);
                Presumed place = pp_presumed(pp, pp_file_pos(pp, &token));
                if (!place.file || !place.column) abort();
            }
        }
        out_free(&out);
        messages_flush(&diag);
        out_char(&diag.out, '\0');
        if (strstr(diag.out.text, "\ngatecc: error: ") &&
            !strstr(diag.out.text, "gatecc: error: too many errors"))
            abort();
    }
    pp_free(pp);
    diag_free(&diag);
    arena_free(arena);
    return 0;
}
