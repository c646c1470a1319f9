// A load is started early, since what needs it has to wait.
int f(const int *p, int a, int b, int c) {
    int x = a * b + c;
    int y = p[3]; // explain: schedule moved "up by"
    return x ^ (y * 7);
}
