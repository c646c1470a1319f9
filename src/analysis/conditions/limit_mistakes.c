#include "analysis/conditions/limit_mistakes.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const Func *ssa;
    const ArrayUses *uses;
    LimitWalk walk;
    RoundSearch *rounds;
    Map first_of_index; // register before SSA form -> its first use
    uint32_t *next;     // use -> the next of the same register; NO_ID
    bool *told;         // by use
    bool *bad;          // by register: it is made of an index that is told of
    LimitMistakes found;
} LimitSearch;

static bool is_constant(const Limits *limits) {
    uint64_t value;
    return range_is_constant(&limits->range, &value);
}

static LimitMistake *tell(LimitSearch *s, LimitMistakeKind kind, Node node, const Limits *limits) {
    LimitMistake mistake = {.kind = kind,
                            .node = node,
                            .least = limits->range.least,
                            .most = limits->range.most,
                            .base = limits->base,
                            .id = limits->id};
    vec_push(s->arena, &s->found, mistake);
    return &s->found.at[s->found.count - 1];
}

static LimitMistake *tell_round(LimitSearch *s, LimitMistakeKind kind, Node node,
                                const Limits *limits, const Round *round) {
    LimitMistake *mistake = tell(s, kind, node, limits);
    mistake->in_round = true;
    mistake->round = *round;
    mistake->least = mistake->most = round->value;
    return mistake;
}

// ---- Indices

static bool is_base_of(const LimitSearch *s, const ArrayUse *use, const Instr *instr) {
    const Func *ssa = s->ssa;
    if (use->base == BASE_NONE) return true;
    if (instr->base != use->base || instr->imm < use->offset ||
        (uint64_t)(instr->imm - use->offset) >= use->size)
        return false;
    switch ((BaseKind)use->base) {
    case BASE_REG: return s->uses->origin[instr_args(ssa, instr)[0].i].i == use->ref;
    case BASE_SLOT: return str_same(ssa->slots.at[instr->ref].name, use->object);
    default: return str_same(program_at(ssa->program, (Sym){instr->ref})->name, use->object);
    }
}

// How near an instruction is to the place of a subscript.
static int nearness(const LimitSearch *s, const Instr *instr, const ArrayUse *use) {
    const Loc *loc = &s->ssa->program->locs.at[instr->loc];
    if (loc->file != use->loc.file || loc->line != use->loc.line) return 0;
    return loc->column == use->loc.column ? 2 : 1;
}

static bool is_better(const LimitSearch *s, const Instr *instr, const ArrayUse *use,
                      const ArrayUse *than) {
    uint64_t most = use->count + use->address, other = than->count + than->address;
    if (most != other) return most > other;
    return nearness(s, instr, use) > nearness(s, instr, than);
}

// The most elements that an instruction can be about, of arrays that it may be a subscript of: the
// subscript with the most; NO_ID if there is none, or if the register is the index of too many.
static uint32_t use_of(const LimitSearch *s, const Instr *instr, Reg index, uint64_t size) {
    enum { MOST_USES = 100 };
    uint32_t tried = 0;
    bool access = instr->kind == I_LOAD || instr->kind == I_STORE;
    uint32_t found = NO_ID, at = map_get(&s->first_of_index, s->uses->origin[index.i].i);
    for (; at != HASH_NONE && at != NO_ID; at = s->next[at]) {
        const ArrayUse *use = &s->uses->at[at];
        if (++tried > MOST_USES) return NO_ID;
        if (use->size != size || (access && (use->address || !is_base_of(s, use, instr)))) continue;
        if (found == NO_ID || is_better(s, instr, use, &s->uses->at[found])) found = at;
    }
    return found;
}

static bool check_index(LimitSearch *s, Node node, Reg index, uint32_t at) {
    const ArrayUse *use = &s->uses->at[at];
    int64_t most = (int64_t)use->count - 1 + use->address;
    Limits limits = limits_of(&s->walk, index);
    if (s->told[at] || limits.base != LIMITS_NUMBER) return false;
    if (limits.range.least >= 0 && limits.range.most <= most) return false;
    bool is_there = nearness(s, func_at(s->ssa, node), use) > 0;
    if (limits.range.least > most || limits.range.most < 0) {
        LimitMistake *mistake = tell(s, LIMIT_INDEX, node, &limits);
        mistake->use = at;
        mistake->is_there = is_there;
        return s->told[at] = true;
    }
    RoundQuestion question = {.node = node,
                              .reg = {index},
                              .factor = {1},
                              .count = 1,
                              .least = 0,
                              .most = most,
                              .unit = 1};
    Round round;
    if (!round_of_mistake(s->rounds, &question, &round)) return false;
    LimitMistake *mistake = tell_round(s, LIMIT_INDEX, node, &limits, &round);
    mistake->use = at;
    mistake->is_there = is_there;
    return s->told[at] = true;
}

// ---- Places

static uint64_t most_bytes(Range a, Range b) {
    uint64_t product;
    return __builtin_mul_overflow(a.high, b.high, &product) ? UINT64_MAX : product;
}

// The size of an object that is known in full; of what was allocated, at most.
static bool object_size(const LimitSearch *s, const Limits *place, uint64_t *size) {
    const Func *ssa = s->ssa;
    if (place->base == LIMITS_SLOT) {
        *size = ssa->slots.at[place->id].size;
        return ssa->slots.at[place->id].name.i != 0;
    }
    if (place->base == LIMITS_HEAP) {
        const Instr *call = defining_instr(ssa, s->walk.definitions, (Reg){place->id});
        if (!call || call->arg_count < 1 || call->arg_count > 2) return false;
        Range sizes[2] = {range_constant(64, 1), range_constant(64, 1)};
        for (uint32_t i = 0; i < call->arg_count; i++) {
            Limits limits = limits_of(&s->walk, instr_args(ssa, call)[i]);
            if (limits.base != LIMITS_NUMBER) return false;
            sizes[i] = limits.range;
        }
        *size = most_bytes(sizes[0], sizes[1]);
        return true;
    }
    if (place->base != LIMITS_SYMBOL) return false;
    const Symbol *symbol = program_at(ssa->program, (Sym){place->id});
    *size = symbol->size;
    return symbol_is_own_object(symbol) && !(symbol->flags & SYMF_THREAD) &&
           program_text(ssa->program, symbol->name)[0] != '.';
}

static Limits plus(const Limits *place, Range add) {
    Limits sum = *place;
    Range args[2] = {place->range, add};
    sum.range = range_of_family(FAM_ADD, 64, 64, args);
    return sum;
}

// Where an access goes. False if that is a constant place of the source, or none.
static bool place_of(const LimitSearch *s, const Instr *instr, Limits *place) {
    const Reg *args = instr_args(s->ssa, instr);
    uint32_t at = 0;
    switch ((BaseKind)instr->base) {
    case BASE_REG: *place = limits_of(&s->walk, args[at++]); break;
    case BASE_SLOT: *place = (Limits){.base = LIMITS_SLOT, .id = instr->ref}; break;
    case BASE_SYMBOL: *place = (Limits){.base = LIMITS_SYMBOL, .id = instr->ref}; break;
    default: return false;
    }
    if (instr->base != BASE_REG) {
        if (!instr->scale) return false;
        place->range = range_constant(64, 0);
    }
    if (place->base == LIMITS_NUMBER) return false;
    *place = plus(place, range_constant(64, (uint64_t)instr->imm));
    if (!instr->scale) return true;
    Limits index = limits_of(&s->walk, args[at]);
    Range factors[2] = {index.range, range_constant(64, instr->scale)};
    if (index.base != LIMITS_NUMBER) return false;
    *place = plus(place, range_of_family(FAM_MUL, 64, 64, factors));
    return true;
}

static void check_place(LimitSearch *s, Node node, const Instr *instr) {
    uint64_t size, bytes = chunk_size((Chunk)instr->chunk);
    const Reg *args = instr_args(s->ssa, instr);
    Limits place;
    if (!place_of(s, instr, &place) || !object_size(s, &place, &size) || size > INT64_MAX) return;
    int64_t most = (int64_t)size - (int64_t)bytes;
    if (place.range.least >= 0 && place.range.most <= most) return;
    LimitMistake *mistake = NULL;
    if (place.range.least > most || place.range.most < 0) {
        mistake = tell(s, LIMIT_BOUNDS, node, &place);
    } else {
        RoundQuestion question = {.node = node,
                                  .added = instr->imm,
                                  .most = most,
                                  .unit = bytes,
                                  .base = (LimitsBase)place.base,
                                  .id = place.id};
        if (instr->base == BASE_REG) {
            question.reg[0] = args[0];
            question.factor[question.count++] = 1;
        } else {
            // The instruction names the object: the registers are about the distance only.
            question.base = LIMITS_NUMBER;
            question.id = 0;
        }
        if (instr->scale) {
            question.reg[question.count] = args[question.count];
            question.factor[question.count++] = instr->scale;
        }
        Round round;
        if (!round_of_mistake(s->rounds, &question, &round)) return;
        mistake = tell_round(s, LIMIT_BOUNDS, node, &place, &round);
    }
    mistake->size = bytes;
    mistake->object = size;
}

static void check_access(LimitSearch *s, Node node, const Instr *instr) {
    const Reg *args = instr_args(s->ssa, instr);
    bool base = instr->base == BASE_REG, wrong = base && s->bad[args[0].i];
    if (instr->scale) {
        wrong = wrong || s->bad[args[base].i];
        uint32_t use = use_of(s, instr, args[base], instr->scale);
        wrong = (use != NO_ID && (check_index(s, node, args[base], use) || s->told[use])) || wrong;
    }
    if (!wrong) check_place(s, node, instr);
}

// ---- Operators

// A number that the source has in this place is found by the parser.
static bool is_written(const LimitSearch *s, Reg reg) {
    const Instr *instr = defining_instr(s->ssa, s->walk.definitions, reg);
    return instr && instr->kind == I_OP && !op_info((Op)instr->op)->arity &&
           !s->ssa->regs.at[reg.i].name.i;
}

static void check_operand(LimitSearch *s, Node node, LimitMistakeKind kind, Reg reg,
                          int64_t width) {
    Limits limits = limits_of(&s->walk, reg);
    Range *range = &limits.range;
    if (is_written(s, reg) || limits.base != LIMITS_NUMBER) return;
    bool divides = kind == LIMIT_DIVISOR;
    bool good = divides ? range->low > 0 : range->least >= 0 && range->most < width;
    if (good) return;
    if (divides ? is_constant(&limits) : range->least >= width || range->most < 0) {
        tell(s, kind, node, &limits);
        return;
    }
    RoundQuestion question = {.node = node,
                              .reg = {reg},
                              .factor = {1},
                              .count = 1,
                              .most = width - 1,
                              .only_zero = divides,
                              .unit = 1};
    Round round;
    if (round_of_mistake(s->rounds, &question, &round)) tell_round(s, kind, node, &limits, &round);
}

static void check_operator(LimitSearch *s, Node node, const Instr *instr) {
    const Reg *args = instr_args(s->ssa, instr);
    OpFamily family = op_family(instr->op);
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (s->bad[args[i].i]) s->bad[instr->dest.i] = true;
    if (instr->immediate) {
        uint32_t use = family == FAM_MUL && instr->imm > 0
                           ? use_of(s, instr, args[0], (uint64_t)instr->imm)
                           : NO_ID;
        if (use != NO_ID && check_index(s, node, args[0], use)) s->bad[instr->dest.i] = true;
        return;
    }
    if (instr->arg_count != 2) return;
    Type type = op_info((Op)instr->op)->result;
    switch (family) {
    case FAM_DIVS:
    case FAM_DIVU:
    case FAM_MODS:
    case FAM_MODU: check_operand(s, node, LIMIT_DIVISOR, args[1], 0); return;
    case FAM_SHL:
    case FAM_SHR:
    case FAM_SAR:
        if (use_of(s, instr, args[1], 0) != NO_ID)
            check_operand(s, node, LIMIT_SHIFT, args[1], range_bits(type));
        return;
    default: return;
    }
}

LimitMistakes limit_mistakes_of(Arena *arena, const Func *ssa, const ArrayUses *uses) {
    LimitSearch s = {.arena = arena, .ssa = ssa, .uses = uses};
    if (!limits_begin(&s.walk, arena, ssa)) return s.found;
    s.rounds = rounds_begin(arena, &s.walk);
    s.next = ARENA_ARRAY(arena, uint32_t, uses->count + 1);
    s.told = ARENA_ARRAY(arena, bool, uses->count + 1);
    s.bad = ARENA_ARRAY(arena, bool, ssa->regs.count);
    for (uint32_t i = 0; i < uses->count; i++) {
        uint32_t first = map_get(&s.first_of_index, uses->at[i].index.i);
        s.next[i] = first == HASH_NONE ? NO_ID : first;
        map_set(arena, &s.first_of_index, uses->at[i].index.i, i);
    }
    for (Node node; limits_next(&s.walk, &node);) {
        const Instr *instr = func_at(ssa, node);
        if (instr->kind == I_LOAD || instr->kind == I_STORE) check_access(&s, node, instr);
        if (instr->kind == I_OP) check_operator(&s, node, instr);
    }
    return s.found;
}
