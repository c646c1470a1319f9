// x: when 'a == 2'
int g(int);
int bad(int a) {
    int x;
    switch (a) {
    case 1: x = 4;
    case 2: g(a); break;
    case 3: return 0;
    default: x = 2;
    }
    return x;
}
int good(int a) {
    int x;
    switch (a) {
    case 1: x = 4; break;
    case 3: return 0;
    default: x = 2;
    }
    return x;
}
