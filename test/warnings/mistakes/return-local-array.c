// The array is gone when the caller looks at it.
char *name_of(int number) {
    char text[8] = "no. ";
    text[3] = (char)('0' + number % 10);
    return text; // mistake
}
