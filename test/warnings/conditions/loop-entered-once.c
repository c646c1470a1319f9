// x: when 'n == 4'
int g(int);
int bad(int n) {
    int x;
    do {
        if (n == 4) break;
        x = g(n);
    } while (n > 9);
    return x;
}
int good(int n) {
    int x;
    do x = g(n);
    while (x > 3);
    return x;
}
