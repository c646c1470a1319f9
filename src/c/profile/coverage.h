// Counting how often a program runs through its parts, in the way of gcc 12: what is to be counted,
// and what becomes known of each function while it is lowered. The graph of blocks and arcs goes to
// a file of notes (.gcno); the program counts the arcs outside of a spanning tree, and libgcov
// writes the counts to a file of data (.gcda). gcov takes both together.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/out.h"
#include "base/vec.h"

#include <stdbool.h>

// The numbers of the two blocks that every function has: control comes from the one and goes to the
// other.
enum { COVERAGE_ENTRY = 0, COVERAGE_EXIT = 1 };

enum {
    ARC_ON_TREE = 1, // not counted: it follows from the others
    ARC_FAKE =
        2, // to the exit, by a call that does not return; or from the entry, by one that does so again
    ARC_FALLS = 4, // to the next block
};

typedef struct {
    uint32_t from, to;
    uint32_t flags;
} CoverageArc;

typedef struct {
    const char *file;
    uint32_t line;
} CoverageLine;

// Lines of a block follow each other, in the order of the blocks.
typedef struct {
    uint32_t first_arc, arc_count;
    uint32_t first_line, line_count;
} CoverageBlock;

typedef struct {
    const char *name; // in the object file
    const char *file; // where it is defined
    uint32_t line, column, end_line, end_column;
    uint32_t ident, line_checksum, graph_checksum;
    uint32_t counters; // how many
    VEC(CoverageBlock) blocks;
    VEC(CoverageArc) arcs;
    VEC(CoverageLine) lines;
} CoverageFunction;

// The record of one function in a file of data.
typedef struct {
    uint32_t ident, line_checksum, graph_checksum;
    uint32_t count;          // of counters
    const uint8_t *counters; // 8 bytes each, the lowest first; NULL: all are zero
} ProfileFunction;

// A file of data that was read.
typedef struct {
    const char *path;
    bool found; // the file is there and is a file of data
    VEC(ProfileFunction) functions;
    Map of_ident;
} Profile;

typedef enum {
    PROFILE_GOOD,
    PROFILE_NOT_ONE, // it is another kind of file
    PROFILE_VERSION, // it is of another version
    PROFILE_DAMAGED  // records before the damage are there
} ProfileState;

typedef VEC(const char *) CoveragePatterns;

// The request.
typedef struct {
    bool counts;            // -fprofile-arcs, -fprofile-generate: the program counts
    bool notes;             // -ftest-coverage: there is to be a file of notes
    bool uses;              // -fprofile-use: what a program has counted is advice now
    bool atomic;            // -fprofile-update=atomic
    bool absolute;          // -fprofile-abs-path: notes have absolute names
    CoveragePatterns only;  // -fprofile-filter-files=: functions in files that one of these fits
    CoveragePatterns never; // -fprofile-exclude-files=: and that none of these fits
} CoverageOptions;

// The data of one unit.
typedef struct {
    Arena *arena;
    CoverageOptions options;
    const char *data_file;   // where the program is to write its counts
    const char *counts_file; // where a program has written them; or NULL
    const char *directory;   // where the unit is compiled
    uint32_t version;        // that libgcov has
    // The result
    VEC(CoverageFunction) functions;
    uint32_t stamp; // ties the two files to each other
} CoverageData;

static inline bool coverage_is_wanted(const CoverageOptions *options) {
    return options->counts || options->notes || options->uses;
}
// Whether functions that are defined in a file are counted.
bool coverage_takes_file(const CoverageOptions *options, const char *file);
// Computes the stamp of what is known now, and the checksum of all functions.
void coverage_settle(CoverageData *coverage);
uint32_t coverage_checksum(const CoverageData *coverage);
// The checksum of a text, as a continuation of another.
uint32_t coverage_crc(uint32_t crc, const void *bytes, size_t size);
// Reads the bytes of a file of data, which stay where they are. `version` is the version that the
// file names.
ProfileState profile_read(Profile *profile, Arena *arena, const void *bytes, size_t size,
                          uint32_t *version);
const ProfileFunction *profile_find(const Profile *profile, uint32_t ident); // NULL: not there
// The contents of the file of notes.
void coverage_print_notes(const CoverageData *coverage, Out *out);
