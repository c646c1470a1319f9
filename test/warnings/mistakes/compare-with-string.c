// Pointers are compared, not the characters.
int is_yes(const char *answer) {
    return answer == "yes"; // mistake
}
