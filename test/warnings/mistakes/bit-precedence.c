// The comparison binds more tightly than the operator on bits.
int is_set(int flags, int mask) {
    if (flags & mask == mask) // mistake
        return 1;
    return 0;
}
