// Sizes of objects that the program computes. A second register accompanies each register that a
// pointer goes through, and holds the number of bytes behind the pointer. It is set where the
// pointer is set: to the size of a variable, to the argument of malloc, or to the size of another
// pointer less the added offset. Only pointers whose every source is known are asked about
// (late_size.c); a register that also gets other values has a size that fits all.
#include "c/late/late.h"

#define FITS_ALL (INT64_MAX / 2)

typedef struct Dynamic {
    Arena *arena;
    const Lower *lower;
    Func *func;
    uint32_t odd;                // whether members count as objects
    Bits pointers;               // registers that get an address from somewhere
    Bits needed;                 // the sizes that matter
    uint32_t regs;               // how many registers there were
    uint32_t *size_of;           // register -> that of its size
    const struct Dynamic *whole; // if members count: sizes where they do not
} Dynamic;

// ---- Where addresses are

// Whether an instruction marks a pointer to a member.
static bool is_mark(const Dynamic *dynamic, const Instr *instr) {
    LateKind kind = late_kind(dynamic->lower, instr);
    return kind == LATE_SUBOBJECT || kind == LATE_OPEN;
}

// The register from which a definition takes its pointer, NO_REG if there is none or not one;
// `second` is for a choice.
static Reg source_of(const Dynamic *dynamic, const Instr *instr, Reg *second) {
    const Reg *args = instr_args(dynamic->func, instr);
    *second = NO_REG;
    if (instr->kind == I_CALL) {
        bool same = (is_mark(dynamic, instr) && !dynamic->odd) ||
                    late_passes_through(dynamic->lower, instr);
        return same ? args[0] : NO_REG;
    }
    if (instr->kind != I_OP) return NO_REG;
    switch ((Op)instr->op) {
    case OP_MOVE_I64: return args[0];
    case OP_SELECT_I64:
        if (instr->immediate) return NO_REG;
        *second = args[2];
        return args[1];
    case OP_SUB_I64: return args[0];
    case OP_ADD_I64: {
        if (instr->immediate) return args[0];
        bool a = bits_has(&dynamic->pointers, args[0].i),
             b = bits_has(&dynamic->pointers, args[1].i);
        return a == b ? NO_REG : a ? args[0] : args[1];
    }
    default: return NO_REG;
    }
}

static bool is_source(const Dynamic *dynamic, const Instr *instr) {
    uint32_t params[2];
    if (instr->kind == I_BUILTIN) return instr->op == BI_ALLOCA;
    if (instr->kind == I_OP) return instr->op == OP_ADDR_SLOT || instr->op == OP_ADDR_SYMBOL;
    if (instr->kind != I_CALL) return false;
    return (dynamic->odd && is_mark(dynamic, instr)) ||
           late_kind(dynamic->lower, instr) == LATE_PARAMETER ||
           late_allocates(dynamic->lower, instr, params);
}

static void find_pointers(Dynamic *dynamic, uint32_t count) {
    bool news = true;
    while (news) {
        news = false;
        for (uint32_t n = 0; n < count; n++) {
            const Instr *instr = &dynamic->func->nodes.at[n];
            if (instr->dest.i == NO_ID || reg_type(dynamic->func, instr->dest) != TYPE_I64)
                continue;
            Reg second, first = source_of(dynamic, instr, &second);
            if (is_source(dynamic, instr) ||
                (first.i != NO_ID && bits_has(&dynamic->pointers, first.i)) ||
                (second.i != NO_ID && bits_has(&dynamic->pointers, second.i)))
                news |= bits_put(&dynamic->pointers, instr->dest.i);
        }
    }
}

static void find_needed(Dynamic *dynamic, uint32_t count) {
    bool news = true;
    while (news) {
        news = false;
        for (uint32_t n = 0; n < count; n++) {
            const Instr *instr = &dynamic->func->nodes.at[n];
            if (instr->dest.i == NO_ID || !bits_has(&dynamic->needed, instr->dest.i)) continue;
            Reg sources[2];
            sources[0] = source_of(dynamic, instr, &sources[1]);
            for (uint32_t k = 0; k < 2; k++)
                if (sources[k].i != NO_ID && bits_has(&dynamic->pointers, sources[k].i))
                    news |= bits_put(&dynamic->needed, sources[k].i);
        }
    }
}

// ---- Code

Node late_put_before(Func *func, Node node, Instr instr) {
    Instr old = func->nodes.at[node.i];
    instr.loc = old.loc;
    instr.succ_count = 1;
    Node moved = func_add(func, old);
    instr.succ[0] = moved;
    func->nodes.at[node.i] = instr;
    return moved;
}

static Instr operation(Op op, Reg dest, uint32_t count, Reg a, Reg b) {
    return (Instr){
        .kind = I_OP, .op = (uint16_t)op, .dest = dest, .arg_count = count, .arg = {a, b}};
}

static Instr constant(Reg dest, int64_t value) {
    return (Instr){.kind = I_OP, .op = OP_CONST_I64, .dest = dest, .imm = value};
}

static Reg size_reg(const Dynamic *dynamic, Reg pointer) {
    return (Reg){dynamic->size_of[pointer.i]};
}

static bool has_size(const Dynamic *dynamic, Reg reg) {
    return reg.i != NO_ID && bits_has(&dynamic->needed, reg.i);
}

static Instr of_sum(const Dynamic *dynamic, const Instr *instr, Reg to, Reg pointer) {
    const Reg *args = instr_args(dynamic->func, instr);
    bool minus = instr->op == OP_SUB_I64;
    Reg by = instr->immediate ? NO_REG : args[0].i == pointer.i ? args[1] : args[0];
    Instr sum = operation(minus ? OP_ADD_I64 : OP_SUB_I64, to, 2, size_reg(dynamic, pointer), by);
    if (!instr->immediate) return sum;
    sum.arg_count = 1;
    sum.immediate = true;
    sum.imm = instr->imm;
    return sum;
}

static Instr of_call(const Dynamic *dynamic, const Instr *instr, Reg to) {
    const Func *func = dynamic->func;
    const Reg *args = instr_args(func, instr);
    uint32_t params[2];
    LateKind kind = late_kind(dynamic->lower, instr);
    if (kind == LATE_PARAMETER || (dynamic->odd && kind == LATE_SUBOBJECT))
        return operation(OP_MOVE_I64, to, 1, args[1], NO_REG);
    if (dynamic->odd && kind == LATE_OPEN)
        return has_size(dynamic->whole, args[0])
                   ? operation(OP_MOVE_I64, to, 1, size_reg(dynamic->whole, args[0]), NO_REG)
                   : constant(to, FITS_ALL);
    if (!late_allocates(dynamic->lower, instr, params)) return constant(to, FITS_ALL);
    Reg a = args[params[0] - 1], b = params[1] ? args[params[1] - 1] : NO_REG;
    bool narrow = reg_type(func, a) != TYPE_I64;
    if (b.i != NO_ID)
        return narrow || reg_type(func, b) != TYPE_I64 ? constant(to, FITS_ALL)
                                                       : operation(OP_MUL_I64, to, 2, a, b);
    if (narrow && reg_type(func, a) != TYPE_I32) return constant(to, FITS_ALL);
    // No negative number of bytes is allocated: it is a large number without a sign, or there is no
    // object.
    return operation(narrow ? OP_ZEXT_I64 : OP_MOVE_I64, to, 1, a, NO_REG);
}

// The new size of a pointer where the pointer is set.
static Instr size_of_definition(const Dynamic *dynamic, const Instr *instr, Reg to) {
    const Func *func = dynamic->func;
    Reg second, first = source_of(dynamic, instr, &second);
    if (second.i != NO_ID) {
        if (!has_size(dynamic, first) || !has_size(dynamic, second)) return constant(to, FITS_ALL);
        Instr choice =
            operation(OP_SELECT_I64, to, 3, instr_args(func, instr)[0], size_reg(dynamic, first));
        choice.arg[2] = size_reg(dynamic, second);
        return choice;
    }
    if (has_size(dynamic, first)) {
        if (instr->kind == I_OP && instr->op != OP_MOVE_I64)
            return of_sum(dynamic, instr, to, first);
        return operation(OP_MOVE_I64, to, 1, size_reg(dynamic, first), NO_REG);
    }
    if (instr->kind == I_CALL) return of_call(dynamic, instr, to);
    if (instr->kind == I_BUILTIN && instr->op == BI_ALLOCA)
        return operation(OP_MOVE_I64, to, 1, instr_args(func, instr)[0], NO_REG);
    uint64_t size = 0;
    bool given = instr->kind == I_OP && instr->op == OP_ADDR_SLOT;
    if (given) size = func->slots.at[instr->ref].size;
    if (instr->kind == I_OP && instr->op == OP_ADDR_SYMBOL)
        given = late_symbol_size(dynamic->lower, (Sym){instr->ref}, &size);
    return constant(to, given ? (int64_t)(size - (uint64_t)instr->imm) : FITS_ALL);
}

// Every size has a value from the beginning on. Jumps to the first node go on behind that.
static void set_at_entry(Dynamic *dynamic) {
    Func *func = dynamic->func;
    Node start = {0}, at = start;
    uint32_t count = func->nodes.count;
    for (uint32_t r = 0; r < dynamic->regs; r++)
        if (bits_has(&dynamic->needed, r))
            at = late_put_before(func, at, constant((Reg){dynamic->size_of[r]}, FITS_ALL));
    for (uint32_t n = 1; n < count; n++)
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++)
            if (instr_succs(func, &func->nodes.at[n])[k].i == start.i)
                func_set_succ(func, (Node){n}, k, at);
    for (uint32_t k = 0; k < func->nodes.at[at.i].succ_count; k++)
        if (instr_succs(func, &func->nodes.at[at.i])[k].i == start.i)
            func_set_succ(func, at, k, at);
}

// The answer: what is left, and nothing if the pointer is behind the end.
static void answer(const Dynamic *dynamic, Node node) {
    Func *func = dynamic->func;
    Instr question = func->nodes.at[node.i];
    Reg pointer = instr_args(func, &question)[0], dest = question.dest;
    if (!has_size(dynamic, pointer)) { // it is none that gets an address
        Instr *now = &func->nodes.at[node.i];
        *now = constant(dest, -1);
        now->loc = question.loc;
        func_set_succs(func, node, instr_succs(func, &question), 1);
        return;
    }
    Reg size = size_reg(dynamic, pointer), some = func_temp(func, TYPE_I32),
        none = func_temp(func, TYPE_I64);
    Instr test = operation(OP_GT_I64, some, 1, size, NO_REG);
    test.immediate = true;
    Node at = late_put_before(func, node, test);
    at = late_put_before(func, at, constant(none, 0));
    Instr choice = operation(OP_SELECT_I64, dest, 3, some, size);
    choice.arg[2] = none;
    choice.loc = question.loc;
    choice.succ_count = 1;
    choice.succ[0] = instr_succs(func, &question)[0];
    func->nodes.at[at.i] = choice;
}

// Marks what questions ask for; whether there are any.
static bool find_asked(Dynamic *dynamic, const DynamicQuestions *questions, uint32_t count) {
    const Func *func = dynamic->func;
    bool any = false, members = false;
    for (uint32_t i = 0; i < questions->count; i++) {
        members |= questions->at[i].kind & 1;
        if ((questions->at[i].kind & 1) != dynamic->odd) continue;
        Reg pointer = instr_args(func, func_at(func, questions->at[i].node))[0];
        if (bits_has(&dynamic->pointers, pointer.i)) bits_add(&dynamic->needed, pointer.i);
        any = true;
    }
    for (uint32_t n = 0; n < count && members && !dynamic->odd; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (late_kind(dynamic->lower, instr) != LATE_OPEN) continue;
        Reg pointer = instr_args(func, instr)[0];
        if (!bits_has(&dynamic->pointers, pointer.i)) continue;
        bits_add(&dynamic->needed, pointer.i);
        any = true;
    }
    return any;
}

static void answer_kinds(Dynamic *dynamic, const DynamicQuestions *questions) {
    Func *func = dynamic->func;
    uint32_t count = func->nodes.count, regs = func->regs.count;
    dynamic->regs = regs;
    dynamic->pointers = bits_new(dynamic->arena, regs);
    dynamic->needed = bits_new(dynamic->arena, regs);
    dynamic->size_of = ARENA_ARRAY(dynamic->arena, uint32_t, (size_t)regs + 1);
    find_pointers(dynamic, count);
    if (!find_asked(dynamic, questions, count)) return;
    find_needed(dynamic, count);
    for (uint32_t r = 0; r < regs; r++)
        if (bits_has(&dynamic->needed, r)) dynamic->size_of[r] = func_temp(func, TYPE_I64).i;
    for (uint32_t i = 0; i < questions->count; i++)
        if ((questions->at[i].kind & 1) == dynamic->odd) answer(dynamic, questions->at[i].node);
    for (uint32_t n = 0; n < count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->dest.i == NO_ID || instr->dest.i >= regs ||
            !bits_has(&dynamic->needed, instr->dest.i))
            continue;
        Reg to = size_reg(dynamic, instr->dest);
        late_put_before(func, (Node){n}, size_of_definition(dynamic, instr, to));
    }
    set_at_entry(dynamic);
}

void late_answer_dynamic(Arena *arena, const Lower *lower, Func *func,
                         const DynamicQuestions *questions) {
    Dynamic whole = {.arena = arena, .lower = lower, .func = func};
    answer_kinds(&whole, questions);
    Dynamic members = {.arena = arena, .lower = lower, .func = func, .odd = 1, .whole = &whole};
    answer_kinds(&members, questions);
}
