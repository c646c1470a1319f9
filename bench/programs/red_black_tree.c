// A left-leaning red-black tree from keys to values: insertions, look-ups, ordered walk.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    Node *left, *right;
    uint32_t key;
    uint32_t value;
    unsigned char red;
};

static int is_red(const Node *node) {
    return node && node->red;
}

static Node *rotate_left(Node *node) {
    Node *right = node->right;
    node->right = right->left;
    right->left = node;
    right->red = node->red;
    node->red = 1;
    return right;
}

static Node *rotate_right(Node *node) {
    Node *left = node->left;
    node->left = left->right;
    left->right = node;
    left->red = node->red;
    node->red = 1;
    return left;
}

static Node *insert(Node *node, Node *added) {
    if (!node) return added;
    if (added->key < node->key)
        node->left = insert(node->left, added);
    else if (added->key > node->key)
        node->right = insert(node->right, added);
    else
        node->value += added->value;
    if (is_red(node->right) && !is_red(node->left)) node = rotate_left(node);
    if (is_red(node->left) && is_red(node->left->left)) node = rotate_right(node);
    if (is_red(node->left) && is_red(node->right)) {
        node->red = 1;
        node->left->red = node->right->red = 0;
    }
    return node;
}

static const Node *look_up(const Node *node, uint32_t key) {
    while (node && node->key != key) node = key < node->key ? node->left : node->right;
    return node;
}

static void walk(const Node *node, uint32_t *sum, uint32_t *last) {
    if (!node) return;
    walk(node->left, sum, last);
    if (node->key < *last) exit(1);
    *last = node->key;
    *sum = *sum * 31 + node->key + node->value;
    walk(node->right, sum, last);
}

static int height(const Node *node) {
    if (!node) return 0;
    int left = height(node->left), right = height(node->right);
    return 1 + (left > right ? left : right);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 8;
    uint32_t count = 100000, seed = 11, sum = 0;
    Node *nodes = malloc(count * sizeof *nodes);
    if (!nodes) return 1;
    for (int round = 0; round < rounds; round++) {
        Node *root = NULL;
        for (uint32_t i = 0; i < count; i++) {
            seed = seed * 1664525 + 1013904223;
            nodes[i] = (Node){.key = (seed >> 7) % 200000, .value = i, .red = 1};
            root = insert(root, &nodes[i]);
            root->red = 0;
        }
        uint32_t found = 0, last = 0;
        for (uint32_t key = 0; key < 200000; key++) {
            const Node *node = look_up(root, key);
            if (node) found += node->value & 255;
        }
        walk(root, &sum, &last);
        sum += found + (uint32_t)height(root);
    }
    printf("%08x\n", (unsigned)sum);
    free(nodes);
    return 0;
}
