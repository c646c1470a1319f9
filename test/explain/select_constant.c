// One constant for two calls: it is made for each of them.
int g(int);
int f(void) {
    g(7);        // explain: select_code copied "made where"; -> "movl $7, %edi"
    return g(7); // explain: son_build merged "same operator"
}
