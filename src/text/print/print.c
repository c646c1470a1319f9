// The printer of the text forms: one canonical text for each program, which the parser reads back.
//
// A name that is not an identifier is quoted. Whatever may be left out because the parser finds it
// itself (a successor that is the next line, the signature of a call, the type of a register that
// is defined) is left out. An id that is out of range is printed as a question mark, so that even a
// broken function can be looked at.
#include "form/value.h"
#include "text/lex.h"
#include "text/print/print_parts.h"

#include <math.h>

// ---- Names

static void print_symbol_name(Out *out, const Program *program, Str name) {
    const char *text = program_text(program, name);
    uint32_t length = str_length(&program->strings, name), at = 0;
    if (char_starts_symbol(text[0]))
        while (at < length && char_in_symbol(text[at])) at++;
    if (at == length && length)
        out_bytes(out, text, length);
    else
        out_quoted(out, text, length);
}

void symbol_print(Out *out, const Program *program, Sym symbol) {
    out_char(out, '@');
    if (symbol.i < program->symbols.count)
        print_symbol_name(out, program, program_at(program, symbol)->name);
    else
        out_char(out, '?');
}

void print_slot(Out *out, const Func *func, uint32_t slot) {
    out_char(out, '$');
    if (slot >= func->slots.count)
        out_char(out, '?');
    else if (func->slots.at[slot].name.i)
        print_symbol_name(out, func->program, func->slots.at[slot].name);
    else
        out_u64(out, slot);
}

// ---- Types

void print_ptype(Out *out, const Program *program, PType type) {
    if (type.i >= program->ptypes.count) {
        out_char(out, '?');
        return;
    }
    const ParamType *info = program_ptype_info(program, type);
    if (!ptype_is_aggregate(info)) {
        out_text(out, type_name(info->type));
        return;
    }
    out_text(out, "agg(");
    out_u64(out, info->size);
    out_text(out, " align ");
    out_u64(out, info->align);
    for (uint32_t i = 0; i < info->parts; i++) {
        out_text(out, i ? ", " : ": ");
        out_text(out, type_name(info->part[i]));
    }
    out_char(out, ')');
}

void print_params(Out *out, const Program *program, const SigInfo *sig, const Func *func) {
    out_char(out, '(');
    for (uint32_t i = 0; i < sig->param_count; i++) {
        if (i) out_text(out, ", ");
        if (sig->variadic && i == sig->fixed_count) out_text(out, "..., ");
        print_ptype(out, program, sig->params[i]);
        if (!func || i >= func->params.count) continue;
        out_char(out, ' ');
        reg_print(out, func, func->params.at[i]);
    }
    if (sig->variadic && sig->fixed_count >= sig->param_count)
        out_text(out, sig->param_count ? ", ..." : "...");
    out_char(out, ')');
    if (sig->c_type) out_printf(out, " as %u", sig->c_type);
}

void print_call_params(Out *out, const Program *program, const SigInfo *sig) {
    print_params(out, program, sig, NULL);
    out_text(out, sig->returns_twice ? " returns_twice " : " ");
}

// ---- Numbers

void print_displacement(Out *out, int64_t value) {
    out_text(out, value < 0 ? " - " : " + ");
    out_u64(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void print_integer(Out *out, Type type, int64_t value) {
    out_i64(out, type == TYPE_I32 ? (int32_t)value : value);
}

void print_float(Out *out, Type type, int64_t bits, uint16_t high) {
    Value value = {.bits = (uint64_t)bits & type_mask(type)};
    if (type == TYPE_F80) {
        out_printf(out, "0x%04x:0x%016llx", (unsigned)high, (unsigned long long)value.bits);
        return;
    }
    double number = type == TYPE_F32 ? (double)as_f32(value) : as_f64(value);
    if (isnan(number))
        out_printf(out, "nan:0x%llx", (unsigned long long)value.bits);
    else
        out_printf(out, "%a", number); // infinities are "inf" and "-inf"
}

// ---- Lines of a function

void print_order(Out *out, uint32_t aux) {
    MemoryOrder order = aux_order(aux);
    out_char(out, ' ');
    out_text(out, order < ORDER_COUNT ? order_name(order) : "?");
    if (aux & ATOMIC_VOLATILE) out_text(out, " volatile");
}

void print_location(Out *out, const Program *program, uint32_t id) {
    if (id >= program->locs.count || !program->locs.at[id].file) return;
    const Loc *loc = &program->locs.at[id];
    out_text(out, " !");
    out_u64(out, loc->file);
    out_char(out, ':');
    out_u64(out, loc->line);
    out_char(out, ':');
    out_u64(out, loc->column);
}

void func_print_slots(Out *out, const Func *func, uint32_t from) {
    for (uint32_t i = from; i < func->slots.count; i++) {
        out_text(out, "  slot ");
        print_slot(out, func, i);
        out_text(out, " size ");
        out_u64(out, func->slots.at[i].size);
        out_text(out, " align ");
        out_u64(out, func->slots.at[i].align);
        if (func->slots.at[i].buffer) out_char(out, ' ');
        out_text(out, buffer_name((BufferKind)func->slots.at[i].buffer));
        out_char(out, '\n');
    }
}

// ---- Items

static bool has_attribute(const Symbol *symbol, const Attribute *attribute) {
    switch (attribute->kind) {
    case ATTR_LINKAGE: return symbol->linkage == (Linkage)attribute->value;
    case ATTR_VISIBILITY: return symbol->visibility == (Visibility)attribute->value;
    case ATTR_FLAG: return symbol->flags & attribute->value;
    case ATTR_SECTION: return symbol->section.i;
    case ATTR_ALIGN:
        return symbol->kind == SYM_FUNC && symbol->alias.i == NO_ID && symbol->align != 1;
    case ATTR_CONSTRUCTOR: return symbol->constructor >= 0;
    case ATTR_DESTRUCTOR: return symbol->destructor >= 0;
    }
    return false;
}

static void print_attributes(Out *out, const Program *program, const Symbol *symbol) {
    for (uint32_t i = 0; i < attribute_count; i++) {
        const Attribute *attribute = &attribute_table[i];
        if (!has_attribute(symbol, attribute)) continue;
        out_char(out, ' ');
        out_text(out, attribute->word);
        if (attribute->kind == ATTR_SECTION) {
            out_char(out, ' ');
            out_quoted(out, program_text(program, symbol->section),
                       str_length(&program->strings, symbol->section));
        }
        if (attribute->kind == ATTR_ALIGN) out_printf(out, " %u", symbol->align);
        if (attribute->kind == ATTR_CONSTRUCTOR) out_printf(out, " %d", symbol->constructor);
        if (attribute->kind == ATTR_DESTRUCTOR) out_printf(out, " %d", symbol->destructor);
    }
}

static void print_header(Out *out, const Program *program, Sym id, Sig sig, const Func *func) {
    static const SigInfo unknown = {.result = {NO_ID}};
    bool known = sig.i < program->sigs.count;
    const SigInfo *info = known ? program_sig_info(program, sig) : &unknown;
    out_text(out, "function ");
    print_ptype(out, program, info->result);
    out_char(out, ' ');
    symbol_print(out, program, id);
    print_params(out, program, info, func);
    print_attributes(out, program, program_at(program, id));
}

void func_header_print(Out *out, const Func *func) {
    print_header(out, func->program, func->symbol, func->sig, func);
}

static void print_data_item(Out *out, const Program *program, const DataItem *item) {
    switch ((DataKind)item->kind) {
    case DATA_BYTES: out_quoted(out, (const char *)item->bytes, (size_t)item->value); break;
    case DATA_ZERO: out_printf(out, "zero %lld", (long long)item->value); break;
    case DATA_I8: out_printf(out, "i8 %d", (int8_t)item->value); break;
    case DATA_I16: out_printf(out, "i16 %d", (int16_t)item->value); break;
    case DATA_I32: out_printf(out, "i32 %d", (int32_t)item->value); break;
    case DATA_I64: out_printf(out, "i64 %lld", (long long)item->value); break;
    case DATA_ADDR:
        out_text(out, "addr ");
        symbol_print(out, program, item->symbol);
        if (item->value) print_displacement(out, item->value);
        break;
    }
}

static void print_global(Out *out, const Program *program, Sym id) {
    const Symbol *symbol = program_at(program, id);
    out_text(out, "global ");
    symbol_print(out, program, id);
    out_text(out, " size ");
    out_u64(out, symbol->size);
    out_text(out, " align ");
    out_u64(out, symbol->align);
    print_attributes(out, program, symbol);
    for (uint32_t i = 0; i < symbol->data.count; i++) {
        out_text(out, i ? ", " : " = ");
        print_data_item(out, program, &symbol->data.at[i]);
    }
    out_char(out, '\n');
}

static void print_item(Out *out, const Program *program, Sym id, const PrintOptions *options) {
    const Symbol *symbol = program_at(program, id);
    if (symbol->flags & SYMF_INDIRECT) {
        out_text(out, "indirect ");
        print_header(out, program, id, symbol->sig, NULL);
        out_text(out, " = ");
        symbol_print(out, program, symbol->alias);
        out_char(out, '\n');
        return;
    }
    if (symbol->alias.i != NO_ID) {
        out_text(out, "alias ");
        symbol_print(out, program, id);
        out_text(out, " = ");
        symbol_print(out, program, symbol->alias);
        print_attributes(out, program, symbol);
        out_char(out, '\n');
        return;
    }
    if (symbol->func && !options->headers) {
        bool first = id.i == 0 && !(options->locations && program->files.count > 1) &&
                     !program->asms.count && !program->file_asms.count &&
                     !regs_any(program->reserved);
        if (!first) out_char(out, '\n');
        func_print(out, symbol->func, options);
        return;
    }
    if (!symbol->defined) out_text(out, "extern ");
    if (symbol->kind == SYM_DATA) {
        print_global(out, program, id);
        return;
    }
    print_header(out, program, id, symbol->sig, NULL);
    out_char(out, '\n');
}

// Certificates say even what would be taken for granted.
static void print_code(Out *out, const Program *program, const PrintOptions *options) {
    bool usual = program->pic == PIC_PIE && !program->frame_pointer && !program->loose_stack &&
                 !program->split_stack;
    if (usual && !options->headers) return;
    out_printf(out, "code %s%s%s%s\n", pic_name(program->pic),
               program->frame_pointer ? " frame_pointers" : "",
               program->loose_stack ? " loose_stack" : "",
               program->split_stack ? " split_stack" : "");
}

void program_print(Out *out, const Program *program, const PrintOptions *options) {
    print_code(out, program, options);
    for (uint32_t i = 1; options->locations && i < program->files.count; i++) {
        out_printf(out, "file %u ", i);
        out_quoted(out, program_text(program, program->files.at[i]),
                   str_length(&program->strings, program->files.at[i]));
        out_char(out, '\n');
    }
    reserved_print(out, program);
    asm_statements_print(out, program);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        print_item(out, program, (Sym){i}, options);
}
