// x: when 'n <= 3'
int bad(int n) {
    int x, i = n;
    while (i > 3) {
        x = i;
        i--;
    }
    return x;
}
int good(int n) {
    int x;
    for (int i = 0; i < 10; i++) x = i + n;
    return x;
}
