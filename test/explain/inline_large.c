// A function that is large and called from several places stays where it is.
unsigned mix(unsigned a, unsigned b) {
    for (int i = 0; i < 9; i++) {
        a ^= b << 3;
        a += b >> 5;
        b ^= a * 2654435761u;
        b -= a << 7;
        a ^= a >> 11;
        b ^= b >> 13;
        a += 0x9e3779b9;
        b += a ^ 0x7f4a7c15;
        if (a & 1) a ^= 0xedb88320;
        if (b & 2) b ^= 0x82f63b78;
    }
    return a ^ b;
}
unsigned f(unsigned x) {
    return mix(x, 1) + mix(x, 2); // explain: inline_calls kept "has 26 nodes, limit 22"
}
