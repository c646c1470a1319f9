// x: when '!a && !b'
void fail(void) __attribute__((noreturn));
static void give_up(void) { fail(); }
int bad(int a, int b) {
    int x;
    if (a) x = 1;
    if (b && !a) give_up();
    return x;
}
int good(int a) {
    int x;
    if (a) x = 1;
    if (!a) give_up();
    return x;
}
