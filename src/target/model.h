// The trusted half of the record of a machine: the meaning of code for the machine, and the
// machine's constraints on that code. Every program carries its model (Program.target); gatecheck
// links the models and the object comparisons of all machines, and nothing else of them.
#pragma once

#include "target/constraints.h"
#include "target/mach_frame.h"

typedef struct TargetModel {
    const char *name;     // as targets.def has it
    const char *title;    // for people
    const char *triplet;  // by which tools know the machine
    uint16_t elf_machine; // the number of the machine in the header of an object
    // The bytes that a linker changes for a relocation of a type; UINT32_MAX if that is not known.
    uint32_t (*relocation_size)(uint32_t type);

    uint32_t types; // a bit for each Type that registers of a program may have

    // ---- Registers. Behind those that can be places, register_names may have more, in which only
    // asm statements have operands: they hold floats.
    uint32_t register_count, named_count;
    const char *const *register_names; // named_count
    const uint8_t *unwind_numbers;     // by which unwinders and debuggers know them
    const uint8_t *order;              // in which they are tried for a value
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
    // What the machine expects instead of the address of an instruction, which obeys the rules for
    // all machines; NULL if instructions can have such an address.
    const char *(*address_expected)(const Program *program, const MachInstr *instr);
    // Whether a comparison can be one of the bits that two operands share with 0 (`tested`).
    bool (*tests_bits)(Op op);
    // See mach_constraints.
    void (*constraints)(Arena *arena, const Func *func, const MachInstr *instr,
                        MachConstraints *constraints);

    // ---- Calls
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
#define TARGET(name) TARGET_##name,
#include "target/targets.def"
    TARGET_COUNT
};

extern const TargetModel *const target_models[TARGET_COUNT];

// The model of a name, as targets.def has it; NULL if there is none.
const TargetModel *target_model_named(const char *name, size_t length);
// The model whose objects have this number of a machine; NULL if there is none.
const TargetModel *target_model_of_elf(uint32_t elf_machine);

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
