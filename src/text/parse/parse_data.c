// The initial values of globals. See parse.h.
#include "text/parse/parse.h"

static bool data_string(TextParser *p, DataItem *item) {
    if (!parse_string(p)) return false;
    item->kind = DATA_BYTES;
    item->value = p->bytes.count;
    item->bytes = arena_copy(p->program->arena, p->bytes.at, p->bytes.count);
    return true;
}

static bool data_zero(TextParser *p, DataItem *item) {
    uint64_t size;
    if (!parse_unsigned(p, INT64_MAX, "a number of bytes", &size)) return false;
    item->kind = DATA_ZERO;
    item->value = (int64_t)size;
    return true;
}

static bool data_address(TextParser *p, Sym symbol, DataItem *item) {
    if (!parse_at(p, T_SYMBOL)) return parse_expected(p, "the name of a symbol");
    Mention mention = {
        .in = symbol, .item = program_at(p->program, symbol)->data.count, .place = p->token.start};
    if (!parse_name(p, &mention.name)) return false;
    item->kind = DATA_ADDR;
    if (!parse_displacement(p, &item->value)) return false;
    vec_push(p->keep, &p->mentions, mention); // only now: the item will be there
    return true;
}

static bool data_integer(TextParser *p, DataKind kind, uint32_t bits, DataItem *item) {
    item->kind = (uint8_t)kind;
    return parse_integer(p, bits, &item->value);
}

// item = string | "zero" SIZE | "addr" symbol [ displacement ] | ( "i8" | "i16" | "i32" | "i64" )
// integer
static bool data_item(TextParser *p, Sym symbol, DataItem *item) {
    if (parse_at(p, T_STRING)) return data_string(p, item);
    if (parse_accept_word(p, "zero")) return data_zero(p, item);
    if (parse_accept_word(p, "addr")) return data_address(p, symbol, item);
    if (parse_accept_word(p, "i8")) return data_integer(p, DATA_I8, 8, item);
    if (parse_accept_word(p, "i16")) return data_integer(p, DATA_I16, 16, item);
    if (parse_accept_word(p, "i32")) return data_integer(p, DATA_I32, 32, item);
    if (parse_accept_word(p, "i64")) return data_integer(p, DATA_I64, 64, item);
    return parse_expected(p, "a string, 'zero', 'addr', 'i8', 'i16', 'i32' or 'i64'");
}

bool parse_data(TextParser *p, Sym symbol) {
    do {
        DataItem item = {.symbol = NO_SYM};
        if (!data_item(p, symbol, &item)) return false;
        vec_push(p->program->arena, &program_at(p->program, symbol)->data, item);
    } while (parse_accept(p, ','));
    return true;
}
