// The classification of the psABI is done in two places: the front end, which knows the fields of
// an aggregate, says in ParamType.part what each eightbyte is; here the registers are dealt out.
#include "target/x64/model/sysv.h"

static const uint8_t general_arguments[] = {M_RDI, M_RSI, M_RDX, M_RCX, M_R8, M_R9};
enum { GENERAL_ARGUMENTS = 6, VECTOR_ARGUMENTS = 8 };

static bool is_vector(Type type) {
    return type == TYPE_F32 || type == TYPE_F64;
}

static uint32_t scalar_size(Type type) {
    if (type == TYPE_F80) return 16;
    return type == TYPE_I32 || type == TYPE_F32 ? 4 : 8;
}

static void add_in_register(Arena *arena, Convention *convention, Piece piece) {
    piece.where = PIECE_REGISTER;
    if (is_vector(piece.type))
        piece.reg = (uint8_t)(M_XMM0 + convention->vector_count++);
    else
        piece.reg = general_arguments[convention->general_count++];
    vec_push(arena, &convention->arguments, piece);
}

static void add_on_stack(Arena *arena, Convention *convention, uint32_t align, Piece piece) {
    uint32_t unit = align > 8 ? align : 8;
    piece.where = PIECE_STACK;
    piece.stack = (convention->stack_size + unit - 1) & ~(unit - 1);
    uint32_t end = piece.stack + ((piece.size + 7) & ~(uint32_t)7);
    convention->stack_size = end < CONVENTION_STACK_LIMIT ? end : CONVENTION_STACK_LIMIT;
    vec_push(arena, &convention->arguments, piece);
}

static void add_scalar(Arena *arena, Convention *convention, uint32_t param, Type type) {
    Piece piece = {.param = param, .size = scalar_size(type), .type = type};
    bool fits = is_vector(type) ? convention->vector_count < VECTOR_ARGUMENTS
                                : convention->general_count < GENERAL_ARGUMENTS;
    if (type != TYPE_F80 && fits)
        add_in_register(arena, convention, piece);
    else
        add_on_stack(arena, convention, type == TYPE_F80 ? 16 : 8, piece);
}

// The piece of an aggregate that its part k is: an eightbyte, the last perhaps shorter, or an f80.
static Piece part_piece(const ParamType *type, uint32_t param, uint32_t k) {
    uint32_t unit = type->part[k] == TYPE_F80 ? 16 : 8, offset = k * unit;
    uint64_t rest = type->size > offset ? type->size - offset : 0;
    return (Piece){.param = param,
                   .offset = offset,
                   .size = rest < unit ? (uint32_t)rest : unit,
                   .type = type->part[k]};
}

// Only if all its parts find registers is an aggregate passed in them; an f80 part never does.
static bool parts_fit(const Convention *convention, const ParamType *type) {
    uint32_t general = convention->general_count, vector = convention->vector_count;
    for (uint32_t k = 0; k < type->parts; k++) {
        if (type->part[k] == TYPE_F80) return false;
        if (is_vector(type->part[k]))
            vector++;
        else
            general++;
    }
    return type->parts > 0 && general <= GENERAL_ARGUMENTS && vector <= VECTOR_ARGUMENTS;
}

static void add_aggregate(Arena *arena, Convention *convention, uint32_t param,
                          const ParamType *type) {
    if (parts_fit(convention, type))
        for (uint32_t k = 0; k < type->parts; k++)
            add_in_register(arena, convention, part_piece(type, param, k));
    else
        add_on_stack(arena, convention, type->align,
                     (Piece){.param = param,
                             .size = type->size < CONVENTION_STACK_LIMIT ? (uint32_t)type->size
                                                                         : CONVENTION_STACK_LIMIT,
                             .type = TYPE_VOID});
}

static void add_result(Arena *arena, Convention *convention, Piece piece) {
    static const uint8_t general[] = {M_RAX, M_RDX};
    uint32_t same = 0; // results of its kind that came before
    for (uint32_t k = 0; k < convention->results.count; k++)
        same += is_vector(convention->results.at[k].type) == is_vector(piece.type);
    piece.where = PIECE_REGISTER;
    if (piece.type == TYPE_F80)
        piece.reg = (uint8_t)same;
    else
        piece.reg = is_vector(piece.type) ? (uint8_t)(M_XMM0 + same) : general[same];
    vec_push(arena, &convention->results, piece);
}

static void classify_result(Arena *arena, Convention *convention, const ParamType *type) {
    convention->hidden = ptype_is_aggregate(type) && type->parts == 0;
    if (convention->hidden) {
        Piece address = {.param = NO_ID, .size = 8, .type = TYPE_I64};
        add_in_register(arena, convention, address);
        add_result(arena, convention, address);
    } else if (ptype_is_aggregate(type)) {
        for (uint32_t k = 0; k < type->parts; k++)
            add_result(arena, convention, part_piece(type, 0, k));
    } else if (type->type != TYPE_VOID) {
        add_result(arena, convention, (Piece){.size = scalar_size(type->type), .type = type->type});
    }
}

static uint32_t alignment_of(const Program *program, const SigInfo *info) {
    uint32_t align = 16;
    for (uint32_t k = 0; k < info->param_count; k++) {
        const ParamType *type = program_ptype_info(program, info->params[k]);
        if (ptype_is_aggregate(type) && type->align > align) align = type->align;
    }
    return align;
}

static bool is_passable(const Program *program, PType id) {
    if (id.i >= program->ptypes.count) return false;
    const ParamType *type = program_ptype_info(program, id);
    bool known = type->parts <= SYSV_PARTS && type->type < TYPE_COUNT;
    for (uint32_t k = 0; k < type->parts && known; k++)
        known = type->part[k] > TYPE_VOID && type->part[k] < TYPE_COUNT;
    return known;
}

void x64_classify(Arena *arena, const Program *program, const SigInfo *info,
                  Convention *convention) {
    convention->passable = is_passable(program, info->result);
    for (uint32_t p = 0; p < info->param_count && convention->passable; p++)
        convention->passable = is_passable(program, info->params[p]);
    if (!convention->passable) return;
    convention->alignment = alignment_of(program, info);
    classify_result(arena, convention, program_ptype_info(program, info->result));
    for (uint32_t p = 0; p < info->param_count; p++) {
        const ParamType *type = program_ptype_info(program, info->params[p]);
        if (ptype_is_aggregate(type))
            add_aggregate(arena, convention, p, type);
        else if (type->type != TYPE_VOID)
            add_scalar(arena, convention, p, type->type);
    }
    for (uint32_t k = 0; k < convention->arguments.count; k++)
        if (convention->arguments.at[k].where == PIECE_REGISTER)
            vec_push(arena, &convention->in_registers, k);
        else
            vec_push(arena, &convention->on_stack, k);
    convention->passable = convention->stack_size < CONVENTION_STACK_LIMIT;
}

uint32_t sysv_x87_results(const Program *program, Sig sig) {
    const ParamType *type = program_ptype_info(program, program_sig_info(program, sig)->result);
    if (!ptype_is_aggregate(type)) return type->type == TYPE_F80;
    uint32_t count = 0;
    for (uint32_t k = 0; k < type->parts; k++) count += type->part[k] == TYPE_F80;
    return count;
}

// What a function without a result leaves in registers does not matter.
bool x64_returns_alike(const Convention *own, const Convention *called) {
    if (own->hidden || called->hidden) return false;
    if (own->results.count == 0)
        return called->results.count == 0 || called->results.at[0].type != TYPE_F80;
    if (own->results.count != called->results.count) return false;
    for (uint32_t k = 0; k < own->results.count; k++)
        if (own->results.at[k].reg != called->results.at[k].reg ||
            own->results.at[k].type != called->results.at[k].type)
            return false;
    return true;
}
