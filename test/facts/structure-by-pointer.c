// The helper is inlined, so the fields become values, and the size of the range is known.
// run: unsigned f(unsigned)
void never(void);

struct range {
    unsigned start, end;
};
static void grow(struct range *range, unsigned by) {
    range->end += by;
}

unsigned f(unsigned x) {
    struct range range = {x, x};
    grow(&range, 8);
    grow(&range, 4);
    if (range.end - range.start != 12) never();
    return range.end;
}
