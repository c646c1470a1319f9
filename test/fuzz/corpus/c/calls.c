int printf(const char *, ...);
typedef __builtin_va_list va;
static int sum(int n, ...) {
    va v; int r = 0; __builtin_va_start(v, n);
    while (n--) r += __builtin_va_arg(v, int);
    __builtin_va_end(v); return r;
}
int main(int c, char **v) { int (*f)(int, ...) = c ? sum : &sum; return printf("%d %s\n", (*f)(2, 1, 3), v[0]); }
int twice() { return implicit(1) + twice(2, 3); }
