int f(unsigned x, int a) {
    int r;
    if (__builtin_expect(__builtin_add_overflow(a, 1, &r), 0)) __builtin_unreachable();
    char *p = __builtin_alloca(x); __builtin_memset(p, 0, x);
    r += __builtin_clz(x) + __builtin_popcountll(x) + __builtin_bswap32(x) + __builtin_constant_p(1);
    return r + (int)__builtin_strlen("abc") + __builtin_choose_expr(1, 2, 3.0) +
           (int)__builtin_offsetof(struct { int a, b[3]; }, b[1]) + __builtin_types_compatible_p(int, long);
}
double g(double d) { return __builtin_fabs(d) + __builtin_inf() + __builtin_nan(""); }
