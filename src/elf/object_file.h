// Compares an object file with the allocated machine code and the data of a certificate.
//
// object_open reads the file and finds its machine. Then each function in allocated machine code is
// shown to object_function once, and at the end object_finish compares the data of the program and
// makes sure that nothing in the object is unaccounted for. The comparison is the machine's: the
// head of its object.h has the argument why an accepted object does what the certificate says.
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

typedef struct ObjectFile {
    Arena *arena;
    Elf elf;
    const struct TargetObject *target; // of the machine of the object
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

// The comparison for the objects of a machine, one for each row of targets.def.
// Each function says in object->problem why it is false.
typedef struct TargetObject {
    bool (*open)(ObjectFile *object); // of which the tables are read
    bool (*function)(ObjectFile *object, const Func *func);
    bool (*finish)(ObjectFile *object, const Program *program);
} TargetObject;

// False if the file is no object; object->problem says why.
bool object_open(ObjectFile *object, Arena *arena, const void *bytes, size_t length);
// Compares the code of one function. False, with a problem, if it is not what the machine code
// says.
bool object_function(ObjectFile *object, const Func *func);
// Compares data, and sees that all of the object was looked at.
bool object_finish(ObjectFile *object, const Program *program);
