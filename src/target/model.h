// The trusted half of the record of a machine: the meaning of code for the machine, and the
// machine's constraints on that code. Every program carries its model (Program.target); gatecheck
// links the models and the object comparisons of all machines, and nothing else of them.
#pragma once

#include "fact/eval.h"
#include "target/constraints.h"
#include "target/mach_frame.h"

// How the parts of an aggregate in registers may be carried: each of one of the types, all of a
// row. A type is in one row at most.
typedef struct {
    uint32_t types; // a bit for each Type
    uint32_t size;  // bytes of each part
    uint32_t most;  // parts, at most PARTS_LIMIT
    bool padded; // an aggregate in fewer parts may be as large as one in the most: the last bytes
                 // are padding
} PartsRow;

// The sizes of a machine's tables, for its initializer: registers; registers and other names of asm
// statements; classes. The last two are those of the machine's row, or the compiler says so.
#define TARGET_IN_ROW(count, name, counts, what)                                                   \
    ((count) + 0 * sizeof(struct {                                                                 \
                   _Static_assert((count) == sizeof(((union counts *)0)->name),                    \
                                  "the row of " #name " in targets.def has other " what);          \
                   char unused;                                                                    \
               }))
#define TARGET_SIZES(name, registers, names, reg_classes)                                          \
    .register_count = (registers),                                                                 \
    .named_count = TARGET_IN_ROW(names, name, MachineRegCounts, "registers"),                      \
    .class_count = TARGET_IN_ROW(reg_classes, name, MachineClassCounts, "classes")

typedef struct TargetModel {
    const char *name;     // as targets.def has it
    const char *title;    // for people
    const char *triplet;  // by which tools know the machine
    uint16_t elf_machine; // the number of the machine in the header of an object
    // The bytes that a linker changes for a relocation of a type; UINT32_MAX if that is not known.
    uint32_t (*relocation_size)(uint32_t type);

    uint32_t types; // a bit for each Type that registers of a program may have
    // Whether float operators yield what op_eval says also where IEEE 60559 leaves the result open
    // (op_is_open). If not, nothing takes such a result for known.
    bool floats_as_evaluated;
    uint32_t va_list_size; // bytes of a va_list, at least 16: interpreters keep two numbers in it

    // ---- Registers, as many as TARGET_SIZES says. Behind those that can be places, register_names
    // may have more, in which only asm statements have operands: they hold floats.
    uint32_t register_count, named_count;
    const char *const *register_names; // named_count
    const uint8_t *unwind_numbers;     // by which unwinders and debuggers know them
    const StoredReg *order;            // in which they are tried for a value
    uint32_t order_count;
    MachineReg stack;   // where the stack ends: no place
    MachineReg frame;   // by which frames are found that need a register for that
    MachineReg scratch; // for a value on its way from memory to memory
    MachineRegSet callee_saved, caller_saved;
    MachineRegSet exchanged; // those of which two can be exchanged

    // ---- Classes of registers
    uint32_t class_count;
    MachineRegSet classes[CLASS_LIMIT]; // the stack pointer included
    MachClass (*class_of)(Type type);   // that holds values of a type; CLASS_MEMORY if none does

    // ---- Instructions
    // Whether a source may be what is at the address, of that chunk (the other operands being set).
    bool (*takes_memory)(const MachInstr *instr, unsigned source, Chunk chunk);
    // Whether a source may be an immediate of that value (the other operands being set).
    bool (*takes_immediate)(const MachInstr *instr, unsigned source, int64_t value);
    uint32_t scales; // of an index in an address: a bit for each, so that 1 << 4 is that of scale 4
    const char *scales_expected; // they, for complaints
    // What the machine expects instead of the address of an instruction, which obeys the rules for
    // all machines; NULL if instructions can have such an address.
    const char *(*address_expected)(const Program *program, const MachInstr *instr);
    // Whether a comparison can be one of the bits that two operands share with 0 (`tested`).
    bool (*tests_bits)(Op op);
    // See mach_constraints.
    void (*constraints)(Arena *arena, const Func *func, const MachInstr *instr,
                        MachConstraints *constraints);

    // ---- Calls
    const PartsRow *parts_rows; // up to one without types; none: aggregates are in memory
    const char *parts_expected; // they, for complaints
    // Fills in the convention of a signature that exists; it is empty before.
    void (*classify)(Arena *arena, const Program *program, const SigInfo *info,
                     Convention *convention);
    // Whether a function may return by leaving what it called last in its own place: the caller
    // finds what it expects where it expects it, and nothing else that it would have to remove.
    bool (*returns_alike)(const Convention *own, const Convention *called);

    // ---- Frames
    // Takes time in the size of the function.
    MachFrame (*frame_of)(const Func *func);
    MachEntry (*entry_of)(const Func *func);
    // The register by which slots are found in an aligned frame in which the stack pointer moves.
    MachineReg (*frame_base)(const Program *program);
} TargetModel;

// The numbers of the machines.
enum {
#define TARGET(name, registers, classes) TARGET_##name,
#include "form/targets.def"
    TARGET_COUNT
};

extern const TargetModel *const target_models[TARGET_COUNT];

// The model of a name, as targets.def has it; NULL if there is none.
const TargetModel *target_model_named(const char *name, size_t length);
// The model whose objects have this number of a machine; NULL if there is none.
const TargetModel *target_model_of_elf(uint32_t elf_machine);

// The most parts that an aggregate has on a machine.
uint32_t target_most_parts(const TargetModel *target);

// Whether op_eval has told what the machine computes.
static inline bool target_evaluates(const TargetModel *target, Op op, const Value *operands,
                                    Value result) {
    return !op_is_open(op, operands, result) || target->floats_as_evaluated;
}

// The name of a register that asm statements know, "?" if there is none; the place of that name, or
// MACHINE_REG_LIMIT.
const char *target_register_name(const TargetModel *target, uint64_t reg);
MachineReg target_register_named(const TargetModel *target, const char *name, size_t length);

// The registers of a class that may be allocated in a function: neither the stack pointer nor those
// that are reserved or by which the frame is found. Takes time in the size of the function.
MachineRegSet mach_class_set(const Func *func, MachClass reg_class);
static inline MachFrame mach_frame(const Func *func) {
    return func->program->target->frame_of(func);
}
// The constraints of an instruction. With a mutable function the places can be changed through it.
// The constraints are zero at first; what is there from another instruction is replaced, its memory
// used again, so that one variable does for a function.
static inline void mach_constraints(Arena *arena, const Func *func, const MachInstr *instr,
                                    MachConstraints *constraints) {
    func->program->target->constraints(arena, func, instr, constraints);
}
