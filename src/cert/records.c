// Reads and writes records; see records.h. Every record that was read obeys the limits of its
// fields, also in fields taken from the guess, provided that the guess obeys the limits.
#include "cert/records.h"

#include <string.h>

// The entry of a pattern for a field: its usual value, the guess's value, or from SAID on the value
// itself, the length of a list, or just that something follows.
enum { USUAL, GUESSED, SAID };

static bool is_list(const RecordField *field) {
    return field->kind == FIELD_LIST || field->kind == FIELD_SIGNED_LIST;
}

static bool in_pattern(const RecordField *field) {
    return field->kind <= FIELD_SMALL;
}

static bool has_sign(const RecordField *field) {
    return field->kind == FIELD_SIGNED || field->kind == FIELD_SIGNED_LIST;
}

static void set_list(Arena *arena, TokenRecord *record, uint32_t list, const TokenRecord *from) {
    uint32_t count = from ? from->list[list].count : 0;
    vec_clear(&record->list[list]);
    if (count)
        memcpy(vec_extend(arena, &record->list[list], count), from->list[list].at,
               count * sizeof(uint64_t));
}

static void set_usual(const RecordTable *r, TokenRecord *record, uint32_t f) {
    const RecordField *field = &r->fields[f];
    record->value[f] = field->usual;
    if (is_list(field)) vec_clear(&record->list[field->list]);
    if (field->kind == FIELD_BYTES) record->bytes = (TokenBytes){0};
}

void record_clear(const RecordTable *r, TokenRecord *record) {
    for (uint32_t f = 0; f < r->count; f++) set_usual(r, record, f);
}

// Whether a value may stand in a field.
static bool in_range(const RecordTable *r, const RecordField *field, uint64_t value) {
    switch (field->kind) {
    case FIELD_FLAG: return value <= 1;
    case FIELD_WORD: return value < NONE && field->words((uint32_t)value);
    case FIELD_SYMBOL: return value < r->program->symbols.count || value == field->usual;
    case FIELD_SIGNED:
    case FIELD_SIGNED_LIST: return true;
    default: return value <= field->most || value == field->usual;
    }
}

static uint64_t limited(TokenStream *t, const RecordTable *r, const RecordField *field,
                        uint64_t value) {
    return in_range(r, field, value) ? value : tokens_fail(t, "a value is out of range");
}

// ---- Binary

// The number from which the k-th number of a list differs little.
static uint64_t list_guess(const RecordField *field, const TokenRecord *record,
                           const TokenRecord *guess, uint32_t f, uint32_t k) {
    if (k < guess->list[field->list].count && !(guess->list[field->list].at[k] & OLD_NODE))
        return guess->list[field->list].at[k];
    return k ? record->list[field->list].at[k - 1] : guess->value[f];
}

static void take_list(TokenStream *t, RecordTable *r, uint32_t f, uint64_t count,
                      TokenRecord *record, const TokenRecord *guess) {
    const RecordField *field = &r->fields[f];
    vec_clear(&record->list[field->list]);
    for (uint32_t k = 0; k < count && tokens_good(t); k++) {
        uint64_t base = list_guess(field, record, guess, f, k);
        uint64_t value = limited(t, r, field, base + from_zigzag(take_binary(t)));
        vec_push(t->scratch, &record->list[field->list], value);
    }
}

static void take_field(TokenStream *t, RecordTable *r, uint32_t f, uint64_t entry,
                       TokenRecord *record, const TokenRecord *guess) {
    const RecordField *field = &r->fields[f];
    set_usual(r, record, f);
    if (entry == USUAL) return;
    if (entry == GUESSED) {
        if (!is_list(field)) record->value[f] = guess->value[f];
        if (is_list(field)) set_list(t->scratch, record, field->list, guess);
        if (field->kind == FIELD_BYTES) record->bytes = guess->bytes;
    } else if (in_pattern(field))
        record->value[f] = limited(t, r, field, entry - SAID);
    else if (is_list(field))
        take_list(t, r, f, entry - SAID, record, guess);
    else if (field->kind == FIELD_BYTES)
        record->bytes = take_string(t);
    else
        record->value[f] = limited(t, r, field, guess->value[f] + from_zigzag(take_binary(t)));
}

static void take_record(TokenStream *t, RecordTable *r, uint64_t index, TokenRecord *record,
                        const TokenRecord *guess) {
    uint64_t known = r->patterns.count / r->count;
    if (index > known) tokens_fail(t, "there is no such pattern");
    for (uint32_t f = 0; index == known && f < r->count; f++)
        vec_push(r->arena, &r->patterns, take_binary(t));
    for (uint32_t f = 0; f < r->count && tokens_good(t); f++)
        take_field(t, r, f, r->patterns.at[index * r->count + f], record, guess);
}

static bool same_list(const TokenRecord *a, const TokenRecord *b, uint32_t list) {
    return a->list[list].count == b->list[list].count &&
           (!a->list[list].count || memcmp(a->list[list].at, b->list[list].at,
                                           a->list[list].count * sizeof(uint64_t)) == 0);
}

static bool same_field(const RecordTable *r, uint32_t f, const TokenRecord *a,
                       const TokenRecord *b) {
    const RecordField *field = &r->fields[f];
    if (is_list(field)) return same_list(a, b, field->list);
    if (field->kind != FIELD_BYTES) return a->value[f] == b->value[f];
    return a->bytes.length == b->bytes.length &&
           (!a->bytes.length || memcmp(a->bytes.at, b->bytes.at, a->bytes.length) == 0);
}

bool record_same(const RecordTable *r, const TokenRecord *a, const TokenRecord *b) {
    for (uint32_t f = 0; f < r->count; f++)
        if (!same_field(r, f, a, b)) return false;
    return true;
}

static bool is_usual(const RecordField *field, uint32_t f, const TokenRecord *record) {
    if (is_list(field)) return !record->list[field->list].count;
    return field->kind == FIELD_BYTES ? !record->bytes.length : record->value[f] == field->usual;
}

static uint64_t pattern_entry(const RecordTable *r, uint32_t f, const TokenRecord *record,
                              const TokenRecord *guess) {
    const RecordField *field = &r->fields[f];
    if (same_field(r, f, record, guess)) return GUESSED;
    if (is_usual(field, f, record)) return USUAL;
    if (is_list(field)) return SAID + (uint64_t)record->list[field->list].count;
    return in_pattern(field) ? SAID + record->value[f] : SAID;
}

static void put_field(TokenStream *t, const RecordTable *r, uint32_t f, const TokenRecord *record,
                      const TokenRecord *guess) {
    const RecordField *field = &r->fields[f];
    if (field->kind == FIELD_BYTES)
        put_binary_bytes(t, record->bytes);
    else if (!is_list(field))
        put_binary(t, zigzag(record->value[f] - guess->value[f]));
    else
        for (uint32_t k = 0; k < record->list[field->list].count; k++)
            put_binary(t, zigzag(record->list[field->list].at[k] -
                                 list_guess(field, record, guess, f, k)));
}

// The number of a pattern; a new pattern gets the number of known patterns.
static uint32_t find_pattern(RecordTable *r, const uint64_t *pattern) {
    uint64_t hash = 0;
    for (uint32_t f = 0; f < r->count; f++) hash = hash_add(hash, pattern[f]);
    uint32_t at = table_first(&r->table, hash), id;
    while ((id = table_id(&r->table, hash, &at)) != HASH_NONE)
        if (id < r->patterns.count / r->count && memcmp(r->patterns.at + (size_t)id * r->count,
                                                        pattern, r->count * sizeof *pattern) == 0)
            return id;
    id = r->patterns.count / r->count;
    table_insert(r->arena, &r->table, hash, id);
    return id;
}

static void put_record(TokenStream *t, RecordTable *r, const RecordHead *head,
                       const TokenRecord *record, const TokenRecord *guess) {
    uint64_t pattern[RECORD_FIELDS];
    for (uint32_t f = 0; f < r->count; f++) pattern[f] = pattern_entry(r, f, record, guess);
    uint32_t index = find_pattern(r, pattern);
    bool is_new = index == r->patterns.count / r->count;
    put_binary(t, index * (uint64_t)head->kinds + head->kind);
    for (uint32_t f = 0; is_new && f < r->count; f++) {
        vec_push(r->arena, &r->patterns, pattern[f]);
        put_binary(t, pattern[f]);
    }
    for (uint32_t f = 0; f < r->count; f++)
        if (pattern[f] >= SAID && !in_pattern(&r->fields[f])) put_field(t, r, f, record, guess);
}

// ---- Text

static TokenBytes symbol_name(const Program *program, Sym symbol) {
    Str name = program_at(program, symbol)->name;
    return (TokenBytes){program_text(program, name), str_length(&program->strings, name)};
}

static uint64_t symbol_named(TokenStream *t, const Program *program, TokenBytes name) {
    Str str = str_intern(&((Program *)program)->strings, name.at, name.length);
    Sym symbol = program_find(program, str);
    return symbol.i != NO_ID ? symbol.i : tokens_fail(t, "there is no such symbol");
}

// The machine register of that name or, behind them all, the spill of that number.
static uint64_t place_of_text(TokenStream *t, TokenBytes token) {
    uint64_t reg = text_register(t, token);
    return reg < t->register_count ? reg : reg + text_number(t, token, false);
}

static uint64_t number_of_text(TokenStream *t, const RecordTable *r, const RecordField *field,
                               TokenBytes token) {
    if (field->place && r->allocated) return place_of_text(t, token);
    bool old = token.length && token.at[0] == '@';
    TokenBytes digits = {token.at + old, token.length - old};
    uint64_t value = text_number(t, digits, has_sign(field));
    if (old && value >= OLD_NODE) return tokens_fail(t, "this number is too large");
    return old ? OLD_NODE + value : value;
}

static void list_of_text(TokenStream *t, RecordTable *r, const RecordField *field,
                         TokenRecord *record) {
    if (!text_is(text_take(t), "(")) tokens_fail(t, "a list is expected here");
    while (tokens_good(t) && !text_is(text_peek(t), ")"))
        vec_push(t->scratch, &record->list[field->list],
                 limited(t, r, field, number_of_text(t, r, field, text_take(t))));
    text_take(t);
}

static void field_of_text(TokenStream *t, RecordTable *r, uint32_t f, TokenRecord *record) {
    const RecordField *field = &r->fields[f];
    uint64_t value = 1;
    if (is_list(field)) {
        list_of_text(t, r, field, record);
        return;
    }
    if (field->kind == FIELD_BYTES)
        record->bytes = text_take_bytes(t);
    else if (field->kind == FIELD_SYMBOL)
        value = symbol_named(t, r->program, text_take_bytes(t));
    else if (field->kind == FIELD_WORD)
        value = text_word(t, text_take(t), field->words);
    else if (field->kind != FIELD_FLAG)
        value = number_of_text(t, r, field, text_take(t));
    record->value[f] = field->kind == FIELD_BYTES ? 0 : limited(t, r, field, value);
}

static void record_of_text(TokenStream *t, RecordTable *r, TokenRecord *record) {
    record_clear(r, record);
    TokenBytes name;
    for (uint32_t f = 0; tokens_good(t) && (name = text_peek(t)).length; f++) {
        while (f < r->count && !text_is(name, r->fields[f].name)) f++;
        if (f == r->count) {
            tokens_fail(t, "this is no field, or not here");
            return;
        }
        text_take(t);
        field_of_text(t, r, f, record);
    }
}

static void text_of_number(TokenStream *t, const RecordTable *r, const RecordField *field,
                           uint64_t value) {
    uint32_t named = field->place && r->allocated ? t->register_count : 0;
    if (value < named)
        text_put(t, token_register(t, value));
    else if (is_list(field) && !has_sign(field) && value >= OLD_NODE)
        text_put(t, arena_printf(t->scratch, "@%u", (uint32_t)(value - OLD_NODE)));
    else
        text_put_number(t, value - named, has_sign(field));
}

static void text_of_list(TokenStream *t, const RecordTable *r, const RecordField *field,
                         const TokenRecord *record) {
    text_put(t, "(");
    for (uint32_t k = 0; k < record->list[field->list].count; k++) {
        t->line_begun = k > 0;
        text_of_number(t, r, field, record->list[field->list].at[k]);
    }
    out_char(t->out, ')');
}

static void text_of_record(TokenStream *t, const RecordTable *r, const TokenRecord *record) {
    for (uint32_t f = 0; f < r->count; f++) {
        const RecordField *field = &r->fields[f];
        uint64_t value = record->value[f];
        if (is_usual(field, f, record)) continue;
        text_put(t, field->name);
        if (is_list(field))
            text_of_list(t, r, field, record);
        else if (field->kind == FIELD_BYTES)
            text_put_bytes(t, record->bytes);
        else if (field->kind == FIELD_SYMBOL)
            text_put_bytes(t, symbol_name(r->program, (Sym){(uint32_t)value}));
        else if (field->kind == FIELD_WORD)
            text_put(t, field->words((uint32_t)value));
        else if (field->kind != FIELD_FLAG)
            text_of_number(t, r, field, value);
    }
}

Sym token_symbol(TokenStream *t, const Program *program, Sym symbol) {
    uint64_t number = symbol.i;
    if (t->at) number = t->text ? symbol_named(t, program, text_take_bytes(t)) : take_binary(t);
    if (number >= program->symbols.count) return tokens_fail(t, "there is no such symbol"), NO_SYM;
    symbol.i = (uint32_t)number;
    if (t->out && t->out_text)
        text_put_bytes(t, symbol_name(program, symbol));
    else if (t->out)
        put_binary(t, number);
    return symbol;
}

void record_code_behind(TokenStream *t, RecordTable *r, const RecordHead *head, TokenRecord *record,
                        const TokenRecord *guess) {
    if (t->at && t->text)
        record_of_text(t, r, record);
    else if (t->at)
        take_record(t, r, head->has_index ? head->index : take_binary(t), record, guess);
    if (!tokens_good(t)) record_clear(r, record);
    if (t->out && t->out_text)
        text_of_record(t, r, record);
    else if (t->out)
        put_record(t, r, head, record, guess);
    if (t->out && t->out_text && head->remark) text_put(t, head->remark);
    token_line(t);
}

void record_code(TokenStream *t, RecordTable *r, TokenRecord *record, const TokenRecord *guess) {
    record_code_behind(t, r, &(RecordHead){.kinds = 1}, record, guess);
}
