// Types and functions that the files that compare an object's code with allocated machine code
// share.
//
// A CodeWalk goes along the machine code of one function and, beside it, along the bytes. For each
// machine instruction there are texts (sequences.def, and those in the C files), each a sequence of
// instructions with the meaning of the machine instruction, which mach.h and ops.def define.
// `code_is` compares such a text with the next instructions; the emitter writes a text of
// sequences.def as assembly (code/emit_row.c).
//
// ---- The texts
//
//   row   = text { "|" text }                 alternatives
//   text  = line { ";" line }
//   line  = NAME [ "." WIDTH ] [ operand { "," operand } ]
//         | "move" operand "," operand          the value of an operand goes to another place
//         | "load" operand "," operand          the same, extended as the chunk says
//         | "store a,m"                         the low bytes of a source go to the address
//         | "extend" operand                    what is there is extended as the chunk says
//         | "plus" operand                      the number of an address is added to what is there
//         | DIGIT ":"                           a label, to which lines of this machine instruction
//                                             jump; back to those from 6 on only from lines that
//                                             read no sources
//         | "?" role " " REGISTER               the role must be in that register
//         | "?i=" NUMBER, "?k=" NUMBER          the immediate must be that
//         | "?[" CHUNK "]"                      source 0 is in memory, as that chunk
//         | "?spill", "?reg"                    that is where the result is to be
//         | "?same"                             source 0 is where the result is to be
//         | "?short"                            so it is, and the upper half of that register is
//                                             zero
//         | "?zero", "?one"                     the constant is that
//         | "?near", "?datum", "?thread", "?asked"   the address is near; that of a datum at all;
//                                             of a thread's; of one that a function tells
//         | "?plain", "?tested"                 compares operands; compares their bits with zero
//         | "?zeroed"                           compares a register with zero
//         | "?narrow", "?byte"                  an operand is a narrow chunk; bits of a byte count
//         | "?relaxed"                          not sequentially consistent
//         | "!" WORD                            nothing: says when the emitter prefers the text.
//                                             other: the result is a register where no source is;
//                                             same, second: where source 0, only source 1 is;
//                                             long: unless it is where source 0 is, and short;
//                                             small: the offset; below, fixed: by options
//
// A NAME is that of insn.def, with a condition instead of CC. WIDTH is a number of bytes, or
//   w  of the operator's type        c  of the chunk        e  of the chunk's type
//   v  as w, but 8 if the result is a spill, which is written whole, and 4 if a positive number is
//      a mask: the lower half of a sum, difference or pattern of bits does not depend on the upper
//      halves
// Operands are
//   a b c e    sources; d: the result                     m [+ N]    memory at the address, N on
//   i n        the immediate; its negation, which must fit 32 bits
//   u k        the immediate, which zeros extend to 64 bits; itself modulo the width in bits
//   $N         a number                                   (R+R*N+N)  memory at registers or roles
//   rax x15    a register; fb: by which the frame is found; ri: that the instruction names
//   fs:N       memory of the thread
//   pN:X:X     a constant of N bytes in memory; pi: the instruction's number as such a constant
//   q+N v+N g o    parts of the frame: for the x87, for variable arguments, the guard, the slot
//   y+N        memory at the symbol of the instruction; y+i: N is the instruction's number; $y+N:
//              the address as a number; got, tpoff, tlsgd: the symbol's entries in tables
//   ^y         the symbol as the target of a direct branch; ^NAME, got^NAME: the same, and the
//              table's entry, of a function that gatecc knows by its name and the program does not
//              define
//   @N         block N                                    z0 h0 ...  results, arguments of a list
//   1 .. 9     a label; &1: its address                   t          where a trap ends the program
// An operand may have ":" and a number of bytes, the width of the access.
//
// ---- Why a text that matches is right
//
// A text is written as if all roles were in different places. In the code roles may share places:
// one line may write the place where a later line reads a source. So a line must not read a role in
// a place that an earlier line has written (`stale`); `d`, and named registers, mean the present
// contents. The lines write only the result's place and the registers that the constraints of the
// instruction (constraints.h) allow to destroy: the allocator's checker relies on this. Most texts
// destroy the flags; no machine instruction reads flags of another, unless the walk knows the
// instruction that set them (`flags`). Flags describe the present contents of a register: after a
// write to the register they say nothing about the source that was there. An instruction of 32 bits
// clears the upper half of a general register, and the upper half of a place that holds an i32
// means nothing. A spill is read and written whole or in its lower half.
#pragma once

#include "base/out.h"
#include "elf/elf.h"
#include "form/mach.h"
#include "target/x64/model/constraints.h"
#include "target/x64/model/x64.h"
#include "target/x64/object/insn.h"
#include "target/x64/object/object.h"

#define UNBOUND INT64_MIN

// A part of the frame, whose place is where the code first accesses it.
typedef struct {
    int64_t at; // from the base of the frame; UNBOUND if nothing has accessed it
    uint64_t size;
    uint32_t align;
    const char *what;
} Area;

typedef struct {
    MachFrame found;
    X64Regs saved;          // registers that are pushed, without the rbp of a frame that has it
    uint8_t order[16];      // in this order
    uint32_t pushed;        // how many
    uint64_t size;          // what rsp is lowered by after that
    uint64_t align;         // what it is then aligned to; 0: not
    uint64_t outgoing;      // bytes for the arguments of calls, at rsp
    bool allocates;         // alloca keeps these below its block
    Area *areas;            // slots, then spills, then
    uint32_t area_count;    //
    uint32_t spills;        // the number of the first spill
    uint32_t x87, variable; // scratch memory; saved arguments
    uint32_t guard;
    bool guarded, calls, varies;
    bool naked; // there is no frame
    MachEntry entry;
    // Split stacks: what is compared with the end of the stack lies so far below rsp; where to go
    // if that is less, and where that goes on.
    bool split;
    uint64_t seen, more, enough;
    bool pushes; // a thunk that it jumps through pushes an address
} WalkFrame;

// A jump to a block, whose place is known at the end only.
typedef struct {
    uint64_t to;
    uint32_t block;
    uint64_t at; // where the jump is
} BlockJump;

enum { LOCAL_LABELS = 10 };

// What lines of a text change.
typedef struct {
    uint64_t at;                   // where the walk is
    uint32_t jumps, bound, placed; // how many there are
    // Of the machine instruction at hand:
    X64Regs written;                                         // by the lines so far
    bool dest_written;                                       // its result, a spill, was
    uint64_t label_at[LOCAL_LABELS], label_to[LOCAL_LABELS]; // UINT64_MAX: not known
    // What the instructions so far in the block have established: which value in which register the
    // flags tell of (as a comparison with zero would; if `flags_logic`, in every respect),
    // registers whose upper halves are zero.
    uint8_t flags_reg;   // INSN_REG_NONE: nothing is known
    uint8_t flags_width; // 0: 4 and 8
    bool flags_logic;
    X64Regs short_regs;
} WalkState;

typedef struct CodeWalk {
    ObjectFile *object;
    const Program *program;
    const Func *func;
    Arena *arena; // as long as the function
    uint32_t section;
    uint64_t start, end; // of the function in its section
    Insn insn;           // the instruction at insn_at
    uint64_t insn_at;
    bool decoded;
    WalkFrame frame;
    // Blocks
    uint32_t block;         // at hand
    uint32_t next;          // the block behind it, NO_ID if none
    uint32_t *target;       // per block: where a jump to it really goes
    uint64_t *block_at;     // per block
    VEC(BlockJump) jumps;   //
    VEC(uint32_t) bound;    // areas whose place was found, in that order
    uint64_t epilogue;      // that other returns may jump to; UINT64_MAX if none
    X64Regs cleared;        // by it
    uint64_t trap_at;       // where failed checks go; UINT64_MAX if none was seen
    uint64_t guard_failure; // where checks of the guard go; UINT64_MAX if none
    WalkState now;
    const MachInstr *instr; // the machine instruction at hand
    MachConstraints constraints;
    uint32_t relocs; // of the instruction at hand that were looked at
    // The furthest place where something did not fit
    uint64_t failed_at;
    const char *reason; // or NULL: the instruction there is another
} CodeWalk;

// ---- match.c

// The instruction at hand; NULL if there is none.
const Insn *walk_insn(CodeWalk *w);
// It, if it is a direct jump within the section, and where it leads.
const Insn *walk_branch(CodeWalk *w, uint64_t *to);
void walk_insn_name(const Insn *insn, char *name, size_t size); // "add", "jne"
// Whether relocations change it besides those that were looked at.
bool walk_has_other_relocs(const CodeWalk *w, const Insn *insn);
// Goes over it; if it is of that name, and no relocation changes it.
bool walk_skip(CodeWalk *w, InsnName name);
void walk_step(CodeWalk *w);
// Goes over what pads code, up to the text of an asm statement, which may start like that.
void walk_padding(CodeWalk *w);
// Compares the instructions at hand with a text, see above. If they are not it, the walk is where
// it was.
bool code_is(CodeWalk *w, const char *text);
// The same with any of the texts of a row.
bool code_is_any(CodeWalk *w, const char *row);
bool code_is_like(CodeWalk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Goes back to where the walk was.
void match_undo(CodeWalk *w, const WalkState *before);
// Starts a machine instruction, or something else whose lines are its own.
void match_begin(CodeWalk *w, const MachInstr *instr);
// Whether its lines were complete: labels are where lines jump to, and what was written is what may
// be.
bool match_end(CodeWalk *w);
// Says why the code at hand cannot be right; false.
bool walk_fails(CodeWalk *w, const char *reason);
// Whether a line has written a place.
bool match_is_stale(const CodeWalk *w, Place place);

// ---- move.c

// Whether a value of a type goes from a role to a role ("a", "d", "r11", ...).
bool match_move(CodeWalk *w, Type type, const char *from, const char *to);
// Whether the code at hand puts a number into a role or register.
bool match_constant(CodeWalk *w, Type type, int64_t bits, const char *to);
// Whether it loads the chunk; stores source 0.
bool match_load(CodeWalk *w, const char *from, const char *to);
bool match_store(CodeWalk *w);
// Whether the number of an address operator is added to a role.
bool match_plus(CodeWalk *w, const char *to);

// ---- operators.c

// Whether the code at hand is the row of the machine instruction.
bool match_row(CodeWalk *w);
// Whether it is a text that was put together; frees the text.
bool match_text(CodeWalk *w, Out *text);
bool match_part(CodeWalk *w); // LOAD_PART, STORE_PART
bool match_operation(CodeWalk *w);
bool match_builtin(CodeWalk *w);

// ---- condition.c: comparisons and what uses them

bool match_set(CodeWalk *w);
bool match_select(CodeWalk *w);
bool match_choose(CodeWalk *w);
bool match_check(CodeWalk *w);
bool match_branch(CodeWalk *w, uint32_t yes, uint32_t no);

// ---- flow.c

// Compares the function whose code starts where the walk is.
bool walk_code(CodeWalk *w);
bool match_jump(CodeWalk *w, uint32_t block);
// Jumps and calls to where a register points, and returns. (branch.c)
bool match_jump_to(CodeWalk *w, const char *reg);
// Perhaps int3, if what is before was good: the instruction behind a jump or return is reached by
// guess only.
bool match_stop(CodeWalk *w, bool good);
bool match_call_of(CodeWalk *w, const char *reg);
bool match_return_line(CodeWalk *w);
// Whether a symbol of the object has the name of a thunk; is one that is right.
bool object_is_thunk(const ObjectFile *object, uint32_t symbol);
bool object_thunk(ObjectFile *object, uint32_t symbol);
// Calls of a function that gatecc knows by its name.
bool match_call_named(CodeWalk *w, const char *name);
bool match_asm(CodeWalk *w);
bool match_switch(CodeWalk *w); // walk_switch.c

// ---- walk_frame.c

bool frame_enter(CodeWalk *w);
// Undoes it; before that, the guard is looked at through a register.
bool frame_leave_guard(CodeWalk *w, MachineReg through);
bool frame_leave(CodeWalk *w);
bool frame_check(CodeWalk *w);
// The lines that set the base of slots.
void frame_put_base(const CodeWalk *w, Out *text);
// Behind the blocks: another stack is asked for.
bool frame_ask_for_stack(CodeWalk *w);
bool frame_probe_down_to(CodeWalk *w, const char *reg);

// ---- object.c, object_data.c, object_rest.c

// Says what is wrong with the object; false.
bool object_fails(ObjectFile *object, const char *text);
bool object_fails_at(ObjectFile *object, Sym symbol, const char *reason);
// Takes so many steps. False if they are too many for a file of that size; code of the compiler
// needs a few per byte.
enum { STEPS_PER_BYTE = 64 };
bool object_works(ObjectFile *object, uint64_t steps);
// Whether the source has assembler text, which may define and refer to anything.
static inline bool object_has_text(const ObjectFile *object) {
    return object->program->file_asms.count || object->program->asms.count;
}
// Whether a name is one that the compiler made, which is no more than a label: it is not in the
// object, so what refers to it first says where it is, and its contents are compared there
// (object_data.c).
static inline bool object_is_label(const ObjectFile *object, const Symbol *info) {
    return info->linkage == LINK_STATIC && program_text(object->program, info->name)[0] == '.';
}
// Whether the program has a definition for a symbol.
static inline bool object_defines(const Symbol *info) {
    return info->defined || info->alias.i != NO_ID || info->linkage == LINK_COMMON;
}
// Whether a section is the one that the source names for a symbol; if it names none, a usual one of
// the kind, or such a one for the symbol alone.
bool object_is_in(const ObjectFile *object, const Symbol *info, const ElfSection *section,
                  SectionKind kind);
// Whether the linker keeps a section just if it has to keep the symbol.
static inline bool object_is_retained(const Symbol *info, const ElfSection *section) {
    return !(info->flags & SYMF_RETAIN) == !(section->flags & SECTION_RETAINED);
}
// Whether a symbol of the object may stand for a function that gatecc knows by its name: the
// program does not define it.
bool object_is_special(const ObjectFile *object, uint32_t symbol);
// What sections are by their headers; that these are right. (object_sections.c)
void object_find_kinds(ObjectFile *object);
bool object_groups(ObjectFile *object);
bool object_sections(ObjectFile *object);
// Tables of constructors and destructors. (object_hooks.c)
bool object_hooks(ObjectFile *object);
// That there is nothing else. (object_rest.c)
bool object_rest(ObjectFile *object);

// Whether the text of an asm statement starts at a place; where that ends, which is asked once of
// each.
bool object_asm_starts(const ObjectFile *object, uint32_t section, uint64_t at);
bool object_asm_at(ObjectFile *object, uint32_t section, uint64_t at, uint64_t *end);
// Whether the object is compared with that program, and no other.
bool object_has_program(ObjectFile *object, const Program *program);
// Whether a symbol of the object is bound, visible and of the kind that the program says.
bool object_check_symbol(ObjectFile *object, Sym symbol, uint32_t found);

// ---- describe.c

void describe_insn(Out *out, const Insn *insn);
void describe_instr(Out *out, const Program *program, const MachInstr *instr);

// ---- link.c: what operands and data refer to

// Fields that a relocation may fill, as reloc.def names them.
typedef enum {
    FIELD_WORD = 1,       // of data, eight bytes: an address
    FIELD_DISTANCE = 2,   // of data, four bytes: how far it is from there to an address
    FIELD_TARGET = 4,     // of a direct branch, four bytes
    FIELD_NEAR = 8,       // the displacement of memory at rip
    FIELD_LOAD = 16,      // the same, of a mov with rex to a register
    FIELD_THROUGH = 32,   // the same, of a call or jmp, which have no rex
    FIELD_BASED = 64,     // the displacement of other memory, which its sign extends
    FIELD_SIGNED = 128,   // a number of four bytes that its sign extends to eight
    FIELD_UNSIGNED = 256, // a number of four bytes, with zeros above
    FIELD_MODULE = 512    // the displacement of memory at rip, of a padded lea to rdi
} LinkField;

typedef enum {
    LEADS_SYMBOL,
    LEADS_TABLE,
    LEADS_THREADS,
    LEADS_MODULE
} LinkLeads; // reloc.def says what they are

// Where an address leads: to a symbol that the linker finds, or to a place in a section; or to that
// of the entry of a table that holds it.
typedef struct {
    uint32_t symbol; // NO_SYMBOL: a place in a section
    uint32_t section;
    int64_t offset; // from the symbol, or in the section
    LinkLeads leads;
    uint64_t
        entity; // by which the linker finds where it has put a part of a section that it merges
} LinkTarget;

// What an operand refers to, by its displacement, number or distance. False if it is just a number,
// or if a relocation is there that must not be.
bool link_target(CodeWalk *w, const Insn *insn, const InsnOperand *operand, LinkTarget *target);
// What a relocation in a field (LinkField) makes that refer to, `distance` bytes on. False if it
// must not be there.
bool link_of_reloc(const ObjectFile *object, const ElfReloc *reloc, uint32_t field,
                   int64_t distance, LinkTarget *target);
// Whether a target is a symbol of the program, so many bytes on.
bool link_is_symbol(ObjectFile *object, const LinkTarget *target, Sym symbol, int64_t offset);
// Whether it is a function outside of the program that gatecc knows by that name.
bool link_is_name(const ObjectFile *object, const LinkTarget *target, const char *name);
// Whether it is a constant with these bytes that nothing changes.
bool link_is_constant(ObjectFile *object, const LinkTarget *target, uint32_t size, uint64_t low,
                      uint64_t high);
