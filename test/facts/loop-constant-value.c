// The loop ends at a hundred, and adds three each time: the sum is 300, and the loop is empty.
// run: unsigned f(unsigned)
unsigned f(unsigned x) {
    unsigned sum = x;
    int added = 0;
    for (int i = 0; i < 100; i++) added += 3;
    return sum + (unsigned)added;
}
