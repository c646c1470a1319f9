// Objects, with the programs that they are compared with, of shapes that are hard on who compares
// them.
#pragma once

#include "base/out.h"
#include "form/program.h"

typedef struct {
    const char *name;
    bool good; // whether the object is what the program says
} HostileObject;

extern const HostileObject hostile_objects[];
extern const uint32_t hostile_object_count;

// The object, of which some part has the size n, and the program.
void hostile_object(Out *object, Program *program, const HostileObject *shape, uint32_t n);
