// The second line looks as if it were conditional, too.
int limit(int x, int *hits) {
    if (x > 100) // mistake
        x = 100;
        (*hits)++; // mistake: the if above does not guard it
    return x;
}
