// An object whose flexible array has elements that other files do not know of.
struct derived {
    int x;
    char name[];
} elsewhere = {1, "0123456789012345"};
