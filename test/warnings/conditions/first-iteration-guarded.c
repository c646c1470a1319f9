// last: in the first iteration of the loop at line 5 when 'n > 0 && k != 2'
int g(int);
int bad(int n, int k) {
    int last;
    for (int i = 0; i < n; i++) {
        if (k != 2) g(last);
        last = i;
    }
    return 0;
}
int good(int n, int k) {
    int last = 0;
    for (int i = 0; i < n; i++) {
        if (k != 2) g(last);
        last = i;
    }
    return 0;
}
