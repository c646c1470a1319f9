// struct, union and enum specifiers.
#include "c/parse/declare.h"
#include "c/parse/recover.h"
#include "c/parse/units_parse.h"
#include "c/parse/warn.h"

enum { MANY_MEMBERS = 16 }; // from which names are looked up in a table

// ---- Tags

static const char *tag_word(CTypeKind kind) {
    return kind == CT_STRUCT ? "struct" : kind == CT_UNION ? "union" : "enum";
}

static CType *new_tagged(Parser *parser, CTypeKind kind, Ident *name, Pos pos) {
    return kind == CT_ENUM ? type_enum(parser->types, name, pos)
                           : type_record(parser->types, kind, name, pos);
}

static CType *declare_tag(Parser *parser, CTypeKind kind, const Token *name) {
    CType *type = new_tagged(parser, kind, name->ident, name->pos);
    TagDecl *tag = ARENA_NEW(parser->body_arena, TagDecl);
    *tag = (TagDecl){.type = type, .name = name->ident, .pos = name->pos};
    scope_declare_tag(parser, tag);
    return type;
}

// Whether the tag in scope is of another kind; reported.
static bool wrong_kind(Parser *parser, CTypeKind kind, const Token *name) {
    const TagDecl *tag = name->ident->tag;
    if (tag->type->kind == kind) return false;
    parser_error(parser, name->pos, name->pos + name->length,
                 "'%s' was declared as another kind of tag", name->ident->text);
    parser_note(parser, tag->pos, "'%s %s' is declared here", tag_word((CTypeKind)tag->type->kind),
                name->ident->text);
    return true;
}

// A tag that is only named: "struct s *p" takes the one in scope, "struct s;" is of this scope.
static CType *refer_to_tag(Parser *parser, CTypeKind kind, const Token *name) {
    TagDecl *tag = name->ident->tag;
    bool here = tag && tag->scope_depth == parser->scope->depth;
    if (tag && (here || !parser_at(parser, TOK_SEMI)))
        return wrong_kind(parser, kind, name) ? parser->types->basic[CT_ERROR] : tag->type;
    if (parser->scope->prototype)
        parser_warn(parser, WARN_INCOMPATIBLE_POINTERS, name->pos, name->pos + name->length,
                    "'%s %s' is declared inside the parameter list: it will not be visible outside "
                    "of this declaration",
                    tag_word(kind), name->ident->text);
    return declare_tag(parser, kind, name);
}

static bool is_defined(const CType *type) {
    return type->complete || (type_is_record(type) && type->record->being_defined);
}

// A tag that is being defined (NULL without a name).
static CType *define_tag(Parser *parser, CTypeKind kind, const Token *name, Pos pos) {
    if (!name) return new_tagged(parser, kind, NULL, pos);
    TagDecl *tag = name->ident->tag;
    if (!tag || tag->scope_depth != parser->scope->depth) return declare_tag(parser, kind, name);
    if (wrong_kind(parser, kind, name)) return new_tagged(parser, kind, name->ident, name->pos);
    if (!is_defined(tag->type)) {
        tag->pos = name->pos;
        unit_declares(parser, tag->name); // users that know it from before need the completion, too
        return tag->type;
    }
    parser_error(parser, name->pos, name->pos + name->length, "redefinition of '%s %s'",
                 tag_word(kind), name->ident->text);
    parser_note(parser, tag->pos, "previous definition is here");
    return new_tagged(parser, kind, name->ident, name->pos);
}

// ---- Members

typedef struct {
    CType *type;
    Record *record;
} RecordMembers;

static void check_duplicate(Parser *parser, const RecordMembers *members, Ident *name, Pos pos) {
    uint64_t offset;
    const Member *other = type_find_member(members->type, name, &offset);
    if (!other) return;
    parser_error(parser, pos, pos + name->length, "duplicate member '%s'", name->text);
    parser_note(parser, other->pos, "previous declaration is here");
}

static void check_duplicates_within(Parser *parser, const RecordMembers *members,
                                    const CType *type) {
    const Record *record = type->record;
    for (uint32_t i = 0; i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        if (member->name)
            check_duplicate(parser, members, member->name, member->pos);
        else if (!member->bitfield && type_is_record(member->type))
            check_duplicates_within(parser, members, member->type);
    }
}

// Enters the names that a member brings into a record.
static void add_names(Parser *parser, Record *record, const Member *member, uint32_t index) {
    if (member->name) {
        map_set(parser->types->arena, &record->names, member->name->name.i, index);
    } else if (!member->bitfield && type_is_record(member->type)) {
        if (member->by_type)
            map_set(parser->types->arena, &record->names, member->by_type->name.i, index);
        const Record *inner = member->type->record;
        for (uint32_t i = 0; i < inner->members.count; i++)
            add_names(parser, record, &inner->members.at[i], index);
    }
}

static void add_member(Parser *parser, RecordMembers *members, const Member *member) {
    Record *record = members->record;
    if (member->name) {
        check_duplicate(parser, members, member->name, member->pos);
    } else if (!member->bitfield && type_is_record(member->type)) {
        if (record->members.count) check_duplicates_within(parser, members, member->type);
        record->anonymous = true;
    }
    vec_push(parser->types->arena, &record->members, *member);
    uint32_t count = record->members.count, first = count > MANY_MEMBERS ? count - 1 : 0;
    for (uint32_t i = first; count >= MANY_MEMBERS && i < count; i++)
        add_names(parser, record, &record->members.at[i], i);
}

// A bit-field of a type that cannot be one counts as an int from then on.
static bool check_bitfield_type(Parser *parser, Member *member, const Declarator *declarator) {
    const CType *type = member->type;
    if (type_is_integer(type) && type->complete && !(type->quals & Q_ATOMIC)) return true;
    Pos pos = declarator->pos, end = pos + (member->name ? member->name->length : 1);
    if (type->kind != CT_ERROR)
        parser_error(parser, pos, end,
                     type->kind == CT_UNSUPPORTED ? "bit-field '%s' of type %s is not supported"
                                                  : "bit-field '%s' has invalid type %s",
                     member->name ? member->name->text : "<unnamed>", type_text(parser, type));
    member->type = parser->types->basic[CT_INT];
    return false;
}

static void parse_width(Parser *parser, Member *member, const Declarator *declarator) {
    member->bitfield = true;
    member->width = member->name ? 1 : 0; // after a mistake
    const char *name = member->name ? member->name->text : "<unnamed>";
    Expr *expr = expr_value(parser, parse_constant(parser));
    int64_t width;
    if (!check_bitfield_type(parser, member, declarator) ||
        !constant_integer(parser, expr, "width of a bit-field", &width))
        return;
    const CType *type = member->type;
    if (width < 0) {
        error_at_expr(parser, expr, "bit-field '%s' has negative width", name);
    } else if (width == 0 && member->name) {
        error_at_expr(parser, expr, "named bit-field '%s' has zero width", name);
    } else if (width > type_bits(type)) {
        error_at_expr(parser, expr,
                      "width of bit-field '%s' (%lld bits) exceeds that of its type "
                      "%s (%u bits)",
                      name, (long long)width, type_text(parser, type), type_bits(type));
    } else {
        member->width = (uint16_t)width;
    }
}

static void check_member_type(Parser *parser, Member *member, const Declarator *declarator) {
    CType *type = member->type;
    Pos pos = declarator->pos, end = pos + (member->name ? member->name->length : 1);
    const char *name = member->name ? member->name->text : "<unnamed>";
    bool flexible = type->kind == CT_ARRAY && !type->complete && !type->variable;
    bool variable = type->variable && (parser->scope->depth == 0 || !type->complete);
    if (type->kind == CT_ERROR || (type->complete && !variable) || flexible) return;
    if (type->kind == CT_FUNC)
        parser_error(parser, pos, end, "member '%s' is declared as a function", name);
    else if (variable)
        parser_error(parser, pos, end, "member '%s' has a variably modified type at file scope",
                     name);
    else if (type->kind == CT_VOID)
        parser_error(parser, pos, end, "member '%s' is declared void", name);
    else
        parser_error(parser, pos, end, "member '%s' has incomplete type %s", name,
                     type_text(parser, type));
    member->type = parser->types->basic[CT_ERROR];
}

// -funsigned-bitfields: a bit-field's type without a sign is unsigned.
static CType *bitfield_type(Parser *parser, CType *type, const Specifiers *specifiers) {
    bool is_plain = type_is_integer(type) && type->kind != CT_ENUM && type->kind != CT_BOOL;
    if (!parser->options->dialect.unsigned_bitfields || specifiers->explicit_signed || !is_plain ||
        type_is_unsigned(type))
        return type;
    CTypeKind kind = type->kind == CT_CHAR ? CT_UCHAR : (CTypeKind)(type->kind + 1);
    return type_qualify(parser->types, parser->types->basic[kind], type->quals);
}

static void parse_member(Parser *parser, RecordMembers *members, const Specifiers *specifiers) {
    Attributes attributes = specifiers->attributes;
    Declarator declarator = {.type = specifiers->type, .pos = parser->token.pos};
    if (!parser_at(parser, TOK_COLON))
        parse_declarator(parser, specifiers->type, ABSTRACT_NO, &attributes, &declarator);
    if (parser->panic) return;
    Member member = {.name = declarator.name,
                     .type = declarator.type,
                     .type_name = specifiers->type_name,
                     .pos = declarator.pos};
    bool bitfield = parser_accept(parser, TOK_COLON);
    if (bitfield) {
        member.type = bitfield_type(parser, member.type, specifiers);
        parse_width(parser, &member, &declarator);
    }
    parse_attributes(parser, &attributes);
    member.type = apply_type_attributes(parser, member.type, &attributes, declarator.pos);
    if (!bitfield) check_member_type(parser, &member, &declarator);
    member.packed = attributes.packed;
    member.notes = attributes.notes;
    member.advice = attributes.advice;
    member.align = attributes.align > specifiers->align ? attributes.align : specifiers->align;
    add_member(parser, members, &member);
}

// A declaration without declarators: an anonymous struct or union, or nothing.
static void parse_anonymous_member(Parser *parser, RecordMembers *members,
                                   const Specifiers *specifiers) {
    CType *type = specifiers->type;
    bool unnamed = type_is_record(type) && !type->record->tag && specifiers->declares_tag;
    const Dialect *dialect = &parser->options->dialect;
    bool may_have_tag = dialect->ms_extensions || dialect->plan9_extensions;
    if (type_is_record(type) && type->complete && (unnamed || may_have_tag)) {
        const Decl *type_name = dialect->plan9_extensions ? specifiers->type_name : NULL;
        Member member = {
            .type = type,
            .by_type = type_name ? type_name->name : NULL,
            .pos = specifiers->pos,
            .packed = specifiers->attributes.packed,
            .align = specifiers->attributes.align > specifiers->align ? specifiers->attributes.align
                                                                      : specifiers->align,
        };
        add_member(parser, members, &member);
    } else if (type->kind != CT_ERROR && !(type->kind == CT_ENUM && specifiers->declares_tag)) {
        parser_warn(parser, WARN_PEDANTIC, specifiers->pos, specifiers->end,
                    "the declaration does not declare anything");
    }
}

static void parse_unmarked_member(Parser *parser, RecordMembers *members) {
    if (parser_at_keyword(parser, KW_STATIC_ASSERT)) {
        parse_static_assert(parser);
        return;
    }
    if (parser_accept(parser, TOK_SEMI)) return;
    Specifiers specifiers;
    parse_specifiers(parser, &specifiers);
    if (parser->panic) return;
    if (!specifiers.has_type) {
        if (!parser_at(parser, TOK_IDENT) && !parser_at(parser, TOK_STAR) &&
            !parser_at(parser, TOK_COLON) && !parser_at(parser, TOK_LPAREN)) {
            syntax_error(parser, "expected a member declaration");
            return;
        }
        if (specifiers.end == specifiers.pos) {
            report_no_type(parser, "a member");
            specifiers.type = parser->types->basic[CT_ERROR];
        }
        if (specifiers.type->kind != CT_ERROR)
            parser_warn(parser, WARN_IMPLICIT_INT, specifiers.pos, specifiers.end,
                        "type of a member defaults to 'int'");
    }
    if (specifiers.storage != STORAGE_NONE || specifiers.is_thread)
        parser_error(parser, specifiers.pos, specifiers.end,
                     "a member cannot have a storage class");
    if (specifiers.ended || parser_at(parser, TOK_SEMI) || parser_at(parser, TOK_RBRACE)) {
        parse_anonymous_member(parser, members, &specifiers);
    } else {
        do {
            parse_attributes(parser, &specifiers.attributes);
            parse_member(parser, members, &specifiers);
        } while (!parser->panic && parser_accept(parser, TOK_COMMA));
    }
    if (parser->panic || specifiers.ended || parser_accept(parser, TOK_SEMI)) return;
    Pos pos = parser->last_end;
    if (parser_at(parser, TOK_RBRACE)) {
        parser_warn(parser, WARN_PEDANTIC, pos, pos + 1, "expected ';' after the last member");
    } else {
        parser_fix_insert(parser, pos, ";");
        parser_error(parser, pos, pos + 1, "expected ';' after the declaration of a member");
        parser->panic = !(parser->token.flags & TOKF_LINE);
    }
}

static void parse_member_declaration(Parser *parser, RecordMembers *members) {
    unsigned marks = parse_extension_marks(parser);
    parse_unmarked_member(parser, members);
    parser->extensions -= marks;
}

static void check_flexible(Parser *parser, const RecordMembers *members) {
    Record *record = members->record;
    for (uint32_t i = 0; i < record->members.count; i++) {
        Member *member = &record->members.at[i];
        const CType *type = member->type;
        bool last = i + 1 == record->members.count;
        if (type->kind == CT_ARRAY && !type->complete) {
            if (last && members->type->kind == CT_STRUCT) {
                record->flexible = true;
                continue;
            }
            parser_error(parser, member->pos, member->pos + member->name->length,
                         last ? "flexible array member '%s' in a union"
                              : "flexible array member '%s' is not at the end of the struct",
                         member->name->text);
            member->type = type_array(parser->types, type->base, 0);
        } else if (type_is_record(type) && type->record->flexible) {
            record->flexible |= last;
            if (members->type->kind == CT_STRUCT)
                parser_warn(parser, WARN_PEDANTIC, member->pos, member->pos + 1,
                            "ISO C forbids a member whose type ends in a flexible array member");
        }
    }
}

static const uint64_t MAX_RECORD = (uint64_t)1 << 60;

static bool is_nested_too_deeply(const Types *types, const Record *record) {
    CType all = {0};
    for (uint32_t i = 0; i < record->members.count; i++)
        type_add_part(&all, record->members.at[i].type);
    return type_is_excessive(types, &all);
}

// Whether the members' sizes add up to something that can be counted in bits.
static bool fits_memory(const Record *record) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < record->members.count; i++) {
        total += record->members.at[i].type->size;
        if (record->members.at[i].type->size > MAX_RECORD || total > MAX_RECORD) return false;
    }
    return true;
}

// Whether a member is a number or an array of numbers: the order of bytes does not apply to records
// in it, nor, as in gcc, to pointers.
static bool holds_numbers(const CType *type) {
    while (type->kind == CT_ARRAY) type = type->base;
    return type_is_arithmetic(type);
}

static void complete_record(Parser *parser, RecordMembers *members, const Attributes *attributes,
                            uint32_t pack, bool big_endian) {
    Record *record = members->record;
    check_flexible(parser, members);
    bool packed = attributes->packed || parser->options->pack_all;
    record->packed = packed;
    record->transparent |= attributes->transparent_union;
    record->ms_layout = attributes->layout ? attributes->layout == CHOICE_OTHER
                                           : parser->options->dialect.ms_layout;
    record->reversed = attributes->order ? attributes->order == CHOICE_OTHER : big_endian;
    record->asked_align = attributes->align > 0;
    for (uint32_t i = 0; i < record->members.count; i++) {
        Member *member = &record->members.at[i];
        member->packed |= packed;
        member->reversed = record->reversed && holds_numbers(member->type);
        record->asked_align |= member->align > 0 || member->type->realigned;
    }
    if (is_nested_too_deeply(parser->types, record)) {
        parser_error(parser, record->pos, record->pos + 1, "%s is nested too deeply",
                     type_text(parser, members->type));
        vec_clear(&record->members);
    } else if (!fits_memory(record)) {
        parser_error(parser, record->pos, record->pos + 1, "%s is too large",
                     type_text(parser, members->type));
        vec_clear(&record->members);
    }
    type_complete_record(parser->types, members->type, attributes->align, pack);
    warn_record(parser, members->type);
    if (members->type->variable) complete_variable_record(parser, members->type, pack);
}

static void parse_members(Parser *parser, CType *type, Attributes *attributes) {
    RecordMembers members = {.type = type, .record = type->record};
    type->record->being_defined = true;
    parser_next(parser);
    bool shallow = parser_enter(parser);
    Pos open = parser->last_end - 1;
    uint32_t mistakes = parser->mistakes;
    while (shallow && !parser_at(parser, TOK_RBRACE) && !parser_at(parser, TOK_EOF)) {
        if (at_lost_end(parser)) {
            report_lost_end(parser, "the members", open);
            break;
        }
        parse_member_declaration(parser, &members);
        if (parser->panic) parser_recover(parser);
    }
    if (!shallow) parser_recover(parser);
    type->record->damaged = parser->mistakes != mistakes;
    uint32_t pack = parser->pack; // before a pragma that follows the brace
    bool big_endian = parser->big_endian;
    parser_expect(parser, TOK_RBRACE, "the members");
    parser->tag_end = parser->last_end;
    parse_gnu_attributes(parser, attributes);
    complete_record(parser, &members, attributes, pack, big_endian);
}

// ---- Enumerations

typedef struct {
    uint64_t next;      // value of the next enumerator
    bool next_unsigned; // `next` is above INT64_MAX
    bool negative;      // some value is
    int64_t minimum;    // of the negative values
    uint64_t maximum;   // of the others
    VEC(Decl *) values;
} Enumerators;

static bool fits_int(uint64_t value) {
    return (int64_t)value >= INT32_MIN && (int64_t)value <= INT32_MAX;
}

// Whether a constant is one of the integers of 64 bits.
static bool fits_long(const Expr *expr) {
    Wide value;
    if (!constant_wide(expr, &value)) return true;
    return type_is_unsigned(expr->type) ? value.high == 0
                                        : wide_equal(value, wide_signed(value.low));
}

static void note_value(Enumerators *all, uint64_t value, bool is_unsigned) {
    bool negative = (int64_t)value < 0 && !is_unsigned;
    if (negative) {
        all->negative = true;
        if ((int64_t)value < all->minimum) all->minimum = (int64_t)value;
    } else if (value > all->maximum) {
        all->maximum = value;
    }
    all->next = value + 1;
    all->next_unsigned = !negative && all->next > INT64_MAX;
}

static void declare_enumerator(Parser *parser, Decl *decl) {
    const Decl *other = decl->name->ordinary;
    if (other && other->scope_depth == parser->scope->depth) {
        parser_error(parser, decl->pos, decl->pos + decl->name->length,
                     other->kind == DECL_ENUMERATOR
                         ? "redefinition of enumerator '%s'"
                         : "redefinition of '%s' as a different kind of symbol",
                     decl->name->text);
        parser_note(parser, other->pos, "previous declaration is here");
        return;
    }
    scope_declare(parser, decl);
}

static void parse_enumerator(Parser *parser, Enumerators *all) {
    if (!parser_at(parser, TOK_IDENT) || parser->token.ident->keyword != KW_NONE) {
        syntax_error(parser, "expected the name of an enumerator");
        return;
    }
    Token name = parser->token;
    parser_next(parser);
    Attributes attributes = no_attributes;
    parse_attributes(parser, &attributes);
    uint64_t value = all->next;
    bool is_unsigned = all->next_unsigned;
    CType *type = parser->types->basic[CT_INT];
    if (parser_accept(parser, TOK_ASSIGN)) {
        Expr *expr = expr_value(parser, parse_constant(parser));
        int64_t constant;
        if (constant_integer(parser, expr, "value of an enumerator", &constant)) {
            value = (uint64_t)constant;
            is_unsigned = constant < 0 && type_is_unsigned(expr->type);
            if (!fits_long(expr))
                error_at_expr(parser, expr, "the value of '%s' does not fit any integer type",
                              name.ident->text);
        }
    } else if (all->values.count > 0 && value == 0 && !all->negative) {
        parser_error(parser, name.pos, name.pos + name.length,
                     "the value of '%s' does not fit any integer type", name.ident->text);
    }
    if (!fits_int(value) || is_unsigned)
        type = parser->types->basic[is_unsigned           ? CT_ULONG
                                    : value <= UINT32_MAX ? CT_UINT
                                                          : CT_LONG];
    Decl *decl = decl_new(parser, parser->body_arena, DECL_ENUMERATOR, name.ident, type, name.pos);
    decl->enumerator = value;
    if (attributes.advice) add_attributes(parser, decl, &attributes);
    declare_enumerator(parser, decl);
    note_value(all, value, is_unsigned);
    vec_push(parser->body_arena, &all->values, decl);
}

// The type that holds all values: at least int, unless packed; unsigned if none is negative.
static CType *enum_base(Parser *parser, const Enumerators *all, bool packed) {
    static const uint8_t signed_kinds[] = {CT_SCHAR, CT_SHORT, CT_INT, CT_LONG};
    CType **basic = parser->types->basic;
    for (unsigned i = packed ? 0 : 2; i < 4; i++) {
        unsigned bits = 8u << i;
        if (all->negative) {
            int64_t most = i == 3 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
            if (all->minimum >= -most - 1 && all->maximum <= (uint64_t)most)
                return basic[signed_kinds[i]];
        } else if (i == 3 || all->maximum >> bits == 0) {
            return basic[signed_kinds[i] + 1];
        }
    }
    return basic[CT_LONG]; // a mixture that nothing holds
}

static void parse_enumerators(Parser *parser, CType *type, Attributes *attributes) {
    Enumerators all = {0};
    parser_next(parser);
    while (!parser->panic && !parser_at(parser, TOK_RBRACE)) {
        parse_enumerator(parser, &all);
        if (parser->panic || parser_accept(parser, TOK_COMMA)) continue;
        if (!parser_at(parser, TOK_IDENT) || parser->token.ident->keyword != KW_NONE) break;
        parser_error(parser, parser->last_end, parser->last_end + 1,
                     "expected ',' after the enumerator");
    }
    if (all.values.count == 0 && !parser->panic)
        error_at_token(parser, "an enumeration needs at least one enumerator");
    if (!parser->panic) parser_expect(parser, TOK_RBRACE, "the enumerators");
    parser->tag_end = parser->last_end;
    if (parser->panic) {
        parser_recover(parser);
        parser_accept(parser, TOK_RBRACE);
    }
    parse_gnu_attributes(parser, attributes);
    CType *base = enum_base(parser, &all, attributes->packed || parser->options->short_enums);
    if (attributes->mode && type_is_integer(attributes->mode))
        base = parser->types->basic[attributes->mode->kind + (all.negative ? 0u : 1u)];
    type_complete_enum(type, base);
    type->enumeration.enumerators = all.values.at;
    type->enumeration.enumerator_count = all.values.count;
    for (uint32_t i = 0; i < all.values.count; i++) {
        Decl *decl = all.values.at[i];
        if (decl->type->kind != CT_INT) decl->type = base;
        decl->enumeration = type->unqualified;
    }
}

static const Advice **advice_of_tag(CType *type) {
    return type->kind == CT_ENUM ? &type->unqualified->enumeration.advice : &type->record->advice;
}

// struct, union or enum: a definition, or a reference by name.
static CType *parse_tag_specifier(Parser *parser, CTypeKind kind) {
    Pos pos = parser->token.pos;
    parser_next(parser);
    Attributes attributes = no_attributes;
    parse_attributes(parser, &attributes);
    Token name = parser->token;
    bool named = parser_at(parser, TOK_IDENT) && name.ident->keyword == KW_NONE;
    if (named) parser_next(parser);
    if (parser_at(parser, TOK_LBRACE)) {
        CType *type = define_tag(parser, kind, named ? &name : NULL, pos);
        if (kind == CT_ENUM)
            parse_enumerators(parser, type, &attributes);
        else
            parse_members(parser, type, &attributes);
        if (attributes.advice) *advice_of_tag(type) = attributes.advice;
        if (kind == CT_ENUM)
            type->unqualified->enumeration.notes = attributes.notes;
        else
            type->record->notes = attributes.notes;
        return type;
    }
    if (named) {
        CType *type = refer_to_tag(parser, kind, &name);
        bool tagged = type->kind == CT_ENUM || type_is_record(type);
        if (tagged) heed_advice(parser, *advice_of_tag(type), &name, 0);
        return type;
    }
    syntax_error(parser, "expected a name or '{' after '%s'", tag_word(kind));
    return parser->types->basic[CT_ERROR];
}

CType *parse_record_specifier(Parser *parser) {
    return parse_tag_specifier(parser, parser_at_keyword(parser, KW_STRUCT) ? CT_STRUCT : CT_UNION);
}

CType *parse_enum_specifier(Parser *parser) {
    return parse_tag_specifier(parser, CT_ENUM);
}
