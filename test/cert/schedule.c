// A block in which the scheduler changes places: a load on which the branch depends comes before the stores.
int first(int *p, int a, int b) {
    int product = (a * b + 7) ^ a;
    p[0] = product;
    p[1] = a;
    p[2] = b;
    int read = p[3];
    if (read * read > 100) return product;
    return read;
}
