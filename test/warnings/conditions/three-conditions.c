// x: when '(a && !b) || (!a && !c)'
int bad(int a, int b, int c) {
    int x;
    if (a) {
        if (b) x = 1;
    } else if (c) {
        x = 2;
    }
    return x;
}
int good(int a, int b, int c) {
    int x;
    if (a) {
        if (b) x = 1;
    } else if (c) {
        x = 2;
    }
    if (a ? b : c) return x;
    return 0;
}
