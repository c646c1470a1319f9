// at: here when 'i >= n'
int bad(const int *v, int n, int k) {
    int at, found = 0;
    for (int i = 0; i < n; i++)
        if (v[i] == k) {
            at = i;
            found = 1;
            break;
        }
    if (k > 3) found = 1;
    return found ? at : -1;
}
int good(const int *v, int n, int k) {
    int at, found = 0;
    for (int i = 0; i < n; i++)
        if (v[i] == k) {
            at = i;
            found = 1;
            break;
        }
    return found ? at : -1;
}
