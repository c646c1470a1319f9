// Shortest paths in a random graph, with a binary heap that knows where each node stands.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 40000, DEGREE = 6 };

typedef struct {
    int to;
    int length;
} Edge;

static Edge edges[NODES][DEGREE];
static int distance[NODES];
static int heap[NODES], place[NODES], heap_size;

static void put(int at, int node) {
    heap[at] = node;
    place[node] = at;
}

static void sift_up(int at) {
    int node = heap[at];
    while (at > 0 && distance[heap[(at - 1) / 2]] > distance[node]) {
        put(at, heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(at, node);
}

static void sift_down(int at) {
    int node = heap[at];
    for (;;) {
        int child = 2 * at + 1;
        if (child >= heap_size) break;
        if (child + 1 < heap_size && distance[heap[child + 1]] < distance[heap[child]]) child++;
        if (distance[heap[child]] >= distance[node]) break;
        put(at, heap[child]);
        at = child;
    }
    put(at, node);
}

static void reach(int node, int length) {
    if (length >= distance[node]) return;
    distance[node] = length;
    if (place[node] < 0) {
        place[node] = heap_size;
        heap[heap_size++] = node;
    }
    sift_up(place[node]);
}

static void search(int start) {
    for (int i = 0; i < NODES; i++) distance[i] = INT_MAX, place[i] = -1;
    heap_size = 0;
    reach(start, 0);
    while (heap_size > 0) {
        int node = heap[0];
        heap[0] = heap[--heap_size];
        if (heap_size > 0) sift_down(0);
        for (int i = 0; i < DEGREE; i++)
            reach(edges[node][i].to, distance[node] + edges[node][i].length);
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 90;
    uint32_t seed = 17, sum = 0;
    for (int i = 0; i < NODES; i++) {
        for (int k = 0; k < DEGREE; k++) {
            seed = seed * 1664525 + 1013904223;
            int near = (int)(seed >> 9) % 2000 - 1000;
            int to = k == 0 ? (int)((seed >> 8) % NODES) : (i + near + NODES) % NODES;
            edges[i][k] = (Edge){.to = to, .length = 1 + (int)(seed >> 24)};
        }
    }
    for (int round = 0; round < rounds; round++) {
        search(round * 911 % NODES);
        int farthest = 0;
        for (int i = 0; i < NODES; i++)
            if (distance[i] != INT_MAX && distance[i] > farthest) farthest = distance[i];
        sum = sum * 31 + (uint32_t)farthest + (uint32_t)distance[NODES / 2];
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
