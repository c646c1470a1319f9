// A small function is put in the place of its call; its own lines live on in the caller.
static int square(int x) {
    return x * x; // explain: in f: -> "imul"
}
int f(int a) {
    return square(a) + 1; // explain: inline_calls inlined "the body of square()"
}
