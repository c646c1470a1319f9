// x: when 'a == 4'
int bad(int a) {
    int x;
    switch (a) {
    case 1:
    case 2:
    case 3: x = a;
    }
    switch (a) {
    case 2: return x;
    case 3: return x + 1;
    case 4: return 7 * x;
    }
    return 0;
}
int good(int a) {
    int x;
    switch (a) {
    case 1:
    case 2:
    case 3: x = a;
    }
    switch (a) {
    case 2: return x;
    case 3: return x + 1;
    }
    return 0;
}
