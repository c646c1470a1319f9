// The printer of the text forms: one canonical text for each program, which the parser reads back.
//
// A name that is not an identifier is quoted. Whatever may be left out because the parser finds it
// itself (a successor that is the next line, the signature of a call, the type of a register that
// is defined) is left out. An id that is out of range is printed as a question mark, so that even a
// broken function can be looked at.
#include "base/bits.h"
#include "fact/phi_class.h"
#include "form/gsa/gsa_print.h"
#include "form/lex.h"
#include "form/print_parts.h"
#include "form/value.h"

#include <math.h>

// ---- Names

static void print_symbol_name(Out *out, const Program *program, Str name) {
    const char *text = program_text(program, name);
    uint32_t length = str_length(&program->strings, name), at = 0;
    if (char_starts_symbol(text[0]))
        while (at < length && char_in_symbol(text[at])) at++;
    if (at == length && length)
        out_bytes(out, text, length);
    else
        out_quoted(out, text, length);
}

void symbol_print(Out *out, const Program *program, Sym symbol) {
    out_char(out, '@');
    if (symbol.i < program->symbols.count)
        print_symbol_name(out, program, program_at(program, symbol)->name);
    else
        out_char(out, '?');
}

void print_slot(Out *out, const Func *func, uint32_t slot) {
    out_char(out, '$');
    if (slot >= func->slots.count)
        out_char(out, '?');
    else if (func->slots.at[slot].name.i)
        print_symbol_name(out, func->program, func->slots.at[slot].name);
    else
        out_u64(out, slot);
}

static void print_label(Out *out, const Func *func, Node node) {
    if (node.i < func->nodes.count)
        out_u64(out, func_label(func, node));
    else
        out_char(out, '?');
}

// ---- Types

void print_ptype(Out *out, const Program *program, PType type) {
    if (type.i >= program->ptypes.count) {
        out_char(out, '?');
        return;
    }
    const ParamType *info = program_ptype_info(program, type);
    if (!ptype_is_aggregate(info)) {
        out_text(out, type_name(info->type));
        return;
    }
    out_text(out, "agg(");
    out_u64(out, info->size);
    out_text(out, " align ");
    out_u64(out, info->align);
    for (uint32_t i = 0; i < info->parts; i++) {
        out_text(out, i ? ", " : ": ");
        out_text(out, type_name(info->part[i]));
    }
    out_char(out, ')');
}

void print_params(Out *out, const Program *program, const SigInfo *sig, const Func *func) {
    out_char(out, '(');
    for (uint32_t i = 0; i < sig->param_count; i++) {
        if (i) out_text(out, ", ");
        if (sig->variadic && i == sig->fixed_count) out_text(out, "..., ");
        print_ptype(out, program, sig->params[i]);
        if (!func || i >= func->params.count) continue;
        out_char(out, ' ');
        reg_print(out, func, func->params.at[i]);
    }
    if (sig->variadic && sig->fixed_count >= sig->param_count)
        out_text(out, sig->param_count ? ", ..." : "...");
    out_char(out, ')');
}

void print_call_params(Out *out, const Program *program, const SigInfo *sig) {
    print_params(out, program, sig, NULL);
    out_text(out, sig->returns_twice ? " returns_twice " : " ");
}

// ---- Numbers

void print_displacement(Out *out, int64_t value) {
    out_text(out, value < 0 ? " - " : " + ");
    out_u64(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void print_integer(Out *out, Type type, int64_t value) {
    out_i64(out, type == TYPE_I32 ? (int32_t)value : value);
}

void print_float(Out *out, Type type, int64_t bits, uint16_t high) {
    Value value = {.bits = (uint64_t)bits & type_mask(type)};
    if (type == TYPE_F80) {
        out_printf(out, "0x%04x:0x%016llx", (unsigned)high, (unsigned long long)value.bits);
        return;
    }
    double number = type == TYPE_F32 ? (double)as_f32(value) : as_f64(value);
    if (isnan(number))
        out_printf(out, "nan:0x%llx", (unsigned long long)value.bits);
    else
        out_printf(out, "%a", number); // infinities are "inf" and "-inf"
}

// ---- Instructions

static void print_args(Out *out, const Func *func, const Instr *instr, uint32_t from, uint32_t to) {
    const Reg *args = instr_args(func, instr);
    for (uint32_t i = from; i < to; i++) {
        if (i > from) out_text(out, ", ");
        reg_print(out, func, args[i]);
    }
}

static void print_operator(Out *out, const Func *func, const Instr *instr) {
    const OpInfo *info = op_info(instr->op);
    out_text(out, info->name);
    out_char(out, ' ');
    if (info->arity > 0) {
        print_args(out, func, instr, 0, instr->arg_count);
        if (!instr->immediate) return;
        if (instr->arg_count) out_text(out, ", ");
        print_integer(out, info->operand[info->arity - 1], instr->imm);
    } else if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) {
        if (instr->op == OP_ADDR_SYMBOL)
            symbol_print(out, func->program, (Sym){instr->ref});
        else
            print_slot(out, func, instr->ref);
        if (instr->imm) print_displacement(out, instr->imm);
    } else if (type_is_int(info->result)) {
        print_integer(out, info->result, instr->imm);
    } else {
        print_float(out, info->result, instr->imm, instr->high);
    }
}

// How many of an instruction's arguments belong to its address.
static uint32_t address_args(const Instr *instr) {
    uint32_t count = instr->base == BASE_REG;
    if (instr->scale) count++;
    return count < instr->arg_count ? count : instr->arg_count;
}

static void print_address(Out *out, const Func *func, const Instr *instr) {
    const Reg *args = instr_args(func, instr);
    out_char(out, '[');
    switch ((BaseKind)instr->base) {
    case BASE_NONE: break;
    case BASE_REG: print_args(out, func, instr, 0, instr->arg_count > 0); break;
    case BASE_SYMBOL: symbol_print(out, func->program, (Sym){instr->ref}); break;
    case BASE_SLOT: print_slot(out, func, instr->ref); break;
    }
    if (instr->scale && address_args(instr)) {
        if (instr->base != BASE_NONE) out_text(out, " + ");
        reg_print(out, func, args[address_args(instr) - 1]);
        out_char(out, '*');
        out_u64(out, instr->scale);
    }
    if (instr->base == BASE_NONE && !instr->scale)
        out_i64(out, instr->imm);
    else if (instr->imm)
        print_displacement(out, instr->imm);
    out_char(out, ']');
}

// A load, a store, or a builtin with an address.
static void print_access(Out *out, const Func *func, const Instr *instr, const char *name) {
    out_text(out, name);
    out_char(out, '.');
    out_text(out, chunk_name(instr->chunk));
    out_char(out, ' ');
    print_address(out, func, instr);
    uint32_t from = address_args(instr);
    if (from < instr->arg_count) out_text(out, ", ");
    print_args(out, func, instr, from, instr->arg_count);
}

// Whether a direct call of a symbol without signature would be read with this one.
static bool signature_is_implied(const Func *func, const Instr *instr, const SigInfo *sig) {
    const Program *program = func->program;
    if (instr->ref >= program->symbols.count) return false;
    const Symbol *symbol = program_at(program, (Sym){instr->ref});
    if (symbol->kind != SYM_FUNC || symbol->sig.i >= program->sigs.count) return false;
    const SigInfo *declared = program_sig_info(program, symbol->sig);
    if (!declared->variadic) return symbol->sig.i == instr->aux;
    if (!sig->variadic || sig->returns_twice || sig->result.i != declared->result.i ||
        sig->fixed_count != declared->fixed_count || sig->param_count > instr->arg_count)
        return false;
    for (uint32_t i = 0; i < sig->fixed_count; i++)
        if (sig->params[i].i != declared->params[i].i) return false;
    const Reg *args = instr_args(func, instr);
    for (uint32_t i = sig->fixed_count; i < sig->param_count; i++)
        if (args[i].i >= func->regs.count || sig->params[i].i != (uint32_t)reg_type(func, args[i]))
            return false;
    return true;
}

static void print_call(Out *out, const Func *func, const Instr *instr) {
    const Program *program = func->program;
    uint32_t first = instr->ref == NO_ID && instr->arg_count, last = instr->arg_count;
    bool into = false;
    out_text(out, "call ");
    if (instr->aux < program->sigs.count) {
        const SigInfo *sig = program_sig_info(program, (Sig){instr->aux});
        into = ptype_is_aggregate(program_ptype_info(program, sig->result)) && last > first;
        if (!signature_is_implied(func, instr, sig)) {
            print_ptype(out, program, sig->result);
            print_call_params(out, program, sig);
        }
    }
    if (first)
        print_args(out, func, instr, 0, 1);
    else
        symbol_print(out, program, (Sym){instr->ref});
    out_char(out, '(');
    print_args(out, func, instr, first, last - into);
    out_char(out, ')');
    if (into) out_text(out, " into ");
    if (into) print_args(out, func, instr, last - 1, last);
}

void print_order(Out *out, uint32_t aux) {
    MemoryOrder order = aux_order(aux);
    out_char(out, ' ');
    out_text(out, order < ORDER_COUNT ? order_name(order) : "?");
    if (aux & ATOMIC_VOLATILE) out_text(out, " volatile");
}

static void print_builtin(Out *out, const Func *func, const Instr *instr) {
    const BuiltinInfo *info = builtin_info(instr->op);
    if (builtin_has_address(info)) {
        print_access(out, func, instr, info->name);
        if (info->form == BIF_ATOMIC) print_order(out, instr->aux);
        return;
    }
    out_text(out, info->name);
    if (info->form == BIF_PTYPE) {
        out_char(out, ' ');
        print_ptype(out, func->program, (PType){instr->ref});
    }
    if (instr->arg_count) out_char(out, ' ');
    print_args(out, func, instr, 0, instr->arg_count);
    if (info->form == BIF_SIZE || info->form == BIF_ASM) out_text(out, ", ");
    if (info->form == BIF_ALIGN) out_text(out, " align ");
    if (info->form == BIF_MACHINE)
        machine_operand_print(out, instr->imm, !instr->arg_count);
    else if (builtin_has_number(info))
        out_i64(out, instr->imm);
    if (info->form == BIF_ORDER) print_order(out, instr->aux);
}

// A word and all arguments.
static void print_plain(Out *out, const Func *func, const Instr *instr, const char *word) {
    out_text(out, word);
    if (instr->arg_count) out_char(out, ' ');
    print_args(out, func, instr, 0, instr->arg_count);
}

void instr_print(Out *out, const Func *func, const Instr *instr) {
    if (instr->dest.i != NO_ID) {
        reg_print(out, func, instr->dest);
        out_text(out, " = ");
    }
    switch ((InstrKind)instr->kind) {
    case I_NOP: out_text(out, "nop"); break;
    case I_OP: print_operator(out, func, instr); break;
    case I_LOAD: print_access(out, func, instr, "load"); break;
    case I_STORE: print_access(out, func, instr, "store"); break;
    case I_CALL: print_call(out, func, instr); break;
    case I_COND:
        out_text(out, "if ");
        print_operator(out, func, instr);
        break;
    case I_SWITCH: print_plain(out, func, instr, "switch"); break;
    case I_RETURN: print_plain(out, func, instr, "return"); break;
    case I_CHECK: print_plain(out, func, instr, "check"); break;
    case I_BUILTIN: print_builtin(out, func, instr); break;
    case INSTR_KIND_COUNT: break;
    }
}

// ---- Lines of a function

static void print_cases(Out *out, const Func *func, const Instr *instr) {
    const Node *succs = instr_succs(func, instr);
    out_text(out, " { ");
    for (uint32_t i = 1; i < instr->succ_count; i++) {
        out_i64(out, instr_cases(func, instr)[i - 1]);
        out_text(out, ": ");
        print_label(out, func, succs[i]);
        out_text(out, ", ");
    }
    out_text(out, "default: ");
    print_label(out, func, instr->succ_count ? succs[0] : NO_NODE);
    out_text(out, " }");
}

static void print_succs(Out *out, const Func *func, Node node) {
    const Instr *instr = func_at(func, node);
    const Node *succs = instr_succs(func, instr);
    if (instr->kind == I_SWITCH) {
        print_cases(out, func, instr);
    } else if (instr->kind == I_COND && instr->succ_count == 2) {
        out_text(out, " then ");
        print_label(out, func, succs[0]);
        out_text(out, " else ");
        print_label(out, func, succs[1]);
    } else if (instr->succ_count != 1 || succs[0].i != node.i + 1) {
        for (uint32_t i = 0; i < instr->succ_count; i++) {
            out_text(out, i ? ", " : " -> ");
            print_label(out, func, succs[i]);
        }
    }
}

void print_location(Out *out, const Program *program, uint32_t id) {
    if (id >= program->locs.count || !program->locs.at[id].file) return;
    const Loc *loc = &program->locs.at[id];
    out_text(out, " !");
    out_u64(out, loc->file);
    out_char(out, ':');
    out_u64(out, loc->line);
    out_char(out, ':');
    out_u64(out, loc->column);
}

void func_print_slots(Out *out, const Func *func, uint32_t from) {
    for (uint32_t i = from; i < func->slots.count; i++) {
        out_text(out, "  slot ");
        print_slot(out, func, i);
        out_text(out, " size ");
        out_u64(out, func->slots.at[i].size);
        out_text(out, " align ");
        out_u64(out, func->slots.at[i].align);
        out_char(out, '\n');
    }
}

static void add_in_range(Bits *set, Reg reg) {
    if (reg.i < set->size) bits_add(set, reg.i);
}

// What the parts of the printer of a function share.
struct FuncPrinter {
    Out *out;
    Arena *arena;
    const Func *func;
    const Preds *preds; // NULL if there are no phis, or they cannot be read
    GateText *gates;    // NULL if there are no gates, or they cannot be read
    bool unreadable;
};

// The destinations of phis, merges and etas.
static void add_merged(const FuncPrinter *p, Bits *merged) {
    const Func *func = p->func;
    const Gsa *gsa = p->gates ? func->gsa : NULL;
    for (uint32_t i = 0; i < func->phis.count; i++) add_in_range(merged, func->phis.at[i].dest);
    for (uint32_t i = 0; gsa && i < gsa->merges.count; i++)
        add_in_range(merged, gsa->merges.at[i].dest);
    for (uint32_t i = 0; gsa && i < gsa->etas.count; i++)
        add_in_range(merged, gsa->etas.at[i].dest);
}

// Registers that only phis define, and those that nothing defines but the phis' arguments mention,
// get their types from their class. If no member of it is typed, the declaration of one is enough,
// but those without a definition are declared all the same.
static void add_merged_types(const FuncPrinter *p, Bits *typed) {
    const Func *func = p->func;
    const uint32_t *class = phi_classes(p->arena, func, p->preds);
    Bits known = bits_new(p->arena, func->regs.count),
         merged = bits_new(p->arena, func->regs.count);
    add_merged(p, &merged);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (bits_has(typed, i) || !bits_has(&merged, i)) bits_add(&known, class[i]);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (bits_has(&merged, i) && !bits_put(&known, class[i])) bits_add(typed, i);
}

// In SSA a register may have lost its definition and all uses; then it is not part of the text.
static void add_unused(const FuncPrinter *p, Bits *typed) {
    const Func *func = p->func;
    const Gsa *gsa = p->gates ? func->gsa : NULL;
    Bits used = bits_new(p->arena, func->regs.count);
    for (uint32_t i = 0; i < func->nodes.count; i++) {
        const Instr *instr = &func->nodes.at[i];
        const Reg *args = instr_args(func, instr);
        for (uint32_t k = 0; k < instr->arg_count; k++) add_in_range(&used, args[k]);
    }
    for (uint32_t i = 0; i < func->phi_args.count; i++) add_in_range(&used, func->phi_args.at[i]);
    for (uint32_t i = 0; gsa && i < gsa->merge_args.count; i++)
        add_in_range(&used, gsa->merge_args.at[i].reg);
    for (uint32_t i = 0; gsa && i < gsa->etas.count; i++)
        add_in_range(&used, gsa->etas.at[i].source);
    if (gsa) gate_text_add_registers(p->gates, &used);
    add_merged(p, &used);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (!bits_has(&used, i)) bits_add(typed, i);
}

// Registers whose types nothing else tells.
static void print_regs(const FuncPrinter *p) {
    const Func *func = p->func;
    Bits typed = bits_new(p->arena, func->regs.count);
    for (uint32_t i = 0; i < func->params.count; i++) add_in_range(&typed, func->params.at[i]);
    for (uint32_t i = 0; i < func->nodes.count; i++) add_in_range(&typed, func->nodes.at[i].dest);
    if (p->preds || p->gates) add_merged_types(p, &typed);
    if (func->form != FORM_RTL) add_unused(p, &typed);
    for (uint32_t i = 0; i < func->regs.count; i++) {
        if (bits_has(&typed, i)) continue;
        out_text(p->out, "  reg ");
        out_text(p->out, type_name(func->regs.at[i].type));
        out_char(p->out, ' ');
        reg_print(p->out, func, (Reg){i});
        out_char(p->out, '\n');
    }
}

// ---- Items

static bool has_attribute(const Symbol *symbol, const Attribute *attribute) {
    switch (attribute->kind) {
    case ATTR_LINKAGE: return symbol->linkage == (Linkage)attribute->value;
    case ATTR_VISIBILITY: return symbol->visibility == (Visibility)attribute->value;
    case ATTR_FLAG: return symbol->flags & attribute->value;
    case ATTR_SECTION: return symbol->section.i;
    case ATTR_CONSTRUCTOR: return symbol->constructor >= 0;
    case ATTR_DESTRUCTOR: return symbol->destructor >= 0;
    }
    return false;
}

static void print_attributes(Out *out, const Program *program, const Symbol *symbol) {
    for (uint32_t i = 0; i < attribute_count; i++) {
        const Attribute *attribute = &attribute_table[i];
        if (!has_attribute(symbol, attribute)) continue;
        out_char(out, ' ');
        out_text(out, attribute->word);
        if (attribute->kind == ATTR_SECTION) {
            out_char(out, ' ');
            out_quoted(out, program_text(program, symbol->section),
                       str_length(&program->strings, symbol->section));
        }
        if (attribute->kind == ATTR_CONSTRUCTOR) out_printf(out, " %d", symbol->constructor);
        if (attribute->kind == ATTR_DESTRUCTOR) out_printf(out, " %d", symbol->destructor);
    }
}

static void print_header(Out *out, const Program *program, Sym id, Sig sig, const Func *func) {
    static const SigInfo unknown = {.result = {NO_ID}};
    bool known = sig.i < program->sigs.count;
    const SigInfo *info = known ? program_sig_info(program, sig) : &unknown;
    out_text(out, "function ");
    print_ptype(out, program, info->result);
    out_char(out, ' ');
    symbol_print(out, program, id);
    print_params(out, program, info, func);
    print_attributes(out, program, program_at(program, id));
}

void func_header_print(Out *out, const Func *func) {
    print_header(out, func->program, func->symbol, func->sig, func);
}

void phi_print(Out *out, const Func *func, const Preds *preds, Node join, const Phi *phi) {
    reg_print(out, func, phi->dest);
    out_text(out, " = phi(");
    for (uint32_t k = 0; k < preds_count(preds, join); k++) {
        if (k) out_text(out, ", ");
        print_label(out, func, preds_at(preds, join)[k]);
        out_text(out, ": ");
        reg_print(out, func, phi_args(func, phi)[k]);
    }
    out_char(out, ')');
}

static void start_line(const FuncPrinter *p, Node node) {
    out_text(p->out, "  ");
    print_label(p->out, p->func, node);
    out_text(p->out, ": ");
}

static void print_phis(const FuncPrinter *p, Node join) {
    for (uint32_t i = 0; i < func_phi_count(p->func, join); i++) {
        start_line(p, join);
        phi_print(p->out, p->func, p->preds, join, &func_phis(p->func, join)[i]);
        out_char(p->out, '\n');
    }
}

static void print_etas(const FuncPrinter *p, Node pad) {
    for (uint32_t i = 0; i < gsa_eta_count(p->func, pad); i++) {
        start_line(p, pad);
        eta_print(p->out, p->gates, &gsa_etas(p->func, pad)[i]);
        out_char(p->out, '\n');
    }
}

static void print_merges(const FuncPrinter *p, Node join) {
    for (uint32_t i = 0; i < gsa_merge_count(p->func, join); i++) {
        start_line(p, join);
        merge_print(p->out, p->gates, &gsa_merges(p->func, join)[i]);
        out_char(p->out, '\n');
    }
}

static void print_loops_and_ends(const FuncPrinter *p) {
    const Gsa *gsa = p->func->gsa;
    for (uint32_t i = 0; i < gsa->loops.count; i++) {
        out_text(p->out, "  loop ");
        print_label(p->out, p->func, gsa->loops.at[i].header);
        out_text(p->out, ": leaves ");
        gate_text_print(p->out, p->gates, gsa->loops.at[i].leaves);
        out_text(p->out, ", goes on ");
        gate_text_print(p->out, p->gates, gsa->loops.at[i].goes_on);
        out_char(p->out, '\n');
    }
    for (uint32_t i = 0; i < gsa->ends.count; i++) {
        out_text(p->out, "  end ");
        print_label(p->out, p->func, gsa->ends.at[i].node);
        out_text(p->out, ": ");
        gate_text_print(p->out, p->gates, gsa->ends.at[i].gate);
        out_char(p->out, '\n');
    }
}

// Finds out what can be read of phis and gates, and what that needs.
FuncPrinter *func_printer_new(Arena *arena, Out *out, const Func *func) {
    FuncPrinter *p = ARENA_NEW(arena, FuncPrinter);
    *p = (FuncPrinter){.out = out, .arena = arena, .func = func};
    if (func->phis.count && succs_in_range(func)) {
        Preds *preds = ARENA_NEW(arena, Preds);
        *preds = preds_of(arena, func);
        p->preds = phis_readable(func, preds) ? preds : NULL;
    }
    if (func->gsa && gsa_readable(func)) p->gates = gate_text_new(arena, func, NULL, 0);
    p->unreadable = (func->phis.count && !p->preds) || (func->gsa && !p->gates);
    return p;
}

void func_print_predicates(FuncPrinter *p) {
    if (p->gates) gate_text_lines(p->out, p->gates, "  ", "\n");
}

void func_print_merges(FuncPrinter *p, Node node) {
    if (p->preds) print_phis(p, node);
    if (p->gates) print_etas(p, node);
    if (p->gates) print_merges(p, node);
}

void func_print_node(FuncPrinter *p, Node node, const PrintOptions *options) {
    const Instr *instr = func_at(p->func, node);
    func_print_merges(p, node);
    start_line(p, node);
    instr_print(p->out, p->func, instr);
    print_succs(p->out, p->func, node);
    if (options->locations) print_location(p->out, p->func->program, instr->loc);
    out_char(p->out, '\n');
}

void func_print_loops_and_ends(FuncPrinter *p) {
    if (p->gates) print_loops_and_ends(p);
}

void func_print(Out *out, const Func *func, const PrintOptions *options) {
    if (func->mach) {
        mach_print(out, func, options);
        return;
    }
    Arena *arena = arena_new("print");
    FuncPrinter *p = func_printer_new(arena, out, func);
    func_header_print(out, func);
    out_text(out, " {\n");
    func_print_slots(out, func, 0);
    print_regs(p);
    func_print_predicates(p);
    if (p->unreadable) out_text(out, "  ?\n");
    for (uint32_t i = 0; i < func->nodes.count; i++) func_print_node(p, (Node){i}, options);
    func_print_loops_and_ends(p);
    out_text(out, "}\n");
    arena_free(arena);
}

static void print_data_item(Out *out, const Program *program, const DataItem *item) {
    switch ((DataKind)item->kind) {
    case DATA_BYTES: out_quoted(out, (const char *)item->bytes, (size_t)item->value); break;
    case DATA_ZERO: out_printf(out, "zero %lld", (long long)item->value); break;
    case DATA_I8: out_printf(out, "i8 %d", (int8_t)item->value); break;
    case DATA_I16: out_printf(out, "i16 %d", (int16_t)item->value); break;
    case DATA_I32: out_printf(out, "i32 %d", (int32_t)item->value); break;
    case DATA_I64: out_printf(out, "i64 %lld", (long long)item->value); break;
    case DATA_ADDR:
        out_text(out, "addr ");
        symbol_print(out, program, item->symbol);
        if (item->value) print_displacement(out, item->value);
        break;
    }
}

static void print_global(Out *out, const Program *program, Sym id) {
    const Symbol *symbol = program_at(program, id);
    out_text(out, "global ");
    symbol_print(out, program, id);
    out_text(out, " size ");
    out_u64(out, symbol->size);
    out_text(out, " align ");
    out_u64(out, symbol->align);
    print_attributes(out, program, symbol);
    for (uint32_t i = 0; i < symbol->data.count; i++) {
        out_text(out, i ? ", " : " = ");
        print_data_item(out, program, &symbol->data.at[i]);
    }
    out_char(out, '\n');
}

static void print_item(Out *out, const Program *program, Sym id, const PrintOptions *options) {
    const Symbol *symbol = program_at(program, id);
    if (symbol->alias.i != NO_ID) {
        out_text(out, "alias ");
        symbol_print(out, program, id);
        out_text(out, " = ");
        symbol_print(out, program, symbol->alias);
        print_attributes(out, program, symbol);
        out_char(out, '\n');
        return;
    }
    if (symbol->func && !options->headers) {
        bool first = id.i == 0 && !(options->locations && program->files.count > 1) &&
                     !program->asms.count && !program->file_asms.count && !program->reserved;
        if (!first) out_char(out, '\n');
        func_print(out, symbol->func, options);
        return;
    }
    if (!symbol->defined) out_text(out, "extern ");
    if (symbol->kind == SYM_DATA) {
        print_global(out, program, id);
        return;
    }
    print_header(out, program, id, symbol->sig, NULL);
    out_char(out, '\n');
}

// Certificates say even what would be taken for granted.
static void print_code(Out *out, const Program *program, const PrintOptions *options) {
    if (program->pic == PIC_PIE && !program->frame_pointer && !options->headers) return;
    out_printf(out, "code %s%s\n", pic_name(program->pic),
               program->frame_pointer ? " frame_pointers" : "");
}

void program_print(Out *out, const Program *program, const PrintOptions *options) {
    print_code(out, program, options);
    for (uint32_t i = 1; options->locations && i < program->files.count; i++) {
        out_printf(out, "file %u ", i);
        out_quoted(out, program_text(program, program->files.at[i]),
                   str_length(&program->strings, program->files.at[i]));
        out_char(out, '\n');
    }
    reserved_print(out, program);
    asm_statements_print(out, program);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        print_item(out, program, (Sym){i}, options);
}
