// A switch over a constant.
int f(int x) {
    int kind = 2;
    switch (kind) {       // explain: son_optimize decided "%kind.1 is 2"
    case 1: return x + 1; // explain: son_optimize removed "no way leads there"
    case 2: return x * 5;
    default: return 0;
    }
}
