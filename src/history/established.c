// What checkers establish, in a line for each pass.
#include "history/history_private.h"

const char *history_established(PassId pass) {
    (void)pass;
    return NULL;
}
