// DWARF for debuggers: the compilation unit with its types, variables and functions. The line table itself is
// the assembler's, from .loc.
#include "base/version.h"
#include "mach/debug.h"

#include <string.h>

// ---- Variables

// The address of a symbol; of a thread-local one, in the thread's own block.
static void put_symbol_address(Assembly *assembly, Sym symbol) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    bool thread = program_at(assembly->program, symbol)->flags & SYMF_THREAD;
    dwarf_unsigned(dwarf, thread ? 10 : 9);
    dwarf_byte(dwarf, thread ? DW_OP_const8u : DW_OP_addr);
    Out *out = dwarf_symbolic(dwarf, 8);
    out_text(out, "\t.quad ");
    assembly_symbol(out, assembly->program, symbol);
    out_text(out, thread ? "@dtpoff\n" : "\n");
    if (thread) dwarf_byte(dwarf, DW_OP_form_tls_address);
}

static void put_frame_address(Assembly *assembly, uint32_t variable) {
    struct DebugNotes *notes = assembly->notes;
    uint8_t expression[16];
    unsigned length = debug_put_spot(expression, 0, notes->spots[variable]);
    if (notes->debug->variables.at[variable].where == DEBUG_BY_SLOT)
        expression[length++] = DW_OP_deref;
    dwarf_unsigned(&notes->dwarf, length);
    for (unsigned i = 0; i < length; i++) dwarf_byte(&notes->dwarf, expression[i]);
}

static void put_declaration(Assembly *assembly, const DebugVariable *variable) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    dwarf_string(dwarf, program_text(assembly->program, variable->name));
    dwarf_unsigned(dwarf, variable->file);
    dwarf_unsigned(dwarf, variable->line);
    debug_write_type(assembly, variable->type);
}

// The symbol of a variable that has one which is written here; else NO_SYM.
static Sym written_symbol(const Assembly *assembly, const DebugVariable *variable) {
    if (variable->where != DEBUG_AT_SYMBOL) return NO_SYM;
    Sym symbol = program_find(assembly->program, variable->place);
    bool written = symbol.i != NO_ID && program_at(assembly->program, symbol)->defined &&
                   assembly_needs_symbol(assembly, symbol);
    return written ? symbol : NO_SYM;
}

static void put_local(Assembly *assembly, uint32_t id) {
    struct DebugNotes *notes = assembly->notes;
    const DebugVariable *variable = &notes->debug->variables.at[id];
    Sym symbol = written_symbol(assembly, variable);
    bool known = symbol.i != NO_ID || notes->spots[id].known;
    EntryKind kind = variable->parameter ? ENTRY_PARAMETER : ENTRY_VARIABLE;
    if (!variable->type) return;
    dwarf_byte(&notes->dwarf, known ? kind : kind + 1);
    put_declaration(assembly, variable);
    if (symbol.i != NO_ID)
        put_symbol_address(assembly, symbol);
    else if (known)
        put_frame_address(assembly, id);
}

static void put_globals(Assembly *assembly) {
    struct DebugNotes *notes = assembly->notes;
    const Debug *debug = notes->debug;
    for (uint32_t v = debug->first_global; v < debug->variables.count; v++) {
        const DebugVariable *variable = &debug->variables.at[v];
        if (!variable->type || !bits_has(&notes->used, variable->type)) continue;
        Sym symbol = written_symbol(assembly, variable);
        bool mentioned = program_find(assembly->program, variable->place).i != NO_ID;
        if (symbol.i == NO_ID && !(mentioned && variable->external)) continue;
        dwarf_byte(&notes->dwarf, symbol.i == NO_ID ? ENTRY_GLOBAL_DECLARED : ENTRY_GLOBAL);
        put_declaration(assembly, variable);
        dwarf_byte(&notes->dwarf, variable->external);
        if (symbol.i != NO_ID) put_symbol_address(assembly, symbol);
    }
}

// ---- Functions

static void put_extent(Dwarf *dwarf, uint32_t start, uint32_t end) {
    out_printf(dwarf_symbolic(dwarf, 16), "\t.quad .L%u, .L%u-.L%u\n", start, end, start);
}

static void put_block(Assembly *assembly, uint32_t scope) {
    struct DebugNotes *notes = assembly->notes;
    const DebugRange *range = &notes->ranges.at[notes->first[scope]];
    dwarf_byte(&notes->dwarf, range->next == NO_ID ? ENTRY_BLOCK : ENTRY_BLOCK_PARTS);
    if (range->next == NO_ID)
        put_extent(&notes->dwarf, range->start, range->end);
    else
        out_printf(dwarf_symbolic(&notes->dwarf, 4), "\t.long .Lranges%u\n", scope);
}

// A block without code is left out; so are, then, those in it.
static void put_scopes(Assembly *assembly, const DebugFunc *known) {
    struct DebugNotes *notes = assembly->notes;
    const Debug *debug = notes->debug;
    uint32_t depth = 0;
    for (uint32_t s = known->scope; s < known->scope + known->scope_count; s++) {
        const DebugScope *scope = &debug->scopes.at[s];
        if (scope->depth && notes->first[s] == NO_ID) continue;
        for (; scope->depth && depth >= scope->depth; depth--) dwarf_byte(&notes->dwarf, ENTRY_END);
        depth = scope->depth;
        if (depth) put_block(assembly, s);
        for (uint32_t v = scope->first; v != NO_ID; v = debug->variables.at[v].next)
            put_local(assembly, v);
        if (!depth && known->variadic) dwarf_byte(&notes->dwarf, ENTRY_ELLIPSIS);
    }
    for (uint32_t d = 0; d <= depth; d++) dwarf_byte(&notes->dwarf, ENTRY_END);
}

// Whether there is a variable or block to tell of.
static bool has_entries(const Assembly *assembly, const DebugFunc *known) {
    const struct DebugNotes *notes = assembly->notes;
    for (uint32_t s = known->scope + 1; s < known->scope + known->scope_count; s++)
        if (notes->first[s] != NO_ID) return true;
    return notes->debug->scopes.at[known->scope].first != NO_ID;
}

static void put_function(Assembly *assembly, Dwarf *dwarf, const WrittenFunc *written) {
    const Program *program = assembly->program;
    const DebugFunc *known = debug_func_of(assembly, written->symbol);
    const Symbol *symbol = program_at(program, written->symbol);
    const Loc *loc = &program->locs.at[written->loc];
    bool leaf = known && !known->variadic && !has_entries(assembly, known);
    dwarf_byte(dwarf, !known        ? ENTRY_FUNCTION_PLAIN
                      : known->type ? ENTRY_FUNCTION + leaf
                                    : ENTRY_FUNCTION_VOID + leaf);
    dwarf_string(dwarf, program_text(program, known ? known->name : symbol->name));
    dwarf_unsigned(dwarf, loc->file);
    dwarf_unsigned(dwarf, loc->line);
    dwarf_byte(dwarf, symbol->linkage != LINK_STATIC);
    if (known) dwarf_byte(dwarf, known->prototyped);
    put_extent(dwarf, written->start, written->end);
    dwarf_unsigned(dwarf, 1);
    dwarf_byte(dwarf, DW_OP_call_frame_cfa);
    if (!known) return;
    if (known->type) debug_write_type(assembly, known->type);
    if (!leaf) put_scopes(assembly, known);
}

// ---- What types the rest needs

static void use_function(Assembly *assembly, const DebugFunc *known) {
    const Debug *debug = assembly->notes->debug;
    debug_use_type(assembly, known->type);
    for (uint32_t v = known->variable; v < known->variable + known->variable_count; v++)
        debug_use_type(assembly, debug->variables.at[v].type);
}

static void use_types(Assembly *assembly) {
    const Debug *debug = assembly->notes->debug;
    for (uint32_t f = 0; f < assembly->functions.count; f++) {
        const DebugFunc *known = debug_func_of(assembly, assembly->functions.at[f].symbol);
        if (known) use_function(assembly, known);
    }
    for (uint32_t v = debug->first_global; v < debug->variables.count; v++) {
        const DebugVariable *variable = &debug->variables.at[v];
        if (program_find(assembly->program, variable->place).i != NO_ID)
            debug_use_type(assembly, variable->type);
    }
}

// ---- The unit

static void write_range(const Assembly *assembly, uint32_t start, uint32_t end) {
    enum { DW_RLE_start_length = 7 };
    Out *out = assembly->out;
    if (assembly->options->debug < 5)
        out_printf(out, "\t.quad .L%u, .L%u\n", start, end);
    else
        out_printf(out, "\t.byte %d\n\t.quad .L%u\n\t.uleb128 .L%u-.L%u\n", DW_RLE_start_length,
                   start, end, start);
}

static void end_ranges(const Assembly *assembly) {
    out_text(assembly->out, assembly->options->debug < 5 ? "\t.quad 0, 0\n" : "\t.byte 0\n");
}

static void write_ranges_of_blocks(Assembly *assembly) {
    const struct DebugNotes *notes = assembly->notes;
    for (uint32_t s = 0; s < notes->debug->scopes.count; s++) {
        uint32_t first = notes->first[s];
        if (first == NO_ID || notes->ranges.at[first].next == NO_ID) continue;
        out_printf(assembly->out, ".Lranges%u:\n", s);
        for (uint32_t r = first; r != NO_ID; r = notes->ranges.at[r].next)
            write_range(assembly, notes->ranges.at[r].start, notes->ranges.at[r].end);
        end_ranges(assembly);
    }
}

static void write_ranges(Assembly *assembly) {
    Out *out = assembly->out;
    bool lists = assembly->options->debug >= 5; // in version 5 there is a head
    assembly_section(assembly,
                     lists ? ".debug_rnglists,\"\",@progbits" : ".debug_ranges,\"\",@progbits");
    if (lists)
        out_text(out, "\t.long .Lranges_end-.Lranges_start\n.Lranges_start:\n"
                      "\t.value 5\n\t.byte 8,0\n\t.long 0\n");
    out_text(out, ".Lranges:\n");
    for (uint32_t f = 0; f < assembly->functions.count; f++)
        write_range(assembly, assembly->functions.at[f].start, assembly->functions.at[f].end);
    end_ranges(assembly);
    if (assembly->notes) write_ranges_of_blocks(assembly);
    out_text(out, ".Lranges_end:\n");
}

// The length is that of what follows it.
static void put_head(Dwarf *dwarf, uint32_t version) {
    enum { DW_UT_compile = 1, ADDRESS_SIZE = 8 };
    out_text(dwarf_symbolic(dwarf, 4), "\t.long .Linfo_end-.Linfo_start\n.Linfo_start:\n");
    dwarf_number(dwarf, version, 2);
    if (version >= 5) {
        dwarf_byte(dwarf, DW_UT_compile);
        dwarf_byte(dwarf, ADDRESS_SIZE);
    }
    out_text(dwarf_symbolic(dwarf, 4), "\t.long .Labbrev\n");
    if (version < 5) dwarf_byte(dwarf, ADDRESS_SIZE);
}

static void put_unit(Dwarf *dwarf, const AssemblyOptions *options) {
    enum { DW_LANG_C99 = 0x0c, DW_LANG_C11 = 0x1d };
    dwarf_byte(dwarf, ENTRY_UNIT);
    dwarf_string(dwarf, "gatecc " GATECC_VERSION);
    dwarf_number(dwarf, options->debug < 5 ? DW_LANG_C99 : DW_LANG_C11, 2);
    dwarf_string(dwarf, options->unit_name ? options->unit_name : "-");
    dwarf_string(dwarf, options->unit_directory ? options->unit_directory : ".");
    out_text(dwarf_symbolic(dwarf, 4), "\t.long .Lline_table\n");
    dwarf_number(dwarf, 0, 8);
    out_text(dwarf_symbolic(dwarf, 4), "\t.long .Lranges\n");
}

void assembly_debug_info(Assembly *assembly) {
    Out *out = assembly->out;
    Dwarf plain = {0}, *dwarf = assembly->notes ? &assembly->notes->dwarf : &plain;
    dwarf->out = out;
    assembly_section(assembly, ".debug_info,\"\",@progbits");
    put_head(dwarf, assembly->options->debug);
    put_unit(dwarf, assembly->options);
    if (assembly->notes) {
        use_types(assembly);
        debug_write_types(assembly);
        put_globals(assembly);
    }
    for (uint32_t f = 0; f < assembly->functions.count; f++)
        put_function(assembly, dwarf, &assembly->functions.at[f]);
    dwarf_byte(dwarf, ENTRY_END);
    dwarf_flush(dwarf);
    out_text(out, ".Linfo_end:\n");
    out_free(&dwarf->bytes);
    assembly_section(assembly, ".debug_abbrev,\"\",@progbits");
    out_text(out, ".Labbrev:\n");
    dwarf_write_abbrevs(out);
    write_ranges(assembly);
    assembly_section(assembly, ".debug_line,\"\",@progbits");
    out_text(out, ".Lline_table:\n");
}
