// The index is known, but only after some arithmetic with variables.
int table[4] = {1, 2, 3, 4};
int fifth(void) {
    int half = 2;
    int index = half * 2;
    return table[index]; // mistake
}
