// Huffman coding of a text, byte by byte: frequencies, tree, codes, encoded bits, decoded again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t weight;
    int left, right; // -1 in leaves
} Node;

typedef struct {
    Node nodes[511];
    int count;
    int root;
    uint32_t code[256];
    int length[256];
} Huffman;

static int lighter(const Huffman *h, int a, int b) {
    if (h->nodes[a].weight != h->nodes[b].weight) return h->nodes[a].weight < h->nodes[b].weight;
    return a < b;
}

static void sift_down(const Huffman *h, int *heap, int count, int at) {
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && lighter(h, heap[child + 1], heap[child])) child++;
        if (!lighter(h, heap[child], heap[at])) return;
        int swapped = heap[at];
        heap[at] = heap[child];
        heap[child] = swapped;
        at = child;
    }
}

static void assign_codes(Huffman *h, int node, uint32_t code, int length) {
    if (h->nodes[node].left < 0) {
        h->code[node] = code;
        h->length[node] = length;
        return;
    }
    assign_codes(h, h->nodes[node].left, code << 1, length + 1);
    assign_codes(h, h->nodes[node].right, code << 1 | 1, length + 1);
}

static void build(Huffman *h, const uint8_t *text, size_t count) {
    int heap[256];
    for (int i = 0; i < 256; i++) h->nodes[i] = (Node){.weight = 1, .left = -1, .right = -1};
    for (size_t i = 0; i < count; i++) h->nodes[text[i]].weight += 16;
    h->count = 256;
    for (int i = 0; i < 256; i++) heap[i] = i;
    for (int i = 127; i >= 0; i--) sift_down(h, heap, 256, i);
    for (int size = 256; size > 1;) {
        int a = heap[0];
        heap[0] = heap[--size];
        sift_down(h, heap, size, 0);
        int b = heap[0], parent = h->count++;
        h->nodes[parent] =
            (Node){.weight = h->nodes[a].weight + h->nodes[b].weight, .left = a, .right = b};
        heap[0] = parent;
        sift_down(h, heap, size, 0);
    }
    h->root = heap[0];
    assign_codes(h, h->root, 0, 0);
}

static size_t encode(const Huffman *h, const uint8_t *text, size_t count, uint8_t *out) {
    uint64_t bits = 0;
    int held = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        bits = bits << h->length[text[i]] | h->code[text[i]];
        held += h->length[text[i]];
        while (held >= 8) {
            held -= 8;
            out[used++] = (uint8_t)(bits >> held);
        }
    }
    if (held > 0) out[used++] = (uint8_t)(bits << (8 - held));
    return used;
}

static void decode(const Huffman *h, const uint8_t *in, uint8_t *text, size_t count) {
    size_t bit = 0;
    for (size_t i = 0; i < count; i++) {
        int node = h->root;
        while (h->nodes[node].left >= 0) {
            int one = in[bit >> 3] >> (7 - (bit & 7)) & 1;
            node = one ? h->nodes[node].right : h->nodes[node].left;
            bit++;
        }
        text[i] = (uint8_t)node;
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 30;
    static uint8_t text[500000], packed[1000000], again[500000];
    static Huffman huffman;
    uint32_t seed = 7, sum = 0;
    for (size_t i = 0; i < sizeof text; i++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t a = seed >> 24, b = seed >> 16 & 255;
        text[i] = (uint8_t)(a & b & (seed >> 8));
    }
    for (int i = 0; i < rounds; i++) {
        text[i] = (uint8_t)i;
        build(&huffman, text, sizeof text);
        size_t size = encode(&huffman, text, sizeof text, packed);
        decode(&huffman, packed, again, sizeof text);
        if (memcmp(text, again, sizeof text)) {
            printf("wrong\n");
            return 1;
        }
        sum = sum * 31 + (uint32_t)size + packed[size / 3];
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
