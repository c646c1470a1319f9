// Facts about the program as a whole that the files that write assembly share.
#pragma once

#include "assembly/assembly.h"
#include "base/bits.h"

// A constant that the code reads from memory.
typedef struct {
    uint64_t low, high;
    uint32_t size; // 4, 8 or 16
} PoolConstant;

// A function that was written, for the debugger.
typedef struct {
    Sym symbol;
    uint32_t loc;               // of its first instruction that has one
    uint32_t start, end;        // labels before its first and after its last instruction
    struct DebugLayout *layout; // NULL if nothing is known of it
} WrittenFunc;

// A function that nothing has referred to so far: its text, and the symbols that it refers to.
typedef struct {
    Out text;
    WrittenFunc written;
    VEC(Sym) refs;
} HeldFunc;

struct Assembly {
    Out *out;
    const Program *program;
    const AssemblyOptions *options;
    Arena *arena;    // as long as the assembly
    Arena *scratch;  // as long as a function
    uint32_t labels; // the next free one
    VEC(PoolConstant) constants;
    Table constant_table;
    Out tables;                             // jump tables of the function being written
    const char *section;                    // the one that is being written to, in the arena
    uint32_t setjmp_symbol, longjmp_symbol; // GCC's builtins of that name; NO_ID if not mentioned
    VEC(WrittenFunc) functions;
    struct DebugNotes *notes;     // for debug_info.c; NULL if the source is not described
    const struct DebugCode *code; // of the function that comes next, or NULL
    bool between_stmts;           // the last line told is one where no statement starts
    struct DebugLayout *layout;   // of the function being written, or NULL
    uint32_t start;               // label at its start, for debuggers
    Bits addressed;               // functions whose address somebody takes, if addressed_known
    bool addressed_known;
    uint64_t shared; // a bit for each piece of code that TargetCode.write_shared is to write
    AssemblyOrigins
        *origins;         // told where the text of the function being written comes from, or NULL
    uint32_t patch_label; // where the room for patches of the function being written begins
    Bits needed_symbols;  // symbols that are to be defined here if they can be
    VEC(Sym) to_visit;    // needed symbols whose own references are still to be looked at
    HeldFunc *held;       // per symbol
};

static inline uint32_t assembly_label(Assembly *assembly) {
    return assembly->labels++;
}
// The number of a constant in the pool; its label is .LC with that number.
uint32_t assembly_constant(Assembly *assembly, uint32_t size, uint64_t low, uint64_t high);
// Goes on in a section, named as after the directive .section, with its flags.
void assembly_section(Assembly *assembly, const char *section);
// Whether a symbol is no more than a label: a static one whose name is the compiler's own.
bool assembly_is_local(const Program *program, Sym symbol);
void assembly_symbol(Out *out, const Program *program, Sym symbol);
// Directives for linkage and visibility of a symbol that is defined or referred to.
void assembly_linkage(Assembly *assembly, Sym symbol);

// The place where the room for patches begins, and later the entry of the table that names it.
void assembly_patch_label(Assembly *assembly);

// needed_symbols.c: finds the symbols that are needed from the start; tells whether a symbol is
// needed; takes the references of a written function, or holds back the text of a function that is
// not needed yet.
void assembly_find_needed_symbols(Assembly *assembly);
bool assembly_needs_symbol(const Assembly *assembly, Sym symbol);
void assembly_need_symbols_of(Assembly *assembly, const Func *func);
void assembly_hold(Assembly *assembly, const Func *func, Out text, WrittenFunc written);
// Writes the text of a function that was held back, if there is one.
void assembly_write_held(Assembly *assembly, Sym symbol);
void assembly_drop_held(Assembly *assembly);
// One text of the file scope, as it is (assembly.c).
void assembly_file_asm(Assembly *assembly, uint32_t number);
// Whether everything waits until the end, to be written in the order of the source.
static inline bool assembly_is_ordered(const Assembly *assembly) {
    return assembly->options->order && assembly->options->order->wanted;
}

void assembly_data(Assembly *assembly); // data.c
// Bytes as a string. (data.c)
void assembly_text(Out *out, const uint8_t *bytes, uint64_t size);
void assembly_debug_info(Assembly *assembly); // debug_info.c
