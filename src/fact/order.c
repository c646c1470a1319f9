#include "fact/order.h"

#include "fact/calls.h"
#include "form/mach/mach.h"

// That a frame is used counts as use of the outside: such instructions stay in their order. The life of an object that begins or
// ends is a change of memory.
static Order order_of_effects(Effects effects) {
    Order order = 0;
    if (effects & (MAY_READ | MAY_READ_SHARED)) order |= ORDER_READS;
    if (effects & (MAY_WRITE | MAY_WRITE_SHARED | MAY_MOVE_STACK)) order |= ORDER_CHANGES;
    if (effects & MAY_GO_WRONG) order |= ORDER_WAITS;
    if (effects & (MAY_STOP | MAY_BE_EVENT | MAY_MOVE_STACK | USES_FRAME | USES_MACHINE))
        order |= ORDER_CHAINED;
    return order;
}

Order order_of_instr(const Func *func, const Instr *instr) {
    if (call_returns_twice(func->program, instr)) return ORDER_BARRIER;
    Effects effects = instr_effects(instr);
    bool access = instr->kind == I_LOAD || instr->kind == I_STORE;
    if (access && access_is_inside(func, instr)) effects &= ~(Effects)MAY_GO_WRONG;
    return order_of_effects(effects);
}

// Parameters are where they are only before anything else has happened.
Order order_of_mach(const Func *func, const MachInstr *instr) {
    if (instr->kind == MK_PARAMS || mach_call_returns_twice(func->program, instr))
        return ORDER_BARRIER;
    return order_of_effects(mach_effects(instr));
}
