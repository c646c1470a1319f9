long g(long a, unsigned b, float c, double d) {
    int k = a < b && c != d || !(a ^ b), *q = &k;
    a += b <<= 2, b %= 7, c /= 3, d -= a, k = ~k, *q *= -1;
    return k ?: (a > 0 ? (char)b : (short)c) + sizeof(int[3]) + *q++ + --k + (q - &k);
}
_Bool h(void *p, char *s) { return p && *s++ == 'x' && s[1] == L'\u00e9'; }
