// DWARF for debuggers: the compilation unit with its types, variables and functions. The line table
// itself is the assembler's, from .loc.
#include "assembly/debug.h"
#include "base/version.h"

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

static void put_frame_address(Assembly *assembly, uint32_t variable, FrameSpot spot) {
    struct DebugNotes *notes = assembly->notes;
    uint8_t expression[16];
    unsigned length = debug_put_spot(assembly, expression, 0, spot);
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

// Where a variable of an instance is in the frame. Those of the function itself are known by their
// names, too.
static FrameSpot frame_spot_of(const Assembly *assembly, const DebugLayout *layout,
                               uint32_t instance, uint32_t variable) {
    uint32_t spot = map_get(&layout->spot_of, (uint64_t)instance << 32 | variable);
    if (spot != HASH_NONE) return layout->spots.at[spot];
    return instance == 0 ? assembly->notes->spots[variable] : (FrameSpot){0};
}

static void put_local(Assembly *assembly, DebugLayout *layout, uint32_t instance, uint32_t id) {
    struct DebugNotes *notes = assembly->notes;
    const DebugVariable *variable = &notes->debug->variables.at[id];
    EntryKind kind = variable->parameter ? ENTRY_PARAMETER : ENTRY_VARIABLE;
    if (!variable->type) return;
    Sym symbol = written_symbol(assembly, variable);
    FrameSpot spot = frame_spot_of(assembly, layout, instance, id);
    uint32_t list = debug_use_list(assembly, layout, instance, id);
    bool known = (symbol.i != NO_ID || spot.known) && list == NO_ID;
    dwarf_byte(&notes->dwarf, known ? kind : list == NO_ID ? kind + 1 : kind + 2);
    put_declaration(assembly, variable);
    if (list != NO_ID)
        out_printf(dwarf_symbolic(&notes->dwarf, 4), "\t.long .L%u\n", list);
    else if (symbol.i != NO_ID)
        put_symbol_address(assembly, symbol);
    else if (known)
        put_frame_address(assembly, id, spot);
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

static void put_code(Assembly *assembly, const DebugLayout *layout, uint32_t node) {
    struct DebugNotes *notes = assembly->notes;
    const DebugRange *range = &layout->ranges.at[layout->nodes.at[node].first];
    if (range->next == NO_ID) {
        put_extent(&notes->dwarf, range->start, range->end);
        return;
    }
    out_printf(dwarf_symbolic(&notes->dwarf, 4), "\t.long .Lranges%u\n", notes->parted.count);
    vec_push(assembly->arena, &notes->parted, layout);
    vec_push(assembly->arena, &notes->parted_nodes, node);
}

static void put_inlined(Assembly *assembly, const DebugLayout *layout, uint32_t node, bool parts) {
    struct DebugNotes *notes = assembly->notes;
    const DebugInstance *call = &layout->instances.at[layout->nodes.at[node].instance];
    const Loc *loc = &assembly->program->locs.at[call->loc];
    dwarf_byte(&notes->dwarf, parts ? ENTRY_INLINED_PARTS : ENTRY_INLINED);
    dwarf_number(&notes->dwarf, notes->abstract[call->func], 4);
    dwarf_unsigned(&notes->dwarf, loc->file);
    dwarf_unsigned(&notes->dwarf, loc->line);
    dwarf_unsigned(&notes->dwarf, loc->column);
    put_code(assembly, layout, node);
}

static void put_block(Assembly *assembly, const DebugLayout *layout, uint32_t node) {
    struct DebugNotes *notes = assembly->notes;
    const DebugBlockNode *at = &layout->nodes.at[node];
    bool parts = layout->ranges.at[at->first].next != NO_ID;
    bool outermost = notes->debug->scopes.at[at->scope].parent == NO_ID;
    if (outermost) {
        put_inlined(assembly, layout, node, parts);
        return;
    }
    dwarf_byte(&notes->dwarf, parts ? ENTRY_BLOCK_PARTS : ENTRY_BLOCK);
    put_code(assembly, layout, node);
}

static void put_variables(Assembly *assembly, DebugLayout *layout, uint32_t node) {
    const Debug *debug = assembly->notes->debug;
    const DebugBlockNode *at = &layout->nodes.at[node];
    uint32_t instance = at->instance;
    for (uint32_t v = debug->scopes.at[at->scope].first; v != NO_ID;
         v = debug->variables.at[v].next)
        put_local(assembly, layout, instance, v);
}

static void put_argument(Assembly *assembly, const DebugLayout *layout,
                         const DebugArgument *argument) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    const DebugTerm *terms = layout->terms.at + argument->term_at;
    if (!debug_put_value(assembly, NULL, terms, argument->term_count)) return;
    dwarf_byte(dwarf, assembly->options->debug < 5 ? ENTRY_CALL_ARGUMENT_4 : ENTRY_CALL_ARGUMENT);
    dwarf_unsigned(dwarf, 1);
    dwarf_byte(dwarf, DW_OP_reg0 + assembly->program->target->unwind_numbers[argument->reg]);
    debug_put_value(assembly, dwarf, terms, argument->term_count);
}

static void put_calls(Assembly *assembly, const DebugLayout *layout) {
    struct DebugNotes *notes = assembly->notes;
    for (uint32_t i = 0; i < layout->calls.count; i++) {
        const DebugCall *call = &layout->calls.at[i];
        dwarf_byte(&notes->dwarf, assembly->options->debug < 5 ? ENTRY_CALL_4 : ENTRY_CALL);
        out_printf(dwarf_symbolic(&notes->dwarf, 12),
                   "\t.quad .L%u\n\t.long .Lentry%u-.Linfo_start+4\n", call->label, call->callee);
        bits_add(&notes->called, call->callee);
        for (uint32_t k = 0; k < call->count; k++)
            put_argument(assembly, layout, &layout->arguments.at[call->first + k]);
        dwarf_byte(&notes->dwarf, ENTRY_END);
    }
}

// Nodes with what is in them, those without code left out.
static void put_scopes(Assembly *assembly, DebugLayout *layout) {
    struct DebugNotes *notes = assembly->notes;
    uint32_t node = 0;
    for (;;) {
        if (node) put_block(assembly, layout, node);
        put_variables(assembly, layout, node);
        if (!node && layout->known->variadic) dwarf_byte(&notes->dwarf, ENTRY_ELLIPSIS);
        if (!node) put_calls(assembly, layout);
        const DebugBlockNode *nodes = layout->nodes.at;
        if (nodes[node].child != NO_ID) {
            node = nodes[node].child;
            continue;
        }
        while (dwarf_byte(&notes->dwarf, ENTRY_END), node && nodes[node].sibling == NO_ID)
            node = nodes[node].parent;
        if (!node) return;
        node = nodes[node].sibling;
    }
}

// Whether there is a variable or block to tell of.
static bool has_entries(const Assembly *assembly, const DebugLayout *layout) {
    return layout->nodes.count > 1 || layout->calls.count ||
           assembly->notes->debug->scopes.at[layout->known->scope].first != NO_ID;
}

// What inlined calls refer to.
static void put_abstract(Assembly *assembly, uint32_t id) {
    struct DebugNotes *notes = assembly->notes;
    const DebugFunc *func = &notes->debug->funcs.at[id];
    const Loc *loc = &assembly->program->locs.at[func->loc];
    Dwarf *dwarf = &notes->dwarf;
    notes->abstract[id] = dwarf->offset;
    dwarf_byte(dwarf, func->type ? ENTRY_FUNCTION_ABSTRACT : ENTRY_FUNCTION_ABSTRACT_VOID);
    dwarf_string(dwarf, program_text(assembly->program, func->name));
    dwarf_unsigned(dwarf, loc->file);
    dwarf_unsigned(dwarf, loc->line);
    dwarf_byte(dwarf, func->external);
    dwarf_byte(dwarf, func->prototyped);
    dwarf_byte(dwarf, 1); // DW_INL_inlined
    if (func->type) debug_write_type(assembly, func->type);
}

static void put_abstracts(Assembly *assembly) {
    for (uint32_t f = 0; f < assembly->functions.count; f++) {
        const DebugLayout *layout = assembly->functions.at[f].layout;
        for (uint32_t n = 1; layout && n < layout->nodes.count; n++) {
            uint32_t instance = layout->nodes.at[n].instance;
            uint32_t func = layout->instances.at[instance].func;
            if (instance && !assembly->notes->abstract[func]) put_abstract(assembly, func);
        }
    }
}

static void put_function(Assembly *assembly, Dwarf *dwarf, const WrittenFunc *written) {
    const Program *program = assembly->program;
    const DebugFunc *known = debug_func_of(assembly, written->symbol);
    const Symbol *symbol = program_at(program, written->symbol);
    const Loc *loc = &program->locs.at[written->loc];
    if (assembly->notes) {
        out_printf(dwarf_symbolic(dwarf, 0), ".Lentry%u:\n", written->symbol.i);
        bits_add(&assembly->notes->written, written->symbol.i);
    }
    bool leaf = known && !known->variadic && !has_entries(assembly, written->layout);
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
    if (!leaf) put_scopes(assembly, written->layout);
}

// Functions that are called and written elsewhere.
static void put_declarations(Assembly *assembly) {
    struct DebugNotes *notes = assembly->notes;
    uint32_t count = assembly->program->symbols.count;
    for (uint32_t s = 0; (s = bits_next(&notes->called, s)) < count; s++) {
        if (bits_has(&notes->written, s)) continue;
        out_printf(dwarf_symbolic(&notes->dwarf, 0), ".Lentry%u:\n", s);
        dwarf_byte(&notes->dwarf, ENTRY_FUNCTION_DECLARED);
        dwarf_string(&notes->dwarf, program_text(assembly->program,
                                                 program_at(assembly->program, (Sym){s})->name));
        dwarf_byte(&notes->dwarf, 1);
    }
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
        const DebugLayout *layout = assembly->functions.at[f].layout;
        for (uint32_t n = 0; layout && n < layout->nodes.count; n++) {
            uint32_t func = layout->instances.at[layout->nodes.at[n].instance].func;
            if (func != NO_ID) use_function(assembly, &debug->funcs.at[func]);
        }
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
    for (uint32_t i = 0; i < notes->parted.count; i++) {
        const DebugLayout *layout = notes->parted.at[i];
        uint32_t first = layout->nodes.at[notes->parted_nodes.at[i]].first;
        out_printf(assembly->out, ".Lranges%u:\n", i);
        for (uint32_t r = first; r != NO_ID; r = layout->ranges.at[r].next)
            write_range(assembly, layout->ranges.at[r].start, layout->ranges.at[r].end);
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
        assembly->notes->called = bits_new(assembly->arena, assembly->program->symbols.count);
        assembly->notes->written = bits_new(assembly->arena, assembly->program->symbols.count);
        use_types(assembly);
        debug_write_types(assembly);
        put_globals(assembly);
    }
    if (assembly->notes) put_abstracts(assembly);
    for (uint32_t f = 0; f < assembly->functions.count; f++)
        put_function(assembly, dwarf, &assembly->functions.at[f]);
    if (assembly->notes) put_declarations(assembly);
    dwarf_byte(dwarf, ENTRY_END);
    dwarf_flush(dwarf);
    out_text(out, ".Linfo_end:\n");
    out_free(&dwarf->bytes);
    assembly_section(assembly, ".debug_abbrev,\"\",@progbits");
    out_text(out, ".Labbrev:\n");
    dwarf_write_abbrevs(out);
    write_ranges(assembly);
    if (assembly->notes) debug_write_lists(assembly);
    assembly_section(assembly, ".debug_line,\"\",@progbits");
    out_text(out, ".Lline_table:\n");
}
