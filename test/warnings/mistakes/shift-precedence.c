// The sum is computed before the shift.
int word(int high, int low) {
    return high << 8 + low; // mistake
}
