// A tiny stack machine, its dispatch written with labels as values: computed goto, designated
// initializers with ranges, variable arguments.
#include <stdarg.h>
#include <stdio.h>

enum { PUSH, ADD, MULTIPLY, PRINT, STOP };

static int run(const int *code) {
    static const void *const dispatch[] = {[PUSH] = &&push,
                                           [ADD] = &&add,
                                           [MULTIPLY] = &&multiply,
                                           [PRINT] = &&print,
                                           [STOP] = &&stop};
    int stack[16] = {[0 ... 15] = -1}, top = 0;
    goto *dispatch[*code];
push:
    stack[top++] = code[1];
    code += 2;
    goto *dispatch[*code];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *dispatch[*++code];
multiply:
    top--;
    stack[top - 1] *= stack[top];
    goto *dispatch[*++code];
print:
    printf("%d\n", stack[top - 1]);
    goto *dispatch[*++code];
stop:
    return top;
}

static int sum(int count, ...) {
    va_list values;
    int total = 0;
    va_start(values, count);
    while (count-- > 0) total += va_arg(values, int);
    va_end(values);
    return total;
}

int main(void) {
    int code[] = {PUSH, sum(3, 1, 2, 3), PUSH, 7, MULTIPLY, PRINT, PUSH, 8, ADD, PRINT, STOP};
    return run(code) == 1 ? 0 : 1;
}
