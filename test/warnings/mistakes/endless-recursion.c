// Nothing ends it.
int depth(int x) { // mistake
    return depth(x - 1) + 1; // mistake
}
