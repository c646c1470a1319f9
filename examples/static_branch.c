// A branch that other code can switch by rewriting an instruction: where it is, where it leads and by which
// key it is known stand in a table. The operands are constants once the function is inlined.
struct key {
    int on;
};
static inline __attribute__((always_inline)) int enabled(struct key *key, int likely) {
    asm goto("1: nop; .pushsection keys, \"aw\"; .quad 1b, %l[yes], %c0 + %c1; .popsection"
             :
             : "i"(key), "i"(likely)
             :
             : yes);
    return 0;
yes:
    return 1;
}
static struct key keys[2];
int f(void) {
    return enabled(&keys[1], 1);
}
