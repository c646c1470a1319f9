// Confines the files that a source sent by a served page may include: the file for which the server
// was started, the files that it includes, and headers of the system. All other files do not exist
// for it.
//
// The real file behind a name counts, whatever dots and links are on the way.
#pragma once

#include "base/vec.h"

typedef struct {
    Arena *arena;
    VEC(const char *) files;       // by their real paths
    VEC(const char *) directories; // the system's, likewise
} Confinement;

// Both ignore what does not exist.
void confine_allow_file(Confinement *confinement, const char *path);
void confine_allow_directory(Confinement *confinement, const char *path);
// The directories in which the preprocessor looks for <names>, and where our own headers are, or
// NULL.
void confine_allow_system(Confinement *confinement, const char *own);
// For PpOptions.read; the context is the confinement.
bool confine_read(void *context, Arena *arena, const char *path, char **text, size_t *length);
