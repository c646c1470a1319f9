// Addresses: base + index * scale + displacement, grown by folding in the operators that compute
// the parts.
//
// A part that is a sum, multiple or copy is replaced by its operands, as long as the whole stays an
// address of the machine. This pays if nothing else reads the part, so that its own instruction
// vanishes, or if the part costs nothing: a constant, a frame slot, a register plus a constant, or
// a part that only addresses read.
#include "target/x64/code/x64_select.h"
#include "target/x64/model/x64.h"

static bool displacement_fits(const Address *address, int64_t displacement) {
    return x64_displacement_fits((MachBase)address->base, displacement);
}

// Adds to the displacement, if the sum fits.
static bool displace(Address *address, int64_t add, int64_t times) {
    if (!sel_fits(add) || !sel_fits(address->displacement)) return false;
    int64_t sum = address->displacement + add * times;
    if (!displacement_fits(address, sum)) return false;
    address->displacement = sum;
    return true;
}

// Whether folding an item leaves nothing of it behind.
static bool is_free(const SelectItem *item) {
    const Reads *reads = &item->reads;
    return !reads->live_out && (reads->uses == 1 || reads->uses == reads->address_uses);
}

static bool is_add(Op op) {
    return op == OP_ADD_I64 || op == OP_ADD_I32;
}
static bool is_sub(Op op) {
    return op == OP_SUB_I64 || op == OP_SUB_I32;
}

// x times what, if an operator is that: 1 for a copy, 0 if it is something else.
static int64_t multiple(const Selector *s, const SelectItem *item) {
    Op op = item->instr->op;
    if (op == OP_MOVE_I64 || op == OP_MOVE_I32) return 1;
    bool shift = op == OP_SHL_I64 || op == OP_SHL_I32;
    if (!shift && op != OP_MUL_I64 && op != OP_MUL_I32) return 0;
    SelectOperand by = sel_operand(s, item, 1);
    if (!by.constant) return 0;
    if (shift) return by.imm >= 0 && by.imm <= 3 ? (int64_t)1 << by.imm : 0;
    return by.imm == 2 || by.imm == 4 || by.imm == 8 ? by.imm : 0;
}

// The constant that an operator adds to its first operand, if it does that.
static bool adds_constant(const Selector *s, const SelectItem *item, int64_t *added) {
    if (!is_add(item->instr->op) && !is_sub(item->instr->op)) return false;
    SelectOperand by = sel_operand(s, item, 1);
    if (!by.constant || !sel_fits(by.imm)) return false;
    *added = is_sub(item->instr->op) ? -by.imm : by.imm;
    return true;
}

// ---- One step

// A near symbol is a base even where it takes no index: a register then holds it.
static bool can_start_at(const Selector *s, const Instr *constant) {
    return constant->op == OP_ADDR_SLOT || (constant->op == OP_ADDR_SYMBOL &&
                                            mach_symbol_is_near(s->program, (Sym){constant->ref}));
}

// The base is a constant: it goes into the displacement, or becomes a symbol or slot.
static bool fold_base_constant(const Selector *s, Address *address) {
    const Instr *constant = sel_constant(s, address->base_value);
    if (!constant) return false;
    Address grown = *address;
    if (constant->op == OP_CONST_I64 || constant->op == OP_CONST_I32) {
        grown.base = MB_NONE;
        if (!address->scale || !displace(&grown, constant->imm, 1)) return false;
    } else {
        if (!can_start_at(s, constant)) return false;
        grown.base = constant->op == OP_ADDR_SLOT ? MB_SLOT : MB_SYMBOL;
        grown.ref = constant->ref;
        if (!displace(&grown, constant->imm, 1)) return false;
    }
    *address = grown;
    return true;
}

// The base is a sum or a multiple.
static bool fold_base(Selector *s, Address *address, bool sum) {
    if (address->base != MB_PLACE) return false;
    if (fold_base_constant(s, address)) return true;
    const SelectItem *item = sel_again(s, address->base_value);
    if (!item) return false;
    int64_t added = 0, times = multiple(s, item);
    bool constant = adds_constant(s, item, &added);
    if ((sum || !constant) && !is_free(item)) return false;
    if (constant && !displace(address, added, 1)) return false;
    if (constant || times == 1) {
        address->base_value = sel_arg(s, item, 0);
        return true;
    }
    if (address->scale == 1 && times > 1) {
        address->base_value = address->index;
        address->index = sel_arg(s, item, 0);
        address->scale = (uint8_t)times;
        return true;
    }
    if (address->scale) return false;
    if (is_add(item->instr->op) && !item->instr->immediate) {
        address->base_value = sel_arg(s, item, 0);
        address->index = sel_arg(s, item, 1);
        address->scale = 1;
        return true;
    }
    if (times == 0 || address->displacement == 0) return false;
    address->base = MB_NONE;
    address->index = sel_arg(s, item, 0);
    address->scale = (uint8_t)times;
    return true;
}

static bool fold_index_constant(const Selector *s, Address *address) {
    SelectOperand index = sel_operand_of(s, address->index);
    if (!index.constant || address->base == MB_NONE ||
        !displace(address, index.imm, address->scale))
        return false;
    address->scale = 0;
    return true;
}

static void exchange(Address *address) {
    SelectValue base = address->base_value;
    address->base_value = address->index;
    address->index = base;
}

static bool fold_index(Selector *s, Address *address, bool sum) {
    if (!address->scale) return false;
    if (fold_index_constant(s, address)) return true;
    if (address->scale == 1 && address->base == MB_NONE) {
        address->base = MB_PLACE;
        address->base_value = address->index;
        address->scale = 0;
        return true;
    }
    // Only a base can be a frame slot or a symbol.
    if (address->scale == 1 && address->base == MB_PLACE) {
        const Instr *constant = sel_constant(s, address->index);
        if (constant && can_start_at(s, constant)) {
            exchange(address);
            return true;
        }
    }
    const SelectItem *item = sel_again(s, address->index);
    if (!item) return false;
    int64_t added = 0, times = multiple(s, item);
    bool constant = adds_constant(s, item, &added);
    if ((sum || !constant) && !is_free(item)) return false;
    if (constant) {
        if (!displace(address, added, address->scale)) return false;
    } else if (times == 0 || address->scale * times > 8) {
        return false;
    } else {
        address->scale = (uint8_t)(address->scale * times);
    }
    address->index = sel_arg(s, item, 0);
    return true;
}

// Each step takes an operator or constant of the block away, and of a chain no more than a few can
// be taken; the bound keeps long chains of additions from being walked from each of their members.
// A sum takes instructions of its own, so that it does not pay to compute a part twice.
static void grow(Selector *s, Address *address, bool sum) {
    enum { STEPS = 16 };
    for (int step = 0; step < STEPS; step++)
        if (!fold_base(s, address, sum) && !fold_index(s, address, sum)) return;
}

// ---- Steps back

// Where a register is read by addresses behind its increment, they can as well start at the
// incremented one; then the register is free for that. Such is `*p++`.
static bool step_back(Selector *s, Address *address, SelectValue *part, int64_t times) {
    const Reads *reads = sel_reads(s, *part);
    if (s->plain || !reads->increment || reads->increment > s->now || reads->live_out ||
        reads->uses != reads->address_uses + 1)
        return false;
    const SelectItem *item = &s->items.at[reads->increment - 1];
    Reg dest = item->instr->dest;
    int64_t added;
    if (!(item->reads.live_out || item->needed) || s->current[dest.i] != reads->increment ||
        !adds_constant(s, item, &added) || !displace(address, -added, times))
        return false;
    *part = (SelectValue){.reg = dest, .def = reads->increment};
    return true;
}

static void step_parts_back(Selector *s, Address *address) {
    if (address->base == MB_PLACE) step_back(s, address, &address->base_value, 1);
    if (address->scale) step_back(s, address, &address->index, address->scale);
}

// ---- Addresses of instructions

Address x64_item_address(Selector *s, const SelectItem *item) {
    static const uint8_t bases[] = {[BASE_NONE] = MB_NONE,
                                    [BASE_REG] = MB_PLACE,
                                    [BASE_SYMBOL] = MB_SYMBOL,
                                    [BASE_SLOT] = MB_SLOT};
    const Instr *instr = item->instr;
    Address address = {.base = bases[instr->base],
                       .scale = instr->scale,
                       .ref = instr->ref,
                       .displacement = instr->imm};
    uint32_t k = 0;
    if (instr->base == BASE_REG) address.base_value = sel_arg(s, item, k++);
    if (instr->scale) address.index = sel_arg(s, item, k);
    grow(s, &address, false);
    step_parts_back(s, &address);
    return address;
}

Address x64_pointer_address(Selector *s, SelectValue pointer, int64_t displacement) {
    Address address = {.base = MB_PLACE, .base_value = pointer, .displacement = displacement};
    grow(s, &address, false);
    return address;
}

// A register that holds the base, if an instruction cannot name it; what does not fit of the
// displacement is added to it. One that a function has to be called for is worth to be kept.
static Place base_place(Selector *s, Address *address) {
    Place place = NO_PLACE;
    MachInstr start = mach_instr(MK_OP);
    start.op = address->base == MB_SLOT ? OP_ADDR_SLOT : OP_ADDR_SYMBOL;
    start.ref = address->ref;
    if (address->base == MB_PLACE) {
        place = sel_place(s, address->base_value);
    } else if (address->base == MB_SYMBOL && (mach_symbol_is_near(s->program, (Sym){start.ref}) ||
                                              mach_asks_for_address(s->program, &start))) {
        place = sel_symbol_place(s, (Sym){address->ref});
    } else if (address->base != MB_NONE) {
        start.dest = place = sel_temp(s, TYPE_I64);
        sel_put(s, start);
    }
    if (x64_displacement_fits(MB_PLACE, address->displacement)) return place;
    Place far = sel_constant_place(s, TYPE_I64, address->displacement);
    address->displacement = 0;
    if (address->base == MB_NONE) return far;
    MachInstr add = mach_instr(MK_OP);
    add.op = OP_ADD_I64;
    add.src[0] = place;
    add.src[1] = far;
    add.dest = sel_temp(s, TYPE_I64);
    sel_put(s, add);
    return add.dest;
}

static bool can_name_base(const Selector *s, const Address *address) {
    if (!displacement_fits(address, address->displacement)) return false;
    if (address->base != MB_SYMBOL) return true;
    Sym symbol = {address->ref};
    return address->scale ? x64_symbol_takes_index(s->program, symbol)
                          : mach_symbol_is_near(s->program, symbol);
}

void x64_set_address(Selector *s, MachInstr *instr, Address address) {
    instr->addressed = true;
    if (address.scale) {
        instr->scale = address.scale;
        instr->index = sel_place(s, address.index);
    }
    if (can_name_base(s, &address) && address.base != MB_PLACE) {
        instr->base = address.base;
        if (address.base == MB_SYMBOL || address.base == MB_SLOT) instr->ref = address.ref;
    } else {
        instr->base_place = base_place(s, &address);
        instr->base = MB_PLACE;
    }
    instr->displacement = (int32_t)address.displacement;
}

// ---- Sums

bool x64_sum(Selector *s, const SelectItem *item, Address *address) {
    if (s->plain) return false;
    int64_t added;
    *address = (Address){.base = MB_PLACE, .base_value = sel_arg(s, item, 0)};
    if (adds_constant(s, item, &added)) {
        address->displacement = added;
    } else if (is_add(item->instr->op) && !item->instr->immediate) {
        address->index = sel_arg(s, item, 1);
        address->scale = 1;
    } else {
        return false;
    }
    grow(s, address, true);
    if (!displacement_fits(address, address->displacement)) return false;
    bool based = address->base != MB_NONE, displaced = address->displacement != 0;
    bool named = based && address->base != MB_PLACE && can_name_base(s, address);
    if (!address->scale) return named;
    return named || (based && displaced) || (address->scale > 1 && (based || displaced));
}
