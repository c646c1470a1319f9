// DWARF 5 for debuggers: the compilation unit and its functions with their names, lines and extents.
// The line table itself is the assembler's, from .loc.
#include "x64/assembly_private.h"

#include <string.h>

enum { // abbreviation codes of ours
    ABBREV_UNIT = 1,
    ABBREV_EXTERNAL,
    ABBREV_STATIC
};

static void write_function_abbrev(Out *out, int code, bool external) {
    // DW_TAG_subprogram, no children; name string, decl_file udata, decl_line udata, low_pc addr,
    // high_pc data8, frame_base exprloc, prototyped flag_present
    out_printf(out,
               "\t.byte %d,0x2e,0,3,8,0x3a,0xf,0x3b,0xf,0x11,1,0x12,7,0x40,0x18,0x27,0x19%s,0,0\n",
               code, external ? ",0x3f,0x19" : "");
}

static void write_abbrevs(Assembly *assembly) {
    Out *out = assembly->out;
    assembly_section(assembly, ".debug_abbrev,\"\",@progbits");
    // DW_TAG_compile_unit with children; producer string, language data2, name string, comp_dir
    // string, stmt_list sec_offset, low_pc addr, ranges sec_offset
    out_text(
        out,
        ".Labbrev:\n\t.byte 1,0x11,1,0x25,8,0x13,5,3,8,0x1b,8,0x10,0x17,0x11,1,0x55,0x17,0,0\n");
    write_function_abbrev(out, ABBREV_EXTERNAL, true);
    write_function_abbrev(out, ABBREV_STATIC, false);
    out_text(out, "\t.byte 0\n");
}

static void write_string(Out *out, const char *text) {
    out_text(out, "\t.string ");
    out_quoted(out, text, strlen(text));
    out_char(out, '\n');
}

static void write_function(Assembly *assembly, const WrittenFunc *written) {
    const Program *program = assembly->program;
    const Symbol *symbol = program_at(program, written->symbol);
    const Loc *loc = &program->locs.at[written->loc];
    Out *out = assembly->out;
    bool external = symbol->linkage != LINK_STATIC;
    out_printf(out, "\t.byte %d\n", external ? ABBREV_EXTERNAL : ABBREV_STATIC);
    write_string(out, program_text(program, symbol->name));
    out_printf(out, "\t.uleb128 %u,%u\n\t.quad .L%u, .L%u-.L%u\n", loc->file, loc->line,
               written->start, written->end, written->start);
    out_text(out, "\t.byte 1,0x9c\n"); // DW_OP_call_frame_cfa
}

static void write_ranges(Assembly *assembly) {
    Out *out = assembly->out;
    assembly_section(assembly, ".debug_rnglists,\"\",@progbits");
    out_text(out, "\t.long .Lranges_end-.Lranges_start\n.Lranges_start:\n"
                  "\t.value 5\n\t.byte 8,0\n\t.long 0\n.Lranges:\n");
    for (uint32_t f = 0; f < assembly->functions.count; f++) {
        const WrittenFunc *written = &assembly->functions.at[f];
        out_printf(out, "\t.byte 7\n\t.quad .L%u\n\t.uleb128 .L%u-.L%u\n",
                   written->start, // DW_RLE_start_length
                   written->end, written->start);
    }
    out_text(out, "\t.byte 0\n.Lranges_end:\n");
}

void assembly_debug_info(Assembly *assembly) {
    const AssemblyOptions *options = assembly->options;
    Out *out = assembly->out;
    assembly_section(assembly, ".debug_info,\"\",@progbits");
    out_text(out, "\t.long .Linfo_end-.Linfo_start\n.Linfo_start:\n"
                  "\t.value 5\n\t.byte 1,8\n\t.long .Labbrev\n\t.byte 1\n");
    write_string(out, "gatecc");
    out_text(out, "\t.value 0x1d\n"); // DW_LANG_C11
    write_string(out, options->source ? options->source : "-");
    write_string(out, options->directory ? options->directory : ".");
    out_text(out, "\t.long .Lline_table\n\t.quad 0\n\t.long .Lranges\n");
    for (uint32_t f = 0; f < assembly->functions.count; f++)
        write_function(assembly, &assembly->functions.at[f]);
    out_text(out, "\t.byte 0\n.Linfo_end:\n");
    write_abbrevs(assembly);
    write_ranges(assembly);
    assembly_section(assembly, ".debug_line,\"\",@progbits");
    out_text(out, ".Lline_table:\n");
}
