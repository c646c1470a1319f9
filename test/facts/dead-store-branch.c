// Nobody reads the log, so both stores are dead, and the branch between two empty ways goes.
// run: int f(int)
static void note(int *log, int x) {
    if (x > 3)
        log[0] = x;
    else
        log[x & 1] = 2;
}

int f(int x) {
    int log[2] = {0, 0};
    note(log, x);
    return x;
}
