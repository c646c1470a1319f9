// The address of a local variable leaves the function by way of a pointer.
int *counter(int start) {
    int count = start;
    int *where = &count;
    (*where)++;
    return where; // mistake
}
