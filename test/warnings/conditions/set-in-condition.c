// x: when 'a > 2'
int g(int);
int bad(int a, int b) {
    int x;
    if (a > 2 || (x = b) > 0) return x;
    return 0;
}
int good(int a, int b) {
    int x;
    if (a > 2 && (x = b) > 0) return x;
    return 0;
}
