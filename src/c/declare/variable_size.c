// Sizes that are known at run time: those of variable-length arrays and, as in GNU C, of structs
// and unions with such members.
//
// Each size, and the offset of each member that has to be computed, is a hidden variable. The
// statement that computes them stands where the type is written; it is made once. The operand of a
// typeof that gives such a type is evaluated there, too, as the initializer of another hidden
// variable.
#include "c/parse/declare.h"
#include "c/parse/expression.h"

// An initializer that gives a scalar its value.
static Init *scalar_init(Parser *parser, CType *type, Expr *value) {
    InitPiece *piece = ARENA_NEW(parser->body_arena, InitPiece);
    *piece = (InitPiece){.type = type, .value = value};
    Init *init = ARENA_NEW(parser->body_arena, Init);
    *init = (Init){.pieces = piece, .count = 1, .whole = true};
    return init;
}

// Lets a hidden variable get the value of its initializer in a statement.
static void define(Parser *parser, Stmt *stmt, Decl *variable) {
    variable->defined = true;
    vec_push(parser->body_arena, &stmt->decls, variable);
}

static void compute(Parser *parser, Stmt *stmt, Decl *variable, Expr *value) {
    variable->init = scalar_init(parser, parser->types->size, value);
    define(parser, stmt, variable);
}

static Expr *read_size(Parser *parser, Decl *variable) {
    return expr_value(parser, expr_var(parser, variable, variable->pos));
}

static Decl *size_variable(const CType *type) {
    if (type->kind == CT_ARRAY) return type->array.size_var;
    return type_is_record(type) ? type->record->size_var : NULL;
}

static Expr *size_expr(Parser *parser, const CType *type, const Expr *from) {
    Decl *variable = size_variable(type);
    if (variable) return read_size(parser, variable);
    return expr_int(parser, parser->types->size, type->size, from);
}

static bool is_derived(const CType *type) {
    return type->kind == CT_ARRAY || type->kind == CT_POINTER || type->kind == CT_FUNC;
}

static void add_array_size(Parser *parser, Stmt *stmt, const CType *array) {
    Expr *count = array->array.count_expr;
    Expr *bytes = expr_new(parser, EX_BINARY, parser->types->size, count);
    bytes->op = BIN_MUL;
    bytes->left = expr_convert(parser, expr_value(parser, count), parser->types->size);
    bytes->right = size_expr(parser, array->base, count);
    compute(parser, stmt, array->array.size_var, bytes);
}

// From the innermost part of a type outwards: what the type is made of.
static void add_parts(Parser *parser, Stmt *stmt, CType *type) {
    VEC(CType *) parts = {0}; // outermost first
    for (;; type = type->base) {
        vec_push(parser->body_arena, &parts, type);
        if (!is_derived(type)) break;
    }
    while (parts.count > 0) {
        CType *part = vec_pop(&parts);
        if (part->operand && !part->operand->defined) define(parser, stmt, part->operand);
        if (part->kind == CT_ARRAY && part->array.size_var && !part->array.size_var->init)
            add_array_size(parser, stmt, part);
    }
}

CType *type_of_operand(Parser *parser, Expr *operand) {
    CType *type = type_meant(parser->types, operand->type);
    if (!type->variable || !parser->function || operand->kind == EX_VAR || is_error(operand))
        return type;
    Types *types = parser->types;
    Expr *value = expr_value(parser, operand);
    value = make_cast(parser, CAST_VOID, value, types->basic[CT_VOID]);
    value = expr_comma(parser, value, expr_int(parser, types->size, 0, operand));
    Decl *variable = hidden_variable(parser, types->size, false);
    variable->init = scalar_init(parser, types->size, value);
    return type_with_operand(types, type, variable);
}

Stmt *variable_sizes(Parser *parser, CType *type) {
    if (!type->variable) return NULL;
    CType *innermost = type;
    while (is_derived(innermost)) innermost = innermost->base;
    Stmt *stmt = NULL;
    if (type_is_record(innermost)) {
        stmt = innermost->record->sizes;
        innermost->record->sizes = NULL;
    }
    if (!stmt) stmt = stmt_new(parser, ST_DECL, parser->token.pos);
    add_parts(parser, stmt, type);
    return stmt->decls.count > 0 ? stmt : NULL;
}

// ---- Structs and unions

// The state while members are placed one after the other.
typedef struct {
    Parser *parser;
    Stmt *stmt;
    Expr from;
    Expr *end;       // of the last member, in bytes
    uint64_t factor; // a power of two that divides `end`
    uint64_t bits;   // used, from `end` on, by bit-fields
    Decl *bit_start; // holds `end` while there are such
    uint32_t pack;
} Placing;

static Expr *constant(Placing *placing, uint64_t value) {
    return expr_int(placing->parser, placing->parser->types->size, value, &placing->from);
}

static Expr *combine(Placing *placing, BinaryOp op, Expr *left, Expr *right) {
    return expr_binary(placing->parser, op, left, right, NULL);
}

// A value that is used several times, in a variable of its own.
static Decl *keep(Placing *placing, Expr *value) {
    Decl *variable = hidden_variable(placing->parser, placing->parser->types->size, false);
    compute(placing->parser, placing->stmt, variable, value);
    return variable;
}

static uint64_t lowest_bit(uint64_t n) {
    return n & (0 - n);
}

// The largest power of two that certainly divides the size of a type.
static uint64_t size_factor(const CType *type) {
    while (type->kind == CT_ARRAY && type->array.size_var) type = type->base;
    uint64_t factor = type->variable && type_is_record(type) ? type->align : lowest_bit(type->size);
    return factor ? factor : (uint64_t)1 << 62;
}

static void round_end(Placing *placing, uint64_t align) {
    if (placing->factor >= align) return;
    Expr *sum = combine(placing, BIN_ADD, placing->end, constant(placing, align - 1));
    placing->end = combine(placing, BIN_AND, sum, constant(placing, 0 - align));
    placing->factor = align;
}

static void close_bits(Placing *placing) {
    if (placing->bits == 0) return;
    placing->end =
        combine(placing, BIN_ADD, placing->end, constant(placing, (placing->bits + 7) / 8));
    placing->factor = 1;
    placing->bits = 0;
}

// Bit-fields follow one another bit by bit: where offsets are known at run time, the units of their
// types mean nothing to gcc.
static void place_bit_field(Placing *placing, Member *member) {
    if (member->width == 0) {
        close_bits(placing);
        round_end(placing, member->type->align);
        return;
    }
    if (placing->bits == 0) {
        placing->bit_start = keep(placing, placing->end);
        placing->end = read_size(placing->parser, placing->bit_start);
    }
    member->offset_var = placing->bit_start;
    member->offset = placing->bits / 8u;
    member->bit = placing->bits % 8u;
    placing->bits += member->width;
}

static void place_after(Placing *placing, Member *member) {
    member->offset = 0;
    if (member->bitfield) {
        place_bit_field(placing, member);
        return;
    }
    close_bits(placing);
    round_end(placing, type_member_align(member, placing->pack));
    member->offset_var = keep(placing, placing->end);
    uint64_t factor = size_factor(member->type);
    if (placing->factor > factor) placing->factor = factor;
    placing->end = combine(placing, BIN_ADD, read_size(placing->parser, member->offset_var),
                           size_expr(placing->parser, member->type, &placing->from));
}

static void place_members(Placing *placing, Record *record) {
    uint32_t i = 0;
    while (!type_has_variable_size(record->members.at[i].type)) i++;
    const Member *first = &record->members.at[i];
    placing->factor = first->offset ? lowest_bit(first->offset) : (uint64_t)1 << 62;
    uint64_t factor = size_factor(first->type);
    if (placing->factor > factor) placing->factor = factor;
    placing->end = combine(placing, BIN_ADD, constant(placing, first->offset),
                           size_expr(placing->parser, first->type, &placing->from));
    while (++i < record->members.count) place_after(placing, &record->members.at[i]);
    close_bits(placing);
}

static void measure_union(Placing *placing, const CType *type) {
    placing->end = constant(placing, type->size);
    placing->factor = 1;
    for (uint32_t i = 0; i < type->record->members.count; i++) {
        const CType *member = type->record->members.at[i].type;
        if (!type_has_variable_size(member)) continue;
        Expr *size = size_expr(placing->parser, member, &placing->from);
        Expr *end = read_size(placing->parser, keep(placing, placing->end));
        placing->end = expr_conditional(placing->parser, combine(placing, BIN_GT, size, end), size,
                                        end, &placing->parser->token);
    }
}

void complete_variable_record(Parser *parser, CType *type, uint32_t pack) {
    Record *record = type->record;
    Placing placing = {.parser = parser, .pack = pack};
    placing.from = (Expr){.pos = record->pos, .end = record->pos + 1};
    placing.stmt = stmt_new(parser, ST_DECL, record->pos);
    bool measured = true;
    for (uint32_t i = 0; i < record->members.count; i++) {
        CType *member = record->members.at[i].type;
        const Stmt *sizes = variable_sizes(parser, member);
        for (uint32_t k = 0; sizes && k < sizes->decls.count; k++)
            vec_push(parser->body_arena, &placing.stmt->decls, sizes->decls.at[k]);
        measured &= !type_has_variable_size(member);
    }
    if (!measured) {
        if (type->kind == CT_UNION)
            measure_union(&placing, type);
        else
            place_members(&placing, record);
        round_end(&placing, type->align);
        record->size_var = keep(&placing, placing.end);
    }
    record->sizes = placing.stmt;
}
