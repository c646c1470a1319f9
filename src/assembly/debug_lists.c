// Location lists: for each stretch of code an expression that gives the place or the value of a
// variable.
#include "assembly/debug.h"

uint32_t debug_use_list(Assembly *assembly, DebugLayout *layout, uint32_t instance,
                        uint32_t variable) {
    uint32_t list = map_get(&layout->list_of, (uint64_t)instance << 32 | variable);
    if (list == HASH_NONE) return NO_ID;
    DebugList *at = &layout->lists.at[list];
    if (at->label == NO_ID) {
        at->label = assembly_label(assembly);
        vec_push(
            assembly->arena, &assembly->notes->used_lists,
            (UsedList){.layout = layout, .list = list, .label = at->label, .variable = variable});
    }
    return at->label;
}

// ---- Expressions

static void put_number(Dwarf *to, int64_t number) {
    dwarf_byte(to, DW_OP_consts);
    dwarf_signed(to, number);
}

// The address of what is in the frame.
static void put_frame_spot(const Assembly *assembly, Dwarf *to, const DebugTerm *term) {
    FrameSpot spot = {.known = true, .from = (MachineReg)term->ref, .offset = term->number};
    uint8_t bytes[16];
    unsigned length = debug_put_spot(assembly, bytes, 0, spot);
    for (unsigned i = 0; i < length; i++) dwarf_byte(to, bytes[i]);
}

static void put_symbol(const Assembly *assembly, Dwarf *to, const DebugTerm *term) {
    dwarf_byte(to, DW_OP_addr);
    Out *out = dwarf_symbolic(to, 8);
    if (!out) return;
    out_text(out, "\t.quad ");
    assembly_symbol(out, assembly->program, (Sym){term->ref});
    out_printf(out, "%+lld\n", (long long)term->number);
}

static void put_float(Dwarf *to, const DebugTerm *term) {
    unsigned size = term->type == TYPE_F32 ? 4 : term->type == TYPE_F64 ? 8 : 16;
    dwarf_byte(to, DW_OP_implicit_value);
    dwarf_unsigned(to, size);
    dwarf_number(to, (uint64_t)term->number, size < 8 ? size : 8);
    if (size == 16) dwarf_number(to, term->high, 8);
}

// Sets the bits above the lowest so many to the sign, or to zero.
static void put_extension(Dwarf *to, unsigned bits, bool sign) {
    put_number(to, 64 - (int)bits);
    dwarf_byte(to, DW_OP_shl);
    put_number(to, 64 - (int)bits);
    dwarf_byte(to, sign ? DW_OP_shra : DW_OP_shr);
}

// Debuggers compute with 64 bits, of which the low ones count that the type has; so only what looks
// at others needs care.
static void put_shift(Dwarf *to, unsigned op, bool narrow, unsigned by) {
    if (narrow && op != DW_OP_shl) put_extension(to, 32, op == DW_OP_shra);
    put_number(to, (int64_t)by);
    dwarf_byte(to, op);
}

// Of what is positive as a number of 64 bits, or signed, by a positive number. A remainder that is
// told is the signed one.
static void put_division(Dwarf *to, bool sign, bool remainder, int64_t by) {
    put_extension(to, 32, sign);
    if (remainder) dwarf_byte(to, DW_OP_dup);
    put_number(to, by);
    dwarf_byte(to, DW_OP_div);
    if (!remainder) return;
    put_number(to, by);
    dwarf_byte(to, DW_OP_mul);
    dwarf_byte(to, DW_OP_minus);
}

// Operators whose second operand is a number, which says more than what is on the stack.
static bool put_with_number(Dwarf *to, Op op, int64_t number) {
    unsigned by = (unsigned)number & 63;
    switch (op) {
    case OP_SHL_I32:
    case OP_SHL_I64: put_shift(to, DW_OP_shl, false, by); return true;
    case OP_SHR_I32: put_shift(to, DW_OP_shr, true, by); return true;
    case OP_SHR_I64: put_shift(to, DW_OP_shr, false, by); return true;
    case OP_SAR_I32: put_shift(to, DW_OP_shra, true, by); return true;
    case OP_SAR_I64: put_shift(to, DW_OP_shra, false, by); return true;
    case OP_DIVS_I32: put_division(to, true, false, number); return true;
    case OP_MODS_I32: put_division(to, true, true, number); return true;
    case OP_DIVU_I32: put_division(to, false, false, number); return true;
    case OP_MODU_I32: put_division(to, false, true, number); return true;
    default: return false;
    }
}

static void put_operator(Dwarf *to, Op op) {
    switch (op) {
    case OP_ADD_I32:
    case OP_ADD_I64: dwarf_byte(to, DW_OP_plus); break;
    case OP_SUB_I32:
    case OP_SUB_I64: dwarf_byte(to, DW_OP_minus); break;
    case OP_MUL_I32:
    case OP_MUL_I64: dwarf_byte(to, DW_OP_mul); break;
    case OP_AND_I32:
    case OP_AND_I64: dwarf_byte(to, DW_OP_and); break;
    case OP_OR_I32:
    case OP_OR_I64: dwarf_byte(to, DW_OP_or); break;
    case OP_XOR_I32:
    case OP_XOR_I64: dwarf_byte(to, DW_OP_xor); break;
    case OP_NEG_I32:
    case OP_NEG_I64: dwarf_byte(to, DW_OP_neg); break;
    case OP_NOT_I32:
    case OP_NOT_I64: dwarf_byte(to, DW_OP_not); break;
    case OP_SEXT_I64: put_extension(to, 32, true); break;
    case OP_ZEXT_I64: put_extension(to, 32, false); break;
    case OP_SEXT8_I32: put_extension(to, 8, true); break;
    case OP_ZEXT8_I32: put_extension(to, 8, false); break;
    case OP_SEXT16_I32: put_extension(to, 16, true); break;
    case OP_ZEXT16_I32: put_extension(to, 16, false); break;
    default: break; // TRUNC_I32
    }
}

static void put_entry(const Assembly *assembly, Dwarf *to, const DebugTerm *term) {
    dwarf_byte(to, assembly->options->debug < 5 ? DW_OP_GNU_entry_value : DW_OP_entry_value);
    dwarf_unsigned(to, 1);
    dwarf_byte(to,
               DW_OP_reg0 + assembly->program->target->unwind_numbers[place_index(term->place)]);
}

static void put_term(const Assembly *assembly, Dwarf *to, const DebugTerm *term) {
    switch ((DebugTermKind)term->kind) {
    case PUSH_PLACE:
        if (place_is_spill(term->place)) {
            put_frame_spot(assembly, to, term);
            dwarf_byte(to, DW_OP_deref);
        } else {
            dwarf_byte(to, DW_OP_breg0 +
                               assembly->program->target->unwind_numbers[place_index(term->place)]);
            dwarf_signed(to, 0);
        }
        break;
    case PUSH_NUMBER: put_number(to, term->number); break;
    case PUSH_SYMBOL: put_symbol(assembly, to, term); break;
    case PUSH_SLOT: put_frame_spot(assembly, to, term); break;
    case PUSH_FLOAT: put_float(to, term); break;
    case PUSH_OP: put_operator(to, (Op)term->op); break;
    case PUSH_ENTRY: put_entry(assembly, to, term); break;
    case PUSH_PIECE: break;
    }
}

// The value of a variable or of a piece of it, or, if the terms are its address, that.
static void put_value(const Assembly *assembly, Dwarf *to, const DebugTerm *terms, uint32_t count,
                      bool address) {
    bool alone = count == 1 && !address;
    if (alone && terms->kind == PUSH_PLACE) {
        if (place_is_spill(terms->place))
            put_frame_spot(assembly, to, terms);
        else
            dwarf_byte(to,
                       DW_OP_reg0 +
                           assembly->program->target->unwind_numbers[place_index(terms->place)]);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool pair = i + 1 < count && terms[i].kind == PUSH_NUMBER && terms[i + 1].kind == PUSH_OP;
        if (pair && put_with_number(to, (Op)terms[i + 1].op, terms[i].number))
            i++;
        else
            put_term(assembly, to, &terms[i]);
    }
    bool value = !address && !(alone && terms->kind == PUSH_FLOAT);
    if (value) dwarf_byte(to, DW_OP_stack_value);
}

static uint32_t piece_end(const DebugTerm *terms, uint32_t count, uint32_t from) {
    while (from < count && terms[from].kind != PUSH_PIECE) from++;
    return from;
}

static void put_expression(const Assembly *assembly, Dwarf *to, const DebugTerm *terms,
                           uint32_t count, bool address) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = piece_end(terms, count, i);
        if (end > i) put_value(assembly, to, terms + i, end - i, address);
        if (end < count) {
            dwarf_byte(to, DW_OP_piece);
            dwarf_unsigned(to, (uint64_t)terms[end].number);
        }
        i = end;
    }
}

// ---- Lists

// Addresses of what is not written here are nobody's business.
static bool can_write_value(const Assembly *assembly, const DebugTerm *terms, uint32_t count,
                            bool address) {
    for (uint32_t i = 0; i < count; i++) {
        const DebugTerm *term = &terms[i];
        bool vector =
            term->kind == PUSH_PLACE && place_is_machine(term->place) &&
            !regs_has(assembly->program->target->classes[CLASS_GENERAL], place_index(term->place));
        if ((vector || term->kind == PUSH_FLOAT) && (count > 1 || address)) return false;
        if (term->kind != PUSH_SYMBOL) continue;
        const Symbol *symbol = program_at(assembly->program, (Sym){term->ref});
        if (!symbol->defined || symbol->flags & SYMF_THREAD ||
            !assembly_needs_symbol(assembly, (Sym){term->ref}))
            return false;
    }
    return true;
}

static bool can_be_written(const Assembly *assembly, const DebugTerm *terms, uint32_t count,
                           bool address) {
    for (uint32_t i = 0, end; i < count; i = end + 1) {
        end = piece_end(terms, count, i);
        if (!can_write_value(assembly, terms + i, end - i, address)) return false;
    }
    return true;
}

// In a call site a value is what is on the stack.
bool debug_put_value(Assembly *assembly, Dwarf *to, const DebugTerm *terms, uint32_t count) {
    Dwarf measured = {0};
    if (!can_be_written(assembly, terms, count, true)) return false;
    if (!to) return true;
    put_value(assembly, &measured, terms, count, true);
    dwarf_unsigned(to, measured.offset);
    put_value(assembly, to, terms, count, true);
    return true;
}

static void put_piece(Assembly *assembly, Dwarf *to, const UsedList *used,
                      const DebugPiece *piece) {
    enum { DW_LLE_offset_pair = 4 };
    const DebugTerm *terms = used->layout->terms.at + piece->term_at;
    const DebugVariable *variable = &assembly->notes->debug->variables.at[used->variable];
    bool slot = variable->where == DEBUG_IN_SLOT && piece->term_count == 1;
    bool address = slot || variable->where == DEBUG_BY_REGISTER;
    bool short_ends = assembly->options->debug >= 5;
    const char *more = piece->one_more ? "+1" : "", *late = piece->one_late ? "+1" : "";
    Dwarf measured = {0};
    if (!can_be_written(assembly, terms, piece->term_count, address)) return;
    put_expression(assembly, &measured, terms, piece->term_count, address);
    uint32_t base = used->layout->start;
    if (short_ends) {
        dwarf_byte(to, DW_LLE_offset_pair);
        out_printf(dwarf_symbolic(to, 0), "\t.uleb128 .L%u-.L%u%s, .L%u-.L%u%s\n", piece->start,
                   base, late, piece->end, base, more);
        dwarf_unsigned(to, measured.offset);
    } else {
        out_printf(dwarf_symbolic(to, 16), "\t.quad .L%u%s, .L%u%s\n", piece->start, late,
                   piece->end, more);
        dwarf_number(to, measured.offset, 2);
    }
    put_expression(assembly, to, terms, piece->term_count, address);
}

static void put_list(Assembly *assembly, Dwarf *to, const UsedList *used) {
    enum { DW_LLE_end_of_list = 0, DW_LLE_base_address = 6 };
    const DebugList *list = &used->layout->lists.at[used->list];
    out_printf(dwarf_symbolic(to, 0), ".L%u:\n", used->label);
    if (assembly->options->debug >= 5) {
        dwarf_byte(to, DW_LLE_base_address);
        out_printf(dwarf_symbolic(to, 8), "\t.quad .L%u\n", used->layout->start);
    }
    for (uint32_t i = 0; i < list->count; i++)
        put_piece(assembly, to, used, &used->layout->pieces.at[list->first + i]);
    if (assembly->options->debug >= 5)
        dwarf_byte(to, DW_LLE_end_of_list);
    else
        for (int i = 0; i < 2; i++) dwarf_number(to, 0, 8);
}

void debug_write_lists(Assembly *assembly) {
    struct DebugNotes *notes = assembly->notes;
    bool lists = assembly->options->debug >= 5;
    if (!notes->used_lists.count) return;
    assembly_section(assembly,
                     lists ? ".debug_loclists,\"\",@progbits" : ".debug_loc,\"\",@progbits");
    if (lists)
        out_text(assembly->out, "\t.long .Llists_end-.Llists_start\n.Llists_start:\n"
                                "\t.value 5\n\t.byte 8,0\n\t.long 0\n");
    Dwarf to = {.out = assembly->out};
    for (uint32_t i = 0; i < notes->used_lists.count; i++)
        put_list(assembly, &to, &notes->used_lists.at[i]);
    dwarf_flush(&to);
    if (lists) out_text(assembly->out, ".Llists_end:\n");
    out_free(&to.bytes);
}
