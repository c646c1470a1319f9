int f(int n, int *p) {
    int r = 0;
    for (int i = 0; i < n; i++) { if (p[i] & 1) continue; else r += p[i]; if (r > 100) break; }
    while (n--) do { r ^= n; } while (0);
    switch (r) { case 1 ... 3: r++; case 4: { default: r--; break; } case -1: goto out; }
    { int v[n + 1]; v[0] = r; r = v[0] + (int)sizeof v; }
out:
    return r ? r : -1;
}
