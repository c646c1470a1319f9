// Types as text, the way declarations write them: "int (*)(const char *, ...)".
//
// A type is printed inside out: first the part before the (absent) name, from the innermost type
// outward, then the part behind the name, from the outside inward.
#include "c/types/ast.h"

static const char *const basic_names[] = {
    [CT_ERROR] = "<error>",     [CT_VOID] = "void",
    [CT_BOOL] = "_Bool",        [CT_CHAR] = "char",
    [CT_SCHAR] = "signed char", [CT_UCHAR] = "unsigned char",
    [CT_SHORT] = "short",       [CT_USHORT] = "unsigned short",
    [CT_INT] = "int",           [CT_UINT] = "unsigned int",
    [CT_LONG] = "long",         [CT_ULONG] = "unsigned long",
    [CT_LLONG] = "long long",   [CT_ULLONG] = "unsigned long long",
    [CT_INT128] = "__int128",   [CT_UINT128] = "unsigned __int128",
    [CT_HALF] = "_Float16",     [CT_FLOAT] = "float",
    [CT_DOUBLE] = "double",     [CT_LDOUBLE] = "long double",
};

static const char *basic_name(const CType *type) {
    if (type->form == FLOAT_EXCESS) return "_Float16";
    if (type->form == FLOAT_INTERCHANGE) return type->kind == CT_FLOAT ? "_Float32" : "_Float64";
    if (type->form == FLOAT_EXTENDED) return type->kind == CT_DOUBLE ? "_Float32x" : "_Float64x";
    return basic_names[type->kind];
}

static void print_quals(Out *out, unsigned quals, const char *after) {
    static const char *const names[] = {"const", "volatile", "restrict", "_Atomic"};
    bool first = true;
    for (unsigned i = 0; i < 4; i++) {
        if (!(quals >> i & 1)) continue;
        if (!first) out_char(out, ' ');
        out_text(out, names[i]);
        first = false;
    }
    if (!first) out_text(out, after);
}

static void print_base(Out *out, const CType *type) {
    print_quals(out, type->quals, " ");
    const char *keyword = type->kind == CT_STRUCT  ? "struct"
                          : type->kind == CT_UNION ? "union"
                                                   : "enum";
    switch (type->kind) {
    case CT_STRUCT:
    case CT_UNION:
    case CT_ENUM: {
        const Ident *tag = type->kind == CT_ENUM ? type->enumeration.tag : type->record->tag;
        out_printf(out, "%s %s", keyword, tag ? tag->text : "<anonymous>");
        return;
    }
    case CT_COMPLEX: out_printf(out, "_Complex %s", basic_name(type->base)); return;
    case CT_UNSUPPORTED: out_text(out, type->unsupported); return;
    default:
        out_text(out, basic_name(type));
        if (type->width) out_printf(out, ":%u", type->width);
    }
}

// A longer text than this leaves parameters out: nobody reads them, and there can be a million.
enum { LONG_TEXT = 400 };

static void print_parameter_types(Out *out, const CType *type) {
    out_char(out, '(');
    if (out->length > LONG_TEXT) {
        out_text(out, "...)");
        return;
    }
    for (uint32_t i = 0; i < type->func.param_count && type->func.prototype; i++) {
        if (i > 0) out_text(out, ", ");
        type_print(out, type->func.params[i].type);
    }
    if (type->func.variadic) out_text(out, type->func.param_count > 0 ? ", ..." : "...");
    if (type->func.prototype && type->func.param_count == 0 && !type->func.variadic)
        out_text(out, "void");
    out_char(out, ')');
}

static void print_suffix(Out *out, const CType *type) {
    if (type->kind == CT_FUNC) {
        print_parameter_types(out, type);
    } else if (type->array.counted) {
        out_char(out, '[');
        out_u64(out, type->array.count);
        out_char(out, ']');
    } else {
        out_text(out,
                 type->variable && (type->array.count_expr || type->array.star) ? "[*]" : "[]");
    }
}

static bool is_derived(const CType *type) {
    return type->kind == CT_POINTER || type->kind == CT_ARRAY || type->kind == CT_FUNC;
}

void type_print(Out *out, const CType *type) {
    Arena *arena = arena_new("type name");
    VEC(const CType *) chain = {0};
    for (; is_derived(type); type = type->base) vec_push(arena, &chain, type);
    print_base(out, type);
    // Before the name. A pointer to an array or function needs parentheses around it.
    for (uint32_t i = chain.count; i-- > 0;) {
        const CType *at = chain.at[i];
        if (at->kind != CT_POINTER) continue;
        bool inner_suffix = i + 1 < chain.count && chain.at[i + 1]->kind != CT_POINTER;
        const CType *before = NULL; // the pointer printed just before
        for (uint32_t k = i + 1; k < chain.count && !before; k++)
            if (chain.at[k]->kind == CT_POINTER) before = chain.at[k];
        if (!before || before->quals) out_char(out, ' ');
        out_text(out, inner_suffix ? "(*" : "*");
        print_quals(out, at->quals, "");
    }
    if (chain.count > 0 && chain.at[0]->kind != CT_POINTER) {
        bool after_star = chain.count > 1 && chain.at[1]->kind == CT_POINTER;
        if (!after_star && chain.at[0]->kind == CT_FUNC) out_char(out, ' ');
    }
    for (uint32_t i = 0; i < chain.count; i++) {
        const CType *at = chain.at[i];
        if (at->kind != CT_POINTER)
            print_suffix(out, at);
        else if (i + 1 < chain.count && chain.at[i + 1]->kind != CT_POINTER)
            out_char(out, ')');
    }
    arena_free(arena);
}
