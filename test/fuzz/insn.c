// Fuzzes the decoder of machine code with libFuzzer: whatever the bytes, it reads none behind them,
// and what it takes apart lies within them, does not depend on what follows and needs all of its
// bytes.
#include "target/x64/object/insn_print.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const uint8_t *data, size_t size, const Insn *insn) {
    Insn again;
    if (!insn->length || insn->length > size || insn->length > INSN_MAX_LENGTH) abort();
    if (insn->displacement_at + insn->displacement_size > insn->length) abort();
    if (insn->number_at + insn->number_size > insn->length) abort();
    if (!insn_decode(data, insn->length, &again) || memcmp(insn, &again, sizeof again) != 0)
        abort();
    if (insn_decode(data, insn->length - 1u, &again)) abort();
    Out out = {0};
    insn_print(&out, insn, 0);
    out_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (size_t at = 0; at < size; at++) {
        Insn insn;
        if (insn_decode(data + at, size - at, &insn)) check(data + at, size - at, &insn);
    }
    return 0;
}
