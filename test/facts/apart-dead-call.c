// The call with the address is dead, so nobody has the address, and the local keeps its value.
// run: int f(int *, int)
void never(void);
void give(int *);

int f(int *p, int x) {
    int kept = 7;
    if ((x & 7) > 7) give(&kept);
    *p = x;
    if (kept != 7) never();
    return x;
}
