// A constant of another enumeration.
enum colour { RED, GREEN };
enum size { SMALL, LARGE };
enum colour paint(void) {
    enum colour colour = LARGE; // mistake
    return colour;
}
