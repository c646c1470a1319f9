// Names the RTL registers of classes. Classes ask for names in the order of their claims: first
// classes of parameters, then classes whose members have one name, then the others; within each
// kind by the number of the representative register. If a name is taken, the class gets it with a
// number that no register of that name has.
#include "pass/rtl/rtl_registers.h"

#include "base/hash.h"

// Most registers have no name; their numbers are nearly dense.
typedef struct {
    Map named;      // name and number -> origin
    uint32_t *free; // number of a nameless register -> origin plus one, for registers below `limit`
    uint32_t limit;
} Origins;

static uint32_t find_origin(Arena *arena, Origins *origins, const RegInfo *info, uint32_t fresh) {
    if (!info->name.i && info->number < origins->limit) {
        uint32_t *origin = &origins->free[info->number];
        if (!*origin) *origin = fresh + 1;
        return *origin - 1;
    }
    uint64_t key = (uint64_t)info->name.i << 32 | info->number;
    uint32_t origin = map_get(&origins->named, key);
    if (origin != HASH_NONE) return origin;
    map_set(arena, &origins->named, key, fresh);
    return fresh;
}

uint32_t *origins_of(Arena *arena, const Func *func) {
    uint32_t regs = func->regs.count, count = 0;
    uint32_t *origin = ARENA_ARRAY(arena, uint32_t, regs);
    Origins origins = {.limit = func->next_temp < 2 * regs ? func->next_temp : 2 * regs};
    origins.free = ARENA_ARRAY(arena, uint32_t, origins.limit);
    for (uint32_t r = 0; r < regs; r++) {
        origin[r] = find_origin(arena, &origins, &func->regs.at[r], count);
        count += origin[r] == count;
    }
    return origin;
}

typedef struct {
    Arena *arena;
    Func *rtl;
    const SsaRanges *ranges;
    const Coalescing *classes;
    const uint32_t *origin;
    Reg *home;       // by SSA register; that of a class is filled in at its representative first
    Reg *named;      // origin -> the register that has this name, NO_REG if it is free
    Map next_number; // name -> a number above all of this name
    uint32_t *label; // representative -> member whose name the class would like to have
    Bits mixed;      // representatives of classes with members of several names
} RtlRegisters;

static bool lives(const SsaRanges *ranges, Reg reg) {
    uint32_t point = ranges->point[reg.i];
    if (bits_has(&ranges->needed, reg.i) || point == 0) return true;
    return point != NO_ID && ranges->definitions[reg.i].by != SET_BY_PHI &&
           ssa_move_source(func_at(ranges->func, ssa_point_node(ranges, point))).i == NO_ID;
}

// The wanted name of each class: the name of its first member with a name.
static void find_labels(RtlRegisters *registers) {
    const Func *func = registers->ranges->func;
    for (uint32_t r = 0; r < func->regs.count; r++) registers->label[r] = NO_ID;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        uint32_t of = registers->classes->of[r].i, *label = &registers->label[of];
        const RegInfo *info = &func->regs.at[r];
        if (registers->origin[r] != registers->origin[of]) bits_add(&registers->mixed, of);
        if (*label == NO_ID || (!func->regs.at[*label].name.i && info->name.i)) *label = r;
        if (!info->name.i) continue;
        uint32_t next = map_get(&registers->next_number, info->name.i);
        if (next == HASH_NONE || next <= info->number)
            map_set(registers->arena, &registers->next_number, info->name.i, info->number + 1);
    }
}

static void give_home(RtlRegisters *registers, Reg of, Reg label) {
    const RegInfo *info = &registers->ranges->func->regs.at[label.i];
    RegInfo fresh = {.name = info->name, .number = info->number, .type = info->type};
    Reg *named = &registers->named[registers->origin[label.i]];
    if (named->i == NO_ID) {
        registers->home[of.i] = *named = func_add_reg(registers->rtl, fresh);
    } else if (!info->name.i) {
        registers->home[of.i] = func_temp(registers->rtl, info->type);
    } else {
        fresh.number = map_get(&registers->next_number, info->name.i);
        map_set(registers->arena, &registers->next_number, info->name.i, fresh.number + 1);
        registers->home[of.i] = func_add_reg(registers->rtl, fresh);
    }
}

static void give_homes(RtlRegisters *registers, bool mixed) {
    const Func *func = registers->ranges->func;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        Reg of = registers->classes->of[r];
        if (registers->ranges->point[r] == NO_ID || registers->home[of.i].i != NO_ID ||
            bits_has(&registers->mixed, of.i) != mixed || !lives(registers->ranges, (Reg){r}))
            continue;
        give_home(registers, of, (Reg){registers->label[of.i]});
    }
}

// An undefined register can be read from anywhere: best from one that has its name.
static void give_undefined_homes(RtlRegisters *registers) {
    const Func *func = registers->ranges->func;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        if (registers->ranges->point[r] != NO_ID || !bits_has(&registers->ranges->needed, r))
            continue;
        Reg named = registers->named[registers->origin[r]];
        if (named.i != NO_ID && reg_type(registers->rtl, named) == reg_type(func, (Reg){r}))
            registers->home[r] = named;
        else
            give_home(registers, (Reg){r}, (Reg){r});
    }
}

Reg *rtl_registers_of(Arena *scratch, Func *rtl, const SsaRanges *ranges, const Coalescing *classes,
                      const uint32_t *origin) {
    const Func *func = ranges->func;
    uint32_t count = func->regs.count;
    RtlRegisters registers = {.arena = scratch,
                              .rtl = rtl,
                              .ranges = ranges,
                              .classes = classes,
                              .origin = origin,
                              .home = ARENA_ARRAY(scratch, Reg, count),
                              .named = ARENA_ARRAY(scratch, Reg, count),
                              .label = ARENA_ARRAY(scratch, uint32_t, count),
                              .mixed = bits_new(scratch, count)};
    for (uint32_t r = 0; r < count; r++) registers.home[r] = registers.named[r] = NO_REG;
    rtl->next_temp = func->next_temp;
    find_labels(&registers);
    for (uint32_t i = 0; i < func->params.count; i++) {
        Reg param = func->params.at[i];
        give_home(&registers, classes->of[param.i], param);
        vec_push(rtl->arena, &rtl->params, registers.home[classes->of[param.i].i]);
    }
    give_homes(&registers, false);
    give_homes(&registers, true);
    give_undefined_homes(&registers);
    for (uint32_t r = 0; r < count; r++)
        if (ranges->point[r] != NO_ID) registers.home[r] = registers.home[classes->of[r].i];
    return registers.home;
}
