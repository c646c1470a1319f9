// Finds the symbols that the file has to define: symbols that other files can see or that an
// attribute keeps, and the symbols that these refer to. A static function may have been copied into
// all its callers; then the file omits the function and all symbols that only this function refers
// to. Functions come one at a time, callees mostly before their callers; so the text of a function
// that is not needed yet is held back until another function needs it.
#include "assembly/assembly_private.h"

static void mark(Assembly *assembly, Sym symbol) {
    if (bits_put(&assembly->needed_symbols, symbol.i))
        vec_push(assembly->arena, &assembly->to_visit, symbol);
}

bool assembly_needs_symbol(const Assembly *assembly, Sym symbol) {
    return bits_has(&assembly->needed_symbols, symbol.i);
}

void assembly_write_held(Assembly *assembly, Sym symbol) {
    HeldFunc *held = &assembly->held[symbol.i];
    if (!held->text.length) return;
    out_bytes(assembly->out, held->text.text, held->text.length);
    out_free(&held->text);
    if (assembly->options->debug) vec_push(assembly->arena, &assembly->functions, held->written);
    assembly->section = NULL;
}

static void visit(Assembly *assembly, Sym sym) {
    const Symbol *symbol = program_at(assembly->program, sym);
    if (symbol->alias.i != NO_ID) mark(assembly, symbol->alias);
    for (uint32_t i = 0; i < symbol->data.count; i++)
        if (symbol->data.at[i].kind == DATA_ADDR) mark(assembly, symbol->data.at[i].symbol);
    HeldFunc *held = &assembly->held[sym.i];
    for (uint32_t i = 0; i < held->refs.count; i++) mark(assembly, held->refs.at[i]);
    if (!assembly_is_ordered(assembly)) assembly_write_held(assembly, sym);
}

static void visit_all(Assembly *assembly) {
    while (assembly->to_visit.count) visit(assembly, vec_pop(&assembly->to_visit));
}

void assembly_find_needed_symbols(Assembly *assembly) {
    uint32_t count = assembly->program->symbols.count;
    assembly->needed_symbols = bits_new(assembly->arena, count);
    assembly->held = ARENA_ARRAY(assembly->arena, HeldFunc, count);
    for (uint32_t s = 0; s < count; s++)
        if (symbol_is_root(program_at(assembly->program, (Sym){s}))) mark(assembly, (Sym){s});
    visit_all(assembly);
}

void assembly_need_symbols_of(Assembly *assembly, const Func *func) {
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        Sym symbol = mach_symbol(mach_at(func, i));
        if (symbol.i != NO_ID) mark(assembly, symbol);
    }
    visit_all(assembly);
}

void assembly_hold(Assembly *assembly, const Func *func, Out text, WrittenFunc written) {
    HeldFunc *held = &assembly->held[func->symbol.i];
    held->text = text;
    held->written = written;
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        Sym symbol = mach_symbol(mach_at(func, i));
        if (symbol.i != NO_ID) vec_push(assembly->arena, &held->refs, symbol);
    }
}

void assembly_drop_held(Assembly *assembly) {
    for (uint32_t s = 0; s < assembly->program->symbols.count; s++)
        out_free(&assembly->held[s].text);
}
