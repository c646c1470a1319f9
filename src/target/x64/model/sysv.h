// The System V calling convention of x86-64: where the pieces of arguments and results are.
#pragma once

#include "target/model.h"
#include "target/x64/model/x64_registers.h"

// A va_list, and the area that a variadic function saves its register arguments in: 6 general
// registers, then 8 vector registers of 16 bytes.
enum {
    VA_LIST_GENERAL = 0, // i32: offset in the area of the next argument in a general register
    VA_LIST_VECTOR = 4,  // i32: the same of vector registers
    VA_LIST_STACK = 8,   // i64: address of the next stack argument
    VA_LIST_SAVED = 16,  // i64: address of the area
    VA_LIST_SIZE = 24,
    VA_GENERAL_END = 48, // the offset when no argument is left
    VA_VECTOR_END = 176,
    VA_SAVE_AREA = VA_VECTOR_END
};

// The most parts of an aggregate in registers: eightbytes, or in results the halves of a complex
// long double.
enum { SYSV_PARTS = 2 };

// As TargetModel has them.
void x64_classify(Arena *arena, const Program *program, const SigInfo *info,
                  Convention *convention);
bool x64_returns_alike(const Convention *own, const Convention *called);

// How many values a call of the signature leaves on the x87 stack, whether anybody wants them or
// not.
uint32_t sysv_x87_results(const Program *program, Sig sig);
