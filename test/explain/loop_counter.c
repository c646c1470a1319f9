// A counter that nothing reads but its own test stays; what it was compared with is computed once.
int g(void);
void f(int n) {
    for (int i = 0; i < n + 1; i++) // explain: son_schedule moved "out of the loop"
        g();
}
