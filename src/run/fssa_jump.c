// setjmp and longjmp in evaluation on demand. The second result of a call of setjmp is another
// value of the same register in the same iteration. So a jump restores, together with the
// registers, everything that was known at the first return, and everything that waited for the
// call; later knowledge is forgotten. Numbers of iterations are not given again.
#include "run/fssa_run.h"

#include <stdlib.h>

struct SavedFlow {
    uint32_t task_count;
    uint64_t size; // in bytes, of all
    char bytes[];  // known, regions, tasks
};

typedef struct {
    void *at;
    size_t size;
} SavedPart;

enum { PARTS = 3 };

static void parts_of(const Activation *a, uint32_t task_count, SavedPart *parts) {
    const Func *func = a->flow->func;
    parts[0] = (SavedPart){a->known, func->regs.count * sizeof(uint64_t)};
    parts[1] = (SavedPart){a->regions, (a->flow->region_count + 1) * sizeof(RegionState)};
    parts[2] = (SavedPart){a->tasks.at, task_count * sizeof(FlowTask)};
}

struct SavedFlow *flow_save(Interpreter *in, struct SavedFlow *old, uint64_t *size) {
    const Activation *a = top_frame(in)->activation;
    SavedPart parts[PARTS];
    uint64_t total = sizeof(struct SavedFlow);
    parts_of(a, a->tasks.count, parts);
    for (int i = 0; i < PARTS; i++) total += parts[i].size;
    if (old) {
        memory_discharge(in->world.memory, old->size);
        *size -= old->size;
        free(old);
    }
    if (!memory_charge(in->world.memory, total)) {
        world_wrong(&in->world, "no memory to save what setjmp needs");
        return NULL;
    }
    *size += total;
    struct SavedFlow *saved = xmalloc(total);
    *saved = (struct SavedFlow){.task_count = a->tasks.count, .size = total};
    char *to = saved->bytes;
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].size) memcpy(to, parts[i].at, parts[i].size);
        to += parts[i].size;
    }
    return saved;
}

// The last of the tasks is the call of setjmp.
void flow_restore(Interpreter *in, const struct SavedFlow *saved) {
    Activation *a = top_frame(in)->activation;
    SavedPart parts[PARTS];
    vec_clear(&a->tasks);
    (void)vec_extend(in->arena, &a->tasks, saved->task_count);
    parts_of(a, saved->task_count, parts);
    const char *from = saved->bytes;
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].size) memcpy(parts[i].at, from, parts[i].size);
        from += parts[i].size;
    }
    a->tasks.at[a->tasks.count - 1].at = EFFECT_DONE;
    in->jumps++;
}
