// Threads that work on programs of their own get what one thread alone gets.
#include <gate.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The front end asks for a stack of gigabytes, and takes what it gets; helgrind keeps books of every byte.
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, long offset);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, long offset);

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, long offset) {
    if (size > (size_t)64 << 20) return MAP_FAILED;
    return __real_mmap(address, size, protection, flags, file, offset);
}

enum { THREADS = 4, ROUNDS = 2 };

static const char source[] =
    "#include <stdio.h>\n"
    "#include <math.h>\n"
    "static int part(int n, int x) {\n"
    "    for (int i = 0; i < n; i++) x = x < 9 ? x * 2 : x > 50 ? x - 3 : x + i;\n"
    "    return x;\n"
    "}\n"
    "int main(int argc, char **argv) {\n"
    "    printf(\"%s %d %.3f\\n\", argv[1], part(20 + argc, 4), sqrt(2));\n"
    "    return 0;\n"
    "}\n";

// What a thread finds: texts of all forms, and what a run prints.
static char *work(const char *name) {
    char *all = calloc(1, 1 << 20);
    const char *arguments[] = {"program", name};
    for (int round = 0; round < ROUNDS; round++) {
        GateRun run;
        size_t length;
        // Every second thread lacks memory in its first round, and nobody else does.
        gate_limit_memory(name[0] % 2 && round == 0 ? 200000 : 0);
        GateProgram *program = gate_open_c_text("source.c", source, strlen(source), NULL, 0);
        if (gate_out_of_memory(program)) {
            strcat(all, gate_messages(program));
            gate_close(program);
            continue;
        }
        static const GateForm forms[] = {GATE_FORM_SSA, GATE_FORM_GSA, GATE_FORM_MACH};
        for (int i = 0; i < 3 && gate_convert(program, forms[i], true); i++)
            strcat(all, gate_text(program));
        if (gate_run_main(program, arguments, 2, 0, &run)) strcat(all, run.output);
        const char *text = gate_assembly(program, &length);
        strcat(all, text ? text : gate_messages(program));
        gate_close(program);
    }
    return all;
}

static void *start(void *name) {
    return work(name);
}

int main(void) {
    pthread_t threads[THREADS];
    static char names[THREADS][2] = {"0", "1", "2", "3"};
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, start, names[i]) != 0) return 2;
    int lacking = 0;
    for (int i = 0; i < THREADS; i++) {
        void *found;
        pthread_join(threads[i], &found);
        char *alone = work(names[i]);
        if (strlen(alone) < 1000 || strcmp(alone, found) != 0)
            return printf("thread %d differs\n", i);
        lacking += strstr(alone, "error: out of memory") != NULL;
        free(alone);
        free(found);
    }
    printf("%d threads agree, %d of them lacked memory once\n", THREADS, lacking);
    return lacking != THREADS / 2;
}
