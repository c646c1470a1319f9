// p: when 'a < 0'
int g(int);
int bad(int a) {
    int p, rc = -1;
    if (a < 0) goto done;
    p = g(a);
    if (a > 5) rc = 0;
done:
    if (a < 9) g(p);
    return rc;
}
int good(int a) {
    int p, rc = -1;
    if (a < 0) goto done;
    p = g(a);
    rc = 0;
done:
    if (rc == 0) g(p);
    return rc;
}
