// What makes counting hard: returns that come twice, computed jumps, calls that do not return, processes that fork, functions
// in other files, statements over several lines, lines that another file is said to have.
#include "header.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf environment;

static void jump(int n) {
    if (n > 2)
        longjmp(environment, n);
    printf("%d\n", n);
}

static int dispatch(int n) {
    static void *const labels[] = {&&a, &&b, &&c};
    int k = 0;
    goto *labels[n % 3];
a:
    k++;
b:
    k++;
c:
    k++;
    return k;
}

static _Noreturn void stop(int n) {
    if (n)
        exit(n);
    abort();
}

static int never_called(int n) {
    return n + 1;
}

static int choose(int n) {
    switch (n) {
    case 1:
        return 2;
    case 2 ... 5:
    case 7:
        n++;
        break;
    default: n--;
    }
    return n;
}

static int lines(int p, int q) {
    int table[8] = {0};
    long sum = (long)p *
               q;
    int chosen = p > 3
                     ? q
                     : p;
    if (p > 2 &&
        q > 3 && (p != 7 ||
                  q != 9))
        return (int)sum
               + 2;
    table[p & 7] =
        chosen ^ (int)sum;
    for (;;) {
        int more = p++;
        if (more > 4) break;
        if (more == 2)
            continue;
        q++;
    }
    while (q > 3)
        q--;
    do
        q++;
    while (q <
           6);
    return table[p & 7] +
           choose(q) +
           choose(p);
}

#line 200 "other.y"
static int elsewhere(int n) {
    if (!n)
        return 1;
    return n * elsewhere(n - 1);
}
#line 90 "cases.c"

int main(void) {
    volatile int i = 0;
    int r = setjmp(environment);
    if (r)
        printf("back %d\n", r);
    while (i < 6) {
        i++;
        jump(i);
    }
    for (int k = 0; k < 9; k++)
        printf("%d %d %d\n", dispatch(k), choose(k), lines(k, 2 * k));
    printf("%d %d\n", in_header(3), elsewhere(5));
    fflush(stdout);
    pid_t p = fork();
    if (p == 0) {
        printf("child\n");
        exit(0);
    }
    int status;
    waitpid(p, &status, 0);
    goto out;
    printf("%d\n", never_called(1));
out:
    stop(3);
}
