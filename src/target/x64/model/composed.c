// Sequences that follow a size, a type or a statement, as texts of the language of sequences.def:
// parts of memory, va_start and va_arg, what surrounds the text of an asm statement, alloca,
// __builtin_setjmp. The emitter writes such a text, the object checker compares it.
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

// The same by halves, which may just have been stored one by one: a processor has to wait before it
// can load them at once.
static void put_halves(Out *out, bool vector) {
    out_text(out, vector ? "movss m+0:4,d; movss m+4:4,x15; unpcklps x15,d"
                         : "mov.4 m+4:4,r11; shl.8 $32,r11; mov.4 m+0:4,d; or.8 r11,d");
}

void x64_put_part(Out *out, const MachInstr *instr, bool halves) {
    static const TextMemory memory = {"m+", ""};
    uint32_t size = (uint32_t)instr->imm;
    bool loads = instr->kind == MK_LOAD_PART, vector = op_info((Op)instr->op)->result == TYPE_F64;
    if (halves && loads && size == 8) {
        put_halves(out, vector);
    } else if (vector && (size == 4 || size == 8)) {
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

void x64_put_saved_arguments(Out *out, const Convention *convention, bool vectors) {
    static const char *const general[] = {"rdi", "rsi", "rdx", "rcx", "r8", "r9"};
    for (uint32_t k = convention->general_count; k < 6; k++)
        out_printf(out, "mov.8 %s,v+%u; ", general[k], 8 * k);
    if (convention->vector_count >= 8 || !vectors) return;
    out_text(out, "test.1 rax,rax; je 1; ");
    for (uint32_t k = convention->vector_count; k < 8; k++)
        out_printf(out, "movaps x%u,v+%u; ", k, VA_GENERAL_END + 16 * k);
    out_text(out, "1:");
}

// ---- asm statements

static void put_x87_operands(Out *out, const AsmOperandMove *moves, uint32_t count, uint32_t reg,
                             bool load) {
    for (uint32_t i = 0; i < count; i++) {
        uint8_t chunk = moves[i].chunk;
        if (moves[i].reg == reg)
            out_printf(out, "%s (a+%u):%u; ", load ? "fld" : "fstp", moves[i].offset,
                       chunk == CHUNK_F32   ? 4
                       : chunk == CHUNK_F64 ? 8
                                            : 10);
    }
}

static void put_operand(Out *out, const AsmOperandMove *move, bool load) {
    Chunk chunk = (Chunk)move->chunk;
    uint32_t size = chunk_size(chunk), vector = move->reg - M_XMM0;
    const char *name = machine_reg_name(move->reg);
    if (machine_is_vector(move->reg) && load)
        out_printf(out, "%s (a+%u),x%u; ", size == 4 ? "movss" : "movsd", move->offset, vector);
    else if (machine_is_vector(move->reg))
        out_printf(out, "%s x%u,(a+%u); ", size == 4 ? "movss" : "movsd", vector, move->offset);
    else if (!load)
        out_printf(out, "mov.%u %s,(a+%u); ", size, name, move->offset);
    else if (size >= 4)
        out_printf(out, "mov.%u (a+%u),%s; ", size, move->offset, name);
    else
        out_printf(out, "mov%s.4 (a+%u):%u,%s; ",
                   chunk == CHUNK_U8 || chunk == CHUNK_U16 ? "zx" : "sx", move->offset, size, name);
}

static void put_operands(Out *out, const AsmOperandMove *moves, uint32_t count, bool load) {
    for (uint32_t i = 0; i < count; i++)
        if (moves[i].reg < X64_REG_COUNT) put_operand(out, &moves[i], load);
}

// If the code destroys the register that holds the address of the block, the address waits on the
// stack; so do rbp and the base of slots. What lies deeper in the x87 stack is pushed first and
// popped last. A statement alone has no operands and no block.
void x64_put_asm(Out *out, const AsmStatement *statement, const MachInstr *instr, MachineReg base,
                 X64AsmPart part) {
    const AsmOperandMove *inputs = statement->inputs.at, *outputs = statement->outputs.at;
    uint32_t input_count = statement->inputs.count, output_count = statement->outputs.count;
    X64Regs destroys = x64_regs(statement->destroys);
    bool has_block = instr->op == BI_ASM;
    MachineReg block = has_block ? place_index(instr->src[0]) : M_RBP;
    bool base_waits = base != M_RBP && destroys & X64_BIT(base);
    bool block_waits = block != M_RBP && destroys & X64_BIT(block);
    bool rbp_waits = destroys & X64_BIT(M_RBP);
    switch (part) {
    case X64_ASM_BEFORE:
        put_x87_operands(out, inputs, input_count, ASM_ST1, true);
        put_x87_operands(out, inputs, input_count, ASM_ST0, true);
        if (base_waits) out_printf(out, "push.8 %s; ", machine_reg_name(base));
        if (block_waits) out_printf(out, "push.8 %s; ", machine_reg_name(block));
        if (rbp_waits) out_text(out, "push.8 rbp; ");
        put_operands(out, inputs, input_count, true);
        break;
    case X64_ASM_RESTORE:
        if (rbp_waits) out_text(out, "pop.8 rbp; ");
        if (block_waits) out_printf(out, "pop.8 %s; ", machine_reg_name(block));
        break;
    case X64_ASM_AFTER:
        put_operands(out, outputs, output_count, false);
        if (base_waits) out_printf(out, "pop.8 %s; ", machine_reg_name(base));
        put_x87_operands(out, outputs, output_count, ASM_ST0, false);
        put_x87_operands(out, outputs, output_count, ASM_ST1, false);
        break;
    }
}

// ---- The stack

void x64_put_base(Out *out, MachineReg base, uint64_t below, uint32_t align) {
    if (base == M_RSP || base == M_RBP) return;
    const char *name = machine_reg_name(base);
    out_printf(out, "lea.8 (rbp-%" PRIu64 "),%s; and.8 $-%u,%s; ", below, name, align, name);
}

// The distance is compared, not the addresses: a size beyond that of the address space would have
// rsp go up, past all that is there. So it goes down until that ends.
void x64_put_probe(Out *out, const char *to) {
    out_printf(out,
               "8:; mov.8 rsp,r11; sub.8 %s,r11; cmp.8 $4096,r11; jb 9; sub.8 $4096,rsp; "
               "or.8 $0,(rsp); jmp 8; 9:; mov.8 %s,rsp; or.8 $0,(rsp); ",
               to, to);
}

// The block lies above the arguments of calls. Its size, in r11, is rounded up so that rsp stays
// aligned; a stricter alignment takes that much more. A block that does not fit a stack that is
// split is not on the stack.
void x64_put_alloca(Out *out, const MachInstr *instr, const X64Alloca *how) {
    int64_t align = instr->imm > 16 ? instr->imm : 16, more = align > 16 ? align - 1 : 0;
    int64_t round = how->align ? how->align : 16;
    out_printf(out, "lea.8 (a+%" PRId64 "),r11; and.8 $-%" PRId64 ",r11; ",
               round + more + (more ? 0 : -1), round);
    if (how->split || how->probes) out_text(out, "mov.8 rsp,d; sub.8 r11,d; ");
    if (how->split) out_text(out, "cmp.8 fs:112,d; jb 1; ");
    if (how->probes)
        x64_put_probe(out, "d");
    else
        out_text(out, how->split ? "mov.8 d,rsp; " : "sub.8 r11,rsp; ");
    out_printf(out, "lea.8 (rsp+%" PRIu64 "),d; ", how->outgoing + (uint64_t)more);
    if (more) out_printf(out, "and.8 $-%" PRId64 ",d; ", align);
    if (!how->split) return;
    out_printf(out,
               "jmp 2; 1:; lea.8 (r11+%" PRId64
               "),rdi; call %s^__morestack_allocate_stack_space; add.8 $%" PRId64
               ",rax; and.8 $-%" PRId64 ",rax; 2:",
               align - 1, how->far ? "got" : "", align - 1, align);
}

// ---- __builtin_setjmp and __builtin_longjmp
//
// The buffer holds the frame pointer, the address to go on at and the stack pointer, from which the
// other registers of the frame follow; all others count as destroyed (calls.h).

void x64_put_setjmp(Out *out, bool shadow, bool mark, const char *base) {
    out_text(out, "mov.8 rbp,(rdi); lea.8 &1,rax; mov.8 rax,(rdi+8); mov.8 rsp,(rdi+16); "
                  "xor.4 rax,rax; ");
    // Nothing is read if the processor has no stack of return addresses.
    if (shadow) out_text(out, "rdssp.8 rax; mov.8 rax,(rdi+24); xor.4 rax,rax; ");
    out_printf(out, "jmp 2; 1:; %s%smov.4 $1,rax; 2:", mark ? "endbr64; " : "", base);
}

// Takes from the processor's own stack of return addresses what lies above the place that setjmp
// noted, at most 255 of them at a time.
void x64_put_longjmp(Out *out, bool shadow) {
    if (shadow)
        out_text(out, "xor.4 rcx,rcx; rdssp.8 rcx; test.8 rcx,rcx; je 2; mov.8 (rdi+24),rax; "
                      "sub.8 rcx,rax; jbe 2; shr.8 $3,rax; 1:; mov.4 $255,rcx; cmp.8 rcx,rax; "
                      "cmovb.8 rax,rcx; incssp.8 rcx; sub.8 rcx,rax; jne 1; 2:; ");
    out_text(out, "mov.8 (rdi+8),rax; mov.8 (rdi),rbp; mov.8 (rdi+16),rsp");
}
