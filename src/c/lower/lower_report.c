// Lowers failed checks that do not trap: they call a handler of libubsan, which prints a message.
//
// A handler gets the address of an object that describes the check and its place, then the values
// at fault. Layout of these objects, numbers of kinds and names of handlers are the same as gcc's.
// The object is writable: the library notes in the object that it has reported this place.
//
// The calls stand behind the body of the function, where they are in nobody's way.
#include "c/lower/lower_private.h"

#include <string.h>

// ---- Objects

static Sym text_symbol(Lower *lower, const char *bytes, size_t size) {
    CString string = {.bytes = (const uint8_t *)bytes, .size = size, .element = 1};
    return lower_string(lower, &string);
}

// Types are named as gcc names them.
static const char *gcc_name(const CType *type) {
    switch (type->kind) {
    case CT_SHORT: return "short int";
    case CT_USHORT: return "short unsigned int";
    case CT_LONG: return "long int";
    case CT_ULONG: return "long unsigned int";
    case CT_LLONG: return "long long int";
    case CT_ULLONG: return "long long unsigned int";
    case CT_UINT128: return "__int128 unsigned";
    default: return NULL;
    }
}

// What gcc prints for the innermost element of an array, or for a type that is no array.
static void print_element_name(Out *out, const CType *type, bool in_array) {
    const char *name = gcc_name(type);
    bool tagged = type_is_record(type) && type->record->tag;
    if (name)
        out_text(out, name);
    else if (type_is_record(type) && !tagged)
        out_printf(out, "%s <unknown>", type->kind == CT_UNION ? "union" : "struct");
    else if (tagged && in_array)
        out_text(out, type->record->tag->text);
    else
        type_print(out, type);
}

static void print_type_name(Out *out, const CType *type) {
    const CType *inner = type;
    while (inner->kind == CT_ARRAY) inner = inner->base;
    print_element_name(out, inner, inner != type);
    if (type != inner) out_char(out, ' ');
    for (; type != inner; type = type->base)
        if (type->array.counted)
            out_printf(out, "[%ju]", (uintmax_t)type->array.count);
        else
            out_text(out, "[*]");
}

// A type: what kind of value it has, how wide it is, and its name.
static Sym type_object(Lower *lower, const CType *type) {
    enum { INTEGER, FLOAT, OTHER = 0xffff };
    const CType *scalar = type_scalar(type);
    unsigned kind = OTHER, info = 0;
    if (type_is_integer(scalar)) {
        kind = INTEGER;
        info = !type_is_unsigned(scalar);
        for (uint64_t bytes = scalar->size * 8; bytes > 1; bytes /= 2) info += 2;
    } else if (type_is_floating(scalar)) {
        kind = FLOAT;
        info = (unsigned)scalar->size * 8;
    }
    Out out = {0};
    const unsigned char head[4] = {kind & 0xff, kind >> 8 & 0xff, info & 0xff, info >> 8 & 0xff};
    for (int i = 0; i < 4; i++) out_char(&out, (char)head[i]);
    out_char(&out, '\'');
    print_type_name(&out, type);
    out_text(&out, "'");
    out_char(&out, '\0');
    Sym symbol = text_symbol(lower, out.text, out.length);
    out_free(&out);
    return symbol;
}

typedef struct {
    Program *program;
    Sym symbol;
} DataWriter;

static void put_item(DataWriter *to, DataItem item, uint64_t size) {
    Symbol *symbol = program_at(to->program, to->symbol);
    vec_push(to->program->arena, &symbol->data, item);
    symbol->size += size;
}

static void put_address(DataWriter *to, Sym symbol) {
    put_item(to, (DataItem){.kind = DATA_ADDR, .symbol = symbol}, 8);
}

static void put_place(DataWriter *to, const Sym *file, const Loc *loc) {
    if (!file) {
        put_item(to, (DataItem){.kind = DATA_ZERO, .value = 16}, 16);
        return;
    }
    put_address(to, *file);
    put_item(to, (DataItem){.kind = DATA_I32, .value = (int32_t)loc->line}, 4);
    put_item(to, (DataItem){.kind = DATA_I32, .value = (int32_t)loc->column}, 4);
}

Sym report_object(Lower *lower, const ReportData *about) {
    Program *program = lower->program;
    Loc loc = lower_loc(lower, lower->pos);
    const char *name = program_text(program, program->files.at[loc.file]);
    Sym file = text_symbol(lower, name, strlen(name) + 1), types[2];
    for (uint32_t i = 0; i < 2; i++)
        if (about->types[i]) types[i] = type_object(lower, about->types[i]);
    name = arena_printf(lower->scratch, ".check.%u", lower->hidden_count++);
    Sym id = program_symbol(program, str_of(&program->strings, name), SYM_DATA);
    Symbol *symbol = program_at(program, id);
    symbol->defined = true;
    symbol->linkage = LINK_STATIC;
    symbol->align = 8;
    DataWriter to = {.program = program, .symbol = id};
    put_place(&to, about->no_place ? NULL : &file, &loc);
    if (about->second_place) put_place(&to, NULL, &loc);
    for (uint32_t i = 0; i < 2; i++)
        if (about->types[i]) put_address(&to, types[i]);
    for (uint32_t i = 0; i < about->byte_count; i++)
        put_item(&to, (DataItem){.kind = DATA_I8, .value = (int8_t)about->bytes[i]}, 1);
    if (about->has_number)
        put_item(&to, (DataItem){.kind = DATA_I32, .value = (int32_t)about->number}, 4);
    uint64_t padding = (0 - program_at(program, id)->size) % 8;
    if (padding) put_item(&to, (DataItem){.kind = DATA_ZERO, .value = (int64_t)padding}, padding);
    return id;
}

// ---- Calls

void report_later(Lower *lower, CheckReport report) {
    report.pos = lower->pos;
    vec_push(lower->scratch, &lower->reports, report);
}

// A value as handlers take it: one of at most 64 bits as it is, another by its address.
static Reg handle_of(Lower *lower, Operand value) {
    if (value.type == TYPE_WIDE) return wide_in_memory(lower, value);
    if (value.type == TYPE_I32) value = emit_unary(lower, OP_ZEXT_I64, value, NO_REG);
    if (value.type == TYPE_F32) value = emit_unary(lower, OP_BITS_I32_F32, value, NO_REG);
    if (value.type == TYPE_F64) value = emit_unary(lower, OP_BITS_I64_F64, value, NO_REG);
    if (value.type == TYPE_I32) value = emit_unary(lower, OP_ZEXT_I64, value, NO_REG);
    if (value.type == TYPE_F80) {
        Spot place = spot_temporary(lower, lower->types->basic[CT_LDOUBLE]);
        emit_store(lower, &place, CHUNK_F80, value);
        return spot_address(lower, &place);
    }
    return operand_in_reg(lower, value);
}

static void call_handler(Lower *lower, const CheckReport *report) {
    Program *program = lower->program;
    const char *name = arena_printf(lower->scratch, "__ubsan_handle_%s%s", report->handler,
                                    report->recovers || report->ends ? "" : "_abort");
    PType params[3];
    for (uint32_t i = 0; i < 3; i++) params[i] = PTYPE_OF(TYPE_I64);
    uint32_t count = report->value_count + 1;
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_VOID,
                                             .param_count = count,
                                             .fixed_count = count,
                                             .params = params});
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
    Symbol *at = program_at(program, symbol);
    if (at->sig.i == NO_ID) at->sig = sig;
    if (!report->recovers) at->flags |= SYMF_NORETURN;
    Spot object = {.base = BASE_SYMBOL, .ref = report->object.i, .reg = NO_REG, .index = NO_REG};
    Reg args[3] = {spot_address(lower, &object)};
    for (uint32_t i = 0; i < report->value_count; i++)
        args[i + 1] = handle_of(lower, report->values[i]);
    emit_call(lower, symbol, sig, NO_REG, args, count);
}

void report_all(Lower *lower) {
    for (uint32_t i = 0; i < lower->reports.count; i++) {
        CheckReport report = lower->reports.at[i];
        emit_at(lower, report.pos);
        label_place(lower, report.bad);
        call_handler(lower, &report);
        if (report.recovers)
            emit_jump(lower, report.good);
        else
            emit_builtin(lower, BI_UNREACHABLE, NO_REG, NULL, 0, 0);
    }
}
