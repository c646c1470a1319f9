#include "target/model.h"

#include <string.h>

#define TARGET(name, registers, classes) extern const TargetModel name##_model;
#include "form/targets.def"

const TargetModel *const target_models[TARGET_COUNT] = {
#define TARGET(name, registers, classes) &name##_model,
#include "form/targets.def"
};

const TargetModel *program_usual_target(void) {
    return target_models[0];
}

const TargetModel *target_model_named(const char *name, size_t length) {
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        if (strlen(target_models[i]->name) == length &&
            memcmp(target_models[i]->name, name, length) == 0)
            return target_models[i];
    return NULL;
}

const TargetModel *target_model_of_elf(uint32_t elf_machine) {
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        if (target_models[i]->elf_machine == elf_machine) return target_models[i];
    return NULL;
}

uint32_t target_most_parts(const TargetModel *target) {
    uint32_t most = 0;
    for (const PartsRow *row = target->parts_rows; row->types; row++)
        if (row->most > most) most = row->most;
    return most < PARTS_LIMIT ? most : PARTS_LIMIT;
}

const char *target_register_name(const TargetModel *target, uint64_t reg) {
    return reg < target->named_count ? target->register_names[reg] : "?";
}

MachineReg target_register_named(const TargetModel *target, const char *name, size_t length) {
    for (MachineReg reg = 0; reg < target->register_count; reg++)
        if (strlen(target->register_names[reg]) == length &&
            memcmp(target->register_names[reg], name, length) == 0)
            return reg;
    return MACHINE_REG_LIMIT;
}

MachineRegSet mach_class_set(const Func *func, MachClass reg_class) {
    const TargetModel *target = func->program->target;
    MachineRegSet set = regs_without(target->classes[reg_class], func->program->reserved);
    regs_remove(&set, target->stack);
    return regs_without(set, mach_frame(func).registers);
}
