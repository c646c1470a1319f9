// RecordTable: structures as tables of fields, so that one description serves to read and to write.
//
// A text names each field that does not have its usual value. The binary encoding takes advantage
// of likely values: reader and writer have another record at hand, the best guess. A pattern says
// for each field whether it has its usual value, the guess's value, or another; for words and the
// like the pattern also says which word. Patterns are numbered as they come up in the file. A
// record begins with the number of its pattern; the values that the pattern leaves open follow.
#pragma once

#include "cert/tokens.h"
#include "form/program.h"

//   FLAG    0 or 1, a name alone in texts
//   WORD    one of few values that have names
//   SMALL   one of few numbers
//   NUMBER  any number, encoded against the guess
//   SIGNED  the same, with a sign
//   SYMBOL  the number of a symbol, a name in texts
//   BYTES   a string, one a record
//   LIST    of numbers; SIGNED_LIST the same with signs
typedef enum {
    FIELD_FLAG,
    FIELD_WORD,
    FIELD_SMALL,
    FIELD_NUMBER,
    FIELD_SIGNED,
    FIELD_SYMBOL,
    FIELD_BYTES,
    FIELD_LIST,
    FIELD_SIGNED_LIST
} FieldKind;

typedef struct {
    const char *name;
    FieldKind kind;
    uint64_t usual;  // a list and a string are usually empty
    uint64_t most;   // of NUMBER, SMALL and LIST
    WordName *words; // of WORD; of others NULL
    uint32_t list;   // of a LIST: which one of the record
    bool place;      // of machine code: a place, see RecordTable.allocated
} RecordField;

// In a list: the node of this form that an old one has become, written @OLD. Above all numbers of
// nodes.
#define OLD_NODE ((uint64_t)1 << 31)

enum { RECORD_FIELDS = 40, RECORD_LISTS = 4 };

typedef struct {
    uint64_t value
        [RECORD_FIELDS]; // of a LIST in a guess: what the first number is near to, if the guess has none
    VEC(uint64_t) list[RECORD_LISTS];
    TokenBytes bytes;
} TokenRecord;

// The records of one type in a file.
typedef struct {
    const RecordField *fields;
    uint32_t count;
    const Program *program; // whose symbols are meant; may be NULL if there are none
    bool allocated;         // places are machine registers, which have names in texts, then spills
    Arena *arena;
    VEC(uint64_t) patterns; // `count` numbers each
    Table table;            // of patterns, for writing
} RecordTable;

// A kind that stands in one number with the number of the pattern: one of so many kinds. `index` is
// the number of the pattern, if it was read already.
typedef struct {
    uint32_t kind, kinds;
    bool has_index;
    uint64_t index;
    const char *remark; // for readers of the text; NULL if there is none
} RecordHead;

void record_code(TokenStream *t, RecordTable *records, TokenRecord *record,
                 const TokenRecord *guess);
void record_code_behind(TokenStream *t, RecordTable *records, const RecordHead *head,
                        TokenRecord *record, const TokenRecord *guess);
// Sets every field to its usual value.
void record_clear(const RecordTable *records, TokenRecord *record);
bool record_same(const RecordTable *records, const TokenRecord *a, const TokenRecord *b);

// A symbol by its number, in texts by its name.
Sym token_symbol(TokenStream *t, const Program *program, Sym symbol);
