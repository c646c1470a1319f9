// Variable arguments, with the va_list of the System V convention:
//
//   0   i32  offset in the save area of the next general register argument (48: none left)
//   4   i32  offset of the next vector register argument (176: none left)
//   8   i64  address of the next stack argument
//   16  i64  address of the save area: 6 general registers, then 8 vector registers of 16 bytes
#include "target/x64/code/emit.h"
#include "target/x64/model/sysv.h"

enum { GENERAL_END = 48, VECTOR_END = 176 };

static MachineReg list_reg(const MachInstr *instr) {
    return (MachineReg)place_index(instr->src[0]);
}

void x64_va_start(Emit *e, const MachInstr *instr) {
    const Convention *convention = convention_of(e->program, e->func->sig);
    MachineReg list = list_reg(instr);
    X64Operand address = x64_reg(M_R11);
    x64_two(e, "mov", W32, x64_imm(8 * convention->general_count), x64_at(list, 0));
    x64_two(e, "mov", W32, x64_imm(GENERAL_END + 16 * convention->vector_count), x64_at(list, 4));
    if (e->frame.split) {
        x64_two(e, "mov", W64, x64_at(e->frame.incoming_base, e->frame.rest), address);
        if (convention->stack_size)
            x64_two(e, "add", W64, x64_imm(convention->stack_size), address);
    } else {
        x64_lea(e, W64, e->frame.incoming + convention->stack_size, e->frame.incoming_base, 0, 0,
                M_R11);
    }
    x64_two(e, "mov", W64, address, x64_at(list, 8));
    x64_lea(e, W64, e->frame.variable, e->frame.base, 0, 0, M_R11);
    x64_two(e, "mov", W64, address, x64_at(list, 16));
}

// ---- The next argument

// Puts the address of the next stack argument into r10 and steps over it.
static void next_on_stack(Emit *e, MachineReg list, uint64_t size, uint32_t align) {
    x64_two(e, "mov", W64, x64_at(list, 8), x64_reg(M_R10));
    if (align > 8) {
        x64_two(e, "add", W64, x64_imm(align - 1), x64_reg(M_R10));
        x64_two(e, "and", W64, x64_imm(-(int64_t)align), x64_reg(M_R10));
    }
    x64_lea(e, W64, (int64_t)((size + 7) / 8 * 8), M_R10, 0, 0, M_R11);
    x64_two(e, "mov", W64, x64_reg(M_R11), x64_at(list, 8));
}

// A scalar: puts its address into r10, wherever it is.
static void find_scalar(Emit *e, MachineReg list, bool vector) {
    uint32_t on_stack = assembly_label(e->assembly), end = assembly_label(e->assembly);
    int64_t field = vector ? 4 : 0, step = vector ? 16 : 8;
    x64_two(e, "mov", W32, x64_at(list, field), x64_reg(M_R10));
    x64_two(e, "cmp", W32, x64_imm(vector ? VECTOR_END : GENERAL_END), x64_reg(M_R10));
    x64_jump(e, "jae", on_stack);
    x64_lea(e, W32, step, M_R10, 0, 0, M_R11);
    x64_two(e, "mov", W32, x64_reg(M_R11), x64_at(list, field));
    x64_two(e, "add", W64, x64_at(list, 16), x64_reg(M_R10));
    x64_jump(e, "jmp", end);
    x64_label(e, on_stack);
    next_on_stack(e, list, 8, 8);
    x64_label(e, end);
}

// ---- Aggregates

// From the stack, whose argument r10 points at.
static void copy_from_stack(Emit *e, uint64_t size, MachineReg into) {
    if (size <= 64) {
        for (uint64_t done = 0; done < size; done += 8) {
            uint32_t part = size - done < 8 ? (uint32_t)(size - done) : 8;
            x64_load_part(e, part, x64_at(M_R10, (int64_t)done), M_R11);
            x64_store_part(e, part, M_R11, x64_at(into, (int64_t)done));
        }
        return;
    }
    x64_two(e, "mov", W64, x64_reg(M_R10), x64_reg(M_RSI));
    x64_two(e, "mov", W64, x64_reg(into), x64_reg(M_RDI));
    x64_constant(e, TYPE_I64, (int64_t)size, x64_reg(M_RCX));
    x64_plain(e, "rep movsb");
}

typedef struct {
    uint32_t general, vector;
} PartCount;

static PartCount count_parts(const ParamType *type) {
    PartCount count = {0};
    for (uint32_t k = 0; k < type->parts; k++)
        if (type->part[k] == TYPE_F64)
            count.vector++;
        else
            count.general++;
    return count;
}

static bool in_registers(const ParamType *type) {
    return type->parts > 0 && type->part[0] != TYPE_F80;
}

// Jumps if the registers that are left do not hold all of it.
static void check_left(Emit *e, MachineReg list, PartCount count, uint32_t on_stack) {
    if (count.general) {
        x64_two(e, "cmp", W32, x64_imm(GENERAL_END - 8 * (int64_t)count.general), x64_at(list, 0));
        x64_jump(e, "ja", on_stack);
    }
    if (count.vector) {
        x64_two(e, "cmp", W32, x64_imm(VECTOR_END - 16 * (int64_t)count.vector), x64_at(list, 4));
        x64_jump(e, "ja", on_stack);
    }
}

static void copy_from_registers(Emit *e, const ParamType *type, MachineReg list, MachineReg into) {
    for (uint32_t k = 0; k < type->parts; k++) {
        bool vector = type->part[k] == TYPE_F64;
        uint64_t left = type->size - 8 * (uint64_t)k;
        x64_two(e, "mov", W32, x64_at(list, vector ? 4 : 0), x64_reg(M_R10));
        x64_two(e, "add", W64, x64_at(list, 16), x64_reg(M_R10));
        x64_two(e, "mov", W64, x64_at(M_R10, 0), x64_reg(M_R11));
        x64_store_part(e, left < 8 ? (uint32_t)left : 8, M_R11, x64_at(into, 8 * (int64_t)k));
        x64_two(e, "add", W32, x64_imm(vector ? 16 : 8), x64_at(list, vector ? 4 : 0));
    }
}

static void x64_aggregate(Emit *e, const ParamType *type, MachineReg list, MachineReg into) {
    uint32_t align = type->align > 8 ? type->align : 8;
    if (!in_registers(type)) {
        next_on_stack(e, list, type->size, align);
        copy_from_stack(e, type->size, into);
        return;
    }
    uint32_t on_stack = assembly_label(e->assembly), end = assembly_label(e->assembly);
    check_left(e, list, count_parts(type), on_stack);
    copy_from_registers(e, type, list, into);
    x64_jump(e, "jmp", end);
    x64_label(e, on_stack);
    next_on_stack(e, list, type->size, align);
    copy_from_stack(e, type->size, into);
    x64_label(e, end);
}

void x64_va_arg(Emit *e, const MachInstr *instr) {
    const ParamType *type = program_ptype_info(e->program, (PType){instr->aux});
    MachineReg list = list_reg(instr);
    if (ptype_is_aggregate(type)) {
        x64_aggregate(e, type, list, (MachineReg)place_index(instr->src[1]));
        return;
    }
    if (type->type == TYPE_F80)
        next_on_stack(e, list, 16, 16);
    else
        find_scalar(e, list, type->type == TYPE_F32 || type->type == TYPE_F64);
    x64_move(e, type->type, x64_at(M_R10, 0), x64_place(e, instr->dest));
}
