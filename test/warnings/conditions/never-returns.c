// x: when 'a >= 0 && a <= 7'
void fail(void) __attribute__((noreturn));
int bad(int a) {
    int x;
    if (a > 7)
        x = 1;
    else if (a < 0)
        fail();
    return x;
}
int good(int a) {
    int x;
    if (a > 7)
        x = 1;
    else
        fail();
    return x;
}
