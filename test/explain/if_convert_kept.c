// What stands on a way must not be done on the other: there is no select.
int g(int);
int f(int c, int a) {
    int r = a;
    if (c > 3) // explain: if_convert kept "there is a call"; -> "jle"
        r = g(a);
    return r * 5;
}
