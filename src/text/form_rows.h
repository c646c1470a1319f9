// A row of forms.def as data, for the two tables that are made of such rows: form_tables.c and
// gatecheck/gatecheck_forms.c.
#pragma once

#include "form/forms.h"

#define BODY_ROW(id, counts, m)                                                                    \
    [BODY_##id] = {.name = #id,                                                                    \
                   .unit = counts,                                                                 \
                   .size = id##_size,                                                              \
                   .copy = id##_copy,                                                              \
                   .mentions = id##_mentions,                                                      \
                   .is_final = id##_is_final,                                                      \
                   .site_print = id##_site_print},
// Without parsers: certificates do not have the text of forms.
#define CHECKED_FORM_ROW(id, text, made_of, m)                                                     \
    [FORM_##id] = {.name = #text, .meaning = m, .body = BODY_##made_of, .verify = text##_verify},
// Only that it exists.
#define NAMED_FORM_ROW(id, text, made_of, m)                                                       \
    [FORM_##id] = {.name = #text, .meaning = m, .body = BODY_##made_of},
#define FORM_ROW(id, text, made_of, m)                                                             \
    [FORM_##id] = {.name = #text,                                                                  \
                   .meaning = m,                                                                   \
                   .body = BODY_##made_of,                                                         \
                   .verify = text##_verify,                                                        \
                   .parse_begin = text##_parse_begin,                                              \
                   .parse_line = text##_parse_line,                                                \
                   .parse_end = text##_parse_end},
