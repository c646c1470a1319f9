// Many short-lived binary trees, made and freed by recursion; mostly calls and malloc.
#include <stdio.h>
#include <stdlib.h>

typedef struct Tree Tree;
struct Tree {
    Tree *left, *right;
};

static Tree *make(int depth) {
    Tree *tree = malloc(sizeof *tree);
    if (!tree) exit(1);
    if (depth > 0) {
        tree->left = make(depth - 1);
        tree->right = make(depth - 1);
    } else {
        tree->left = tree->right = NULL;
    }
    return tree;
}

static int count(const Tree *tree) {
    return tree->left ? 1 + count(tree->left) + count(tree->right) : 1;
}

static void release(Tree *tree) {
    if (tree->left) {
        release(tree->left);
        release(tree->right);
    }
    free(tree);
}

int main(int argc, char **argv) {
    int deepest = argc > 1 ? atoi(argv[1]) : 17;
    Tree *kept = make(deepest);
    for (int depth = 4; depth <= deepest; depth += 4) {
        int trees = 1 << (deepest - depth + 4), sum = 0;
        for (int i = 0; i < trees; i++) {
            Tree *tree = make(depth);
            sum += count(tree);
            release(tree);
        }
        printf("%d trees of depth %d: %d\n", trees, depth, sum);
    }
    printf("kept: %d\n", count(kept));
    release(kept);
    return 0;
}
