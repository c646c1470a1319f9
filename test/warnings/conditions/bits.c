// x: when '!(flags & 1) && (flags & 2)'
int g(int);
int bad(int flags) {
    int x;
    if (flags & 1) x = g(1);
    if (flags & 2) return x;
    return 0;
}
int good(int flags) {
    int x;
    if (flags & 1) x = g(1);
    if (flags & 1) return x;
    return 0;
}
