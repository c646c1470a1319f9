// Two choices under one condition between the same values are one value.
int g(int);
int f(int c, int a, int b) {
    int x, y;
    if (c)
        x = a;
    else
        x = b;
    g(1);
    if (c)
        y = a;
    else
        y = b;
    return g(x - y); // explain: gated_gvn merged "the same gates"
}
