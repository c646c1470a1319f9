// Are the reasons true? What remarks claim of registers, branches and nodes is tested against the
// function that they speak of: by its dominators, loops and uses, and by running the program with
// each function as it was before the step.
//
//   equal to %r, a copy of %r   right behind the item both have the same value; the node that is
//   named sets %r, and dominates if so said always C                    the value, each time
//   A is B                      both sides of a rule, computed of the registers that they name
//   always goes to, never traps, no way leads there, went to ... before    which ways control took
//   out of the loop             the item is in fewer loops afterwards, and was in that one
//   nothing needs its value     nobody who read it is still there as it was
#include "history/history.h"

#include "fact/eval.h"
#include "fact/unit_memory.h"
#include "gate/load.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"
#include "pipeline/transforms.h"
#include "text/text.h"
#include "watch/watch_items.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    uint64_t runs, said, seen, wrong; // claims; how often they were tested in runs
} Tally;

// ---- What is claimed

typedef enum { CLAIM_EQUAL, CLAIM_CONSTANT, CLAIM_RULE, CLAIM_GOES, CLAIM_NEVER } ClaimKind;

typedef struct {
    ClaimKind kind;
    uint32_t next; // claim on the same item
    const FunctionHistory *function;
    uint32_t step; // of the function
    const char *text;
    Reg reg, equal; // EQUAL, CONSTANT, RULE
    uint64_t bits;  // CONSTANT
    uint32_t to;    // GOES: the node
    const char *left, *right;
    bool reported;
} Claim;

// A function before a step.
typedef struct {
    const FunctionHistory *function;
    HistoryState state;
    const char **names; // of registers
    uint32_t *first;    // per item: its claims
    ItemNumbers numbers;
    Preds preds;
    Dominance dominance;
    const Definition *definitions;
    LoopNest loops;
} Subject;

typedef struct {
    const Func *func;
    uint32_t at; // the node performed last; NO_ID
    uint32_t *went;
    uint8_t *set; // per register
} TruthFrame;

typedef struct {
    Arena *arena;
    const char *path;
    Tally *tally;
    Subject *subjects; // by symbol
    uint32_t symbols;
    VEC(Claim) claims;
    VEC(TruthFrame) frames;
    WatchItems *items;
} Truth;

static void lie(Truth *t, const FunctionHistory *function, uint32_t step, const char *text,
                const char *format, ...) {
    va_list args;
    char why[300];
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    t->tally->wrong++;
    fprintf(stderr, "%s: %s, %s: \"%s\": %s\n", t->path, func_name(function->start),
            step_name(t->arena, function->steps.at[step].step), text, why);
}

// ---- Words of remarks

static size_t name_length(const char *text) {
    size_t length = 0;
    if (text[0] == '%') length = 1;
    while (length && (isalnum((unsigned char)text[length]) || text[length] == '_' ||
                      text[length] == '.' || text[length] == '\'' || text[length] == '$'))
        length++;
    return length;
}

static Reg reg_of(const Subject *s, const char *text) {
    size_t length = name_length(text);
    for (uint32_t r = 0; length && r < s->state.func->regs.count; r++)
        if (strncmp(s->names[r], text, length) == 0 && !s->names[r][length]) return (Reg){r};
    return NO_REG;
}

static Node node_of(const Func *func, const char *text) {
    const char *at = strncmp(text, "node ", 5) == 0 ? text + 5 : NULL;
    uint32_t label = at ? (uint32_t)strtoul(at, NULL, 10) : 0;
    for (uint32_t n = 0; at && n < func->nodes.count; n++)
        if (func_label(func, (Node){n}) == label) return (Node){n};
    return NO_NODE;
}

static const char *behind(const char *text, const char *words) {
    const char *at = strstr(text, words);
    return at ? at + strlen(words) : NULL;
}

static bool begins(const char *text, const char *words) {
    return strncmp(text, words, strlen(words)) == 0;
}

// ---- The two sides of a rule, computed

typedef struct {
    const Subject *s;
    const Value *regs;
    const uint8_t *set;
    const char *at;
    bool known; // everything in it was understood, and is defined
    Type type;  // of the last operand
} Reader;

static Value read_term(Reader *r, Type wanted);

// "add.i32 " or "add.i32(" and the operands.
static Value read_operator(Reader *r, Op op, bool nested) {
    Value args[3] = {0}, result = {0};
    const OpInfo *info = op_info(op);
    for (uint32_t k = 0; k < info->arity && k < 3; k++) {
        if (k && !begins(r->at, ", ")) r->known = false;
        if (k) r->at += 2;
        if (!r->known) return result;
        args[k] = read_term(r, info->operand[k]);
    }
    if (nested && *r->at++ != ')') r->known = false;
    if (!r->known || !info->arity || info->arity > 3 ||
        !op_eval(op, args[0], args[1], args[2], &result))
        r->known = false;
    r->type = info->result;
    return result;
}

static Value read_term(Reader *r, Type wanted) {
    Value none = {0};
    if (*r->at == '%') {
        Reg reg = reg_of(r->s, r->at);
        r->at += name_length(r->at);
        if (reg.i == NO_ID || !r->set[reg.i] || r->regs[reg.i].undef) r->known = false;
        r->type = reg.i == NO_ID ? wanted : reg_type(r->s->state.func, reg);
        return reg.i == NO_ID ? none : r->regs[reg.i];
    }
    if (isdigit((unsigned char)*r->at) || *r->at == '-') {
        char *end;
        int64_t imm = strtoll(r->at, &end, 0);
        bool integer = wanted == TYPE_I32 || wanted == TYPE_I64;
        if (!integer || (*end && !strchr(",) :", *end))) r->known = false;
        r->at = end;
        r->type = wanted;
        return integer ? value_immediate(wanted, imm) : none;
    }
    size_t length = strcspn(r->at, " (,):");
    Op op = op_named(r->at, length);
    if (op == OP_COUNT || (r->at[length] != ' ' && r->at[length] != '(')) {
        r->known = false;
        return none;
    }
    bool nested = r->at[length] == '(';
    r->at += length + 1;
    return read_operator(r, op, nested);
}

// ---- Claims

static void add_claim(Truth *t, Subject *s, uint32_t item, Claim claim) {
    if (item == NO_ID) return;
    claim.next = s->first[item];
    s->first[item] = t->claims.count;
    vec_push(t->arena, &t->claims, claim);
}

static bool is_above(const Subject *s, Node above, Node node) {
    return dominance_reaches(&s->dominance, above) && dominance_reaches(&s->dominance, node) &&
           dominates(&s->dominance, above, node);
}

// "%r, computed at node 5, which dominates", "%r"
static void claim_equal(Truth *t, Subject *s, Claim claim, const Remark *remark, const char *name) {
    const Item *item = &s->state.items->at[remark->before];
    claim.kind = CLAIM_EQUAL;
    claim.reg = item_dest(s->state.func, item);
    claim.equal = reg_of(s, name);
    if (claim.equal.i == NO_ID) {
        lie(t, s->function, claim.step, claim.text, "no such register before the step");
        return;
    }
    if (claim.equal.i == claim.reg.i)
        lie(t, s->function, claim.step, claim.text, "it is equal to itself");
    Definition by = s->definitions[claim.equal.i];
    const char *where = behind(name, " at ");
    Node node = where ? node_of(s->state.func, where) : NO_NODE;
    bool placed = where && (strstr(name, "computed at ") || strstr(name, "merged at "));
    if (placed && by.node.i != node.i)
        lie(t, s->function, claim.step, claim.text, "another node sets it");
    if (strstr(name, "a parameter") && by.by != SET_BY_CALLER)
        lie(t, s->function, claim.step, claim.text, "it is none");
    bool above = by.by == SET_BY_CALLER || is_above(s, by.node, (Node){item->node});
    if (strstr(name, "which dominates") && !above)
        lie(t, s->function, claim.step, claim.text, "it does not dominate");
    if (above && claim.reg.i != NO_ID) add_claim(t, s, remark->before, claim);
}

static void claim_constant(Truth *t, Subject *s, Claim claim, const Remark *remark,
                           const char *text) {
    char *end;
    claim.kind = CLAIM_CONSTANT;
    claim.reg = item_dest(s->state.func, &s->state.items->at[remark->before]);
    if (claim.reg.i == NO_ID) return;
    Type type = reg_type(s->state.func, claim.reg);
    claim.bits = (uint64_t)strtoll(text, &end, 0) & type_mask(type);
    if (end == text || (*end && !strchr(":, ", *end)) || (type != TYPE_I32 && type != TYPE_I64))
        return;
    add_claim(t, s, remark->before, claim);
}

// "... : mul.i32 %n.0, 8 is shl.i32 %n.0, 3"
static void claim_rule(Truth *t, Subject *s, Claim claim, const Remark *remark) {
    const char *is = behind(claim.text, " is "), *rule = behind(claim.text, "by rule ");
    const char *left = rule ? behind(rule, ": ") : NULL;
    if (!left || !is || remark->before == NO_ID) return;
    claim.kind = CLAIM_RULE;
    claim.left = left;
    claim.right = is;
    claim.reg = NO_REG;
    add_claim(t, s, remark->before, claim);
}

static void claim_access(Truth *t, Subject *s, const Claim *claim, const Remark *remark,
                         const char *where, InstrKind kind) {
    Node node = node_of(s->state.func, where);
    uint32_t load = s->state.items->at[remark->before].node;
    if (node.i == NO_ID || func_at(s->state.func, node)->kind != kind)
        lie(t, s->function, claim->step, claim->text, "there is no such access");
    else if (!is_above(s, node, (Node){load}))
        lie(t, s->function, claim->step, claim->text, "it does not dominate");
}

static uint32_t loop_depth(const LoopNest *loops, uint32_t node) {
    uint32_t depth = 0;
    Node loop = loops->reducible && node != NO_ID ? loops->loop[node] : NO_NODE;
    for (; loop.i != NO_ID; loop = loops->outer[loop.i]) depth++;
    return depth;
}

static void test_out_of_loop(Truth *t, Subject *s, const Claim *claim, const Remark *remark,
                             const char *where) {
    const HistoryStep *step = &s->function->steps.at[claim->step];
    Node header = node_of(s->state.func, where);
    Node from = {s->state.items->at[remark->before].node},
         to = {step->items.at[remark->after].node};
    if (header.i == NO_ID || !s->loops.reducible || from.i == NO_ID || to.i == NO_ID) return;
    Preds preds = preds_of(t->arena, step->func);
    Dominance dominance = dominance_of(t->arena, step->func, &preds);
    LoopNest after = loop_nest_of(t->arena, step->func, &preds, &dominance);
    if (!loop_nest_is_header(&s->loops, header) || !loop_nest_contains(&s->loops, header, from))
        lie(t, s->function, claim->step, claim->text, "it was in no such loop");
    else if (after.reducible && loop_depth(&after, to.i) >= loop_depth(&s->loops, from.i))
        lie(t, s->function, claim->step, claim->text, "it is in as many loops as before");
}

static bool reads(const Func *func, const Item *item, Reg reg) {
    const Instr *instr = item_instr(func, item);
    if (item->kind == ITEM_PHI) {
        const Phi *phi = &func->phis.at[item->index];
        uint32_t end = item->index + 1 < func->phis.count ? phi[1].args_at : func->phi_args.count;
        for (uint32_t k = phi->args_at; k < end; k++)
            if (func->phi_args.at[k].i == reg.i) return true;
    }
    for (uint32_t k = 0; instr && k < instr->arg_count; k++)
        if (instr_args(func, instr)[k].i == reg.i) return true;
    return false;
}

static bool by_rule(const HistoryStep *step, uint32_t after) {
    for (uint32_t i = 0; i < step->remarks.count; i++)
        if (step->remarks.at[i].after == after && strstr(step->remarks.at[i].text, "by rule "))
            return true;
    return false;
}

// Who read it is gone, or is another now, or looks through it by a rule.
static void test_needless(Truth *t, Subject *s, const Claim *claim, const Remark *remark) {
    const HistoryStep *step = &s->function->steps.at[claim->step];
    Reg reg = item_dest(s->state.func, &s->state.items->at[remark->before]);
    if (reg.i == NO_ID) return;
    for (uint32_t i = 0; i < step->items.count; i++) {
        uint32_t then = step->then[i];
        if (then == NO_ID || !reads(s->state.func, &s->state.items->at[then], reg)) continue;
        const Instr *was = item_instr(s->state.func, &s->state.items->at[then]);
        const Instr *is = item_instr(step->func, &step->items.at[i]);
        bool same = was && is && was->kind == is->kind && was->op == is->op &&
                    was->arg_count == is->arg_count && was->imm == is->imm;
        if (same && !by_rule(step, i)) {
            Out out = {0};
            item_print(&out, s->state.func, &s->state.items->at[then]);
            out_text(&out, " => ");
            item_print(&out, step->func, &step->items.at[i]);
            lie(t, s->function, claim->step, claim->text, "%s: it is read by %.*s", s->names[reg.i],
                (int)out.length, out.text);
            out_free(&out);
        }
    }
}

static void take_value(Truth *t, Subject *s, Claim claim, const Remark *remark) {
    const char *text = claim.text, *at;
    if ((at = behind(text, "what the store at "))) claim_access(t, s, &claim, remark, at, I_STORE);
    if ((at = behind(text, "what the load at "))) claim_access(t, s, &claim, remark, at, I_LOAD);
    if (begins(text, "equal to %"))
        claim_equal(t, s, claim, remark, text + 9);
    else if (begins(text, "a copy of %"))
        claim_equal(t, s, claim, remark, text + 10);
    else if ((at = behind(text, "the same operator of the same operands as ")))
        claim_equal(t, s, claim, remark, at);
    else if ((at = behind(text, "a copy of the constant ")))
        claim_constant(t, s, claim, remark, at);
    else if ((remark->kind == REMARK_MERGED || remark->kind == REMARK_FOLDED) &&
             s->state.items->at[remark->before].kind == ITEM_INSTR &&
             s->state.func->nodes.at[s->state.items->at[remark->before].node].kind == I_LOAD &&
             !behind(text, "in the same register")) {
        if (*text == '%')
            claim_equal(t, s, claim, remark, text);
        else
            claim_constant(t, s, claim, remark, text);
    } else if (remark->kind == REMARK_FOLDED && begins(text, "always "))
        claim_constant(t, s, claim, remark, text + 7);
    claim_rule(t, s, claim, remark);
}

static void take_remark(Truth *t, Subject *s, uint32_t step, const Remark *remark) {
    const char *text = remark->text, *at;
    Claim claim = {.function = s->function, .step = step, .text = text};
    if (remark->before == NO_ID) return;
    const Item *item = &s->state.items->at[remark->before];
    t->tally->said++;
    if ((at = behind(text, "always goes to "))) {
        claim.kind = CLAIM_GOES;
        claim.to = node_of(s->state.func, at).i;
        add_claim(t, s, remark->before, claim);
        claim_rule(t, s, claim, remark);
    } else if (begins(text, "no way leads there") || begins(text, "never traps")) {
        claim.kind = CLAIM_NEVER;
        claim.to = begins(text, "never traps");
        if (item->kind == ITEM_INSTR) add_claim(t, s, remark->before, claim);
    } else if ((at = behind(text, "out of the loop at "))) {
        test_out_of_loop(t, s, &claim, remark, at);
    } else if (begins(text, "nothing needs")) {
        test_needless(t, s, &claim, remark);
    } else {
        take_value(t, s, claim, remark);
    }
}

// ---- Runs

static TruthFrame *frame_at(Truth *t, uint32_t depth) {
    return depth && depth <= t->frames.count ? &t->frames.at[depth - 1] : NULL;
}

static void entered(void *context, Interpreter *in) {
    Truth *t = context;
    const CallFrame *top = &in->frames.at[in->frames.count - 1];
    const Func *func = top->code->func;
    t->frames.count = in->frames.count - 1;
    TruthFrame frame = {.func = func, .at = NO_ID};
    frame.went = ARENA_ARRAY(t->arena, uint32_t, (size_t)func->nodes.count + 1);
    memset(frame.went, 0xff, sizeof *frame.went * func->nodes.count);
    frame.set = ARENA_ARRAY(t->arena, uint8_t, (size_t)func->regs.count + 1);
    for (uint32_t k = 0; k < func->params.count; k++) frame.set[func->params.at[k].i] = 1;
    vec_push(t->arena, &t->frames, frame);
}

static void report_false(Truth *t, Claim *claim, const char *format, uint64_t a, uint64_t b) {
    char why[200];
    if (claim->reported) return;
    claim->reported = true;
    snprintf(why, sizeof why, format, (unsigned long long)a, (unsigned long long)b);
    lie(t, claim->function, claim->step, claim->text, "%s", why);
}

// All registers that the sentence names have their values by now.
static bool are_set(Truth *t, Claim *claim, const Subject *s, const TruthFrame *frame) {
    bool all = true;
    for (const char *at = strchr(claim->left, '%'); at; at = strchr(at + 1, '%')) {
        Reg reg = reg_of(s, at);
        bool set =
            reg.i != NO_ID && (frame->set[reg.i] || s->definitions[reg.i].by == SET_BY_NOTHING);
        if (!set) report_false(t, claim, "a register that it names is not set", 0, 0);
        all &= set;
    }
    return all;
}

static void check_rule(Truth *t, Claim *claim, const Subject *s, const Value *regs,
                       const TruthFrame *frame) {
    if (!are_set(t, claim, s, frame)) return;
    Reader left = {.s = s, .regs = regs, .set = frame->set, .at = claim->left, .known = true};
    Reader right = left;
    right.at = claim->right;
    Value b = read_term(&right, TYPE_COUNT);
    Value a = read_term(&left, right.type);
    if (right.known && left.known && right.type == TYPE_COUNT) right.type = left.type;
    if (!left.known) return;
    if (isdigit((unsigned char)*claim->right) || *claim->right == '-') {
        right =
            (Reader){.s = s, .regs = regs, .set = frame->set, .at = claim->right, .known = true};
        b = read_term(&right, left.type);
    }
    if (!right.known || a.undef || b.undef) return;
    t->tally->seen++;
    if (a.bits != b.bits || a.high != b.high)
        report_false(t, claim, "one side is %#llx, the other %#llx", a.bits, b.bits);
}

static void check_claim(Truth *t, Claim *claim, const Subject *s, const Value *regs,
                        const TruthFrame *frame) {
    switch (claim->kind) {
    case CLAIM_EQUAL: {
        Value a = regs[claim->reg.i], b = regs[claim->equal.i];
        if (a.undef || b.undef) return;
        t->tally->seen++;
        if (a.bits != b.bits || a.high != b.high)
            report_false(t, claim, "it is %#llx, the other %#llx", a.bits, b.bits);
        return;
    }
    case CLAIM_CONSTANT: {
        Value a = regs[claim->reg.i];
        if (a.undef) return;
        t->tally->seen++;
        if (a.bits != claim->bits)
            report_false(t, claim, "it is %#llx, not %#llx", a.bits, claim->bits);
        return;
    }
    case CLAIM_RULE: check_rule(t, claim, s, regs, frame); return;
    default: return;
    }
}

static Subject *subject_of(Truth *t, const Func *func) {
    Subject *s = func->symbol.i < t->symbols ? &t->subjects[func->symbol.i] : NULL;
    return s && s->function && s->state.func == func ? s : NULL;
}

static uint32_t claims_on(const Subject *s, const Item *item) {
    uint32_t number = item_number(&s->numbers, (FuncItemKind)item->kind, item->index);
    return number == NO_ID ? NO_ID : s->first[number];
}

static void done(void *context, Interpreter *in, const WatchItem *item) {
    Truth *t = context;
    Subject *s = subject_of(t, item->func);
    TruthFrame *frame = frame_at(t, item->depth);
    if (!s || !frame || frame->func != item->func) return;
    if (item->reg.i < item->func->regs.count) frame->set[item->reg.i] = 1;
    const Value *regs = in->frames.at[item->depth - 1].regs;
    for (uint32_t c = claims_on(s, &item->item); c != NO_ID; c = t->claims.at[c].next)
        check_claim(t, &t->claims.at[c], s, regs, frame);
}

static void went(Truth *t, Subject *s, TruthFrame *frame, uint32_t to) {
    if (frame->at == NO_ID) return;
    const Instr *instr = &frame->func->nodes.at[frame->at];
    bool is_way = false;
    for (uint32_t k = 0; k < instr->succ_count; k++)
        is_way |= instr_succs(frame->func, instr)[k].i == to;
    if (!is_way || instr->succ_count < 2) return;
    frame->went[frame->at] = to;
    Item item = {.kind = ITEM_INSTR, .node = frame->at, .index = frame->at};
    for (uint32_t c = claims_on(s, &item); c != NO_ID; c = t->claims.at[c].next) {
        Claim *claim = &t->claims.at[c];
        if (claim->kind != CLAIM_GOES) continue;
        t->tally->seen++;
        if (claim->to != to) report_false(t, claim, "it goes to node index %llu", to, 0);
        const char *at = claim->text;
        while ((at = behind(at, "the branch at "))) {
            const char *where = behind(at, "went to ");
            Node branch = node_of(frame->func, at),
                 way = where ? node_of(frame->func, where) : NO_NODE;
            if (!where || branch.i == NO_ID) continue;
            if (frame->went[branch.i] != way.i)
                report_false(t, claim, "node index %llu went to %llu before", branch.i,
                             frame->went[branch.i]);
        }
    }
}

static bool due(void *context, Interpreter *in, const WatchItem *item) {
    Truth *t = context;
    (void)in;
    Subject *s = subject_of(t, item->func);
    TruthFrame *frame = frame_at(t, item->depth);
    if (!s || !frame || frame->func != item->func || item->item.kind != ITEM_INSTR) return true;
    went(t, s, frame, item->item.node);
    frame->at = item->item.node;
    for (uint32_t c = claims_on(s, &item->item); c != NO_ID; c = t->claims.at[c].next) {
        Claim *claim = &t->claims.at[c];
        if (claim->kind == CLAIM_NEVER && !claim->to)
            report_false(t, claim, "control is there", 0, 0);
    }
    return true;
}

static bool on_step(void *context, Interpreter *in) {
    return watch_items_step(((Truth *)context)->items, in);
}

static bool on_value(void *context, Interpreter *in, uint32_t which) {
    return watch_items_value(((Truth *)context)->items, in, which);
}

static void on_end(void *context, Interpreter *in) {
    watch_items_end(((Truth *)context)->items, in);
}

// With each function as it was before the step.
static void run_before(Truth *t, const Program *program, const Func *func, uint64_t seed) {
    enum { FUEL = 300000, MEMORY = 256 << 20, MOST_ARGS = 16 };
    static const uint64_t numbers[] = {7, 0, 12, 1, 100, 3, 2, 5, 40, 9};
    Value args[MOST_ARGS] = {0};
    Program copy = *program;
    RunResult result = {0};
    copy.symbols.at = ARENA_ARRAY(t->arena, Symbol, copy.symbols.count);
    memcpy(copy.symbols.at, program->symbols.at, copy.symbols.count * sizeof(Symbol));
    for (uint32_t i = 0; i < t->symbols; i++)
        if (t->subjects[i].function) copy.symbols.at[i].func = t->subjects[i].state.func;
    WatchHooks hooks = {.due = due, .done = done, .entered = entered, .context = t};
    t->items = watch_items_new(t->arena, &hooks);
    t->frames.count = 0;
    RunObserver observer = {.step = on_step, .value = on_value, .end = on_end, .context = t};
    RunOptions options = {.fuel = FUEL,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .memory_limit = MEMORY,
                          .observer = &observer};
    char name[] = "program", *argv[] = {name, NULL};
    for (uint32_t k = 0; k < MOST_ARGS; k++) args[k].bits = numbers[(seed + k * seed) % 10];
    if (!func)
        rtl_run(t->arena, &copy, 1, argv, &options, &result);
    else if (func->params.count <= MOST_ARGS)
        rtl_run_func(t->arena, &copy, func, args, func->params.count, &options, &result);
    if (result.behaviour.end == END_TRAP && result.behaviour.func) {
        Subject *s = subject_of(t, result.behaviour.func);
        Item item = {.kind = ITEM_INSTR, .index = result.behaviour.node.i};
        for (uint32_t c = s ? claims_on(s, &item) : NO_ID; c != NO_ID; c = t->claims.at[c].next)
            if (t->claims.at[c].kind == CLAIM_NEVER)
                report_false(t, &t->claims.at[c], "it traps", 0, 0);
    }
    out_free(&result.output);
    out_free(&result.errors);
    t->tally->runs++;
}

// Of a function that nobody else can call, claims about the unit say which arguments it gets.
static bool takes_any_numbers(const Program *program, uint32_t symbol) {
    return !program->unit || program->unit->effects.at[symbol].effects & UNIT_EXPOSED;
}

// main; without it, each function that others may call, for some numbers.
static void run_all(Truth *t, const Program *program) {
    enum { TRIES = 4 };
    for (uint32_t i = 0; i < t->symbols; i++)
        if (t->subjects[i].function &&
            strcmp(func_name(t->subjects[i].function->start), "main") == 0) {
            run_before(t, program, NULL, 0);
            return;
        }
    for (uint32_t i = 0; i < t->symbols; i++)
        for (uint64_t seed = 0;
             t->subjects[i].function && takes_any_numbers(program, i) && seed < TRIES; seed++)
            run_before(t, program, t->subjects[i].state.func, seed);
}

// ---- Steps

static Subject subject_before(Arena *arena, const FunctionHistory *function, uint32_t at) {
    Subject s = {.function = function};
    // What was given, not where an excursion has started.
    s.state = history_before(function, at);
    const Func *func = s.state.func;
    s.names = ARENA_ARRAY(arena, const char *, (size_t)func->regs.count + 1);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        Out out = {0};
        reg_print(&out, func, (Reg){r});
        s.names[r] = arena_text(arena, out.text, out.length);
        out_free(&out);
    }
    s.first = ARENA_ARRAY(arena, uint32_t, (size_t)s.state.items->count + 1);
    memset(s.first, 0xff, sizeof *s.first * ((size_t)s.state.items->count + 1));
    s.numbers = item_numbers(arena, s.state.items);
    if (has_mach_items(func)) return s;
    s.preds = preds_of(arena, func);
    s.dominance = dominance_of(arena, func, &s.preds);
    s.definitions = definitions_of(arena, func);
    s.loops = loop_nest_of(arena, func, &s.preds, &s.dominance);
    return s;
}

static void check_pipeline_step(Truth *t, const Program *program, const History *history,
                                uint32_t step) {
    bool any = false;
    t->symbols = program->symbols.count;
    t->subjects = ARENA_ARRAY(t->arena, Subject, (size_t)t->symbols + 1);
    t->claims.count = 0;
    for (uint32_t f = 0; f < history_count(history); f++) {
        const FunctionHistory *function = history_at(history, f);
        for (uint32_t i = 0; i < function->steps.count; i++) {
            const HistoryStep *it = &function->steps.at[i];
            if (it->step != step) continue;
            Subject *s = &t->subjects[function->symbol.i];
            *s = subject_before(t->arena, function, i);
            bool told = it->verdict == STEP_ACCEPTED || it->verdict == STEP_INSIDE ||
                        it->verdict == STEP_UNCHECKED;
            if (!told || has_mach_items(s->state.func) || s->state.func->form == FORM_SON) continue;
            for (uint32_t k = 0; k < it->remarks.count; k++, any = true)
                take_remark(t, s, i, &it->remarks.at[k]);
        }
    }
    if (any && t->claims.count) run_all(t, program);
}

static void check_file(const char *path, uint32_t level, bool all, const char *off, Tally *tally) {
    Arena *arena = arena_new("truth");
    Diag diag;
    CompileOptions options;
    bool unreadable;
    diag_init(&diag, arena, NULL);
    compile_defaults(&options);
    options.pp.inlines = true;
    Program *program = load_program(arena, &diag, path, &options, &unreadable);
    if (program) {
        Pipeline pipeline;
        pipeline_init(&pipeline, arena, transform_table, &diag);
        pipeline.check = CHECK_STEPS;
        pipeline.level = level;
        pipeline.plan = plan_inlining;
        pipeline.plain = plain_transform_table;
        for (PassId pass = 0; pass < PASS_COUNT; pass++) {
            pipeline.on[pass] = all;
            if (off && strcmp(off, pass_table[pass].name) == 0) pipeline.off[pass] = true;
        }
        History *history = history_new(arena, program, NULL);
        history_watch(history, &pipeline);
        pipeline_run_program(&pipeline, program);
        for (uint32_t step = 0; step < step_count; step++) {
            Truth t = {.arena = arena_new("step"), .path = path, .tally = tally};
            check_pipeline_step(&t, program, history, step);
            arena_free(t.arena);
        }
        history_free(history);
        pipeline_free(&pipeline);
    }
    diag_free(&diag);
    arena_free(arena);
}

static void check_ways(const char *path, Tally *tally) {
    check_file(path, 2, false, NULL, tally);
    check_file(path, 2, true, NULL, tally);
    check_file(path, 2, true, "son_build", tally);
}

// ---- Many programs

static void find_path(char *path, size_t size, const char *name) {
    const char *root = getenv("ROOT");
    snprintf(path, size, "%s/%s", root ? root : ".", name);
}

static void check_folder(const char *name, Tally *tally) {
    char path[4096];
    find_path(path, sizeof path, name);
    struct dirent **entries;
    int count = scandir(path, &entries, is_program_entry, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char file[8192];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        check_ways(file, tally);
        free(entries[i]);
    }
    free(entries);
}

static void test_programs(void **state) {
    (void)state;
    Tally tally = {0};
    check_folder("examples", &tally);
    check_folder("test/explain", &tally);
    check_folder("test/fuzz/corpus/c", &tally);
    char path[4096];
    find_path(path, sizeof path, "bench/programs/sudoku.c"); // divisions in loops
    check_ways(path, &tally);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.said > 1000 && tally.seen > 10000);
}

// Files that are named are looked at, too: for programs from elsewhere.
static int run_named(int argc, char **argv) {
    Tally tally = {0};
    for (int i = 1; i < argc; i++) check_ways(argv[i], &tally);
    printf("%llu runs, %llu remarks, tested %llu times, %llu false\n",
           (unsigned long long)tally.runs, (unsigned long long)tally.said,
           (unsigned long long)tally.seen, (unsigned long long)tally.wrong);
    return tally.wrong != 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return argc > 1 ? run_named(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
