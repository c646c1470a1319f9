// The text form of programs: printing and parsing. print(parse(t)) == t for every t that was
// printed.
#pragma once

#include "form/program.h"

typedef struct {
    bool locations; // write the source location of each instruction
    bool headers;   // of a program: write functions without their bodies
} PrintOptions;

void program_print(Out *out, const Program *program, const PrintOptions *options);
void func_print(Out *out, const Func *func, const PrintOptions *options);
// The same in pieces: the slots from some number on; the named predicates; the lines before the
// instruction of a node; the node with these lines; the gates of loops and ends. The printer lives
// in the arena.
typedef struct FuncPrinter FuncPrinter;
FuncPrinter *func_printer_new(Arena *arena, Out *out, const Func *func);
// Whether phis, gates and versions can be read.
bool func_printer_is_readable(const FuncPrinter *printer);
void func_print_slots(Out *out, const Func *func, uint32_t from);
void func_print_predicates(FuncPrinter *printer);
void func_print_merges(FuncPrinter *printer, Node node);
void func_print_node(FuncPrinter *printer, Node node, const PrintOptions *options);
void func_print_loops_and_ends(FuncPrinter *printer);
// The lines of a function of the machine form behind those of slots and registers.
void mach_print_lines(Out *out, const Func *func, const PrintOptions *options);
// "function i32 @f(i32 %n) static", as it stands before the brace.
void func_header_print(Out *out, const Func *func);
// One instruction without its label and successors, as it stands in the text form.
void instr_print(Out *out, const Func *func, const Instr *instr);
// One phi of a sound function without its label.
void phi_print(Out *out, const Func *func, const Preds *preds, Node join, const Phi *phi);
void reg_print(Out *out, const Func *func, Reg reg);
// The same for an instruction of the machine form: with its successors, without its location.
// `block` is the block that it ends; not looked at for others.
struct MachBlock;
struct MachInstr;
void mach_instr_print(Out *out, const Func *func, const struct MachBlock *block,
                      const struct MachInstr *instr);
void symbol_print(Out *out, const Program *program, Sym symbol);

// Parses a text, all functions of which have the form. Mistakes are reported to diag; the result is
// NULL if there were any. The program lives in the arena. The parser accepts only graphs in which
// every id is in range; verify.h says more.
Program *program_parse(Arena *arena, Diag *diag, Form form, const char *name, const char *text,
                       size_t length);
// The same for a target: machine code names its registers. Others parse for the usual target.
Program *program_parse_for(const struct TargetModel *target, Arena *arena, Diag *diag, Form form,
                           const char *name, const char *text, size_t length);
