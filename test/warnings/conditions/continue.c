// x: at least when 'n > 0 && !c'
int g(int);
int bad(int n, int c) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int x;
        if (i == 3) continue;
        if (c) x = g(i);
        if (c > 5) sum += 1;
        if (c < 4) return x;
    }
    return sum;
}
int good(int n, int c) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int x;
        if (i == 3) continue;
        if (c) x = g(i);
        if (c > 5) sum += x;
    }
    return sum;
}
