// Memory that malloc did not give.
#include <stdlib.h>
int sum(void) {
    int values[4] = {1, 2, 3, 4};
    int *where = values;
    int result = where[0] + where[3];
    free(where); // mistake
    return result;
}
