// options: -fsanitize=signed-integer-overflow -fsanitize-trap
// A check that a sum fits is a jump on the flag that the sum sets.
int f(int a, int b) {
    return (a + b) * 7; // explain: select_code merged "traps if"; -> "addl"; -> "imull"; -> "jo"
}
