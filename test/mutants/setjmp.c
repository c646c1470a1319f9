// Returns from where control was before, through several calls, with variables that changed in between.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf here;
static int depth;

__attribute__((noinline)) static void leave(int level, int code) {
    if (level == 0) longjmp(here, code);
    depth += level;
    leave(level - 1, code);
    depth += 1000;
}

__attribute__((noinline)) static int attempt(int start) {
    volatile int tries = 0;
    int kept = start * 7;
    int code = setjmp(here);
    tries++;
    if (code < 4) leave(code + start % 3, code + 1);
    return kept + tries * 100 + code;
}

__attribute__((noinline)) static int guarded(int n) {
    volatile int sum = 0;
    for (volatile int i = 0; i < n; i++) {
        if (setjmp(here) == 0) {
            sum += i;
            if (i % 2) leave(2, 5);
            sum += 10;
        } else {
            sum += 100;
        }
    }
    return sum;
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        int result = attempt(i);
        printf("%d %d\n", result, depth);
    }
    int result = guarded(5);
    printf("%d %d\n", result, depth);
    return 0;
}
