// The operations are constant, so the calls are direct, and the check of the inlined result folds.
// run: unsigned f(unsigned)
void never(void);

static unsigned pack(unsigned x) {
    return x & 7;
}
static int valid(unsigned x) {
    return x < 8;
}
static const struct operations {
    unsigned (*pack)(unsigned);
    int (*valid)(unsigned);
} operations = {pack, valid};

unsigned f(unsigned x) {
    unsigned packed = operations.pack(x);
    if (!operations.valid(packed)) never();
    return packed;
}
