// -1 becomes a very large number.
int is_less(int a, unsigned b) {
    return a < b; // mistake
}
