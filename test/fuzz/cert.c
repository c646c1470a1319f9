// Fuzzes the replay of certificates with libFuzzer: whatever the file, gatecheck gives an answer.
// The hash at the end of binary ones is made right first, or nothing would get past it; and half of
// the changes to texts are to lines and numbers, so that checkers see hints and functions that have
// a meaning, but not the right one. What can be read can be written in the other encoding.
// tools/cert-corpus makes the corpus.
#include "cert/certificate.h"
#include "check/replay/replay.h"
#include "test/gen/damage.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_new("fuzz");
    Out text = {0};
    out_bytes(&text, data, size);
    damage_rehash(&text);
    Diag diag;
    diag_init(&diag, arena, NULL);
    Replay replay = {.diag = &diag, .partial = true};
    ReplayStatus status = replay_certificate(&replay, "fuzz", text.text, text.length);
    if ((status == REPLAY_VALID) != (diag.errors == 0)) abort();
    Out other = {0};
    bool is_text = is_text_certificate(text.text, text.length);
    Replay convert = {
        .diag = &diag, .out = &other, .encoding = is_text ? ENCODING_BINARY : ENCODING_TEXT};
    if (size % 4 == 0) replay_certificate(&convert, "fuzz", text.text, text.length);
    out_free(&other);
    diag_free(&diag);
    out_free(&text);
    arena_free(arena);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    Random random = random_from(seed);
    if (!is_text_certificate((const char *)data, size) || random_chance(&random, 1, 2))
        return LLVMFuzzerMutate(data, size, max_size);
    Out text = {0};
    out_bytes(&text, data, size);
    for (uint32_t i = random_range(&random, 1, 3); i > 0; i--) damage_text(&random, &text);
    if (text.length > max_size) text.length = max_size;
    if (text.length) memcpy(data, text.text, text.length);
    size = text.length;
    out_free(&text);
    return size;
}
