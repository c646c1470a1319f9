// Records a run of main: the items that were executed, one after the other, and their results. The
// run touches no files, reads no input and writes nothing, and ends after a given number of items.
#pragma once

#include "run/world/run.h"
#include "text/print/print_items.h"

typedef struct {
    const Func *func;
    Item item;
    uint32_t value; // number of the text of its result, in RunRecord.values; NO_ID if there is none
} RecordStep;

typedef struct {
    uint32_t depth, count; // so many steps one after the other, this deep in calls
} RecordDepth;

typedef struct {
    uint32_t step; // number of the step that was due when it happened
    const char *text;
} RecordEvent;

typedef struct {
    VEC(RecordStep) steps;
    VEC(RecordDepth) depths;
    VEC(RecordEvent) events;
    VEC(const char *) values; // each text once
    const char *end;          // "exit 0", "wrong: ..."
    bool cut;                 // the limit was reached
} RunRecord;

// The program is verified. Everything in the record lives in the arena.
void watch_record(Arena *arena, const Program *program, int argc, char **argv, uint32_t limit,
                  RunRecord *record);
