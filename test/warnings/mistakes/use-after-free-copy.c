// The node is freed by one pointer and used by another.
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
int drop_next(struct node *node) {
    struct node *next = node->next;
    free(node->next);
    return next->value; // mistake
}
