#include "test/gen/native.h"

#include "assembly/assembly.h"
#include "target/x64/model/constraints.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void native_init(Native *native) {
    *native = (Native){.arena = arena_new("native")};
    native->program = program_new(native->arena);
    native->program->pic = PIC_SHARED;
    diag_init(&native->diag, native->arena, stderr);
}

// ---- Functions

static Func *new_func(Native *native, uint32_t index) {
    Program *program = native->program;
    PType param = PTYPE_OF(TYPE_I64);
    Sig sig = program_sig(
        program,
        (SigInfo){.result = PTYPE_VOID, .param_count = 1, .fixed_count = 1, .params = &param});
    const char *name = arena_printf(native->arena, "f%u", index);
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
    program_at(program, symbol)->defined = true;
    program_at(program, symbol)->sig = sig;
    Func *func = mach_like(func_new(program, native->arena, symbol, sig), native->arena, true);
    func->mach->saved = X64_SET(callee_saved_regs);
    for (uint32_t s = 0; s < NATIVE_SPILLS; s++)
        vec_push(native->arena, &func->mach->spills,
                 (MachSpill){.size = s < NATIVE_SMALL_SPILLS ? 8 : 16});
    return func;
}

static void add_move(Func *func, Place to, Place from) {
    MachInstr instr = mach_instr(MK_MOVE);
    instr.op = OP_MOVE_I64;
    instr.dest = to;
    instr.src[0] = from;
    mach_add(func, instr);
}

static void add_access(Func *func, MachKind kind, Chunk chunk, Place value, MachineReg base,
                       size_t offset) {
    MachInstr instr = mach_instr(kind);
    instr.addressed = true;
    instr.base = MB_PLACE;
    instr.base_place = place_machine(base);
    instr.displacement = (int32_t)offset;
    instr.chunk = (uint8_t)chunk;
    if (kind == MK_LOAD)
        instr.dest = value;
    else
        instr.src[0] = value;
    mach_add(func, instr);
}

static void transfer_spills(Func *func, MachKind kind, MachineReg keeper, size_t offset) {
    Place through = place_machine(keeper == M_RAX ? M_RCX : M_RAX);
    for (uint32_t s = 0; s < NATIVE_SPILLS; s++) {
        size_t at = offset + offsetof(NativeState, spill) + 16 * s;
        if (s >= NATIVE_SMALL_SPILLS) {
            add_access(func, kind, CHUNK_F80, place_spill(s), keeper, at);
            continue;
        }
        if (kind == MK_STORE) add_move(func, through, place_spill(s));
        add_access(func, kind, CHUNK_I64, through, keeper, at);
        if (kind == MK_LOAD) add_move(func, place_spill(s), through);
    }
}

static void transfer_registers(Func *func, MachKind kind, MachineReg keeper, size_t offset) {
    for (uint32_t r = 0; r < 16; r++) {
        if (r != M_RSP && r != (uint32_t)keeper)
            add_access(func, kind, CHUNK_I64, place_machine((MachineReg)r), keeper,
                       offset + offsetof(NativeState, general) + 8 * r);
        add_access(func, kind, CHUNK_F64, place_machine((MachineReg)(M_XMM0 + r)), keeper,
                   offset + offsetof(NativeState, vector) + 8 * r);
    }
}

static void add_store_outcome(Func *func, MachineReg keeper, int64_t outcome, uint32_t next) {
    mach_open(func);
    MachInstr store = mach_instr(MK_STORE);
    store.addressed = true;
    store.base = MB_PLACE;
    store.base_place = place_machine(keeper);
    store.displacement = (int32_t)offsetof(NativeBlock, outcome);
    store.chunk = CHUNK_I64;
    store.immediate = 0;
    store.imm = outcome;
    mach_add(func, store);
    mach_add(func, mach_instr(MK_JUMP));
    mach_end(func, &next, 1);
}

static Func *build(Native *native, uint32_t index) {
    const NativeCase *c = &native->cases.at[index];
    Func *func = new_func(native, index);
    MachInstr params = mach_instr(MK_PARAMS);
    Place first = place_machine(M_RDI);
    mach_open(func);
    mach_set_list(func, &params, &first, 1, NULL, 0);
    mach_add(func, params);
    add_move(func, place_machine(c->keeper), first);
    transfer_spills(func, MK_LOAD, c->keeper, offsetof(NativeBlock, in));
    transfer_registers(func, MK_LOAD, c->keeper, offsetof(NativeBlock, in));
    if (c->before.kind != MK_PARAMS) mach_add(func, c->before);
    mach_add(func, c->instr);
    if (c->instr.kind == MK_BRANCH) {
        uint32_t succs[] = {c->reversed ? 2 : 1, c->reversed ? 1 : 2};
        mach_end(func, succs, 2);
        add_store_outcome(func, c->keeper, !c->reversed, 3);
        add_store_outcome(func, c->keeper, c->reversed, 3);
        mach_open(func);
    }
    transfer_registers(func, MK_STORE, c->keeper, offsetof(NativeBlock, out));
    transfer_spills(func, MK_STORE, c->keeper, offsetof(NativeBlock, out));
    mach_add(func, mach_instr(MK_RETURN));
    mach_end(func, NULL, 0);
    return func;
}

// ---- Cases

static MachineRegSet used_by(const MachConstraints *constraints) {
    MachineRegSet used = regs_or(constraints->clobbers, constraints->killed);
    for (uint32_t k = 0; k < constraints->operands.count; k++) {
        Place place = *constraints->operands.at[k].place;
        if (place_is_machine(place)) regs_add(&used, place_index(place));
    }
    return used;
}

// Adds what an instruction uses and destroys; false if it does not obey.
static bool take_in(Native *native, const MachInstr *instr, MachineRegSet *used,
                    MachineRegSet *destroyed) {
    Func *func = new_func(native, UINT32_MAX);
    MachConstraints constraints = {0};
    const char *reason;
    mach_constraints(native->arena, func, instr, &constraints);
    if (!mach_obeys(func, instr, &constraints, &reason)) return false;
    regs_add_all(used, used_by(&constraints));
    regs_add_all(destroyed, regs_or(constraints.clobbers, constraints.killed));
    for (uint32_t k = 0; k < constraints.operands.count; k++) {
        Place place = *constraints.operands.at[k].place;
        if (constraints.operands.at[k].role == MO_DEF && place_is_machine(place))
            regs_add(destroyed, place_index(place));
    }
    return true;
}

bool native_add_after(Native *native, MachInstr before, MachInstr instr, bool reversed) {
    NativeCase c = {.before = before, .instr = instr, .keeper = M_R15, .reversed = reversed};
    MachineRegSet used = NO_REGS;
    bool obeys = before.kind == MK_PARAMS || take_in(native, &before, &used, &c.destroyed);
    if (!obeys || !take_in(native, &instr, &used, &c.destroyed)) return false;
    while (c.keeper > M_RAX && (regs_has(used, c.keeper) || c.keeper == M_RSP)) c.keeper--;
    if (regs_has(used, c.keeper)) return false;
    vec_push(native->arena, &native->cases, c);
    return true;
}

bool native_add(Native *native, MachInstr instr, bool reversed) {
    return native_add_after(native, mach_instr(MK_PARAMS), instr, reversed);
}

void native_load(Native *native) {
    Out out = {0};
    AssemblyOptions options = {.diag = &native->diag};
    Func **funcs = ARENA_ARRAY(native->arena, Func *, native->cases.count);
    for (uint32_t i = 0; i < native->cases.count; i++) funcs[i] = build(native, i);
    Assembly *assembly = assembly_begin(&out, native->program, &options);
    for (uint32_t i = 0; i < native->cases.count; i++) assembly_function(assembly, funcs[i], NULL);
    assembly_end(assembly);
    const char *name =
        arena_printf(native->arena, "./native-%d-%p", (int)getpid(), (void *)native->arena);
    const char *text = arena_printf(native->arena, "%s.s", name);
    const char *object = arena_printf(native->arena, "%s.so", name);
    if (!out_commit(&out, text)) fatal("cannot write %s", text);
    out_free(&out);
    if (system(arena_printf(native->arena, "cc -shared -o %s %s", object, text)) != 0)
        fatal("%s cannot be assembled", text);
    native->object = dlopen(object, RTLD_NOW);
    if (!native->object) fatal("%s", dlerror());
    remove(text);
    remove(object);
}

void native_run(const Native *native, uint32_t index, NativeBlock *block) {
    void (*function)(NativeBlock *);
    char name[16];
    snprintf(name, sizeof name, "f%u", index);
    void *address = dlsym(native->object, name);
    if (!address) fatal("there is no %s", name);
    memcpy(&function, &address, sizeof function);
    function(block);
}

void native_free(Native *native) {
    if (native->object) dlclose(native->object);
    diag_free(&native->diag);
    arena_free(native->arena);
}
