#include "fact/order.h"

#include "fact/calls.h"
#include "form/mach.h"

// That a frame is used counts as use of the outside: such instructions stay in their order. The
// life of an object that begins or ends is a change of memory.
static Order order_of_effects(Effects effects) {
    Order order = 0;
    if (effects & (MAY_READ | MAY_READ_SHARED)) order |= ORDER_READS;
    if (effects & (MAY_WRITE | MAY_WRITE_SHARED | MAY_MOVE_STACK)) order |= ORDER_CHANGES;
    if (effects & MAY_GO_WRONG) order |= ORDER_WAITS;
    if (effects & (MAY_STOP | MAY_BE_EVENT | MAY_MOVE_STACK | USES_FRAME | USES_MACHINE | MAY_SPIN))
        order |= ORDER_CHAINED;
    return order;
}

// A store to an object that is read-only is a wrong step, wherever it lies.
static bool cannot_go_wrong(const Func *func, const Instr *instr) {
    if (instr->kind != I_LOAD && instr->kind != I_STORE) return false;
    if (!access_is_inside(func, instr)) return false;
    return instr->kind == I_LOAD || instr->base != BASE_SYMBOL ||
           !(program_at(func->program, (Sym){instr->ref})->flags & SYMF_CONST);
}

Order order_of_instr(const Func *func, const Instr *instr) {
    if (call_returns_twice(func->program, instr)) return ORDER_BARRIER;
    Effects effects = instr_effects(instr);
    if (cannot_go_wrong(func, instr)) effects &= ~(Effects)MAY_GO_WRONG;
    return order_of_effects(effects);
}

// Parameters are where they are only before anything else has happened.
Order order_of_mach(const Func *func, const MachInstr *instr) {
    if (instr->kind == MK_PARAMS || mach_kind_ends(instr->kind) ||
        mach_call_returns_twice(func->program, instr))
        return ORDER_BARRIER;
    return order_of_effects(mach_effects(instr));
}

bool ops_keep_order(const OrderOps *ops, uint32_t earlier, uint32_t later) {
    const OrderOp *a = &ops->ops.at[earlier], *b = &ops->ops.at[later];
    if (order_needs(b->order, a->order) || order_spoils(b->order, a->order)) return true;
    for (uint32_t i = 0; i < a->access_count; i++)
        for (uint32_t k = 0; k < b->access_count; k++) {
            const OrderAccess *x = &ops->accesses.at[a->first_access + i],
                              *y = &ops->accesses.at[b->first_access + k];
            if ((order_needs(y->touch, x->touch) || order_spoils(y->touch, x->touch)) &&
                accesses_meet(x, y))
                return true;
        }
    return false;
}
