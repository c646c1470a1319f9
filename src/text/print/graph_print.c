// The printer of graphs: a line for each node, its phis, merges and etas before it.
#include "base/bits.h"
#include "graph/phi_class.h"
#include "text/print/gsa_print.h"
#include "text/print/print_parts.h"
#include "text/print/son_print.h"

void print_label(Out *out, const Func *func, Node node) {
    if (node.i < func->nodes.count)
        out_u64(out, func_label(func, node));
    else
        out_char(out, '?');
}

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
    if (instr_has(instr, INSTR_CASES)) {
        print_cases(out, func, instr);
    } else if (instr_has(instr, INSTR_CONDITION) && instr->succ_count == 2) {
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
    const char *indent;
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
    const uint32_t *phi_class = phi_classes(p->arena, func, p->preds);
    Bits known = bits_new(p->arena, func->regs.count),
         merged = bits_new(p->arena, func->regs.count);
    add_merged(p, &merged);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (bits_has(typed, i) || !bits_has(&merged, i)) bits_add(&known, phi_class[i]);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (bits_has(&merged, i) && !bits_put(&known, phi_class[i])) bits_add(typed, i);
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
    for (uint32_t i = 0; func->son && i < func->son->floating.count; i++) {
        const Instr *instr = &func->son->floating.at[i];
        for (uint32_t k = 0; k < instr->arg_count && k < INLINE_ARGS; k++)
            add_in_range(&used, instr->arg[k]);
    }
    for (uint32_t i = 0; gsa && i < gsa->merge_args.count; i++)
        add_in_range(&used, gsa->merge_args.at[i].reg);
    for (uint32_t i = 0; gsa && i < gsa->etas.count; i++)
        add_in_range(&used, gsa->etas.at[i].source);
    if (gsa) gate_text_add_registers(p->gates, &used);
    add_merged(p, &used);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (!bits_has(&used, i)) bits_add(typed, i);
}

// Registers whose types nothing else tells: all, or only those that are used.
void print_regs(const FuncPrinter *p, bool all) {
    const Func *func = p->func;
    Bits typed = bits_new(p->arena, func->regs.count);
    for (uint32_t i = 0; i < func->params.count; i++) add_in_range(&typed, func->params.at[i]);
    for (uint32_t i = 0; i < func->nodes.count; i++) add_in_range(&typed, func->nodes.at[i].dest);
    for (uint32_t i = 0; func->son && i < func->son->floating.count; i++)
        add_in_range(&typed, func->son->floating.at[i].dest);
    if ((p->preds && func->phis.count) || p->gates) add_merged_types(p, &typed);
    if (!all) add_unused(p, &typed);
    for (uint32_t i = 0; i < func->regs.count; i++) {
        if (bits_has(&typed, i)) continue;
        out_text(p->out, "  reg ");
        out_text(p->out, type_name(func->regs.at[i].type));
        out_char(p->out, ' ');
        reg_print(p->out, func, (Reg){i});
        out_char(p->out, '\n');
    }
}

static void start_line(const FuncPrinter *p, Node node) {
    out_text(p->out, p->indent);
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

static void print_memory_phis(const FuncPrinter *p, Node join) {
    for (uint32_t i = 0; i < son_memory_phi_count(p->func, join); i++) {
        start_line(p, join);
        memory_phi_print(p->out, p->func, p->preds, join, &son_memory_phis(p->func, join)[i]);
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

// Whether successors are in range and the index of the phis and all ranges of their arguments are
// sound, so that preds_of, func_phis and phi_args may be used.
static bool succs_in_range(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (succs[k].i >= func->nodes.count) return false;
    }
    return true;
}

static bool phis_readable(const Func *func, const Preds *preds) {
    if (func->phi_at.count == 0) return func->phis.count == 0;
    if (func->phi_at.count != func->nodes.count + 1 || func->phi_at.at[0] != 0 ||
        func->phi_at.at[func->nodes.count] != func->phis.count)
        return false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t end = func->phi_at.at[n + 1], count = preds_count(preds, (Node){n});
        if (func->phi_at.at[n] > end || end > func->phis.count) return false;
        for (uint32_t i = func->phi_at.at[n]; i < end; i++)
            if ((uint64_t)func->phis.at[i].args_at + count > func->phi_args.count) return false;
    }
    return true;
}

// Finds out what can be read of phis and gates, and what that needs.
FuncPrinter *func_printer_new(Arena *arena, Out *out, const Func *func) {
    FuncPrinter *p = ARENA_NEW(arena, FuncPrinter);
    *p = (FuncPrinter){
        .out = out, .arena = arena, .func = func, .indent = func->son ? "    " : "  "};
    if ((func->phis.count || func->son) && succs_in_range(func)) {
        Preds *preds = ARENA_NEW(arena, Preds);
        *preds = preds_of(arena, func);
        p->preds = phis_readable(func, preds) ? preds : NULL;
    }
    if (func->gsa && gsa_readable(func)) p->gates = gate_text_new(arena, func, NULL, 0);
    if (func->son && p->preds && !son_readable(func, p->preds)) p->preds = NULL;
    p->unreadable = ((func->phis.count || func->son) && !p->preds) || (func->gsa && !p->gates);
    return p;
}

bool func_printer_is_readable(const FuncPrinter *p) {
    return !p->unreadable;
}

void func_print_predicates(FuncPrinter *p) {
    if (p->gates) gate_text_lines(p->out, p->gates, "  ", "\n");
}

void func_print_merges(FuncPrinter *p, Node node) {
    if (p->preds) print_phis(p, node);
    if (p->gates) print_etas(p, node);
    if (p->gates) print_merges(p, node);
    if (p->preds && p->func->son) print_memory_phis(p, node);
}

void func_print_node(FuncPrinter *p, Node node, const PrintOptions *options) {
    const Instr *instr = func_at(p->func, node);
    func_print_merges(p, node);
    start_line(p, node);
    if (p->func->son) version_made_print(p->out, p->func, node);
    instr_print(p->out, p->func, instr);
    if (p->func->son) version_read_print(p->out, p->func, node);
    print_succs(p->out, p->func, node);
    if (options->locations) print_location(p->out, p->func->program, instr->loc);
    out_char(p->out, '\n');
}

void func_print_loops_and_ends(FuncPrinter *p) {
    if (p->gates) print_loops_and_ends(p);
}

void print_graph(Out *out, const Func *func, const PrintOptions *options, bool all) {
    Arena *arena = arena_new("print");
    FuncPrinter *p = func_printer_new(arena, out, func);
    func_header_print(out, func);
    out_text(out, " {\n");
    func_print_slots(out, func, 0);
    print_regs(p, all);
    func_print_predicates(p);
    if (p->unreadable) out_text(out, "  ?\n");
    for (uint32_t i = 0; i < func->nodes.count; i++) func_print_node(p, (Node){i}, options);
    func_print_loops_and_ends(p);
    out_text(out, "}\n");
    arena_free(arena);
}
