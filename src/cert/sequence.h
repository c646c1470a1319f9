// Sequences that build on others: the nodes, phis and machine instructions of a form. Many of them
// are unchanged since the previous form. A sequence consists of entries, one after the other:
//
//   keep N    the next N of the old sequence are kept: each equals its guess
//   from K    the next of the old sequence has number K
//   change    the next of the old sequence is the guess for the record that follows
//   new       a record that does not come from the old sequence
#pragma once

#include "cert/records.h"

typedef struct FormSequence FormSequence;
struct FormSequence {
    TokenStream *t;
    RecordTable *records;
    uint32_t count;     // of the sequence
    uint32_t old_count; // of the old one
    uint32_t at;        // number of what comes next
    uint32_t cursor;    // number of what comes next of the old sequence
    TokenRecord record, guess;
    void *context;
    // Makes the guess about the next record, given its old record, or NONE.
    void (*make_guess)(FormSequence *sequence, uint32_t old);
    // Adds the record, or an element that equals its guess.
    void (*add)(FormSequence *sequence, uint32_t old);
    void (*keep)(FormSequence *sequence, uint32_t old);
};

typedef enum { ENTRY_KEEP, ENTRY_FROM, ENTRY_CHANGE, ENTRY_NEW, ENTRY_KINDS } SequenceEntry;

// Reads all entries.
void sequence_read(FormSequence *sequence);
// Writes one entry; the record follows `change` and `new`.
void sequence_entry(FormSequence *sequence, SequenceEntry kind, uint32_t number);
