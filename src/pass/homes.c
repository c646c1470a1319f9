// Classes ask for names in the order of how good their claim is: those of parameters, those of one
// name, the others; within these by number of the register that stands for them. A name that is taken
// gets a number that no register of that name has.
#include "pass/homes.h"

#include "base/hash.h"

// Most registers have no name; their numbers are nearly dense.
typedef struct {
    Map named;      // name and number -> origin
    uint32_t *free; // number of a nameless register -> origin plus one, for those below `limit`
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
    const Classes *classes;
    const uint32_t *origin;
    Reg *home;       // by SSA register; that of a class is filled in at its representative first
    Reg *named;      // origin -> the register that has this name, NO_REG if it is free
    Map next_number; // name -> a number above all of this name
    uint32_t *label; // representative -> member whose name the class would like to have
    Bits mixed;      // representatives of classes with members of several names
} Homes;

static bool lives(const SsaRanges *ranges, Reg reg) {
    uint32_t point = ranges->point[reg.i];
    if (bits_has(&ranges->needed, reg.i) || point == 0) return true;
    return point != NO_ID && ranges->definitions[reg.i].by != SET_BY_PHI &&
           ssa_move_source(func_at(ranges->func, ssa_point_node(ranges, point))).i == NO_ID;
}

// What each class would like to be called: as its first member with a name.
static void find_labels(Homes *homes) {
    const Func *func = homes->ranges->func;
    for (uint32_t r = 0; r < func->regs.count; r++) homes->label[r] = NO_ID;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        uint32_t of = homes->classes->of[r].i, *label = &homes->label[of];
        const RegInfo *info = &func->regs.at[r];
        if (homes->origin[r] != homes->origin[of]) bits_add(&homes->mixed, of);
        if (*label == NO_ID || (!func->regs.at[*label].name.i && info->name.i)) *label = r;
        if (!info->name.i) continue;
        uint32_t next = map_get(&homes->next_number, info->name.i);
        if (next == HASH_NONE || next <= info->number)
            map_set(homes->arena, &homes->next_number, info->name.i, info->number + 1);
    }
}

static void give_home(Homes *homes, Reg of, Reg label) {
    const RegInfo *info = &homes->ranges->func->regs.at[label.i];
    RegInfo fresh = {.name = info->name, .number = info->number, .type = info->type};
    Reg *named = &homes->named[homes->origin[label.i]];
    if (named->i == NO_ID) {
        homes->home[of.i] = *named = func_add_reg(homes->rtl, fresh);
    } else if (!info->name.i) {
        homes->home[of.i] = func_temp(homes->rtl, info->type);
    } else {
        fresh.number = map_get(&homes->next_number, info->name.i);
        map_set(homes->arena, &homes->next_number, info->name.i, fresh.number + 1);
        homes->home[of.i] = func_add_reg(homes->rtl, fresh);
    }
}

static void give_homes(Homes *homes, bool mixed) {
    const Func *func = homes->ranges->func;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        Reg of = homes->classes->of[r];
        if (homes->ranges->point[r] == NO_ID || homes->home[of.i].i != NO_ID ||
            bits_has(&homes->mixed, of.i) != mixed || !lives(homes->ranges, (Reg){r}))
            continue;
        give_home(homes, of, (Reg){homes->label[of.i]});
    }
}

// An undefined register can be read from anywhere: best from one that has its name.
static void give_undefined_homes(Homes *homes) {
    const Func *func = homes->ranges->func;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        if (homes->ranges->point[r] != NO_ID || !bits_has(&homes->ranges->needed, r)) continue;
        Reg named = homes->named[homes->origin[r]];
        if (named.i != NO_ID && reg_type(homes->rtl, named) == reg_type(func, (Reg){r}))
            homes->home[r] = named;
        else
            give_home(homes, (Reg){r}, (Reg){r});
    }
}

Reg *homes_of(Arena *scratch, Func *rtl, const SsaRanges *ranges, const Classes *classes,
              const uint32_t *origin) {
    const Func *func = ranges->func;
    uint32_t count = func->regs.count;
    Homes homes = {.arena = scratch,
                   .rtl = rtl,
                   .ranges = ranges,
                   .classes = classes,
                   .origin = origin,
                   .home = ARENA_ARRAY(scratch, Reg, count),
                   .named = ARENA_ARRAY(scratch, Reg, count),
                   .label = ARENA_ARRAY(scratch, uint32_t, count),
                   .mixed = bits_new(scratch, count)};
    for (uint32_t r = 0; r < count; r++) homes.home[r] = homes.named[r] = NO_REG;
    rtl->next_temp = func->next_temp;
    find_labels(&homes);
    for (uint32_t i = 0; i < func->params.count; i++) {
        Reg param = func->params.at[i];
        give_home(&homes, classes->of[param.i], param);
        vec_push(rtl->arena, &rtl->params, homes.home[classes->of[param.i].i]);
    }
    give_homes(&homes, false);
    give_homes(&homes, true);
    give_undefined_homes(&homes);
    for (uint32_t r = 0; r < count; r++)
        if (ranges->point[r] != NO_ID) homes.home[r] = homes.home[classes->of[r].i];
    return homes.home;
}
