// The account of a valid certificate: the properties that it has shown of each function, and the
// declarations that it has taken on trust.
#pragma once

#include "check/replay/replay.h"
#include "elf/object_file.h"
#include "gatecheck/gatecheck_target.h"

// The kinds of things that are believed. The rows are in gatecheck_account.c.
typedef enum {
    BELIEF_EXTERNAL_FUNCTION,
    BELIEF_EXTERNAL_DATA,
    BELIEF_NORETURN,
    BELIEF_RETURNS_TWICE,
    BELIEF_CONST,
    BELIEF_THREAD,
    BELIEF_STATIC,
    BELIEF_REPLACEABLE,
    BELIEF_VISIBILITY,
    BELIEF_ALIAS,
    BELIEF_INDIRECT,
    BELIEF_STARTS,
    BELIEF_SECTION,
    BELIEF_RESERVED,
    BELIEF_ASM,
    BELIEF_FILE_ASM,
    BELIEF_PART,
    BELIEF_COUNT
} Belief;

typedef struct {
    const char *one, *many; // as it is counted
    const char *meaning;    // a sentence without its end
} BeliefInfo;
extern const BeliefInfo belief_table[BELIEF_COUNT];

typedef VEC(const char *) AccountNames;

typedef struct {
    const char *name;
    // "code"; "unused code" or "none" if the function is not needed; else its last form.
    const char *ending;
    uint64_t from, to;  // sizes of the first and the last form, as their forms count
    const char *unit;   // the unit of the last count
    AccountNames steps; // of the passes, if they are kept
    bool resumed;
} AccountFunction;
bool has_code(const AccountFunction *function); // that is needed
bool has_unused_code(const AccountFunction *function);

typedef struct {
    const char *path; // of the certificate
    Arena *arena;
    bool verbose;    // functions and steps are told as they come
    bool keep_steps; // steps are kept
    CertificateClaim claim;
    const struct TargetModel *machine; // that the code is for
    uint64_t steps;
    Coverage coverage;
    VEC(AccountFunction) functions; // in order
    AccountNames others;            // other names of functions that have code
    VEC(uint32_t) by_symbol;        // their numbers plus one
    AccountNames beliefs[BELIEF_COUNT];
    const CodeFile *target; // the file to compare with, or NULL
    const CodePiece
        *compared;     // the object of it that belongs to the certificate and was compared; or NULL
    ObjectFile object; // that
    const char *difference; // if that differs; the first
} Account;

// Replays a certificate, compares it with its object if there is an object, and keeps the account,
// which lives in its arena. The text must live as long.
ReplayStatus account_replay(Account *account, Diag *diag, bool partial, const char *text,
                            size_t length);
