// Functions that the parts of the printer of the text forms share; only the printers include this
// header.
#pragma once

#include "form/mach.h"
#include "text/text.h"

void print_slot(Out *out, const Func *func, uint32_t slot);
void print_ptype(Out *out, const Program *program, PType type);
// "(i64 %p, ..., i32)"; with a function, its parameters' registers follow the types.
void print_params(Out *out, const Program *program, const SigInfo *sig, const Func *func);
// The parameters of a call, with the rest of its signature, and a space.
void print_call_params(Out *out, const Program *program, const SigInfo *sig);
// " + 8", " - 8"
void print_displacement(Out *out, int64_t value);
void print_integer(Out *out, Type type, int64_t value);
// The bits of a floating-point constant; `high` only of an f80.
void print_float(Out *out, Type type, int64_t bits, uint16_t high);
// " seq_cst volatile", from the aux field of an atomic access or fence.
void print_order(Out *out, uint32_t aux);
// " !1:12:5"; nothing if it is unknown.
void print_location(Out *out, const Program *program, uint32_t id);

// An instruction of a graph without its result and successors (rtl_print.c); and with its result,
// as mach0 writes it.
void operation_print(Out *out, const Func *func, const Instr *instr);
void mach0_instr_print(Out *out, const Func *func, const Instr *instr);

// The program's asm statements, one line each (print_asm.c).
void asm_statements_print(Out *out, const Program *program);
// The program's reserved registers, in one line if there are any.
void reserved_print(Out *out, const Program *program);
// The machine register of a builtin, after its operands.
void machine_reg_operand_print(Out *out, const Program *program, int64_t reg, bool first);

// A function of a form that is a graph, with all its registers or only those that are used
// (graph_print.c).
void print_graph(Out *out, const Func *func, const PrintOptions *options, bool all);
// The lines of the registers whose types nothing else tells: of all, or only of those that are
// used.
void print_regs(const FuncPrinter *p, bool all);
// The label of a node; "?" if there is no such node.
void print_label(Out *out, const Func *func, Node node);
