// invert_loops does the test twice; the sum that it compares with is computed once, before the loop.
int g(void);
void f(int n) {
    for (int i = 0; i < n + 1; i++) // explain: son_build merged "same operator"; -> "leal 1(%rdi)"
        g();
}
