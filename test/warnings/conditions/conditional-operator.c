// x: when 'b <= 0 && a'
int bad(int a, int b) {
    int x;
    if (b > 0) x = b;
    return a ? x : 0;
}
int good(int a, int b) {
    int x;
    if (b > 0) x = b;
    return b > 1 ? x : a;
}
