#include "target/target.h"

#include <string.h>

#define TARGET(name)                                                                               \
    extern const TargetModel name##_model;                                                         \
    extern const TargetCode name##_code;                                                           \
    extern const TargetLanguage name##_language;
#include "target/targets.def"

const Target targets[TARGET_COUNT] = {
#define TARGET(name) {.model = &name##_model, .code = &name##_code, .language = &name##_language},
#include "target/targets.def"
};

const Target *target_record(const TargetModel *model) {
    uint32_t i = 0;
    while (targets[i].model != model) i++;
    return &targets[i];
}

const Target *target_named(const char *name) {
    const TargetModel *model = target_model_named(name, strlen(name));
    return model ? target_record(model) : NULL;
}
