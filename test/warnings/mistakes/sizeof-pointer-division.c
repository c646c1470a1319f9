// The size of the pointer, not of what it points to.
int sum(const int *values) {
    int total = 0;
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) // mistake
        total += values[i];
    return total;
}
