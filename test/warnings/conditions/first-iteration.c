// x: in the first iteration of the loop at line 5 when 'n > 0'
int g(int);
int bad(int n) {
    int x;
    for (int i = 0; i < n; i++) {
        g(x);
        x = i;
    }
    return 0;
}
int good(int n) {
    int x;
    for (int i = 0; i < n; i++) {
        if (i > 0) g(x);
        x = i;
    }
    return 0;
}
