// The same with all that is usual: the inner branch is implied, so the outer one decides it.
int g(int);
int f(int a, int b) {
    if (a < b) {
        g(1);
        if (b > a) // explain: son_optimize decided "the branch at node 0 went to node 1"
            return g(2);
        return g(3); // explain: son_optimize removed "the branch at node 3 never goes that way"
    }
    return 0;
}
