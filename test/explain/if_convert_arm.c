// What stands on a short way is done whichever way is taken.
int f(int c, int a, int b) {
    int r = a;
    if (c > 3) r = a ^ b; // explain: if_convert copied "the branch at node 1 goes"; -> "xorl"
    return r * 5;
}
