// Compares objects of x86-64 with the allocated machine code and the data of a certificate
// (elf/object_file.h).
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

#include "elf/object_file.h"

bool x64_object_finish(ObjectFile *object, const Program *program); // object_data.c
