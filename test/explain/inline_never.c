// What must not be inlined is not, which is told.
__attribute__((noinline)) static int heavy(int x) {
    return x * 3 + 1;
}
int f(int a) {
    return heavy(a) + heavy(a + 1); // explain: inline_calls kept "noinline"; -> "call heavy"
}
