#include "target/mach_access.h"

enum { BASE_ALONE = 255, BYTES_UNKNOWN = 0 };

// ---- A function

static bool names_slot(const MachInstr *instr) {
    if (instr->kind == MK_OP && instr->op == OP_ADDR_SLOT && !instr->addressed) return true;
    return instr->kind == MK_LEA && instr->base == MB_SLOT;
}

MachAccesses mach_accesses_new(Arena *arena, const Func *func) {
    const Mach *mach = func->mach;
    MachAccesses a = {.arena = arena, .func = func};
    a.place_count = mach->allocated ? MACHINE_REG_LIMIT + mach->spills.count : func->regs.count + 1;
    a.stack = mach->allocated ? func->program->target->stack : func->regs.count;
    a.exposed = ARENA_ARRAY(arena, bool, func->slots.count);
    a.set_in = ARENA_ARRAY(arena, uint32_t, a.place_count);
    a.set_by = ARENA_ARRAY(arena, uint32_t, a.place_count);
    a.incoming = convention_of(func->program, func->sig)->stack_size;
    for (uint32_t i = 0; i < mach->code.count; i++) {
        const MachInstr *instr = mach_at(func, i);
        if (names_slot(instr)) a.exposed[instr->ref] = true;
        if (instr->kind != MK_CALL) continue;
        uint32_t size = convention_of(func->program, (Sig){instr->aux})->stack_size;
        if (size > a.outgoing) a.outgoing = size;
    }
    return a;
}

uint32_t mach_place_number(Place place) {
    return place_index(place) + (place_is_spill(place) ? MACHINE_REG_LIMIT : 0);
}

// ---- Places

static void add_place(MachAccesses *a, uint32_t *count, uint32_t place) {
    vec_push(a->arena, &a->ops->places, place);
    ++*count;
}

static bool uses_stack_pointer(const MachInstr *instr) {
    return (instr->addressed && instr->base == MB_OUTGOING) || instr->kind == MK_CALL;
}

static void add_places(MachAccesses *a, const MachInstr *instr, OrderOp *op) {
    const Func *func = a->func;
    bool exchange = instr->kind == MK_EXCHANGE;
    op->places = a->ops->places.count;
    for (uint32_t k = 0; k < mach_read_count(instr); k++) {
        Place place = mach_read_at(func, instr, k);
        if (place.i != NO_ID) add_place(a, &op->reads, mach_place_number(place));
    }
    if (exchange) add_place(a, &op->reads, mach_place_number(instr->dest));
    if (uses_stack_pointer(instr)) add_place(a, &op->reads, a->stack);
    MachineRegSet lost = NO_REGS;
    if (func->mach->allocated) {
        mach_constraints(a->arena, func, instr, &a->constraints);
        lost = regs_or(a->constraints.clobbers, a->constraints.killed);
    }
    for (MachineReg reg = 0; (reg = regs_next(lost, reg)) < MACHINE_REG_LIMIT; reg++)
        add_place(a, &op->losses, reg);
    for (uint32_t k = 0; k < mach_set_count(instr); k++) {
        Place place = mach_set_at(func, instr, k);
        if (place.i != NO_ID) add_place(a, &op->sets, mach_place_number(place));
    }
    if (exchange) add_place(a, &op->sets, mach_place_number(instr->src[0]));
    if (mach_moves_stack(instr)) add_place(a, &op->sets, a->stack);
}

static void note_set(MachAccesses *a, const OrderOp *op, uint32_t at) {
    for (uint32_t k = op->reads; k < op->reads + op->losses + op->sets; k++) {
        uint32_t place = a->ops->places.at[op->places + k];
        a->set_in[place] = a->round;
        a->set_by[place] = at;
    }
}

// The instruction of the block that has set a place last; NO_ID if it is as it was at the start.
static uint32_t setter(const MachAccesses *a, uint32_t place) {
    return a->set_in[place] == a->round ? a->set_by[place] : NO_ID;
}

// ---- Addresses

typedef struct {
    MachBase base;
    uint8_t scale;
    uint32_t start; // slot, symbol or place
    uint32_t index; // place
    int64_t at;
} AccessAddress;

static AccessAddress address_of(const MachInstr *instr) {
    AccessAddress address = {.base = instr->base, .scale = instr->scale, .at = instr->displacement};
    if (instr->base == MB_SLOT || instr->base == MB_SYMBOL) address.start = instr->ref;
    if (instr->base == MB_PLACE) address.start = mach_place_number(instr->base_place);
    if (instr->scale) address.index = mach_place_number(instr->index);
    return address;
}

// If a register was set to an address that no register is part of, that address stands for it.
static void look_up(const MachAccesses *a, AccessAddress *address) {
    uint32_t by = address->base == MB_PLACE ? setter(a, address->start) : NO_ID;
    if (by == NO_ID) return;
    const MachInstr *instr = mach_at(a->func, by);
    if (instr->dest.i == NO_ID || mach_place_number(instr->dest) != address->start) return;
    bool slot = instr->op == OP_ADDR_SLOT, lea = instr->kind == MK_LEA;
    if (instr->kind == MK_OP && !instr->addressed && (slot || instr->op == OP_ADDR_SYMBOL)) {
        address->base = slot ? MB_SLOT : MB_SYMBOL;
        address->start = instr->ref;
        address->at = (int64_t)((uint64_t)address->at + (uint64_t)instr->imm);
    } else if (lea && instr->chunk == CHUNK_I64 && mach_is_constant(instr)) {
        AccessAddress whole = address_of(instr);
        address->base = whole.base;
        address->start = whole.start;
        address->at += whole.at;
    }
}

// ---- Objects

// The bytes of what an address starts from, if it is one thing of known size; whether others may
// touch it, or write it.
typedef struct {
    bool known, shared, read_only;
    uint64_t size;
} AccessObject;

static AccessObject object_info(const MachAccesses *a, const AccessAddress *address) {
    AccessObject info = {.known = true, .shared = true};
    switch (address->base) {
    case MB_SLOT:
        info.size = a->func->slots.at[address->start].size;
        info.shared = a->exposed[address->start];
        break;
    case MB_SYMBOL: {
        const Symbol *symbol = program_at(a->func->program, (Sym){address->start});
        info.known = symbol_is_own_object(symbol);
        info.read_only = symbol->flags & SYMF_CONST;
        info.shared = !info.read_only;
        info.size = symbol->size;
        break;
    }
    case MB_INCOMING: info.size = a->incoming; break;
    case MB_OUTGOING: info.size = a->outgoing; break;
    case MB_NONE:
    case MB_PLACE: info.known = false; break;
    }
    return info;
}

static bool is_inside(const AccessObject *info, const AccessAddress *address, uint64_t size) {
    return info->known && !address->scale && address->at >= 0 && size <= info->size &&
           (uint64_t)address->at <= info->size - size;
}

static uint32_t object_number(MachAccesses *a, const AccessAddress *address) {
    uint64_t key = (uint64_t)address->base << 32 | address->start;
    uint32_t number = map_get(&a->objects, key);
    if (number != HASH_NONE) return number;
    map_set(a->arena, &a->objects, key, a->ops->object_count);
    return a->ops->object_count++;
}

// ---- Groups

static bool same_group(const AccessGroup *x, const AccessGroup *y) {
    return x->object == y->object && x->base == y->base && x->scale == y->scale &&
           x->start == y->start && x->start_set == y->start_set && x->index == y->index &&
           x->index_set == y->index_set;
}

static uint32_t group_number(MachAccesses *a, const AccessGroup *wanted) {
    uint64_t hash = hash_add((uint64_t)wanted->start << 32 | wanted->start_set,
                             (uint64_t)wanted->index << 32 | wanted->index_set);
    uint32_t at = table_first(&a->groups, hash), id;
    if (wanted->base != BASE_ALONE)
        while ((id = table_id(&a->groups, hash, &at)) != HASH_NONE)
            if (same_group(&a->group_list.at[id], wanted)) return id;
    id = a->group_list.count;
    vec_push(a->arena, &a->group_list, *wanted);
    if (wanted->base != BASE_ALONE) table_insert(a->arena, &a->groups, hash, id);
    return id;
}

// Many bytes, and those at distances that are nothing a program has a use for, are a group of their
// own.
static AccessGroup group_of(const MachAccesses *a, const AccessAddress *address, uint32_t object,
                            uint64_t size) {
    bool near = address->at >= INT32_MIN / 2 && address->at <= INT32_MAX / 2;
    if (!near || size == BYTES_UNKNOWN || size > ACCESS_BYTES)
        return (AccessGroup){.object = object, .base = BASE_ALONE};
    AccessGroup group = {.object = object,
                         .base = address->base,
                         .scale = address->scale,
                         .start = address->start,
                         .index = address->index};
    if (address->base == MB_PLACE) group.start_set = setter(a, address->start);
    if (address->scale) group.index_set = setter(a, address->index);
    return group;
}

// ---- Accesses

static void add_access(MachAccesses *a, OrderOp *op, OrderAccess access) {
    vec_push(a->arena, &a->ops->accesses, access);
    op->access_count++;
}

// Whatever others know of.
static void add_all(MachAccesses *a, OrderOp *op, Order touch) {
    AccessGroup alone = {.object = OBJECT_ANY, .base = BASE_ALONE};
    add_access(a, op,
               (OrderAccess){.touch = touch,
                             .object = OBJECT_ANY,
                             .shared = true,
                             .group = group_number(a, &alone)});
}

// Whether the access surely goes right.
static bool add_bytes(MachAccesses *a, OrderOp *op, Order touch, AccessAddress address,
                      uint64_t size) {
    look_up(a, &address);
    AccessObject info = object_info(a, &address);
    bool inside = is_inside(&info, &address, size);
    bool held = inside || (address.base == MB_SLOT && !info.shared);
    uint32_t object = held ? object_number(a, &address) : OBJECT_ANY;
    AccessGroup group = group_of(a, &address, object, size);
    OrderAccess access = {.touch = touch,
                          .object = object,
                          .shared = !held || info.shared,
                          .group = group_number(a, &group)};
    if (group.base != BASE_ALONE) {
        access.at = (int32_t)address.at;
        access.size = (uint32_t)size;
    }
    add_access(a, op, access);
    return inside && !(info.read_only && touch & ORDER_CHANGES);
}

static AccessAddress address_in(Place place) {
    return (AccessAddress){.base = MB_PLACE, .start = mach_place_number(place)};
}

// A builtin that names its bytes without an address: it writes those at its first operand and reads
// those at the next.
static void add_copied(MachAccesses *a, const MachInstr *instr, OrderOp *op, Effects effects) {
    uint32_t k = 0;
    if (effects & MAY_WRITE)
        add_bytes(a, op, ORDER_CHANGES, address_in(instr->src[k++]), (uint64_t)instr->imm);
    if (effects & MAY_READ)
        add_bytes(a, op, ORDER_READS, address_in(instr->src[k]), (uint64_t)instr->imm);
}

// Whether nothing but its access can be a wrong step.
static bool waits_for_access_only(const MachInstr *instr) {
    switch ((MachKind)instr->kind) {
    case MK_LOAD:
    case MK_STORE:
    case MK_LOAD_PART:
    case MK_STORE_PART: return true;
    case MK_OP:
    case MK_UPDATE: return !instr->checked && !op_is_partial(instr->op);
    case MK_SELECT: return !op_is_partial(instr->op);
    case MK_LEA:
    case MK_CHECK:
    case MK_CALL:
    case MK_BUILTIN:
    case MK_PARAMS:
    case MK_MOVE:
    case MK_EXCHANGE:
    case MK_JUMP:
    case MK_BRANCH:
    case MK_SWITCH:
    case MK_RETURN:
    case MK_TAIL_CALL:
    case MK_TRAP:
    case MK_STOP:
    case MACH_KIND_COUNT: break;
    }
    return false;
}

static uint64_t bytes_moved(const MachInstr *instr) {
    bool part = instr->kind == MK_LOAD_PART || instr->kind == MK_STORE_PART;
    return part ? (uint64_t)instr->imm : chunk_size((Chunk)instr->chunk);
}

static void add_memory(MachAccesses *a, const MachInstr *instr, OrderOp *op) {
    Effects effects = mach_effects(instr);
    Order touch = 0, all = 0;
    if (effects & MAY_READ) touch |= ORDER_READS;
    if (effects & MAY_WRITE) touch |= ORDER_CHANGES;
    if (effects & MAY_READ_SHARED) all |= ORDER_READS;
    if (effects & (MAY_WRITE_SHARED | MAY_MOVE_STACK)) all |= ORDER_CHANGES;
    if (touch && instr->addressed) {
        bool right = add_bytes(a, op, touch, address_of(instr), bytes_moved(instr));
        if (right && waits_for_access_only(instr)) op->order &= (Order)~ORDER_WAITS;
    } else if (touch) {
        add_copied(a, instr, op, effects);
    }
    if (all) add_all(a, op, all);
    op->order = order_without_memory(op->order);
}

void mach_accesses_of(MachAccesses *a, uint32_t block, OrderOps *ops) {
    const MachBlock *info = mach_block(a->func, block);
    a->ops = ops;
    a->round++;
    a->objects = (Map){0};
    a->groups = (Table){0};
    vec_clear(&a->group_list);
    vec_clear(&ops->ops);
    vec_clear(&ops->places);
    vec_clear(&ops->accesses);
    ops->object_count = 1;
    for (uint32_t at = info->first; at < info->first + info->count; at++) {
        const MachInstr *instr = mach_at(a->func, at);
        OrderOp op = {.order = order_of_mach(a->func, instr), .first_access = ops->accesses.count};
        add_places(a, instr, &op);
        add_memory(a, instr, &op);
        note_set(a, &op, at);
        vec_push(a->arena, &ops->ops, op);
    }
    ops->group_count = a->group_list.count;
}
