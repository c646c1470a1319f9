#include "driver/gatecheck_tie.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Target *target;
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

static void add_account(TiedNames *names, const Account *account) {
    for (uint32_t i = 0; i < account->functions.count; i++)
        if (has_code(&account->functions.at[i]))
            add_certified(names, account, account->functions.at[i].name);
    for (uint32_t i = 0; i < account->others.count; i++)
        add_certified(names, account, account->others.at[i]);
}

static void cover_functions(Target *target, TiedNames *names, const ObjectNotes *notes) {
    for (uint32_t i = 0; i < notes->functions.count; i++)
        name_entry(names, notes->functions.at[i])->present++;
    for (uint32_t i = 0; i < notes->functions.count; i++) {
        const TiedName *entry = name_entry(names, notes->functions.at[i]);
        bool covered = entry->present <= entry->certified;
        TargetFunction function = {.name = entry->name,
                                   .certificate = covered ? entry->certificate : NULL};
        vec_push(target->arena, &target->functions, function);
        target->covered += covered;
    }
}

// ---- Notes

// The account to which a note belongs; `count` if it is none of them.
static uint32_t account_of(const TieSearch *search, const char *note) {
    uint32_t i = 0;
    while (i < search->count &&
           memcmp(note, &search->accounts[i].claim.digests[DIGEST_CERTIFICATE], DIGEST_BYTES) != 0)
        i++;
    return i;
}

static bool is_unchanged(const CertificateClaim *claim, const char *text, size_t length,
                         uint64_t note) {
    Digest digest = note_object_digest(text, length, note);
    return memcmp(&digest, &claim->digests[DIGEST_OBJECT], DIGEST_BYTES) == 0;
}

// Ties one object or program; what is wrong with it, or NULL.
static const char *tie_piece(TieSearch *search, const char *text, size_t length,
                             const ObjectNotes *notes) {
    Target *target = search->target;
    TiedNames names = {.arena = target->arena};
    bool alone = !notes->linked && notes->at.count == 1;
    for (uint32_t i = 0; i < notes->at.count; i++) {
        const char *note = text + notes->at.at[i];
        uint32_t which = account_of(search, note);
        target->other_notes += which == search->count;
        if (which == search->count) continue;
        const CertificateClaim *claim = &search->accounts[which].claim;
        if (memcmp(note, claim->digests, NOTE_BYTES) != 0) return "its note is not whole";
        if (alone && claim->has_object && !is_unchanged(claim, text, length, notes->at.at[i]))
            return "it is not the object that the certificate was made with: it was changed";
        target->by_digest &= alone && claim->has_object;
        search->tied[which] = true;
        add_account(&names, &search->accounts[which]);
    }
    target->unnoted += !notes->at.count;
    target->unnamed |= !notes->named;
    cover_functions(target, &names, notes);
    return NULL;
}

// ---- Archives

#define ARCHIVE_START "!<arch>\n"
enum { MEMBER_HEADER = 60, MEMBER_SIZE = 48, MEMBER_DIGITS = 10 };

// Members that are no objects are tables of the archive.
static const char *tie_members(TieSearch *search, const char *text, size_t length) {
    size_t at = strlen(ARCHIVE_START);
    while (length - at >= MEMBER_HEADER) {
        char digits[MEMBER_DIGITS + 1] = {0};
        memcpy(digits, text + at + MEMBER_SIZE, MEMBER_DIGITS);
        uint64_t size = strtoull(digits, NULL, 10);
        at += MEMBER_HEADER;
        if (size > length - at) return "the archive is not whole";
        ObjectNotes notes;
        const char *problem = NULL;
        if (notes_find(search->target->arena, text + at, size, &notes))
            problem = tie_piece(search, text + at, size, &notes);
        if (problem) return problem;
        at += size;
        at += at % 2 && at < length;
    }
    return NULL;
}

// ---- All of it

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

const char *target_check(Target *target, const char *text, size_t length, const Account *accounts,
                         uint32_t count, bool *readable) {
    TieSearch search = {.target = target,
                        .accounts = accounts,
                        .count = count,
                        .tied = ARENA_ARRAY(target->arena, bool, count)};
    ObjectNotes notes;
    size_t start = strlen(ARCHIVE_START);
    const char *problem;
    bool archive = length >= start && memcmp(text, ARCHIVE_START, start) == 0;
    *readable = archive || notes_find(target->arena, text, length, &notes);
    if (!*readable) return "it is not an object file of this machine";
    target->kind = archive ? "archive" : notes.linked ? "program" : "object";
    target->by_digest = true;
    problem =
        archive ? tie_members(&search, text, length) : tie_piece(&search, text, length, &notes);
    return problem ? problem : why_untied(&search);
}
