// The reader of hints, driven by the shapes of hints.c.
#include "cert/hints.h"

#include "base/bits.h"
#include "form/program.h"

#include <string.h>

static uint64_t largest(size_t width) {
    return UINT64_MAX >> (64 - 8 * width);
}

static void put_number(void *to, size_t width, uint64_t value) {
    uint32_t word = (uint32_t)value;
    uint16_t half = (uint16_t)value;
    switch (width) {
    case 8: memcpy(to, &value, 8); break;
    case 4: memcpy(to, &word, 4); break;
    case 2: memcpy(to, &half, 2); break;
    default: *(uint8_t *)to = (uint8_t)value; break;
    }
}

static bool fail(HintReader *r, const char *problem) {
    r->problem = problem;
    return false;
}

static char next_char(const HintReader *r) {
    return r->at < r->end ? r->text[r->at] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool read_number(HintReader *r, uint64_t *value) {
    if (!is_digit(next_char(r))) return fail(r, "a number is expected here");
    for (*value = 0; is_digit(next_char(r)); r->at++) {
        uint64_t digit = (uint64_t)(r->text[r->at] - '0');
        if (*value > (UINT64_MAX - digit) / 10) return fail(r, "this number is too large");
        *value = *value * 10 + digit;
    }
    return true;
}

// VALUE = ( NUMBER | "-" ) [ ( "+" | "*" ) NUMBER ], all at most `max`
static bool read_value(HintReader *r, uint64_t max, HintValues *values) {
    uint64_t value = NO_ID, more = 0;
    if (next_char(r) == '-')
        r->at++;
    else if (!read_number(r, &value))
        return false;
    char how = next_char(r);
    bool run = how == '+' || how == '*';
    if (run) r->at++;
    if (run && !read_number(r, &more)) return false;
    uint64_t step = how == '+';
    if (more > r->budget || values->count > NO_ID - 1 - more)
        return fail(r, "there are more values than this function can need");
    if (value > max || step * more > max - value) return fail(r, "this value is out of range");
    r->budget -= more;
    uint64_t *to = vec_extend(r->arena, values, more + 1);
    for (uint64_t i = 0; i <= more; i++) to[i] = value + step * i;
    return true;
}

// The rest of a line behind the colon.
static bool read_values(HintReader *r, uint64_t max, HintValues *values) {
    while (next_char(r) == ' ') {
        r->at++;
        if (!read_value(r, max, values)) return false;
    }
    if (next_char(r) != '\n') return fail(r, "a value or the end of the line is expected here");
    r->at++;
    return true;
}

// Whether the line at hand is that of a field; then what follows the colon comes next.
static bool at_field(HintReader *r, const char *name) {
    size_t length = strlen(name);
    const char *text = r->text + r->at;
    if (r->end - r->at < length + 3 || text[0] != ' ' || text[1] != ' ' ||
        memcmp(text + 2, name, length) != 0 || text[2 + length] != ':')
        return false;
    r->at += (uint32_t)length + 3;
    return true;
}

static bool store_column(HintReader *r, const HintField *field, char *hint,
                         const HintValues *values) {
    HintVector vector = hint_vector(hint + field->at);
    bool first = !vector.at;
    if (first && values->count) {
        vector.at = arena_alloc(r->arena, size_mul(values->count, field->element));
        vector.count = vector.capacity = values->count;
        memcpy(hint + field->at, &vector, sizeof vector);
    }
    if (vector.count != values->count)
        return fail(r, "the column is not as long as those before it");
    for (uint32_t i = 0; i < values->count; i++)
        put_number((char *)vector.at + i * field->element + field->member, field->width,
                   values->at[i]);
    return true;
}

static bool store_lists(HintReader *r, const HintField *field, char *hint,
                        const HintValues *values) {
    HintVector vector = hint_vector(hint + field->at);
    uint32_t used = 0;
    char *lists = arena_alloc(r->arena, size_mul(values->count, field->width));
    for (uint32_t i = 0; i < values->count; i++)
        put_number(lists + i * field->width, field->width, values->at[i]);
    for (uint32_t i = 0; i < vector.count; i++) {
        char *element = (char *)vector.at + i * field->element;
        const char *list = lists + used * field->width;
        uint64_t count = hint_number(element + field->count_at, sizeof(uint32_t));
        if (count > values->count - used) return fail(r, "the lists have too few members");
        memcpy(element + field->member, &list, sizeof list);
        used += (uint32_t)count;
    }
    return used == values->count || fail(r, "the lists have too many members");
}

static bool store_bits(HintReader *r, const HintField *field, char *hint,
                       const HintValues *values) {
    uint64_t size = values->count ? values->at[0] : 0;
    // One that is not there is empty. Each value may account for one byte of the set.
    if (size / 8 > r->budget) return fail(r, "the set is larger than this function can need");
    r->budget -= size / 8;
    Bits bits = bits_new(r->arena, (uint32_t)size);
    for (uint32_t i = 1; i < values->count; i++) {
        if (values->at[i] >= size) return fail(r, "a member is out of range");
        bits_add(&bits, (uint32_t)values->at[i]);
    }
    memcpy(hint + field->at, &bits, sizeof bits);
    return true;
}

static bool store(HintReader *r, const HintField *field, char *hint, const HintValues *values) {
    switch (field->kind) {
    case HINT_COLUMN: return store_column(r, field, hint, values);
    case HINT_LISTS: return store_lists(r, field, hint, values);
    case HINT_BITS: return store_bits(r, field, hint, values);
    case HINT_NUMBER: break;
    }
    if (values->count > 1) return fail(r, "one number is expected here");
    if (values->count) put_number(hint + field->at, field->width, values->at[0]);
    return true;
}

void *hint_read(HintReader *r, const HintShape *shape) {
    char *hint = arena_alloc(r->arena, shape->size);
    HintValues values = {0};
    for (uint32_t i = 0; i < shape->count; i++) {
        const HintField *field = &shape->fields[i];
        vec_clear(&values);
        uint64_t max = field->kind == HINT_BITS ? UINT32_MAX - 1 : largest(field->width);
        if (at_field(r, field->name) && !read_values(r, max, &values)) return NULL;
        if (!store(r, field, hint, &values)) return NULL;
    }
    if (next_char(r) == ' ') return fail(r, "this pass has no such column, or not here"), NULL;
    return hint;
}
