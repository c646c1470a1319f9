#include "watch/watch_items.h"

#include "form/gsa.h"
#include "form/son.h"
#include "run/fssa_run.h"
#include "run/mach_reading.h"
#include "target/model.h"

// What is known of a frame.
typedef struct {
    uint64_t serial;
    const Code *code;
    const DecodedStep *item; // with which the item that is under way began, or NULL
    const DecodedStep *last; // the step that was due last, or NULL
} Shadow;

struct WatchItems {
    Arena *arena;
    WatchTexts *texts; // knows the items of functions
    WatchHooks hooks;
    VEC(Shadow) shadows; // one for each frame
    MachConstraints constraints;
};

WatchItems *watch_items_new(Arena *arena, const WatchHooks *hooks) {
    WatchItems *items = ARENA_NEW(arena, WatchItems);
    items->arena = arena;
    items->hooks = *hooks;
    items->texts = watch_texts_new(arena);
    return items;
}

static Shadow *top_shadow(const WatchItems *w) {
    return &w->shadows.at[w->shadows.count - 1];
}

// ---- Items

static void set_reg(const CallFrame *frame, Reg reg, Type type, WatchItem *item) {
    item->reg = reg;
    item->type = type;
    if (reg.i != NO_ID) item->value = frame->regs[reg.i];
}

static void set_typed(const CallFrame *frame, Reg reg, WatchItem *item) {
    set_reg(frame, reg, reg.i == NO_ID ? TYPE_VOID : reg_type(frame->code->func, reg), item);
}

// Of a machine instruction: its first result, as its operand says what type it has.
static void set_place(WatchItems *w, const CallFrame *frame, WatchItem *item) {
    const Func *func = item->func;
    MachInstr instr = *mach_at(func, item->item.index);
    Place place = NO_PLACE;
    for (uint32_t k = 0; k < mach_set_count(&instr) && place.i == NO_ID; k++)
        place = mach_set_at(func, &instr, k);
    Reg reg = mach_reading_reg(frame->code->reading, place);
    if (reg.i == NO_ID) return;
    mach_constraints(w->arena, func, &instr, &w->constraints);
    Type type = reg_type(frame->code->func, reg);
    for (uint32_t k = w->constraints.operands.count; k--;)
        if (w->constraints.operands.at[k].place->i == place.i)
            type = (Type)w->constraints.operands.at[k].type;
    set_reg(frame, reg, type, item);
    item->value.bits &= type_mask(type);
}

static WatchItem item_at(const CallFrame *frame, const DecodedStep *step, uint32_t depth) {
    WatchPlace place = watch_place_of(frame, step);
    bool machine = frame->code->reading;
    return (WatchItem){.item = {.kind = machine ? ITEM_MACH : ITEM_INSTR,
                                .node = machine ? NO_ID : place.site.i,
                                .index = place.site.i},
                       .func = place.func,
                       .loc = place.loc,
                       .depth = depth,
                       .reg = NO_REG};
}

static void tell_done(const WatchItems *w, Interpreter *in, const WatchItem *item) {
    if (w->hooks.done) w->hooks.done(w->hooks.context, in, item);
}

static void tell_merge(const WatchItems *w, Interpreter *in, const CallFrame *frame,
                       const WatchItem *like, Item merge) {
    WatchItem item = *like;
    item.item = merge;
    set_typed(frame, item_dest(item.func, &merge), &item);
    tell_done(w, in, &item);
}

// What comes with the edge that leaves a nop: etas of the nop itself, then what the join has.
static void tell_edge(const WatchItems *w, Interpreter *in, const CallFrame *frame, Node nop,
                      const WatchItem *like) {
    const Func *func = frame->code->func;
    const Instr *instr = func_at(func, nop);
    Node join = instr_succs(func, instr)[0];
    for (uint32_t i = 0; func->gsa && i < gsa_eta_count(func, nop); i++)
        tell_merge(w, in, frame, like, (Item){ITEM_ETA, nop.i, func->gsa->eta_at.at[nop.i] + i});
    for (uint32_t i = 0; func->gsa && i < gsa_merge_count(func, join); i++)
        tell_merge(w, in, frame, like,
                   (Item){ITEM_MERGE, join.i, func->gsa->merge_at.at[join.i] + i});
    for (uint32_t i = 0; i < func_phi_count(func, join); i++)
        tell_merge(w, in, frame, like, (Item){ITEM_PHI, join.i, func->phi_at.at[join.i] + i});
}

// The item that was under way in the top frame has been executed.
static void complete(WatchItems *w, Interpreter *in) {
    Shadow *shadow = top_shadow(w);
    const CallFrame *frame = top_frame(in);
    const DecodedStep *step = shadow->item;
    shadow->item = NULL;
    if (!step || !w->hooks.done) return;
    WatchItem item = item_at(frame, step, w->shadows.count);
    if (item.item.kind == ITEM_MACH) {
        set_place(w, frame, &item);
    } else {
        const Instr *instr = step_instr(frame, step);
        set_typed(frame, instr->dest, &item);
    }
    tell_done(w, in, &item);
    bool nop =
        item.item.kind == ITEM_INSTR && func_at(item.func, (Node){item.item.node})->kind == I_NOP;
    if (nop) tell_edge(w, in, frame, (Node){item.item.node}, &item);
}

// Whether an item begins with a step: a machine instruction is several.
static bool begins_item(const Code *code, const DecodedStep *step) {
    if (!code->reading) return true;
    uint32_t node = code_node(code, step).i;
    const uint32_t *instr_of = code->reading->instr_of;
    return instr_of[node] != NO_ID && (node == 0 || instr_of[node - 1] != instr_of[node]);
}

// ---- Frames

// The frame is gone; if it returned, that was its last item.
static void leave_shadow(WatchItems *w, Interpreter *in) {
    Shadow shadow = *top_shadow(w);
    bool returned = shadow.code->flow || (shadow.last && shadow.last->code == CODE_RETURN);
    if (returned && shadow.item) {
        WatchItem item = item_at(&(CallFrame){.code = shadow.code}, shadow.item, w->shadows.count);
        tell_done(w, in, &item);
    }
    w->shadows.count--;
    if (w->hooks.left)
        w->hooks.left(w->hooks.context, in, shadow.code, w->shadows.count + 1, returned);
}

// Frames that have ended are forgotten, new ones are told of.
static void follow_frames(WatchItems *w, Interpreter *in) {
    while (
        w->shadows.count > in->frames.count ||
        (w->shadows.count && top_shadow(w)->serial != in->frames.at[w->shadows.count - 1].serial))
        leave_shadow(w, in);
    while (w->shadows.count < in->frames.count) {
        const CallFrame *frame = &in->frames.at[w->shadows.count];
        vec_push(w->arena, &w->shadows, (Shadow){.serial = frame->serial, .code = frame->code});
        if (w->hooks.entered) w->hooks.entered(w->hooks.context, in);
    }
}

void watch_items_end(WatchItems *items, Interpreter *in) {
    follow_frames(items, in);
}

// ---- Steps

bool watch_items_step(void *context, Interpreter *in) {
    WatchItems *w = context;
    follow_frames(w, in);
    CallFrame *frame = top_frame(in);
    const DecodedStep *step = frame->step;
    bool before = step_is_before(frame->code, step);
    if (before || begins_item(frame->code, step)) complete(w, in);
    if (before) return true;
    top_shadow(w)->last = step;
    if (!begins_item(frame->code, step)) return true;
    top_shadow(w)->item = step;
    WatchItem item = item_at(frame, step, w->shadows.count);
    return !w->hooks.due || w->hooks.due(w->hooks.context, in, &item);
}

// ---- Values without steps

static bool tell_found(const WatchItems *w, Interpreter *in, const WatchItem *item) {
    if (w->hooks.due && !w->hooks.due(w->hooks.context, in, item)) return false;
    tell_done(w, in, item);
    return true;
}

static bool tell_floating(const WatchItems *w, Interpreter *in, uint32_t which) {
    const CallFrame *frame = top_frame(in);
    const Func *func = frame->code->func;
    const Instr *instr = &func->son->floating.at[which];
    WatchItem item = {.item = {.kind = ITEM_FLOATING, .node = NO_ID, .index = which},
                      .func = func,
                      .on_demand = true,
                      .loc = instr->loc,
                      .depth = w->shadows.count};
    set_typed(frame, instr->dest, &item);
    return tell_found(w, in, &item);
}

static bool is_effect(const Flow *flow, uint32_t reg) {
    return flow->values[reg].kind == FLOW_EFFECT;
}

// The state that an effect leaves says nothing if the effect has a value.
static bool is_mere_state(const Flow *flow, uint32_t reg) {
    const FlowValue *value = &flow->values[reg];
    if (flow->func->regs.at[reg].type != TYPE_VOID) return false;
    return value->kind != FLOW_EFFECT || flow->func->nodes.at[value->node].dest.i != NO_ID;
}

// What an equation or a register of gated SSA is: the item that sets it.
static bool find_demanded(WatchItems *w, const Flow *flow, uint32_t reg, Item *item) {
    uint32_t site = flow->register_sites[reg];
    if (has_equations(flow->shown)) {
        *item = (Item){.kind = ITEM_EQUATION, .node = NO_ID, .index = site};
        return true;
    }
    const FuncItems *items = watch_func_items(w->texts, flow->shown);
    uint32_t number = reg < flow->shown->regs.count ? items->of_reg[reg]
                      : is_effect(flow, reg)        ? items->of_node[site]
                                                    : NO_ID;
    if (number != NO_ID) *item = items->at[number];
    return number != NO_ID;
}

static bool tell_demanded(WatchItems *w, Interpreter *in, uint32_t reg) {
    const CallFrame *frame = top_frame(in);
    const Flow *flow = frame->code->flow;
    WatchItem item = {.func = flow->shown, .on_demand = true, .depth = w->shadows.count};
    if (reg >= flow->register_count || flow->register_sites[reg] == NO_ID ||
        is_mere_state(flow, reg) || !find_demanded(w, flow, reg, &item.item))
        return true;
    item.loc = item_loc(flow->shown, &item.item);
    set_reg(frame, (Reg){reg}, flow->func->regs.at[reg].type, &item);
    if (item.type == TYPE_VOID) item.reg = NO_REG;
    return tell_found(w, in, &item);
}

bool watch_items_value(void *context, Interpreter *in, uint32_t which) {
    WatchItems *w = context;
    follow_frames(w, in);
    return top_frame(in)->code->flow ? tell_demanded(w, in, which) : tell_floating(w, in, which);
}
