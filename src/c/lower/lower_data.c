// The initial values of objects with static storage. The pieces of an initializer become writes,
// sorted by offset; where writes overlap (a later designator, a union, bit-fields of one byte) they
// are carried out in a buffer, in their order. The result has as few items as possible: runs of
// bytes, addresses, and zeros only between them.
#include "base/half.h"
#include "c/lower/lower_private.h"

#include <stdlib.h>
#include <string.h>

// ---- Constants

// A symbol's address plus a value, or, without a symbol, a plain integer.
typedef struct {
    Sym symbol;
    int64_t value;
} Constant;

static bool data_constant(Lower *lower, const Expr *expr, Constant *constant);

static bool constant_address(Lower *lower, const Expr *lvalue, Constant *constant) {
    uint64_t offset = 0;
    for (; lvalue->kind == EX_MEMBER; lvalue = lvalue->left) offset += lvalue->member_offset;
    *constant = (Constant){.symbol = NO_SYM};
    if (lvalue->kind == EX_DEREF) {
        if (!data_constant(lower, lvalue->left, constant)) return false;
    } else if (lvalue->kind == EX_STRING) {
        constant->symbol = lower_string(lower, lvalue->string);
    } else if (lvalue->kind == EX_FUNC || lvalue->kind == EX_VAR || lvalue->kind == EX_COMPOUND) {
        const Decl *decl = lvalue->decl;
        bool is_static = decl->kind == DECL_FUNC || decl->external || decl->internal ||
                         decl->file_scope || decl->storage == STORAGE_STATIC;
        if (!is_static || decl->is_thread) return false;
        constant->symbol = lower_symbol(lower, lvalue->decl);
    } else {
        return false;
    }
    constant->value = (int64_t)((uint64_t)constant->value + offset);
    return true;
}

// An integer as its type has it, extended to 64 bits.
static int64_t wrapped(const CType *type, int64_t value) {
    type = type_scalar(type);
    unsigned bits = type->size >= 8 ? 64 : (unsigned)type->size * 8;
    if (bits == 64) return value;
    uint64_t low = (uint64_t)value & (((uint64_t)1 << bits) - 1);
    bool negative = !type_is_unsigned(type) && low >> (bits - 1);
    return (int64_t)(negative ? low - ((uint64_t)1 << bits) : low);
}

static bool constant_cast(Lower *lower, const Expr *expr, Constant *constant) {
    if (expr->cast == CAST_DECAY || expr->cast == CAST_FUNC)
        return constant_address(lower, expr->left, constant);
    if (expr->cast == CAST_READ || expr->cast == CAST_VOID || expr->cast == CAST_UNION)
        return false;
    if (!type_is_int(lower_type(expr->type)) || !data_constant(lower, expr->left, constant))
        return false;
    if (expr->cast == CAST_TO_BOOL) {
        bool set = constant->symbol.i != NO_ID || constant->value != 0;
        *constant = (Constant){.symbol = NO_SYM, .value = set};
        return true;
    }
    if (constant->symbol.i != NO_ID) return lower_type(expr->type) == TYPE_I64;
    constant->value = wrapped(expr->type, constant->value);
    return true;
}

static int64_t element_size(const CType *pointer) {
    const CType *element = pointer->base;
    return element->kind == CT_VOID || element->kind == CT_FUNC ? 1 : (int64_t)element->size;
}

static bool constant_binary(Lower *lower, const Expr *expr, Constant *constant) {
    Constant a, b;
    if (!data_constant(lower, expr->left, &a) || !data_constant(lower, expr->right, &b))
        return false;
    int64_t scale = 1;
    if (expr->op == BIN_PTR_ADD || expr->op == BIN_PTR_SUB) scale = element_size(expr->type);
    bool difference = expr->op == BIN_PTR_DIFF || (expr->op == BIN_SUB && b.symbol.i != NO_ID);
    if (difference) {
        if (a.symbol.i != b.symbol.i) return false;
        if (expr->op == BIN_PTR_DIFF) scale = element_size(expr->left->type);
        int64_t bytes = (int64_t)((uint64_t)a.value - (uint64_t)b.value);
        *constant = (Constant){.symbol = NO_SYM, .value = scale ? bytes / scale : 0};
        return true;
    }
    uint64_t by = (uint64_t)b.value * (uint64_t)scale;
    if (expr->op == BIN_SUB || expr->op == BIN_PTR_SUB) {
        *constant = (Constant){a.symbol, (int64_t)((uint64_t)a.value - by)};
    } else if (expr->op == BIN_ADD || expr->op == BIN_PTR_ADD) {
        if (a.symbol.i != NO_ID && b.symbol.i != NO_ID) return false;
        *constant = (Constant){a.symbol.i != NO_ID ? a.symbol : b.symbol,
                               (int64_t)((uint64_t)a.value + by)};
    } else {
        return false;
    }
    if (constant->symbol.i == NO_ID) constant->value = wrapped(expr->type, constant->value);
    return true;
}

static bool data_constant(Lower *lower, const Expr *expr, Constant *constant) {
    *constant = (Constant){.symbol = NO_SYM};
    if (!lower_enter(lower, expr)) return false;
    bool known = false;
    switch (expr->kind) {
    case EX_INT:
        constant->value = (int64_t)expr->integer;
        known = true;
        break;
    case EX_LABEL:
        constant->value = label_address(lower, expr->label);
        known = true;
        break;
    case EX_ADDR: known = constant_address(lower, expr->left, constant); break;
    case EX_FUNC:
    case EX_STRING: known = constant_address(lower, expr, constant); break;
    case EX_CAST: known = constant_cast(lower, expr, constant); break;
    case EX_BINARY: known = constant_binary(lower, expr, constant); break;
    default: break;
    }
    return known;
}

bool lower_constant(Lower *lower, const Expr *expr, Sym *symbol, int64_t *value) {
    Constant constant;
    bool known = data_constant(lower, expr, &constant);
    *symbol = constant.symbol;
    *value = constant.value;
    return known;
}

static bool constant_float(const Expr *expr, long double *value) {
    bool negative = false;
    for (; expr->kind == EX_NEG; expr = expr->left) negative = !negative;
    if (expr->kind == EX_CAST && expr->cast == CAST_SAME) expr = expr->left;
    if (expr->kind != EX_FLOAT) return false;
    *value = negative ? -expr->floating : expr->floating;
    return true;
}

// ---- Writes

typedef enum { WRITE_NUMBER, WRITE_BITS, WRITE_BYTES, WRITE_ADDRESS } WriteKind;

typedef struct {
    uint64_t offset; // of the first byte
    uint64_t size;   // in bytes
    union {
        uint64_t value; // number, bits, or what is added to the address
        const uint8_t *bytes;
    };
    uint32_t order;
    Sym symbol;
    uint16_t high;       // the bytes of a long double after the first eight
    uint16_t bit, width; // of WRITE_BITS, from the first byte
    uint8_t kind;        // WriteKind
    bool reversed;       // WRITE_BITS: counted from the highest bit of the first byte
} DataWrite;

typedef struct {
    Lower *lower;
    VEC(DataWrite) writes;
    bool sorted; // by offset, without overlap
    uint64_t end;
} Writes;

static void add_write(Writes *writes, DataWrite write) {
    if (writes->writes.count == 0) writes->sorted = true;
    if (write.offset < writes->end && writes->writes.count) writes->sorted = false;
    if (write.offset + write.size > writes->end) writes->end = write.offset + write.size;
    write.order = writes->writes.count;
    vec_push(writes->lower->scratch, &writes->writes, write);
}

static void not_constant(Lower *lower, const Expr *expr) {
    if (!lower->diag->errors)
        pp_report(lower->pp, DIAG_ERROR, NULL, expr->pos,
                  pp_length(lower->pp, expr->pos, expr->end),
                  "this initial value is not a constant");
}

// A number as its bytes are to be: in reverse order if that is asked for.
static uint64_t stored_number(uint64_t value, uint64_t size, bool reversed) {
    return reversed ? __builtin_bswap64(value) >> (64 - 8 * size) : value;
}

static void write_float(Writes *writes, uint64_t offset, const InitPiece *piece) {
    long double number;
    if (!constant_float(piece->value, &number)) {
        not_constant(writes->lower, piece->value);
        return;
    }
    Type type = lower_type(piece->type);
    bool half = piece->type->kind == CT_HALF;
    Value value = half ? value_i32(half_of(number)) : float_bits(type, number);
    uint64_t size = type == TYPE_F80 ? 10 : piece->type->size;
    add_write(writes, (DataWrite){.kind = WRITE_NUMBER,
                                  .offset = offset,
                                  .size = size,
                                  .value = stored_number(value.bits, size, piece->reversed),
                                  .high = (uint16_t)value.high});
}

// Makes a write one of so many bits from a bit of the storage unit at an offset.
static void set_bits(DataWrite *write, uint64_t unit, uint16_t bit, uint16_t width) {
    write->kind = WRITE_BITS;
    write->offset = unit + bit / 8u;
    write->bit = bit % 8u;
    write->width = width;
    write->size = (write->bit + width + 7u) / 8u;
}

static void write_integer(Writes *writes, uint64_t offset, const InitPiece *piece) {
    Constant constant;
    if (!data_constant(writes->lower, piece->value, &constant)) {
        not_constant(writes->lower, piece->value);
        return;
    }
    uint64_t size = type_scalar(piece->type)->size;
    DataWrite write = {.kind = WRITE_NUMBER,
                       .offset = offset,
                       .size = size,
                       .value = (uint64_t)constant.value,
                       .reversed = piece->reversed};
    if (!piece->bitfield) write.value = stored_number(write.value, size, piece->reversed);
    if (constant.symbol.i != NO_ID) {
        write.kind = WRITE_ADDRESS;
        write.symbol = constant.symbol;
    } else if (piece->bitfield) {
        set_bits(&write, offset, piece->bit, piece->width);
    }
    add_write(writes, write);
}

// A number of 128 bits: one write for each half.
static void write_wide(Writes *writes, uint64_t offset, const InitPiece *piece, const Expr *value) {
    if (value->kind != EX_WIDE) {
        not_constant(writes->lower, piece->value);
        return;
    }
    uint64_t halves[2] = {value->wide.low, value->wide.high};
    for (uint16_t i = 0, done = 0; i < 2; i++, done += 64) {
        uint16_t place = piece->reversed ? 1 - i : i;
        DataWrite write = {.kind = WRITE_NUMBER,
                           .offset = offset + 8u * place,
                           .size = 8,
                           .value = halves[i],
                           .reversed = piece->reversed};
        if (!piece->bitfield) write.value = stored_number(write.value, 8, piece->reversed);
        if (piece->bitfield && piece->width <= done) return;
        uint16_t width = piece->width - done < 64 ? (uint16_t)(piece->width - done) : 64;
        uint16_t bit = piece->reversed ? (uint16_t)(piece->bit + piece->width - done - width)
                                       : (uint16_t)(piece->bit + done);
        if (piece->bitfield) set_bits(&write, offset, bit, width);
        add_write(writes, write);
    }
}

static void write_string(Writes *writes, uint64_t offset, const InitPiece *piece) {
    const CString *string = piece->value->string;
    uint64_t size = string->size;
    if (piece->type->size && size > piece->type->size) size = piece->type->size;
    add_write(
        writes,
        (DataWrite){.kind = WRITE_BYTES, .offset = offset, .size = size, .bytes = string->bytes});
}

static void write_init(Writes *writes, uint64_t base, const Init *init);

// A whole record, or an array: the value of a compound literal.
static void write_whole(Writes *writes, uint64_t offset, const Expr *value) {
    while (value->kind == EX_CAST) value = value->left;
    if (value->kind == EX_COMPOUND && value->decl->init)
        write_init(writes, offset, value->decl->init);
    else
        not_constant(writes->lower, value);
}

static void write_number(Writes *writes, uint64_t offset, const InitPiece *piece) {
    if (type_is_int(lower_type(piece->type)) && piece->type->kind != CT_HALF)
        write_integer(writes, offset, piece);
    else
        write_float(writes, offset, piece);
}

static void write_complex(Writes *writes, uint64_t offset, const InitPiece *piece) {
    const Expr *value = piece->value;
    while (value->kind == EX_CAST && value->cast == CAST_SAME) value = value->left;
    if (value->kind != EX_COMPLEX) {
        not_constant(writes->lower, value);
        return;
    }
    InitPiece part = {.type = piece->type->base, .value = value->left, .reversed = piece->reversed};
    write_number(writes, offset, &part);
    part.value = value->right;
    write_number(writes, offset + part.type->size, &part);
}

static void write_init(Writes *writes, uint64_t base, const Init *init) {
    for (uint32_t i = 0; i < init->count; i++) {
        const InitPiece *piece = &init->pieces[i];
        uint64_t offset = base + piece->offset;
        Type type = lower_type(piece->type);
        const Expr *value = piece->value;
        while (value->kind == EX_CAST && value->cast == CAST_SAME) value = value->left;
        if (type == TYPE_VOID && value->kind == EX_STRING)
            write_string(writes, offset, piece);
        else if (type_is_complex(piece->type))
            write_complex(writes, offset, piece);
        else if (type == TYPE_VOID)
            write_whole(writes, offset, value);
        else if (type == TYPE_WIDE)
            write_wide(writes, offset, piece, value);
        else
            write_number(writes, offset, piece);
    }
}

// ---- From writes to items

typedef struct {
    Program *program;
    Arena *scratch;
    VEC(DataItem) items;
    uint64_t at;      // the bytes laid out so far
    VEC(uint8_t) run; // bytes collected, not laid out yet
    uint64_t run_start;
    uint8_t only_number; // size of the one number that the run consists of; 0 if it is more
} DataLayout;

// Zeros up to this many are cheaper as bytes than as an item of their own.
enum { SMALL_GAP = 16 };

static void fill_to(DataLayout *layout, uint64_t offset) {
    if (offset > layout->at)
        vec_push(layout->scratch, &layout->items,
                 (DataItem){.kind = DATA_ZERO, .value = (int64_t)(offset - layout->at)});
    layout->at = offset;
}

static DataItem number_item(const DataLayout *layout) {
    uint64_t value = 0;
    memcpy(&value, layout->run.at, layout->only_number);
    unsigned spare = 64 - 8u * layout->only_number;
    DataKind kind = layout->only_number == 1   ? DATA_I8
                    : layout->only_number == 2 ? DATA_I16
                    : layout->only_number == 4 ? DATA_I32
                                               : DATA_I64;
    value <<= spare;
    int64_t extended =
        (int64_t)value < 0 ? (int64_t) ~(~value >> spare) : (int64_t)(value >> spare);
    return (DataItem){.kind = (uint8_t)kind, .value = extended};
}

static void flush_run(DataLayout *layout) {
    uint32_t first = 0, length = layout->run.count;
    while (length && layout->run.at[length - 1] == 0) length--;
    while (first < length && layout->run.at[first] == 0) first++;
    if (first < length) {
        if (layout->only_number) {
            fill_to(layout, layout->run_start);
            vec_push(layout->scratch, &layout->items, number_item(layout));
            layout->at += layout->only_number;
        } else {
            if (first < SMALL_GAP && layout->at == layout->run_start) first = 0;
            fill_to(layout, layout->run_start + first);
            const uint8_t *bytes =
                arena_copy(layout->program->arena, layout->run.at + first, length - first);
            vec_push(layout->scratch, &layout->items,
                     (DataItem){.kind = DATA_BYTES, .value = length - first, .bytes = bytes});
            layout->at += length - first;
        }
    }
    vec_clear(&layout->run);
}

static void lay_bytes(DataLayout *layout, uint64_t offset, const uint8_t *bytes, uint64_t size,
                      bool number) {
    if (layout->run.count) {
        uint64_t gap = offset - (layout->run_start + layout->run.count);
        if (gap > SMALL_GAP) {
            flush_run(layout);
        } else {
            uint8_t *zeros = vec_extend(layout->scratch, &layout->run, gap);
            memset(zeros, 0, gap);
            layout->only_number = 0;
        }
    }
    if (layout->run.count == 0) {
        layout->run_start = offset;
        bool plain = number && (size == 1 || size == 2 || size == 4 || size == 8);
        layout->only_number = plain ? (uint8_t)size : 0;
    }
    memcpy(vec_extend(layout->scratch, &layout->run, size), bytes, size);
}

static void lay_address(DataLayout *layout, uint64_t offset, Sym symbol, int64_t addend) {
    flush_run(layout);
    fill_to(layout, offset);
    vec_push(layout->scratch, &layout->items,
             (DataItem){.kind = DATA_ADDR, .symbol = symbol, .value = addend});
    layout->at += 8;
}

static void number_bytes(const DataWrite *write, uint8_t bytes[16]) {
    memcpy(bytes, &write->value, 8);
    memcpy(bytes + 8, &write->high, 2);
}

static void write_bits(uint8_t *bytes, const DataWrite *write) {
    for (uint32_t i = 0; i < write->width; i++) {
        uint32_t at = write->bit + (write->reversed ? write->width - 1u - i : i);
        uint8_t mask = (uint8_t)(1u << (write->reversed ? 7 - at % 8 : at % 8));
        uint8_t *byte = &bytes[at / 8];
        *byte = (uint8_t)(write->value >> i & 1 ? *byte | mask : *byte & ~mask);
    }
}

static void lay_write(DataLayout *layout, const DataWrite *write) {
    uint8_t bytes[16] = {0};
    switch ((WriteKind)write->kind) {
    case WRITE_NUMBER:
        if (write->value == 0 && write->high == 0) break;
        number_bytes(write, bytes);
        lay_bytes(layout, write->offset, bytes, write->size, true);
        break;
    case WRITE_BYTES: lay_bytes(layout, write->offset, write->bytes, write->size, false); break;
    case WRITE_ADDRESS:
        lay_address(layout, write->offset, write->symbol, (int64_t)write->value);
        break;
    case WRITE_BITS:
        write_bits(bytes, write);
        lay_bytes(layout, write->offset, bytes, write->size, false);
        break;
    }
}

// ---- Overlapping writes

static int by_offset(const void *a, const void *b) {
    const DataWrite *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static int by_order(const void *a, const void *b) {
    const DataWrite *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

static void overwrite(uint8_t *buffer, const DataWrite *write) {
    uint8_t bytes[16] = {0};
    if (write->kind == WRITE_BYTES) {
        memcpy(buffer, write->bytes, write->size);
    } else if (write->kind == WRITE_NUMBER) {
        number_bytes(write, bytes);
        memcpy(buffer, bytes, write->size);
    } else if (write->kind == WRITE_ADDRESS) {
        memset(buffer, 0, write->size);
    } else {
        write_bits(buffer, write);
    }
}

static bool overlap(const DataWrite *a, const DataWrite *b) {
    return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

// Carries out writes that overlap, in their order, and lays out the result. An address survives
// only if nothing was written over it later.
static void lay_cluster(DataLayout *layout, DataWrite *writes, uint32_t count, uint64_t end) {
    uint64_t start = writes[0].offset;
    uint8_t *buffer = ARENA_ARRAY(layout->scratch, uint8_t, end - start);
    VEC(const DataWrite *) addresses = {0};
    qsort(writes, count, sizeof *writes, by_order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < addresses.count; k++)
            if (!overlap(addresses.at[k], &writes[i])) addresses.at[kept++] = addresses.at[k];
        addresses.count = kept;
        overwrite(buffer + (writes[i].offset - start), &writes[i]);
        if (writes[i].kind == WRITE_ADDRESS) vec_push(layout->scratch, &addresses, &writes[i]);
    }
    uint64_t done = start;
    while (addresses.count) {
        uint32_t first = 0;
        for (uint32_t k = 1; k < addresses.count; k++)
            if (addresses.at[k]->offset < addresses.at[first]->offset) first = k;
        const DataWrite *write = addresses.at[first];
        addresses.at[first] = addresses.at[--addresses.count];
        lay_bytes(layout, done, buffer + (done - start), write->offset - done, false);
        lay_address(layout, write->offset, write->symbol, (int64_t)write->value);
        done = write->offset + 8;
    }
    lay_bytes(layout, done, buffer + (done - start), end - done, false);
}

static void lay_writes(DataLayout *layout, Writes *writes) {
    DataWrite *at = writes->writes.at;
    uint32_t count = writes->writes.count;
    if (!writes->sorted && count) qsort(at, count, sizeof *at, by_offset);
    for (uint32_t i = 0, next; i < count; i = next) {
        uint64_t end = at[i].offset + at[i].size;
        for (next = i + 1; next < count && at[next].offset < end; next++)
            if (at[next].offset + at[next].size > end) end = at[next].offset + at[next].size;
        if (next == i + 1)
            lay_write(layout, &at[i]);
        else
            lay_cluster(layout, &at[i], next - i, end);
    }
    flush_run(layout);
}

// ---- Objects

// Gives a symbol its initial value. The elements of a flexible array member come on top of the
// type's size, as in other compilers: programs copy as many bytes from the object.
static void set_data(Lower *lower, Sym id, const Init *init) {
    if (!init) return;
    Writes writes = {.lower = lower};
    write_init(&writes, 0, init);
    DataLayout layout = {.program = lower->program, .scratch = lower->scratch};
    lay_writes(&layout, &writes);
    Symbol *symbol = program_at(lower->program, id);
    symbol->size += init->flexible;
    vec_clear(&symbol->data);
    if (layout.items.count)
        memcpy(vec_extend(lower->program->arena, &symbol->data, layout.items.count),
               layout.items.at, layout.items.count * sizeof(DataItem));
}

void lower_object(Lower *lower, Decl *decl) {
    Sym id = lower_symbol(lower, decl);
    Symbol *symbol = program_at(lower->program, id);
    if (symbol->kind != SYM_DATA) return;
    if (symbol->defined) {
        lower_late_error(lower, decl->pos,
                         "another object is defined under the assembler name of this one");
        return;
    }
    symbol->defined = true;
    if (!decl->external) symbol->linkage = LINK_STATIC;
    set_data(lower, id, decl->init);
}

static bool is_number_constant(const Expr *expr) {
    if (expr->kind == EX_COMPLEX)
        return is_number_constant(expr->left) && is_number_constant(expr->right);
    return expr->kind == EX_INT || expr->kind == EX_WIDE || expr->kind == EX_FLOAT ||
           expr->kind == EX_STRING;
}

Sym lower_constant_object(Lower *lower, const CType *type, const Init *init) {
    for (uint32_t i = 0; i < init->count; i++)
        if (!is_number_constant(init->pieces[i].value)) return NO_SYM;
    const char *text = arena_printf(lower->scratch, ".constant.%u", lower->hidden_count++);
    Sym id = program_symbol(lower->program, str_of(&lower->program->strings, text), SYM_DATA);
    Symbol *symbol = program_at(lower->program, id);
    symbol->defined = true;
    symbol->linkage = LINK_STATIC;
    symbol->flags = SYMF_CONST;
    symbol->size = type->size;
    symbol->align = type->align;
    set_data(lower, id, init);
    return id;
}

// ---- Strings

static bool same_string(const Program *program, const KnownString *known, const CString *string) {
    const Symbol *symbol = program_at(program, known->symbol);
    if (known->object || string->object) return known->object == string;
    return symbol->size == string->size && symbol->align == string->element &&
           memcmp(symbol->data.at[0].bytes, string->bytes, string->size) == 0;
}

Sym lower_string(Lower *lower, const CString *string) {
    Program *program = lower->program;
    uint64_t hash = string->object
                        ? hash_mix((uint64_t)(uintptr_t)string)
                        : hash_add(hash_bytes(string->bytes, string->size), string->element);
    uint32_t at = table_first(&lower->strings, hash), i;
    while ((i = table_id(&lower->strings, hash, &at)) != HASH_NONE)
        if (same_string(program, &lower->string_list.at[i], string))
            return lower->string_list.at[i].symbol;
    i = lower->string_list.count;
    const char *stem = string->object ? string->object : ".str";
    const char *name = arena_printf(lower->scratch, "%s.%u", stem, i);
    Sym id = program_symbol(program, str_of(&program->strings, name), SYM_DATA);
    Symbol *symbol = program_at(program, id);
    symbol->defined = true;
    symbol->linkage = LINK_STATIC;
    symbol->flags = SYMF_CONST;
    symbol->size = string->size;
    symbol->align = string->element;
    vec_push(program->arena, &symbol->data,
             (DataItem){.kind = DATA_BYTES,
                        .value = (int64_t)string->size,
                        .bytes = arena_copy(program->arena, string->bytes, string->size)});
    const CString *object = string->object ? string : NULL;
    vec_push(lower->arena, &lower->string_list, (KnownString){.symbol = id, .object = object});
    table_insert(lower->arena, &lower->strings, hash, i);
    return id;
}
