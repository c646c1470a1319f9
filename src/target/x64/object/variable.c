// Variable arguments, with the va_list of the System V convention:
//
//   0   i32  offset in the save area of the next general register argument (48: none left)
//   4   i32  offset of the next vector register argument (176: none left)
//   8   i64  address of the next stack argument
//   16  i64  address of the save area: 6 general registers, then 8 vector registers of 16 bytes
#include "target/x64/model/sysv.h"
#include "target/x64/object/walk.h"

#include <stdio.h>

enum { GENERAL_END = 48, VECTOR_END = 176 };

// On a stack that is split, where stack arguments are was pushed on the way in, from r11.
static bool find_rest(CodeWalk *w, uint32_t stack_size) {
    const WalkFrame *frame = &w->frame;
    uint32_t k = 0;
    while (frame->order[k] != M_R11) k++;
    int64_t at = frame->found.incoming == M_RSP
                     ? (int64_t)frame->size + 8 * (int64_t)(frame->pushed - 1 - k)
                     : -8 * (int64_t)(k + 1);
    return code_is_like(w, at < 0 ? "mov.8 (%s-%lld),r11" : "mov.8 (%s+%lld),r11",
                        machine_reg_name(frame->found.incoming), (long long)(at < 0 ? -at : at)) &&
           (!stack_size || code_is_like(w, "add.8 $%u,r11", stack_size));
}

bool match_va_start(CodeWalk *w) {
    const Convention *convention = convention_of(w->program, w->func->sig);
    const WalkFrame *frame = &w->frame;
    int64_t incoming =
        frame->found.incoming == M_RSP ? 8 + 8 * (int64_t)frame->pushed + (int64_t)frame->size : 16;
    return code_is_like(w, "mov.4 $%u,(a); mov.4 $%u,(a+4)", 8 * convention->general_count,
                        GENERAL_END + 16 * convention->vector_count) &&
           (frame->split
                ? find_rest(w, convention->stack_size)
                : code_is_like(w, "lea.8 (%s+%lld),r11", machine_reg_name(frame->found.incoming),
                               (long long)(incoming + convention->stack_size))) &&
           code_is(w, "mov.8 r11,(a+8); lea.8 v,r11; mov.8 r11,(a+16)");
}

// The address of the next stack argument goes into r10, and the list steps over it.
static bool next_on_stack(CodeWalk *w, uint64_t size, uint32_t align) {
    if (!code_is(w, "mov.8 (a+8),r10")) return false;
    if (align > 8 && !code_is_like(w, "add.8 $%u,r10; and.8 $-%u,r10", align - 1, align))
        return false;
    return code_is_like(w, "lea.8 (r10+%llu),r11; mov.8 r11,(a+8)",
                        (unsigned long long)((size + 7) / 8 * 8));
}

// The address of a scalar goes into r10, wherever it is.
static bool find_scalar(CodeWalk *w, bool vector) {
    unsigned field = vector ? 4 : 0;
    return code_is_like(w,
                        "mov.4 (a+%u),r10; cmp.4 $%u,r10; jae 1; lea.4 (r10+%u),r11; mov.4 "
                        "r11,(a+%u); add.8 (a+16),r10; jmp 2; 1:",
                        field, vector ? VECTOR_END : GENERAL_END, vector ? 16 : 8, field) &&
           next_on_stack(w, 8, 8) && code_is(w, "2:");
}

static bool copy_from_stack(CodeWalk *w, uint64_t size) {
    for (uint64_t done = 0; size <= 64 && done < size; done += 8) {
        uint32_t part = size - done < 8 ? (uint32_t)(size - done) : 8;
        if (!match_load_part(w, part, "(r10+%u)", (uint32_t)done, "r11") ||
            !match_store_part(w, part, "r11", "(b+%u)", (uint32_t)done))
            return false;
    }
    if (size <= 64) return true;
    return code_is(w, "mov.8 r10,rsi; mov.8 b,rdi") &&
           match_constant(w, TYPE_I64, (int64_t)size, "rcx") && code_is(w, "rep movs.1");
}

// Jumps if the registers that are left do not hold all of it.
static bool check_left(CodeWalk *w, uint32_t general, uint32_t vector) {
    return (!general || code_is_like(w, "cmp.4 $%u,(a); ja 1", GENERAL_END - 8 * general)) &&
           (!vector || code_is_like(w, "cmp.4 $%u,(a+4); ja 1", VECTOR_END - 16 * vector));
}

static bool copy_from_registers(CodeWalk *w, const ParamType *type) {
    for (uint32_t k = 0; k < type->parts; k++) {
        bool vector = type->part[k] == TYPE_F64;
        uint64_t left = type->size - 8 * (uint64_t)k;
        unsigned field = vector ? 4 : 0;
        if (!code_is_like(w, "mov.4 (a+%u),r10; add.8 (a+16),r10; mov.8 (r10),r11", field) ||
            !match_store_part(w, left < 8 ? (uint32_t)left : 8, "r11", "(b+%u)", 8 * k) ||
            !code_is_like(w, "add.4 $%u,(a+%u)", vector ? 16 : 8, field))
            return false;
    }
    return true;
}

static bool match_aggregate(CodeWalk *w, const ParamType *type) {
    uint32_t align = type->align > 8 ? type->align : 8, general = 0, vector = 0;
    if (!type->parts || type->part[0] == TYPE_F80)
        return next_on_stack(w, type->size, align) && copy_from_stack(w, type->size);
    for (uint32_t k = 0; k < type->parts; k++)
        *(type->part[k] == TYPE_F64 ? &vector : &general) += 1;
    return check_left(w, general, vector) && copy_from_registers(w, type) &&
           code_is(w, "jmp 2; 1:") && next_on_stack(w, type->size, align) &&
           copy_from_stack(w, type->size) && code_is(w, "2:");
}

bool match_va_arg(CodeWalk *w) {
    const ParamType *type = program_ptype_info(w->program, (PType){w->instr->aux});
    bool vector = type->type == TYPE_F32 || type->type == TYPE_F64;
    if (ptype_is_aggregate(type)) return match_aggregate(w, type);
    if (type->type == TYPE_F80 ? !next_on_stack(w, 16, 16) : !find_scalar(w, vector)) return false;
    switch (type->type) {
    case TYPE_I32: return code_is(w, "mov.4 (r10),d");
    case TYPE_I64: return code_is(w, "mov.8 (r10),d");
    case TYPE_F32: return code_is(w, "movss (r10),d");
    case TYPE_F64: return code_is(w, "movsd (r10),d");
    default: return code_is(w, "fld (r10):10; fstp d:10");
    }
}
