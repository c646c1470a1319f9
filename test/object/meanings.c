// What test/object/meanings.sh changes in its assembly.
extern int elsewhere(int);
int good(void) {
    return 1;
}
int bad(void) {
    return 2;
}
int (*pointer)(void) = good;
int x = 5, y = 5;
static int s1, s2;
const int fixed[3] = {1, 2, 3};
double negated(double d) {
    return -d;
}
long double doubled(long double a) {
    return a * 2;
}
int both(void) {
    x++;
    return y;
}
int call(int n) {
    return elsewhere(n) + 1;
}
int *first(void) {
    return &s1;
}
int *second(void) {
    return &s2;
}
int choose(int n) {
    switch (n) {
    case -700: return 3;
    case 0: return 11;
    case 1: return 55;
    case 2: return 7;
    case 3: return 99;
    case 4: return 77;
    case 5: return 4;
    case 100: return 1;
    case 1000: return 8;
    default: return 0;
    }
}
long extended(unsigned char *p) {
    return (int)*p;
}
long smaller(long *table, unsigned a, unsigned b) {
    unsigned at = a < b ? a : b;
    return table[at];
}
