// A division by zero is a wrong step: it is done only where the branch has seen that it is none.
int f(int a, int b) {
    int r = 1;
    if (b)         // explain: if_convert kept "may go wrong"
        r = a / b; // explain: -> "idivl"
    return r + a;
}
