// Operators, comparisons, selects and branches.
#include "target/x64/code/x64_select.h"
#include "target/x64/model/constraints.h"
#include "target/x64/model/x64.h"

// ---- Sources

// The load that can be a source of an instruction whose other sources are set; NULL if there is
// none.
static const SelectItem *memory_source(Selector *s, const MachInstr *instr, uint32_t k,
                                       const SelectOperand *operand) {
    if (operand->constant || instr->addressed) return NULL;
    const SelectItem *load = sel_load(s, operand->value);
    return load && mach_takes_memory(instr, k, load->instr->chunk) ? load : NULL;
}

// Makes an operand a source: an immediate or in memory, if it may be, otherwise in a place.
static void set_source(Selector *s, MachInstr *instr, uint32_t k, const SelectOperand *operand) {
    const SelectItem *load = memory_source(s, instr, k, operand);
    if (operand->constant && mach_takes_immediate(instr, k, operand->imm)) {
        instr->immediate = (uint8_t)k;
        instr->imm = operand->imm;
    } else if (load) {
        sel_fold_load(s, instr, k, load);
    } else {
        instr->src[k] = sel_operand_place(s, operand);
    }
}

static MachInstr operator_into(Op op, Place dest) {
    MachInstr instr = mach_instr(MK_OP);
    instr.op = (uint16_t)op;
    instr.dest = dest;
    return instr;
}

static void exchange(SelectOperand *a, SelectOperand *b) {
    SelectOperand first = *a;
    *a = *b;
    *b = first;
}

// An operator as it stands. The last operand comes first, since it is what had best be an immediate
// or in memory.
static void compute_operator(Selector *s, const SelectItem *item, Place dest) {
    MachInstr instr = operator_into(item->instr->op, dest);
    const OpInfo *info = op_info(instr.op);
    SelectOperand operands[3];
    for (uint32_t k = 0; k < info->arity; k++) operands[k] = sel_operand(s, item, k);
    if (info->flags & OPF_COMM && !operands[1].constant &&
        !memory_source(s, &instr, 1, &operands[1]) &&
        (operands[0].constant || memory_source(s, &instr, 1, &operands[0])))
        exchange(&operands[0], &operands[1]);
    for (uint32_t k = info->arity; k-- > 0;) set_source(s, &instr, k, &operands[k]);
    sel_put(s, instr);
}

// ---- Integers

static bool put_sum(Selector *s, const SelectItem *item, Place dest) {
    Address address;
    if (!x64_sum(s, item, &address)) return false;
    MachInstr instr = mach_instr(MK_LEA);
    if (op_info(item->instr->op)->result == TYPE_I32) instr.chunk = CHUNK_I32;
    x64_set_address(s, &instr, address);
    instr.dest = dest;
    sel_put(s, instr);
    return true;
}

// x and 255 or 65535 is an extension, which takes two addresses.
static bool put_mask(Selector *s, const SelectItem *item, Place dest) {
    if (s->plain || item->instr->op != OP_AND_I32) return false;
    SelectOperand b = sel_operand(s, item, 1);
    if (!b.constant || (b.imm != 0xff && b.imm != 0xffff)) return false;
    MachInstr instr = operator_into(b.imm == 0xff ? OP_ZEXT8_I32 : OP_ZEXT16_I32, dest);
    instr.src[0] = sel_place(s, sel_arg(s, item, 0));
    sel_put(s, instr);
    return true;
}

static void compute_integer(Selector *s, const SelectItem *item, Place dest) {
    switch (op_family(item->instr->op)) {
    case FAM_ADD:
    case FAM_SUB:
        if (put_sum(s, item, dest)) return;
        break;
    case FAM_AND:
        if (put_mask(s, item, dest)) return;
        break;
    default: break;
    }
    compute_operator(s, item, dest);
}

// Sets a place to 3, 5 or 9 times another: x + 2x, x + 4x or x + 8x.
static void put_multiple(Selector *s, Type type, Place x, int64_t times, Place dest) {
    MachInstr instr = mach_instr(MK_LEA);
    if (type == TYPE_I32) instr.chunk = CHUNK_I32;
    instr.addressed = true;
    instr.base = MB_PLACE;
    instr.base_place = instr.index = x;
    instr.scale = (uint8_t)(times - 1);
    instr.dest = dest;
    sel_put(s, instr);
}

static bool is_multiple(int64_t times) {
    return times == 3 || times == 5 || times == 9;
}

// 3, 5 or 9, if a factor is that times one of these, or times a power of two; else 0.
static int64_t first_multiple(int64_t factor) {
    static const int64_t multiples[] = {9, 5, 3};
    for (int k = 0; k < 3 && factor > 0; k++) {
        int64_t rest = factor / multiples[k];
        if (factor % multiples[k] == 0 && (is_multiple(rest) || (rest & (rest - 1)) == 0))
            return multiples[k];
    }
    return 0;
}

// Two short instructions are faster than a multiplication.
static void compute_product(Selector *s, const SelectItem *item, Place dest) {
    SelectOperand a = sel_operand(s, item, 0), b = sel_operand(s, item, 1);
    int64_t first = b.constant && !s->plain ? first_multiple(b.imm) : 0;
    if (!first) {
        compute_operator(s, item, dest);
        return;
    }
    int64_t rest = b.imm / first;
    Place x = sel_operand_place(s, &a), product = rest == 1 ? dest : sel_temp(s, a.type);
    put_multiple(s, a.type, x, first, product);
    if (is_multiple(rest)) {
        put_multiple(s, a.type, product, rest, dest);
    } else if (rest > 1) {
        MachInstr shift = operator_into(op_of(FAM_SHL, a.type), dest);
        shift.src[0] = product;
        shift.immediate = 1;
        while ((int64_t)1 << shift.imm < rest) shift.imm++;
        sel_put(s, shift);
    }
}

// Another width: of what was loaded, if possible, as part of the load.
static void compute_extension(Selector *s, const SelectItem *item, Place dest) {
    Op op = item->instr->op;
    const SelectItem *load = sel_load(s, sel_arg(s, item, 0));
    uint32_t size = load ? chunk_size(load->instr->chunk) : 0;
    MachInstr instr = operator_into(op, dest);
    bool byte = op == OP_SEXT8_I32 || op == OP_ZEXT8_I32,
         word = op == OP_SEXT16_I32 || op == OP_ZEXT16_I32;
    if (load && (byte || word) && size == (byte ? 1 : 2)) {
        bool sign = op == OP_SEXT8_I32 || op == OP_SEXT16_I32;
        instr = mach_instr(MK_LOAD);
        instr.dest = dest;
        sel_fold_load(s, &instr, NO_SOURCE, load);
        instr.chunk = byte ? (sign ? CHUNK_I8 : CHUNK_U8) : (sign ? CHUNK_I16 : CHUNK_U16);
    } else if (load && !byte && !word) {
        sel_fold_load(s, &instr, 0, load);
    } else {
        instr.src[0] = sel_place(s, sel_arg(s, item, 0));
    }
    sel_put(s, instr);
}

// ---- Comparisons

typedef struct {
    Op op;
    SelectOperand a, b;
    bool shared; // computed elsewhere, too: no load may be folded in
} SelectComparison;

static SelectComparison comparison_of(const Selector *s, const SelectItem *item) {
    return (SelectComparison){
        .op = item->instr->op, .a = sel_operand(s, item, 0), .b = sel_operand(s, item, 1)};
}

static SelectComparison not_zero(const Selector *s, SelectValue value) {
    SelectOperand a = sel_operand_of(s, value);
    return (SelectComparison){.op = op_of(FAM_NE, a.type),
                              .a = a,
                              .b = {.value = {.reg = NO_REG}, .type = a.type, .constant = true}};
}

static bool is_equality(Op op) {
    return op_compares_integers(op) && (op_family(op) == FAM_EQ || op_family(op) == FAM_NE);
}

// A comparison's result compared with 0 is the comparison, or its negation. Computing it twice is
// as cheap as keeping its result.
static void see_through(Selector *s, SelectComparison *c) {
    enum { STEPS = 8 }; // so that long chains are not walked from each of their members
    for (int step = 0; step < STEPS; step++) {
        if (!is_equality(c->op) || !c->b.constant || c->b.imm != 0 || c->a.constant) return;
        const SelectItem *item = sel_again(s, c->a.value);
        if (!item || !(op_info(item->instr->op)->flags & OPF_COND) ||
            x64_shape(item->instr->op) == X64_X87)
            return;
        bool negate = op_family(c->op) == FAM_EQ;
        bool shared = c->shared || item->reads.uses != 1 || item->reads.live_out;
        *c = comparison_of(s, item);
        c->shared = shared;
        if (negate) c->op = op_negation(c->op);
    }
}

// Puts the operands of a comparison in, the second first, since it may be an immediate.
static void set_compared(Selector *s, MachInstr *instr, const SelectOperand *a,
                         const SelectOperand *b, bool shared) {
    bool addressed = instr->addressed;
    instr->addressed |= shared; // so that no load is folded
    set_source(s, instr, 1, b);
    set_source(s, instr, 0, a);
    if (shared) instr->addressed = addressed;
}

// x & y compared with 0, where only sign and zero count.
static bool set_test(Selector *s, MachInstr *instr, const SelectComparison *c) {
    OpFamily family = op_family(c->op);
    bool sign = op_compares_integers(c->op) && (family == FAM_LT || family == FAM_GE);
    if (!c->b.constant || c->b.imm != 0 || c->a.constant || !(is_equality(c->op) || sign))
        return false;
    const SelectItem *item = sel_only(s, c->a.value);
    if (!item || op_family(item->instr->op) != FAM_AND) return false;
    SelectOperand x = sel_operand(s, item, 0), y = sel_operand(s, item, 1);
    instr->tested = true;
    set_compared(s, instr, &x, &y, c->shared);
    return true;
}

// Makes the first two sources of a set, select or branch a comparison.
static void set_comparison(Selector *s, MachInstr *instr, SelectComparison c) {
    see_through(s, &c);
    if (c.a.constant && !c.b.constant && (op_compares_integers(c.op) || op_tells_overflow(c.op))) {
        exchange(&c.a, &c.b);
        c.op = op_mirror(c.op);
    }
    instr->op = (uint16_t)c.op;
    if (!set_test(s, instr, &c)) set_compared(s, instr, &c.a, &c.b, c.shared);
}

static void compute_comparison(Selector *s, const SelectItem *item, Place dest) {
    MachInstr instr = mach_instr(MK_OP);
    instr.dest = dest;
    set_comparison(s, &instr, comparison_of(s, item));
    sel_put(s, instr);
}

static void compute_choice(Selector *s, const SelectItem *item, Place dest) {
    MachInstr instr = mach_instr(MK_SELECT);
    instr.dest = dest;
    instr.aux = op_info(item->instr->op)->result;
    set_comparison(s, &instr, not_zero(s, sel_arg(s, item, 0)));
    for (uint32_t k = 2; k < 4; k++) instr.src[k] = sel_place(s, sel_arg(s, item, k - 1));
    sel_put(s, instr);
}

static void branch(Selector *s, const SelectItem *item) {
    MachInstr instr = mach_instr(MK_BRANCH);
    set_comparison(s, &instr, comparison_of(s, item));
    sel_put(s, instr);
}

// ---- Checked arithmetic

static bool same_operand(const SelectOperand *a, const SelectOperand *b) {
    if (a->constant || b->constant) return a->constant && b->constant && a->imm == b->imm;
    return a->value.reg.i == b->value.reg.i && a->value.def == b->value.def;
}

// Whether a check asks that the result of an operator fits, and nothing else reads the answer.
static bool checks_operator(Selector *s, const SelectItem *check, const SelectItem *item) {
    SelectValue value = sel_arg(s, check, 0);
    const SelectItem *fits = sel_item(s, value);
    if (!fits || fits->instr->kind != I_OP || fits->reads.uses != 1 || fits->reads.live_out)
        return false;
    Op wanted = op_exactness(item->instr->op);
    SelectOperand a = sel_operand(s, item, 0), b = sel_operand(s, item, 1);
    SelectOperand c = sel_operand(s, fits, 0), d = sel_operand(s, fits, 1);
    if (fits->instr->op == wanted && same_operand(&a, &c) && same_operand(&b, &d)) return true;
    return fits->instr->op == op_mirror(wanted) && same_operand(&a, &d) && same_operand(&b, &c);
}

// Whether nothing is lost if a check is done behind an item.
static bool may_precede_check(const Instr *instr) {
    return instr->kind == I_OP && !op_is_partial(instr->op);
}

// Finds the check that an operator, which is computed now, can do, too.
static void merge_check(Selector *s, SelectItem *item) {
    enum { FARTHEST = 24 };
    uint32_t at = (uint32_t)(item - s->items.at);
    bool behind = true;
    for (uint32_t k = s->now; k-- > 0 && s->now - k <= FARTHEST;) {
        SelectItem *check = &s->items.at[k];
        bool free = check->instr->kind == I_CHECK && !check->merged && !check->merges;
        if (free && k < at && checks_operator(s, check, item)) {
            item->check = k + 1;
            check->merged = behind;
            if (behind) return;
            check->merges = at + 1;
            check->merged_to = sel_temp(s, op_info(item->instr->op)->result);
            return;
        }
        behind = behind && may_precede_check(check->instr);
    }
}

static void compute_checked(Selector *s, const SelectItem *item, Place dest) {
    compute_operator(s, item, dest);
    s->group.at[s->group.count - 1].checked = true;
}

// The operator that does a check, too. If it was done in the place of the check, its result waits.
static bool put_checked(Selector *s, SelectItem *item, Place dest) {
    if (s->plain || item->instr->kind != I_OP || op_exactness(item->instr->op) == OP_COUNT)
        return false;
    if (!item->check) merge_check(s, item);
    if (!item->check) return false;
    const SelectItem *check = &s->items.at[item->check - 1];
    if (check->merged) {
        compute_checked(s, item, dest);
    } else {
        MachInstr copy = operator_into(op_move(op_info(item->instr->op)->result), dest);
        copy.src[0] = check->merged_to;
        sel_put(s, copy);
    }
    return true;
}

static void check(Selector *s, const SelectItem *item) {
    if (item->merged) return;
    if (item->merges) {
        compute_checked(s, &s->items.at[item->merges - 1], item->merged_to);
        return;
    }
    MachInstr instr = mach_instr(MK_CHECK);
    set_comparison(s, &instr, not_zero(s, sel_arg(s, item, 0)));
    sel_put(s, instr);
}

// ---- Quotient and remainder

// The family of the other result of a division.
static OpFamily other_result(Op op) {
    switch (op_family(op)) {
    case FAM_DIVS: return FAM_MODS;
    case FAM_MODS: return FAM_DIVS;
    case FAM_DIVU: return FAM_MODU;
    default: return FAM_DIVU;
    }
}

// The item before the one at hand that divides the same numbers for the other result.
static SelectItem *other_division(Selector *s, const SelectItem *item) {
    enum { FARTHEST = 24 };
    Op wanted = op_of(other_result(item->instr->op), op_info(item->instr->op)->result);
    SelectOperand a = sel_operand(s, item, 0), b = sel_operand(s, item, 1);
    for (uint32_t k = s->now; k-- > 0 && s->now - k <= FARTHEST;) {
        SelectItem *other = &s->items.at[k];
        if (other->instr->kind != I_OP || other->instr->op != wanted || other->divides_twice ||
            !(other->reads.uses || other->reads.live_out))
            continue;
        SelectOperand c = sel_operand(s, other, 0), d = sel_operand(s, other, 1);
        if (same_operand(&a, &c) && same_operand(&b, &d)) return other;
    }
    return NULL;
}

static void put_operation(Selector *s, OpFamily family, Type type, Place a, Place b, Place dest) {
    MachInstr instr = operator_into(op_of(family, type), dest);
    instr.src[0] = a;
    instr.src[1] = b;
    sel_put(s, instr);
}

static void put_copy(Selector *s, Type type, Place from, Place dest) {
    MachInstr copy = operator_into(op_move(type), dest);
    copy.src[0] = from;
    sel_put(s, copy);
}

// The remainder is what the quotient times the divisor leaves: a product takes a fraction of the
// time of a division.
static void compute_both(Selector *s, const SelectItem *item, Place dest) {
    SelectOperand a = sel_operand(s, item, 0), b = sel_operand(s, item, 1);
    OpFamily family = op_family(item->instr->op), other = other_result(item->instr->op);
    bool first = family == FAM_DIVS || family == FAM_DIVU;
    Place x = sel_operand_place(s, &a), y = sel_operand_place(s, &b);
    Place quotient = first ? sel_temp(s, a.type) : item->merged_to, product = sel_temp(s, a.type);
    put_operation(s, first ? family : other, a.type, x, y, quotient);
    put_operation(s, FAM_MUL, a.type, quotient, y, product);
    put_operation(s, FAM_SUB, a.type, x, product, first ? item->merged_to : dest);
    if (first) put_copy(s, a.type, quotient, dest);
}

static void compute_division(Selector *s, const SelectItem *item, Place dest) {
    if (item->divides_twice) {
        compute_both(s, item, dest);
        return;
    }
    SelectItem *other = s->plain ? NULL : other_division(s, item);
    if (!other) {
        compute_operator(s, item, dest);
        return;
    }
    Type type = op_info(item->instr->op)->result;
    other->divides_twice = other->needed = true;
    other->merged_to = sel_temp(s, type);
    put_copy(s, type, other->merged_to, dest);
}

// ---- All of them

// What a copy copies, if that can be computed straight into the copy's destination because nothing
// else reads it; else the copy itself.
static const SelectItem *copied(Selector *s, const SelectItem *item) {
    while (item->instr->kind == I_OP && op_is_move(item->instr->op)) {
        SelectValue value = sel_arg(s, item, 0);
        const SelectItem *source = sel_constant(s, value) ? NULL : sel_only(s, value);
        if (!source) source = sel_load(s, value);
        if (!source || source->divides_twice) break;
        item = source;
    }
    return item;
}

static void compute_copy(Selector *s, const SelectItem *item, Place dest) {
    SelectValue value = sel_arg(s, item, 0);
    const Instr *constant = sel_constant(s, value);
    MachInstr instr = operator_into(item->instr->op, dest);
    if (constant) {
        sel_put_constant(s, constant, dest);
        return;
    }
    instr.src[0] = sel_place(s, value);
    sel_put(s, instr);
}

static void compute(Selector *s, const SelectItem *item, Place dest) {
    item = copied(s, item);
    if (item->instr->kind == I_LOAD) {
        sel_load_into(s, item, dest);
        return;
    }
    if (put_checked(s, &s->items.at[item - s->items.at], dest)) return;
    switch (x64_shape(item->instr->op)) {
    case X64_COPY: compute_copy(s, item, dest); break;
    case X64_BINARY: compute_integer(s, item, dest); break;
    case X64_MULTIPLY: compute_product(s, item, dest); break;
    case X64_EXTEND:
    case X64_TRUNCATE: compute_extension(s, item, dest); break;
    case X64_COMPARE:
    case X64_OVERFLOW:
    case X64_FCOMPARE: compute_comparison(s, item, dest); break;
    case X64_CHOOSE: compute_choice(s, item, dest); break;
    case X64_DIVIDE:
    case X64_REMAINDER: compute_division(s, item, dest); break;
    default: compute_operator(s, item, dest); break;
    }
}

const TargetSelect x64_selection = {
    .address = x64_item_address,
    .address_at = x64_pointer_address,
    .set_address = x64_set_address,
    .compute = compute,
    .branch = branch,
    .check = check,
};
