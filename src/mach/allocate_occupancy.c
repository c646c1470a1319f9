// Which ranges of a machine register are taken: sorted ranges in chunks of at most CHUNK_SIZE, so
// that adding and removing one moves few others, and finding one is two binary searches.
#include "mach/allocate_private.h"

#include <string.h>

enum { CHUNK_SIZE = 64 };

// The last chunk that starts at or before a position, or the first.
static uint32_t chunk_at(const Occupancy *occupancy, uint32_t position) {
    uint32_t low = 0, high = occupancy->chunks.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (occupancy->chunks.at[middle].at[0].start <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

// The first range of a chunk that ends after a position.
static uint32_t range_after(const TakenChunk *chunk, uint32_t position) {
    uint32_t low = 0, high = chunk->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (chunk->at[middle].end <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static TakenChunk *insert_chunk(Arena *arena, Occupancy *occupancy, uint32_t at) {
    TakenChunk *added = vec_extend(arena, &occupancy->chunks, 1);
    TakenChunk *place = occupancy->chunks.at + at;
    memmove(place + 1, place, (size_t)(added - place) * sizeof *place);
    *place = (TakenChunk){.at = ARENA_ARRAY(arena, TakenRange, CHUNK_SIZE)};
    return place;
}

static void add_range(Arena *arena, Occupancy *occupancy, TakenRange range) {
    if (occupancy->chunks.count == 0) insert_chunk(arena, occupancy, 0);
    uint32_t c = occupancy->chunks.at[0].count ? chunk_at(occupancy, range.start) : 0;
    if (occupancy->chunks.at[c].count == CHUNK_SIZE) {
        TakenChunk *half = insert_chunk(arena, occupancy, c + 1);
        TakenChunk *full = half - 1;
        full->count = half->count = CHUNK_SIZE / 2;
        memcpy(half->at, full->at + CHUNK_SIZE / 2, sizeof(TakenRange) * (CHUNK_SIZE / 2));
        if (half->at[0].start <= range.start) c++;
    }
    TakenChunk *chunk = &occupancy->chunks.at[c];
    uint32_t k = range_after(chunk, range.start);
    memmove(chunk->at + k + 1, chunk->at + k, (chunk->count - k) * sizeof(TakenRange));
    chunk->at[k] = range;
    chunk->count++;
}

void occupancy_add(Arena *arena, Occupancy *occupancy, Segments segments, uint32_t piece) {
    for (uint32_t s = 0; s < segments.count; s++)
        add_range(arena, occupancy, (TakenRange){segments.at[s].start, segments.at[s].end, piece});
}

void occupancy_remove(Occupancy *occupancy, Segments segments) {
    for (uint32_t s = 0; s < segments.count; s++) {
        uint32_t c = chunk_at(occupancy, segments.at[s].start);
        TakenChunk *chunk = &occupancy->chunks.at[c];
        uint32_t k = range_after(chunk, segments.at[s].start);
        memmove(chunk->at + k, chunk->at + k + 1, (chunk->count - k - 1) * sizeof(TakenRange));
        if (--chunk->count > 0 || occupancy->chunks.count == 1) continue;
        memmove(chunk, chunk + 1, (occupancy->chunks.count - c - 1) * sizeof *chunk);
        occupancy->chunks.count--;
    }
}

static bool is_found(const Allocator *a, uint32_t piece) {
    for (uint32_t k = 0; k < a->found.count; k++)
        if (a->found.at[k] == piece) return true;
    return false;
}

void occupancy_meet(Arena *arena, const Occupancy *occupancy, Segments segments, uint32_t limit,
                    Allocator *a) {
    vec_clear(&a->found);
    if (occupancy->chunks.count == 0 || occupancy->chunks.at[0].count == 0) return;
    uint32_t c = 0, k = 0;
    for (uint32_t s = 0; s < segments.count; s++) {
        LiveSegment range = segments.at[s];
        c = chunk_at(occupancy, range.start);
        k = range_after(&occupancy->chunks.at[c], range.start);
        for (;;) {
            if (k == occupancy->chunks.at[c].count) {
                k = 0;
                if (++c == occupancy->chunks.count) break;
            }
            TakenRange taken = occupancy->chunks.at[c].at[k++];
            if (taken.start >= range.end) break;
            if (is_found(a, taken.piece)) continue;
            vec_push(arena, &a->found, taken.piece);
            if (a->found.count > limit) return;
        }
    }
}
