// Put into an instrumented tree: which mutant is on (GATE_MUTANT=POINT:VARIANT), where the points that are
// reached are noted (GATE_MUTANT_TRACE=FILE, a byte for each), and which case of a cmocka program runs
// (GATE_MUTANT_CASE). Notes are shared memory, so that a crash or a fork loses none.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = (GATE_MUTANT_POINTS / 65536 + 1) * 65536 };
_Alignas(65536) unsigned char gate_mutant_hits[SIZE];
unsigned gate_mutant_point = 0xffffffffu, gate_mutant_variant;

__attribute__((weak)) void cmocka_set_test_filter(const char *pattern);

__attribute__((constructor)) static void start(void) {
    const char *mutant = getenv("GATE_MUTANT"), *trace = getenv("GATE_MUTANT_TRACE");
    const char *test_case = getenv("GATE_MUTANT_CASE");
    if (mutant && sscanf(mutant, "%u:%u", &gate_mutant_point, &gate_mutant_variant) != 2) abort();
    if (test_case && cmocka_set_test_filter) cmocka_set_test_filter(test_case);
    if (!trace) return;
    int file = open(trace, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, SIZE) != 0 ||
        mmap(gate_mutant_hits, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED)
        abort();
    close(file);
}
