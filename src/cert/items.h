// The items of a certificate, behind its declarations.
#pragma once

#include "cert/tokens.h"
#include "check/passes.h"
#include "form/program.h"

typedef enum { ITEM_CERTIFY, ITEM_RESUME } CertItem;
typedef enum { PART_STEP, PART_OFFER, PART_END } CertPart;

static inline const char *item_word(uint32_t item) {
    return item == ITEM_CERTIFY ? "certify" : item == ITEM_RESUME ? "resume" : NULL;
}
static inline const char *part_word(uint32_t part) {
    static const char *const names[] = {"step", "offer", "end"};
    return part <= PART_END ? names[part] : NULL;
}
static inline const char *pass_word(uint32_t pass) {
    return pass < PASS_COUNT ? pass_table[pass].name : NULL;
}
