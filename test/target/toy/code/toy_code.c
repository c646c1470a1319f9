// Selection for the toy machine: an instruction for each operator, addresses computed beforehand.
#include "mach/select/select.h"
#include "target/code.h"
#include "target/toy/model/toy.h"

static Place computed(Selector *s, Op op, Place a, Place b, int64_t number) {
    MachInstr instr = mach_instr(MK_OP);
    instr.op = (uint16_t)op;
    instr.dest = sel_temp(s, TYPE_I64);
    instr.src[0] = a;
    instr.src[1] = b;
    if (b.i == NO_ID) {
        instr.immediate = 1;
        instr.imm = number;
    }
    sel_put(s, instr);
    return instr.dest;
}

static Address address(Selector *s, const SelectItem *item) {
    static const uint8_t bases[] = {[BASE_NONE] = MB_NONE,
                                    [BASE_REG] = MB_PLACE,
                                    [BASE_SYMBOL] = MB_SYMBOL,
                                    [BASE_SLOT] = MB_SLOT};
    const Instr *instr = item->instr;
    Address result = {.base = bases[instr->base],
                      .scale = instr->scale,
                      .ref = instr->ref,
                      .displacement = instr->imm};
    uint32_t k = 0;
    if (instr->base == BASE_REG) result.base_value = sel_arg(s, item, k++);
    if (instr->scale) result.index = sel_arg(s, item, k);
    return result;
}

static Address address_at(Selector *s, SelectValue pointer, int64_t displacement) {
    (void)s;
    return (Address){.base = MB_PLACE, .base_value = pointer, .displacement = displacement};
}

static Place base_place(Selector *s, const Address *a) {
    Place place = NO_PLACE;
    if (a->base == MB_PLACE) return sel_place(s, a->base_value);
    if (a->base == MB_NONE) return place;
    place = sel_temp(s, TYPE_I64);
    sel_put_constant(
        s, &(Instr){.op = a->base == MB_SLOT ? OP_ADDR_SLOT : OP_ADDR_SYMBOL, .ref = a->ref},
        place);
    return place;
}

static void set_address(Selector *s, MachInstr *instr, Address a) {
    instr->addressed = true;
    bool frame = a.base == MB_SLOT || a.base == MB_INCOMING || a.base == MB_OUTGOING;
    if (frame && !a.scale && toy_is_small(a.displacement)) {
        instr->base = a.base;
        if (a.base == MB_SLOT) instr->ref = a.ref;
        instr->displacement = (int32_t)a.displacement;
        return;
    }
    if (a.base == MB_INCOMING || a.base == MB_OUTGOING) {
        instr->base = a.base;
        instr->displacement = (int32_t)a.displacement;
        return;
    }
    Place base = base_place(s, &a);
    if (a.scale) {
        Place index = sel_place(s, a.index);
        if (a.scale > 1)
            index = computed(s, OP_SHL_I64, index, NO_PLACE,
                             a.scale == 2   ? 1
                             : a.scale == 4 ? 2
                                            : 3);
        base = base.i == NO_ID ? index : computed(s, OP_ADD_I64, base, index, 0);
    }
    if (base.i == NO_ID || !toy_is_small(a.displacement)) {
        Place far = sel_constant_place(s, TYPE_I64, a.displacement);
        base = base.i == NO_ID ? far : computed(s, OP_ADD_I64, base, far, 0);
        a.displacement = 0;
    }
    instr->base = MB_PLACE;
    instr->base_place = base;
    instr->displacement = (int32_t)a.displacement;
}

static void set_source(Selector *s, MachInstr *instr, uint32_t k, SelectOperand operand) {
    if (operand.constant && toy_takes_immediate(instr, k, operand.imm)) {
        instr->immediate = (uint8_t)k;
        instr->imm = operand.imm;
    } else {
        instr->src[k] = sel_operand_place(s, &operand);
    }
}

static void set_sources(Selector *s, MachInstr *instr, const SelectItem *item) {
    for (uint32_t k = op_info(item->instr->op)->arity; k-- > 0;)
        set_source(s, instr, k, sel_operand(s, item, k));
}

static void compute(Selector *s, const SelectItem *item, Place dest) {
    if (item->instr->kind == I_LOAD) {
        sel_load_into(s, item, dest);
        return;
    }
    MachInstr instr = mach_instr(MK_OP);
    instr.op = item->instr->op;
    instr.dest = dest;
    set_sources(s, &instr, item);
    sel_put(s, instr);
}

static void branch(Selector *s, const SelectItem *item) {
    MachInstr instr = mach_instr(MK_BRANCH);
    instr.op = item->instr->op;
    set_sources(s, &instr, item);
    sel_put(s, instr);
}

static void check(Selector *s, const SelectItem *item) {
    MachInstr instr = mach_instr(MK_CHECK);
    SelectOperand operand = sel_operand_of(s, sel_arg(s, item, 0));
    instr.op = (uint16_t)op_of(FAM_NE, operand.type);
    instr.immediate = 1;
    instr.src[0] = sel_operand_place(s, &operand);
    sel_put(s, instr);
}

static const TargetSelect selection = {.address = address,
                                       .address_at = address_at,
                                       .set_address = set_address,
                                       .compute = compute,
                                       .branch = branch,
                                       .check = check};

// ---- Times

static MachTiming timing_of(const MachInstr *instr) {
    return (MachTiming){.latency = 1,
                        .busy = 1,
                        .count = 1,
                        .unit = UNIT_ALU,
                        .loads = instr->kind == MK_LOAD,
                        .stores = instr->kind == MK_STORE};
}

static bool no(const MachInstr *instr) {
    (void)instr;
    return false;
}

static const TargetTiming timing = {
    .issue_width = 1,
    .load_latency = 2,
    .ways = {[UNIT_ALU] = 1,
             [UNIT_SHIFT] = 1,
             [UNIT_MUL] = 1,
             [UNIT_DIVIDE] = 1,
             [UNIT_LOAD] = 1,
             [UNIT_STORE] = 1},
    .of = timing_of,
    .needs_no_tie = no,
    .leaves_flags = no,
    .tests_place = no,
};

// ---- No assembler

static bool needs_frame(const Func *func) {
    return func->slots.count || func->mach->spills.count || regs_any(func->mach->saved);
}

static uint32_t write_function(struct Assembly *assembly, const Func *func) {
    (void)assembly, (void)func;
    return 0;
}

static void write_shared(struct Assembly *assembly) {
    (void)assembly;
}

extern const TargetCode toy_code;

const TargetCode toy_code = {.assembler = "--toy",
                             .select = &selection,
                             .timing = &timing,
                             .needs_frame = needs_frame,
                             .write_function = write_function,
                             .write_shared = write_shared};
