// Forms: their frames, and all of it together. See form_code.h.
#include "cert/form_code.h"

#include "form/mach.h"
#include "graph/versions.h"
#include "target/model.h"

#include <stddef.h>
#include <string.h>

// ---- Frames

static const char *type_word(uint32_t type) {
    return type < TYPE_COUNT ? type_name((Type)type) : NULL;
}

static const char *version_word(uint32_t version) {
    static const char *const names[] = {"plain", "never_set", "set"};
    return version <= VERSION_FIRST_SET ? names[version] : NULL;
}

static const char *buffer_word(uint32_t buffer) {
    return buffer == BUFFER_NONE   ? "none"
           : buffer < BUFFER_COUNT ? buffer_name((BufferKind)buffer)
                                   : NULL;
}

#define WIDTH_OF(part) sizeof(((FormFrame *)NULL)->part)
#define NUMBER(part)                                                                               \
    { .name = #part, .kind = HINT_NUMBER, .at = offsetof(FormFrame, part), .width = WIDTH_OF(part) }
#define COLUMN(part, names)                                                                        \
    {                                                                                              \
        .name = #part, .kind = HINT_COLUMN, .at = offsetof(FormFrame, part),                       \
        .element = WIDTH_OF(part.at[0]), .width = WIDTH_OF(part.at[0]), .words = (names)           \
    }
static const HintField frame_fields[] = {
    NUMBER(fresh),
    COLUMN(types, type_word),
    COLUMN(versions, version_word),
    COLUMN(params, NULL),
    COLUMN(sizes, NULL),
    COLUMN(aligns, NULL),
    COLUMN(buffers, buffer_word),
    NUMBER(machine),
    NUMBER(allocated),
    {.name = "saved",
     .kind = HINT_COLUMN,
     .at = offsetof(FormFrame, saved),
     .element = WIDTH_OF(saved.at[0]),
     .width = WIDTH_OF(saved.at[0]),
     .registers = true},
    COLUMN(spills, NULL),
    NUMBER(length),
    NUMBER(phis),
};
const HintShape frame_shape = {.fields = frame_fields,
                               .count = sizeof frame_fields / sizeof frame_fields[0],
                               .size = sizeof(FormFrame)};

void coder_set_target(CertCoder *coder, const TargetModel *target) {
    coder->program->target = target;
    coder->t.registers = target->register_names;
    coder->t.register_count = target->register_count;
}

void coder_init(CertCoder *coder, TokenStream t, Arena *arena, Program *program) {
    coder->t = t;
    coder->arena = arena;
    coder->program = program;
    coder_set_target(coder, program->target);
    graph_records_init(coder);
    mach_records_init(coder);
}

bool coder_spend(CertCoder *coder, uint64_t amount) {
    bool enough = amount <= coder->budget;
    if (!enough)
        tokens_fail(&coder->t,
                    "more is kept of earlier forms than a file of this size should need");
    coder->budget -= enough ? amount : 0;
    return enough;
}

void body_code_init(BodyCode *body, CertCoder *coder, const Func *before, Func *func, bool fresh) {
    Arena *arena = coder->t.scratch;
    *body = (BodyCode){.coder = coder, .before = before, .func = func, .fresh = fresh && before};
    body->once = func->regs.count && func->regs.at[0].version;
    body->allocated = func->mach && func->mach->allocated;
    body->last = NONE;
    if (!before) return;
    const Mach *mach = before->mach;
    uint32_t count = mach ? mach->blocks.count : before->nodes.count;
    body->image = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) body->image[i] = NONE;
    if (body->fresh) body->now = ARENA_ARRAY(arena, uint32_t, before->regs.count);
    for (uint32_t i = 0; body->fresh && i < before->params.count && i < func->params.count; i++)
        body->now[before->params.at[i].i] = func->params.at[i].i + 1;
    uint32_t *block_of = mach ? ARENA_ARRAY(arena, uint32_t, mach->code.count) : NULL;
    for (uint32_t b = 0; mach && b < mach->blocks.count; b++)
        for (uint32_t i = 0; i < mach->blocks.at[b].count; i++)
            block_of[mach->blocks.at[b].first + i] = b;
    body->block_of = block_of;
    uint32_t *join_of = ARENA_ARRAY(arena, uint32_t, before->phis.count);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        for (uint32_t i = 0; i < func_phi_count(before, (Node){n}); i++)
            join_of[before->phi_at.at[n] + i] = n;
    body->join_of = join_of;
    if (before->phis.count) body->old_preds = preds_of(arena, before);
}

// A function with the registers, parameters and slots that a frame says; no body yet.
static Func *func_of_frame(CertCoder *coder, Arena *arena, Sym symbol, Form form,
                           const Func *before, const FormFrame *frame) {
    Sig sig = program_at(coder->program, symbol)->sig;
    if (!frame->fresh) coder_spend(coder, before->regs.count + (uint64_t)before->slots.count);
    Func *func =
        frame->fresh ? func_new(coder->program, arena, symbol, sig) : func_like(before, arena);
    func->form = form;
    for (uint32_t i = 0; i < frame->types.count; i++)
        func_add_reg(func, (RegInfo){.number = func->regs.count,
                                     .version = frame->versions.at[i],
                                     .type = (Type)frame->types.at[i]});
    for (uint32_t i = 0; i < frame->params.count; i++)
        vec_push(arena, &func->params, (Reg){frame->params.at[i]});
    for (uint32_t i = 0; i < frame->sizes.count; i++)
        func_add_slot(func, (SlotInfo){.size = frame->sizes.at[i],
                                       .align = frame->aligns.at[i],
                                       .buffer = frame->buffers.at[i]});
    return func;
}

static bool frame_is_good(const FormFrame *frame, const Func *before) {
    bool mach = frame->machine;
    return frame->machine <= 1 && frame->fresh <= 1 &&
           (frame->fresh || (before && !frame->params.count)) &&
           frame->versions.count == frame->types.count &&
           frame->aligns.count == frame->sizes.count &&
           frame->buffers.count == frame->sizes.count && frame->length &&
           frame->length < OLD_NODE && frame->allocated <= mach &&
           (mach || (!frame->saved.count && !frame->spills.count)) && (!mach || !frame->phis);
}

static Mach *mach_of_frame(Arena *arena, const FormFrame *frame) {
    Mach *mach = ARENA_NEW(arena, Mach);
    mach->allocated = frame->allocated;
    for (uint32_t i = 0; i < frame->saved.count; i++) regs_add(&mach->saved, frame->saved.at[i]);
    for (uint32_t i = 0; i < frame->spills.count; i++)
        vec_push(arena, &mach->spills, (MachSpill){.size = frame->spills.at[i]});
    return mach;
}

Func *form_read(CertCoder *coder, Arena *arena, Sym symbol, Form form, const Func *before) {
    TokenStream *t = &coder->t;
    FormFrame frame = {0};
    columns_code(t, t->scratch, &frame_shape, &frame, &coder->budget);
    if (tokens_good(t) && !frame_is_good(&frame, before))
        tokens_fail(t, "this is not how a form begins");
    if (!tokens_good(t)) return NULL;
    Func *func = func_of_frame(coder, arena, symbol, form, before, &frame);
    for (uint32_t i = 0; i < func->params.count; i++)
        if (func->params.at[i].i >= func->regs.count) tokens_fail(t, "a parameter is no register");
    if (frame.machine) func->mach = mach_of_frame(arena, &frame);
    if (!tokens_good(t)) return NULL;
    BodyCode body;
    body_code_init(&body, coder, before, func, frame.fresh);
    if (func->mach)
        mach_read(coder, &body, &frame);
    else
        graph_read(coder, &body, &frame);
    return tokens_good(t) ? func : NULL;
}
