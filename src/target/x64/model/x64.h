// The rows of sequences.def as data, and the parts of their texts that depend on an instruction
// alone, for all readers.
#pragma once

#include "base/out.h"
#include "form/mach.h"
#include "form/program.h"

// Where operands and results of an operator may be. constraints.c turns a plan into constraints.
typedef enum {
    PLAN_CONSTANT,
    PLAN_ADDRESS,
    PLAN_ONE,                  // one operand anywhere, the result in a register
    PLAN_ONE_ANYWHERE,         // the result in a spill, too
    PLAN_ONE_EARLY,            // as ONE; the result is written before the operand is read
    PLAN_TWO_ADDRESS,          // the result is written over the first operand, in a register
    PLAN_TWO_ADDRESS_ANYWHERE, // or in a spill
    PLAN_COUNT_IN_RCX,         // the same; the second operand is a number or in rcx
    PLAN_HIGH_PRODUCT,         // rax times the second operand, the result in rdx
    PLAN_QUOTIENT,             // rax by the second operand, the result in rax
    PLAN_REMAINDER,            // the same, the result in rdx
    PLAN_COMPARED,             // two operands, 0 or 1 in a register
    PLAN_LONG_DOUBLES,         // long doubles in spills, other operands anywhere
    PLAN_CHOICE                // the first operand chooses one of the other two
} OperandPlan;

typedef enum {
    X64_NO_SHAPE, // of no operator
#define SHAPE(name, ...) X64_##name,
#include "target/x64/model/sequences.def"
    X64_SHAPE_COUNT
} X64Shape;

typedef struct {
    uint8_t plan; // OperandPlan
    MachineRegSet clobbers, killed;
} X64ShapeInfo;

typedef struct {
    X64Shape shape;
    const char *text;    // sequences.def
    const char *checked; // NULL: there is no such operator that traps
    const char *update;  // NULL: it does not work on memory
} X64Info;

extern const X64ShapeInfo x64_shapes[X64_SHAPE_COUNT];
extern const X64Info x64_table[OP_COUNT];
extern const char *const x64_kind_texts[MACH_KIND_COUNT];
extern const char *const x64_builtin_texts[BI_COUNT];

static inline X64Shape x64_shape(Op op) {
    return x64_table[op].shape;
}

// The row of an instruction; NULL if it has none, or is composed.
const char *x64_text(const MachInstr *instr);

// ---- Addresses

// Whether a symbol that is near can stand in an address together with an index or a base register.
bool x64_symbol_takes_index(const Program *program, Sym symbol);
// Whether a number can stand in an address beside its base. The sum of both must surely fit the 32
// bits of an instruction, also a few bytes further on, where a sequence accesses the rest of a
// part. A symbol may lie at the end of the range that code reaches, less 2^24 (the small code
// model); a slot or spill lies anywhere in the frame.
bool x64_displacement_fits(MachBase base, int64_t displacement);

// ---- Conditions

// What is asked of the flags, as processors number it: of jcc, setcc, cmovcc. The lowest bit
// inverts.
typedef enum {
    COND_O,
    COND_NO,
    COND_B,
    COND_AE,
    COND_E,
    COND_NE,
    COND_BE,
    COND_A,
    COND_S,
    COND_NS,
    COND_P,
    COND_NP,
    COND_L,
    COND_GE,
    COND_LE,
    COND_G,
} Cond;

// ALSO_ORDERED: and the operands were ordered. OR_UNORDERED: or they were not.
typedef enum { PARITY_ANY, PARITY_ALSO_ORDERED, PARITY_OR_UNORDERED } FlagParity;

typedef struct {
    uint8_t code;   // Cond
    uint8_t parity; // FlagParity
} FlagCondition;

const char *x64_condition_name(uint32_t code); // "ne"
// What to ask after the text of a comparison.
FlagCondition x64_condition_of(Op op);
FlagCondition x64_negated(FlagCondition condition);
// Whether flags that tell of source 0, a register, tell what an instruction compares; what to ask
// of them then. `logic`: a comparison with zero would have set them in every respect.
bool x64_flags_tell(const MachInstr *instr, bool logic, FlagCondition *condition);

// ---- Texts

// The bytes that the operator's type has.
uint32_t x64_operator_width(const MachInstr *instr);
// The bytes that a width of a text (walk.h) means.
uint32_t x64_text_width(const MachInstr *instr, char width);
// The type of what "move" moves.
Type x64_moved_type(const MachInstr *instr);
// The lowest bytes of a number, zeros above.
int64_t x64_low_bytes(int64_t number, uint32_t width);
// A number in a text, which is stepped over.
int64_t x64_text_number(const char **text);
// Steps over a word if the text starts with it.
static inline bool x64_text_word(const char **text, const char *word) {
    const char *at = *text;
    for (; *word; word++, at++)
        if (*at != *word) return false;
    *text = at;
    return true;
}
// Whether the instruction has a number, for which i, n and k stand.
bool x64_has_number(const MachInstr *instr);
// Whether a guard holds that depends on no place but whether it is a spill (walk.h); it is stepped
// over. *known: it is such a guard.
bool x64_guard(const Program *program, const MachInstr *instr, const char **text, bool *known);

// ---- Composed sequences: composed.c

// Where va_start finds the first stack argument: at an offset from a register, or at an address
// that was noted there.
typedef struct {
    MachineReg base;
    int64_t at;
    bool noted;
} VaStack;

struct Convention;
// LOAD_PART, STORE_PART; `halves`: eight bytes are loaded as two numbers.
void x64_put_part(Out *out, const MachInstr *instr, bool halves);
void x64_put_va_start(Out *out, const struct Convention *convention, const VaStack *stack);
void x64_put_va_arg(Out *out, const ParamType *type);
// Saves the register arguments of a variadic function that its signature does not name.
void x64_put_saved_arguments(Out *out, const struct Convention *convention, bool vectors);
// Lines around the text of an asm statement: BEFORE it; RESTORE what the code may have changed and
// the other lines need; AFTER that. `base` is the register by which slots are found.
typedef enum { X64_ASM_BEFORE, X64_ASM_RESTORE, X64_ASM_AFTER } X64AsmPart;
void x64_put_asm(Out *out, const AsmStatement *statement, const MachInstr *instr, MachineReg base,
                 X64AsmPart part);
// Sets the register by which slots are found, if it is neither rsp nor rbp: to an aligned place so
// far below rbp.
void x64_put_base(Out *out, MachineReg base, uint64_t below, uint32_t align);
// rsp goes down to what a register or role holds, page by page, each of which is touched. r11 is
// destroyed.
void x64_put_probe(Out *out, const char *to);
typedef struct {
    uint32_t align;    // of rsp in an aligned frame; 0: 16
    uint64_t outgoing; // bytes for the arguments of calls
    bool split;        // the block may not fit the stack
    bool probes;       // every page is touched
    bool far;          // functions of libraries are called through a table
} X64Alloca;
void x64_put_alloca(Out *out, const MachInstr *instr, const X64Alloca *how);
// `shadow`: with the processor's own stack of return addresses; `mark`: indirect branches may lead
// only to marks; `base`: the lines of x64_put_base. A jump to rax follows the lines of longjmp.
void x64_put_setjmp(Out *out, bool shadow, bool mark, const char *base);
void x64_put_longjmp(Out *out, bool shadow);
