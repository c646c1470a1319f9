// The handlers of libubsan, which failed checks call (src/c/lower/lower_report.c). A handler prints
// the place and the mistake, and the program goes on, or ends with status 1 after a handler that
// does not return. Like the library, each handler reports a place once: then it clears the column
// in the caller's object. The library also prints the surroundings of a pointer; these handlers do
// not.
#include "run/world/externals.h"

#include <string.h>

// What the object of a check says.
typedef struct {
    const char *file;
    uint32_t line, column;
    uint64_t rest; // the address of what follows
} CheckPlace;

static bool load_number(ExternalCall *call, Chunk chunk, uint64_t address, uint64_t *number) {
    Value value;
    if (!external_load(call, chunk, address, &value)) return false;
    *number = value.bits;
    return true;
}

// Reads the place and marks it as told. False if it was told before, or the run has ended.
static bool take_place(ExternalCall *call, uint64_t address, CheckPlace *place) {
    uint64_t file, line, column, length;
    if (!load_number(call, CHUNK_I64, address, &file) ||
        !load_number(call, CHUNK_I32, address + 8, &line) ||
        !load_number(call, CHUNK_I32, address + 12, &column) || column == UINT32_MAX ||
        !external_store(call, CHUNK_I32, address + 12, value_i32(UINT32_MAX)))
        return false;
    *place = (CheckPlace){.file = file ? external_string(call, file, &length) : "<unknown>",
                          .line = (uint32_t)line,
                          .column = (uint32_t)column,
                          .rest = address + 16};
    return place->file != NULL;
}

// A type: what its values are like, and its name with quotes.
typedef struct {
    bool integer, is_signed;
    uint32_t bits;
    const char *name;
} ValueType;

static bool take_type(ExternalCall *call, uint64_t at, ValueType *type) {
    uint64_t address, kind, info, length;
    if (!load_number(call, CHUNK_I64, at, &address) ||
        !load_number(call, CHUNK_U16, address, &kind) ||
        !load_number(call, CHUNK_U16, address + 2, &info))
        return false;
    *type = (ValueType){.integer = kind == 0,
                        .is_signed = info & 1,
                        .bits = kind == 0 ? 1u << (info >> 1 & 15) : (uint32_t)info,
                        .name = external_string(call, address + 4, &length)};
    return type->name != NULL;
}

// Numbers of 128 bits are behind the handle; those that need more than 64 are written in
// hexadecimal digits.
static bool print_value(ExternalCall *call, Out *out, const ValueType *type, uint64_t handle) {
    if (type->integer && type->bits > 64) {
        uint64_t low, high;
        if (!load_number(call, CHUNK_I64, handle, &low) ||
            !load_number(call, CHUNK_I64, handle + 8, &high))
            return false;
        bool fits = high == (type->is_signed && low >> 63 ? UINT64_MAX : 0);
        if (!fits)
            out_printf(out, "0x%016jx%016jx", (uintmax_t)high, (uintmax_t)low);
        else if (type->is_signed)
            out_printf(out, "%jd", (intmax_t)low);
        else
            out_printf(out, "%ju", (uintmax_t)low);
        return true;
    }
    uint32_t spare = type->bits < 64 ? 64 - type->bits : 0;
    if (type->is_signed)
        out_printf(out, "%jd", (intmax_t)((int64_t)(handle << spare) >> spare));
    else
        out_printf(out, "%ju", (uintmax_t)(handle << spare >> spare));
    return true;
}

static bool is_negative(ExternalCall *call, const ValueType *type, uint64_t handle) {
    uint64_t top = handle << (type->bits < 64 ? 64 - type->bits : 0);
    if (type->bits > 64 && !load_number(call, CHUNK_I64, handle + 8, &top)) return false;
    return type->is_signed && top >> 63;
}

// ---- Reports

static Out *start(ExternalCall *call, const CheckPlace *place) {
    Out *out = &call->world->files->text;
    out->length = 0;
    out_printf(out, "%s:%u:%u: runtime error: ", place->file, place->line, place->column);
    return out;
}

static void finish(ExternalCall *call, Out *out) {
    out_char(out, '\n');
    Stream *stream = external_standard(call, 2);
    if (stream) external_output(call, stream, out->text, out->length);
}

static void die(ExternalCall *call) {
    call->world->skip_at_exit = true;
    world_exit(call->world, END_RESULT, 1);
}

// A handler whose name says so ends the program, told or not.
static void end(ExternalCall *call) {
    const char *name = call->world->files->current, *suffix = "_abort";
    size_t length = strlen(name), tail = strlen(suffix);
    if (length > tail && strcmp(name + length - tail, suffix) == 0) die(call);
}

static void overflow(ExternalCall *call, const char *sign) {
    CheckPlace place;
    ValueType type;
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &type)) {
        Out *out = start(call, &place);
        out_text(out, "signed integer overflow: ");
        if (!print_value(call, out, &type, arg_i64(call, 1))) return;
        out_printf(out, " %s ", sign);
        if (!print_value(call, out, &type, arg_i64(call, 2))) return;
        out_printf(out, " cannot be represented in type %s", type.name);
        finish(call, out);
    }
    end(call);
}

void external_ubsan_add_overflow(ExternalCall *call) {
    overflow(call, "+");
}
void external_ubsan_sub_overflow(ExternalCall *call) {
    overflow(call, "-");
}
void external_ubsan_mul_overflow(ExternalCall *call) {
    overflow(call, "*");
}

void external_ubsan_negate_overflow(ExternalCall *call) {
    CheckPlace place;
    ValueType type;
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &type)) {
        Out *out = start(call, &place);
        out_text(out, "negation of ");
        if (!print_value(call, out, &type, arg_i64(call, 1))) return;
        out_printf(
            out,
            " cannot be represented in type %s; cast to an unsigned type to negate this value "
            "to itself",
            type.name);
        finish(call, out);
    }
    end(call);
}

void external_ubsan_divrem_overflow(ExternalCall *call) {
    CheckPlace place;
    ValueType type;
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &type)) {
        Out *out = start(call, &place);
        if (type.integer && is_negative(call, &type, arg_i64(call, 2))) {
            out_text(out, "division of ");
            if (!print_value(call, out, &type, arg_i64(call, 1))) return;
            out_printf(out, " by -1 cannot be represented in type %s", type.name);
        } else {
            out_text(out, "division by zero");
        }
        finish(call, out);
    }
    end(call);
}

static bool describe_shift(ExternalCall *call, Out *out, const ValueType *left,
                           const ValueType *right) {
    uint64_t value = arg_i64(call, 1), count = arg_i64(call, 2);
    bool negative = is_negative(call, right, count);
    uint64_t places = count;
    if (right->bits > 64 && !load_number(call, CHUNK_I64, count, &places)) return false;
    if (right->bits < 64) places = places << (64 - right->bits) >> (64 - right->bits);
    if (negative || places >= left->bits) {
        out_text(out, "shift exponent ");
        if (!print_value(call, out, right, count)) return false;
        if (negative)
            out_text(out, " is negative");
        else
            out_printf(out, " is too large for %u-bit type %s", left->bits, left->name);
        return true;
    }
    bool below = is_negative(call, left, value);
    out_text(out, below ? "left shift of negative value " : "left shift of ");
    if (!print_value(call, out, left, value)) return false;
    if (below) return true;
    out_text(out, " by ");
    if (!print_value(call, out, right, count)) return false;
    out_printf(out, " places cannot be represented in type %s", left->name);
    return true;
}

void external_ubsan_shift(ExternalCall *call) {
    CheckPlace place;
    ValueType left, right;
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &left) &&
        take_type(call, place.rest + 8, &right)) {
        Out *out = start(call, &place);
        if (!describe_shift(call, out, &left, &right)) return;
        finish(call, out);
    }
    end(call);
}

void external_ubsan_out_of_bounds(ExternalCall *call) {
    CheckPlace place;
    ValueType array, index;
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &array) &&
        take_type(call, place.rest + 8, &index)) {
        Out *out = start(call, &place);
        out_text(out, "index ");
        if (!print_value(call, out, &index, arg_i64(call, 1))) return;
        out_printf(out, " out of bounds for type %s", array.name);
        finish(call, out);
    }
    end(call);
}

void external_ubsan_vla_bound(ExternalCall *call) {
    CheckPlace place;
    ValueType type;
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &type)) {
        Out *out = start(call, &place);
        out_text(out, "variable length array bound evaluates to non-positive value ");
        if (!print_value(call, out, &type, arg_i64(call, 1))) return;
        finish(call, out);
    }
    end(call);
}

void external_ubsan_type_mismatch(ExternalCall *call) {
    static const char *const kinds[] = {"load of", "store to", "reference binding to",
                                        "member access within"};
    CheckPlace place;
    ValueType type;
    uint64_t bits, kind, pointer = arg_i64(call, 1);
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &type) &&
        load_number(call, CHUNK_U8, place.rest + 8, &bits) &&
        load_number(call, CHUNK_U8, place.rest + 9, &kind)) {
        Out *out = start(call, &place);
        out_text(out, kinds[kind & 3]);
        if (!pointer)
            out_printf(out, " null pointer of type %s", type.name);
        else
            out_printf(
                out, " misaligned address 0x%012jx for type %s, which requires %ju byte alignment",
                (uintmax_t)pointer, type.name, (uintmax_t)1 << (bits & 63));
        finish(call, out);
    }
    end(call);
}

void external_ubsan_invalid_value(ExternalCall *call) {
    CheckPlace place;
    ValueType type;
    if (take_place(call, arg_i64(call, 0), &place) && take_type(call, place.rest, &type)) {
        Out *out = start(call, &place);
        out_text(out, "load of value ");
        if (!print_value(call, out, &type, arg_i64(call, 1))) return;
        out_printf(out, ", which is not a valid value for type %s", type.name);
        finish(call, out);
    }
    end(call);
}

void external_ubsan_pointer_overflow(ExternalCall *call) {
    CheckPlace place;
    uintmax_t base = arg_i64(call, 1), result = arg_i64(call, 2);
    if (take_place(call, arg_i64(call, 0), &place)) {
        Out *out = start(call, &place);
        bool same_half = base >> 63 == result >> 63;
        if (base == 0)
            out_printf(out, "applying non-zero offset %ju to null pointer", result);
        else if (result == 0)
            out_printf(
                out, "applying non-zero offset to non-null pointer 0x%012jx produced null pointer",
                base);
        else if (same_half && base > result)
            out_printf(out, "addition of unsigned offset to 0x%012jx overflowed to 0x%012jx", base,
                       result);
        else if (same_half)
            out_printf(out, "subtraction of unsigned offset from 0x%012jx overflowed to 0x%012jx",
                       base, result);
        else
            out_printf(out, "pointer index expression with base 0x%012jx overflowed to 0x%012jx",
                       base, result);
        finish(call, out);
    }
    end(call);
}

void external_ubsan_invalid_builtin(ExternalCall *call) {
    CheckPlace place;
    uint64_t kind;
    if (take_place(call, arg_i64(call, 0), &place) &&
        load_number(call, CHUNK_U8, place.rest, &kind)) {
        Out *out = start(call, &place);
        out_printf(out, "passing zero to %s, which is not a valid argument",
                   kind ? "clz()" : "ctz()");
        finish(call, out);
    }
    end(call);
}

void external_ubsan_nonnull_arg(ExternalCall *call) {
    CheckPlace place;
    uint64_t number;
    if (take_place(call, arg_i64(call, 0), &place) &&
        load_number(call, CHUNK_I32, place.rest + 16, &number)) {
        Out *out = start(call, &place);
        out_printf(out, "null pointer passed as argument %ju, which is declared to never be null",
                   (uintmax_t)number);
        finish(call, out);
    }
    end(call);
}

void external_ubsan_nonnull_return(ExternalCall *call) {
    CheckPlace place;
    if (take_place(call, arg_i64(call, 1), &place)) {
        Out *out = start(call, &place);
        out_text(out, "null pointer returned from function declared to never return null");
        finish(call, out);
    }
    end(call);
}

void external_ubsan_unreachable(ExternalCall *call) {
    CheckPlace place;
    if (take_place(call, arg_i64(call, 0), &place)) {
        Out *out = start(call, &place);
        out_text(out, "execution reached an unreachable program point");
        finish(call, out);
    }
    die(call);
}
