// The assembler text of a function, line by line, with the machine instruction that each line comes
// from: the end of what a history tells.
#pragma once

#include "assembly/assembly.h"
#include "history/history.h"

// LABEL      a place without an action
// DIRECTIVE  something for the assembler
// FRAME      an instruction that makes or undoes the frame, or a trap behind the function: it comes
//            from no instruction of machine code
// CODE       an instruction for a machine instruction, or for a part of one
typedef enum { LINE_LABEL, LINE_DIRECTIVE, LINE_FRAME, LINE_CODE } AssemblyLineKind;

typedef struct {
    uint8_t kind;      // AssemblyLineKind
    const char *text;  // as in the file, with the tab at its start
    uint32_t instr;    // CODE: index in Mach.code; else NO_ID
    uint32_t identity; // CODE: of that instruction; else NO_ID
    uint32_t loc; // CODE: the location of its machine instruction, or of the one for which it was
                  // inserted, an index into Program.locs; else 0: unknown
} AssemblyLine;

typedef struct {
    VEC(AssemblyLine) lines; // none if the function has not come to where code can be written
} AssemblyLines;

typedef struct AssemblyWriter AssemblyWriter;

// One for all functions of a program. Of the options `debug` is not heeded.
AssemblyWriter *assembly_writer_new(const Program *program, const AssemblyOptions *options);
void assembly_writer_free(AssemblyWriter *writer);

// The text of a function as the last step left it that was not rejected. All of it is in the arena.
AssemblyLines history_assembly(AssemblyWriter *writer, Arena *arena,
                               const FunctionHistory *function);
