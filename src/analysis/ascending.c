#include "analysis/ascending.h"

#include "form/program.h"

void mark_ascending(Arena *arena, const uint32_t *numbers, uint32_t count, bool *marked) {
    uint32_t *last = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);   // by length: of one
    uint32_t *before = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1); // the previous item of the
                                                                        // sequence
    uint32_t longest = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low = 0, high = longest;
        if (numbers[i] == NO_ID) continue;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (numbers[last[middle]] < numbers[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low ? last[low - 1] : NO_ID;
        last[low] = i;
        if (low == longest) longest++;
    }
    for (uint32_t i = longest ? last[longest - 1] : NO_ID; i != NO_ID; i = before[i])
        marked[i] = true;
}
