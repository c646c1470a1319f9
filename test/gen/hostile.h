// Certificates that would take too long: each shape has two parts that grow, and a checker or
// reader that goes through the one for each of the other takes quadratic time. They are written
// with N of each.
#pragma once

#include "base/out.h"

typedef struct {
    const char *name;
    void (*write)(Out *out, uint32_t n); // what stands between the lines at both ends
    bool valid;                          // otherwise it is refused
} HostileShape;

extern const HostileShape hostile_shapes[];
extern const uint32_t hostile_shape_count;

// The whole certificate, as text.
void hostile_certificate(Out *out, const HostileShape *shape, uint32_t n);
