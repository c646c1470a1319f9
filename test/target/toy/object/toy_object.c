// There are no objects of the toy machine.
#include "elf/object_file.h"

static bool refuse(ObjectFile *object) {
    object->problem = "the toy machine has no objects";
    return false;
}

extern const TargetObject toy_object;

const TargetObject toy_object = {.open = refuse};
