// A call whose result is returned is a jump.
int g(int);
int f(int x) {
    return g(x + 1); // explain: select_code merged "returns in its place"; -> "jmp g"
}
