// Calls of libgate that lack memory: the n-th request, or all from the n-th on, fail. Whatever n is, calls come back, say
// what was lacking, and gate_close gives back every block and every file; if nothing was lacking in the end, the result
// is that of a run with enough memory.
// memory STEP [START]: every STEP-th n from START on.
#include <gate.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long requests, live, failing; // failing: which request does; 0 for none
static int onwards;                  // and those after it, too
static long refused;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static int refuses(void) {
    requests++;
    int now = failing && (onwards ? requests >= failing : requests == failing);
    refused += now;
    return now;
}

void *__wrap_malloc(size_t size) {
    if (refuses()) return NULL;
    live++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    if (refuses()) return NULL;
    live++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    if (refuses()) return NULL;
    live += old == NULL;
    return __real_realloc(old, size);
}

void __wrap_free(void *old) {
    live -= old != NULL;
    __real_free(old);
}

static int open_files(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && readdir(directory)) count++;
    if (directory) closedir(directory);
    return count;
}

static const char source[] =
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "static int part(int n, int x) {\n"
    "    for (int i = 0; i < n; i++) x = x < 9 ? x * 2 : x > 50 ? x - 3 : x + i;\n"
    "    return x;\n"
    "}\n"
    "int main(void) {\n"
    "    int *p = malloc(4000);\n"
    "    if (!p) return 3;\n"
    "    p[7] = part(20, 4);\n"
    "    printf(\"%d\\n\", p[7]);\n"
    "    free(p);\n"
    "    return 0;\n"
    "}\n";

static unsigned long hash_of(unsigned long hash, const char *text) {
    for (; text && *text; text++) hash = hash * 31 + (unsigned char)*text;
    return hash;
}

static void build(GateProgram *program) {
    GateType types[] = {GATE_I32, GATE_I32};
    GateBuilder *builder = gate_build(program, "larger", GATE_I32, types, 2);
    uint32_t arguments[] = {0, 1}, result = gate_build_register(builder, GATE_I32, "result");
    gate_build_branch(builder, "lt.i32", arguments, 2);
    gate_build_op(builder, "move.i32", result, &arguments[0], 1);
    gate_build_return(builder, result);
    gate_build_successor(builder, 0, 0, 3);
    gate_build_op(builder, "move.i32", result, &arguments[1], 1);
    gate_build_return(builder, result);
    gate_build_end(builder);
}

// All that the library does once; 0 if something failed for want of memory.
static unsigned long use(void) {
    unsigned long hash = 1;
    size_t length = 0;
    GateRun run = {0};
    GateProgram *program = gate_open_c_text("source.c", source, sizeof source - 1, NULL, 0);
    hash = hash_of(hash, gate_certify(program, "source.c", &length));
    gate_convert(program, GATE_FORM_GSA, true);
    hash = hash_of(hash, gate_text(program));
    GateProgram *again =
        gate_open_text(GATE_FORM_GSA, "again", gate_text(program), strlen(gate_text(program)));
    gate_verify(again);
    int bad = !gate_good(again);
    gate_close(again);
    if (gate_run_main(program, NULL, 0, 100000, &run))
        hash = hash_of(hash + (unsigned long)run.end + (unsigned long)run.status, run.output);
    gate_convert(program, GATE_FORM_MACH, true);
    hash = hash_of(hash, gate_assembly(program, &length));
    gate_site_text(program, 0, 0);
    if (!gate_good(program) && !*gate_messages(program)) exit(printf("failed without a message\n"));
    if (!gate_good(program) && !gate_out_of_memory(program))
        exit(printf("%s", gate_messages(program)));
    bad |= !gate_good(program);
    gate_close(program);
    GateProgram *empty = gate_new();
    build(empty);
    hash = hash_of(hash, gate_text(empty));
    bad |= !gate_good(empty);
    gate_close(empty);
    return bad ? 0 : hash;
}

int main(int argc, char **argv) {
    long step = atol(argv[1]), first = argc > 2 ? atol(argv[2]) : 1, tried = 0, told = 0;
    unsigned long right = use();
    long all = requests;
    int files = open_files();
    if (!right || live) return printf("with enough memory: %lu, %ld blocks left\n", right, live);
    for (onwards = 0; onwards < 2; onwards++)
        for (long n = first; n <= all; n += step) {
            requests = refused = 0;
            failing = n;
            unsigned long hash = use();
            failing = 0;
            tried++;
            told += !hash;
            // A program that is run may be told of the lack of memory itself, and behave differently.
            if (!refused) return printf("request %ld was not made\n", n);
            if (live) return printf("request %ld: %ld blocks left\n", n, live);
            if (open_files() != files) return printf("request %ld: files are left open\n", n);
        }
    // A limit does the same: every program has its own.
    int limited = 0;
    for (size_t limit = 1000;; limit *= 2, limited++) {
        gate_limit_memory(limit);
        unsigned long hash = use();
        if (live) return printf("limit %zu: %ld blocks left\n", limit, live);
        if (hash) break;
    }
    gate_limit_memory(0);
    if (use() != right) return printf("a limit that is gone still counts\n");
    printf("%ld requests; %ld times one was refused, and %ld times that was told; %d limits were "
           "too small\n",
           all, tried, told, limited);
    return !(tried && told > tried * 9 / 10 && limited > 5);
}
