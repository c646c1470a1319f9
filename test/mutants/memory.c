// Loads that stores before them decide, through pointers that may be equal; volatile objects; objects of threads.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
    struct Node *left, *right;
    int key;
} Node;

static volatile int port = 3;
static _Thread_local int local = 4;
static int global[4] = {1, 2, 3, 4};

__attribute__((noinline)) static int alias(int *a, int *b) {
    *a = 5;
    *b = 7;
    int x = *a;
    a[1] = x + *b;
    return *a * 100 + a[1] + b[0];
}
__attribute__((noinline)) static int read_twice(void) {
    int x = port;
    port = x + 1;
    return x * 10 + port;
}
__attribute__((noinline)) static Node *insert(Node *tree, int key) {
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
    } else if (key < tree->key) {
        tree->left = insert(tree->left, key);
    } else {
        tree->right = insert(tree->right, key);
    }
    return tree;
}
__attribute__((noinline)) static long walk(Node *tree, int depth) {
    if (!tree) return 0;
    long sum = walk(tree->left, depth + 1) * 3 + tree->key * depth + walk(tree->right, depth + 1);
    free(tree);
    return sum;
}
__attribute__((noinline)) static int bytes(unsigned char *at, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        at[i] = (unsigned char)(at[i] + 200);
        sum += (signed char)at[i] + ((short *)(void *)at)[i / 2];
    }
    return sum;
}

int main(void) {
    Node *tree = NULL;
    unsigned char data[16] = {1, 2, 3, 250, 128};
    for (int i = 0; i < 9; i++) tree = insert(tree, i * 7 % 11);
    int same = alias(global, global), next = alias(global, global + 1),
        apart = alias(global + 2, global);
    int once = read_twice(), again = read_twice();
    printf("%d %d %d %d %d\n", same, next, apart, once, again);
    local += global[0];
    int sum = bytes(data, 16);
    printf("%ld %d %d %d\n", walk(tree, 1), sum, local, global[3]);
    return 0;
}
