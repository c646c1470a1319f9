// More values are alive across a call than the registers that it leaves alone.
int g(int);
int f(int a, int b, int c, int d, int e, int h) {
    int p = a * b, q = b * c, r = c * d, s = d * e, t = e * h, u = h * a,
        v = a * c; // explain: allocate spilled "is spilled"
    int w = g(p);
    return p + q * w + r * w + s - t + u * w + v * a + b + c + d * w + e + h;
}
