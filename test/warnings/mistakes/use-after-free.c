// The list is freed before its next element is asked for.
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
int drop(struct node *node) {
    free(node);
    return node->value; // mistake
}
