// Operators and builtins: rows of templates.def, and what needs more than a row.
#include "target/x64/object/walk.h"

#include <stdio.h>

// ---- The table

enum {
    AT_I32 = 1 << TYPE_I32,
    AT_I64 = 1 << TYPE_I64,
    AT_INT = AT_I32 | AT_I64,
    AT_F32 = 1 << TYPE_F32,
    AT_F64 = 1 << TYPE_F64,
    AT_F80 = 1 << TYPE_F80
};
enum { PLAIN_ROW, CHECKED_ROW, UPDATE_ROW };

typedef struct {
    uint16_t family;
    uint8_t kind, types;
    const char *text;
} TemplateRow;

static const TemplateRow rows[] = {
#define ROW(family, type, text)     {FAM_##family, PLAIN_ROW, AT_##type, text},
#define CHECKED(family, type, text) {FAM_##family, CHECKED_ROW, AT_##type, text},
#define UPDATE(family, text)        {FAM_##family, UPDATE_ROW, AT_INT, text},
#include "target/x64/object/templates.def"
};

static bool match_rows(CodeWalk *w, uint8_t kind) {
    const OpInfo *op = op_info((Op)w->instr->op);
    OpFamily family = op_family((Op)w->instr->op);
    for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].family == family && rows[k].kind == kind && rows[k].types >> op->at & 1 &&
            code_is(w, rows[k].text))
            return true;
    return false;
}

// ---- Constants and addresses

static bool match_x87_constant(CodeWalk *w) {
    unsigned long long bits = (unsigned long long)w->instr->imm;
    uint32_t high = w->instr->high;
    if (bits == 0 && high == 0) return code_is(w, "fldz; fstp d:10");
    if (bits == 1ull << 63 && high == 0x3fff) return code_is(w, "fld1; fstp d:10");
    return code_is_like(w, "fld p16:0x%llx:0x%x:10; fstp d:10", bits, high);
}

static bool add_number(CodeWalk *w) {
    return w->instr->imm == 0 || code_is(w, "add.8 i,d") ||
           code_is_like(w, "add.8 p8:0x%llx:0,d", (unsigned long long)w->instr->imm);
}

static bool match_near_address(CodeWalk *w, long long number) {
    return code_is_like(w, "lea.8 y%+lld,d", number) ||
           code_is_like(w, "mov.4 $y%+lld,d", number) || code_is_like(w, "mov.8 $y%+lld,d", number);
}

// Of a thread's datum the distance from the thread's pointer is in a table, or a function of the C
// library tells the address, which keeps what every function keeps. Of others the address is near,
// or in a table. To what is not near a distance may lead all the same: linkers then copy a datum,
// or find a weak symbol that nobody defines elsewhere than at zero.
static bool match_symbol_address(CodeWalk *w) {
    WalkState before = w->now;
    Sym symbol = {w->instr->ref};
    bool near = mach_symbol_is_near(w->program, symbol);
    if (mach_asks_for_address(w->program, w->instr))
        return code_is(w, "padded lea.8 tlsgd,rdi; padded call ^__tls_get_addr; ?d rax") &&
               add_number(w);
    if (program_at(w->program, symbol)->flags & SYMF_THREAD)
        return code_is(w, "mov.8 tpoff,d; add.8 fs:0,d") && add_number(w);
    if (near && match_near_address(w, w->instr->imm)) return true;
    if ((code_is(w, "mov.8 got,d") || (near && match_near_address(w, 0))) && add_number(w))
        return true;
    match_undo(w, &before);
    return false;
}

bool match_operation(CodeWalk *w) {
    const OpInfo *op = op_info((Op)w->instr->op);
    if (op->flags & OPF_COND) return match_set(w);
    switch (op_family((Op)w->instr->op)) {
    case FAM_CONST:
        if (op->at == TYPE_F80) return match_x87_constant(w);
        return match_constant(w, op->result, w->instr->imm, "d");
    case FAM_ADDR_SYMBOL: return match_symbol_address(w);
    case FAM_ADDR_SLOT: return code_is(w, "lea.8 o,d") && add_number(w);
    case FAM_SELECT: return op->at == TYPE_F80 ? match_rows(w, PLAIN_ROW) : match_choose(w);
    default: return match_rows(w, w->instr->checked ? CHECKED_ROW : PLAIN_ROW);
    }
}

bool match_update(CodeWalk *w) {
    return match_rows(w, UPDATE_ROW);
}

// ---- Copies and fills
//
// Pieces may come in any sizes that add up, and a last one may overlap the one before: the two
// ranges of a copy are the same or disjoint, so what was written is what is there, or nothing that
// is still to be read.

// The size of the next piece of a copy or fill, which starts at *at; what lies before `done` is
// done. 0: this is none.
static uint32_t piece_at(CodeWalk *w, uint32_t operand, uint64_t done, uint64_t size, int64_t *at) {
    const Insn *insn = walk_insn(w);
    if (!insn || operand >= insn->operands || insn->operand[operand].kind != INSN_OPERAND_MEMORY)
        return 0;
    uint32_t bytes = insn->operand[operand].width;
    *at = insn->operand[operand].value;
    bool adds = *at >= 0 && (uint64_t)*at <= done && (uint64_t)*at + bytes > done &&
                (uint64_t)*at + bytes <= size;
    return adds ? bytes : 0;
}

static bool match_copy(CodeWalk *w, uint64_t size) {
    for (uint64_t done = 0; done < size;) {
        int64_t at;
        uint32_t bytes = piece_at(w, 0, done, size, &at);
        bool good;
        if (bytes == 16)
            good = code_is_like(w, "movups (b+%lld):16,x15; movups x15,(a+%lld):16", (long long)at,
                                (long long)at);
        else if (bytes >= 4)
            good = code_is_like(w, "mov.%u (b+%lld),r11; mov.%u r11,(a+%lld)", bytes, (long long)at,
                                bytes, (long long)at);
        else
            good = bytes && code_is_like(w, "movzx.4 (b+%lld):%u,r11; mov.%u r11,(a+%lld)",
                                         (long long)at, bytes, bytes, (long long)at);
        if (!good) return walk_fails(w, "a piece of a copy is missing");
        done = (uint64_t)at + bytes;
    }
    return true;
}

// rcx words of eight bytes by a string instruction, then the rest.
static bool match_string(CodeWalk *w, uint64_t size, const char *name) {
    if (!match_constant(w, TYPE_I64, (int64_t)(size / 8), "rcx") ||
        !code_is_like(w, "rep %s.8", name))
        return false;
    for (uint32_t bytes = 4; bytes; bytes /= 2)
        if (size & bytes && !code_is_like(w, "%s.%u", name, bytes)) return false;
    return true;
}

static bool match_memcpy(CodeWalk *w) {
    uint64_t size = (uint64_t)w->instr->imm;
    if (match_copy(w, size)) return true;
    return code_is(w, "?a rdi; ?b rsi") && match_string(w, size, "movs");
}

// The byte that fills, eight times, in a register.
static bool spread_byte(CodeWalk *w, const char *to) {
    const MachInstr *instr = w->instr;
    if (instr->immediate == 1)
        return match_constant(w, TYPE_I64, (int64_t)((instr->high & 0xff) * 0x0101010101010101),
                              to);
    return code_is_like(w, "movzx.4 b:1,%s; mov.8 $0x0101010101010101,r10; imul.8 r10,%s", to, to);
}

static bool match_fill(CodeWalk *w, uint64_t size) {
    bool zero = w->instr->immediate == 1 && (w->instr->high & 0xff) == 0;
    bool word = !zero && size && spread_byte(w, "r11"),
         vector = zero ? code_is(w, "xorps x15,x15")
                       : word && code_is(w, "movd.8 r11,x15; punpcklqdq x15,x15");
    for (uint64_t done = 0; done < size;) {
        int64_t at;
        uint32_t bytes = piece_at(w, 1, done, size, &at);
        bool good =
            bytes == 16 ? vector && code_is_like(w, "movups x15,(a+%lld):16", (long long)at)
            : zero      ? bytes && code_is_like(w, "mov.%u $0,(a+%lld)", bytes, (long long)at)
                   : bytes && word && code_is_like(w, "mov.%u r11,(a+%lld)", bytes, (long long)at);
        if (!good) return walk_fails(w, "a piece of a fill is missing");
        done = (uint64_t)at + bytes;
    }
    return true;
}

static bool match_memset(CodeWalk *w) {
    uint64_t size = (uint64_t)w->instr->imm;
    WalkState before = w->now;
    if (match_fill(w, size)) return true;
    match_undo(w, &before);
    return code_is(w, "?a rdi") && spread_byte(w, "rax") && match_string(w, size, "stos");
}

// ---- The stack

// On a stack that is split, a block that does not fit is not on it.
static bool match_elsewhere(CodeWalk *w, long long align) {
    return code_is_like(w, "jmp 2; 1:; lea.8 (r11+%lld),rdi", align - 1) &&
           match_call_named(w, "__morestack_allocate_stack_space") &&
           code_is_like(w, "add.8 $%lld,rax; and.8 $%lld,rax; 2:", align - 1, -align);
}

// The block lies above the arguments of calls. Its size is rounded up so that rsp stays aligned; a
// stricter alignment takes that much more.
static bool match_alloca(CodeWalk *w) {
    WalkFrame *frame = &w->frame;
    long long align = w->instr->imm > 16 ? w->instr->imm : 16;
    long long round = frame->align ? (long long)frame->align : 16;
    if (!code_is_like(w, "lea.8 (a+%lld),r11; and.8 $%lld,r11",
                      round - 1 + (align > 16 ? align : 0), -round))
        return false;
    if (frame->split) {
        if (!code_is(w, "mov.8 rsp,d; sub.8 r11,d; cmp.8 fs:112,d; jb 1"))
            return walk_fails(w, "the end of the stack is not looked at");
        if (!code_is(w, "mov.8 d,rsp") && !frame_probe_down_to(w, "d")) return false;
    } else if (!code_is(w, "sub.8 r11,rsp") &&
               !(code_is(w, "mov.8 rsp,d; sub.8 r11,d") && frame_probe_down_to(w, "d"))) {
        return false;
    }
    w->now.written &= ~MACHINE_REG_BIT(M_RSP);
    const Insn *insn = walk_insn(w);
    if (!insn || insn->mnemonic != INSN_LEA || insn->operand[0].base != M_RSP)
        return walk_fails(w, NULL);
    int64_t extra = align > 16 ? align - 1 : 0, outgoing = insn->operand[0].value - extra;
    if (frame->outgoing == UNBOUND) frame->outgoing = outgoing;
    if (frame->outgoing != outgoing || outgoing < 0 || outgoing % 16)
        return walk_fails(w, "the room for arguments of calls differs");
    if (!code_is_like(w, "lea.8 (rsp+%lld),d", (long long)(outgoing + extra))) return false;
    if (align > 16 && !code_is_like(w, "and.8 $%lld,d", -align)) return false;
    return !frame->split || match_elsewhere(w, align);
}

static bool match_stack_restore(CodeWalk *w) {
    bool good = code_is(w, "mov.8 a,rsp");
    w->now.written &= ~MACHINE_REG_BIT(M_RSP);
    return good;
}

// What lies above the registers that are pushed is the address to return to.
static bool match_frame_address(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    bool returns = w->instr->op == BI_RETURN_ADDRESS;
    int64_t level = w->instr->imm;
    if (returns && level == 0 && frame->found.incoming == M_RSP)
        return code_is_like(w, "mov.8 (rsp+%llu),d",
                            8 * (unsigned long long)frame->pushed + frame->size);
    if (level == 0) return code_is(w, returns ? "mov.8 (rbp+8),d" : "mov.8 rbp,d");
    if (!code_is(w, "mov.8 (rbp),d")) return false;
    for (int64_t k = 1; k < level; k++)
        if (!code_is(w, "mov.8 (d),d")) return false;
    return !returns || code_is(w, "mov.8 (d+8),d");
}

static bool match_register(CodeWalk *w) {
    const char *name = machine_reg_name((MachineReg)w->instr->imm);
    if (w->instr->op == BI_READ_REGISTER) return code_is_like(w, "mov.8 %s,d", name);
    bool good = code_is_like(w, "mov.8 a,%s", name);
    w->now.written &= ~MACHINE_REG_BIT(w->instr->imm);
    return good;
}

// ---- Atomic accesses. Loads and stores of aligned integers are atomic and ordered as they are,
// but for a sequentially consistent store; what has lock, and xchg with memory, orders everything.

// What was read is extended as its chunk says.
static bool extend(CodeWalk *w) {
    return chunk_size((Chunk)w->instr->chunk) >= 4 || match_load(w, "d", "d");
}

static bool match_fetch_add(CodeWalk *w) {
    Type type = chunk_type((Chunk)w->instr->chunk);
    if (!match_move(w, type, "a", "d")) return false;
    if (w->instr->op == BI_ATOMIC_SUB && !code_is(w, type == TYPE_I64 ? "neg.8 d" : "neg.4 d"))
        return false;
    return code_is(w, "lock xadd.c d,m") && extend(w);
}

// Computes the new value from what is there until nobody changed that in between.
static bool match_loop(CodeWalk *w, const char *name) {
    uint32_t wide = chunk_size((Chunk)w->instr->chunk) == 8 ? 8 : 4;
    if (!match_load(w, "m", "rax") ||
        !code_is_like(w, "?d rax; 1:; mov.%u rax,r11; %s.%u a,r11", wide, name, wide))
        return false;
    if (w->instr->op == BI_ATOMIC_NAND && !code_is_like(w, "not.%u r11", wide)) return false;
    return code_is(w, "lock cmpxchg.c r11,m; jne 1") && extend(w);
}

static bool match_atomic_store(CodeWalk *w) {
    if (aux_order(w->instr->aux) != ORDER_SEQ_CST && match_store(w)) return true;
    return match_move(w, chunk_type((Chunk)w->instr->chunk), "a", "r11") &&
           code_is(w, "xchg.c r11,m");
}

static bool match_atomic(CodeWalk *w) {
    Type type = chunk_type((Chunk)w->instr->chunk);
    switch ((Builtin)w->instr->op) {
    case BI_ATOMIC_LOAD: return match_load(w, "m", "d");
    case BI_ATOMIC_STORE: return match_atomic_store(w);
    case BI_ATOMIC_EXCHANGE:
        return match_move(w, type, "a", "d") && code_is(w, "xchg.c d,m") && extend(w);
    case BI_ATOMIC_COMPARE: return code_is(w, "?a rax; ?d rax; lock cmpxchg.c b,m") && extend(w);
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB: return match_fetch_add(w);
    case BI_ATOMIC_AND:
    case BI_ATOMIC_NAND: return match_loop(w, "and");
    case BI_ATOMIC_OR: return match_loop(w, "or");
    case BI_ATOMIC_XOR: return match_loop(w, "xor");
    case BI_FENCE: return aux_order(w->instr->aux) != ORDER_SEQ_CST || code_is(w, "mfence");
    default: return false;
    }
}

bool match_builtin(CodeWalk *w) {
    switch ((Builtin)w->instr->op) {
    case BI_MEMCPY: return match_memcpy(w);
    case BI_MEMSET: return match_memset(w);
    case BI_ALLOCA: return match_alloca(w);
    case BI_READ_REGISTER:
    case BI_WRITE_REGISTER: return match_register(w);
    case BI_FRAME_ADDRESS:
    case BI_RETURN_ADDRESS: return match_frame_address(w);
    case BI_STACK_SAVE: return code_is(w, "mov.8 rsp,d");
    case BI_STACK_RESTORE: return match_stack_restore(w);
    case BI_VA_START: return match_va_start(w);
    case BI_VA_ARG: return match_va_arg(w);
    case BI_VA_COPY: return match_copy(w, 24);
    case BI_VA_END:
    case BI_SIGNAL_FENCE: return true;
    case BI_VOLATILE_LOAD: return match_load(w, "m", "d");
    case BI_VOLATILE_STORE: return match_store(w);
    case BI_ASM: return match_asm(w);
    case BI_ASM_ALONE: return match_lone_asm(w);
    default: return match_atomic(w);
    }
}
