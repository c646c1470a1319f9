// A load that one instruction reads is its operand.
int f(const int *p, int x) {
    return x + *p; // explain: select_code merged "operand in memory"; -> "addl"
}
