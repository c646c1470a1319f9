// A little of everything, so that every pass finds something to do here or in the programs beside.
struct pair {
    int a, b;
};
static int twice(int x) {
    return x * 2;
}
static int sum_pair(struct pair p) {
    return p.a - p.b;
}
int global;
int work(int *p, int n, int c) {
    struct pair q;
    q.a = n;
    q.b = c;
    int s = sum_pair(q) + twice(n);
    int same = n * c;
    for (int i = 0; i < n; i++) {
        s += p[i] + n * c;
        if (c > 3) s ^= 5;
        global = s;
        s -= global;
    }
    if (c > 3)
        s += same * 8;
    else
        s -= 1;
    if (c > 3)
        s = s * 3;
    else
        s = s + same;
    int d = 7;
    int e = d + 1;
    return s + e + (n == 4 ? 1 : 0) + *p / (c - 1);
}
int main(void) {
    int a[4] = {1, 2, 3, 4};
    return work(a, 4, 5) & 1;
}
int g(int c, int a, int b, int n) {
    int x, y, s = 0;
    for (int i = 0; i < n; i++) {
        if (c > i)
            x = a;
        else
            x = b;
        s += x;
        if (c > i)
            y = a;
        else
            y = b;
        s ^= y;
    }
    if (c > 7)
        s += 1;
    else
        s -= s / 3;
    if (c > 7)
        s += 2;
    else
        s *= n;
    return s;
}
