// The interpreter of Sea of Nodes: section 2.2 of Demange et al. (docs/papers.md).
//
// The state of a function is the region where control is and an environment: the values of phis,
// and of the instructions of the skeleton. The environment denotes the value of a floating
// operator: the value is computed on demand, from the values of the operator's operands, and
// remembered until the next region is entered. Control moves in small steps from one region to the
// next. The phis of the next region change at once, each to the value that its argument had before.
//
// So a node that reads floating operators, as an argument or for the phis of the join behind it,
// begins with a step that demands their values. A node that starts a region begins with a step that
// forgets remembered values. Everything else is as in SSA.
#include "fact/eval.h"
#include "fact/son_regions.h"
#include "form/son.h"
#include "run/rtl_interpreter.h"

struct SonCode {
    DecodedStep *floating; // of each floating operator
    uint32_t *of;          // register -> the operator that sets it, or NO_ID
    VEC(uint32_t) wanted;  // floating operators, by the nodes that demand them
};

// ---- Decoding

static void want(Interpreter *in, SonCode *son, Reg reg) {
    if (son->of[reg.i] != NO_ID) vec_push(in->arena, &son->wanted, son->of[reg.i]);
}

static void want_for_phis(Interpreter *in, Code *code, const Preds *preds, Node nop, Node join) {
    const Func *func = code->func;
    uint32_t k = preds_index(preds, join, nop);
    for (uint32_t i = 0; i < func_phi_count(func, join); i++)
        want(in, code->son, phi_args(func, &func_phis(func, join)[i])[k]);
}

static void decode_demand(Interpreter *in, Code *code, const Preds *preds, Node node, bool region) {
    const Func *func = code->func;
    const Instr *instr = func_at(func, node);
    SonCode *son = code->son;
    DecodedStep *begin = &code->steps[func->nodes.count + node.i];
    uint32_t first = son->wanted.count;
    for (uint32_t k = 0; k < instr->arg_count; k++) want(in, son, instr_args(func, instr)[k]);
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (func_phi_count(func, instr_succs(func, instr)[k]))
            want_for_phis(in, code, preds, node, instr_succs(func, instr)[k]);
    *begin = (DecodedStep){.code = CODE_DEMAND,
                           .a = first,
                           .b = son->wanted.count - first,
                           .imm = region,
                           .next = &code->steps[node.i]};
}

// What a step goes on with: the beginning of a node, or its own step if there is nothing to do
// before.
static const DecodedStep *beginning(const Code *code, const DecodedStep *step) {
    const DecodedStep *begin = step ? code_begin(code, code_node(code, step)) : NULL;
    return begin && (begin->b || begin->imm) ? begin : step;
}

static void link_steps(Code *code) {
    for (uint32_t n = 0; n < code->func->nodes.count; n++) {
        code->steps[n].next = beginning(code, code->steps[n].next);
        code->steps[n].other = beginning(code, code->steps[n].other);
    }
}

static SonCode *decode_floating(Interpreter *in, const Code *code) {
    const Func *func = code->func;
    SonCode *son = ARENA_NEW(in->arena, SonCode);
    son->of = ARENA_ARRAY(in->arena, uint32_t, func->regs.count);
    for (uint32_t i = 0; i < func->regs.count; i++) son->of[i] = NO_ID;
    son->floating = ARENA_ARRAY(in->arena, DecodedStep, func->son->floating.count);
    for (uint32_t i = 0; i < func->son->floating.count; i++) {
        rtl_decode_instr(in, code, &func->son->floating.at[i], &son->floating[i]);
        son->of[func->son->floating.at[i].dest.i] = i;
    }
    return son;
}

const Code *son_prepare(Interpreter *in, const Func *func) {
    Code *code = rtl_decode(in, func);
    Preds preds = preds_of(in->arena, func);
    const uint32_t *region = son_regions(in->arena, func, &preds);
    code->son = decode_floating(in, code);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        decode_demand(in, code, &preds, (Node){n}, region[n] == n);
    ssa_decode_phis(in, code);
    link_steps(code);
    return code;
}

// ---- Running

// The register behind that of the number of regions entered holds, for each operator, the number at
// which its value was found.
static Value *memo_of(const CallFrame *frame, uint32_t which) {
    return &frame->regs[frame->code->first_memo + 1 + which];
}

static bool is_known(const CallFrame *frame, uint32_t which) {
    return memo_of(frame, which)->bits == frame->regs[frame->code->first_memo].bits;
}

static void compute(const CallFrame *frame, uint32_t which) {
    const DecodedStep *step = &frame->code->son->floating[which];
    Value *regs = frame->regs, value = {.bits = step->imm, .high = step->c};
    Value second = step->immediate ? value_i64(step->imm) : regs[step->b];
    if (step->code != CODE_CONST) op_eval(step->code, regs[step->a], second, regs[step->c], &value);
    regs[step->dest] = value;
    memo_of(frame, which)->bits = regs[frame->code->first_memo].bits;
}

// Puts what an operator reads and is not known on the stack; false if there is nothing.
static bool demand_operands(Interpreter *in, const CallFrame *frame, uint32_t which) {
    const Instr *instr = &frame->code->func->son->floating.at[which];
    uint32_t before = in->demanded.count;
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        uint32_t read = frame->code->son->of[instr->arg[k].i];
        if (read != NO_ID && !is_known(frame, read)) vec_push(in->arena, &in->demanded, read);
    }
    return in->demanded.count > before;
}

// False if the run has ended.
static bool demand(Interpreter *in, const CallFrame *frame, uint32_t which) {
    vec_push(in->arena, &in->demanded, which);
    while (in->demanded.count) {
        uint32_t top = in->demanded.at[in->demanded.count - 1];
        if (!is_known(frame, top)) {
            if (demand_operands(in, frame, top)) continue;
            compute(frame, top);
            if (!run_observe_value(in, top)) return false;
        }
        in->demanded.count--;
    }
    return true;
}

// All values are found, which may be those of registers that are set later in the region; so they
// are forgotten again.
static void watch(Interpreter *in, const CallFrame *frame, Node region) {
    const RunOptions *options = in->world.options;
    const Func *func = frame->code->func;
    for (uint32_t i = 0; i < func->son->floating.count; i++) demand(in, frame, i);
    options->watch(options->watch_context, func, region, frame->regs);
    frame->regs[frame->code->first_memo].bits++;
}

bool son_run_demand(Interpreter *in) {
    CallFrame *frame = top_frame(in);
    const DecodedStep *step = frame->step;
    if (step->imm) {
        frame->regs[frame->code->first_memo].bits++;
        if (in->world.options->watch) watch(in, frame, code_node(frame->code, step));
    }
    const uint32_t *wanted = frame->code->son->wanted.at;
    for (uint32_t i = 0; i < step->b; i++)
        if (!demand(in, frame, wanted[step->a + i])) return false;
    frame->step = step->next;
    return true;
}
