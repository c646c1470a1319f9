// The page as it was when the program was built: tools/bundle-page makes it of src/explore/page.
#pragma once

#include <stdint.h>

typedef enum { PAGE_POLICY, PAGE_STYLE, PAGE_DATA, PAGE_SCRIPT, PAGE_END } PageMark;

// The frame, cut at its marks.
typedef struct {
    const char *before; // the mark
    PageMark what;
} PagePart;

extern const PagePart page_parts[];
extern const uint32_t page_part_count;
extern const char page_style[];
extern const char page_script[];
