// The output of gate explain: the chains of history/explanation.h for the requested lines, as text
// or JSON.
#pragma once

#include "form/function_names.h"
#include "history/explanation.h"
#include "history/history_assembly.h"

typedef struct {
    const char *file;
    const char
        *given; // as the user named it, if it is another file than the compiled one: a header; else
                // NULL
    uint32_t first, last; // lines
    uint32_t column;      // 0: all of a line
} ExplainPlace;

typedef struct {
    Arena *arena;
    const Program *program;
    ExplainPlace place;
    const FunctionNames *functions;
    bool verbose; // with what only changed its form
    bool json;
    VEC(const char *) lines; // of the file, from line 1 on
} ExplainRequest;

typedef struct {
    uint32_t number; // in the history
    const Explanation *explanation;
    AssemblyLines assembly;
    uint32_t *first_line, *next_line; // by item of the end; by line of assembler text; NO_ID: none
} ExplainedFunction;

// The explanation of one line in one function.
typedef struct {
    uint32_t line;
    const ExplainedFunction *function;
    bool copied_in;
    const ExplainedOperation *operations;
    uint32_t count;
} ExplainPart;

typedef VEC(ExplainPart) ExplainParts;

// Whether what is part of no operation is to be told.
bool explain_shows(const ExplainRequest *request, const LooseEvent *loose);
// The first line of assembler text of an item of machine code; NO_ID if it has none.
uint32_t explain_first_line(const ExplainedFunction *function, uint32_t item);

// Finds the file that the lines are in, and reads them; a message in the program's memory if there
// is no such file or line.
const char *explain_find_lines(ExplainRequest *request);
void explain_print(const ExplainRequest *request, const History *history, Out *out);
