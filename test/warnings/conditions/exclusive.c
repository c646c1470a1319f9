// x: when '(a && !b) || (!a && b)'
int bad(int a, int b) {
    int x;
    if (a && b) x = 1;
    if (a || b) return x;
    return 0;
}
int good(int a, int b) {
    int x;
    if (a || b) x = 1;
    if (a && b) return x;
    return 0;
}
