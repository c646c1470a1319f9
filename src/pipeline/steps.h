// The order in which passes run, from passes.def.
#pragma once

#include "check/passes.h"

PassId pass_named(const char *name); // PASS_COUNT if there is none

// One run of a pass. A step is called by its pass's name; from its second run on with the number
// after it: NAME, NAME.2.
typedef struct {
    PassId pass;
    uint32_t level;     // runs at -O of at least this
    uint32_t run;       // 1 for the first step of its pass
    const char *reason; // the reason for its place in the order
} Step;

enum { LEVEL_REQUEST = 99 }; // above every -O

extern const uint32_t step_count;
Step step_at(uint32_t step);
PassId step_pass(uint32_t step);
uint32_t step_first(PassId pass); // every pass has one
uint32_t step_level(uint32_t step);
uint32_t step_named(const char *name); // step_count if there is none
const char *step_name(Arena *arena, uint32_t step);

// The action on a function behind the last step. No checker stands behind it.
typedef struct {
    const char *name;
    const char *meaning;
    Form from;
} FinishInfo;

extern const FinishInfo finish_info;

// The excursion, checked as a whole, that a pass stands inside of; NULL if there is none.
const Excursion *excursion_around(PassId pass);
// Switches on the passes of a step's excursion that is checked as a whole, but for passes that are
// off. Nothing happens if it belongs to none. Both arrays are by pass.
void excursion_switch_on(uint32_t step, bool *on, const bool *off);

// Whether the steps of passes.def are in an order that gives each pass the properties that it
// needs, every way back belongs to an excursion, unchecked steps stand inside of an excursion that
// is checked as a whole, and the last step leads to the form in which functions are finished;
// yields the name of the row if not.
bool pipeline_consistent(const char **reason);
