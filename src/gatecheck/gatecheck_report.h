// gatecheck's output about valid certificates: four lines, the names behind their counts, and the
// report for an assessor.
#pragma once

#include "gatecheck/gatecheck_tie.h"

typedef struct {
    Arena *arena;
    const Account *accounts;
    uint32_t count;
    const CodeFile *target; // NULL if no file was given
} Verdicts;

// Lines that start with "shown:", "bytes:", "assumed:" and "machine:".
void report_lines(Out *out, const Verdicts *verdicts);
// A line for each name that these count.
void report_names(Out *out, const Verdicts *verdicts);
void report_page(Out *out, const Verdicts *verdicts, bool html);

// The files that gatecheck is made of; the last has no name. tools/trusted --source writes them
// when gatecheck is linked.
typedef struct {
    const char *name;
    uint32_t lines, code; // all of its lines, and those of code
} TrustedFile;
extern const TrustedFile trusted_files[];
