// Cause 4, select or branch: a queue of events as a binary heap. The smaller child is chosen by a
// comparison of loaded times, and the choice is an index or an address.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CAPACITY = 4096 };

typedef struct {
    uint64_t time;
    uint32_t source;
} Event;

typedef struct {
    int count;
    Event event[CAPACITY + 2];
} Queue;

static void push(Queue *queue, Event event) {
    int place = ++queue->count;
    while (place > 1 && queue->event[place / 2].time > event.time) {
        queue->event[place] = queue->event[place / 2];
        place /= 2;
    }
    queue->event[place] = event;
}

static Event pop(Queue *queue) {
    Event first = queue->event[1], last = queue->event[queue->count--];
    int place = 1;
    while (place * 2 <= queue->count) {
        int child = place * 2;
        if (child < queue->count && queue->event[child + 1].time < queue->event[child].time)
            child++;
        if (queue->event[child].time >= last.time) break;
        queue->event[place] = queue->event[child];
        place = child;
    }
    queue->event[place] = last;
    return first;
}

// The same with addresses: keys only, the larger child comes up.
static void sift_down(uint32_t *key, int place, int count) {
    uint32_t value = key[place];
    for (int child; (child = 2 * place + 1) < count; place = child) {
        const uint32_t *left = &key[child], *right = child + 1 < count ? left + 1 : left;
        const uint32_t *larger = *right > *left ? right : left;
        if (*larger <= value) break;
        key[place] = *larger;
        child = (int)(larger - key);
    }
    key[place] = value;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 71;
    static Queue queue;
    static uint32_t keys[CAPACITY];
    uint32_t seed = 13;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < CAPACITY; i++) {
            seed = seed * 1664525 + 1013904223;
            push(&queue, (Event){.time = seed >> 12, .source = seed >> 24});
            keys[i] = seed;
        }
        for (int i = 0; i < 5 * CAPACITY; i++) {
            Event event = pop(&queue);
            hash = hash * 7 + event.source;
            seed = seed * 1664525 + 1013904223;
            event.time += seed >> 12;
            push(&queue, event);
        }
        while (queue.count > 0) hash += pop(&queue).time;
        for (int i = CAPACITY / 2; i-- > 0;) sift_down(keys, i, CAPACITY);
        for (int i = 0; i < 3 * CAPACITY; i++) {
            hash ^= keys[0];
            keys[0] = (keys[0] >> 1) + (uint32_t)i;
            sift_down(keys, 0, CAPACITY);
        }
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
