// x: when 'a != 1 && a != 2'
int bad(int a) {
    int x;
    switch (a) {
    case 1: x = 4; break;
    case 2: x = 5;
    }
    return x;
}
int good(int a) {
    int x;
    switch (a) {
    case 1: x = 4; break;
    case 2: x = 5; break;
    default: x = 6;
    }
    return x;
}
