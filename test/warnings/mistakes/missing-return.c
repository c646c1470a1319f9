// For negative numbers nothing is returned.
int classify(int x) {
    if (x == 0) return 0;
    if (x > 0) return 1;
} // mistake
