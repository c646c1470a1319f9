// Without a flag nothing is assigned.
int choose(int flag) {
    int result;
    if (flag) // mistake
        result = 7;
    return result; // mistake
}
