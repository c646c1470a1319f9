// The history of each operation of a function, as a chain of events: gate explain prints the
// chains, and the remarks of gatecc are the same events, one by one.
//
// An *operation* is an instruction that the front end made, or that came with a body in the place
// of a call. Its chain has an *event* for each remark of a step that is about the operation or
// about its successors: copies, something cheaper, the same in another form. In the end the
// operation has become machine instructions, or nothing: its *fate* says why.
#pragma once

#include "history/history.h"

typedef struct {
    uint32_t step; // of the pipeline
    uint8_t kind;  // RemarkKind
    const char *text;
    const char *other;  // the item that is the reason, as the form of that time has it; or NULL
    uint32_t other_loc; // of that; 0 if unknown
    bool aside;         // it is told elsewhere, too
    uint32_t times;     // as many of what the operation has become are concerned
} ExplainEvent;

typedef enum {
    FATE_LIVES,    // in machine instructions
    FATE_MERGED,   // something else has its value
    FATE_FOLDED,   // its value is a constant
    FATE_DECIDED,  // it always goes one way
    FATE_REMOVED,  // nothing needs it
    FATE_INLINED,  // a call whose body is there instead
    FATE_REPLACED, // something cheaper has its value
    FATE_CODELESS, // it is part of others, or needs no instruction in its place
    FATE_WAITS,    // the function itself makes no code: its body is where it was called
    FATE_UNKNOWN,  // it is gone, and no step has said why
    FATE_COUNT
} Fate;

typedef struct {
    uint32_t loc;
    const char *text; // as RTL has it, without label and successors
    bool copied_in;   // with a body
    Sym from;         // the function whose body that is; NO_SYM if it is not known
    uint32_t call;    // the location of the inlined call around it; 0 if it is not known
    uint8_t fate;     // Fate
    VEC(ExplainEvent) events;
    VEC(uint32_t) code; // items of the function at its end
} ExplainedOperation;

// A remark that is about no operation: what steps added, or have not done.
typedef struct {
    uint32_t loc;
    ExplainEvent event;
    const char *item; // the present item; or NULL
} LooseEvent;

typedef struct {
    const FunctionHistory *history;
    HistoryState end;                   // as the last step has left it
    const char *const *end_texts;       // of its items, if that is machine code; else NULL
    VEC(ExplainedOperation) operations; // in the order of the source
    VEC(LooseEvent) loose;              // likewise
} Explanation;

// By location: the symbol of the function that has an instruction there from the start; NO_ID if
// there is none.
const uint32_t *explain_bodies(Arena *arena, const History *history, const Program *program);
// `bodies` tells whose bodies were copied; NULL if nobody wants to know that, or the texts of other
// items.
Explanation *explain_function(Arena *arena, const FunctionHistory *function,
                              const uint32_t *bodies);

// "gvn: merged: equal to %3.1, computed at node 5, which dominates (line 9)": what gate explain and
// remarks have to say of an event of something at a location.
void event_print(Out *out, const Program *program, const ExplainEvent *event, uint32_t loc);
// Whether an event only says that something has another form: shown only on request.
bool event_is_quiet(const ExplainEvent *event);
// Whether it tells of something that was not done, or cost something.
bool event_is_missed(const ExplainEvent *event);
// Whether an event that is about no operation is worth telling.
bool explain_is_told(const ExplainEvent *event);
const char *fate_name(Fate fate); // "merged", "constant"
