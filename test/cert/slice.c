struct point {
    int x, y;
};
int total;
int f(int *p, int n) {
    struct point s = {0, 1};
    int most = 0;
    for (int i = 0; i < n; i++) {
        s.x += p[i];
        s.y *= 3;
        if (p[i] > most) most = p[i];
    }
    total = s.y;
    return s.x;
}
