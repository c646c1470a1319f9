// Evaluates recursive functions. The result of a function for some counters is kept, by the
// counters on which the function can depend; functions under evaluation wait on an explicit stack.
#include "imp/kleene.h"

#include "base/bits.h"
#include "fact/eval.h"
#include "imp/imp_arrays.h"

#include <string.h>

// What was printed: the last number and what was printed before it.
typedef struct PrintedNumber {
    const struct PrintedNumber *before;
    int64_t value;
} PrintedNumber;

typedef struct {
    Value value;
    void *object; // an array or what was printed
} KleeneValue;

typedef struct {
    uint32_t func;
    uint32_t counters; // first of KleeneEval.kept
    bool known;        // else it is being evaluated
    KleeneValue value;
} Memo;

typedef struct {
    bool is_call;
    uint32_t id;    // expression, or function
    uint32_t stage; // how far it has come
    uint32_t memo;
    uint64_t saved; // the counter that was there before
} EvalTask;

struct KleeneEval {
    Arena *arena;
    const Kleene *kleene;
    const int64_t *inputs;
    uint64_t fuel, steps;
    uint32_t *
        needs_at; // of functions: the counters they depend on are needs[needs_at[f] .. needs_at[f + 1] - 1]
    uint32_t *needs;
    uint64_t *counters;
    Table table;
    VEC(Memo) memos;
    VEC(uint64_t) kept;
    VEC(EvalTask) tasks;
    VEC(KleeneValue) values;
    KleeneEnd end;
    const char *reason;
};

// ---- On which counters functions depend

static void add_calls(const Kleene *kleene, Arena *arena, uint32_t root, const Bits *of, Bits *to) {
    VEC(uint32_t) open = {0};
    if (root == NO_ID) return;
    vec_push(arena, &open, root);
    while (open.count) {
        const KleeneExpr *expr = &kleene->exprs.at[vec_pop(&open)];
        if (expr->kind == KE_CALL) bits_union(to, &of[expr->ref]);
        for (uint32_t i = 0; i < expr->arg_count; i++)
            vec_push(arena, &open, kleene->args.at[expr->args_at + i]);
    }
}

static bool grow_needs(const Kleene *kleene, Arena *arena, Bits *needs, uint32_t id) {
    const KleeneFunc *func = &kleene->funcs.at[id];
    Bits now = bits_new(arena, kleene->loops);
    add_calls(kleene, arena, func->first, needs, &now);
    add_calls(kleene, arena, func->second, needs, &now);
    if (func->kind == KF_LOOP) bits_add(&now, func->loop);
    if (func->kind == KF_CLOSE) bits_remove(&now, func->loop);
    return bits_union(&needs[id], &now);
}

static void find_needs(KleeneEval *eval) {
    const Kleene *kleene = eval->kleene;
    Arena *arena = arena_new("needs"), *scratch = arena_new("needs of one");
    uint32_t count = kleene->funcs.count, total = 0;
    Bits *needs = ARENA_ARRAY(arena, Bits, count);
    for (uint32_t i = 0; i < count; i++) needs[i] = bits_new(arena, kleene->loops);
    for (bool changed = kleene->loops > 0; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            changed |= grow_needs(kleene, scratch, needs, i);
            arena_reset(scratch);
        }
    }
    for (uint32_t i = 0; i < count; i++) total += kleene->loops ? bits_count(&needs[i]) : 0;
    eval->needs_at = ARENA_ARRAY(eval->arena, uint32_t, count + 1);
    eval->needs = ARENA_ARRAY(eval->arena, uint32_t, total);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        for (uint32_t k = 0; kleene->loops && (k = bits_next(&needs[i], k)) < kleene->loops; k++)
            eval->needs[at++] = k;
        eval->needs_at[i + 1] = at;
    }
    arena_free(arena);
    arena_free(scratch);
}

// ---- What is known

static uint64_t memo_hash(const KleeneEval *eval, uint32_t func) {
    uint64_t hash = hash_mix(func);
    for (uint32_t i = eval->needs_at[func]; i < eval->needs_at[func + 1]; i++)
        hash = hash_add(hash, eval->counters[eval->needs[i]]);
    return hash;
}

static bool memo_is(const KleeneEval *eval, const Memo *memo, uint32_t func) {
    const uint64_t *kept = eval->kept.at + memo->counters;
    if (memo->func != func) return false;
    for (uint32_t i = eval->needs_at[func]; i < eval->needs_at[func + 1]; i++)
        if (*kept++ != eval->counters[eval->needs[i]]) return false;
    return true;
}

// The memo of a function for the counters as they are; `fresh` if it had to be made.
static uint32_t find_memo(KleeneEval *eval, uint32_t func, bool *fresh) {
    uint64_t hash = memo_hash(eval, func);
    uint32_t id;
    *fresh = false;
    for (uint32_t at = table_first(&eval->table, hash);
         (id = table_id(&eval->table, hash, &at)) != HASH_NONE;)
        if (memo_is(eval, &eval->memos.at[id], func)) return id;
    *fresh = true;
    Memo memo = {.func = func, .counters = eval->kept.count};
    for (uint32_t i = eval->needs_at[func]; i < eval->needs_at[func + 1]; i++)
        vec_push(eval->arena, &eval->kept, eval->counters[eval->needs[i]]);
    vec_push(eval->arena, &eval->memos, memo);
    table_insert(eval->arena, &eval->table, hash, eval->memos.count - 1);
    return eval->memos.count - 1;
}

// ---- Steps

static void wrong(KleeneEval *eval, const char *reason) {
    eval->end = KLEENE_WRONG;
    eval->reason = reason;
}

static void push_value(KleeneEval *eval, KleeneValue value) {
    vec_push(eval->arena, &eval->values, value);
}

static void push_expr(KleeneEval *eval, uint32_t expr) {
    vec_push(eval->arena, &eval->tasks, (EvalTask){.id = expr});
}

// Whether the condition that was evaluated last holds.
static bool holds(KleeneEval *eval) {
    Value value = vec_pop(&eval->values).value;
    if (value.undef) wrong(eval, "a condition is undefined");
    return value.bits != 0;
}

static void finish(KleeneEval *eval, KleeneValue value) {
    eval->tasks.count--;
    push_value(eval, value);
}

static void finish_truth(KleeneEval *eval, bool truth) {
    finish(eval, (KleeneValue){.value = value_i64(truth)});
}

static void begin_call(KleeneEval *eval, uint32_t func) {
    bool fresh;
    uint32_t memo = find_memo(eval, func, &fresh);
    eval->tasks.count--;
    if (fresh)
        vec_push(eval->arena, &eval->tasks, (EvalTask){.is_call = true, .id = func, .memo = memo});
    else if (eval->memos.at[memo].known)
        push_value(eval, eval->memos.at[memo].value);
    else
        wrong(eval, "a value depends on itself");
}

static KleeneValue operate(KleeneEval *eval, const KleeneExpr *expr, const KleeneValue *args) {
    KleeneValue result = {0};
    Value b = expr->arg_count > 1 ? args[1].value : (Value){0};
    Value c = expr->arg_count > 2 ? args[2].value : (Value){0};
    switch ((KleeneExprKind)expr->kind) {
    case KE_OP:
        if (!op_eval(expr->op, args[0].value, b, c, &result.value))
            wrong(eval, arena_printf(eval->arena, "%s of %lld and %lld", op_info(expr->op)->name,
                                     (long long)args[0].value.bits, (long long)b.bits));
        break;
    case KE_READ:
        if (b.undef) wrong(eval, "the index is undefined");
        result.value = imp_array_read(eval->arena, args[0].object, b.bits);
        break;
    case KE_WRITE:
        if (b.undef) wrong(eval, "the index is undefined");
        result.object = imp_array_write(eval->arena, args[0].object, b.bits, c);
        break;
    default: { // PRINT
        if (b.undef) wrong(eval, "the value is undefined");
        PrintedNumber *printed = ARENA_NEW(eval->arena, PrintedNumber);
        *printed = (PrintedNumber){.before = args[0].object, .value = (int64_t)b.bits};
        result.object = printed;
    }
    }
    return result;
}

static void step_strict(KleeneEval *eval, EvalTask *task, const KleeneExpr *expr) {
    if (task->stage < expr->arg_count) {
        push_expr(eval, eval->kleene->args.at[expr->args_at + task->stage++]);
        // `task` may have moved
        return;
    }
    eval->values.count -= expr->arg_count;
    finish(eval, operate(eval, expr, eval->values.at + eval->values.count));
}

// NOT, AND, OR and GAMMA: one condition after the other.
static void step_lazy(KleeneEval *eval, EvalTask *task, const KleeneExpr *expr) {
    const uint32_t *args = eval->kleene->args.at + expr->args_at;
    bool gamma = expr->kind == KE_GAMMA;
    if (task->stage) {
        bool truth = holds(eval);
        if (eval->end != KLEENE_RESULT) return;
        if (gamma && truth) {
            uint32_t chosen = args[2 * task->stage - 1];
            eval->tasks.count--;
            push_expr(eval, chosen);
            return;
        }
        bool decided = (expr->kind == KE_AND && !truth) || (expr->kind == KE_OR && truth);
        if (expr->kind == KE_NOT || decided || (!gamma && task->stage == expr->arg_count)) {
            finish_truth(eval, truth != (expr->kind == KE_NOT));
            return;
        }
    }
    uint32_t next = gamma ? 2 * task->stage : task->stage;
    task->stage++;
    if (next >= expr->arg_count)
        wrong(eval, "no condition holds");
    else
        push_expr(eval, args[next]);
}

static void step_expr(KleeneEval *eval, EvalTask *task) {
    const KleeneExpr *expr = &eval->kleene->exprs.at[task->id];
    switch ((KleeneExprKind)expr->kind) {
    case KE_NUMBER: finish(eval, (KleeneValue){.value = value_i64((uint64_t)expr->value)}); break;
    case KE_CALL: begin_call(eval, expr->ref); break;
    case KE_INPUT:
        finish(eval, (KleeneValue){.value = value_i64((uint64_t)eval->inputs[expr->ref])});
        break;
    case KE_ARRAY: finish(eval, (KleeneValue){.object = imp_array_new(eval->arena)}); break;
    case KE_START: finish(eval, (KleeneValue){0}); break;
    case KE_UNDEF: finish(eval, (KleeneValue){.value = value_undefined(TYPE_I64)}); break;
    case KE_OPAQUE: wrong(eval, "effects of C cannot be evaluated here"); break;
    case KE_NOT:
    case KE_AND:
    case KE_OR:
    case KE_GAMMA: step_lazy(eval, task, expr); break;
    case KE_OP:
    case KE_READ:
    case KE_WRITE:
    case KE_PRINT: step_strict(eval, task, expr); break;
    }
}

// The value of the call is there.
static void end_call(KleeneEval *eval, const EvalTask *task) {
    Memo *memo = &eval->memos.at[task->memo];
    memo->known = true;
    memo->value = eval->values.at[eval->values.count - 1];
    eval->tasks.count--;
}

// Stage 0: enter; close: 1 the condition is there, 2 the value is there; else 1 the value is there.
static void step_call(KleeneEval *eval, EvalTask *task) {
    const KleeneFunc *func = &eval->kleene->funcs.at[task->id];
    uint64_t *counter = func->kind == KF_PLAIN ? NULL : &eval->counters[func->loop];
    uint32_t stage = task->stage++;
    if (stage == 0) {
        bool again = func->kind == KF_LOOP && *counter > 0;
        if (counter) task->saved = *counter;
        if (again) --*counter;
        if (func->kind == KF_CLOSE) *counter = 0;
        push_expr(eval, func->kind == KF_PLAIN || again ? func->second : func->first);
    } else if (func->kind == KF_CLOSE && stage == 1) {
        bool on = holds(eval);
        if (eval->end != KLEENE_RESULT) return;
        if (on) {
            ++*counter;
            task->stage = 1;
        }
        push_expr(eval, on ? func->first : func->second);
    } else {
        if (counter) *counter = task->saved;
        end_call(eval, task);
    }
}

// Does what waits, and takes the value that remains.
static KleeneEnd run_tasks(KleeneEval *eval, KleeneValue *value) {
    eval->end = KLEENE_RESULT;
    while (eval->tasks.count && eval->end == KLEENE_RESULT) {
        if (eval->fuel && eval->steps == eval->fuel) {
            eval->end = KLEENE_FUEL;
            break;
        }
        eval->steps++;
        EvalTask *task = &eval->tasks.at[eval->tasks.count - 1];
        (task->is_call ? step_call : step_expr)(eval, task);
    }
    if (eval->end == KLEENE_RESULT) {
        *value = vec_pop(&eval->values);
        return KLEENE_RESULT;
    }
    // What was begun is not known: nobody finds it any more.
    for (uint32_t i = 0; i < eval->tasks.count; i++)
        if (eval->tasks.at[i].is_call) eval->memos.at[eval->tasks.at[i].memo].func = NO_ID;
    vec_clear(&eval->tasks);
    vec_clear(&eval->values);
    return eval->end;
}

// ---- From outside

KleeneEval *kleene_eval_new(Arena *arena, const Kleene *kleene, const int64_t *inputs,
                            uint64_t fuel) {
    KleeneEval *eval = ARENA_NEW(arena, KleeneEval);
    *eval = (KleeneEval){.arena = arena, .kleene = kleene, .inputs = inputs, .fuel = fuel};
    eval->counters = ARENA_ARRAY(arena, uint64_t, kleene->loops + 1);
    find_needs(eval);
    return eval;
}

static KleeneEnd eval_func(KleeneEval *eval, uint32_t func, const uint64_t *counters,
                           KleeneValue *value) {
    for (uint32_t i = 0; i < eval->kleene->loops; i++) eval->counters[i] = counters[i];
    vec_push(eval->arena, &eval->tasks, (EvalTask){.id = NO_ID}); // begin_call takes it away
    begin_call(eval, func);
    return run_tasks(eval, value);
}

KleeneEnd kleene_eval(KleeneEval *eval, uint32_t func, const uint64_t *counters, Value *value) {
    KleeneValue there = {0};
    KleeneEnd end = eval_func(eval, func, counters, &there);
    *value = there.value;
    return end;
}

KleeneEnd kleene_eval_element(KleeneEval *eval, uint32_t func, const uint64_t *counters,
                              int64_t index, Value *value) {
    KleeneValue there = {0};
    KleeneEnd end = eval_func(eval, func, counters, &there);
    if (end == KLEENE_RESULT && there.object)
        *value = imp_array_read(eval->arena, there.object, (uint64_t)index);
    return end;
}

const char *kleene_eval_reason(const KleeneEval *eval) {
    return eval->reason;
}

static void print_printed(Arena *arena, Out *out, const PrintedNumber *last) {
    VEC(int64_t) numbers = {0};
    for (; last; last = last->before) vec_push(arena, &numbers, last->value);
    while (numbers.count) out_printf(out, "%lld\n", (long long)vec_pop(&numbers));
}

void kleene_run(Arena *arena, const Kleene *kleene, const int64_t *inputs, uint64_t fuel,
                KleeneResult *result) {
    KleeneEval *eval = kleene_eval_new(arena, kleene, inputs, fuel);
    *result = (KleeneResult){0};
    for (uint32_t i = 0; i < kleene->targets.count && result->end == KLEENE_RESULT; i++) {
        const KleeneTarget *target = &kleene->targets.at[i];
        KleeneValue value;
        memset(eval->counters, 0, kleene->loops * sizeof *eval->counters);
        push_expr(eval, target->expr);
        result->end = run_tasks(eval, &value);
        if (result->end != KLEENE_RESULT) break;
        if (target->is_output) {
            print_printed(arena, &result->output, value.object);
            continue;
        }
        out_printf(&result->output, "%s = ", str_text(&kleene->strings, target->name));
        if (value.value.undef)
            out_text(&result->output, "undef\n");
        else
            out_printf(&result->output, "%lld\n", (long long)value.value.bits);
    }
    result->reason = eval->reason;
    result->steps = eval->steps;
}
