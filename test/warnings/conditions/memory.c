// x: here when 'v[0] <= 3'
int bad(const int *v, int a) {
    int x;
    if (v[0] > 3) x = 1;
    if (a && v[0] < 8) return x;
    return 0;
}
int good(const int *v, int a) {
    int x;
    if (v[0] > 3) x = 1;
    if (a && v[0] > 3) return x;
    return 0;
}
