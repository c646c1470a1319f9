// x: when 'n >= 20 && n <= 30'
int bad(int n) {
    int x;
    if (n < 10)
        x = 1;
    else if (n < 20)
        x = 2;
    else if (n > 30)
        x = 3;
    return x;
}
int good(int n) {
    int x;
    if (n < 10)
        x = 1;
    else if (n < 20)
        x = 2;
    else
        x = 3;
    return x;
}
