// Mistakes in the use of memory, each made if the argument names it: what gate run tells of them is in docs/run.md.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum(const int *list, int count) {
    int total = 0;
    for (int i = 0; i <= count; i++) // one too many
        total += list[i];
    return total;
}

static void print_sign(int n) {
    puts(n < 0 ? "negative" : "not negative");
}

int main(int argc, char **argv) {
    const char *mistake = argc > 1 ? argv[1] : "";
    int list[3] = {4, 5, 6}, last;
    int *copy = malloc(sizeof list);
    if (!copy) return 1;
    if (strcmp(mistake, "bounds") == 0) printf("%d\n", sum(list, 3));
    if (strcmp(mistake, "value") == 0) {
        if (argc > 2) last = list[2];
        print_sign(last);
    }
    if (strcmp(mistake, "copy") == 0) {
        copy[0] = list[0];
        print_sign(copy[2]);
    }
    free(copy);
    if (strcmp(mistake, "free") == 0) copy[1] = 7;
    return 0;
}
