// options: -fsanitize=null -fsanitize-trap
// The branch has seen that the pointer is none: the check behind it is decided.
int f(int *p) {
    if (!p) return 0; // explain: -> "testq"
    return *p;        // explain: son_optimize folded "the branch at node 0 went to"; -> "movl"
}
