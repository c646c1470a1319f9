// A parameter that is written as an array is a pointer.
unsigned long room(char buffer[100]) {
    buffer[0] = 0;
    return sizeof buffer; // mistake
}
