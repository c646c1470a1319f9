// Machine code in certificates: instructions with their places. Blocks are not written: a block
// ends with an instruction that names successors.
//
// The guess about an instruction that comes from an old instruction is the same instruction with
// other places: each place becomes the place that replaced it when it was last mentioned. An old
// block as successor becomes the block that ends with its last instruction.
#include "cert/form_code.h"
#include "form/mach.h"
#include "target/model.h"

#include <string.h>

enum {
    MF_KIND,
    MF_OP,
    MF_BUILTIN,
    MF_BASE,
    MF_SCALE,
    MF_CHUNK,
    MF_MEMORY,
    MF_IMMEDIATE,
    MF_ADDRESSED,
    MF_TESTED,
    MF_CHECKED,
    MF_HIGH,
    MF_SRC,
    MF_BASE_PLACE = MF_SRC + MACH_SOURCES,
    MF_INDEX,
    MF_DEST,
    MF_DISPLACEMENT,
    MF_SYMBOL,
    MF_SLOT,
    MF_AUX,
    MF_IMM,
    MF_RESULTS,
    MF_ARGUMENTS,
    MF_SUCCS,
    MF_CASES,
    MF_FIELDS
};

enum { LIST_RESULTS, LIST_ARGUMENTS, LIST_SUCCS, LIST_CASES };

static const char *kind_word(uint32_t kind) {
    return kind < MACH_KIND_COUNT ? mach_kinds[kind].word : NULL;
}

static const char *base_word(uint32_t base) {
    static const char *const names[] = {"none", "place", "symbol", "slot", "incoming", "outgoing"};
    return base <= MB_OUTGOING ? names[base] : NULL;
}

#define ID    (NONE - 1)
#define PLACE FIELD_NUMBER, .usual = NONE, .most = PLACE_MASK - MACHINE_REG_LIMIT, .place = true
static const RecordField mach_fields[MF_FIELDS] = {
    [MF_KIND] = {.name = "kind", .kind = FIELD_WORD, .usual = MACH_KIND_COUNT, .words = kind_word},
    [MF_OP] = {.name = "op", .kind = FIELD_WORD, .usual = OP_COUNT, .words = op_word},
    [MF_BUILTIN] = {.name = "builtin",
                    .kind = FIELD_WORD,
                    .usual = BI_COUNT,
                    .words = builtin_word},
    [MF_BASE] = {.name = "base", .kind = FIELD_WORD, .words = base_word},
    [MF_SCALE] = {.name = "scale", .kind = FIELD_SMALL, .most = UINT8_MAX},
    [MF_CHUNK] = {.name = "chunk", .kind = FIELD_WORD, .usual = CHUNK_COUNT, .words = chunk_word},
    [MF_MEMORY] = {.name = "memory", .kind = FIELD_SMALL, .usual = NO_SOURCE, .most = NO_SOURCE},
    [MF_IMMEDIATE] = {.name = "immediate",
                      .kind = FIELD_SMALL,
                      .usual = NO_SOURCE,
                      .most = NO_SOURCE},
    [MF_ADDRESSED] = {.name = "addressed", .kind = FIELD_FLAG},
    [MF_TESTED] = {.name = "tested", .kind = FIELD_FLAG},
    [MF_CHECKED] = {.name = "checked", .kind = FIELD_FLAG},
    [MF_HIGH] = {.name = "high", .kind = FIELD_NUMBER, .most = UINT16_MAX},
    [MF_SRC] = {"a", PLACE},
    [MF_SRC + 1] = {"b", PLACE},
    [MF_SRC + 2] = {"c", PLACE},
    [MF_SRC + 3] = {"d", PLACE},
    [MF_BASE_PLACE] = {"start", PLACE},
    [MF_INDEX] = {"index", PLACE},
    [MF_DEST] = {"dest", PLACE},
    [MF_DISPLACEMENT] = {.name = "displacement", .kind = FIELD_SIGNED},
    [MF_SYMBOL] = {.name = "symbol", .kind = FIELD_SYMBOL, .usual = NONE},
    [MF_SLOT] = {.name = "slot", .kind = FIELD_NUMBER, .usual = NONE, .most = ID},
    [MF_AUX] = {.name = "aux", .kind = FIELD_NUMBER, .most = ID},
    [MF_IMM] = {.name = "imm", .kind = FIELD_SIGNED},
    [MF_RESULTS] = {.name = "results",
                    .kind = FIELD_LIST,
                    .most = PLACE_MASK - MACHINE_REG_LIMIT,
                    .list = LIST_RESULTS,
                    .place = true},
    [MF_ARGUMENTS] = {.name = "arguments",
                      .kind = FIELD_LIST,
                      .most = PLACE_MASK - MACHINE_REG_LIMIT,
                      .list = LIST_ARGUMENTS,
                      .place = true},
    [MF_SUCCS] = {.name = "succs", .kind = FIELD_LIST, .most = ID, .list = LIST_SUCCS},
    [MF_CASES] = {.name = "cases", .kind = FIELD_SIGNED_LIST, .list = LIST_CASES},
};

void mach_records_init(CertCoder *coder) {
    coder->instrs = (RecordTable){.fields = mach_fields,
                                  .count = MF_FIELDS,
                                  .program = coder->program,
                                  .arena = coder->arena};
}

// ---- Places as numbers: of machine code before allocation that of the register; afterwards
// machine registers, then spills.

static uint64_t number_of(const Program *program, Place place) {
    if (place.i == NO_ID) return NONE;
    return place_index(place) + (place_is_spill(place) ? program->target->register_count : 0u);
}

static Place place_of(const Program *program, bool allocated, uint64_t number) {
    if (number == NONE || !allocated) return (Place){(uint32_t)number};
    if (number < program->target->register_count) return place_machine((MachineReg)number);
    return place_spill((uint32_t)number - program->target->register_count);
}

// The places of an instruction, one after the other; NULL behind the last.
static Place *place_at(MachInstr *instr, uint32_t field) {
    if (field < MF_BASE_PLACE) return &instr->src[field - MF_SRC];
    return field == MF_BASE_PLACE ? &instr->base_place
           : field == MF_INDEX    ? &instr->index
                                  : &instr->dest;
}

void mach_record(const CertCoder *coder, TokenRecord *record, const Func *func, uint32_t block,
                 uint32_t at) {
    MachInstr instr = *mach_at(func, at);
    const MachBlock *in = mach_block(func, block);
    Sym symbol = mach_symbol(&instr);
    bool is_switch = mach_has(&instr, MACH_CASES), builtin = mach_has(&instr, MACH_BUILTIN);
    uint64_t *value = record->value;
    record_clear(&coder->instrs, record);
    value[MF_KIND] = instr.kind;
    if (instr.op || builtin || mach_has(&instr, MACH_OPERATION))
        value[builtin ? MF_BUILTIN : MF_OP] = instr.op;
    value[MF_BASE] = instr.base;
    value[MF_SCALE] = instr.scale;
    if (instr.addressed || instr.chunk) value[MF_CHUNK] = instr.chunk;
    value[MF_MEMORY] = instr.memory;
    value[MF_IMMEDIATE] = instr.immediate;
    value[MF_ADDRESSED] = instr.addressed;
    value[MF_TESTED] = instr.tested;
    value[MF_CHECKED] = instr.checked;
    value[MF_HIGH] = instr.high;
    for (uint32_t f = MF_SRC; f <= MF_DEST; f++)
        value[f] = number_of(func->program, *place_at(&instr, f));
    value[MF_DISPLACEMENT] = (uint64_t)(int64_t)instr.displacement;
    value[MF_SYMBOL] = symbol.i;
    value[MF_SLOT] = symbol.i == NO_ID ? instr.ref : NO_ID;
    value[MF_AUX] = is_switch ? 0 : instr.aux;
    value[MF_IMM] = (uint64_t)instr.imm;
    for (uint32_t k = 0; k < instr.results + instr.arguments; k++)
        vec_push(coder->t.scratch, &record->list[k < instr.results ? LIST_RESULTS : LIST_ARGUMENTS],
                 number_of(func->program, func->mach->lists.at[instr.list + k]));
    if (at + 1 < in->first + in->count) return;
    for (uint32_t k = 0; k < in->succ_count; k++)
        vec_push(coder->t.scratch, &record->list[LIST_SUCCS], mach_succs(func, in)[k]);
    for (uint32_t k = 0; is_switch && k + 1 < in->succ_count; k++)
        vec_push(coder->t.scratch, &record->list[LIST_CASES],
                 (uint64_t)mach_cases(func, &instr)[k]);
}

// ---- Guesses

static uint64_t new_place(const BodyCode *body, uint64_t old) {
    if (!body->fresh || old >= body->before->regs.count) return old;
    return body->now[old] ? body->now[old] - 1 : body->last;
}

static void guess_instr(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    TokenRecord *guess = &s->guess;
    uint32_t block = body->blocks;
    if (old == NONE) {
        record_clear(s->records, guess);
        for (uint32_t f = MF_SRC; f <= MF_ARGUMENTS; f++)
            if (s->records->fields[f].place) guess->value[f] = body->last;
        guess->value[MF_DEST] = body->last + !body->allocated;
    } else {
        mach_record(body->coder, guess, body->before, body->block_of[old], old);
        for (uint32_t f = MF_SRC; f <= MF_DEST; f++)
            guess->value[f] = new_place(body, guess->value[f]);
        for (uint32_t l = LIST_RESULTS; l <= LIST_ARGUMENTS; l++)
            for (uint32_t k = 0; k < guess->list[l].count; k++)
                guess->list[l].at[k] = new_place(body, guess->list[l].at[k]);
        for (uint32_t k = 0; k < guess->list[LIST_SUCCS].count; k++)
            guess->list[LIST_SUCCS].at[k] |= OLD_NODE;
    }
    guess->value[MF_SUCCS] = block + 1;
}

static void set_now(BodyCode *body, uint64_t old, uint64_t place) {
    if (body->fresh && old < body->before->regs.count) body->now[old] = (uint32_t)place + 1;
}

void mach_note(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    const TokenRecord *record = &s->record;
    if (record->value[MF_DEST] != NONE) body->last = (uint32_t)record->value[MF_DEST];
    if (mach_kind_ends((MachKind)record->value[MF_KIND])) body->blocks++;
    if (old == NONE || !body->fresh) return;
    MachInstr instr = *mach_at(body->before, old);
    const Place *lists = body->before->mach->lists.at;
    for (uint32_t f = MF_SRC; f <= MF_DEST; f++)
        set_now(body, place_at(&instr, f)->i, record->value[f]);
    for (uint32_t k = 0; k < instr.results && k < record->list[LIST_RESULTS].count; k++)
        set_now(body, lists[instr.list + k].i, record->list[LIST_RESULTS].at[k]);
    for (uint32_t k = 0; k < instr.arguments && k < record->list[LIST_ARGUMENTS].count; k++)
        set_now(body, lists[instr.list + instr.results + k].i, record->list[LIST_ARGUMENTS].at[k]);
}

// ---- Reading

static MachInstr instr_of(const BodyCode *body, const TokenRecord *record) {
    const uint64_t *value = record->value;
    MachInstr instr = mach_instr((MachKind)value[MF_KIND]);
    instr.op = (uint16_t)(mach_has(&instr, MACH_BUILTIN) ? value[MF_BUILTIN] % BI_COUNT
                                                         : value[MF_OP] % OP_COUNT);
    instr.base = (uint8_t)value[MF_BASE];
    instr.scale = (uint8_t)value[MF_SCALE];
    instr.chunk = (uint8_t)(value[MF_CHUNK] % CHUNK_COUNT);
    instr.memory = (uint8_t)value[MF_MEMORY];
    instr.immediate = (uint8_t)value[MF_IMMEDIATE];
    instr.addressed = value[MF_ADDRESSED];
    instr.tested = value[MF_TESTED];
    instr.checked = value[MF_CHECKED];
    instr.high = (uint16_t)value[MF_HIGH];
    for (uint32_t f = MF_SRC; f <= MF_DEST; f++)
        *place_at(&instr, f) = place_of(body->coder->program, body->allocated, value[f]);
    instr.displacement = (int32_t)value[MF_DISPLACEMENT];
    instr.ref = (uint32_t)value[value[MF_SYMBOL] != NO_ID ? MF_SYMBOL : MF_SLOT];
    instr.aux = (uint32_t)value[MF_AUX];
    instr.imm = (int64_t)value[MF_IMM];
    return instr;
}

static Place *record_places(const BodyCode *body, const TokenRecord *record, uint32_t list) {
    Place *places = ARENA_ARRAY(body->coder->t.scratch, Place, record->list[list].count);
    for (uint32_t k = 0; k < record->list[list].count; k++)
        places[k] = place_of(body->coder->program, body->allocated, record->list[list].at[k]);
    return places;
}

// Old blocks among the successors are settled when all are known.
static void end_block(BodyCode *body, const TokenRecord *record, uint32_t old) {
    uint32_t count = record->list[LIST_SUCCS].count;
    uint32_t *succs = ARENA_ARRAY(body->coder->t.scratch, uint32_t, count);
    for (uint32_t k = 0; k < count; k++) succs[k] = (uint32_t)record->list[LIST_SUCCS].at[k];
    mach_end(body->func, succs, count);
    if (old != NONE) body->image[body->block_of[old]] = body->func->mach->blocks.count - 1;
}

static void add_instr(FormSequence *s, uint32_t old) {
    BodyCode *body = s->context;
    Func *func = body->func;
    const TokenRecord *record = &s->record;
    uint64_t size = 1;
    for (uint32_t l = 0; l < RECORD_LISTS; l++) size += record->list[l].count;
    coder_spend(body->coder, size);
    uint32_t succs = record->list[LIST_SUCCS].count, cases = record->list[LIST_CASES].count;
    MachKind kind = (MachKind)record->value[MF_KIND];
    if (kind >= MACH_KIND_COUNT || (succs && !mach_kind_ends(kind)) ||
        cases != (mach_kind_has(kind, MACH_CASES) && succs ? succs - 1 : 0) ||
        (int64_t)record->value[MF_DISPLACEMENT] != (int32_t)record->value[MF_DISPLACEMENT]) {
        tokens_fail(s->t, "this is no instruction");
        return;
    }
    MachInstr instr = instr_of(body, record);
    if (mach_kind_has(kind, MACH_CASES))
        instr.aux = func_add_cases(func, (const int64_t *)record->list[LIST_CASES].at, cases);
    uint32_t results = record->list[LIST_RESULTS].count;
    uint32_t arguments = record->list[LIST_ARGUMENTS].count;
    if (results + arguments)
        mach_set_list(func, &instr, record_places(body, record, LIST_RESULTS), results,
                      record_places(body, record, LIST_ARGUMENTS), arguments);
    if (body->blocks == func->mach->blocks.count) mach_open(func);
    mach_add(func, instr);
    if (mach_kind_ends(kind)) end_block(body, record, old);
    mach_note(s, old);
}

static void keep_instr(FormSequence *s, uint32_t old) {
    guess_instr(s, old);
    TokenRecord record = s->record;
    s->record = s->guess;
    add_instr(s, old);
    s->record = record;
}

void mach_sequence(FormSequence *s, CertCoder *coder, BodyCode *body) {
    *s = (FormSequence){.t = &coder->t,
                        .records = &coder->instrs,
                        .old_count =
                            body->before && body->before->mach ? body->before->mach->code.count : 0,
                        .context = body,
                        .make_guess = guess_instr,
                        .add = add_instr,
                        .keep = keep_instr};
    coder->instrs.allocated = body->allocated;
}

static void resolve_successors(BodyCode *body) {
    Mach *mach = body->func->mach;
    for (uint32_t i = 0; i < mach->succs.count; i++) {
        uint32_t *succ = &mach->succs.at[i], old = *succ - (uint32_t)OLD_NODE;
        if (*succ < OLD_NODE) continue;
        bool known = body->before && body->before->mach && old < body->before->mach->blocks.count;
        *succ = known ? body->image[old] : NONE;
        if (*succ == NONE) tokens_fail(&body->coder->t, "a successor is no block of this form");
    }
}

void mach_read(CertCoder *coder, BodyCode *body, const FormFrame *frame) {
    FormSequence s;
    mach_sequence(&s, coder, body);
    s.count = frame->length;
    sequence_read(&s);
    if (tokens_good(&coder->t)) resolve_successors(body);
}
