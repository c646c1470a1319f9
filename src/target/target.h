// The record of a machine: one row of targets.def, one folder of src/target. A compiler is told its
// target once, by name or triplet, and hands the record on; a program carries the model alone, from
// which target_record finds the rest.
#pragma once

#include "target/code.h"
#include "target/language.h"
#include "target/model.h"

typedef struct Target {
    const TargetModel *model;       // what the machine is: trusted
    const TargetCode *code;         // how code for it is made
    const TargetLanguage *language; // what C has of it
} Target;

// One for each row of targets.def, in the order of the rows; the first is the usual one.
extern const Target targets[TARGET_COUNT];

// The record that a model belongs to. The model of no row ends the program.
const Target *target_record(const TargetModel *model);
// The record with a name or triplet; NULL if there is none.
const Target *target_named(const char *name);
