// An interpreter of a language of eight signs that works on a tape; its loops are matched beforehand
// and runs of one sign are counted.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char sign;
    int count;  // how often
    int target; // of a bracket: where its partner is
} Step;

static int translate(const char *text, Step *steps) {
    int open[256], depth = 0, count = 0;
    for (; *text; text++) {
        if (!strchr("+-<>[].", *text)) continue;
        int repeatable = strchr("+-<>", *text) != NULL;
        if (repeatable && count > 0 && steps[count - 1].sign == *text) {
            steps[count - 1].count++;
            continue;
        }
        steps[count] = (Step){.sign = *text, .count = 1};
        if (*text == '[') open[depth++] = count;
        if (*text == ']') {
            steps[count].target = open[--depth];
            steps[open[depth]].target = count;
        }
        count++;
    }
    return count;
}

static uint32_t run(const Step *steps, int count, unsigned char *tape, char *out, int *printed) {
    uint32_t executed = 0;
    unsigned char *at = tape;
    for (int i = 0; i < count; i++) {
        executed++;
        switch (steps[i].sign) {
        case '+': *at = (unsigned char)(*at + steps[i].count); break;
        case '-': *at = (unsigned char)(*at - steps[i].count); break;
        case '>': at += steps[i].count; break;
        case '<': at -= steps[i].count; break;
        case '[':
            if (*at == 0) i = steps[i].target;
            break;
        case ']':
            if (*at != 0) i = steps[i].target;
            break;
        case '.': out[(*printed)++ & 255] = (char)*at; break;
        }
    }
    return executed;
}

int main(int argc, char **argv) {
    // Says hello; counts in nested loops; moves three cells to and fro.
    static const char hello[] =
        "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------."
        "--------.>>+.>++.";
    static const char nested[] =
        "++++++++++[>++++++++++[>++++++++++[>++++++++++[>++++++++++[>+>+<<-]<-]<-]<-]<-]>>>>>.";
    static const char moves[] =
        "++++++++++[>++++++++++>++++++++++>+++++++++++<<<-]++++++++++++++++++++[>[>>>+<<<-]>[>>>+"
        "<<<-]>[>>>+<<<-]>[<<<+>>>-]>[<<<+>>>-]>[<<<+>>>-]<<<<<<-]>.>.>.";
    static const char *const programs[] = {hello, nested, moves};
    int rounds = argc > 1 ? atoi(argv[1]) : 400;
    static unsigned char tape[30000];
    static Step steps[1000];
    static char out[256];
    uint32_t executed = 0, sum = 0;
    int printed = 0;
    for (int round = 0; round < rounds; round++) {
        printed = 0;
        for (int i = 0; i < 3; i++) {
            memset(tape, 0, sizeof tape);
            int count = translate(programs[i], steps);
            executed += run(steps, count, tape, out, &printed);
            for (int k = 0; k < 256; k++) sum = sum * 31 + (unsigned char)out[k];
        }
    }
    printf("%.13s\n%d %lu %08x\n", out, printed, (unsigned long)executed, (unsigned)sum);
    return 0;
}
