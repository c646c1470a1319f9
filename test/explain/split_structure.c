// The members of a local structure whose address nobody takes are registers.
struct pair {
    int x, y;
};
int f(int a, int b) {
    struct pair p;
    p.x = a + 1;      // explain: split_slots split "register"
    p.y = b + 2;      // explain: split_slots split "register"
    return p.x * p.y; // explain: split_slots split "register"; -> "imul"
}
