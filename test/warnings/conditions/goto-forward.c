// x: when 'a'
int bad(int a, int b) {
    int x;
    if (a) goto out;
    x = b;
    if (b > 3) goto out;
    x = 2;
out:
    return x;
}
int good(int a, int b) {
    int x;
    if (a) goto none;
    x = b;
    return x;
none:
    return b;
}
