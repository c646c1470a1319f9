// The same body, not marked: it is worth its size in a loop only.
unsigned mix(unsigned a, unsigned b) {
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
unsigned f(unsigned x, int n) {
    for (int i = 0; i < n; i++)
        x = mix(x, 1); // explain: inline_calls inlined "the call runs often"
    return mix(x, 2);  // explain: inline_calls kept "where the call is in no loop"
}
