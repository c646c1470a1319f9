#include "test/gen/mach_code.h"

#include "target/x64/model/constraints.h"
#include "target/x64/model/x64.h"

#include <string.h>

enum { SMALL_SPILLS = 3, SPILLS = 6, TRIES = 40 };

// Six general, eight vector and eight stack arguments.
#define PARAMETERS                                                                                 \
    "i64, i64, i64, i64, i64, i64, f64, f64, f64, f64, f64, f64, f64, f64, i64, i64, i64, i64, "   \
    "i64, i64, i64, i64"

void mach_code_frame(Out *out, uint32_t count) {
    out_text(out, "extern function i32 @printf(i64, ...)\n"
                  "extern function i32 @fflush(i64)\n"
                  "global @out size 1024 align 16 static\n"
                  "global @memory size 64 align 16 static = \"");
    for (uint32_t i = 0; i < MACH_CODE_AREA; i++) out_printf(out, "\\x%02x", i * 37 % 256);
    out_text(out, "\"\nglobal @format size 9 align 1 static const = \"%d %lx\\n\\x00\\x00\"\n"
                  "global @calls size 24 align 8 static = addr @sum, addr @one, addr @two\n"
                  "function i64 @sum(" PARAMETERS ") static {\n"
                  "  allocated\nb0:\n  rdi, rsi, rdx, rcx, r8, r9, xmm0, xmm1, xmm2, xmm3, xmm4, "
                  "xmm5, xmm6, xmm7 = params\n"
                  "  rax = add.i64 rdi, r9\n  rax = xor.i64 rax, i64 [incoming + 8]\n"
                  "  rax = sub.i64 rax, i64 [incoming + 56]\n  return rax\n}\n"
                  "function f80 @one() static {\n  allocated\n  spills 16\nb0:\n  params\n"
                  "  s0 = const.f80 0x4000:0xc000000000000000\n  return s0\n}\n"
                  "function agg(32 align 16: f80, f80) @two() static {\n  allocated\n"
                  "  spills 16, 16\nb0:\n  params\n"
                  "  s0 = const.f80 0x4001:0xa000000000000000\n"
                  "  s1 = const.f80 0xbfff:0x8000000000000000\n  return s0, s1\n}\n"
                  "function void @show(i32) static {\n  allocated\nb0:\n  rdi = params\n"
                  "  rsi = move i32 rdi\n  rax = addr @out\n  rcx = const.i64 0\n"
                  "  rdx = const.i64 0\n  jump b1\nb1:\n  rdx = mul.i64 rdx, 1000003\n"
                  "  rdx = add.i64 rdx, i64 [rax + rcx*8]\n  rcx = add.i64 rcx, 1\n"
                  "  branch lt.i64 rcx, 128 -> b1, b2\nb2:\n  rdi = addr @format\n"
                  "  rax = call i32(i64, ..., i32, i64) @printf(rdi, rsi, rdx)\n"
                  "  rdi = const.i64 0\n  rax = call @fflush(rdi)\n  return\n}\n");
    for (uint32_t i = 0; i < count; i++)
        out_printf(out,
                   "function void @f%u(" PARAMETERS ") static {\n  allocated\nb0:\n"
                   "  rdi, rsi, rdx, rcx, r8, r9, xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, xmm7 = "
                   "params\n  return\n}\n",
                   i);
    out_text(out, "function i32 @main() {\n  allocated\nb0:\n  params\n");
    for (uint32_t i = 0; i < count; i++) {
        static const char *const general[] = {"rdi", "rsi", "rdx", "rcx", "r8", "r9"};
        for (uint32_t k = 0; k < 8; k++) {
            if (k < 6)
                out_printf(out, "  %s = const.i64 %u\n", general[k], i * 77777 + k * 1000001);
            out_printf(out, "  xmm%u = const.f64 %u.5\n", k, i + k);
            out_printf(out, "  store.i64 [outgoing + %u], %u\n", k * 8,
                       i * 1234567 % 1000000007 + k);
        }
        out_printf(out,
                   "  call @f%u(rdi, rsi, rdx, rcx, r8, r9, xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, "
                   "xmm6, xmm7)\n  rdi = const.i32 %u\n  call @show(rdi)\n",
                   i, i);
    }
    out_text(out, "  rax = const.i32 0\n  return rax\n}\n");
}

// ---- What is known while code is made

typedef struct {
    Arena *arena;
    Random *random;
    Program *program;
    Func *func;
    MachineRegSet general, vector;   // that are places
    uint8_t bits[MACHINE_REG_LIMIT]; // of each register that are defined: 0, 32 or 64
    uint8_t spill_bits[SPILLS];      // likewise; of those of 16 bytes 80
    bool moves;                      // the stack pointer
    Sym out, memory;
    MachConstraints constraints;
} Maker;

static uint32_t below(Maker *m, uint32_t bound) {
    return random_below(m->random, bound);
}

static bool chance(Maker *m, uint32_t part, uint32_t whole) {
    return random_chance(m->random, part, whole);
}

static uint32_t bits_of_type(Type type) {
    return type == TYPE_F80 ? 80 : type == TYPE_I64 || type == TYPE_F64 ? 64 : 32;
}

static uint8_t *known_bits(Maker *m, Place place) {
    return place_is_spill(place) ? &m->spill_bits[place_index(place)]
                                 : &m->bits[place_index(place)];
}

static Place random_place(Maker *m, const MachOperand *operand) {
    if (operand->reg_class == CLASS_MEMORY)
        return place_spill(SMALL_SPILLS + below(m, SPILLS - SMALL_SPILLS));
    if (operand->fixed != MACHINE_REG_LIMIT) return place_machine((MachineReg)operand->fixed);
    if (operand->spill_ok && chance(m, 1, 5)) return place_spill(below(m, SMALL_SPILLS));
    uint32_t first = operand->reg_class == MC_VECTOR ? M_XMM0 : M_RAX;
    for (;;) {
        uint32_t reg = first + below(m, 16);
        if (regs_has(m->general, reg) || regs_has(m->vector, reg))
            return place_machine((MachineReg)reg);
    }
}

// ---- Putting instructions

// Notes what an instruction defines and destroys.
static void note(Maker *m, const MachInstr *instr) {
    mach_constraints(m->arena, m->func, instr, &m->constraints);
    const MachConstraints *c = &m->constraints;
    uint8_t before[2] = {0};
    if (instr->kind == MK_EXCHANGE)
        for (uint32_t k = 0; k < 2; k++) before[k] = *known_bits(m, *c->operands.at[k].place);
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(c->clobbers, reg) || regs_has(c->killed, reg)) m->bits[reg] = 0;
    for (uint32_t k = 0; k < c->operands.count; k++)
        if (c->operands.at[k].role == MO_DEF)
            *known_bits(m, *c->operands.at[k].place) =
                instr->kind == MK_EXCHANGE ? before[!k]
                                           : (uint8_t)bits_of_type((Type)c->operands.at[k].type);
}

static void put(Maker *m, MachInstr instr) {
    note(m, &instr);
    mach_add(m->func, instr);
}

static void put_constant(Maker *m, MachineReg reg, int64_t value) {
    MachInstr instr = mach_instr(MK_OP);
    instr.op = OP_CONST_I64;
    instr.imm = value;
    instr.dest = place_machine(reg);
    put(m, instr);
}

static MachInstr access_at(MachKind kind, Chunk chunk, MachBase base, uint32_t ref, int32_t at) {
    MachInstr instr = mach_instr(kind);
    instr.addressed = true;
    instr.base = (uint8_t)base;
    instr.ref = ref;
    instr.displacement = at;
    instr.chunk = (uint8_t)chunk;
    return instr;
}

static void put_store(Maker *m, Chunk chunk, MachBase base, uint32_t ref, int32_t at, Place value) {
    MachInstr instr = access_at(MK_STORE, chunk, base, ref, at);
    instr.src[0] = value;
    put(m, instr);
}

// ---- Places for an instruction

static bool reads_defined(Maker *m, const MachInstr *instr) {
    for (uint32_t k = 0; k < m->constraints.operands.count; k++) {
        const MachOperand *operand = &m->constraints.operands.at[k];
        if (operand->role != MO_USE || operand->address) continue;
        uint32_t bits = instr->kind == MK_EXCHANGE ? 0 : bits_of_type((Type)operand->type);
        if (*known_bits(m, *operand->place) < bits) return false;
    }
    return true;
}

// The sources of an instruction that are neither memory nor immediate are marked, so that the
// constraints have them; then all places are drawn until they obey. Base and index stay.
static bool find_places(Maker *m, MachInstr *instr, uint32_t sources) {
    const Place mark = place_machine(M_RAX);
    MachInstr plain = *instr;
    for (uint32_t attempt = 0; attempt < TRIES; attempt++) {
        *instr = plain;
        for (uint32_t k = 0; k < sources; k++)
            if (instr->memory != k && instr->immediate != k) instr->src[k] = mark;
        mach_constraints(m->arena, m->func, instr, &m->constraints);
        for (uint32_t k = 0; k < m->constraints.operands.count; k++) {
            MachOperand *operand = &m->constraints.operands.at[k];
            if (!operand->address) *operand->place = random_place(m, operand);
        }
        const char *reason;
        if (mach_obeys(m->func, instr, &m->constraints, &reason) && reads_defined(m, instr))
            return true;
    }
    return false;
}

// ---- Addresses

// Gives the instruction the address of so many bytes of some area; a register that holds its base
// or index is set before.
static void give_address(Maker *m, MachInstr *instr, uint32_t size, bool aligned) {
    static const MachBase areas[] = {MB_SYMBOL, MB_SLOT, MB_INCOMING, MB_OUTGOING};
    MachBase area = areas[below(m, 4)];
    uint32_t room = MACH_CODE_AREA - size, at = below(m, room + 1);
    if (aligned) at -= at % size;
    instr->addressed = true;
    instr->base = (uint8_t)area;
    instr->ref = area == MB_SYMBOL ? m->memory.i : area == MB_SLOT ? below(m, 2) : NO_ID;
    instr->displacement = (int32_t)at;
    bool indexed = chance(m, 1, 4) && (area == MB_SLOT || m->program->pic == PIC_NONE);
    MachOperand any = {.reg_class = CLASS_GENERAL, .fixed = MACHINE_REG_LIMIT};
    if (chance(m, 1, 4)) {
        MachInstr lea = mach_instr(MK_LEA);
        int32_t apart = chance(m, 1, 2) ? (int32_t)below(m, at + 1) : 0;
        lea.dest = random_place(m, &any);
        lea.addressed = true;
        lea.base = instr->base;
        lea.ref = instr->ref;
        lea.displacement = (int32_t)at - apart;
        put(m, lea);
        m->bits[place_index(lea.dest)] = 0; // addresses differ from run to run
        instr->base = MB_PLACE;
        instr->ref = NO_ID;
        instr->base_place = lea.dest;
        instr->displacement = apart;
        indexed = chance(m, 1, 2);
    }
    if (!indexed || instr->base == MB_INCOMING || instr->base == MB_OUTGOING) return;
    Place index = random_place(m, &any);
    if (index.i == instr->base_place.i) return;
    instr->scale = (uint8_t)(1 << below(m, 4));
    instr->index = index;
    int64_t value = (int64_t)below(m, 9) - 4;
    put_constant(m, (MachineReg)place_index(index), value);
    instr->displacement -= (int32_t)value * instr->scale;
}

// ---- Instructions

// What floats come to is not compared but for what is exact.
static bool is_tried(Op op) {
    const OpInfo *info = op_info(op);
    X64Shape shape = x64_shape(op);
    if (info->arity == 0 || info->flags & OPF_PARTIAL) return false;
    if (shape == X64_FLOAT || shape == X64_FQUOTIENT || shape == X64_ROOT || shape == X64_CONVERT ||
        shape == X64_TO_INT || shape == X64_TO_WIDE)
        return false;
    bool converts = info->operand[0] != info->result && !(info->flags & OPF_COND);
    return shape != X64_X87 || op == OP_MOVE_F80 || op == OP_NEG_F80 || op == OP_SELECT_F80 ||
           (info->flags & OPF_COND) || (converts && type_is_int(info->operand[0]));
}

// Perhaps one source becomes memory, perhaps one an immediate.
static void fold(Maker *m, MachInstr *instr, uint32_t sources) {
    if (chance(m, 1, 4)) {
        static const int64_t numbers[] = {0,   1,    -1,    5,     127,      128,
                                          255, -129, 65535, 40000, 123456789};
        int64_t imm = numbers[below(m, 11)];
        if (mach_takes_immediate(instr, 1, imm)) {
            instr->immediate = 1;
            instr->imm = imm;
        }
    }
    if (chance(m, 1, 2)) return;
    for (uint32_t attempt = 0; attempt < TRIES; attempt++) {
        uint32_t source = below(m, sources), chunk = below(m, CHUNK_COUNT);
        if (source == instr->immediate || !mach_takes_memory(instr, source, (Chunk)chunk)) continue;
        instr->memory = (uint8_t)source;
        instr->chunk = (uint8_t)chunk;
        give_address(m, instr, chunk == CHUNK_F80 ? 16 : chunk_size((Chunk)chunk), false);
        return;
    }
}

static Op random_operator(Maker *m, bool compares) {
    for (;;) {
        Op op = (Op)below(m, OP_COUNT);
        if (is_tried(op) && (!compares || op_info(op)->flags & OPF_COND)) return op;
    }
}

static void try_operator(Maker *m, MachKind kind) {
    static const Type types[] = {TYPE_I32, TYPE_I64, TYPE_F32, TYPE_F64, TYPE_F80};
    MachInstr instr = mach_instr(kind);
    instr.op = (uint16_t)random_operator(m, kind != MK_OP);
    uint32_t sources = op_info((Op)instr.op)->arity;
    if (kind == MK_SELECT) {
        instr.aux = types[below(m, 5)];
        sources = 4;
    }
    fold(m, &instr, sources);
    instr.tested = x64_shape((Op)instr.op) == X64_COMPARE && chance(m, 1, 4);
    // A narrow chunk is tested in its own width, by which the immediate was judged.
    if (instr.tested && instr.memory != NO_SOURCE && chunk_size((Chunk)instr.chunk) < 4)
        instr.tested = false;
    if (!find_places(m, &instr, sources)) return;
    put(m, instr);
    if (kind != MK_BRANCH) return;
    uint32_t b = m->func->mach->blocks.count;
    mach_end(m->func, (uint32_t[]){b, b + 1}, 2);
    for (uint32_t k = 0; k < 2; k++) {
        mach_open(m->func);
        MachInstr update = access_at(MK_UPDATE, CHUNK_I32, MB_SYMBOL, m->out.i, 1020);
        update.op = OP_ADD_I32;
        update.memory = 0;
        update.immediate = 1;
        update.imm = k ? 1000 : (int64_t)b;
        put(m, update);
        mach_add(m->func, mach_instr(MK_JUMP));
        mach_end(m->func, &(uint32_t){b + 2}, 1);
    }
    mach_open(m->func);
}

static void try_access(Maker *m) {
    bool loads = chance(m, 1, 2), parts = chance(m, 1, 3);
    MachKind kind = parts ? (loads ? MK_LOAD_PART : MK_STORE_PART) : loads ? MK_LOAD : MK_STORE;
    MachInstr instr = mach_instr(kind);
    if (parts) {
        instr.op = chance(m, 1, 2) ? OP_MOVE_I64 : OP_MOVE_F64;
        instr.imm = 1 + below(m, 8);
        give_address(m, &instr, (uint32_t)instr.imm, false);
    } else {
        instr.chunk = (uint8_t)below(m, CHUNK_COUNT);
        if (!loads && instr.chunk == CHUNK_U8) instr.chunk = CHUNK_I8;
        if (!loads && instr.chunk == CHUNK_U16) instr.chunk = CHUNK_I16;
        give_address(m, &instr, instr.chunk == CHUNK_F80 ? 16 : chunk_size((Chunk)instr.chunk),
                     false);
    }
    if (find_places(m, &instr, loads ? 0 : 1)) put(m, instr);
}

static void try_update(Maker *m) {
    MachInstr instr = mach_instr(MK_UPDATE);
    instr.op = (uint16_t)random_operator(m, false);
    instr.chunk = (uint8_t)below(m, CHUNK_COUNT);
    instr.memory = 0;
    if (!mach_takes_memory(&instr, 0, (Chunk)instr.chunk)) return;
    if (op_info((Op)instr.op)->arity > 1 && chance(m, 1, 2) &&
        mach_takes_immediate(&instr, 1, 99)) {
        instr.immediate = 1;
        instr.imm = 99;
    }
    give_address(m, &instr, chunk_size((Chunk)instr.chunk), false);
    if (find_places(m, &instr, op_info((Op)instr.op)->arity)) put(m, instr);
}

static Builtin random_access(Maker *m) {
    Builtin found[BI_COUNT];
    uint32_t count = 0;
    for (Builtin builtin = 0; builtin < BI_COUNT; builtin++)
        if (builtin_info(builtin)->form == BIF_ADDRESS || builtin_info(builtin)->form == BIF_ATOMIC)
            found[count++] = builtin;
    return found[below(m, count)];
}

static void try_atomic(Maker *m) {
    MachInstr instr = mach_instr(MK_BUILTIN);
    instr.op = (uint16_t)random_access(m);
    const BuiltinInfo *info = builtin_info((Builtin)instr.op);
    instr.chunk = (uint8_t)below(m, CHUNK_COUNT);
    bool integer = type_is_int(chunk_type((Chunk)instr.chunk));
    bool stores = instr.op == BI_VOLATILE_STORE || instr.op == BI_ATOMIC_STORE;
    bool is_unsigned = instr.chunk == CHUNK_U8 || instr.chunk == CHUNK_U16;
    if ((info->form == BIF_ATOMIC && !integer) || instr.chunk == CHUNK_F80 ||
        (stores && is_unsigned))
        return;
    if (info->form == BIF_ATOMIC) instr.aux = ORDER_SEQ_CST;
    if (chance(m, 1, 4) && mach_takes_immediate(&instr, 0, 77)) {
        instr.immediate = 0;
        instr.imm = 77;
    }
    give_address(m, &instr, chunk_size((Chunk)instr.chunk), true);
    if (find_places(m, &instr, (uint32_t)strlen(info->arguments))) put(m, instr);
}

static void try_move(Maker *m) {
    static const Type types[] = {TYPE_I32, TYPE_I64, TYPE_F32, TYPE_F64, TYPE_F80};
    MachInstr instr = mach_instr(chance(m, 1, 5) ? MK_EXCHANGE : MK_MOVE);
    if (instr.kind == MK_MOVE) instr.op = (uint16_t)op_move(types[below(m, 5)]);
    if (instr.kind == MK_EXCHANGE) { // which the constraints name twice
        MachOperand any = {.reg_class = CLASS_GENERAL, .fixed = MACHINE_REG_LIMIT};
        instr.dest = random_place(m, &any);
        instr.src[0] = random_place(m, &any);
        put(m, instr);
    } else if (find_places(m, &instr, 1)) {
        put(m, instr);
    }
}

// Stack arguments are where the code before has left something.
static void put_call(Maker *m, uint32_t which) {
    static const char *const names[] = {"sum", "one", "two"};
    Sym symbol = program_find(m->program, str_of(&m->program->strings, names[which]));
    MachInstr instr = mach_instr(MK_CALL);
    instr.aux = program_at(m->program, symbol)->sig.i;
    uint32_t how = below(m, 3), ref = chance(m, 1, 2) ? NO_ID : below(m, 2);
    MachBase area = ref == NO_ID ? MB_INCOMING : MB_SLOT;
    if (how == 0) instr.ref = symbol.i;
    if (how == 1) {
        MachInstr address = mach_instr(MK_OP);
        address.op = OP_ADDR_SYMBOL;
        address.ref = symbol.i;
        address.dest = place_machine(M_R11);
        put(m, address);
        instr.src[0] = place_machine(M_R11);
    } else if (how == 2) {
        Sym calls = program_find(m->program, str_of(&m->program->strings, "calls"));
        MachInstr fetch = access_at(MK_LOAD, CHUNK_I64, MB_SYMBOL, calls.i, (int32_t)(8 * which));
        fetch.dest = place_machine(M_RAX);
        put(m, fetch);
        put_store(m, CHUNK_I64, area, ref, 8, place_machine(M_RAX));
        MachInstr memory = access_at(MK_CALL, CHUNK_I64, area, ref, 8);
        memory.memory = 0;
        memory.aux = instr.aux;
        instr = memory;
    }
    const Convention *convention = convention_of(m->program, (Sig){instr.aux});
    VEC(Place) arguments = {0}, results = {0};
    for (uint32_t k = 0; k < convention->arguments.count; k++)
        if (convention->arguments.at[k].where == PIECE_REGISTER)
            vec_push(m->arena, &arguments,
                     place_machine((MachineReg)convention->arguments.at[k].reg));
    for (uint32_t k = 0; k < convention->results.count && chance(m, 3 * !k + 1, 4); k++)
        vec_push(m->arena, &results, which ? place_spill(SMALL_SPILLS + k) : place_machine(M_RAX));
    if (results.count != convention->results.count || chance(m, 1, 3)) vec_clear(&results);
    for (uint32_t k = 0; k < arguments.count; k++) {
        uint32_t reg = place_index(arguments.at[k]);
        if (reg < M_XMM0 && m->bits[reg] < 64)
            put_constant(m, (MachineReg)reg, (int64_t)random_next(m->random));
        MachInstr number = mach_instr(MK_OP);
        number.op = OP_CONST_F64;
        number.dest = arguments.at[k];
        if (reg >= M_XMM0 && m->bits[reg] < 64) put(m, number);
    }
    mach_set_list(m->func, &instr, results.at, results.count, arguments.at, arguments.count);
    put(m, instr);
    if (how != 2) return;
    MachInstr clear = access_at(MK_STORE, CHUNK_I64, area, ref, 8);
    clear.immediate = 0;
    put(m, clear);
}

// ---- Functions

static void fill_outgoing(Maker *m) {
    for (int32_t at = 0; at < MACH_CODE_AREA; at += 8) {
        put_constant(m, M_RAX, (int64_t)random_next(m->random));
        put_store(m, CHUNK_I64, MB_OUTGOING, NO_ID, at, place_machine(M_RAX));
    }
}

// The arguments of calls are elsewhere afterwards.
static void put_alloca(Maker *m) {
    MachInstr instr = mach_instr(MK_BUILTIN);
    put_constant(m, M_RCX, below(m, 100));
    instr.op = BI_ALLOCA;
    instr.imm = 1 << below(m, 8);
    instr.src[0] = place_machine(M_RCX);
    instr.dest = place_machine(M_RAX);
    put(m, instr);
    fill_outgoing(m);
}

// Arguments that came, slots and spills get values; where a frame must be of a kind, it becomes
// that.
static void begin(Maker *m) {
    Place params[14];
    static const uint8_t general[] = {M_RDI, M_RSI, M_RDX, M_RCX, M_R8, M_R9};
    for (uint32_t k = 0; k < 14; k++)
        params[k] = place_machine((MachineReg)(k < 6 ? general[k] : M_XMM0 + k - 6));
    MachInstr instr = mach_instr(MK_PARAMS);
    mach_set_list(m->func, &instr, params, 14, NULL, 0);
    put(m, instr);
    for (uint32_t slot = 0; slot < 2; slot++)
        for (int32_t at = 0; at < MACH_CODE_AREA; at += 8)
            put_store(m, CHUNK_I64, MB_SLOT, slot, at,
                      place_machine((MachineReg)general[at / 8 % 6]));
    if (m->moves) put_alloca(m);
    if (!m->moves) fill_outgoing(m);
    put_call(m, 0); // so that there is an area for arguments
    for (uint32_t reg = 0; reg < 16; reg++)
        if (regs_has(m->general, reg) && !m->bits[reg])
            put_constant(m, (MachineReg)reg, (int64_t)random_next(m->random));
}

// Everything that is defined goes to @out.
static void end(Maker *m) {
    int32_t at = 0;
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++, at += 8) {
        bool vector = reg >= M_XMM0, narrow = m->bits[reg] == 32;
        Chunk chunk = vector ? (narrow ? CHUNK_F32 : CHUNK_F64) : narrow ? CHUNK_I32 : CHUNK_I64;
        if (m->bits[reg])
            put_store(m, chunk, MB_SYMBOL, m->out.i, at, place_machine((MachineReg)reg));
    }
    Place through = place_machine(M_RAX);
    for (uint32_t s = 0; s < SPILLS; s++, at += 16) {
        MachInstr move = mach_instr(MK_MOVE);
        move.op = m->spill_bits[s] == 32 ? OP_MOVE_I32 : OP_MOVE_I64;
        move.src[0] = place_spill(s);
        move.dest = through;
        if (!m->spill_bits[s]) continue;
        if (s < SMALL_SPILLS) put(m, move);
        put_store(m,
                  s >= SMALL_SPILLS        ? CHUNK_F80
                  : m->spill_bits[s] == 32 ? CHUNK_I32
                                           : CHUNK_I64,
                  MB_SYMBOL, m->out.i, at, s < SMALL_SPILLS ? through : place_spill(s));
    }
    static const MachBase areas[] = {MB_SYMBOL, MB_INCOMING, MB_OUTGOING, MB_SLOT, MB_SLOT};
    for (uint32_t area = 0; area < 5; area++)
        for (int32_t word = 0; word < MACH_CODE_AREA; word += 8, at += 8) {
            uint32_t ref = areas[area] == MB_SYMBOL ? m->memory.i : area > 2 ? area - 3 : NO_ID;
            MachInstr load = access_at(MK_LOAD, CHUNK_I64, areas[area], ref, word);
            load.dest = through;
            put(m, load);
            put_store(m, CHUNK_I64, MB_SYMBOL, m->out.i, at, through);
        }
    mach_add(m->func, mach_instr(MK_RETURN));
    mach_end(m->func, NULL, 0);
}

static void step(Maker *m) {
    switch (below(m, 12)) {
    case 0: try_operator(m, MK_SELECT); break;
    case 1: try_operator(m, MK_BRANCH); break;
    case 2:
    case 3: try_access(m); break;
    case 4: try_update(m); break;
    case 5: try_atomic(m); break;
    case 6: try_move(m); break;
    case 7:
        if (chance(m, 1, 4)) put_call(m, below(m, 3));
        break;
    default: try_operator(m, MK_OP); break;
    }
}

Func *mach_code_func(Arena *arena, Program *program, Random *random, uint32_t index,
                     uint32_t length) {
    const char *name = arena_printf(arena, "f%u", index);
    Sym symbol = program_find(program, str_of(&program->strings, name));
    Func *empty = func_new(program, arena, symbol, program_at(program, symbol)->sig);
    Maker maker = {.arena = arena,
                   .random = random,
                   .program = program,
                   .out = program_find(program, str_of(&program->strings, "out")),
                   .memory = program_find(program, str_of(&program->strings, "memory"))},
          *m = &maker;
    m->moves = chance(m, 1, 3);
    uint32_t align = chance(m, 1, 2) ? 8 : 16u << below(m, 4);
    for (uint32_t slot = 0; slot < 2; slot++)
        func_add_slot(
            empty, (SlotInfo){.name = STR_NONE, .size = MACH_CODE_AREA, .align = slot ? align : 8});
    m->func = mach_like(empty, arena, true);
    for (uint32_t s = 0; s < SPILLS; s++)
        vec_push(arena, &m->func->mach->spills, (MachSpill){.size = s < SMALL_SPILLS ? 8 : 16});
    m->func->mach->saved = X64_SET(callee_saved_regs);
    // The kind of the frame follows from code that is still to come.
    mach_open(m->func);
    MachInstr moves = mach_instr(MK_BUILTIN);
    moves.op = BI_STACK_RESTORE;
    if (m->moves) mach_add(m->func, moves);
    m->general = mach_class_set(m->func, CLASS_GENERAL);
    m->vector = mach_class_set(m->func, MC_VECTOR);
    vec_clear(&m->func->mach->code);
    vec_clear(&m->func->mach->blocks);
    mach_open(m->func);
    begin(m);
    for (uint32_t i = 0; i < length; i++) step(m);
    end(m);
    return m->func;
}
