// The frame of an assembly file: sections, symbols, the pool of constants, what comes first and
// last.
#include "assembly/assembly.h"

#include "assembly/debug.h"
#include "base/version.h"
#include "elf/note.h"
#include "fact/calls.h"
#include "form/forms.h"
#include "pass/pass.h"
#include "target/target.h"

#include <string.h>

// ---- Shared by the functions

uint32_t assembly_constant(Assembly *assembly, uint32_t size, uint64_t low, uint64_t high) {
    uint64_t hash = hash_add(hash_add(size, low), high);
    uint32_t id;
    for (uint32_t at = table_first(&assembly->constant_table, hash);
         (id = table_id(&assembly->constant_table, hash, &at)) != HASH_NONE;) {
        const PoolConstant *constant = &assembly->constants.at[id];
        if (constant->size == size && constant->low == low && constant->high == high) return id;
    }
    id = assembly->constants.count;
    vec_push(assembly->arena, &assembly->constants,
             (PoolConstant){.low = low, .high = high, .size = size});
    table_insert(assembly->arena, &assembly->constant_table, hash, id);
    return id;
}

void assembly_section(Assembly *assembly, const char *section) {
    if (assembly->section && strcmp(assembly->section, section) == 0) return;
    assembly->section = arena_text(assembly->arena, section, strlen(section));
    bool short_name = strcmp(section, ".text") == 0 || strcmp(section, ".data") == 0 ||
                      strcmp(section, ".bss") == 0;
    out_text(assembly->out, short_name ? "\t" : "\t.section ");
    out_text(assembly->out, section);
    out_char(assembly->out, '\n');
}

bool assembly_is_local(const Program *program, Sym symbol) {
    const Symbol *info = program_at(program, symbol);
    return info->linkage == LINK_STATIC && program_text(program, info->name)[0] == '.';
}

// Names that the assembler would not read as one word are quoted.
void assembly_symbol(Out *out, const Program *program, Sym symbol) {
    Str name = program_at(program, symbol)->name;
    const char *text = program_text(program, name);
    uint32_t length = str_length(&program->strings, name);
    bool plain = length > 0 && (text[0] < '0' || text[0] > '9') && text[0] != '$';
    for (uint32_t i = 0; i < length && plain; i++) {
        char c = text[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '_' || c == '.' || c == '$' || c < 0;
    }
    if (assembly_is_local(program, symbol)) out_bytes(out, ".L", 2);
    if (plain)
        out_bytes(out, text, length);
    else
        out_quoted(out, text, length);
}

static void directive(Assembly *assembly, const char *name, Sym symbol) {
    out_text(assembly->out, name);
    assembly_symbol(assembly->out, assembly->program, symbol);
    out_char(assembly->out, '\n');
}

void assembly_linkage(Assembly *assembly, Sym symbol) {
    const Symbol *info = program_at(assembly->program, symbol);
    if (info->linkage == LINK_WEAK)
        directive(assembly, "\t.weak ", symbol);
    else if (info->linkage != LINK_STATIC && info->defined)
        directive(assembly, "\t.globl ", symbol);
    if (info->visibility == VIS_HIDDEN) directive(assembly, "\t.hidden ", symbol);
    if (info->visibility == VIS_PROTECTED) directive(assembly, "\t.protected ", symbol);
    if (info->visibility == VIS_INTERNAL) directive(assembly, "\t.internal ", symbol);
}

// ---- Functions

static const char *section_of_function(Assembly *assembly, const Symbol *symbol) {
    const Program *program = assembly->program;
    const char *retain = symbol->flags & SYMF_RETAIN ? "R" : "";
    if (symbol->section.i)
        return arena_printf(assembly->scratch, "%s,\"ax%s\",@progbits",
                            program_text(program, symbol->section), retain);
    if (assembly->options->function_sections || *retain)
        return arena_printf(assembly->scratch, ".text.%s,\"ax%s\",@progbits",
                            program_text(program, symbol->name), retain);
    return ".text";
}

static void write_tables(Assembly *assembly, const Symbol *symbol) {
    if (assembly->tables.length == 0) return;
    const char *section = ".rodata";
    if (assembly->options->function_sections)
        section = arena_printf(assembly->scratch, ".rodata.%s,\"a\"",
                               program_text(assembly->program, symbol->name));
    assembly_section(assembly, section);
    // Distances, or addresses in code that does not move.
    out_printf(assembly->out, "\t.balign %d\n", assembly->program->pic == PIC_NONE ? 8 : 4);
    out_bytes(assembly->out, assembly->tables.text, assembly->tables.length);
    assembly->tables.length = 0;
}

// ---- Room for patches

void assembly_patch_label(Assembly *assembly) {
    assembly->patch_label = assembly_label(assembly);
    out_printf(assembly->out, ".L%u:\n", assembly->patch_label);
}

// Of the two, the alignment that the program asks for is that of the function, and not of the room
// before it.
static void write_patch_area_before(Assembly *assembly, uint32_t align) {
    const CodeOptions *code = &assembly->options->code;
    if (!code->patch_before) return;
    if (align > 1 && code->patch_before % align)
        out_printf(assembly->out, "\t.skip %u, 0x90\n", align - code->patch_before % align);
    assembly_patch_label(assembly);
    for (uint32_t i = 0; i < code->patch_before; i++) out_text(assembly->out, "\tnop\n");
}

// The linker keeps the entry as long as the function.
static void write_patch_entry(Assembly *assembly) {
    if (!assembly->options->code.patch_all) return;
    const char *section =
        arena_printf(assembly->scratch, "__patchable_function_entries,\"awo\",@progbits,.L%u",
                     assembly->patch_label);
    assembly_section(assembly, section);
    out_printf(assembly->out, "\t.balign 8\n\t.quad .L%u\n", assembly->patch_label);
}

// ---- One function

static void write_label(Assembly *assembly, uint32_t label) {
    out_printf(assembly->out, ".L%u:\n", label);
}

static WrittenFunc write_function(Assembly *assembly, const Func *func) {
    Out *out = assembly->out;
    const Symbol *symbol = program_at(assembly->program, func->symbol);
    bool debug = assembly->options->debug != 0;
    WrittenFunc written = {.symbol = func->symbol};
    assembly_section(assembly, section_of_function(assembly, symbol));
    if (symbol->align > 1) // what the program says counts more than what is usual
        out_printf(out, "\t.balign %u\n", symbol->align);
    else if (assembly->options->code.align_functions)
        out_printf(out, "\t.balign %u\n", assembly->options->code.align_functions);
    else if (assembly->options->align_functions)
        out_text(out, "\t.p2align 4\n");
    assembly_linkage(assembly, func->symbol);
    out_text(out, "\t.type ");
    assembly_symbol(out, assembly->program, func->symbol);
    out_text(out, ", @function\n");
    write_patch_area_before(assembly, symbol->align);
    assembly_symbol(out, assembly->program, func->symbol);
    out_text(out, ":\n");
    if (debug) write_label(assembly, written.start = assembly_label(assembly));
    assembly->layout = NULL;
    assembly->start = written.start;
    written.loc = target_record(func->program->target)->code->write_function(assembly, func);
    written.layout = assembly->layout;
    if (debug) write_label(assembly, written.end = assembly_label(assembly));
    out_text(out, "\t.size ");
    assembly_symbol(out, assembly->program, func->symbol);
    out_text(out, ", .-");
    assembly_symbol(out, assembly->program, func->symbol);
    out_char(out, '\n');
    write_tables(assembly, symbol);
    write_patch_entry(assembly);
    arena_reset(assembly->scratch);
    return written;
}

void assembly_one_function(Assembly *assembly, Out *out, const Func *func) {
    Out *usual = assembly->out;
    assembly->out = out;
    assembly->section = NULL;
    assembly->code = NULL;
    write_function(assembly, func);
    assembly->out = usual;
    assembly->section = NULL;
}

void assembly_shown_function(Assembly *assembly, Out *out, const Func *func,
                             AssemblyOrigins *origins) {
    uint32_t labels = assembly->labels;
    assembly->labels = 0;
    assembly->origins = origins;
    assembly_one_function(assembly, out, func);
    assembly->origins = NULL;
    assembly->labels = labels;
}

void assembly_function(Assembly *assembly, const Func *func, const DebugCode *code) {
    assembly->code = code;
    bool needed = assembly_needs_symbol(assembly, func->symbol);
    if (needed && !assembly_is_ordered(assembly)) {
        WrittenFunc written = write_function(assembly, func);
        if (assembly->options->debug) vec_push(assembly->arena, &assembly->functions, written);
        assembly_need_symbols_of(assembly, func);
        return;
    }
    Out text = {0}, *out = assembly->out;
    const char *section = assembly->section;
    assembly->out = &text;
    assembly->section = NULL;
    WrittenFunc written = write_function(assembly, func);
    assembly->out = out;
    assembly->section = section;
    assembly_hold(assembly, func, text, written);
    if (needed) assembly_need_symbols_of(assembly, func);
}

// ---- The file

// File 0, which is nameless in a program, is the unit's own here; only version 5 of DWARF has one.
static void write_files(Assembly *assembly) {
    const Program *program = assembly->program;
    const AssemblyOptions *options = assembly->options;
    Out *out = assembly->out;
    const char *source = options->source ? options->source : "-";
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    if (options->ident) {
        out_text(out, "\t.file ");
        out_quoted(out, base, strlen(base));
        out_char(out, '\n');
    }
    if (options->debug >= 5) {
        out_text(out, "\t.file 0 ");
        if (options->directory) {
            out_quoted(out, options->directory, strlen(options->directory));
            out_char(out, ' ');
        }
        out_quoted(out, source, strlen(source));
        out_char(out, '\n');
    }
    for (uint32_t f = 1; f < program->files.count; f++) {
        const char *name = program_text(program, program->files.at[f]);
        if (!*name) name = source; // so a line marker says
        out_printf(out, "\t.file %u ", f);
        out_quoted(out, name, strlen(name));
        out_char(out, '\n');
    }
}

static uint32_t find_known(const Program *program, const char *name) {
    for (uint32_t s = 0; s < program->symbols.count; s++)
        if (symbol_is_known_as(program, (Sym){s}, name)) return s;
    return NO_ID;
}

void assembly_file_asm(Assembly *assembly, uint32_t number) {
    const Program *program = assembly->program;
    assembly_section(assembly, ".text");
    out_text(assembly->out, "#APP\n\t");
    out_text(assembly->out, program_text(program, program->file_asms.at[number]));
    out_text(assembly->out, "\n#NO_APP\n");
    assembly->section = NULL; // it may have changed it
}

// Assembler text outside of functions comes first, as it may define what the rest uses.
static void write_file_asms(Assembly *assembly) {
    for (uint32_t i = 0; i < assembly->program->file_asms.count; i++)
        assembly_file_asm(assembly, i);
}

// ---- Whose address is taken

static void note_address(void *context, Sym symbol) {
    bits_add(&((Assembly *)context)->addressed, symbol.i);
}

// What a direct call names is not asked for its address.
static void note_addresses_of(Assembly *assembly, const Func *func) {
    if (!func->nodes.count || func->son) { // symbols are elsewhere, too
        func_mentions(func, note_address, assembly);
        return;
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Sym symbol = instr_symbol(&func->nodes.at[n]);
        if (symbol.i != NO_ID && func->nodes.at[n].kind != I_CALL) note_address(assembly, symbol);
    }
}

// Assembler text may do anything with a name.
static void find_addressed(Assembly *assembly) {
    const Program *program = assembly->program;
    if (!assembly->options->code.track_branches) return;
    assembly->addressed_known = !program->asms.count && !program->file_asms.count;
    assembly->addressed = bits_new(assembly->arena, program->symbols.count);
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *symbol = program_at(program, (Sym){s});
        if (symbol->alias.i != NO_ID) bits_add(&assembly->addressed, symbol->alias.i);
        if (symbol->constructor >= 0 || symbol->destructor >= 0) bits_add(&assembly->addressed, s);
        for (uint32_t i = 0; i < symbol->data.count; i++)
            if (symbol->data.at[i].kind == DATA_ADDR)
                bits_add(&assembly->addressed, symbol->data.at[i].symbol.i);
        if (symbol->func) note_addresses_of(assembly, symbol->func);
    }
}

Assembly *assembly_begin(Out *out, const Program *program, const AssemblyOptions *options) {
    Arena *arena = arena_new("assembly");
    Assembly *assembly = ARENA_NEW(arena, Assembly);
    *assembly = (Assembly){.out = out,
                           .program = program,
                           .options = options,
                           .arena = arena,
                           .scratch = arena_new("assembly of a function")};
    assembly->setjmp_symbol = find_known(program, "__builtin_setjmp");
    assembly->longjmp_symbol = find_known(program, "__builtin_longjmp");
    assembly_find_needed_symbols(assembly);
    find_addressed(assembly);
    if (options->code.unwind == UNWIND_DEBUG) out_text(out, "\t.cfi_sections .debug_frame\n");
    if (options->debug && options->description)
        assembly->notes = debug_notes(arena, options->description);
    if (options->debug) write_files(assembly);
    if (!assembly_is_ordered(assembly)) write_file_asms(assembly);
    return assembly;
}

static void write_constants_of(Assembly *assembly, uint32_t size, const char *section) {
    Out *out = assembly->out;
    bool first = true;
    for (uint32_t i = 0; i < assembly->constants.count; i++) {
        const PoolConstant *constant = &assembly->constants.at[i];
        if (constant->size != size) continue;
        assembly_section(assembly, section);
        if (first) out_printf(out, "\t.balign %u\n", size);
        first = false;
        out_printf(out, ".LC%u:\n\t%s ", i, size == 4 ? ".long" : ".quad");
        out_u64(out, constant->low);
        if (size == 16) out_printf(out, ", %llu", (unsigned long long)constant->high);
        out_char(out, '\n');
    }
}

// Constants of one size share a section whose equal entries the linker merges.
static void write_constants(Assembly *assembly) {
    write_constants_of(assembly, 16, ".rodata.cst16,\"aM\",@progbits,16");
    write_constants_of(assembly, 8, ".rodata.cst8,\"aM\",@progbits,8");
    write_constants_of(assembly, 4, ".rodata.cst4,\"aM\",@progbits,4");
}

static void write_note(Assembly *assembly) {
    Out *out = assembly->out;
    const Digest *digests = assembly->options->certificate;
    if (!digests) return;
    out_printf(out,
               "\t.section " NOTE_SECTION ",\"\",@note\n\t.balign 4\n\t.long %u, %u, %u\n"
               "\t.asciz \"" NOTE_NAME "\"\n\t.balign 4\n",
               (unsigned)sizeof NOTE_NAME, (unsigned)NOTE_BYTES, (unsigned)NOTE_TYPE_CERTIFICATE);
    for (int kind = 0; kind < DIGEST_KINDS; kind++)
        for (int i = 0; i < DIGEST_BYTES; i++)
            out_printf(out, "%s%u%s", i ? "," : "\t.byte ", digests[kind].at[i],
                       i + 1 == DIGEST_BYTES ? "\n" : "");
}

// What the linker compares between objects: a program is protected if all of its parts are.
static void write_property(Assembly *assembly) {
    const CodeOptions *code = &assembly->options->code;
    unsigned features = (code->track_branches ? 1 : 0) | (code->shadow_stack ? 2 : 0);
    if (!features) return;
    out_printf(assembly->out,
               "\t.section .note.gnu.property,\"a\"\n\t.balign 8\n\t.long 4, 16, 5\n"
               "\t.asciz \"GNU\"\n\t.long 0xc0000002, 4, %u, 0\n",
               features);
}

// By these the linker knows that code of other units may need more of the stack than it looks at.
static void write_split_notes(Assembly *assembly) {
    const Program *program = assembly->program;
    bool unsplit = false;
    if (!program->split_stack) return;
    for (uint32_t s = 0; s < program->symbols.count; s++)
        unsplit |= program->symbols.at[s].func && program->symbols.at[s].flags & SYMF_NO_SPLIT;
    out_text(assembly->out, "\t.section .note.GNU-split-stack,\"\",@progbits\n");
    if (unsplit) out_text(assembly->out, "\t.section .note.GNU-no-split-stack,\"\",@progbits\n");
}

static void write_switches(Assembly *assembly) {
    const char *switches = assembly->options->switches;
    if (!switches) return;
    out_text(assembly->out, "\t.section .GCC.command.line,\"MS\",@progbits,1\n\t.asciz ");
    out_quoted(assembly->out, switches, strlen(switches));
    out_char(assembly->out, '\n');
}

void assembly_end(Assembly *assembly) {
    target_record(assembly->program->target)->code->write_shared(assembly);
    assembly_data(assembly);
    write_constants(assembly);
    if (assembly->options->debug) assembly_debug_info(assembly);
    write_note(assembly);
    write_switches(assembly);
    if (assembly->options->ident && !assembly->options->no_comment)
        out_text(assembly->out, "\t.ident \"gatecc " GATECC_VERSION "\"\n");
    write_property(assembly);
    write_split_notes(assembly);
    out_text(assembly->out, "\t.section .note.GNU-stack,\"\",@progbits\n");
    assembly_drop_held(assembly);
    out_free(&assembly->tables);
    arena_free(assembly->scratch);
    arena_free(assembly->arena);
}

// A naked function has no memory of its own, and saves nothing.
static bool can_do_without_frame(Diag *diag, const Func *func) {
    if (!(program_at(func->program, func->symbol)->flags & SYMF_NAKED)) return true;
    if (!target_record(func->program->target)->code->needs_frame(func)) return true;
    diag_error(diag, SPAN_NONE,
               "the naked function '%s' has no frame for what its statements keep on the stack",
               func_name(func));
    return false;
}

bool assembly_can_write(Diag *diag, const Func *func) {
    if (func_is_final(func)) return can_do_without_frame(diag, func);
    if (select_code_is_possible(func))
        diag_error(diag, SPAN_NONE, "internal error: %s does not reach the machine form",
                   func_name(func));
    else
        diag_error(diag, SPAN_NONE, "the variables of '%s' take more than a gigabyte of the stack",
                   func_name(func));
    return false;
}

static bool is_written(const Symbol *symbol) {
    return symbol->kind == SYM_FUNC && symbol->func;
}

bool write_assembly(Out *out, const Program *program, const AssemblyOptions *options) {
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *symbol = program_at(program, (Sym){s});
        if (is_written(symbol) && !assembly_can_write(options->diag, symbol->func)) return false;
    }
    Assembly *assembly = assembly_begin(out, program, options);
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *symbol = program_at(program, (Sym){s});
        if (is_written(symbol)) assembly_function(assembly, symbol->func, NULL);
    }
    assembly_end(assembly);
    return true;
}
