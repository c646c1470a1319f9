// Compares an object file with the allocated machine code and the data of a certificate.
//
// object_open reads the file. Then each function in allocated machine code is shown to
// object_function once, and at the end object_finish compares the data of the program and makes
// sure that nothing in the object is unaccounted for.
//
// ---- Why an accepted object does what the certificate says
//
// Processors run the output of a linker, so right bytes in an object are not enough. The argument
// has five parts.
//
//   Relocations. A relocation is tied to the field that it fills: reloc.def says for each type how
//     many bytes the linker writes, which fields of which instructions it may fill, and what the
//     field refers to then. These bytes are zero. No two relocations change a byte, and no
//     relocation of another field does (elf_check_relocs, elf_first_reloc). A field that no operand
//     or datum asks for has no relocation. Where linkers have tables by symbol, or rewrite the
//     instruction, symbol and instruction are exactly as linkers expect (link.c).
//   Roles. Each operand of a text has one role: a place, memory at a symbol, the target of a direct
//     branch, an entry of a table (role.c), with a number of bytes that count. No operand has two
//     roles, depending on its bytes.
//   Facts. Facts beside the roles, such as the contents of flags or of the upper half of a
//     register, are about the present contents of a register. No fact counts for a source that a
//     line has overwritten (condition.c, match.c).
//   Names. Functions that gatecc knows by their names (thunks, mcount, __fentry__,
//     __stack_chk_fail, __morestack, __tls_get_addr, __builtin_setjmp) are external functions: a
//     function that the program defines is an ordinary function (object_is_special,
//     symbol_is_known_as).
//   Headers. Binding, kind, visibility and size of symbols agree with the program. Type, flags and
//     names of sections are rows of sections.def, or the source names the section
//     (object_sections.c); GNU's additions count in files that declare them. Tables of
//     constructors, and data that a program may walk through as an array, also in two sections of
//     one name, are in the order of the program. No section is aligned more than its contents ask
//     for, so that linkers leave no gaps in front of it. Symbols that must be kept are there and
//     marked so. Nothing else is there: no bytes, no room, no names, no notes, no empty sections
//     (object_rest.c).
//
// The comparison takes time in proportion to the sizes of both files, whatever their contents.
#pragma once

#include "elf/elf.h"
#include "form/mach.h"

// Something that the comparison takes on trust, or does not look at.
typedef struct {
    const char *what;    // "asm statement", "asm outside of functions", "section .eh_frame"
    const char *where;   // the function's or section's name
    uint64_t start, end; // offsets in that
} ObjectBelief;

// What a symbol of the program is in the object.
typedef struct {
    uint32_t symbol; // that has its name, and no other does; NO_SYMBOL if there is none
    // Where it lies, if it is a label:
    uint32_t section; // 0: not known
    uint64_t at;
} ObjectPlace;

typedef struct {
    Arena *arena;
    Elf elf;
    const Program *program;
    ObjectPlace *places; // per symbol of the program
    uint32_t place_count;
    Sym *owners;    // per symbol of the object: the program's of that name, or NO_SYM
    VEC(Sym) bound; // symbols whose place was found, and whose contents are still to be compared
    uint64_t work;  // steps that are limited by the size of the file
    uint32_t asm_section; // where the object says where asm statements are; 0: nowhere
    Table asms;           // its pairs, by where they start
    Bits asm_taken;
    // Afterwards:
    uint32_t functions; // that were compared
    Bits compared;      // they, by their symbols in the program
    uint64_t bytes;     // of their code
    uint32_t data;      // objects that were compared
    VEC(ObjectBelief) believed;
    const char *problem; // what is wrong, naming function, offset and bytes; NULL if nothing is
} ObjectFile;

// False if the file is no object; object->problem says why.
bool object_open(ObjectFile *object, Arena *arena, const void *bytes, size_t length);
// Compares the code of one function. False, with a problem, if it is not what the machine code
// says.
bool object_function(ObjectFile *object, const Func *func);
// Compares data, and sees that all of the object was looked at.
bool object_finish(ObjectFile *object, const Program *program);
