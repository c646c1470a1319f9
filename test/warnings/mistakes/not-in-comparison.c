// The ! applies to a alone.
int differ(int a, int b) {
    return !a == b; // mistake
}
