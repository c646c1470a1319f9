// x: when 'a && !b'
int bad(int a, int b) {
    int x;
    if (a) {
        if (b > 0)
            x = 1;
        else if (b < 0)
            x = 2;
    } else {
        x = 3;
    }
    return x;
}
int good(int a, int b) {
    int x;
    if (a) {
        if (b > 0)
            x = 1;
        else
            x = 2;
    } else {
        x = 3;
    }
    return x;
}
