// Behind the loop the counter is the number of elements.
int sorted[16];
int largest(void) {
    int i;
    for (i = 0; i < 16; i++)
        if (sorted[i] < 0) sorted[i] = 0;
    return sorted[i]; // mistake
}
