// The last element of an array of ten has the index nine.
int last(void) {
    int values[10] = {0};
    values[0] = 1;
    return values[10]; // mistake
}
