// The rules for a program: parameter types, signatures, source files, symbols and their data.
#include "fact/calls.h"
#include "target/model.h"
#include "verify/verify_rules.h"

#include <string.h>

// ---- Parameter types and signatures

static void rule_scalar_type(Verifier *v, uint32_t i) {
    const ParamType *type = &v->program->ptypes.at[i];
    if (type->type != (Type)i || type->size != 0 || type->parts != 0)
        complain(v, "types", "parameter type %u: expected the scalar %s; found something else", i,
                 type_name((Type)i));
}

// The parts of an aggregate in registers are of types that the target carries so: those of the row
// that has the type of the first part.
static void rule_aggregate_parts(Verifier *v, uint32_t i) {
    const ParamType *type = &v->program->ptypes.at[i];
    const PartsRow *rows = v->program->target->parts_rows, *row = rows;
    uint32_t most = target_most_parts(v->program->target);
    if (!type->parts) return;
    while (row->types && !(type->part[0] < TYPE_COUNT && row->types >> type->part[0] & 1)) row++;
    if (!row->types) row = rows;
    if (row->most < most) most = row->most;
    if (type->parts > most) {
        complain(v, "types", "parameter type %u: expected at most %u parts; found %u", i, most,
                 type->parts);
        return;
    }
    for (uint32_t k = 0; k < type->parts; k++)
        if (type->part[k] >= TYPE_COUNT || !(row->types >> type->part[k] & 1))
            complain(v, "types", "parameter type %u: expected parts %s; found %s", i,
                     v->program->target->parts_expected, type_name(type->part[k]));
    uint64_t largest = (uint64_t)row->size * (row->padded ? row->most : type->parts);
    if (type->size > largest || type->size <= (uint64_t)row->size * (type->parts - 1u))
        complain(v, "types", "parameter type %u: expected a size that %u parts can hold; found %ju",
                 i, type->parts, (uintmax_t)type->size);
}

static void rule_aggregate_type(Verifier *v, uint32_t i) {
    const ParamType *type = &v->program->ptypes.at[i];
    if (!ptype_is_aggregate(type) || type->size > VERIFY_LARGEST_SIZE)
        complain(v, "types",
                 "parameter type %u: expected an aggregate with a size; found %s of %ju", i,
                 type_name(type->type), (uintmax_t)type->size);
    if (!verify_is_alignment(type->align))
        complain(v, "types", "parameter type %u: expected a power of two as alignment; found %u", i,
                 type->align);
    rule_aggregate_parts(v, i);
}

static void rules_of_types(Verifier *v) {
    uint32_t count = v->program->ptypes.count;
    if (count < TYPE_COUNT)
        complain(v, "types", "expected the %d scalar types first; found %u types", TYPE_COUNT,
                 count);
    for (uint32_t i = 0; i < count; i++)
        if (i < TYPE_COUNT)
            rule_scalar_type(v, i);
        else
            rule_aggregate_type(v, i);
}

bool verify_sig(Verifier *v, Sig id) {
    if (!verify_sig_in_range(v->program, id)) {
        complain(v, "signature", "expected one of %u signatures; found %u", v->program->sigs.count,
                 id.i);
        return false;
    }
    const SigInfo *sig = program_sig_info(v->program, id);
    bool sound = true;
    if (sig->result.i != PTYPE_VOID.i && !verify_ptype_usable(v->program, sig->result)) {
        complain(v, "signature", "signature %u: expected a result type; found type %u", id.i,
                 sig->result.i);
        sound = false;
    }
    if (sig->fixed_count > sig->param_count ||
        (!sig->variadic && sig->fixed_count < sig->param_count)) {
        complain(v, "signature", "signature %u: expected %s%u fixed parameters; found %u", id.i,
                 sig->variadic ? "at most " : "", sig->param_count, sig->fixed_count);
        sound = false;
    }
    return sound;
}

bool verify_sig_params(Verifier *v, Sig id) {
    const SigInfo *sig = program_sig_info(v->program, id);
    bool sound = true;
    for (uint32_t i = 0; i < sig->param_count; i++) {
        if (verify_ptype_usable(v->program, sig->params[i])) continue;
        complain(v, "signature", "signature %u, parameter %u: expected a parameter type; found %u",
                 id.i, i + 1, sig->params[i].i);
        sound = false;
    }
    return sound;
}

static void rules_of_sigs(Verifier *v) {
    for (uint32_t i = 0; i < v->program->sigs.count; i++) {
        verify_sig(v, (Sig){i});
        verify_sig_params(v, (Sig){i});
    }
}

// ---- Source files and locations

static void rule_files(Verifier *v) {
    const Program *program = v->program;
    for (uint32_t i = 0; i < program->files.count; i++)
        if (!verify_str_in_range(program, program->files.at[i]))
            complain(v, "files", "file %u: expected one of %u strings as name; found %u", i,
                     program->strings.entries.count, program->files.at[i].i);
    for (uint32_t i = 0; i < program->locs.count; i++)
        if (program->locs.at[i].file >= program->files.count)
            complain(v, "files", "location %u: expected one of %u files; found %u", i,
                     program->files.count, program->locs.at[i].file);
    if (program->locs.count == 0)
        complain(v, "files", "expected location 0 to be the unknown one; found no locations");
}

// ---- Symbols

static const Symbol *symbol_here(const Verifier *v) {
    return program_at(v->program, v->symbol);
}

// A string that the assembler can be given: it exists and holds no zero byte.
static bool is_text(const Program *program, Str s) {
    return verify_str_in_range(program, s) &&
           strlen(str_text(&program->strings, s)) == str_length(&program->strings, s);
}

static void rule_symbol_name(Verifier *v) {
    Str name = symbol_here(v)->name;
    if (name.i == STR_NONE.i || !is_text(v->program, name)) {
        complain(v, "symbol-name", "expected a name without zero bytes; found string %u", name.i);
        return;
    }
    uint32_t found = program_find(v->program, name).i;
    if (found != v->symbol.i)
        complain(v, "symbol-name", "expected the name to be that of symbol %u; found symbol %u",
                 v->symbol.i, found);
}

static void rule_symbol_table(Verifier *v) {
    const Program *program = v->program;
    if (program->symbol_of_name.count != program->symbols.count)
        complain(v, "symbol-name", "expected %u names to be known; found %u",
                 program->symbols.count, program->symbol_of_name.count);
}

static bool rule_symbol_kind(Verifier *v) {
    SymKind kind = symbol_here(v)->kind;
    if (kind == SYM_DATA || kind == SYM_FUNC) return true;
    complain(v, "symbol-kind", "expected data or a function; found kind %u", (unsigned)kind);
    return false;
}

static void rule_linkage(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    Linkage linkage = symbol->linkage;
    bool elsewhere = !symbol->defined && symbol->alias.i == NO_ID;
    if ((unsigned)linkage > LINK_COMMON)
        complain(v, "linkage", "expected a linkage up to %d; found %u", LINK_COMMON,
                 (unsigned)linkage);
    else if (elsewhere && linkage != LINK_EXPORT && linkage != LINK_WEAK)
        complain(v, "linkage", "expected an undefined symbol to be export or weak; found it %s",
                 linkage == LINK_STATIC ? "static" : "common");
    if (linkage == LINK_COMMON && (symbol->kind != SYM_DATA || symbol->data.count > 0))
        complain(v, "linkage", "expected common data without initial value; found %s",
                 symbol->kind == SYM_FUNC ? "a function" : "an initial value");
}

static void rule_visibility(Verifier *v) {
    unsigned visibility = (unsigned)symbol_here(v)->visibility;
    if (visibility > VIS_INTERNAL)
        complain(v, "visibility", "expected a visibility up to %d; found %u", VIS_INTERNAL,
                 visibility);
}

static void rule_flags(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    bool function = symbol->kind == SYM_FUNC;
    uint32_t allowed = SYMF_CONST | SYMF_THREAD;
    if (function)
        allowed = SYMF_NORETURN | SYMF_NOINLINE | SYMF_ALWAYS_INLINE | SYMF_RETURNS_TWICE |
                  SYMF_EMISSION | SYMF_NAKED | SYMF_NO_SPLIT | SYMF_KEEPS_ALL | SYMF_INTERRUPT |
                  SYMF_INDIRECT | SYMF_NOIPA;
    allowed |= SYMF_USED | SYMF_REPLACEABLE | SYMF_RETAIN | SYMF_VERSION;
    if (symbol->flags & ~allowed)
        complain(v, "flags", "expected only flags of %s, 0x%x; found 0x%x",
                 function ? "functions" : "data", allowed, symbol->flags);
    if (function && symbol->linkage != LINK_STATIC && !(symbol->flags & SYMF_RETURNS_TWICE) &&
        is_text(v->program, symbol->name) &&
        name_returns_twice(program_text(v->program, symbol->name)))
        complain(v, "flags",
                 "expected a function of this name to be marked returns_twice; found "
                 "it without");
}

// A symbol that other files do not see, or that is not defined here, has no definition to replace;
// a weak or common symbol is replaceable in any case.
static void rule_replaceable(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    if (!(symbol->flags & SYMF_REPLACEABLE)) return;
    if (!symbol->defined || symbol->linkage != LINK_EXPORT || symbol->visibility != VIS_DEFAULT)
        complain(v, "replaceable",
                 "expected an exported definition of default visibility; found %s",
                 !symbol->defined                 ? "no definition"
                 : symbol->linkage != LINK_EXPORT ? "another linkage"
                                                  : "another visibility");
}

static void rule_version(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    if (!(symbol->flags & SYMF_VERSION)) return;
    if (symbol->alias.i == NO_ID || symbol->linkage != LINK_EXPORT)
        complain(v, "version", "expected a version to be an exported alias; found %s",
                 symbol->alias.i == NO_ID ? "none" : "another linkage");
    else if (is_text(v->program, symbol->name) &&
             !strchr(program_text(v->program, symbol->name), '@'))
        complain(v, "version", "expected a name with '@'; found %s",
                 verify_symbol_text(v, v->symbol));
}

static void rule_section(Verifier *v) {
    Str section = symbol_here(v)->section;
    if (!is_text(v->program, section))
        complain(v, "section", "expected a section name without zero bytes; found string %u",
                 section.i);
}

static void rule_priority(Verifier *v, const char *what, int32_t priority) {
    const Symbol *symbol = symbol_here(v);
    bool body = symbol->kind == SYM_FUNC && symbol->defined && symbol->alias.i == NO_ID;
    if (priority < -1 || priority > UINT16_MAX)
        complain(v, "priority", "expected a %s priority from -1 to %d; found %d", what, UINT16_MAX,
                 priority);
    else if (priority != -1 && !body)
        complain(v, "priority", "expected a %s to be a function with a body; found none", what);
}

static bool is_thread_local(const Program *program, Sym symbol) {
    return symbol.i < program->symbols.count && program_at(program, symbol)->flags & SYMF_THREAD;
}

// Data of which each thread has its own is not common; an alias of it is such data, too; and its
// address, which each thread computes, is not part of initial data.
static void rule_thread(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    bool thread = symbol->flags & SYMF_THREAD;
    if (thread && symbol->linkage == LINK_COMMON)
        complain(v, "thread", "expected thread-local data not to be common; found it so");
    if (symbol->alias.i != NO_ID && thread != is_thread_local(v->program, symbol->alias))
        complain(v, "thread",
                 "expected an alias and its target to be thread-local both or not; "
                 "found one that is");
    for (uint32_t i = 0; i < symbol->data.count; i++)
        if (symbol->data.at[i].kind == DATA_ADDR &&
            is_thread_local(v->program, symbol->data.at[i].symbol))
            complain(v, "thread", "item %u: expected an address that is constant; found that of %s",
                     i, verify_symbol_text(v, symbol->data.at[i].symbol));
}

// ---- Aliases

static void rule_alias_target(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    if (symbol->alias.i >= v->program->symbols.count) {
        complain(v, "alias", "expected one of %u symbols as target; found %u",
                 v->program->symbols.count, symbol->alias.i);
        return;
    }
    const Symbol *target = program_at(v->program, symbol->alias);
    if (target->kind != symbol->kind)
        complain(v, "alias", "expected a target of the same kind; found %s",
                 verify_symbol_text(v, symbol->alias));
    if (!target->defined && target->alias.i == NO_ID)
        complain(v, "alias", "expected a target with a definition; found %s",
                 verify_symbol_text(v, symbol->alias));
    if (symbol->func || symbol->data.count > 0)
        complain(v, "alias", "expected no body or data of its own; found some");
}

// The address of an indirect function is not the address of its target, so that no other name
// stands for both.
static void rule_indirect(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    bool known = symbol->alias.i < v->program->symbols.count;
    const Symbol *target = known ? program_at(v->program, symbol->alias) : NULL;
    bool indirect = symbol->flags & SYMF_INDIRECT;
    if (target && target->flags & SYMF_INDIRECT && (indirect || !(symbol->flags & SYMF_VERSION)))
        complain(v, "indirect", "expected only versions of an indirect function; found an alias");
    if (!indirect) return;
    if (symbol->flags & SYMF_VERSION)
        complain(v, "indirect", "expected an indirect function to be no version; found one");
    if (!target || target->kind != SYM_FUNC)
        complain(v, "indirect", "expected a function as resolver; found none");
    else if (verify_sig(v, target->sig) &&
             program_sig_info(v->program, target->sig)->result.i != TYPE_I64)
        complain(v, "indirect", "expected a resolver that returns an address; found %s",
                 verify_symbol_text(v, symbol->alias));
}

// Following aliases from any symbol ends. Each symbol is walked over once: `walk` says in which
// walk (number of its first symbol plus one), so that meeting one's own walk again is a cycle.
static void rule_alias_cycle(Verifier *v) {
    uint32_t count = v->program->symbols.count;
    uint32_t *walk = ARENA_ARRAY(v->scratch, uint32_t, count);
    for (uint32_t first = 0; first < count; first++) {
        Sym at = {first};
        while (at.i < count && walk[at.i] == 0) {
            walk[at.i] = first + 1;
            at = program_at(v->program, at)->alias;
        }
        if (at.i < count && walk[at.i] == first + 1)
            complain(v, "alias", "expected aliases to end at a definition; found a cycle at %s",
                     verify_symbol_text(v, at));
    }
}

// ---- Data

static bool data_value_fits(int64_t value, uint32_t bits) {
    return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << bits;
}

// Whether an item is sound in itself.
static bool data_item_is_sound(const Program *program, const DataItem *item) {
    switch (item->kind) {
    case DATA_BYTES: return item->value == 0 || (item->value > 0 && item->bytes);
    case DATA_ZERO: return item->value >= 0;
    case DATA_I8: return data_value_fits(item->value, 8);
    case DATA_I16: return data_value_fits(item->value, 16);
    case DATA_I32: return data_value_fits(item->value, 32);
    case DATA_I64: return true;
    case DATA_ADDR: return item->symbol.i < program->symbols.count;
    default: return false;
    }
}

static void rule_data(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    uint64_t total = 0;
    for (uint32_t i = 0; i < symbol->data.count; i++) {
        const DataItem *item = &symbol->data.at[i];
        bool sound = data_item_is_sound(v->program, item);
        uint64_t size = sound ? data_item_size(item) : 0;
        if (!sound)
            complain(v, "data",
                     "item %u: expected a known kind, a value that fits it and a symbol in range; "
                     "found kind %u, value %jd, symbol %u",
                     i, item->kind, (intmax_t)item->value, item->symbol.i);
        total = size > VERIFY_LARGEST_SIZE - total ? VERIFY_LARGEST_SIZE : total + size;
    }
    if (total > symbol->size)
        complain(v, "data", "expected initial data of at most its size, %ju; found %ju",
                 (uintmax_t)symbol->size, (uintmax_t)total);
    if (!symbol->defined && symbol->data.count > 0)
        complain(v, "data", "expected no data without a definition; found %u items",
                 symbol->data.count);
}

static void rule_data_shape(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    if (!verify_is_alignment(symbol->align))
        complain(v, "data", "expected a power of two as alignment; found %u", symbol->align);
    if (symbol->size > VERIFY_LARGEST_SIZE)
        complain(v, "data", "expected a size below 2^63; found %ju", (uintmax_t)symbol->size);
    if (symbol->func || symbol->sig.i != NO_ID)
        complain(v, "data", "expected no body and no signature, since it is data; found one");
}

// ---- Functions

static void rule_func_symbol(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    if (verify_sig(v, symbol->sig)) {
        const SigInfo *sig = program_sig_info(v->program, symbol->sig);
        if (sig->param_count != sig->fixed_count)
            complain(v, "signature", "expected a signature without variable arguments; found %u",
                     sig->param_count - sig->fixed_count);
        if (sig->returns_twice)
            complain(v, "signature",
                     "expected the symbol, not its signature, to be marked as one "
                     "that returns twice; found the signature so");
    }
    if (symbol->data.count > 0 || symbol->size > 0)
        complain(v, "body", "expected no data and no size, since it is a function; found some");
    if (!verify_is_alignment(symbol->align))
        complain(v, "align", "expected a power of two as alignment; found %u", symbol->align);
}

// A function is defined if and only if it has a body, which agrees with the symbol. True if there
// is one to verify.
static bool rule_body(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    const Func *func = symbol->func;
    if (!symbol->defined || !func) {
        if (symbol->defined || func)
            complain(v, "body", "expected a body if and only if it is defined; found %s",
                     func ? "a body without definition" : "a definition without body");
        return false;
    }
    bool same_program = func->program == v->program;
    if (same_program && func->symbol.i == v->symbol.i) return true;
    complain(v, "body", "expected a body of this symbol; found one of %s",
             same_program ? verify_symbol_text(v, func->symbol) : "another program");
    return false;
}

static void rules_of_symbol(Verifier *v) {
    const Symbol *symbol = symbol_here(v);
    rule_symbol_name(v);
    if (!rule_symbol_kind(v)) return;
    rule_linkage(v);
    rule_visibility(v);
    rule_replaceable(v);
    rule_version(v);
    rule_indirect(v);
    rule_flags(v);
    rule_thread(v);
    rule_section(v);
    rule_priority(v, "constructor", symbol->constructor);
    rule_priority(v, "destructor", symbol->destructor);
    if (symbol->kind == SYM_FUNC) rule_func_symbol(v);
    if (symbol->alias.i != NO_ID) {
        rule_alias_target(v);
    } else if (symbol->kind == SYM_DATA) {
        rule_data_shape(v);
        rule_data(v);
    } else if (!v->declarations && rule_body(v)) {
        verify_func(v->complaints, symbol->func);
    }
}

static bool verify(Complaints *complaints, const Program *program, bool declarations) {
    uint32_t before = complaints->list.count;
    Verifier v = {.complaints = complaints,
                  .scratch = arena_new("verify"),
                  .declarations = declarations,
                  .program = program,
                  .symbol = NO_SYM,
                  .node = NO_NODE,
                  .site = NO_SITE};
    rules_of_types(&v);
    rules_of_sigs(&v);
    rule_files(&v);
    verify_reserved(&v);
    verify_asm_statements(&v);
    rule_symbol_table(&v);
    rule_alias_cycle(&v);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        v.symbol = (Sym){i};
        rules_of_symbol(&v);
    }
    arena_free(v.scratch);
    return complaints->list.count == before;
}

bool verify_program(Complaints *complaints, const Program *program) {
    return verify(complaints, program, false);
}

bool verify_declarations(Complaints *complaints, const Program *program) {
    return verify(complaints, program, true);
}
