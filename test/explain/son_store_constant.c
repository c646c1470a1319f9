// A load of a constant that was stored is that constant, and what is computed from it another.
int f(int *p) {
    *p = 5;        // explain: -> "movl $5, (%rdi)"
    return *p + 1; // explain: son_optimize folded "5, what the store"; son_optimize folded "6"
}
