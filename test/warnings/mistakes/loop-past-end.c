// The loop goes on for one element too many.
int table[8];
int sum(void) {
    int total = 0;
    for (int i = 0; i <= 8; i++)
        total += table[i]; // mistake
    return total;
}
