// gate explore: a page on which functions can be followed from C to machine code.
#pragma once

int gate_explore(int argc, char **argv);
