// options: --off=son_build --on=correlate
// A branch that one before it decides.
int g(int);
int f(int a, int b) {
    if (a < b) {
        g(1);
        if (a < b) // explain: correlate decided "the branch at node 0 went to node 1"
            return g(2);
        return g(3); // explain: tidy removed "no way leads there"
    }
    return 0;
}
