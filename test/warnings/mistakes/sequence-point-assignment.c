// Whether the old or the new value ends up in i is not defined.
int next(int i) {
    i = i++; // mistake
    return i;
}
