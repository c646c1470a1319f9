#include "cert/certify_slice.h"

#include "cert/certificate.h"
#include "cert/hints.h"
#include "form/text.h"

static void write_program(Out *out, const char *name, const Program *program) {
    Out text = {0};
    program_print(&text, program, &(PrintOptions){.locations = true});
    out_printf(out, "%s %llu\n", name, (unsigned long long)text.length);
    out_bytes(out, text.text, text.length);
    out_free(&text);
}

Out certify_slice(const Program *before, const Program *after, const SliceHint *hint) {
    Out out = {0};
    out_text(&out, SLICE_CERTIFICATE_FIRST_LINE);
    write_program(&out, "before", before);
    write_program(&out, "after", after);
    out_text(&out, "symbols\n");
    hint_write(&out, &slice_symbols_shape, &hint->symbols);
    for (uint32_t i = 0; i < hint->functions.count; i++) {
        out_text(&out, "function\n");
        hint_write(&out, &slice_function_shape, &hint->functions.at[i]);
    }
    uint64_t hash = certificate_hash(out.text, out.length);
    out_printf(&out, CERTIFICATE_HASH "%016llx\n", (unsigned long long)hash);
    return out;
}
