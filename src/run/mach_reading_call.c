// Calls and functions of RTL have parameters, those of the machine form pieces (convention.h). A
// call gathers its arguments from pieces; the entry of a function, and the end of a call, take
// values apart. Aggregates in registers go by way of slots.
#include "run/mach_reader.h"

// ---- Parts of aggregates

typedef struct {
    Chunk chunk;
    uint32_t size;
} PartChunk;

// From the largest to the smallest; the low bytes come first.
static const PartChunk part_chunks[] = {
    {CHUNK_I64, 8}, {CHUNK_I32, 4}, {CHUNK_U16, 2}, {CHUNK_U8, 1}};

Reg reader_load_part(Reader *r, Reg base, int64_t offset, uint32_t size) {
    Reg bits = NO_REG;
    for (uint32_t k = 0, at = 0; k < 4; k++) {
        if (size - at < part_chunks[k].size) continue;
        Reg piece = reader_load(r, part_chunks[k].chunk, base, offset + at);
        if (part_chunks[k].size < 8) piece = reader_unary(r, OP_ZEXT_I64, piece);
        if (at) piece = reader_immediate(r, OP_SHL_I64, piece, 8 * (int64_t)at);
        bits = at ? reader_binary(r, OP_OR_I64, bits, piece) : piece;
        at += part_chunks[k].size;
    }
    return bits;
}

void reader_store_part(Reader *r, Reg base, int64_t offset, uint32_t size, Reg bits) {
    static const Chunk stored[] = {CHUNK_I64, CHUNK_I32, CHUNK_I16, CHUNK_I8};
    for (uint32_t k = 0, at = 0; k < 4; k++) {
        if (size - at < part_chunks[k].size) continue;
        Reg piece = at ? reader_immediate(r, OP_SHR_I64, bits, 8 * (int64_t)at) : bits;
        if (part_chunks[k].size < 8) piece = reader_unary(r, OP_TRUNC_I32, piece);
        reader_store(r, stored[k], base, offset + at, piece);
        at += part_chunks[k].size;
    }
}

// A piece of the aggregate at an address, as a value of its type; and the other way round.
static Reg load_piece(Reader *r, const Piece *piece, Reg base) {
    if (piece->type == TYPE_F80) return reader_load(r, CHUNK_F80, base, piece->offset);
    Reg bits = reader_load_part(r, base, piece->offset, piece->size);
    return piece->type == TYPE_F64 ? reader_unary(r, OP_BITS_F64_I64, bits) : bits;
}

static void store_piece(Reader *r, const Piece *piece, Reg base, Reg value) {
    if (piece->type == TYPE_F80) {
        reader_store(r, CHUNK_F80, base, piece->offset, value);
        return;
    }
    if (piece->type == TYPE_F64) value = reader_unary(r, OP_BITS_I64_F64, value);
    reader_store_part(r, base, piece->offset, piece->size, value);
}

// ---- Slots

static uint32_t add_slot(Reader *r, uint64_t size, uint32_t align) {
    return func_add_slot(r->to, (SlotInfo){.size = size, .align = align}).i;
}

static Reg slot_address(Reader *r, uint32_t slot, uint32_t offset) {
    return reader_address_of(r, OP_ADDR_SLOT, slot, offset);
}

static Reg new_object(Reader *r, const ParamType *type) {
    return slot_address(r, add_slot(r, type->size, type->align), 0);
}

static void copy(Reader *r, Reg to, Reg from, uint64_t size) {
    Instr instr = {.kind = I_BUILTIN, .op = BI_MEMCPY, .dest = NO_REG, .imm = (int64_t)size};
    reader_add(r, instr, (Reg[]){to, from}, 2);
}

// ---- Functions

static uint32_t outgoing_size(Reader *r) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(r->func, i);
        if (instr->kind != MK_CALL) continue;
        uint32_t size = convention_of(r->func->program, (Sig){instr->aux})->stack_size;
        if (size > most) most = size;
    }
    return most;
}

// Arguments on the stack are put where the function expects them. What is behind them belongs to
// va_arg, which asks for it in its own way.
static void fill_incoming(Reader *r, const Convention *convention) {
    for (uint32_t k = 0; k < convention->arguments.count; k++) {
        const Piece *piece = &convention->arguments.at[k];
        if (piece->where != PIECE_STACK) continue;
        Reg param = r->params[piece->param], to = slot_address(r, r->incoming, piece->stack);
        if (piece->type == TYPE_VOID)
            copy(r, to, param, piece->size);
        else
            reader_store(r, type_chunk(piece->type), to, 0, param);
    }
}

void reader_begin(Reader *r) {
    const Program *program = r->func->program;
    const SigInfo *sig = program_sig_info(program, r->func->sig);
    r->params = ARENA_ARRAY(r->arena, Reg, sig->fixed_count);
    for (uint32_t p = 0; p < sig->fixed_count; p++) {
        r->params[p] = reader_temp(r, ptype_reg_type(program_ptype_info(program, sig->params[p])));
        vec_push(r->to->arena, &r->to->params, r->params[p]);
    }
    const Convention *convention = convention_of(program, r->func->sig);
    r->incoming = add_slot(r, convention->stack_size, 16);
    r->outgoing = add_slot(r, outgoing_size(r), 16);
    fill_incoming(r, convention);
}

// A result in memory is left in an object of the callee's, and copied from there at the end.
void reader_params(Reader *r, const MachInstr *instr) {
    const Program *program = r->func->program;
    const SigInfo *sig = program_sig_info(program, r->func->sig);
    const Convention *convention = r->constraints.convention;
    uint32_t at = 0;
    for (uint32_t k = 0; k < convention->arguments.count; k++) {
        const Piece *piece = &convention->arguments.at[k];
        if (piece->where != PIECE_REGISTER) continue;
        Reg value;
        if (piece->param == NO_ID)
            value = new_object(r, program_ptype_info(program, sig->result));
        else if (ptype_is_aggregate(program_ptype_info(program, sig->params[piece->param])))
            value = load_piece(r, piece, r->params[piece->param]);
        else
            value = r->params[piece->param];
        reader_put(r, mach_results(r->func, instr)[at++], piece->type, value);
    }
}

static void leave_function(Reader *r, const Reg *value) {
    Node node = reader_add(r, (Instr){.kind = I_RETURN, .dest = NO_REG}, value, value ? 1 : 0);
    func_set_succs(r->to, node, NULL, 0);
}

void reader_return(Reader *r, const MachInstr *instr) {
    const Program *program = r->func->program;
    const ParamType *type =
        program_ptype_info(program, program_sig_info(program, r->func->sig)->result);
    const Convention *convention = r->constraints.convention;
    const Place *arguments = mach_arguments(r->func, instr);
    if (convention->results.count == 0) {
        leave_function(r, NULL);
        return;
    }
    Reg value;
    if (ptype_is_aggregate(type) && !convention->hidden) {
        value = new_object(r, type);
        for (uint32_t k = 0; k < convention->results.count; k++)
            store_piece(r, &convention->results.at[k], value,
                        reader_get(r, arguments[k], convention->results.at[k].type));
    } else {
        value = reader_get(r, arguments[0], convention->results.at[0].type);
    }
    leave_function(r, &value);
}

// ---- Calls

typedef struct {
    const MachInstr *instr;
    const SigInfo *sig;
    Reg *args; // the function if it is not a symbol, the arguments, perhaps where the result goes
    uint32_t first, count;
    Reg into; // of an aggregate result; NO_REG if it is none
} CallReading;

static Reg stack_argument(Reader *r, const Piece *piece) {
    Reg address = slot_address(r, r->outgoing, piece->stack);
    return piece->type == TYPE_VOID ? address : reader_load(r, type_chunk(piece->type), address, 0);
}

// Gathers the arguments from their pieces. Those of an aggregate follow one another.
static void gather(Reader *r, CallReading *call) {
    const Program *program = r->func->program;
    const Convention *convention = r->constraints.convention;
    const Place *arguments = mach_arguments(r->func, call->instr);
    uint32_t at = 0;
    for (uint32_t k = 0; k < convention->arguments.count; k++) {
        const Piece *piece = &convention->arguments.at[k];
        bool in_register = piece->where == PIECE_REGISTER;
        Reg value =
            in_register ? reader_get(r, arguments[at++], piece->type) : stack_argument(r, piece);
        if (piece->param == NO_ID) {
            call->into = value;
            continue;
        }
        Reg *arg = &call->args[call->first + piece->param];
        const ParamType *type = program_ptype_info(program, call->sig->params[piece->param]);
        if (!in_register || !ptype_is_aggregate(type)) {
            *arg = value;
            continue;
        }
        if (piece->offset == 0) *arg = new_object(r, type);
        store_piece(r, piece, *arg, value);
    }
}

static Reg callee(Reader *r, const MachInstr *instr) {
    if (instr->memory != 0) return reader_get(r, instr->src[0], TYPE_I64);
    Instr load = {.kind = I_LOAD, .chunk = CHUNK_I64, .dest = reader_temp(r, TYPE_I64)};
    Reg args[2];
    uint32_t count = reader_set_address(r, instr, &load, args);
    reader_add(r, load, args, count);
    return load.dest;
}

// The result of the call: a register, where it is an aggregate, or NO_REG.
static Reg add_call(Reader *r, CallReading *call) {
    const ParamType *type = program_ptype_info(r->func->program, call->sig->result);
    uint32_t symbol = mach_calls_symbol(call->instr) ? call->instr->ref : NO_ID;
    Instr instr = {.kind = I_CALL, .ref = symbol, .aux = call->instr->aux, .dest = NO_REG};
    if (ptype_is_aggregate(type)) {
        if (call->into.i == NO_ID) call->into = new_object(r, type);
        call->args[call->count++] = call->into;
    } else if (type->type != TYPE_VOID) {
        instr.dest = reader_temp(r, type->type);
    }
    reader_add(r, instr, call->args, call->count);
    return ptype_is_aggregate(type) ? call->into : instr.dest;
}

static void scatter(Reader *r, const CallReading *call, Reg result) {
    const Convention *convention = r->constraints.convention;
    const ParamType *type = program_ptype_info(r->func->program, call->sig->result);
    const Place *results = mach_results(r->func, call->instr);
    for (uint32_t k = 0; k < call->instr->results; k++) {
        const Piece *piece = &convention->results.at[k];
        bool apart = ptype_is_aggregate(type) && !convention->hidden;
        reader_put(r, results[k], piece->type, apart ? load_piece(r, piece, result) : result);
    }
}

void reader_call(Reader *r, const MachInstr *instr) {
    const SigInfo *sig = program_sig_info(r->func->program, (Sig){instr->aux});
    CallReading call = {.instr = instr,
                        .sig = sig,
                        .args = ARENA_ARRAY(r->arena, Reg, (size_t)sig->param_count + 2),
                        .first = !mach_calls_symbol(instr),
                        .count = sig->param_count,
                        .into = NO_REG};
    if (call.first) call.args[0] = callee(r, instr);
    call.count += call.first;
    gather(r, &call);
    Reg result = add_call(r, &call);
    if (instr->kind == MK_TAIL_CALL) {
        bool returns = program_sig_info(r->func->program, r->func->sig)->result.i != PTYPE_VOID.i;
        leave_function(r, returns ? &result : NULL);
        return;
    }
    reader_kill(r);
    scatter(r, &call, result);
}
