// Columns of numbers, as text and as binary. The text has a line for each column that is not empty:
// its name, then values. In the text
//
//     5+3 stands for 5 6 7 8     5*3 stands for 5 5 5 5     - stands for no id
//
// The binary encoding has the number of values, then groups. A group begins with its length, less
// one, times three, plus its kind: single values, one value many times, or values that rise by one.
// Groups of the latter two kinds hold only their first value. A value is encoded as its difference
// from the last value that was no `-`, plus one if columns of this width can have `-`; 0 then
// stands for `-`.
#include "cert/columns.h"

#include <string.h>

enum { SINGLE, SAME, RISING, GROUPS };

typedef struct {
    TokenStream *t;
    Arena *arena;
    const HintField *field;
    HintValues values;
    uint64_t last;
    uint64_t *budget;
} HintColumn;

static bool has_none(const HintColumn *c) {
    return c->field->width == sizeof(uint32_t);
}

// Adds a value, and so many more, each larger by `step`.
static void add(HintColumn *c, uint64_t value, uint64_t more, uint64_t step) {
    uint64_t most = hint_most(c->field);
    if (value > most || step * more > most - value) {
        tokens_fail(c->t, "this value is out of range");
        return;
    }
    if (more > *c->budget || c->values.count > NONE - 1 - more) {
        tokens_fail(c->t, "there are more values than this function can need");
        return;
    }
    *c->budget -= more;
    uint64_t *to = vec_extend(c->arena, &c->values, more + 1);
    for (uint64_t i = 0; i <= more; i++) to[i] = value + step * i;
}

// ---- Binary

static uint64_t take_value(HintColumn *c) {
    uint64_t coded = take_binary(c->t);
    if (has_none(c) && coded == 0) return NONE;
    return c->last += from_zigzag(coded - has_none(c));
}

static void take_group(HintColumn *c, uint64_t left) {
    uint64_t head = take_binary(c->t), more = head / GROUPS, kind = head % GROUPS;
    if (more >= left) tokens_fail(c->t, "there are more values than were announced");
    if (kind == SINGLE) {
        for (uint64_t i = 0; i <= more && tokens_good(c->t); i++) add(c, take_value(c), 0, 0);
        return;
    }
    add(c, take_value(c), more, kind == RISING);
    if (kind == RISING) c->last += more;
}

static void take_column(HintColumn *c) {
    uint64_t count = take_binary(c->t);
    while (c->values.count < count && tokens_good(c->t)) take_group(c, count - c->values.count);
}

// How many values behind the one at `from` go on by the same step.
static uint32_t run(const HintValues *values, uint32_t from, uint64_t step) {
    uint32_t at = from;
    if (step && values->at[from] >= NONE) return 0;
    while (at + 1 < values->count && values->at[at + 1] == values->at[at] + step &&
           (!step || values->at[at + 1] != NONE))
        at++;
    return at - from;
}

static void put_value(HintColumn *c, uint64_t value) {
    bool none = has_none(c) && value == NONE;
    put_binary(c->t, none ? 0 : zigzag(value - c->last) + has_none(c));
    if (!none) c->last = value;
}

static void put_singles(HintColumn *c, uint32_t from, uint32_t to) {
    if (from < to) put_binary(c->t, (to - from - 1) * (uint64_t)GROUPS + SINGLE);
    for (; from < to; from++) put_value(c, c->values.at[from]);
}

static void put_column(HintColumn *c) {
    enum { WORTH = 3 }; // as many more are a group of their own
    uint32_t done = 0;
    put_binary(c->t, c->values.count);
    for (uint32_t i = 0; i < c->values.count; i++) {
        uint32_t rising = run(&c->values, i, 1), same = run(&c->values, i, 0);
        uint32_t more = rising > same ? rising : same;
        if (more < WORTH) continue;
        put_singles(c, done, i);
        put_binary(c->t, more * (uint64_t)GROUPS + (rising > same ? RISING : SAME));
        put_value(c, c->values.at[i]);
        if (rising > same) c->last += more;
        i += more;
        done = i + 1;
    }
    put_singles(c, done, c->values.count);
}

// ---- Text

static bool has_names(const HintColumn *c) {
    return c->field->words || c->field->registers;
}

// The name of a value; NULL if there is no such value.
static const char *name_of(const HintColumn *c, uint64_t value) {
    if (c->field->registers) return token_register(c->t, value);
    return value < NONE ? c->field->words((uint32_t)value) : NULL;
}

static uint64_t value_named(HintColumn *c, TokenBytes token) {
    if (!c->field->registers) return text_word(c->t, token, c->field->words);
    uint32_t reg = text_register(c->t, token);
    return reg < c->t->register_count ? reg
                                      : tokens_fail(c->t, "this is no register of the machine");
}

// VALUE = ( NUMBER | WORD | "-" ) [ ( "+" | "*" ) NUMBER ]
static void value_of_text(HintColumn *c, TokenBytes token) {
    TokenBytes first = token;
    first.length = 0;
    while (first.length < token.length && !memchr("+*", token.at[first.length], 2)) first.length++;
    uint64_t value = NONE, more = 0;
    bool runs = first.length < token.length;
    if (has_names(c))
        value = value_named(c, first);
    else if (!text_is(first, "-"))
        value = text_number(c->t, first, false);
    TokenBytes rest = {token.at + first.length + 1, token.length - first.length - 1};
    if (runs) more = text_number(c->t, rest, false);
    add(c, value, more, runs && token.at[first.length] == '+');
}

static void column_of_text(HintColumn *c) {
    if (!text_is(text_peek(c->t), c->field->name)) return;
    text_take(c->t);
    while (tokens_good(c->t) && text_peek(c->t).length) value_of_text(c, text_take(c->t));
}

static void text_of_column(HintColumn *c) {
    if (!c->values.count) return;
    text_put(c->t, arena_printf(c->arena, "  %s", c->field->name));
    for (uint32_t i = 0; i < c->values.count; i++) {
        uint64_t value = c->values.at[i];
        uint32_t rising = has_names(c) ? 0 : run(&c->values, i, 1);
        uint32_t same = run(&c->values, i, 0), more = rising > same ? rising : same;
        if (has_names(c))
            text_put(c->t, name_of(c, value));
        else if (has_none(c) && value == NONE)
            text_put(c->t, "-");
        else
            text_put_number(c->t, value, false);
        if (more < 2) continue;
        out_printf(c->t->out, "%c%u", rising > same ? '+' : '*', more);
        i += more;
    }
}

// ---- Both

static void check_words(HintColumn *c) {
    for (uint32_t i = 0; has_names(c) && i < c->values.count; i++)
        if (!name_of(c, c->values.at[i])) tokens_fail(c->t, "there is no such word");
}

void columns_code(TokenStream *t, Arena *arena, const HintShape *shape, void *structure,
                  uint64_t *budget) {
    HintColumn c = {.t = t, .arena = arena, .budget = budget};
    for (uint32_t i = 0; i < shape->count && tokens_good(t); i++) {
        c.field = &shape->fields[i];
        c.last = 0;
        vec_clear(&c.values);
        if (!t->at)
            hint_collect(arena, c.field, structure, &c.values);
        else if (t->text)
            column_of_text(&c);
        else
            take_column(&c);
        if (c.field->kind == HINT_NUMBER && c.values.count && !c.values.at[0])
            vec_clear(&c.values); // it is left out
        check_words(&c);
        HintStore store = {.arena = arena, .budget = *budget};
        if (t->at && tokens_good(t) && !hint_store(&store, c.field, structure, &c.values))
            tokens_fail(t, store.problem);
        *budget = t->at ? store.budget : *budget;
        if (!tokens_good(t)) return;
        if (t->out && t->out_text)
            text_of_column(&c);
        else if (t->out)
            put_column(&c);
        if (c.values.count) token_line(t);
    }
}
