// Initializers, flattened into a list of scalars, records and strings at offsets.
//
// A braced list walks over the object with a stack of levels: the aggregate in braces, and above it
// the aggregates inside whose own braces have been left out. A level stands at one of its elements;
// designators move the level. A value goes to the element at which the top level stands. If that
// element is an aggregate which the value does not initialize as a whole, the value goes to a new
// level inside.
//
// Where a designator goes back and gives an aggregate a new list, all earlier initializers of the
// aggregate are void, also for elements that the new list leaves out. Such places are marked, and
// init_settle.c applies the marks at the end.
#include "c/parse/initialize.h"

static bool is_aggregate(const CType *type) {
    return type->kind == CT_ARRAY || type_is_record(type);
}

// ---- Levels

static Level *top_level(Flat *flat) {
    return &flat->levels.at[flat->levels.count - 1];
}

static void skip_unnamed(Level *level) {
    if (level->type->kind == CT_ARRAY) return;
    const Record *record = level->type->record;
    while (level->index < level->count && record->members.at[level->index].bitfield &&
           !record->members.at[level->index].name)
        level->index++;
}

static void push_level(Flat *flat, CType *type, uint64_t offset, bool reversed, bool stale) {
    Level level = {.type = type, .offset = offset, .reversed = reversed, .stale = stale};
    if (type->kind != CT_ARRAY)
        level.count = type->record->members.count;
    else if (type->array.counted)
        level.count = type->array.count;
    else
        level.count = type->variable ? 0 : UINT64_MAX;
    skip_unnamed(&level);
    vec_push(flat->arena, &flat->levels, level);
}

static Subobject current_slot(const Level *level) {
    if (level->type->kind == CT_ARRAY) {
        CType *element = level->type->base;
        return (Subobject){.type = element,
                           .offset = level->offset + level->index * element->size,
                           .reversed = level->reversed};
    }
    const Member *member = &level->type->record->members.at[level->index];
    return (Subobject){
        .type = member->type,
        .offset = level->offset + member->offset,
        .bitfield = member->bitfield,
        .bit = member->bit,
        .width = member->width,
        .reversed = member->reversed,
    };
}

// Whether a flexible array member can have elements behind so many levels: nothing of the object
// comes behind it. As for gcc, only a string may be deeper than in a member of the object itself.
static bool may_be_flexible(const Flat *flat, uint32_t depth, bool string) {
    for (uint32_t i = 0; i < depth; i++)
        if (flat->levels.at[i].type->kind == CT_ARRAY) return false;
    return depth == 1 || string;
}

// The elements that a flexible array member is given are part of the object, whatever their values.
// `depth` is the number of aggregates around the array.
static void count_elements(Flat *flat, const CType *array, uint32_t depth, uint64_t count,
                           bool string) {
    uint64_t bytes = count * array->base->size;
    if (array->array.counted || depth == 0 || flat->flexible >= bytes) return;
    if (flat->flexible == 0 && !may_be_flexible(flat, depth, string))
        error_at_token(flat->parser, "initialization of flexible array member in a nested context");
    flat->flexible = bytes;
}

// The level has been given its elements or members below `high`.
static void reach(Flat *flat, Level *level, uint64_t high, bool string) {
    if (high <= level->high) return;
    level->high = high;
    uint32_t depth = (uint32_t)(level - flat->levels.at);
    if (level->type->kind == CT_ARRAY) count_elements(flat, level->type, depth, high, string);
}

static void advance(Flat *flat) {
    Level *level = top_level(flat);
    if (level->type->kind == CT_UNION) {
        level->index = level->count;
    } else {
        level->index++;
        skip_unnamed(level);
    }
    reach(flat, level, level->index, false);
}

// Whether what the level stands at may have been initialized before.
static bool is_stale(const Level *level) {
    return level->stale || level->index < level->high;
}

static void mark_zero(Flat *flat, CType *type, uint64_t offset) {
    vec_push(flat->arena, &flat->pieces, (InitPiece){.offset = offset, .type = type});
    flat->marks = true;
}

// A union has one member: initializing another voids the one before.
static void choose_member(Flat *flat, const Level *level) {
    if (level->type->kind != CT_UNION) return;
    uint64_t key = hash_add(hash_mix(level->offset), (uint64_t)(uintptr_t)level->type->record);
    uint32_t before = map_get(&flat->unions, key);
    if (before == (uint32_t)level->index) return;
    if (before != HASH_NONE) mark_zero(flat, level->type, level->offset);
    map_set(flat->arena, &flat->unions, key, (uint32_t)level->index);
}

static void descend(Flat *flat, const Subobject *slot) {
    Level *level = top_level(flat);
    bool stale = is_stale(level);
    reach(flat, level, level->index + 1, false);
    push_level(flat, slot->type, slot->offset, slot->reversed, stale);
}

// Leaves finished levels above `base`. False if the list has no room for another value.
static bool find_room(Flat *flat, uint32_t base) {
    while (top_level(flat)->index >= top_level(flat)->count) {
        if (flat->levels.count == base + 1) return false;
        flat->levels.count--;
        advance(flat);
    }
    return true;
}

// ---- Values

// &&a - &&b: lowering numbers the labels of a function, so it knows the difference.
static bool is_label_difference(const Expr *value) {
    AddressConstant a, b;
    while (value->kind == EX_CAST && (value->cast == CAST_ARITHMETIC ||
                                      value->cast == CAST_POINTER || value->cast == CAST_SAME))
        value = value->left;
    return value->kind == EX_BINARY && (value->op == BIN_SUB || value->op == BIN_PTR_DIFF) &&
           expr_is_address_constant(value->left, &a) &&
           expr_is_address_constant(value->right, &b) && a.label && b.label;
}

static void check_constant(Flat *flat, const Expr *value, bool reversed) {
    if (!flat->is_static || expr_is_number(value) || value->kind == EX_ERROR ||
        value->type->kind == CT_ERROR || is_complex_constant(value))
        return;
    AddressConstant address;
    bool is_address = expr_is_address_constant(value, &address) || is_label_difference(value);
    if (is_address && !reversed) return;
    error_at_expr(flat->parser, value, "initializer element is not constant");
}

static void add_piece(Flat *flat, const Subobject *slot, CType *type, Expr *value) {
    vec_push(flat->arena, &flat->pieces,
             (InitPiece){
                 .offset = slot->offset,
                 .type = type,
                 .bitfield = slot->bitfield,
                 .bit = slot->bit,
                 .width = slot->width,
                 .reversed = slot->reversed,
                 .value = value,
             });
}

// GNU C: a const variable with a constant initializer stands for its value.
static Expr *constant_behind(Expr *value) {
    if (value->kind != EX_CAST || value->cast != CAST_READ || value->left->kind != EX_VAR)
        return value;
    const Decl *decl = value->left->decl;
    bool known = decl->type->quals == Q_CONST && decl->init && decl->init->whole;
    return known && (decl->internal || decl->external) ? decl->init->pieces[0].value : value;
}

static void add_scalar(Flat *flat, const Subobject *slot, Expr *value) {
    if (slot->type->kind == CT_UNSUPPORTED) {
        error_at_expr(flat->parser, value, "type %s is not supported",
                      type_text(flat->parser, slot->type));
        return;
    }
    CType *type = slot->type->unqualified;
    if (flat->is_static) value = constant_behind(expr_value(flat->parser, value));
    value = expr_assign_width(flat->parser, value, type, slot->bitfield ? slot->width : 0,
                              "initializing");
    if (value->kind == EX_ERROR || slot->type->kind == CT_ERROR) return;
    check_constant(flat, value, slot->reversed);
    if (slot->reversed) check_reversed(flat->parser, type, value);
    add_piece(flat, slot, type, value);
}

// Whether a value is a string literal for an array of this type.
static bool string_fits(const Expr *value, const CType *type) {
    if (value->kind != EX_STRING || type->kind != CT_ARRAY || value->string->object) return false;
    const CType *element = type->base->unqualified;
    if (element->kind == CT_ENUM) element = element->base;
    const CType *character = value->type->base->unqualified;
    if (value->string->element == 1) return type_is_character(element);
    return type_is_integer(element) && element->size == character->size &&
           (element->kind == character->kind || type_compatible_unqualified(element, character));
}

static uint64_t string_count(const Expr *value) {
    return value->string->size / value->string->element;
}

// The same string with the bytes of each character in reverse order.
static Expr *reversed_string(Parser *parser, const Expr *value) {
    Expr *copy = expr_new(parser, EX_STRING, value->type, value);
    CString *string = ARENA_NEW(parser->arena, CString);
    uint8_t *bytes = arena_alloc(parser->arena, value->string->size);
    *copy = *value;
    *string = *value->string;
    for (uint64_t i = 0; i < string->size; i++)
        bytes[i] = value->string->bytes[i ^ (string->element - 1)];
    string->bytes = bytes;
    copy->string = string;
    return copy;
}

static void add_string(Flat *flat, const Subobject *slot, Expr *value) {
    CType *type = slot->type;
    if (slot->reversed) value = reversed_string(flat->parser, value);
    if (!type->array.counted) {
        type = type_array(flat->parser->types, type->base, string_count(value));
    } else if (string_count(value) - 1 > type->array.count) {
        warn_at_expr(flat->parser, WARN_EXCESS_INITIALIZERS, value,
                     "the string is longer than the array of %llu characters that it initializes",
                     (unsigned long long)type->array.count);
    }
    add_piece(flat, slot, type, value);
}

// A compound literal stands for its own initializer: an array always, a record in static storage.
static void add_compound(Flat *flat, const Subobject *slot, const Expr *value) {
    const Init *init = value->decl->init;
    for (uint32_t i = 0; init && i < init->count; i++) {
        InitPiece piece = init->pieces[i];
        piece.offset += slot->offset;
        piece.reversed |= slot->reversed;
        vec_push(flat->arena, &flat->pieces, piece);
    }
    if (init && flat->flexible < init->flexible) flat->flexible = init->flexible;
}

// Behind casts that change nothing.
static Expr *plain_value(Expr *value) {
    while (value->kind == EX_CAST && (value->cast == CAST_READ || value->cast == CAST_SAME))
        value = value->left;
    return value;
}

static void add_record(Flat *flat, const Subobject *slot, Expr *value) {
    Expr *plain = plain_value(value);
    if (flat->is_static && plain->kind == EX_COMPOUND) {
        add_compound(flat, slot, plain);
        return;
    }
    if (flat->is_static) error_at_expr(flat->parser, value, "initializer element is not constant");
    CType *type = slot->type->unqualified;
    value = expr_assign_convert(flat->parser, value, type, "initializing");
    flat->records = true;
    if (value->kind != EX_ERROR) add_piece(flat, slot, type, value);
}

// Tries to initialize all of a slot with a value.
static bool add_whole(Flat *flat, const Subobject *slot, Expr *value) {
    const CType *type = slot->type;
    if (string_fits(value, type)) {
        count_elements(flat, type, flat->levels.count, string_count(value), true);
        add_string(flat, slot, value);
    } else if (type->kind == CT_ARRAY && value->kind == EX_COMPOUND &&
               type_compatible_unqualified(value->type, type)) {
        count_elements(flat, type, flat->levels.count, value->type->array.count, false);
        add_compound(flat, slot, value);
    } else if (type_is_record(type) && type_compatible_unqualified(value->type, type) &&
               value->type->kind != CT_ERROR) {
        add_record(flat, slot, value);
    } else if (!is_aggregate(type)) {
        add_scalar(flat, slot, value);
    } else {
        return false;
    }
    return true;
}

// char s[] = { "text" }: the string is for the array in braces.
static bool add_braced_string(Flat *flat, uint32_t base, Expr *value) {
    Level *level = &flat->levels.at[base];
    if (flat->levels.count != base + 1 || level->index != 0 || !string_fits(value, level->type))
        return false;
    Subobject slot = {.type = level->type, .offset = level->offset, .reversed = level->reversed};
    add_string(flat, &slot, value);
    uint64_t count = level->type->array.counted ? level->count : string_count(value);
    reach(flat, level, count, true);
    level->index = level->count = count;
    return true;
}

static void warn_excess(Flat *flat, Pos pos, Pos end) {
    if (!flat->excess)
        parser_warn(flat->parser, WARN_EXCESS_INITIALIZERS, pos, end,
                    "excess elements in initializer");
    flat->excess = true;
}

static void place_value(Flat *flat, uint32_t base, Expr *value) {
    if (add_braced_string(flat, base, value)) return;
    for (;;) {
        if (!find_room(flat, base)) {
            warn_excess(flat, value->pos, value->end);
            return;
        }
        Level *level = top_level(flat);
        choose_member(flat, level);
        Subobject slot = current_slot(level);
        flat->went_back |= is_stale(level);
        if (add_whole(flat, &slot, value)) {
            advance(flat);
            return;
        }
        descend(flat, &slot);
        bool empty = top_level(flat)->index >= top_level(flat)->count;
        if (empty) warn_excess(flat, value->pos, value->end);
        if (!empty && value->type->kind != CT_ERROR) continue;
        flat->levels.count--;
        advance(flat);
        return;
    }
}

// ---- Braces

static void parse_list(Flat *flat, const Subobject *slot, uint64_t *count);

// The '}' of a list. After a mistake in the list, tokens before the '}' are skipped, so that the
// '}' does not end the block around the declaration; a ';' ends a list whose '}' is missing.
static void end_list(Parser *parser) {
    if (!parser->panic && parser_expect(parser, TOK_RBRACE, "the initializer")) return;
    for (uint32_t depth = 0; !parser_at(parser, TOK_EOF); parser_next(parser)) {
        switch (parser->token.kind) {
        case TOK_LBRACE: depth++; break;
        case TOK_SEMI:
            if (depth == 0 && parser_peek(parser, 1)->flags & TOKF_LINE) return;
            break;
        case TOK_RBRACE:
            if (depth-- > 0) break;
            parser_next(parser);
            return;
        default: break;
        }
    }
}

// Skips over a list that initializes nothing, for its syntax and its errors.
static void discard_list(Flat *flat) {
    Parser *parser = flat->parser;
    parser_next(parser);
    bool shallow = parser_enter(parser);
    while (shallow && !parser->panic && !parser_at(parser, TOK_RBRACE)) {
        if (parser_at(parser, TOK_LBRACE))
            discard_list(flat);
        else
            parse_assignment(parser);
        if (!parser_accept(parser, TOK_COMMA)) break;
    }
    end_list(parser);
}

static void discard(Flat *flat) {
    if (parser_at(flat->parser, TOK_LBRACE))
        discard_list(flat);
    else
        parse_assignment(flat->parser);
}

// { value } for a scalar.
static void parse_braced_scalar(Flat *flat, const Subobject *slot) {
    Parser *parser = flat->parser;
    Token brace = parser->token;
    parser_next(parser);
    if (parser_at(parser, TOK_RBRACE)) {
        if (slot->type->kind != CT_ERROR)
            error_at_token(parser, "a scalar cannot have an empty initializer");
    } else if (parser_at(parser, TOK_LBRACE)) {
        if (!flat->excess)
            parser_warn(parser, WARN_EXCESS_INITIALIZERS, brace.pos, brace.pos + 1,
                        "too many braces around a scalar initializer");
        flat->excess = true;
        if (parser_enter(parser)) parse_braced_scalar(flat, slot);
    } else {
        add_scalar(flat, slot, parse_assignment(parser));
    }
    while (!parser->panic && parser_accept(parser, TOK_COMMA) && !parser_at(parser, TOK_RBRACE)) {
        warn_excess(flat, parser->token.pos, parser->token.pos + parser->token.length);
        discard(flat);
    }
    end_list(parser);
}

// A list in braces for what the top level stands at.
static void place_braces(Flat *flat, uint32_t base) {
    if (!find_room(flat, base)) {
        Token at = flat->parser->token;
        warn_excess(flat, at.pos, at.pos + at.length);
        discard(flat);
        return;
    }
    Level *level = top_level(flat);
    choose_member(flat, level);
    Subobject slot = current_slot(level);
    if (is_aggregate(slot.type)) {
        bool stale = is_stale(level);
        if (stale) {
            MarkedList list = {.piece = flat->pieces.count, .brace = flat->parser->token};
            vec_push(flat->arena, &flat->lists, list);
            mark_zero(flat, slot.type, slot.offset);
        }
        uint64_t count;
        if (slot.type->kind == CT_ARRAY && !slot.type->complete && !flat->is_static)
            error_at_token(flat->parser,
                           "a flexible array member can be initialized in static objects only");
        parse_list(flat, &slot, &count);
    } else {
        flat->went_back |= is_stale(level);
        parse_braced_scalar(flat, &slot);
    }
    advance(flat);
}

// ---- Designators

static bool at_designator(Parser *parser) {
    if (parser_at(parser, TOK_DOT) || parser_at(parser, TOK_LBRACKET)) return true;
    return parser_at(parser, TOK_IDENT) && parser->token.ident->keyword == KW_NONE &&
           parser_peek(parser, 1)->kind == TOK_COLON;
}

static bool parse_index(Flat *flat, const Level *level, uint64_t *index) {
    Parser *parser = flat->parser;
    Arena *saved = parser->body_arena;
    parser->body_arena = parser->index_arena;
    Expr *expr = expr_value(parser, parse_constant(parser));
    int64_t value;
    bool known = constant_integer(parser, expr, "array index in an initializer", &value);
    if (known && value < 0 && !type_is_unsigned(expr->type)) {
        error_at_expr(parser, expr, "array index in an initializer is negative");
        known = false;
    } else if (known && (uint64_t)value >= level->count) {
        error_at_expr(parser, expr,
                      "array index %lld in an initializer is beyond the %llu elements",
                      (long long)value, (unsigned long long)level->count);
        known = false;
    }
    parser->body_arena = saved;
    bool outermost = saved != parser->index_arena;
    if (outermost && arena_used(parser->index_arena) > 1 << 16) arena_reset(parser->index_arena);
    if (known) *index = (uint64_t)value;
    return known;
}

// [index] or [low ... high]. After an error the level stays where it is.
static void parse_array_designator(Flat *flat) {
    Parser *parser = flat->parser;
    Token bracket = parser->token;
    parser_next(parser);
    Level level = *top_level(flat);
    if (level.type->kind != CT_ARRAY) {
        parser_error(parser, bracket.pos, bracket.pos + 1, "array index in the initializer of %s",
                     type_text(parser, level.type));
        parser->panic = true;
        return;
    }
    uint64_t low, high;
    bool known = parse_index(flat, &level, &low);
    if (parser_accept(parser, TOK_ELLIPSIS)) {
        known = parse_index(flat, &level, &high) && known;
        if (known && high < low) {
            parser_error(parser, bracket.pos, parser->last_end, "empty range of array indices");
            known = false;
        }
        if (known && high > low)
            vec_push(flat->arena, &flat->ranges,
                     (DesignatedRange){.level = flat->levels.count - 1, .extra = high - low});
    }
    parser_expect(parser, TOK_RBRACKET, "array index");
    if (known) top_level(flat)->index = low;
}

static void parse_member_designator(Flat *flat) {
    Parser *parser = flat->parser;
    Token name = parser->token;
    if (!parser_at(parser, TOK_IDENT) || name.ident->keyword != KW_NONE) {
        syntax_error(parser, "expected the name of a member");
        return;
    }
    CType *type = top_level(flat)->type;
    uint32_t index = type_is_record(type) ? type_member_index(type, name.ident) : HASH_NONE;
    if (index == HASH_NONE) {
        syntax_error(parser,
                     type_is_record(type) ? "%s has no member '%s'"
                                          : "%s is not a struct with a member '%s'",
                     type_text(parser, type), name.ident->text);
        return;
    }
    parser_next(parser);
    top_level(flat)->index = index;
    // Into the anonymous members on the way.
    while (type->record->members.at[index].name != name.ident) {
        Level *level = top_level(flat);
        choose_member(flat, level);
        Subobject slot = current_slot(level);
        descend(flat, &slot);
        type = slot.type;
        index = type_member_index(type, name.ident);
        top_level(flat)->index = index;
    }
}

static void parse_designators(Flat *flat, uint32_t base) {
    Parser *parser = flat->parser;
    flat->levels.count = base + 1;
    if (parser_at(parser, TOK_IDENT)) { // GNU: name: value
        parse_member_designator(flat);
        if (!parser->panic) parser_next(parser);
        return;
    }
    bool brackets = false;
    while (!parser->panic) {
        brackets = parser_at(parser, TOK_LBRACKET);
        if (brackets) {
            parse_array_designator(flat);
        } else {
            parser_next(parser);
            parse_member_designator(flat);
        }
        if (parser->panic) return;
        if (!parser_at(parser, TOK_DOT) && !parser_at(parser, TOK_LBRACKET)) break;
        Level *level = top_level(flat);
        if (level->index >= level->count) break; // an index that was reported
        choose_member(flat, level);
        Subobject slot = current_slot(level);
        if (!is_aggregate(slot.type)) {
            syntax_error(parser, "this designator goes into type %s, which has no parts",
                         type_text(parser, slot.type));
            return;
        }
        descend(flat, &slot);
    }
    // GNU: [index] value
    if (!parser_accept(parser, TOK_ASSIGN) && !brackets)
        parser_expect(parser, TOK_ASSIGN, "designator");
}

// ---- Ranges

static bool is_simple(const Expr *value) {
    AddressConstant address;
    return !value || expr_is_number(value) || value->kind == EX_STRING ||
           is_complex_constant(value) || expr_is_address_constant(value, &address);
}

// Makes the value of a piece usable several times: computed by the piece itself, read by the
// others.
static Expr *share_value(Flat *flat, InitPiece *piece) {
    if (is_simple(piece->value)) return piece->value;
    Parser *parser = flat->parser;
    Expr *value = piece->value;
    Decl *variable = hidden_variable(parser, piece->type, false);
    Expr *assign = expr_new(parser, EX_ASSIGN, piece->type, value);
    assign->left = expr_var(parser, variable, value->pos);
    assign->right = value;
    piece->value = assign;
    return expr_value(parser, expr_var(parser, variable, value->pos));
}

static bool is_zero(const InitPiece *piece) {
    return piece->value && is_zero_constant(piece->value);
}

// Each element of a range has pieces of its own, so that memory bounds its size.
enum { MAX_RANGE_PIECES = 1 << 24 };

static void repeat_pieces(Flat *flat, uint32_t first, const DesignatedRange *range) {
    Level *level = &flat->levels.at[range->level];
    uint64_t step = level->type->base->size;
    uint32_t count = flat->pieces.count - first;
    if (count == 1 && range->fresh && is_zero(&flat->pieces.at[first])) return; // it is anyway
    if (count > 0 && range->extra > MAX_RANGE_PIECES / count) {
        error_at_token(flat->parser, "the range of array indices before this is too large");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        InitPiece piece = flat->pieces.at[first + i];
        piece.value = share_value(flat, &flat->pieces.at[first + i]);
        InitPiece *copies = vec_extend(flat->arena, &flat->pieces, range->extra);
        for (uint64_t k = 0; k < range->extra; k++) {
            piece.offset += step;
            copies[k] = piece;
        }
    }
}

// Copies what the first element of each range got to the others, and moves on to the last.
static void apply_ranges(Flat *flat, uint32_t first, uint32_t ranges) {
    while (flat->ranges.count > ranges) {
        DesignatedRange range = vec_pop(&flat->ranges);
        if (range.level >= flat->levels.count) continue;
        repeat_pieces(flat, first, &range);
        Level *level = &flat->levels.at[range.level];
        uint64_t distance = range.extra * level->type->base->size;
        level->index += range.extra;
        bool inside = range.level + 1 < flat->levels.count;
        reach(flat, level, level->index + (inside ? 1 : 0), false);
        for (uint32_t i = range.level + 1; i < flat->levels.count; i++)
            flat->levels.at[i].offset += distance;
    }
}

// ---- Lists

static void parse_element(Flat *flat, uint32_t base, bool *designated) {
    Parser *parser = flat->parser;
    uint32_t ranges = flat->ranges.count;
    if (at_designator(parser)) {
        *designated = true;
        parse_designators(flat, base);
        if (parser->panic) return;
        for (uint32_t i = ranges; i < flat->ranges.count; i++) {
            const Level *level = &flat->levels.at[flat->ranges.at[i].level];
            flat->ranges.at[i].fresh = !is_stale(level);
        }
    }
    uint32_t first = flat->pieces.count;
    if (parser_at(parser, TOK_LBRACE))
        place_braces(flat, base);
    else
        place_value(flat, base, parse_assignment(parser));
    if (flat->ranges.count > ranges) apply_ranges(flat, first, ranges);
}

static void warn_missing(Flat *flat, uint32_t base, uint32_t first) {
    const Level *level = &flat->levels.at[base];
    if (level->type->kind != CT_STRUCT || level->index >= level->count || level->index == 0) return;
    const Member *member = &level->type->record->members.at[level->index];
    if (!member->name || (member->type->kind == CT_ARRAY && !member->type->complete)) return;
    const Expr *only = flat->pieces.count == first + 1 ? flat->pieces.at[first].value : NULL;
    bool zero = only && (is_zero_constant(only) || (only->kind == EX_FLOAT && only->floating == 0));
    if (zero) return; // {0}, whatever the first member is
    Token at = flat->parser->token;
    parser_warn(flat->parser, WARN_MISSING_FIELD_INITIALIZERS, at.pos, at.pos + at.length,
                "missing initializer for member '%s'", member->name->text);
}

// At '{'. `count` gets the number of elements that an array has been given.
static void parse_list(Flat *flat, const Subobject *slot, uint64_t *count) {
    Parser *parser = flat->parser;
    *count = 0;
    if (!parser_enter(parser)) {
        return;
    }
    parser_next(parser);
    uint32_t base = flat->levels.count, first = flat->pieces.count;
    bool designated = false, excess = flat->excess;
    flat->excess = false;
    push_level(flat, slot->type, slot->offset, slot->reversed, false);
    while (!parser->panic && !parser_at(parser, TOK_RBRACE)) {
        parse_element(flat, base, &designated);
        if (parser->panic || !parser_accept(parser, TOK_COMMA)) break;
    }
    // Leaves the levels above, so that the list's own level counts its elements.
    while (flat->levels.count > base + 1) {
        flat->levels.count--;
        advance(flat);
    }
    if (!designated && !parser->panic) warn_missing(flat, base, first);
    *count = flat->levels.at[base].high;
    flat->levels.count = base;
    flat->excess = excess;
    end_list(parser);
}

// ---- The whole

static void flat_start(Flat *flat, Parser *parser, bool is_static) {
    *flat = (Flat){
        .parser = parser,
        .arena = parser->body_arena,
        .is_static = is_static,
    };
}

static Init *flat_finish(Flat *flat, const CType *type) {
    if (flat->marks) init_settle(flat);
    if (flat->went_back && pp_might_warn(flat->parser->pp, WARN_OVERRIDE_INIT))
        init_warn_overridden(flat);
    Init *init = ARENA_NEW(flat->arena, Init);
    init->pieces = flat->pieces.at;
    init->count = flat->pieces.count;
    init->flexible = flat->flexible;
    const InitPiece *piece = flat->pieces.at;
    init->whole = init->count == 1 && piece->offset == 0 && !piece->bitfield &&
                  piece->type->size == type->size;
    return init;
}

static void single_value(Flat *flat, Expr *value, CType **type) {
    Subobject slot = {.type = *type};
    if (add_whole(flat, &slot, value)) {
        bool completes = (*type)->kind == CT_ARRAY && !(*type)->complete;
        if (completes && value->kind == EX_STRING)
            *type = type_array(flat->parser->types, (*type)->base, string_count(value));
        else if (completes)
            *type = type_array(flat->parser->types, (*type)->base, value->type->array.count);
        return;
    }
    if (value->type->kind == CT_ERROR) return;
    bool literal = value->kind == EX_STRING && !value->string->object;
    if ((*type)->kind == CT_ARRAY && literal)
        error_at_expr(flat->parser, value, "a string of type %s cannot initialize an array of %s",
                      type_text(flat->parser, value->type), type_text(flat->parser, (*type)->base));
    else if ((*type)->kind == CT_ARRAY)
        error_at_expr(flat->parser, value,
                      "an array must be initialized by a list in braces or a string literal");
    else
        error_at_expr(flat->parser, value, "initializing %s with an expression of type %s",
                      type_text(flat->parser, *type), type_text(flat->parser, value->type));
}

Init *init_from_expression(Parser *parser, Expr *value, CType *type, bool is_static) {
    Flat flat;
    flat_start(&flat, parser, is_static);
    single_value(&flat, value, &type);
    return flat_finish(&flat, type);
}

static Init *parse_pieces(Parser *parser, CType **type, bool is_static) {
    Flat flat;
    flat_start(&flat, parser, is_static);
    if (!parser_at(parser, TOK_LBRACE)) {
        single_value(&flat, parse_assignment(parser), type);
        return flat_finish(&flat, *type);
    }
    if ((*type)->kind == CT_ERROR) {
        discard_list(&flat);
    } else if (is_aggregate(*type)) {
        uint64_t count;
        parse_list(&flat, &(Subobject){.type = *type}, &count);
        if ((*type)->kind == CT_ARRAY && !(*type)->complete)
            *type = type_array(parser->types, (*type)->base, count);
    } else {
        Subobject slot = {.type = *type};
        parse_braced_scalar(&flat, &slot);
    }
    return flat_finish(&flat, *type);
}

Init *parse_initializer(Parser *parser, CType **type, bool is_static) {
    parser->folds_now += is_static;
    Init *init = parse_pieces(parser, type, is_static);
    parser->folds_now -= is_static;
    return init;
}
