// Calls that cannot be replaced: of itself, and of what a pointer says.
int f(int n, int (*g)(int)) {
    if (n < 2) return g(n); // explain: inline_calls kept "known only when it is"
    n = f(n - 1, g);        // explain: inline_calls kept "calls itself"
    return n * 3;
}
