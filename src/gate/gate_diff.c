// gate diff: prints the changes of steps, line by line, with the reasons.
//
// Lines with the same identity are the same (history/history.h), in any place and form. Line
// numbers are those of the old function: a line that stays keeps its number, and new lines go on
// behind the last. So a branch to a node that has only moved reads as before, and is no change.
#include "gate/gate_diff.h"

#include "analysis/ascending.h"
#include "base/hash.h"
#include "form/mach.h"
#include "history/history.h"
#include "text/text.h"

#include <string.h>
#include <unistd.h>

// ---- Numbers

// A function with the numbers of another: those of its lines that were there, and new ones behind
// them.
typedef struct {
    const Func *func;
    const FuncItems *items;
    const uint32_t *identity;
    uint32_t *number;        // per item
    const char *const *text; // per item, with these numbers
    // What counts for whether a line has changed: where control goes, without the nops on the way
    // there.
    const char *const *key; // per item
    uint32_t *above,
        *below; // per item: numbers of what is done before and next, NO_ID if that depends
} DiffSide;

typedef struct {
    Arena *arena;
    Out *out;
    bool colour, all;
    const FunctionHistory *function;
    DiffSide before, after;
    uint32_t *old;      // per item after: the one before, or NO_ID
    uint32_t *now;      // per item before: the one after, or NO_ID
    bool *stays;        // per item after: in the same order among those that stay
    const char **notes; // per item before, then per item after: remarks, or NULL
    bool *moved;        // per item after: a remark says that it was; NULL if there are no remarks
    uint32_t changes, idle;
} Diff;

static uint32_t own_number(const Func *func, const Item *item) {
    if (item->kind == ITEM_MACH) return item->index;
    return item->kind == ITEM_FLOATING ? NO_ID : func_label(func, (Node){item->node});
}

static uint32_t *table(Arena *arena, uint32_t count) {
    uint32_t *result = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    memset(result, 0xff, sizeof *result * ((size_t)count + 1));
    return result;
}

// The texts of a function whose nodes have other numbers.
static const char *const *texts_with(Arena *arena, const DiffSide *side, const uint32_t *of_node) {
    if (has_mach_items(side->func)) return item_texts(arena, side->func, side->items);
    Func copy = *side->func;
    copy.labels.count = copy.labels.capacity = 0;
    copy.labels.at = NULL;
    for (uint32_t n = 0; n < copy.nodes.count; n++) vec_push(arena, &copy.labels, of_node[n]);
    return item_texts(arena, &copy, side->items);
}

static bool has_number(const Item *item) {
    return item->kind == ITEM_INSTR || item->kind == ITEM_MACH;
}

// ---- Where control goes

// The first node behind nops.
static uint32_t *resolve(Arena *arena, const Func *func) {
    uint32_t *result = table(arena, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t at = n, steps = 0;
        while (result[at] == NO_ID && func->nodes.at[at].kind == I_NOP &&
               func->nodes.at[at].succ_count == 1 && steps++ < func->nodes.count)
            at = func->nodes.at[at].succ[0].i;
        uint32_t target = result[at] == NO_ID ? at : result[at];
        for (at = n, steps = 0; result[at] == NO_ID && at != target && steps++ < func->nodes.count;
             at = func->nodes.at[at].succ[0].i)
            result[at] = target;
        if (result[target] == NO_ID) result[target] = target;
    }
    return result;
}

// A line without the successor that it may tell, and with that which it has behind nops.
static const char *with_target(Arena *arena, const char *text, uint32_t target) {
    const char *arrow = NULL;
    for (const char *at = strstr(text, " -> "); at; at = strstr(at + 1, " -> ")) arrow = at;
    return arena_printf(arena, "%.*s -> %u", (int)(arrow ? arrow - text : (ptrdiff_t)strlen(text)),
                        text, target);
}

static void find_keys(Arena *arena, DiffSide *side) {
    enum { MOST_NOPS = 16 };
    const Func *func = side->func;
    const FuncItems *items = side->items;
    side->above = table(arena, items->count);
    side->below = table(arena, items->count);
    if (has_mach_items(func)) {
        side->key = side->text;
        return;
    }
    uint32_t *target = resolve(arena, func), *labels = table(arena, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        labels[n] = side->number[items->of_node[target[n]]];
    const char *const *texts = texts_with(arena, side, labels);
    const char **keys = ARENA_ARRAY(arena, const char *, (size_t)items->count + 1);
    Preds preds = preds_of(arena, func);
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = &items->at[i];
        const Instr *instr = item->kind == ITEM_INSTR ? &func->nodes.at[item->node] : NULL;
        bool goes_on = instr && instr->succ_count == 1;
        keys[i] = goes_on ? with_target(arena, texts[i], labels[instr->succ[0].i]) : texts[i];
        if (goes_on) side->below[i] = labels[instr->succ[0].i];
        if (item->node != NO_ID && item->kind != ITEM_INSTR) side->above[i] = labels[item->node];
        Node from = instr ? preds_sole(&preds, (Node){item->node}) : NO_NODE;
        if (from.i == NO_ID) continue;
        for (int k = 0; k < MOST_NOPS && func_at(func, from)->kind == I_NOP; k++) {
            Node above = preds_sole(&preds, from);
            if (above.i == NO_ID) break;
            from = above;
        }
        side->above[i] = side->number[items->of_node[from.i]];
    }
    side->key = keys;
}

// ---- Numbers of both

static void number_before(Diff *diff) {
    DiffSide *side = &diff->before;
    side->number = ARENA_ARRAY(diff->arena, uint32_t, (size_t)side->items->count + 1);
    for (uint32_t i = 0; i < side->items->count; i++)
        side->number[i] = own_number(side->func, &side->items->at[i]);
    side->text = item_texts(diff->arena, side->func, side->items);
    find_keys(diff->arena, side);
}

static uint32_t first_free(const DiffSide *side) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < side->items->count; i++)
        if (side->number[i] != NO_ID && side->number[i] >= next) next = side->number[i] + 1;
    return next;
}

// A join whose instruction is gone, and that has another one now, is the same join: by what stands
// at its entry.
static void number_joins(Diff *diff, uint32_t *of_node) {
    const DiffSide *before = &diff->before, *after = &diff->after;
    for (uint32_t i = 0; i < after->items->count && !has_mach_items(before->func); i++) {
        const Item *item = &after->items->at[i];
        uint32_t old = diff->old[i];
        if (has_number(item) || item->node == NO_ID || old == NO_ID) continue;
        const Item *was = &before->items->at[old];
        if (has_number(was) || was->node == NO_ID) continue;
        bool gone = diff->now[before->items->of_node[was->node]] == NO_ID;
        bool came = diff->old[after->items->of_node[item->node]] == NO_ID;
        if (gone && came) of_node[item->node] = before->number[old];
    }
}

// Instructions have the numbers of those that they were; what stands at the entry of a node has
// that of the node.
static void number_after(Diff *diff) {
    DiffSide *side = &diff->after;
    uint32_t next = first_free(&diff->before);
    uint32_t *of_node = table(diff->arena, side->func->nodes.count);
    side->number = table(diff->arena, side->items->count);
    number_joins(diff, of_node);
    for (uint32_t i = 0; i < side->items->count; i++) {
        const Item *item = &side->items->at[i];
        uint32_t old = diff->old[i];
        if (!has_number(item)) continue;
        bool kept = old != NO_ID && has_number(&diff->before.items->at[old]);
        bool join = item->kind == ITEM_INSTR && of_node[item->node] != NO_ID;
        side->number[i] = kept ? diff->before.number[old] : join ? of_node[item->node] : next++;
        if (item->kind == ITEM_INSTR) of_node[item->node] = side->number[i];
    }
    for (uint32_t i = 0; i < side->items->count; i++) {
        const Item *item = &side->items->at[i];
        if (!has_number(item) && item->node != NO_ID) side->number[i] = of_node[item->node];
    }
    side->text = texts_with(diff->arena, side, of_node);
    find_keys(diff->arena, side);
}

// ---- Which is which

static void match(Diff *diff) {
    const DiffSide *before = &diff->before, *after = &diff->after;
    uint32_t *of_identity = table(diff->arena, diff->function->identities);
    diff->old = table(diff->arena, after->items->count);
    diff->now = table(diff->arena, before->items->count);
    for (uint32_t i = 0; i < before->items->count; i++) of_identity[before->identity[i]] = i;
    for (uint32_t i = 0; i < after->items->count; i++) {
        diff->old[i] = of_identity[after->identity[i]];
        if (diff->old[i] != NO_ID) diff->now[diff->old[i]] = i;
    }
}

// All lines but the longest run of those that have kept their order count as moved.
static void find_order(Diff *diff) {
    uint32_t count = diff->after.items->count;
    diff->stays = ARENA_ARRAY(diff->arena, bool, (size_t)count + 1);
    mark_ascending(diff->arena, diff->old, count, diff->stays);
}

// ---- Remarks

static void add_note(Diff *diff, uint32_t line, const Remark *remark) {
    const char *had = diff->notes[line];
    diff->notes[line] = arena_printf(diff->arena, "%s%s%s: %s", had ? had : "", had ? "\n" : "",
                                     remark_kind_name((RemarkKind)remark->kind), remark->text);
}

static void collect_notes(Diff *diff, const HistoryStep *step) {
    uint32_t count = diff->before.items->count;
    diff->notes =
        ARENA_ARRAY(diff->arena, const char *, (size_t)count + diff->after.items->count + 1);
    if (step) diff->moved = ARENA_ARRAY(diff->arena, bool, (size_t)diff->after.items->count + 1);
    for (uint32_t i = 0; step && i < step->remarks.count; i++) {
        const Remark *remark = &step->remarks.at[i];
        if (remark->kind == REMARK_MOVED && remark->after != NO_ID)
            diff->moved[remark->after] = true;
        bool gone = remark->before != NO_ID && diff->now[remark->before] == NO_ID;
        uint32_t line = remark->after != NO_ID && !gone ? count + remark->after : remark->before;
        if (line != NO_ID) add_note(diff, line, remark);
    }
}

// ---- Lines

static bool is_idle(const DiffSide *side, uint32_t item) {
    const Instr *instr = item_instr(side->func, &side->items->at[item]);
    return instr && instr->kind == I_NOP && instr->succ_count == 1;
}

static void start_line(Diff *diff, char mark, uint32_t number) {
    static const struct {
        char mark;
        const char *start;
    } colours[] = {{'-', "\033[31m"}, {'+', "\033[32m"}, {'~', "\033[33m"}, {'>', "\033[36m"}};
    for (size_t i = 0; diff->colour && i < sizeof colours / sizeof colours[0]; i++)
        if (colours[i].mark == mark) out_text(diff->out, colours[i].start);
    out_printf(diff->out, "%c ", mark);
    if (number == NO_ID)
        out_text(diff->out, "      ");
    else
        out_printf(diff->out, "%4u: ", number);
}

static void end_line(Diff *diff, const char *notes) {
    out_text(diff->out, diff->colour ? "\033[0m\n" : "\n");
    for (const char *at = notes, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, "\n");
        out_printf(diff->out, "          %.*s\n", (int)(end - at), at);
    }
}

static void print_removed(Diff *diff, uint32_t item) {
    diff->changes++;
    start_line(diff, '-', diff->before.number[item]);
    out_text(diff->out, diff->before.text[item]);
    end_line(diff, diff->notes[item]);
}

// Whether a line that has another place among the others is done at another time: in a graph the
// order of lines means nothing.
static bool has_moved(const Diff *diff, uint32_t item) {
    const DiffSide *before = &diff->before, *after = &diff->after;
    uint32_t old = diff->old[item];
    if (diff->moved && diff->moved[item]) return true;
    if (diff->stays[item] || after->items->at[item].kind == ITEM_FLOATING) return false;
    if (has_mach_items(after->func) || diff->moved) return has_mach_items(after->func);
    bool above = after->above[item] != NO_ID && after->above[item] == before->above[old];
    bool below = after->below[item] != NO_ID && after->below[item] == before->below[old];
    bool nowhere = after->above[item] == NO_ID && after->below[item] == NO_ID;
    return !above && !below && !(nowhere && before->below[old] == NO_ID);
}

static char mark_of(const Diff *diff, uint32_t item) {
    uint32_t old = diff->old[item];
    if (old == NO_ID) return '+';
    if (has_moved(diff, item)) return '>';
    bool same = strcmp(diff->before.key[old], diff->after.key[item]) == 0 ||
                strcmp(diff->before.text[old], diff->after.text[item]) == 0;
    return same ? ' ' : '~';
}

static void print_after(Diff *diff, uint32_t item, char mark) {
    enum { WIDTH = 96 };
    uint32_t old = diff->old[item];
    const char *now = diff->after.text[item];
    const char *then = old == NO_ID ? now : diff->before.text[old];
    start_line(diff, mark, diff->after.number[item]);
    out_text(diff->out, mark == ' ' ? now : then);
    if (mark != ' ' && strcmp(then, now) != 0)
        out_printf(diff->out, "%s%s", strlen(then) + strlen(now) > WIDTH ? "\n     => " : " => ",
                   now);
    const char *notes = diff->notes[diff->before.items->count + item];
    if (!notes && old != NO_ID) notes = diff->notes[old];
    end_line(diff, mark == ' ' ? NULL : notes);
    diff->changes += mark != ' ';
}

// Lines of the function after, with those that are gone where they were; what has not changed only
// next to what has.
typedef struct {
    uint32_t item;
    bool gone;
    char mark;
} DiffLine;

typedef VEC(DiffLine) DiffLines;

static void add_gone(Diff *diff, DiffLines *lines, uint32_t *from, uint32_t to) {
    for (; *from < to; ++*from) {
        if (diff->now[*from] != NO_ID) continue;
        bool idle = is_idle(&diff->before, *from);
        diff->idle += idle;
        if (diff->all || !idle)
            vec_push(diff->arena, lines, (DiffLine){.item = *from, .gone = true, .mark = '-'});
    }
}

static DiffLines lines_of(Diff *diff) {
    DiffLines lines = {0};
    uint32_t from = 0;
    for (uint32_t i = 0; i < diff->after.items->count; i++) {
        if (diff->stays[i]) add_gone(diff, &lines, &from, diff->old[i]);
        char mark = mark_of(diff, i);
        bool idle = is_idle(&diff->after, i) && mark != ' ';
        diff->idle += idle;
        if (diff->all || !idle) vec_push(diff->arena, &lines, (DiffLine){.item = i, .mark = mark});
    }
    add_gone(diff, &lines, &from, diff->before.items->count);
    return lines;
}

static void print_lines(Diff *diff) {
    enum { CONTEXT = 1 };
    DiffLines lines = lines_of(diff);
    uint32_t until = 0; // lines before that one are context
    bool gap = false;
    for (uint32_t i = 0; i < lines.count; i++) {
        const DiffLine *line = &lines.at[i];
        bool near = diff->all || i < until;
        for (uint32_t k = i; k < lines.count && k <= i + CONTEXT; k++)
            near |= lines.at[k].mark != ' ';
        if (line->mark != ' ') until = i + 1 + CONTEXT;
        if (!near) {
            gap = true;
            continue;
        }
        if (gap) out_text(diff->out, "  ...\n");
        gap = false;
        if (line->gone)
            print_removed(diff, line->item);
        else
            print_after(diff, line->item, line->mark);
    }
}

// ---- Slots, which are no items

// The line at a place, without its end.
static size_t line_length(const char *at, const Out *text) {
    const char *end = memchr(at, '\n', (size_t)(text->text + text->length - at));
    return (size_t)(end - at);
}

// Prints the slots of a function that another one has not.
static void print_slots(Diff *diff, char mark, const Func *func, const Func *other) {
    Out theirs = {0}, ours = {0};
    Map counts = {0};
    func_print_slots(&theirs, other, 0);
    func_print_slots(&ours, func, 0);
    for (const char *at = theirs.text; at && at < theirs.text + theirs.length;
         at += line_length(at, &theirs) + 1) {
        uint64_t key = hash_bytes(at, line_length(at, &theirs));
        uint32_t count = map_get(&counts, key);
        map_set(diff->arena, &counts, key, count == HASH_NONE ? 1 : count + 1);
    }
    for (const char *at = ours.text; at && at < ours.text + ours.length;
         at += line_length(at, &ours) + 1) {
        uint64_t key = hash_bytes(at, line_length(at, &ours));
        uint32_t count = map_get(&counts, key);
        bool there = count != HASH_NONE && count;
        if (there) map_set(diff->arena, &counts, key, count - 1);
        if (there) continue;
        start_line(diff, mark, NO_ID);
        out_printf(diff->out, "%.*s", (int)line_length(at, &ours) - 2, at + 2);
        end_line(diff, NULL);
        diff->changes++;
    }
    out_free(&theirs);
    out_free(&ours);
}

// ---- Functions

typedef struct {
    GateSession *session;
    Out out;
    bool colour;
    uint32_t first,
        second;      // steps; first is step_count: each step against what it was compared with
    uint32_t same;   // functions that are as before
    uint32_t absent; // in which the pass that was asked for did not run
} DiffRun;

static const char *verdict_words(const HistoryStep *step) {
    static const char *const words[] = {[STEP_UNCHANGED] = "nothing to do",
                                        [STEP_ACCEPTED] = "accepted",
                                        [STEP_INSIDE] = "checked with the step that leads out",
                                        [STEP_REJECTED] = "rejected",
                                        [STEP_UNCHECKED] = "not checked"};
    return words[step->verdict];
}

static void print_hint(Out *out, const char *hint) {
    for (const char *at = hint, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, "\n");
        out_printf(out, "  hint: %.*s\n", (int)(end - at), at);
    }
}

// Prints what differs below a title; whether there is something.
static bool compare(DiffRun *run, const FunctionHistory *function, HistoryState before,
                    HistoryState after, const HistoryStep *step, const char *title) {
    Out lines = {0};
    Diff diff = {
        .arena = arena_new("diff"),
        .out = &lines,
        .colour = run->colour,
        .all = run->session->options.all,
        .function = function,
        .before = {.func = before.func, .items = before.items, .identity = before.identity},
        .after = {.func = after.func, .items = after.items, .identity = after.identity}};
    match(&diff);
    find_order(&diff);
    number_before(&diff);
    number_after(&diff);
    collect_notes(&diff, step);
    print_slots(&diff, '-', before.func, after.func);
    print_slots(&diff, '+', after.func, before.func);
    print_lines(&diff);
    if (diff.idle && !diff.all)
        out_printf(&lines, "  %u nop%s came, went or moved\n", diff.idle,
                   diff.idle == 1 ? "" : "s");
    bool differs = diff.all || diff.changes || diff.idle;
    if (differs) {
        out_printf(&run->out, "%s%s\n", run->out.length ? "\n" : "", title);
        if (step && run->session->options.hints) print_hint(&run->out, step->hint);
        out_bytes(&run->out, lines.text, lines.length);
    }
    out_free(&lines);
    arena_free(diff.arena);
    return differs;
}

// One step of a function.
static bool show_step(DiffRun *run, const FunctionHistory *function, uint32_t at) {
    const HistoryStep *step = &function->steps.at[at];
    Arena *arena = run->session->arena;
    const char *more = step->reason ? step->reason : step->established;
    const char *title = arena_printf(arena, "%s, %s: %s%s%s", func_name(function->start),
                                     step_name(arena, step->step), verdict_words(step),
                                     more ? ": " : "", more ? more : "");
    return compare(run, function, history_before(function, at), history_after(function, at), step,
                   title);
}

static bool is_asked_for(const DiffRun *run, const HistoryStep *step) {
    const char *pass = run->session->options.pass;
    if (!pass) return true;
    return strchr(pass, '.') ? step_named(pass) == step->step
                             : step_at(step->step).pass == pass_named(pass);
}

// The last step that a function has taken up to one of the pipeline, and that was not undone; NO_ID
// if there is none.
static uint32_t last_up_to(const FunctionHistory *function, uint32_t step) {
    uint32_t found = NO_ID;
    for (uint32_t i = 0; i < function->steps.count && function->steps.at[i].step <= step; i++)
        if (function->steps.at[i].verdict != STEP_REJECTED) found = i;
    return found;
}

// What was rejected on an attempt that came to nothing: the function has started anew, and its
// steps do not tell of it.
static bool show_given_up(DiffRun *run, const FunctionHistory *function) {
    bool shown = false;
    FunctionHistory attempt = *function;
    attempt.steps.at = function->given_up.at;
    attempt.steps.count = function->given_up.count;
    for (uint32_t i = 0; i < attempt.steps.count; i++)
        if (attempt.steps.at[i].verdict == STEP_REJECTED && is_asked_for(run, &attempt.steps.at[i]))
            shown |= show_step(run, &attempt, i);
    return shown;
}

static void show_steps(DiffRun *run, const FunctionHistory *function) {
    bool shown = show_given_up(run, function), ran = shown;
    for (uint32_t i = 0; i < function->steps.count; i++) {
        if (!is_asked_for(run, &function->steps.at[i])) continue;
        ran = true;
        if (function->steps.at[i].verdict != STEP_UNCHANGED) shown |= show_step(run, function, i);
    }
    run->same += ran && !shown;
    run->absent += !ran;
}

static void show_function(DiffRun *run, const FunctionHistory *function) {
    if (run->first == step_count) {
        show_steps(run, function);
        return;
    }
    uint32_t from = last_up_to(function, run->first), to = last_up_to(function, run->second);
    HistoryState before = history_after(function, from), after = history_after(function, to);
    Arena *arena = run->session->arena;
    const char *title = arena_printf(arena, "%s, from %s to %s", func_name(function->start),
                                     step_name(arena, run->first), step_name(arena, run->second));
    run->same += before.func == after.func || !compare(run, function, before, after, NULL, title);
}

// What was asked for; false after a message.
static bool choose(GateSession *session, DiffRun *run, uint32_t *steps) {
    GateOptions *options = &session->options;
    *steps = step_count;
    run->first = run->second = step_count;
    if (options->pass) {
        bool step = strchr(options->pass, '.') != NULL;
        uint32_t named = step_named(options->pass);
        if (step ? named == step_count : pass_named(options->pass) == PASS_COUNT)
            return gate_usage("there is no %s '%s'", step ? "step" : "pass", options->pass);
        session_request(options, named);
        excursion_switch_on(named, options->on, options->off);
    }
    if (options->after == step_count && options->after_too == step_count) return true;
    if (options->pass) return gate_usage("--pass and --after exclude each other");
    if (options->after_too == step_count)
        return gate_usage("diff needs two times --after, or --pass");
    bool swapped = options->after < options->after_too;
    run->first = swapped ? options->after : options->after_too;
    run->second = swapped ? options->after_too : options->after;
    if (run->first == run->second) return gate_usage("there is nothing between a step and itself");
    session_request(options, run->first);
    session_request(options, run->second);
    excursion_switch_on(run->first, options->on, options->off);
    excursion_switch_on(run->second, options->on, options->off);
    *steps = run->second + 1;
    return true;
}

int gate_diff(GateSession *session) {
    int status;
    uint32_t steps;
    DiffRun run = {.session = session, .colour = !session->options.output && isatty(STDOUT_FILENO)};
    if (!choose(session, &run, &steps)) return EXIT_USAGE;
    Program *program = session_load(session, &status);
    if (!program) return status;
    Pipeline pipeline;
    session_start_pipeline(session, &pipeline, steps);
    const FunctionNames *functions = &session->options.functions;
    const char *only = functions->names.count == 1 ? functions->names.at[0] : NULL;
    History *history = history_new(session->arena, program, only);
    history_watch(history, &pipeline);
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    session_show_stats(session, &pipeline);
    for (uint32_t i = 0; i < history_count(history); i++) {
        const FunctionHistory *function = history_at(history, i);
        if (functions_have(functions, function->start)) show_function(&run, function);
    }
    bool none = !history_count(history);
    history_free(history);
    if (none) {
        gate_usage("no pass takes functions of %s further", session->options.file);
        return EXIT_USAGE;
    }
    if (run.same)
        out_printf(&run.out, "%s%u function%s as before\n", run.out.length ? "\n" : "", run.same,
                   run.same == 1 ? " is" : "s are");
    if (run.absent)
        out_printf(&run.out, "%s%s does not run for %u function%s\n",
                   run.out.length && !run.same ? "\n" : "",
                   session->options.pass ? session->options.pass : "any pass", run.absent,
                   run.absent == 1 ? "" : "s");
    return session_write_output(session, &run.out);
}
