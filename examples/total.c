int count;
int total(int *p, int n) {
    int sum = 0, seen = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i] + n * 8;
        count = seen++;
    }
    return sum + n * 8;
}
