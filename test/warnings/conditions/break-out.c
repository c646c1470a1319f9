// at: when 'i >= n'
int bad(const int *v, int n, int k) {
    int at, i;
    for (i = 0; i < n; i++)
        if (v[i] == k) {
            at = i;
            break;
        }
    return at;
}
int good(const int *v, int n, int k) {
    int at, i;
    for (i = 0; i < n; i++)
        if (v[i] == k) {
            at = i;
            break;
        }
    if (i >= n) return -1;
    return at;
}
