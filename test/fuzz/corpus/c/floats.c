long double l(long double a, unsigned long b) { return a * b + (long double)(float)b; }
int c(float a, double b) { return a < b || a != a ? (int)b : (unsigned char)a; }
unsigned long u(double d) { return (unsigned long)d; }
volatile float v; float inc(void) { return v++ + --v; }
