#include "gatecheck/gatecheck_tie.h"

#include "base/hash.h"

#include <string.h>

typedef struct {
    CodeFile *target;
    const Account *accounts;
    uint32_t count;
    bool *tied; // by account
} TieSearch;

// ---- Names, of certificates and of the file

typedef struct {
    const char *name;
    const char *certificate; // of the last that has code for it
    uint32_t certified;      // how many have
    uint32_t present;        // how often it is in the file
} TiedName;

typedef struct {
    Arena *arena;
    Table table;
    VEC(TiedName) all;
} TiedNames;

static TiedName *name_entry(TiedNames *names, const char *name) {
    uint64_t hash = hash_bytes(name, strlen(name));
    uint32_t at = table_first(&names->table, hash), id;
    while ((id = table_id(&names->table, hash, &at)) != HASH_NONE)
        if (strcmp(names->all.at[id].name, name) == 0) return &names->all.at[id];
    table_insert(names->arena, &names->table, hash, names->all.count);
    vec_push(names->arena, &names->all, (TiedName){.name = name});
    return &names->all.at[names->all.count - 1];
}

static void add_certified(TiedNames *names, const Account *account, const char *name) {
    TiedName *entry = name_entry(names, name);
    entry->certificate = account->path;
    entry->certified++;
}

// Code that is not needed may be in an object or not: it was compared if it is there. Elsewhere who
// knows whose it is.
static void add_account(TiedNames *names, const Account *account) {
    for (uint32_t i = 0; i < account->functions.count; i++)
        if (has_code(&account->functions.at[i]) ||
            (account->compared && has_unused_code(&account->functions.at[i])))
            add_certified(names, account, account->functions.at[i].name);
    for (uint32_t i = 0; i < account->others.count; i++)
        add_certified(names, account, account->others.at[i]);
}

static void cover_functions(CodeFile *target, TiedNames *names, const ObjectNotes *notes) {
    for (uint32_t i = 0; i < notes->functions.count; i++)
        name_entry(names, notes->functions.at[i])->present++;
    for (uint32_t i = 0; i < notes->functions.count; i++) {
        const TiedName *entry = name_entry(names, notes->functions.at[i]);
        bool covered = entry->present <= entry->certified;
        CodeFunction function = {.name = entry->name,
                                 .certificate = covered ? entry->certificate : NULL};
        vec_push(target->arena, &target->functions, function);
        target->covered += covered;
    }
}

// ---- Notes

static bool is_unchanged(const CertificateClaim *claim, const CodePiece *piece, uint64_t note) {
    Digest digest = note_object_digest(piece->text, piece->length, note);
    return memcmp(&digest, &claim->digests[DIGEST_OBJECT], DIGEST_BYTES) == 0;
}

// Whether a piece is what was compared with a certificate, or the same bytes: an archive may have
// several with one note.
static bool was_compared(const Account *account, const CodePiece *piece) {
    const CodePiece *compared = account->compared;
    return compared && piece->length == compared->length &&
           memcmp(piece->text, compared->text, piece->length) == 0;
}

// Ties an account to a piece by a note that has its first digest; what is wrong, or NULL.
static const char *tie_account(CodeFile *target, const CodePiece *piece, uint64_t note,
                               const Account *account) {
    const CertificateClaim *claim = &account->claim;
    if (memcmp(piece->text + note, claim->digests, NOTE_BYTES) != 0) return "its note is not whole";
    // Where bytes differ says more than that they do.
    if (account->difference) return account->difference;
    if (piece_is_alone(piece) && claim->has_object && !is_unchanged(claim, piece, note))
        return "it is not the object that the certificate was made with: it was changed";
    target->compared &= was_compared(account, piece);
    return NULL;
}

// Ties one object or program; what is wrong with it, or NULL.
static const char *tie_piece(TieSearch *search, const CodePiece *piece) {
    CodeFile *target = search->target;
    const ObjectNotes *notes = &piece->notes;
    TiedNames names = {.arena = target->arena};
    bool stranger = true;
    for (uint32_t i = 0; i < notes->at.count; i++) {
        uint32_t which = 0;
        while (which < search->count &&
               !note_is_of(piece->text + notes->at.at[i], &search->accounts[which].claim))
            which++;
        target->other_notes += which == search->count;
        if (which == search->count) continue;
        const Account *account = &search->accounts[which];
        const char *problem = tie_account(target, piece, notes->at.at[i], account);
        if (problem) return problem;
        search->tied[which] = true;
        stranger = false;
        add_account(&names, account);
    }
    target->unnamed |= !notes->named;
    target->strangers += stranger;
    cover_functions(target, &names, notes);
    return NULL;
}

static const char *why_untied(const TieSearch *search) {
    uint32_t tied = 0;
    const char *other = NULL;
    for (uint32_t i = 0; i < search->count; i++) {
        tied += search->tied[i];
        if (!search->tied[i]) other = search->accounts[i].path;
    }
    if (!other) return NULL;
    if (!tied && !search->target->other_notes)
        return "it does not say which certificate it belongs to";
    return arena_printf(search->target->arena, "it does not belong to '%s'", other);
}

const char *target_tie(CodeFile *target, const Account *accounts, uint32_t count) {
    TieSearch search = {.target = target,
                        .accounts = accounts,
                        .count = count,
                        .tied = ARENA_ARRAY(target->arena, bool, count)};
    target->compared = true;
    for (uint32_t i = 0; i < target->pieces.count; i++) {
        const char *problem = tie_piece(&search, &target->pieces.at[i]);
        if (problem) return problem;
    }
    return why_untied(&search);
}
