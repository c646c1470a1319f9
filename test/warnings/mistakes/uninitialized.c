// The sum starts with whatever was there.
int sum(const int *values, int count) {
    int total; // mistake
    for (int i = 0; i < count; i++)
        total += values[i]; // mistake
    return total;
}
