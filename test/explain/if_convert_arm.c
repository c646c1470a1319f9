// What stands on a short way is done whichever way is taken.
int f(int c, int a, int b) {
    int r = a;
    if (c > 3) r = a ^ b; // explain: if_convert copied "whichever way"
    return r * 5;
}
