// One of the constants is forgotten.
enum state { IDLE, BUSY, DONE };
int is_waiting(enum state state) {
    switch (state) { // mistake
    case IDLE: return 1;
    case BUSY: return 0;
    }
    return -1;
}
