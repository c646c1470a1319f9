// A body that is too large for a call in no loop, but marked.
__attribute__((always_inline)) static inline unsigned mix(unsigned a, unsigned b) {
    a ^= b << 3;
    a += b >> 5;
    b ^= a * 2654435761u;
    b -= a << 7;
    a ^= a >> 11;
    b ^= b >> 13;
    a += 0x9e3779b9;
    b += a ^ 0x7f4a7c15;
    return a ^ b;
}
unsigned f(unsigned x, unsigned y) {
    unsigned first = mix(x, 1); // explain: inline_calls inlined "marked always_inline"
    return first + mix(y, 2);   // explain: inline_calls inlined "marked always_inline"
}
