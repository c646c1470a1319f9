// The masked value is one of four cases, so the default is dead, and each case leaves one sum.
// run: int f(int)
void never(void);

int f(int x) {
    int a = 0, b = 0;
    switch (x & 3) {
    case 0: a = 1, b = 6; break;
    case 1: a = 2, b = 5; break;
    case 2: a = 3, b = 4; break;
    case 3: a = 4, b = 3; break;
    default: never();
    }
    return a + b;
}
