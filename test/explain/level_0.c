// options: -O0
// Without optimization everything is where it was written.
int f(int a, int b) {
    int x = a * b; // explain: -> "imul"
    int y = a * b; // explain: -> "imul"
    return x + y;  // explain: -> "add"
}
