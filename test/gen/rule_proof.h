// Proofs of rows of rules.def at full width, as questions to solvers: a row by itself, in cases, or
// step by step (rules_proof.txt). A row is proved if the answer to all its questions is "unsat".
#pragma once

#include "test/gen/rule_smt.h"

typedef enum { ASK_Z3, ASK_CVC5, ASK_CVC5_LINEAR, ASKED_COUNT } Asked;

typedef struct {
    uint32_t rule;
    char *text; // ends with one check-sat
    char answer;
    double seconds;
} Question;

typedef struct {
    Question *at;
    uint32_t count, capacity;
} Questions;

typedef struct {
    char *text;          // of the file
    const char **starts; // per row of rules.def: the line after "row", NULL if there is none
    uint32_t rows;       // that are named
} RuleHints;

typedef enum { BY_ITSELF, IN_CASES, IN_STEPS } HowProved;

RuleHints rule_hints_read(const char *path);
void rule_hints_free(RuleHints *hints);
bool hint_takes_long(const char *hint);
HowProved how_proved(const char *hint);
void question_add(Questions *questions, uint32_t rule, Out *text);
// Adds what is to be asked to prove the row. `bits` is who is asked about bits.
void rule_questions(uint32_t rule, const char *hint, Questions *bits, Questions by[ASKED_COUNT]);
