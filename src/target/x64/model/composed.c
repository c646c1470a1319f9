// Sequences that follow a size or a type, as texts of the language of sequences.def: parts of
// memory, va_start and va_arg. The emitter writes such a text, the object checker compares it.
#include "target/x64/model/sysv.h"
#include "target/x64/model/x64.h"

#include <inttypes.h>

// ---- Parts: sizes that no instruction moves are put together from smaller ones

// Memory at an offset: "(r10+", "m+".
typedef struct {
    const char *before, *after;
} TextMemory;

static void put_memory(Out *out, TextMemory memory, uint32_t offset) {
    out_printf(out, "%s%u%s", memory.before, offset, memory.after);
}

static bool is_whole(uint32_t size) {
    return size == 1 || size == 2 || size == 4 || size == 8;
}

// One to eight bytes into a register, zeros above. The bytes above the first or first two come
// first and are shifted up; then the lowest are put below.
static void put_load_part(Out *out, uint32_t size, TextMemory from, uint32_t offset,
                          const char *to) {
    uint32_t low = size == 6 ? 2 : 1;
    if (is_whole(size)) {
        out_printf(out, size < 4 ? "movzx.4 " : "mov.%u ", size);
        put_memory(out, from, offset);
        out_printf(out, ":%u,%s; ", size, to);
        return;
    }
    put_load_part(out, size - low, from, offset + low, to);
    out_printf(out, "shl.8 $%u,%s; mov.%u ", low * 8, to, low);
    put_memory(out, from, offset);
    out_printf(out, ",%s; ", to);
}

// Back to memory; a register whose bytes do not go at once is shifted down.
static void put_store_part(Out *out, uint32_t size, const char *from, TextMemory to,
                           uint32_t offset) {
    for (uint32_t bytes = 8; size; bytes /= 2) {
        if (size < bytes) continue;
        out_printf(out, "mov.%u %s,", bytes, from);
        put_memory(out, to, offset);
        out_printf(out, ":%u; ", bytes);
        offset += bytes;
        size -= bytes;
        if (size) out_printf(out, "shr.8 $%u,%s; ", bytes * 8, from);
    }
}

void x64_put_part(Out *out, const MachInstr *instr) {
    static const TextMemory memory = {"m+", ""};
    uint32_t size = (uint32_t)instr->imm;
    bool loads = instr->kind == MK_LOAD_PART, vector = op_info((Op)instr->op)->result == TYPE_F64;
    if (vector && (size == 4 || size == 8)) {
        const char *name = size == 4 ? "movss" : "movsd";
        out_printf(out, loads ? "%s m+0:%u,d" : "%s a,m+0:%u", name, size);
    } else if (loads) {
        put_load_part(out, size, memory, 0, vector ? "r11" : "d");
        if (vector) out_text(out, "movd.8 r11,d");
    } else {
        bool through = vector || !is_whole(size);
        if (through) out_text(out, vector ? "movd.8 a,r11; " : "move a,r11; ");
        put_store_part(out, size, through ? "r11" : "a", memory, 0);
    }
}

// ---- Variable arguments (sysv.h: VA_LIST_GENERAL and what follows)

void x64_put_va_start(Out *out, const Convention *convention, const VaStack *stack) {
    out_printf(out, "mov.4 $%u,(a+%u); mov.4 $%u,(a+%u); ", 8 * convention->general_count,
               VA_LIST_GENERAL, VA_GENERAL_END + 16 * convention->vector_count, VA_LIST_VECTOR);
    out_printf(out, "%s (%s%+" PRId64 "),r11; ", stack->noted ? "mov.8" : "lea.8",
               machine_reg_name(stack->base),
               stack->at + (stack->noted ? 0 : (int64_t)convention->stack_size));
    if (stack->noted && convention->stack_size)
        out_printf(out, "add.8 $%u,r11; ", convention->stack_size);
    out_printf(out, "mov.8 r11,(a+%u); lea.8 v,r11; mov.8 r11,(a+%u)", VA_LIST_STACK,
               VA_LIST_SAVED);
}

// The address of the next stack argument goes into r10, and the list steps over it.
static void put_next_on_stack(Out *out, uint64_t size, uint32_t align) {
    out_printf(out, "mov.8 (a+%u),r10; ", VA_LIST_STACK);
    if (align > 8) out_printf(out, "add.8 $%u,r10; and.8 $-%u,r10; ", align - 1, align);
    out_printf(out, "lea.8 (r10+%" PRIu64 "),r11; mov.8 r11,(a+%u); ", (size + 7) / 8 * 8,
               VA_LIST_STACK);
}

// The address of a scalar goes into r10, wherever it is.
static void put_find_scalar(Out *out, bool vector) {
    uint32_t field = vector ? VA_LIST_VECTOR : VA_LIST_GENERAL;
    out_printf(out,
               "mov.4 (a+%u),r10; cmp.4 $%u,r10; jae 1; lea.4 (r10+%u),r11; mov.4 r11,(a+%u); "
               "add.8 (a+%u),r10; jmp 2; 1:; ",
               field, vector ? VA_VECTOR_END : VA_GENERAL_END, vector ? 16 : 8, field,
               VA_LIST_SAVED);
    put_next_on_stack(out, 8, 8);
    out_text(out, "2:; ");
}

static const TextMemory aggregate = {"(b+", ")"}, argument = {"(r10+", ")"};

static void put_copy_from_stack(Out *out, uint64_t size) {
    for (uint64_t done = 0; size <= 64 && done < size; done += 8) {
        uint32_t part = size - done < 8 ? (uint32_t)(size - done) : 8;
        put_load_part(out, part, argument, (uint32_t)done, "r11");
        put_store_part(out, part, "r11", aggregate, (uint32_t)done);
    }
    if (size <= 64) return;
    out_printf(out, "mov.8 r10,rsi; mov.8 b,rdi; mov.%u $%" PRIu64 ",rcx; rep movs.1; ",
               size <= UINT32_MAX ? 4 : 8, size);
}

static void put_copy_from_registers(Out *out, const ParamType *type) {
    for (uint32_t k = 0; k < type->parts; k++) {
        bool vector = type->part[k] == TYPE_F64;
        uint64_t left = type->size - 8 * (uint64_t)k;
        uint32_t field = vector ? VA_LIST_VECTOR : VA_LIST_GENERAL;
        out_printf(out, "mov.4 (a+%u),r10; add.8 (a+%u),r10; mov.8 (r10),r11; ", field,
                   VA_LIST_SAVED);
        put_store_part(out, left < 8 ? (uint32_t)left : 8, "r11", aggregate, 8 * k);
        out_printf(out, "add.4 $%u,(a+%u); ", vector ? 16 : 8, field);
    }
}

// From registers, if those that are left hold all of it.
static void put_aggregate(Out *out, const ParamType *type) {
    uint32_t align = type->align > 8 ? type->align : 8, general = 0, vector = 0;
    bool in_registers = type->parts && type->part[0] != TYPE_F80;
    for (uint32_t k = 0; in_registers && k < type->parts; k++)
        *(type->part[k] == TYPE_F64 ? &vector : &general) += 1;
    if (general)
        out_printf(out, "cmp.4 $%u,(a+%u); ja 1; ", VA_GENERAL_END - 8 * general, VA_LIST_GENERAL);
    if (vector)
        out_printf(out, "cmp.4 $%u,(a+%u); ja 1; ", VA_VECTOR_END - 16 * vector, VA_LIST_VECTOR);
    if (in_registers) {
        put_copy_from_registers(out, type);
        out_text(out, "jmp 2; 1:; ");
    }
    put_next_on_stack(out, type->size, align);
    put_copy_from_stack(out, type->size);
    if (in_registers) out_text(out, "2:");
}

void x64_put_va_arg(Out *out, const ParamType *type) {
    if (ptype_is_aggregate(type)) {
        put_aggregate(out, type);
        return;
    }
    if (type->type == TYPE_F80)
        put_next_on_stack(out, 16, 16);
    else
        put_find_scalar(out, type->type == TYPE_F32 || type->type == TYPE_F64);
    switch (type->type) {
    case TYPE_I32: out_text(out, "mov.4 (r10),d"); break;
    case TYPE_I64: out_text(out, "mov.8 (r10),d"); break;
    case TYPE_F32: out_text(out, "movss (r10),d"); break;
    case TYPE_F64: out_text(out, "movsd (r10),d"); break;
    default: out_text(out, "fld (r10):10; fstp d:10"); break;
    }
}
