// A semicolon too many.
int limit(int x) {
    if (x > 100); // mistake
        x = 100; // mistake
    return x;
}
