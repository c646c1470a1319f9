// One of the names is wrong.
int same(int width, int height) {
    return width == width && height > 0; // mistake
}
