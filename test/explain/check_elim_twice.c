// options: --off=son_optimize -fsanitize=null -fsanitize-trap
// The second check of a pointer always holds: the first would have trapped.
int f(int *p) {
    int x = *p;
    p[0] = x + 1; // explain: check_elim decided "the check at node 1 went on before"
    return x;
}
