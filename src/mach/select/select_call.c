// Parameters, calls and returns: values in the pieces that the calling convention asks for.
//
// Arguments on the stack are stored before the call into the area of outgoing arguments; those in
// registers, and an aggregate's register-sized parts, are the call's list. The allocator brings
// them into the registers that the convention names.
#include "mach/select/select.h"

#include "fact/calls.h"

typedef VEC(Place) PlaceVec;

static Address area(MachBase base, uint32_t offset) {
    return (Address){.base = (uint8_t)base, .displacement = offset};
}

// ---- Short instructions

static void put_address(Selector *s, Place dest, Address address) {
    MachInstr instr = mach_instr(MK_LEA);
    instr.dest = dest;
    sel_set_address(s, &instr, address);
    sel_put(s, instr);
}

static void put_copy(Selector *s, Place to, Place from, uint64_t size) {
    MachInstr instr = mach_instr(MK_BUILTIN);
    instr.op = BI_MEMCPY;
    instr.src[0] = to;
    instr.src[1] = from;
    instr.imm = (int64_t)size;
    sel_put(s, instr);
}

// A piece of an aggregate, from memory or into it: an f80 as a whole, other ones byte for byte.
static void put_part(Selector *s, bool store, Place part, const Piece *piece, Address address) {
    bool whole = piece->type == TYPE_F80;
    MachInstr instr =
        mach_instr(store ? (whole ? MK_STORE : MK_STORE_PART) : (whole ? MK_LOAD : MK_LOAD_PART));
    if (whole) {
        instr.chunk = CHUNK_F80;
    } else {
        instr.op = (uint16_t)op_move(piece->type);
        instr.imm = piece->size;
    }
    *(store ? &instr.src[0] : &instr.dest) = part;
    sel_set_address(s, &instr, address);
    sel_put(s, instr);
}

static Place load_part(Selector *s, const Piece *piece, SelectValue pointer) {
    Place part = sel_temp(s, piece->type);
    put_part(s, false, part, piece, sel_address_at(s, pointer, piece->offset));
    return part;
}

// ---- Parameters

// A parameter that came in registers as the parts of an aggregate gets a slot of its own.
static void unpack_param(Selector *s, Reg param, const ParamType *type, const Piece *pieces,
                         const Place *parts, uint32_t count) {
    Slot slot = func_add_slot(s->func, (SlotInfo){.name = STR_NONE,
                                                  .size = type->size,
                                                  .align = type->align,
                                                  .buffer = func_param_buffer(s->func)});
    for (uint32_t k = 0; k < count; k++)
        put_part(s, true, parts[k], &pieces[k],
                 (Address){.base = MB_SLOT, .ref = slot.i, .displacement = pieces[k].offset});
    put_address(s, place_of_reg(param), (Address){.base = MB_SLOT, .ref = slot.i});
}

static void fetch_param(Selector *s, Reg param, const Piece *piece) {
    Address address = area(MB_INCOMING, piece->stack);
    if (piece->type == TYPE_VOID) {
        put_address(s, place_of_reg(param), address);
        return;
    }
    MachInstr instr = mach_instr(MK_LOAD);
    instr.dest = place_of_reg(param);
    instr.chunk = (uint8_t)type_chunk(piece->type);
    sel_set_address(s, &instr, address);
    sel_put(s, instr);
}

void sel_params(Selector *s) {
    const SigInfo *sig = program_sig_info(s->program, s->rtl->sig);
    const Convention *convention = convention_of(s->program, s->rtl->sig);
    PlaceVec results = {0};
    s->hidden = NO_PLACE;
    for (uint32_t k = 0; k < convention->arguments.count; k++) {
        const Piece *piece = &convention->arguments.at[k];
        if (piece->where != PIECE_REGISTER) continue;
        bool scalar = piece->param != NO_ID &&
                      program_ptype_info(s->program, sig->params[piece->param])->type != TYPE_VOID;
        Place place =
            scalar ? place_of_reg(s->rtl->params.at[piece->param]) : sel_temp(s, piece->type);
        if (piece->param == NO_ID) s->hidden = place;
        vec_push(s->scratch, &results, place);
    }
    MachInstr instr = mach_instr(MK_PARAMS);
    mach_set_list(s->func, &instr, results.at, results.count, NULL, 0);
    sel_put(s, instr);
    uint32_t in_registers = convention->hidden;
    for (uint32_t k = convention->hidden, end; k < convention->arguments.count; k = end) {
        const Piece *piece = &convention->arguments.at[k];
        const ParamType *type = program_ptype_info(s->program, sig->params[piece->param]);
        Reg param = s->rtl->params.at[piece->param];
        for (end = k + 1; end < convention->arguments.count; end++)
            if (convention->arguments.at[end].param != piece->param) break;
        if (piece->where == PIECE_STACK)
            fetch_param(s, param, piece);
        else if (ptype_is_aggregate(type))
            unpack_param(s, param, type, piece, results.at + in_registers, end - k);
        if (piece->where == PIECE_REGISTER) in_registers += end - k;
    }
    bool slots = s->func->slots.count > s->rtl->slots.count;
    s->tail_call = s->tail_call && !slots;
}

// ---- Arguments

static void store_argument(Selector *s, const Piece *piece, SelectValue value) {
    MachInstr instr = mach_instr(MK_STORE);
    Address address = area(MB_OUTGOING, piece->stack);
    if (piece->type == TYPE_VOID) {
        Place to = sel_temp(s, TYPE_I64);
        put_address(s, to, address);
        put_copy(s, to, sel_place(s, value), piece->size);
        return;
    }
    instr.chunk = (uint8_t)type_chunk(piece->type);
    sel_set_stored(s, &instr, 0, value);
    sel_set_address(s, &instr, address);
    sel_put(s, instr);
}

// The register pieces of the arguments of a call, after those on the stack have been stored.
static PlaceVec list_arguments(Selector *s, const SelectItem *call, const SigInfo *sig,
                               const Convention *convention) {
    PlaceVec list = {0};
    uint32_t first = call->instr->ref == NO_ID;
    for (uint32_t k = 0; k < convention->arguments.count; k++) {
        const Piece *piece = &convention->arguments.at[k];
        if (piece->where == PIECE_STACK)
            store_argument(s, piece, sel_arg(s, call, first + piece->param));
    }
    for (uint32_t k = 0; k < convention->arguments.count; k++) {
        const Piece *piece = &convention->arguments.at[k];
        if (piece->where == PIECE_STACK) continue;
        uint32_t arg = piece->param == NO_ID ? call->instr->arg_count - 1 : first + piece->param;
        SelectValue value = sel_arg(s, call, arg);
        bool aggregate =
            piece->param != NO_ID &&
            ptype_is_aggregate(program_ptype_info(s->program, sig->params[piece->param]));
        Place place = aggregate ? load_part(s, piece, value) : sel_place(s, value);
        vec_push(s->scratch, &list, place);
    }
    return list;
}

// Sets the function that is called: a symbol, a place, or memory that is read just before. The
// address of that cannot start at a symbol or slot, as a call has room for one name only.
static void set_callee(Selector *s, MachInstr *instr, const SelectItem *call, bool in_place) {
    instr->ref = call->instr->ref;
    if (instr->ref != NO_ID) return;
    SelectValue value = sel_arg(s, call, 0);
    const SelectItem *load = in_place ? NULL : sel_load(s, value);
    Address address = load ? sel_address(s, load) : (Address){0};
    if (!load || address.base != MB_PLACE) {
        instr->src[0] = sel_place(s, value);
        return;
    }
    instr->memory = 0;
    instr->chunk = load->instr->chunk;
    sel_set_address(s, instr, address);
}

// ---- Calls

void sel_call(Selector *s, const SelectItem *item) {
    Sig sig = {item->instr->aux};
    const SigInfo *info = program_sig_info(s->program, sig);
    bool aggregate = ptype_is_aggregate(program_ptype_info(s->program, info->result));
    const Convention *convention = convention_of(s->program, sig);
    PlaceVec arguments = list_arguments(s, item, info, convention), results = {0};
    for (uint32_t k = 0; k < convention->results.count; k++) {
        bool named = !aggregate && item->instr->dest.i != NO_ID;
        Place place =
            named ? place_of_reg(item->instr->dest) : sel_temp(s, convention->results.at[k].type);
        vec_push(s->scratch, &results, place);
    }
    MachInstr instr = mach_instr(MK_CALL);
    instr.aux = sig.i;
    set_callee(s, &instr, item, convention->stack_size > 0);
    mach_set_list(s->func, &instr, results.at, results.count, arguments.at, arguments.count);
    sel_put(s, instr);
    if (!aggregate || convention->hidden) return;
    SelectValue into = sel_arg(s, item, item->instr->arg_count - 1);
    for (uint32_t k = 0; k < results.count; k++) {
        const Piece *piece = &convention->results.at[k];
        put_part(s, true, results.at[k], piece, sel_address_at(s, into, piece->offset));
    }
}

// Whether a callee may return to the caller of the function.
static bool may_leave_to(const Selector *s, const Instr *call) {
    const SigInfo *callee = program_sig_info(s->program, (Sig){call->aux});
    const ParamType *result = program_ptype_info(s->program, callee->result);
    if (ptype_is_aggregate(result) || call_never_returns(s->program, call)) return false;
    const Convention *own = convention_of(s->program, s->rtl->sig);
    const Convention *called = convention_of(s->program, (Sig){call->aux});
    return called->stack_size == 0 && own->stack_size == 0 && !own->hidden &&
           s->model->returns_alike(own, called);
}

bool sel_is_tail_call(Selector *s) {
    uint32_t count = s->items.count;
    if (!s->tail_call || count < 2) return false;
    const SelectItem *call = &s->items.at[count - 2], *last = &s->items.at[count - 1];
    if (call->instr->kind != I_CALL || last->instr->kind != I_RETURN) return false;
    return may_leave_to(s, call->instr) &&
           (last->instr->arg_count == 0 || sel_arg(s, last, 0).def == count - 1);
}

enum { MOST_NOPS = 100 }; // between a call and a return

// The return behind a call, of the call's result or of nothing, if other ways lead there, too; else
// NO_NODE.
static Node shared_return(const Func *rtl, const Graph *graph, const Instr *call) {
    Node node = call->succ[0];
    bool shared = false;
    for (uint32_t steps = 0; steps < MOST_NOPS; steps++) {
        const Instr *instr = func_at(rtl, node);
        shared |= graph->pred_at[node.i + 1] - graph->pred_at[node.i] > 1;
        if (instr->kind == I_RETURN && shared &&
            (instr->arg_count == 0 || instr_args(rtl, instr)[0].i == call->dest.i))
            return node;
        if (instr->kind != I_NOP) return NO_NODE;
        node = instr->succ[0];
    }
    return NO_NODE;
}

// Each of these calls gets a return of its own, so that it can be a tail call: the checker walks to
// the shared return. The new nodes are the last ones.
const Func *sel_returns_behind_calls(const Selector *s, Arena *arena) {
    const Func *rtl = s->rtl;
    Func *changed = NULL;
    for (uint32_t n = 0; s->tail_call && n < rtl->nodes.count; n++) {
        const Instr *call = &rtl->nodes.at[n];
        if (call->kind != I_CALL || !graph_reaches(&s->graph, n)) continue;
        Node leaving = shared_return(rtl, &s->graph, call);
        if (leaving.i == NO_ID || !may_leave_to(s, call)) continue;
        if (!changed) changed = func_clone(rtl, arena);
        func_set_succ(changed, (Node){n}, 0, func_duplicate(changed, leaving));
    }
    return changed ? changed : rtl;
}

void sel_tail_call(Selector *s, const SelectItem *call) {
    Sig sig = {call->instr->aux};
    const Convention *convention = convention_of(s->program, sig);
    PlaceVec arguments = list_arguments(s, call, program_sig_info(s->program, sig), convention);
    MachInstr instr = mach_instr(MK_TAIL_CALL);
    instr.aux = sig.i;
    set_callee(s, &instr, call, true);
    mach_set_list(s->func, &instr, NULL, 0, arguments.at, arguments.count);
    sel_put(s, instr);
}

// ---- Returns

void sel_return(Selector *s, const SelectItem *item) {
    const SigInfo *sig = program_sig_info(s->program, s->rtl->sig);
    const ParamType *type = program_ptype_info(s->program, sig->result);
    PlaceVec list = {0};
    if (item->instr->arg_count > 0) {
        SelectValue value = sel_arg(s, item, 0);
        if (s->hidden.i != NO_PLACE.i) {
            put_copy(s, s->hidden, sel_place(s, value), type->size);
            vec_push(s->scratch, &list, s->hidden);
        } else if (ptype_is_aggregate(type)) {
            const Convention *convention = convention_of(s->program, s->rtl->sig);
            for (uint32_t k = 0; k < convention->results.count; k++) {
                Place part = load_part(s, &convention->results.at[k], value);
                vec_push(s->scratch, &list, part);
            }
        } else {
            Place place = sel_place(s, value);
            vec_push(s->scratch, &list, place);
        }
    }
    MachInstr instr = mach_instr(MK_RETURN);
    mach_set_list(s->func, &instr, NULL, 0, list.at, list.count);
    sel_put(s, instr);
}
