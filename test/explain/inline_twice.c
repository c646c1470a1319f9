// Two calls of one function: the body comes in twice, and the second copy computes what the first has computed.
static int mix(int x, int y) {
    return x * y + 3; // explain: in f: son_build merged "same operator"
}
int f(int a, int b) {
    int first = mix(a, b);  // explain: inline_calls inlined "mix"
    int second = mix(a, b); // explain: inline_calls inlined "mix"
    return first ^ (second << 1);
}
