// As large as a pointer to a node, not as a node.
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
struct node *node_new(void) {
    struct node *node = malloc(sizeof(struct node *)); // mistake
    return node;
}
