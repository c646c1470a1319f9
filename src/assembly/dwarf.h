// Writing DWARF: the numbers of the standard that are used here, and bytes for the assembler.
//
// All parts of an entry have sizes that are known before anything is assembled. So the offset of
// each entry is known, too: entries refer to one another by plain numbers, and what has no symbol
// in it goes to the assembler as strings, which it reads fastest.
#pragma once

#include "assembly/assembly_private.h"

enum {
    DW_TAG_array_type = 0x01,
    DW_TAG_enumeration_type = 0x04,
    DW_TAG_formal_parameter = 0x05,
    DW_TAG_lexical_block = 0x0b,
    DW_TAG_member = 0x0d,
    DW_TAG_pointer_type = 0x0f,
    DW_TAG_compile_unit = 0x11,
    DW_TAG_inlined_subroutine = 0x1d,
    DW_TAG_structure_type = 0x13,
    DW_TAG_subroutine_type = 0x15,
    DW_TAG_typedef = 0x16,
    DW_TAG_union_type = 0x17,
    DW_TAG_unspecified_parameters = 0x18,
    DW_TAG_subrange_type = 0x21,
    DW_TAG_base_type = 0x24,
    DW_TAG_const_type = 0x26,
    DW_TAG_enumerator = 0x28,
    DW_TAG_subprogram = 0x2e,
    DW_TAG_variable = 0x34,
    DW_TAG_volatile_type = 0x35,
    DW_TAG_restrict_type = 0x37,
    DW_TAG_unspecified_type = 0x3b,
    DW_TAG_atomic_type = 0x47,
    DW_TAG_call_site = 0x48,
    DW_TAG_call_site_parameter = 0x49,
    DW_TAG_GNU_call_site = 0x4109,
    DW_TAG_GNU_call_site_parameter = 0x410a
};

enum {
    DW_AT_location = 0x02,
    DW_AT_name = 0x03,
    DW_AT_byte_size = 0x0b,
    DW_AT_bit_size = 0x0d,
    DW_AT_stmt_list = 0x10,
    DW_AT_low_pc = 0x11,
    DW_AT_high_pc = 0x12,
    DW_AT_language = 0x13,
    DW_AT_comp_dir = 0x1b,
    DW_AT_const_value = 0x1c,
    DW_AT_inline = 0x20,
    DW_AT_producer = 0x25,
    DW_AT_prototyped = 0x27,
    DW_AT_abstract_origin = 0x31,
    DW_AT_count = 0x37,
    DW_AT_data_member_location = 0x38,
    DW_AT_decl_file = 0x3a,
    DW_AT_decl_line = 0x3b,
    DW_AT_declaration = 0x3c,
    DW_AT_encoding = 0x3e,
    DW_AT_external = 0x3f,
    DW_AT_frame_base = 0x40,
    DW_AT_type = 0x49,
    DW_AT_ranges = 0x55,
    DW_AT_call_column = 0x57,
    DW_AT_call_file = 0x58,
    DW_AT_call_line = 0x59,
    DW_AT_data_bit_offset = 0x6b,
    DW_AT_call_return_pc = 0x7d,
    DW_AT_call_value = 0x7e,
    DW_AT_call_origin = 0x7f,
    DW_AT_GNU_call_site_value = 0x2111
};

enum {
    DW_FORM_addr = 0x01,
    DW_FORM_data2 = 0x05,
    DW_FORM_data8 = 0x07,
    DW_FORM_string = 0x08,
    DW_FORM_data1 = 0x0b,
    DW_FORM_flag = 0x0c,
    DW_FORM_sdata = 0x0d,
    DW_FORM_udata = 0x0f,
    DW_FORM_ref4 = 0x13,
    DW_FORM_sec_offset = 0x17,
    DW_FORM_exprloc = 0x18,
    DW_FORM_flag_present = 0x19
};

enum {
    DW_OP_addr = 0x03,
    DW_OP_deref = 0x06,
    DW_OP_consts = 0x11,
    DW_OP_and = 0x1a,
    DW_OP_minus = 0x1c,
    DW_OP_mul = 0x1e,
    DW_OP_neg = 0x1f,
    DW_OP_not = 0x20,
    DW_OP_or = 0x21,
    DW_OP_plus = 0x22,
    DW_OP_shl = 0x24,
    DW_OP_shr = 0x25,
    DW_OP_shra = 0x26,
    DW_OP_xor = 0x27,
    DW_OP_reg0 = 0x50, // and so on
    DW_OP_const8u = 0x0e,
    DW_OP_constu = 0x10,
    DW_OP_dup = 0x12,
    DW_OP_div = 0x1b,
    DW_OP_breg0 = 0x70, // and so on
    DW_OP_fbreg = 0x91,
    DW_OP_form_tls_address = 0x9b,
    DW_OP_piece = 0x93,
    DW_OP_call_frame_cfa = 0x9c,
    DW_OP_implicit_value = 0x9e,
    DW_OP_stack_value = 0x9f,
    DW_OP_entry_value = 0xa3,
    DW_OP_GNU_entry_value = 0xf3
};

// Kinds of entries; what is in each is said in dwarf.c.
typedef enum {
    ENTRY_END,
    ENTRY_UNIT,
    ENTRY_BASE,
    ENTRY_POINTER,
    ENTRY_POINTER_VOID,
    ENTRY_CONST,
    ENTRY_CONST_VOID,
    ENTRY_VOLATILE,
    ENTRY_VOLATILE_VOID,
    ENTRY_RESTRICT,
    ENTRY_RESTRICT_VOID,
    ENTRY_ATOMIC,
    ENTRY_ATOMIC_VOID,
    ENTRY_TYPEDEF,
    ENTRY_TYPEDEF_VOID,
    ENTRY_UNKNOWN,
    ENTRY_ARRAY,
    ENTRY_RANGE,
    ENTRY_RANGE_OPEN,
    ENTRY_RANGE_COMPUTED,
    ENTRY_FUNCTION_TYPE,
    ENTRY_FUNCTION_TYPE_LEAF,
    ENTRY_FUNCTION_TYPE_VOID,
    ENTRY_FUNCTION_TYPE_VOID_LEAF,
    ENTRY_PARAMETER_TYPE,
    ENTRY_ELLIPSIS,
    ENTRY_STRUCT,
    ENTRY_STRUCT_NAMELESS,
    ENTRY_STRUCT_DECLARED,
    ENTRY_UNION,
    ENTRY_UNION_NAMELESS,
    ENTRY_UNION_DECLARED,
    ENTRY_ENUM,
    ENTRY_ENUM_NAMELESS,
    ENTRY_ENUM_DECLARED,
    ENTRY_MEMBER,
    ENTRY_MEMBER_NAMELESS,
    ENTRY_BITFIELD,
    ENTRY_ENUMERATOR,
    ENTRY_ENUMERATOR_UNSIGNED,
    ENTRY_GLOBAL,
    ENTRY_GLOBAL_DECLARED,
    ENTRY_VARIABLE,
    ENTRY_VARIABLE_NOWHERE,
    ENTRY_VARIABLE_LIST,
    ENTRY_PARAMETER,
    ENTRY_PARAMETER_NOWHERE,
    ENTRY_PARAMETER_LIST,
    ENTRY_FUNCTION,
    ENTRY_FUNCTION_LEAF,
    ENTRY_FUNCTION_VOID,
    ENTRY_FUNCTION_VOID_LEAF,
    ENTRY_FUNCTION_PLAIN,
    ENTRY_FUNCTION_ABSTRACT,
    ENTRY_FUNCTION_ABSTRACT_VOID,
    ENTRY_BLOCK,
    ENTRY_BLOCK_PARTS,
    ENTRY_INLINED,
    ENTRY_INLINED_PARTS,
    ENTRY_FUNCTION_DECLARED,
    ENTRY_CALL,
    ENTRY_CALL_ARGUMENT,
    ENTRY_CALL_4, // before version 5
    ENTRY_CALL_ARGUMENT_4,
    ENTRY_COUNT
} EntryKind;

// Writes the table that says what is in entries, in the section that is being written.
void dwarf_write_abbrevs(Out *out);

typedef struct {
    Out *out;        // NULL: entries are measured only
    Out bytes;       // collected, but not written yet
    uint32_t offset; // of the next byte in the unit
} Dwarf;

void dwarf_byte(Dwarf *dwarf, unsigned byte);
void dwarf_number(Dwarf *dwarf, uint64_t number, unsigned size); // little-endian
void dwarf_unsigned(Dwarf *dwarf, uint64_t number);              // LEB128
void dwarf_signed(Dwarf *dwarf, int64_t number);
void dwarf_string(Dwarf *dwarf, const char *text);
// The assembler computes a number of so many bytes: it is to be written to the stream that is
// returned (NULL while measuring), a whole line with its directive.
Out *dwarf_symbolic(Dwarf *dwarf, unsigned size);
// Writes what was collected.
void dwarf_flush(Dwarf *dwarf);

// LEB128s by themselves, for expressions, whose length comes first.
unsigned dwarf_put_unsigned(uint8_t *to, uint64_t number); // at most 10 bytes; yields how many
unsigned dwarf_put_signed(uint8_t *to, int64_t number);
