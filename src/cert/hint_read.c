// The reader of hints, driven by the shapes of hints.c.
#include "cert/hints.h"

#include "base/bits.h"
#include "form/program.h"

#include <string.h>

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

// Whether the present line is the line of a field; then the text behind the colon comes next.
static bool at_field(HintReader *r, const char *name) {
    size_t length = strlen(name);
    const char *text = r->text + r->at;
    if (r->end - r->at < length + 3 || text[0] != ' ' || text[1] != ' ' ||
        memcmp(text + 2, name, length) != 0 || text[2 + length] != ':')
        return false;
    r->at += (uint32_t)length + 3;
    return true;
}

void *hint_read(HintReader *r, const HintShape *shape) {
    char *hint = arena_alloc(r->arena, shape->size);
    HintValues values = {0};
    for (uint32_t i = 0; i < shape->count; i++) {
        const HintField *field = &shape->fields[i];
        vec_clear(&values);
        if (at_field(r, field->name) && !read_values(r, hint_most(field), &values)) return NULL;
        HintStore store = {.arena = r->arena, .budget = r->budget};
        if (!hint_store(&store, field, hint, &values)) return fail(r, store.problem), NULL;
        r->budget = store.budget;
    }
    if (next_char(r) == ' ') return fail(r, "this pass has no such column, or not here"), NULL;
    return hint;
}
