// Where a value is in the end.
int f(int a, int b) {
    return a / b; // explain: allocate placed "rax"; -> "idivl"
}
