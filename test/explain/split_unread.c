// A field that is written and never read is in a register that nothing needs.
struct pair {
    int x, y;
};
int f(int a, int b) {
    struct pair p;
    p.x = a;
    p.y = b * 3; // explain: split_slots split "register"; son_optimize removed "nothing needs"
    return p.x;  // explain: split_slots split "register"
}
