// gate slice: parts of C functions.
#pragma once

// argv[1] is "slice". Yields the exit status.
int gate_slice(int argc, char **argv);
