// x: when 'a <= 0 && b > 0'
int g(int);
int bad(int a, int b) {
    int x, mode;
    if (a > 0) {
        mode = 2;
        x = g(a);
    } else if (b > 0) {
        mode = 3;
    } else {
        mode = 1;
        x = 0;
    }
    if (mode >= 2) return x;
    return 0;
}
int good(int a, int b) {
    int x, mode;
    if (a > 0) {
        mode = 2;
        x = g(a);
    } else if (b > 0) {
        mode = 3;
    } else {
        mode = 1;
        x = 0;
    }
    if (mode != 3) return x;
    return 0;
}
