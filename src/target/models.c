#include "target/model.h"

#include "form/program.h"

#include <string.h>

#define TARGET(name) extern const TargetModel name##_model;
#include "target/targets.def"

const TargetModel *const target_models[TARGET_COUNT] = {
#define TARGET(name) &name##_model,
#include "target/targets.def"
};

const TargetModel *program_usual_target(void) {
    return target_models[0];
}

static bool is_word(const char *word, const char *name, size_t length) {
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

const TargetModel *target_model_named(const char *name, size_t length) {
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        if (is_word(target_models[i]->name, name, length) ||
            is_word(target_models[i]->triplet, name, length))
            return target_models[i];
    return NULL;
}

const TargetModel *target_model_of_elf(uint32_t elf_machine) {
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        if (target_models[i]->elf_machine == elf_machine) return target_models[i];
    return NULL;
}
