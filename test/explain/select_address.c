// The index, its scale and the addition are part of the address.
long f(const long *a, long i) {
    return a[i + 2] * 3; // explain: select_code merged "in its address"; -> "16(%rdi,%rsi,8)"
}
