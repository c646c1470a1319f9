// options: --off=son_build --on=copy_prop
// A variable that is a copy of another is that one.
int f(int a, int b) {
    int x = a; // explain: copy_prop merged "copy of %a.0, a parameter"
    return x * b;
}
