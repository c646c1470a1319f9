// The text form of programs: printing and parsing. print(parse(t)) == t for every t that was
// printed.
#pragma once

#include "ir/ir.h"

typedef struct {
    bool locations; // write the source location of each instruction
} PrintOptions;

void program_print(Out *out, const Program *program, const PrintOptions *options);
void func_print(Out *out, const Func *func, const PrintOptions *options);
// "function i32 @f(i32 %n) static", as it stands before the brace.
void func_header_print(Out *out, const Func *func);
// One instruction without its label and successors, as it stands in the text form.
void instr_print(Out *out, const Func *func, const Instr *instr);
// One phi of a sound function without its label.
void phi_print(Out *out, const Func *func, const Preds *preds, Node join, const Phi *phi);
void reg_print(Out *out, const Func *func, Reg reg);

// Parses a text, all functions of which have the form. Mistakes are reported to diag; the result is NULL if there were any. The program
// lives in the arena. What the parser accepts is a graph in which every id is in range; verify.h
// says more.
Program *program_parse(Arena *arena, Diag *diag, Form form, const char *name, const char *text,
                       size_t length);
