// One equals sign too few.
int is_open(int state) {
    if (state = 3) // mistake
        return 1;
    return 0;
}
