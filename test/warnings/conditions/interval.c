// x: when 'n >= 0 && n <= 100'
int bad(int n) {
    int x;
    if (n < 0) x = 1;
    if (n > 100) x = 2;
    return x;
}
int good(int n) {
    int x;
    if (n < 0) x = 1;
    if (n >= 0) x = 2;
    return x;
}
