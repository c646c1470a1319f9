// The else belongs to the inner if.
int sign(int x, int strict) {
    int result = 0;
    if (strict) // mistake
        if (x < 0)
            result = -1;
    else
        result = 1;
    return result;
}
