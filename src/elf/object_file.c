#include "elf/object_file.h"

#include "target/model.h"

#define TARGET(name, registers, classes) extern const TargetObject name##_object;
#include "form/targets.def"

static const TargetObject *const target_objects[TARGET_COUNT] = {
#define TARGET(name, registers, classes) &name##_object,
#include "form/targets.def"
};

static const TargetObject *comparison_for(const TargetModel *model) {
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        if (target_models[i] == model) return target_objects[i];
    return NULL;
}

bool object_open(ObjectFile *object, Arena *arena, const void *bytes, size_t length) {
    *object = (ObjectFile){.arena = arena};
    if (!elf_open(&object->elf, arena, bytes, length, &object->problem)) return false;
    if (object->elf.type != ELF_RELOCATABLE) {
        object->problem = "it is no relocatable object file";
        return false;
    }
    if ((object->problem = elf_check_relocs(&object->elf))) return false;
    object->target = comparison_for(object->elf.target);
    if (!object->target) object->problem = "objects of this machine cannot be compared";
    return object->target && object->target->open(object);
}

static bool is_of_machine(ObjectFile *object, const Program *program) {
    if (program->target == object->elf.target) return true;
    object->problem = "the object is of another machine than the certificate";
    return false;
}

bool object_function(ObjectFile *object, const Func *func) {
    return is_of_machine(object, func->program) && object->target->function(object, func);
}

bool object_finish(ObjectFile *object, const Program *program) {
    return is_of_machine(object, program) && object->target->finish(object, program);
}
