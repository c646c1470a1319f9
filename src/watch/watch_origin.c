// Finds where an undefined value came from, after the end of a run. The search goes back from the
// step that read the value over the definitions of its registers, as long as only one definition is
// possible. Registers and memory have their contents at the end of the run, so an answer is a good
// guess where a loop has gone on since. Where there are several answers, none is given.
#include "watch/watch.h"

#include "form/gsa.h"
#include "form/son.h"

typedef struct {
    const Interpreter *in;
    uint32_t index; // of the frame
    const CallFrame *frame;
} OriginSearch;

static bool is_undefined(const OriginSearch *s, Reg reg) {
    return s->frame->regs[reg.i].undef != 0;
}

// The first undefined register that an instruction reads.
static Reg undefined_operand(const OriginSearch *s, const Instr *instr) {
    const Reg *args = instr_args(s->frame->code->func, instr);
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (is_undefined(s, args[i])) return args[i];
    return NO_REG;
}

// The address of a load, if it can still be told.
static bool load_address(const OriginSearch *s, const Instr *instr, uint64_t *address) {
    const Code *code = s->frame->code;
    const Reg *args = instr_args(code->func, instr);
    const Value *regs = s->frame->regs;
    uint32_t at = 0;
    uint64_t undef = 0;
    *address = (uint64_t)instr->imm;
    if (instr->base == BASE_SYMBOL) *address += s->in->world.symbol_address[instr->ref];
    if (instr->base == BASE_SLOT) *address += regs[code->first_slot + instr->ref].bits;
    if (instr->base == BASE_REG) {
        undef |= regs[args[at].i].undef;
        *address += regs[args[at++].i].bits;
    }
    if (instr->scale) {
        undef |= regs[args[at].i].undef;
        *address += regs[args[at].i].bits * instr->scale;
    }
    return !undef;
}

static bool memory_is_undefined(const OriginSearch *s, uint64_t address, uint64_t size) {
    uint8_t *undef;
    if (!memory_read(s->in->world.memory, address, size, &undef) || !undef) return false;
    for (uint64_t i = 0; i < size; i++)
        if (undef[i]) return true;
    return false;
}

// What can have given a register its undefined value.
typedef struct {
    uint32_t count;     // so many instructions and merges
    const Instr *instr; // the last one that is an instruction,
    Reg from;           // or the register that a merge, or this instruction, copied it from; NO_REG
} Setters;

static void consider(const OriginSearch *s, const Instr *instr, Reg reg, Setters *setters) {
    uint64_t address;
    if (instr->dest.i != reg.i) return;
    Reg from = NO_REG;
    if (instr->kind == I_OP) {
        from = undefined_operand(s, instr);
        if (from.i == NO_ID || from.i == reg.i) return;
    } else if (instr->kind == I_LOAD && load_address(s, instr, &address) &&
               !memory_is_undefined(s, address, chunk_size(instr->chunk))) {
        return;
    }
    setters->count++;
    setters->instr = instr;
    setters->from = from;
}

static void consider_copy(const OriginSearch *s, Reg dest, Reg source, Reg reg, Setters *setters) {
    if (dest.i != reg.i || source.i == reg.i || !is_undefined(s, source)) return;
    setters->count++;
    setters->instr = NULL;
    setters->from = source;
}

static void consider_merges(const OriginSearch *s, const Func *func, Reg reg, Setters *setters) {
    Preds preds = preds_of(s->in->arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Phi *phi = &func_phis(func, (Node){n})[i];
            for (uint32_t k = 0; k < preds_count(&preds, (Node){n}); k++)
                consider_copy(s, phi->dest, phi_args(func, phi)[k], reg, setters);
        }
        if (!func->gsa) continue;
        for (uint32_t i = 0; i < gsa_eta_count(func, (Node){n}); i++) {
            const Eta *eta = &gsa_etas(func, (Node){n})[i];
            consider_copy(s, eta->dest, eta->source, reg, setters);
        }
        for (uint32_t i = 0; i < gsa_merge_count(func, (Node){n}); i++) {
            const Merge *merge = &gsa_merges(func, (Node){n})[i];
            for (uint32_t k = 0; k < merge->arg_count; k++)
                consider_copy(s, merge->dest, merge_args(func, merge)[k].reg, reg, setters);
        }
    }
}

static Setters setters_of(const OriginSearch *s, Reg reg) {
    const Func *func = s->frame->code->func;
    Setters setters = {.from = NO_REG};
    for (uint32_t n = 0; n < func->nodes.count; n++) consider(s, &func->nodes.at[n], reg, &setters);
    for (uint32_t i = 0; func->son && i < func->son->floating.count; i++)
        consider(s, &func->son->floating.at[i], reg, &setters);
    consider_merges(s, func, reg, &setters);
    return setters;
}

// The register that the caller passed for a parameter; NO_REG if there is none. The search goes on
// there.
static Reg passed(OriginSearch *s, Reg reg) {
    const Func *func = s->frame->code->func;
    for (uint32_t i = 0; i < func->params.count; i++) {
        if (func->params.at[i].i != reg.i || s->frame->outermost || s->index <= s->in->oldest)
            continue;
        s->frame = &s->in->frames.at[--s->index];
        const Instr *call = step_instr(s->frame, s->frame->step);
        return instr_args(s->frame->code->func, call)[i + (call->ref == NO_ID)];
    }
    return NO_REG;
}

static WatchOrigin origin_of(const OriginSearch *s, const Instr *instr, Reg reg) {
    WatchOrigin origin = {.frame = s->frame, .reg = reg, .loc = instr->loc};
    if (instr->kind == I_LOAD && load_address(s, instr, &origin.address)) {
        origin.kind = ORIGIN_MEMORY;
        origin.size = chunk_size(instr->chunk);
    } else if (instr->kind == I_CALL) {
        origin.kind = ORIGIN_CALL;
    }
    return origin;
}

WatchOrigin watch_origin(const Interpreter *in) {
    enum { MOST_STEPS = 64 };
    WatchOrigin unknown = {.kind = ORIGIN_UNKNOWN};
    if (!in->frames.count) return unknown;
    OriginSearch search = {.in = in, .index = in->frames.count - 1, .frame = top_frame(in)},
                 *s = &search;
    if (s->frame->code->flow || step_is_before(s->frame->code, s->frame->step)) return unknown;
    Reg reg = undefined_operand(s, step_instr(s->frame, s->frame->step));
    for (uint32_t i = 0; i < MOST_STEPS && reg.i != NO_ID; i++) {
        Setters setters = setters_of(s, reg);
        if (setters.count > 1) return unknown;
        if (setters.count && setters.from.i == NO_ID) return origin_of(s, setters.instr, reg);
        Reg from = setters.count ? setters.from : passed(s, reg);
        if (from.i == NO_ID)
            return (WatchOrigin){.kind = ORIGIN_VARIABLE, .frame = s->frame, .reg = reg};
        reg = from;
    }
    return unknown;
}
