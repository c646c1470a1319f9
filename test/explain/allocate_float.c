// A call destroys all registers of floating-point numbers: what is needed behind it is in memory.
double g(void);
double f(double s, int n) {
    double t = s * 3; // explain: allocate spilled "destroys xmm"
    t += g();
    for (int i = 0; i < n; i++) t += s;
    return t;
}
