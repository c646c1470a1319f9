// Both ways give the same value.
int g(int);
int f(int c, int a) {
    int x;
    if (c) {
        g(1);
        x = a; // explain: son_build merged "copy of %a"
    } else {
        g(2);
        x = a; // explain: son_build merged "copy of %a"
    }
    return x * 3; // explain: son_optimize merged "equal to %a.0, a parameter: the same from"
}
