// Loads, stores and builtins.
#include "mach/select/select.h"

// ---- Loads

void sel_fold_load(Selector *s, MachInstr *instr, uint32_t source, const SelectItem *load) {
    instr->memory = (uint8_t)source;
    instr->chunk = load->instr->chunk;
    sel_set_address(s, instr, sel_address(s, load));
}

void sel_load_into(Selector *s, const SelectItem *item, Place dest) {
    MachInstr instr = mach_instr(MK_LOAD);
    instr.dest = dest;
    sel_fold_load(s, &instr, NO_SOURCE, item);
    sel_put(s, instr);
}

// ---- Stores

static SelectValue stored_value(const Selector *s, const SelectItem *item) {
    return sel_arg(s, item, item->instr->arg_count - 1);
}

// What has the low bits that a store of a narrow chunk writes.
static SelectValue narrowed(Selector *s, Chunk chunk, SelectValue value) {
    uint32_t size = chunk_size(chunk);
    bool byte = size == 1;
    while (size < 4) {
        const SelectItem *item = sel_only(s, value);
        if (!item) break;
        Op op = item->instr->op;
        SelectOperand mask = op == OP_AND_I32 ? sel_operand(s, item, 1) : (SelectOperand){0};
        bool masked = mask.constant && mask.imm == (byte ? 0xff : 0xffff);
        if (!masked && op != (byte ? OP_SEXT8_I32 : OP_SEXT16_I32) &&
            op != (byte ? OP_ZEXT8_I32 : OP_ZEXT16_I32))
            break;
        value = sel_arg(s, item, 0);
    }
    return value;
}

// Whether two items name the same place in memory, registers having the same values.
static bool same_address(const Selector *s, const SelectItem *a, const SelectItem *b) {
    const Instr *x = a->instr, *y = b->instr;
    if (x->base != y->base || x->scale != y->scale || x->imm != y->imm || x->ref != y->ref)
        return false;
    for (uint32_t k = 0; k < sel_address_registers(x); k++) {
        SelectValue p = sel_arg(s, a, k), q = sel_arg(s, b, k);
        if (p.reg.i != q.reg.i || p.def != q.def) return false;
    }
    return true;
}

// A load of the place that a store writes, if it can be part of the same instruction.
static const SelectItem *updated(Selector *s, const SelectItem *store, const SelectItem *item,
                                 uint32_t k) {
    if (item->instr->immediate && k + 1 == op_info(item->instr->op)->arity) return NULL;
    const SelectItem *load = sel_load(s, sel_arg(s, item, k));
    bool same = load && chunk_size(load->instr->chunk) == chunk_size(store->instr->chunk) &&
                chunk_type(load->instr->chunk) == chunk_type(store->instr->chunk);
    return same && same_address(s, load, store) ? load : NULL;
}

// Does a load, an operator and a store to the same place as one instruction.
static bool put_update(Selector *s, const SelectItem *store) {
    Chunk chunk = store->instr->chunk;
    const SelectItem *item = sel_only(s, narrowed(s, chunk, stored_value(s, store)));
    MachInstr instr = mach_instr(MK_UPDATE);
    if (!item) return false;
    instr.op = item->instr->op;
    instr.memory = 0;
    instr.chunk = (uint8_t)chunk;
    const OpInfo *info = op_info(instr.op);
    if (info->arity == 0 || info->arity > 2 || !s->model->takes_memory(&instr, 0, chunk))
        return false;
    uint32_t k = 0;
    while (k < info->arity && !updated(s, store, item, k)) k++;
    if (k == info->arity || (k == 1 && !(info->flags & OPF_COMM))) return false;
    instr.chunk = updated(s, store, item, k)->instr->chunk;
    if (info->arity == 2) {
        SelectOperand other = sel_operand(s, item, 1 - k);
        if (other.constant && s->model->takes_immediate(&instr, 1, other.imm)) {
            instr.immediate = 1;
            instr.imm = other.imm;
        } else {
            instr.src[1] = sel_operand_place(s, &other);
        }
    }
    sel_set_address(s, &instr, sel_address(s, store));
    sel_put(s, instr);
    return true;
}

// Sets the source of a store or other access: an immediate if it takes one.
void sel_set_stored(Selector *s, MachInstr *instr, uint32_t k, SelectValue value) {
    const Instr *constant = sel_constant(s, value);
    if (constant && constant->op != OP_ADDR_SLOT && constant->op != OP_ADDR_SYMBOL &&
        s->model->takes_immediate(instr, k, constant->imm)) {
        instr->immediate = (uint8_t)k;
        instr->imm = constant->imm;
    } else {
        instr->src[k] = sel_place(s, value);
    }
}

void sel_store(Selector *s, const SelectItem *item) {
    if (put_update(s, item)) return;
    MachInstr instr = mach_instr(MK_STORE);
    instr.chunk = item->instr->chunk;
    SelectValue value = narrowed(s, instr.chunk, stored_value(s, item));
    sel_set_stored(s, &instr, 0, value);
    sel_set_address(s, &instr, sel_address(s, item));
    sel_put(s, instr);
}

// ---- Builtins

// The kind of what a builtin without successor becomes.
static MachKind builtin_kind(Builtin builtin) {
    if (builtin == BI_TRAP) return MK_TRAP;
    return builtin == BI_UNREACHABLE ? MK_STOP : MK_BUILTIN;
}

// Memset has its byte apart, as its immediate is the size.
static void set_filled(Selector *s, MachInstr *instr, SelectValue value) {
    SelectOperand operand = sel_operand_of(s, value);
    if (operand.constant) {
        instr->immediate = 1;
        instr->high = (uint8_t)operand.imm;
    } else {
        instr->src[1] = sel_place(s, value);
    }
}

static void put_builtin(Selector *s, const SelectItem *item) {
    const Instr *from = item->instr;
    bool access = instr_has_address(from);
    uint32_t first = access ? sel_address_registers(from) : 0;
    MachInstr instr = mach_instr(MK_BUILTIN);
    instr.op = from->op;
    instr.aux = from->op == BI_VA_ARG ? from->ref : from->aux;
    if (from->dest.i != NO_ID) instr.dest = place_of_reg(from->dest);
    if (access)
        instr.chunk = from->chunk;
    else
        instr.imm = from->imm;
    for (uint32_t k = 0; first + k < from->arg_count; k++) {
        SelectValue value = sel_arg(s, item, first + k);
        if (from->op == BI_MEMSET && k == 1)
            set_filled(s, &instr, value);
        else
            sel_set_stored(s, &instr, k, value);
    }
    if (access) sel_set_address(s, &instr, sel_address(s, item));
    sel_put(s, instr);
}

void sel_builtin(Selector *s, const SelectItem *item) {
    MachKind kind = builtin_kind(item->instr->op);
    if (kind == MK_BUILTIN)
        put_builtin(s, item);
    else
        sel_put(s, mach_instr(kind));
}
