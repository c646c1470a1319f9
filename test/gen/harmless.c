#include "test/gen/harmless.h"

#include "test/gen/compare.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void forge_expect_harmless(Arena *arena, Verdict verdict, const Func *before, const Func *after,
                           const char *what) {
    Complaints complaints = {.arena = arena};
    if (!verdict.accepted || !verify_func(&complaints, after)) return; // the verifier comes first
    for (uint64_t run = 0; run < 25; run++) {
        const char *difference = behaviour_difference(arena, before, after, run, 5000);
        if (difference) fail_msg("%s: accepted, but %s", what, difference);
    }
    print_message("harmless: %s\n", what);
}
