// Nobody reads the memory, so the store is dead, and nobody sees the pair of malloc and free.
// run: int f(int)
void *malloc(unsigned long);
void free(void *);

int f(int x) {
    int *p = malloc(16);
    if (p) *p = x;
    free(p);
    return x;
}
