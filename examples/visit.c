// Visits a tree, with a function that may call the visit again.
struct tree {
    int value;
    struct tree *left, *right;
};

int visits, depth;

int visit(struct tree *tree, void (*each)(struct tree *)) {
    int sum = 0;
    if (tree) {
        depth++;
        each(tree);
        sum = tree->value;
        depth--;
    }
    visits++;
    return sum;
}

static void left_too(struct tree *tree) {
    visit(tree->left, left_too);
}

int main(void) {
    struct tree leaf = {4, 0, 0}, root = {3, &leaf, 0};
    return visit(&root, left_too) + visits;
}
