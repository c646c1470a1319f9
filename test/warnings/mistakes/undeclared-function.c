// The header is missing.
int length(const char *text) {
    return (int)strlen(text); // mistake
}
