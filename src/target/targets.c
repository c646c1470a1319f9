#include "target/target.h"

#include <string.h>

#define TARGET(name, registers, classes)                                                           \
    extern const TargetModel name##_model;                                                         \
    extern const TargetCode name##_code;                                                           \
    extern const TargetLanguage name##_language;
#include "form/targets.def"

const Target targets[TARGET_COUNT] = {
#define TARGET(name, registers, classes)                                                           \
    {.model = &name##_model, .code = &name##_code, .language = &name##_language},
#include "form/targets.def"
};

const Target *target_record(const TargetModel *model) {
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        if (targets[i].model == model) return &targets[i];
    fatal("no row of targets.def has the model '%s'", model->name);
}

const Target *target_named(const char *name) {
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        if (strcmp(targets[i].model->name, name) == 0 ||
            strcmp(targets[i].model->triplet, name) == 0)
            return &targets[i];
    return NULL;
}
