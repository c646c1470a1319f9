// Which element is meant depends on the order in which operands are evaluated.
void fill(int *values, int count) {
    int i = 0;
    while (i < count) {
        values[i] = i++; // mistake
    }
}
