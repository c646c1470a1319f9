// The sum loses y again, so both sides of the comparison are x, and the branch to the call goes.
// run: unsigned f(unsigned, unsigned)
void never(void);

unsigned f(unsigned x, unsigned y) {
    unsigned sum = x + y;
    unsigned back = sum - y;
    if (back != x) never();
    return back;
}
