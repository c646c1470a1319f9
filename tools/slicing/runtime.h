// What versions of random functions and what runs them (runtime.c) know of each other.
#ifndef SLICING_RUNTIME_H
#define SLICING_RUNTIME_H

enum {
    EVERYTHING = -4, // all output, the result and what is left in memory
    PLACES = -5,     // which places of the original are reached at all; there is no slice
};

typedef struct {
    const char *name; // NULL after the last
    void (*original)(const int *arguments, int *out, int twice, int **shared);
    void (*slice)(const int *arguments, int *out, int twice, int **shared);
    int wanted; // the number of the events that count, or EVERYTHING
} Case;

extern const Case cases[];

void observe(int id, const void *bytes, unsigned long size);
long observe_value(int id, long value);
void deeper(int calls); // what follows is in so many more calls of the function from itself

#endif
