int g(int);
int f(int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i] > 0 ? p[i] : g(s);
    return s;
}
