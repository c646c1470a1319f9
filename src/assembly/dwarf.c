#include "assembly/dwarf.h"

#include <string.h>

// ---- Entries

enum { MOST_ATTRIBUTES = 9 };

#define NAME  DW_AT_name, DW_FORM_string
#define TYPE  DW_AT_type, DW_FORM_ref4
#define SIZE  DW_AT_byte_size, DW_FORM_udata
#define PLACE DW_AT_decl_file, DW_FORM_udata, DW_AT_decl_line, DW_FORM_udata
#define WHERE DW_AT_location, DW_FORM_exprloc
#define LIST  DW_AT_location, DW_FORM_sec_offset
#define CALL                                                                                       \
    DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_call_file, DW_FORM_udata, DW_AT_call_line,          \
        DW_FORM_udata, DW_AT_call_column, DW_FORM_udata
#define INLINED   DW_AT_inline, DW_FORM_data1
#define EXTENT    DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8
#define FRAME     DW_AT_frame_base, DW_FORM_exprloc
#define PROTO     DW_AT_prototyped, DW_FORM_flag
#define PUBLIC    DW_AT_external, DW_FORM_flag
#define ELSEWHERE DW_AT_declaration, DW_FORM_flag_present
#define WITH_AND_WITHOUT_TYPE(kind, tag)                                                           \
    [ENTRY_##kind] = {tag, false, {TYPE}}, [ENTRY_##kind##_VOID] = {tag, false, {0}}
#define WITH_AND_WITHOUT_CHILDREN(kind, tag, ...)                                                  \
    [ENTRY_##kind] = {tag, true, {__VA_ARGS__}}, [ENTRY_##kind##_LEAF] = {tag, false, {__VA_ARGS__}}
#define TAGGED(kind, tag, ...)                                                                     \
    [ENTRY_##kind] = {tag, true, {SIZE, NAME, __VA_ARGS__}},                                       \
    [ENTRY_##kind##_NAMELESS] = {tag, true, {SIZE, __VA_ARGS__}},                                  \
    [ENTRY_##kind##_DECLARED] = {tag, false, {NAME, ELSEWHERE}}

// An entry's tag, whether it has children, and its attributes with their forms in order.
static const struct {
    uint16_t tag;
    bool children;
    uint16_t attributes[2 * MOST_ATTRIBUTES + 2];
} entries[ENTRY_COUNT] = {
    [ENTRY_UNIT] = {DW_TAG_compile_unit,
                    true,
                    {DW_AT_producer, DW_FORM_string, DW_AT_language, DW_FORM_data2, NAME,
                     DW_AT_comp_dir, DW_FORM_string, DW_AT_stmt_list, DW_FORM_sec_offset,
                     DW_AT_low_pc, DW_FORM_addr, DW_AT_ranges, DW_FORM_sec_offset}},
    [ENTRY_BASE] = {DW_TAG_base_type, false, {NAME, DW_AT_encoding, DW_FORM_data1, SIZE}},
    [ENTRY_POINTER] = {DW_TAG_pointer_type, false, {SIZE, TYPE}},
    [ENTRY_POINTER_VOID] = {DW_TAG_pointer_type, false, {SIZE}},
    WITH_AND_WITHOUT_TYPE(CONST, DW_TAG_const_type),
    WITH_AND_WITHOUT_TYPE(VOLATILE, DW_TAG_volatile_type),
    WITH_AND_WITHOUT_TYPE(RESTRICT, DW_TAG_restrict_type),
    WITH_AND_WITHOUT_TYPE(ATOMIC, DW_TAG_atomic_type),
    [ENTRY_TYPEDEF] = {DW_TAG_typedef, false, {NAME, TYPE}},
    [ENTRY_TYPEDEF_VOID] = {DW_TAG_typedef, false, {NAME}},
    [ENTRY_UNKNOWN] = {DW_TAG_unspecified_type, false, {NAME}},
    [ENTRY_ARRAY] = {DW_TAG_array_type, true, {TYPE}},
    [ENTRY_RANGE] = {DW_TAG_subrange_type, false, {DW_AT_count, DW_FORM_udata}},
    [ENTRY_RANGE_OPEN] = {DW_TAG_subrange_type, false, {0}},
    [ENTRY_RANGE_COMPUTED] = {DW_TAG_subrange_type, false, {DW_AT_count, DW_FORM_exprloc}},
    WITH_AND_WITHOUT_CHILDREN(FUNCTION_TYPE, DW_TAG_subroutine_type, PROTO, TYPE),
    WITH_AND_WITHOUT_CHILDREN(FUNCTION_TYPE_VOID, DW_TAG_subroutine_type, PROTO),
    [ENTRY_PARAMETER_TYPE] = {DW_TAG_formal_parameter, false, {TYPE}},
    [ENTRY_ELLIPSIS] = {DW_TAG_unspecified_parameters, false, {0}},
    TAGGED(STRUCT, DW_TAG_structure_type, 0),
    TAGGED(UNION, DW_TAG_union_type, 0),
    TAGGED(ENUM, DW_TAG_enumeration_type, TYPE),
    [ENTRY_MEMBER] = {DW_TAG_member,
                      false,
                      {NAME, TYPE, DW_AT_data_member_location, DW_FORM_udata}},
    [ENTRY_MEMBER_NAMELESS] = {DW_TAG_member,
                               false,
                               {TYPE, DW_AT_data_member_location, DW_FORM_udata}},
    [ENTRY_BITFIELD] = {DW_TAG_member,
                        false,
                        {NAME, TYPE, DW_AT_data_bit_offset, DW_FORM_udata, DW_AT_bit_size,
                         DW_FORM_udata}},
    [ENTRY_ENUMERATOR] = {DW_TAG_enumerator, false, {NAME, DW_AT_const_value, DW_FORM_sdata}},
    [ENTRY_ENUMERATOR_UNSIGNED] = {DW_TAG_enumerator,
                                   false,
                                   {NAME, DW_AT_const_value, DW_FORM_udata}},
    [ENTRY_GLOBAL] = {DW_TAG_variable, false, {NAME, PLACE, TYPE, PUBLIC, WHERE}},
    [ENTRY_GLOBAL_DECLARED] = {DW_TAG_variable, false, {NAME, PLACE, TYPE, PUBLIC, ELSEWHERE}},
    [ENTRY_VARIABLE] = {DW_TAG_variable, false, {NAME, PLACE, TYPE, WHERE}},
    [ENTRY_VARIABLE_NOWHERE] = {DW_TAG_variable, false, {NAME, PLACE, TYPE}},
    [ENTRY_VARIABLE_LIST] = {DW_TAG_variable, false, {NAME, PLACE, TYPE, LIST}},
    [ENTRY_PARAMETER] = {DW_TAG_formal_parameter, false, {NAME, PLACE, TYPE, WHERE}},
    [ENTRY_PARAMETER_NOWHERE] = {DW_TAG_formal_parameter, false, {NAME, PLACE, TYPE}},
    [ENTRY_PARAMETER_LIST] = {DW_TAG_formal_parameter, false, {NAME, PLACE, TYPE, LIST}},
    WITH_AND_WITHOUT_CHILDREN(FUNCTION, DW_TAG_subprogram, NAME, PLACE, PUBLIC, PROTO, EXTENT,
                              FRAME, TYPE),
    WITH_AND_WITHOUT_CHILDREN(FUNCTION_VOID, DW_TAG_subprogram, NAME, PLACE, PUBLIC, PROTO, EXTENT,
                              FRAME),
    [ENTRY_FUNCTION_PLAIN] = {DW_TAG_subprogram, false, {NAME, PLACE, PUBLIC, EXTENT, FRAME}},
    [ENTRY_BLOCK] = {DW_TAG_lexical_block, true, {EXTENT}},
    [ENTRY_BLOCK_PARTS] = {DW_TAG_lexical_block, true, {DW_AT_ranges, DW_FORM_sec_offset}},
    [ENTRY_FUNCTION_ABSTRACT] = {DW_TAG_subprogram,
                                 false,
                                 {NAME, PLACE, PUBLIC, PROTO, INLINED, TYPE}},
    [ENTRY_FUNCTION_ABSTRACT_VOID] = {DW_TAG_subprogram,
                                      false,
                                      {NAME, PLACE, PUBLIC, PROTO, INLINED}},
    [ENTRY_INLINED] = {DW_TAG_inlined_subroutine, true, {CALL, EXTENT}},
    [ENTRY_INLINED_PARTS] = {DW_TAG_inlined_subroutine,
                             true,
                             {CALL, DW_AT_ranges, DW_FORM_sec_offset}},
    [ENTRY_FUNCTION_DECLARED] = {DW_TAG_subprogram, false, {NAME, PUBLIC, ELSEWHERE}},
    [ENTRY_CALL] = {DW_TAG_call_site,
                    true,
                    {DW_AT_call_return_pc, DW_FORM_addr, DW_AT_call_origin, DW_FORM_ref4}},
    [ENTRY_CALL_ARGUMENT] = {DW_TAG_call_site_parameter,
                             false,
                             {WHERE, DW_AT_call_value, DW_FORM_exprloc}},
    [ENTRY_CALL_4] = {DW_TAG_GNU_call_site,
                      true,
                      {DW_AT_low_pc, DW_FORM_addr, DW_AT_abstract_origin, DW_FORM_ref4}},
    [ENTRY_CALL_ARGUMENT_4] = {DW_TAG_GNU_call_site_parameter,
                               false,
                               {WHERE, DW_AT_GNU_call_site_value, DW_FORM_exprloc}},
};

void dwarf_write_abbrevs(Out *out) {
    for (unsigned kind = 1; kind < ENTRY_COUNT; kind++) {
        out_printf(out, "\t.uleb128 %u,%u,%u", kind, entries[kind].tag, entries[kind].children);
        const uint16_t *at = entries[kind].attributes;
        for (; *at; at += 2) out_printf(out, ",%u,%u", at[0], at[1]);
        out_text(out, ",0,0\n");
    }
    out_text(out, "\t.byte 0\n");
}

// ---- Bytes

unsigned dwarf_put_unsigned(uint8_t *to, uint64_t number) {
    unsigned count = 0;
    do {
        uint8_t low = number & 0x7f;
        number >>= 7;
        to[count++] = number ? low | 0x80 : low;
    } while (number);
    return count;
}

unsigned dwarf_put_signed(uint8_t *to, int64_t number) {
    unsigned count = 0;
    uint64_t rest = (uint64_t)number, sign = number < 0 ? ~UINT64_C(0) : 0;
    for (bool more = true; more;) {
        uint8_t low = rest & 0x7f;
        rest = rest >> 7 | (sign & UINT64_C(0x7f) << 57);
        more = rest != sign || (low >> 6 & 1) != (sign & 1);
        to[count++] = more ? low | 0x80 : low;
    }
    return count;
}

static void put(Dwarf *dwarf, const void *bytes, size_t count) {
    enum { LINE = 4000 };
    dwarf->offset += (uint32_t)count;
    if (!dwarf->out) return;
    out_bytes(&dwarf->bytes, bytes, count);
    if (dwarf->bytes.length >= LINE) dwarf_flush(dwarf);
}

void dwarf_byte(Dwarf *dwarf, unsigned byte) {
    uint8_t at = (uint8_t)byte;
    put(dwarf, &at, 1);
}

void dwarf_number(Dwarf *dwarf, uint64_t number, unsigned size) {
    for (unsigned i = 0; i < size; i++) dwarf_byte(dwarf, number >> 8 * i & 0xff);
}

void dwarf_unsigned(Dwarf *dwarf, uint64_t number) {
    uint8_t bytes[10];
    put(dwarf, bytes, dwarf_put_unsigned(bytes, number));
}

void dwarf_signed(Dwarf *dwarf, int64_t number) {
    uint8_t bytes[10];
    put(dwarf, bytes, dwarf_put_signed(bytes, number));
}

void dwarf_string(Dwarf *dwarf, const char *text) {
    put(dwarf, text, strlen(text) + 1);
}

Out *dwarf_symbolic(Dwarf *dwarf, unsigned size) {
    dwarf->offset += size;
    if (dwarf->out) dwarf_flush(dwarf);
    return dwarf->out;
}

void dwarf_flush(Dwarf *dwarf) {
    if (!dwarf->bytes.length) return;
    assembly_text(dwarf->out, (const uint8_t *)dwarf->bytes.text, dwarf->bytes.length);
    dwarf->bytes.length = 0;
}
