// Only as many bytes as a pointer has are cleared.
#include <string.h>
struct record {
    int values[40];
};
void clear(struct record *record) {
    memset(record, 0, sizeof record); // mistake
}
