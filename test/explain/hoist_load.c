// options: --off=son_build --on=hoist,forward
// The loop writes to no memory: what it loads is loaded once in front of it, and the load in it finds that.
int limit;
int f(int n) {
    int s = 0, i = 0;
    do {
        s += limit; // explain: hoist copied "in front of"; forward merged "what the load"
        i++;
    } while (i < n);
    return s;
}
