// The sum of scaled elements: what becomes of each line is in docs/explain.md.
static int scaled(int x, int k) {
    return x * (k * 8);
}

__attribute__((noinline)) int sum(const int *a, int n, int k) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += scaled(a[i], k);
    if (n < 0) s = 0;
    return s;
}

int main(void) {
    int a[] = {1, 2, 3};
    return sum(a, 3, 1) != 48;
}
