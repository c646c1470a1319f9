// The answers of a machine to the front end of C and to the drivers: its part of a Target.
//
// Integers and pointers of C are those of LP64 on every machine, since the forms have addresses of
// 64 bits: short has 2 bytes, int 4, long, long long and pointers 8, each aligned to its size. All
// else that differs between machines is here.
#pragma once

#include "base/arena.h"
#include "base/out.h"
#include "form/program.h"
#include "form/registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Types

typedef enum {
    LONG_DOUBLE_IS_DOUBLE,   // 8 bytes, the format of double
    LONG_DOUBLE_IS_EXTENDED, // 16 bytes, of which 10 are an f80
} LongDouble;

typedef struct {
    LongDouble long_double;
    bool char_is_unsigned;      // plain char, unless an option says otherwise
    bool wchar_is_unsigned;     // wchar_t is unsigned int, not int
    uint32_t largest_align;     // of any type; what malloc, alloca and a bare `aligned` give
    uint32_t array_align;       // of a variable that is an array of at least as many bytes
    uint32_t largest_lock_free; // bytes of the largest object that one instruction accesses
    // The members of the structure that va_list is an array of one of: u unsigned int, p void *.
    const char *va_list_members;
} DataModel;

// ---- Macros

// Macros that are defined before a program begins, each as "NAME VALUE".
typedef struct {
    const char *const *at;
    size_t count;
} MacroList;

typedef struct {
    const MacroList *machine;     // its names, and what else is the machine's alone
    const MacroList *integers;    // sizes, limits and names of integer types
    const MacroList *floats;      // those of float and double
    const MacroList *long_double; // those of long double
} PredefinedMacros;

// For every machine whose float and double are those of IEC 60559.
extern const MacroList lp64_macros, iec_60559_macros;

// ---- Builtin functions

// A builtin function that is instructions of the machine: an asm statement. The signature is one
// of cbuiltins.def. `output` is the constraint of the result, "" if there is none; `inputs` are the
// constraints of the parameters, and `clobbers` the clobbers, separated by blanks.
typedef struct {
    const char *name, *signature, *text, *output, *inputs, *clobbers;
} TargetBuiltin;

// ---- asm statements

// A set of machine registers and of other places that the operands of asm statements can have.
typedef MachineRegSet AsmRegisters;
enum { ASM_NO_REGISTER = (StoredReg)~0 };

// What a letter of a constraint, or a few letters that belong together, allows; '?' stands for any
// letter. Of several rows the first counts.
typedef struct {
    const char *letters;
    AsmRegisters registers;
} AsmClass;

// The constants that a letter of a constraint takes: numbers from `least` to `most`, and perhaps
// symbols. A letter may have several rows.
typedef struct {
    char letter;
    bool symbols;
    int64_t least, most;
} AsmRange;

// An operand that is put into the text of an asm statement.
typedef struct {
    enum { ASM_TEXT_REGISTER, ASM_TEXT_MEMORY, ASM_TEXT_CONSTANT } kind;
    uint64_t size;      // of the operand, in bytes
    StoredReg reg;      // REGISTER: it; MEMORY: that of the address
    uint32_t offset;    // MEMORY: beyond the address
    const char *symbol; // CONSTANT: or NULL, plus
    int64_t value;
} AsmText;

typedef struct {
    AsmRegisters general;       // any operand of a suitable size can have these
    AsmRegisters readable;      // the same for an operand that the code does not write
    AsmRegisters integer;       // all that hold integers, those of stack and frame included
    AsmRegisters floating;      // hold floats, and have them loaded and stored as such
    AsmRegisters stacked;       // places on a stack: a clobber says that the code pops them
    AsmRegisters variables;     // can be variables for a whole file
    const char *variable_names; // the same for messages
    StoredReg stack_register;   // the stack pointer
    const StoredReg *order;     // in which registers are given to operands
    uint32_t order_count;
    const AsmClass *classes; // up to a row without letters
    const AsmRange *ranges;  // up to a row without a letter
    const char *modifiers;   // letters that may stand before the number of an operand
    const char *jump;        // the instruction that jumps to a label
    // The register or other place that a name means, of whatever width; ASM_NO_REGISTER if none.
    uint32_t (*named)(Arena *scratch, const char *name);
    // Adds what a clobber destroys to the set; false if the name is not known. ("memory" and "cc"
    // are known.)
    bool (*clobber)(Arena *scratch, const char *name, AsmRegisters *set);
    // The places that can hold an operand of so many bytes.
    AsmRegisters (*holding)(uint64_t size, bool floating);
    // Writes an operand, as a modifier asks, or 0. NULL if it could, else why it cannot.
    const char *(*put)(Arena *scratch, Out *out, const AsmText *operand, char modifier);
    // Writes an instruction, without what begins and ends a line, that sets a register to a number;
    // that sets the byte of a register to a condition of the flags, as =@cc names it.
    void (*put_number)(Arena *scratch, Out *out, StoredReg reg, uint32_t number);
    void (*put_condition)(Arena *scratch, Out *out, StoredReg reg, const char *condition);
    // Writes the template of an asm statement that copies a register to operand 0.
    void (*put_copy)(Out *out, StoredReg reg);
} TargetAsm;

// ---- Options

struct CodeSettings; // assembly/code_settings.h

// An option of the machine, as it is given.
typedef struct {
    struct CodeSettings *settings;
    const char *value;  // behind =, or NULL
    bool off;           // the name has no- in front
    int which;          // as the row has it
    const char *reason; // why it is refused, if that is not its value
} MachineOptionUse;

typedef enum {
    MACHINE_SWITCH, // -mNAME, -mno-NAME
    MACHINE_PLAIN,  // -mNAME
    MACHINE_VALUE,  // -mNAME=VALUE
} MachineOptionForm;

// An option that the machine has.
typedef struct {
    const char *name;
    MachineOptionForm form;
    bool (*read)(MachineOptionUse *use); // false if it is refused
    int which;
} MachineOption;

// An option, up to its value, and a reason. A * at the end stands for any rest.
typedef struct {
    const char *option, *text;
} OptionNote;

// An option that has one of these values only, separated by blanks, and why it is passed over.
typedef struct {
    const char *option, *reason, *values;
} OptionValues;

// Options -m of other compilers. Each table ends with a row that is NULL.
typedef struct {
    const OptionNote *harmless;    // passed over
    const OptionNote *refused;     // unless they are harmless
    const OptionValues *valued;    // passed over
    const char *const *ignored;    // names behind -m: passed over, with or without no-, ...
    const char *reason_of_ignored; // ... since this holds
} KnownMachineOptions;

// An option that tells for which size of words assembler text is, and what `as` calls it.
typedef struct {
    const char *option, *assembler;
} WordSize;

// The function that each function calls when it is entered, if options ask for that.
typedef struct {
    const char *name;    // NULL: none
    bool framed;         // finds the caller by the frame pointer
    const char *mistake; // why there can be no such calls, else NULL
} EntryCall;

typedef struct {
    const MachineOption *options; // up to one without a name
    KnownMachineOptions known;
    const char *own_word_size;  // the option that asks for the machine's own size of words
    const WordSize *word_sizes; // other sizes, up to a row without an option
    // Gives what options have left open its usual value. What is wrong with several options
    // together, or NULL; `position_independent` is the code.
    const char *(*settle)(struct CodeSettings *settings, bool position_independent);
    EntryCall (*entry_call)(const struct CodeSettings *settings, bool position_independent);
    // Definitions (#define and #undef without the #) of macros that options change, one by one;
    // NULL after the last.
    const char *(*macro)(const struct CodeSettings *settings, uint32_t i);
    const char *float_unit;    // what messages call the unit that computes with float and double,
    const char *extended_unit; // and that for a long double of its own format
} TargetOptions;

// ---- Frames

typedef struct {
    StoredReg reg;        // by which a frame is found: the frame pointer
    const char *reg_name; // for messages
    // The registers by which the frame of a function in RTL will be found.
    MachineRegSet (*registers)(const Func *func);
    // Assembler text of a function that returns, as an i64, the address to which its caller will
    // return. The caller has a frame pointer, the function has none.
    const char *find_caller;
    // What messages call a function that handles interrupts.
    const char *(*handler_name)(const Func *func);
} TargetFrames;

// ---- The record

struct CType;

typedef struct TargetLanguage {
    DataModel model;
    PredefinedMacros macros;
    const TargetBuiltin *builtins;
    uint32_t builtin_count;
    const TargetAsm *assembly; // NULL: there are no asm statements
    const TargetOptions *options;
    const TargetFrames *frames;
    // Attributes of gcc for the machine that ask for what holds in any case; NULL after the last.
    const char *const *attributes;
    // How an aggregate, a complex number or an integer of 128 bits is passed by value, or returned:
    // the types (Type) of the registers that carry its bytes, in order. Their number; 0 if it is in
    // memory. They are as TargetModel.parts_rows allows.
    uint32_t (*aggregate_parts)(const struct CType *type, bool result, uint8_t part[PARTS_LIMIT]);
} TargetLanguage;

// The register that the source means by a name; ASM_NO_REGISTER if there is none.
static inline uint32_t asm_register_named(const TargetLanguage *language, Arena *scratch,
                                          const char *name) {
    return language->assembly ? language->assembly->named(scratch, name) : ASM_NO_REGISTER;
}
