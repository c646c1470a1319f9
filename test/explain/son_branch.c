// The same branch in the Sea of Nodes.
int f(int x) {
    int debug = 0;
    if (debug)      // explain: son_optimize decided "ne.i32 0, 0 is 0"
        x = x * 17; // explain: son_optimize removed "no way leads there"
    return x;
}
