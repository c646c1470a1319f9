// The debugger: when the run stops, and what the answers mean.
#include "watch/step_private.h"

#include "form/mach/mach.h"
#include "run/world/externals.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

static void say(const Stepper *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const Stepper *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(s->options->to, format, args);
    va_end(args);
}

// ---- Breakpoints

static bool holds(const StepBreak *at, const Interpreter *in) {
    if (at->compare == COMPARE_NONE) return true;
    const CallFrame *frame = top_frame(in);
    Reg reg = step_register(frame, at->reg);
    if (reg.i == NO_ID || frame->regs[reg.i].undef) return false;
    Value value = frame->regs[reg.i];
    bool narrow = reg_type(frame->code->func, reg) == TYPE_I32;
    int64_t found = narrow ? (int32_t)as_i32(value) : (int64_t)as_i64(value);
    switch (at->compare) {
    case COMPARE_EQ: return found == at->value;
    case COMPARE_NE: return found != at->value;
    case COMPARE_LT: return found < at->value;
    case COMPARE_LE: return found <= at->value;
    case COMPARE_GT: return found > at->value;
    case COMPARE_GE: return found >= at->value;
    case COMPARE_NONE: break;
    }
    return true;
}

static bool same_file(const char *path, const char *wanted) {
    size_t length = strlen(path), tail = strlen(wanted);
    return length >= tail && strcmp(path + length - tail, wanted) == 0 &&
           (length == tail || path[length - tail - 1] == '/');
}

static bool on_line(const Stepper *s, const StepBreak *at, uint32_t loc) {
    if (!loc || s->program->locs.at[loc].line != at->line) return false;
    const char *file =
        program_text(s->program, s->program->files.at[s->program->locs.at[loc].file]);
    return !at->file || same_file(file, at->file);
}

// A line begins with an item behind one of another line in the text of the function.
static bool begins_line(const Stepper *s, const StepBreak *at, const WatchItem *item) {
    const Func *func = item->func;
    if (!on_line(s, at, item->loc)) return false;
    if (item->item.kind != ITEM_INSTR && item->item.kind != ITEM_MACH) return true;
    if (!item->item.index) return true;
    Item before = {
        .kind = item->item.kind, .node = item->item.index - 1, .index = item->item.index - 1};
    return !on_line(s, at, item_loc(func, &before));
}

static bool is_at(const Stepper *s, const StepBreak *at, const WatchItem *item) {
    char label[32];
    if (at->function && strcmp(func_name(item->func), at->function) != 0) return false;
    if (at->line) return begins_line(s, at, item);
    if (!at->site) return s->entered;
    watch_label(label, sizeof label, item->func, &item->item);
    return strcmp(label, at->site) == 0;
}

static bool at_breakpoint(Stepper *s, const Interpreter *in, const WatchItem *item) {
    bool stops = false;
    for (uint32_t i = 0; i < s->breaks.count; i++) {
        StepBreak *at = &s->breaks.at[i];
        if (at->gone || !is_at(s, at, item) || !holds(at, in)) continue;
        at->hits++;
        at->gone = at->once;
        if (!stops && !at->once) say(s, "breakpoint %u: %s\n", i + 1, at->text);
        stops = true;
    }
    return stops;
}

static bool is_number(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits && !text[digits];
}

// REG OP VALUE
static bool parse_break_condition(Stepper *s, StepBreak *at, const char *text) {
    static const struct {
        const char *text;
        StepCompare compare;
    } operators[] = {{"==", COMPARE_EQ}, {"!=", COMPARE_NE}, {"<=", COMPARE_LE}, {">=", COMPARE_GE},
                     {"<", COMPARE_LT},  {">", COMPARE_GT},  {"=", COMPARE_EQ}};
    char reg[128], op[4], value[64], *end;
    if (sscanf(text, "%127s %3s %63s", reg, op, value) != 3) return false;
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (strcmp(op, operators[i].text) == 0) at->compare = operators[i].compare;
    at->value = strtoll(value, &end, 0);
    at->reg = arena_text(s->options->arena, reg, strlen(reg));
    return at->compare != COMPARE_NONE && !*end;
}

static bool has_function(const Program *program, const char *name) {
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func &&
            strcmp(program_text(program, program->symbols.at[i].name), name) == 0)
            return true;
    return false;
}

// LINE, FILE:LINE, FUNCTION, FUNCTION@ITEM or @ITEM. Without locations a number is an item.
static bool parse_place(Stepper *s, StepBreak *at, const char *place) {
    Arena *arena = s->options->arena;
    const char *colon = strrchr(place, ':'), *sign = strchr(place, '@');
    if (sign) {
        at->site = sign + 1;
        if (sign > place) at->function = arena_text(arena, place, (size_t)(sign - place));
        if (sign == place && s->due.func) at->function = func_name(s->due.func);
        return *at->site && (!at->function || has_function(s->program, at->function));
    }
    if (is_number(place)) {
        if (s->program->locs.count > 1)
            at->line = (uint32_t)strtoul(place, NULL, 10);
        else
            at->site = place;
        return true;
    }
    if (colon && is_number(colon + 1)) {
        at->file = arena_text(arena, place, (size_t)(colon - place));
        at->line = (uint32_t)strtoul(colon + 1, NULL, 10);
        return true;
    }
    at->function = place;
    return has_function(s->program, place);
}

static void list_breaks(const Stepper *s) {
    for (uint32_t i = 0; i < s->breaks.count; i++)
        if (!s->breaks.at[i].gone)
            say(s, "  %u: %s, reached %llu times\n", i + 1, s->breaks.at[i].text,
                (unsigned long long)s->breaks.at[i].hits);
}

static bool set_break(Stepper *s, const char *rest) {
    char place[200];
    int end = 0;
    if (sscanf(rest, "%199s%n", place, &end) != 1) {
        list_breaks(s);
        return false;
    }
    StepBreak at = {.text = arena_text(s->options->arena, rest, strlen(rest))};
    const char *condition = rest + end + strspn(rest + end, " ");
    bool good = parse_place(s, &at, arena_text(s->options->arena, place, strlen(place)));
    if (good && *condition)
        good = strncmp(condition, "if ", 3) == 0 && parse_break_condition(s, &at, condition + 3);
    if (!good) {
        say(s, "break LINE, FILE:LINE, FUNCTION, FUNCTION@ITEM or @ITEM, perhaps with: if REG OP "
               "NUMBER\n");
        return false;
    }
    vec_push(s->options->arena, &s->breaks, at);
    return true;
}

static void delete_break(Stepper *s, const char *rest) {
    unsigned long number = strtoul(rest, NULL, 10);
    for (uint32_t i = 0; i < s->breaks.count; i++)
        if (!*rest || i + 1 == number) s->breaks.at[i].gone = true;
    if (*rest && (!number || number > s->breaks.count)) say(s, "there is no breakpoint %s\n", rest);
}

// ---- Commands. Each yields whether the run goes on, or is left.

static uint64_t number_or(const char *rest, uint64_t otherwise) {
    return is_number(rest) ? strtoull(rest, NULL, 10) : otherwise;
}

static bool go(Stepper *s, StepGo how, uint64_t target) {
    if (s->over) {
        say(s, "the program has ended; back N goes back, quit ends\n");
        return false;
    }
    s->go = how;
    s->target = target;
    s->depth = s->due.depth;
    return true;
}

static bool do_step(Stepper *s, Interpreter *in, const char *rest) {
    (void)in;
    return go(s, GO_ITEMS, s->count + number_or(rest, 1));
}

static bool do_next(Stepper *s, Interpreter *in, const char *rest) {
    (void)in, (void)rest;
    return go(s, GO_NEXT, 0);
}

static bool do_finish(Stepper *s, Interpreter *in, const char *rest) {
    (void)in, (void)rest;
    return go(s, GO_FINISH, 0);
}

static bool do_continue(Stepper *s, Interpreter *in, const char *rest) {
    (void)in, (void)rest;
    return go(s, GO_CONTINUE, 0);
}

static bool do_break(Stepper *s, Interpreter *in, const char *rest) {
    (void)in;
    if (set_break(s, rest))
        say(s, "breakpoint %u is at %s\n", s->breaks.count, s->breaks.at[s->breaks.count - 1].text);
    return false;
}

static bool do_delete(Stepper *s, Interpreter *in, const char *rest) {
    (void)in;
    delete_break(s, rest);
    return false;
}

// What is shown goes through one text.
static bool show(const Stepper *s, Out *out) {
    out_flush(out, s->options->to);
    out_free(out);
    return false;
}

static bool do_list(Stepper *s, Interpreter *in, const char *rest) {
    Out out = {0};
    (void)rest;
    step_show_list(s, &out, in);
    return show(s, &out);
}

static bool do_regs(Stepper *s, Interpreter *in, const char *rest) {
    Out out = {0};
    (void)rest;
    step_show_registers(s, &out, in);
    return show(s, &out);
}

static bool do_print(Stepper *s, Interpreter *in, const char *rest) {
    Out out = {0};
    if (*rest)
        step_show_named(s, &out, in, rest);
    else
        out_text(&out, "print REG or VARIABLE\n");
    return show(s, &out);
}

static bool do_mem(Stepper *s, Interpreter *in, const char *rest) {
    Out out = {0};
    char what[200], count[32] = "";
    if (sscanf(rest, "%199s %31s", what, count) >= 1)
        step_show_memory(s, &out, in, what, number_or(count, 0));
    else
        out_text(&out, "mem ADDRESS, REG or VARIABLE, and perhaps how many bytes\n");
    return show(s, &out);
}

static bool do_stack(Stepper *s, Interpreter *in, const char *rest) {
    Out out = {0};
    (void)rest;
    step_show_stack(s, &out, in);
    return show(s, &out);
}

static bool select_frame(Stepper *s, Interpreter *in, int64_t by) {
    int64_t wanted = (int64_t)s->selected + by;
    if (wanted < 0 || wanted >= (int64_t)(in->frames.count - in->oldest)) {
        say(s, "there is no such call\n");
        return false;
    }
    s->selected = (uint32_t)wanted;
    Out out = {0};
    out_printf(&out, "  %u ", s->selected);
    watch_print_frame(&out, in, s->options->source, in->frames.count - 1 - s->selected);
    out_char(&out, '\n');
    step_show_line(s, &out, watch_place(step_frame(s, in)).loc, 0);
    return show(s, &out);
}

static bool do_up(Stepper *s, Interpreter *in, const char *rest) {
    return select_frame(s, in, (int64_t)number_or(rest, 1));
}

static bool do_down(Stepper *s, Interpreter *in, const char *rest) {
    return select_frame(s, in, -(int64_t)number_or(rest, 1));
}

static bool do_events(Stepper *s, Interpreter *in, const char *rest) {
    (void)in;
    uint32_t most = (uint32_t)number_or(rest, 20), count = s->events.count;
    for (uint32_t i = count > most ? count - most : 0; i < count; i++)
        say(s, "  %u: %s\n", i + 1, s->events.at[i]);
    return false;
}

// A file that was opened cannot be made what it was.
static bool do_back(Stepper *s, Interpreter *in, const char *rest) {
    uint64_t by = number_or(rest, 1), now = s->count + s->over;
    if (in->world.files && in->world.files->streams.count > 3) {
        say(s, "the program has opened files, and would do so again: it cannot go back\n");
        return false;
    }
    s->go = GO_BACK;
    s->target = now > by ? now - by : 1;
    s->again = s->leaves = true;
    return true;
}

static bool do_until(Stepper *s, Interpreter *in, const char *rest) {
    (void)in;
    char place[200];
    if (!*rest || strlen(rest) > sizeof place - 2 || s->over) {
        say(s, "until ITEM: the label of one in this function\n");
        return false;
    }
    snprintf(place, sizeof place, "%s%s", *rest == '@' || isalpha((unsigned char)*rest) ? "" : "@",
             rest);
    if (!set_break(s, place)) return false;
    s->breaks.at[s->breaks.count - 1].once = true;
    return go(s, GO_CONTINUE, 0);
}

static bool do_quit(Stepper *s, Interpreter *in, const char *rest) {
    (void)in, (void)rest;
    return s->leaves = true;
}

static bool do_help(Stepper *s, Interpreter *in, const char *rest);

static const struct {
    const char *name;
    bool (*perform)(Stepper *s, Interpreter *in, const char *rest);
    const char *meaning;
} step_commands[] = {
    // where a short form fits several, the first counts
    {"step", do_step,
     "[N]: execute an item, or N of them, also those of functions that are called"},
    {"next", do_next, "execute an item with all that it calls"},
    {"finish", do_finish, "go on until this function has returned"},
    {"continue", do_continue, "go on until a breakpoint"},
    {"break", do_break,
     "LINE, FILE:LINE, FUNCTION, FUNCTION@ITEM, @ITEM [if REG OP NUMBER]: stop there"},
    {"delete", do_delete, "[N]: no longer stop at breakpoint N, or at any"},
    {"list", do_list, "the source and the form around"},
    {"regs", do_regs, "the registers that have values"},
    {"print", do_print, "REG or VARIABLE: its value"},
    {"mem", do_mem, "ADDRESS, REG or VARIABLE [N]: the bytes there; -- are undefined"},
    {"stack", do_stack, "the calls (also: bt)"},
    {"up", do_up, "[N]: look at the caller"},
    {"down", do_down, "[N]: look at what it called"},
    {"events", do_events, "[N]: the last events, what the world outside has seen"},
    {"back", do_back, "[N]: go back an item, or N of them"},
    {"until", do_until, "ITEM: go on until that one of this function"},
    {"help", do_help, "this list; short forms will do, and an empty line does the last again"},
    {"quit", do_quit, "end the run here"},
    {"bt", do_stack, NULL},
};

static bool do_help(Stepper *s, Interpreter *in, const char *rest) {
    (void)in, (void)rest;
    for (size_t i = 0; i < sizeof step_commands / sizeof step_commands[0]; i++)
        if (step_commands[i].meaning)
            say(s, "  %-9s %s\n", step_commands[i].name, step_commands[i].meaning);
    return false;
}

// One line; whether the run goes on.
static bool perform(Stepper *s, Interpreter *in, const char *line) {
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");
    for (size_t i = 0; length && i < sizeof step_commands / sizeof step_commands[0]; i++)
        if (strncmp(step_commands[i].name, line, length) == 0)
            return step_commands[i].perform(s, in, rest);
    say(s, "there is no command '%.*s'; help lists them\n", (int)length, line);
    return false;
}

// Asks until the run is to go on. If there are no more commands, it goes on to its end.
static void ask(Stepper *s, Interpreter *in) {
    char line[sizeof s->last];
    for (bool goes_on = false; !goes_on && !s->leaves;) {
        if (s->options->prompts) say(s, "(gate) ");
        fflush(s->options->to);
        if (!fgets(line, sizeof line, s->options->commands)) {
            if (s->options->prompts) say(s, "\n");
            s->go = GO_END;
            return;
        }
        char *text = line + strspn(line, " \t");
        text[strcspn(text, "\r\n")] = '\0';
        for (size_t end = strlen(text); end && isspace((unsigned char)text[end - 1]);)
            text[--end] = '\0';
        if (*text) memmove(s->last, text, strlen(text) + 1);
        if (*s->last) goes_on = perform(s, in, s->last);
    }
}

// ---- The run

static void show_output(Stepper *s, const Interpreter *in) {
    const Out *output = &in->world.result->output;
    if (output->length > s->shown_output) {
        fwrite(output->text + s->shown_output, 1, output->length - s->shown_output, stdout);
        fflush(stdout);
        s->shown_output = output->length;
    }
}

static bool is_due(Stepper *s, const Interpreter *in, const WatchItem *item) {
    switch (s->go) {
    case GO_BACK: return s->count >= s->target;
    case GO_END: return false;
    case GO_ITEMS:
        if (s->count >= s->target) return true;
        break;
    case GO_NEXT:
        if (item->depth <= s->depth) return true;
        break;
    case GO_FINISH:
        if (item->depth < s->depth) return true;
        break;
    case GO_CONTINUE: break;
    }
    return at_breakpoint(s, in, item);
}

static bool step_due(void *context, Interpreter *in, const WatchItem *item) {
    Stepper *s = context;
    s->count++;
    s->due = *item;
    bool stops = is_due(s, in, item);
    s->entered = false;
    if (!stops) return true;
    s->selected = 0;
    show_output(s, in);
    Out out = {0};
    step_show_stop(s, &out, in);
    show(s, &out);
    ask(s, in);
    return !s->leaves;
}

static void step_done(void *context, Interpreter *in, const WatchItem *item) {
    Stepper *s = context;
    (void)in;
    s->done = *item;
    s->has_done = true;
}

static void step_entered(void *context, Interpreter *in) {
    (void)in;
    ((Stepper *)context)->entered = true;
}

static bool observe_step(void *context, Interpreter *in) {
    return watch_items_step(((Stepper *)context)->items, in);
}

static bool observe_value(void *context, Interpreter *in, uint32_t which) {
    return watch_items_value(((Stepper *)context)->items, in, which);
}

static void observe_event(void *context, const char *text, size_t length) {
    Stepper *s = context;
    vec_push(s->options->arena, &s->events, arena_text(s->options->arena, text, length));
}

// What the run has left can be looked at, if it did not end as asked.
static void observe_end(void *context, Interpreter *in) {
    Stepper *s = context;
    const RunObserver *other = s->run->observer;
    watch_items_end(s->items, in);
    show_output(s, in);
    if (other && other->end && !s->again) other->end(other->context, in);
    if (s->leaves || s->go == GO_END) return;
    Out out = {0};
    s->over = true;
    s->selected = 0;
    out_text(&out, "the program has ended: ");
    behaviour_print(&out, s->program, &in->world.result->behaviour);
    out_char(&out, '\n');
    show(s, &out);
    ask(s, in);
}

// The state before the first item. Breakpoints stay, and so does what was asked for.
static void start(Stepper *s, const Stepper *before) {
    *s = (Stepper){.options = before->options,
                   .run = before->run,
                   .program = before->program,
                   .texts = before->texts,
                   .go = before->go,
                   .target = before->target,
                   .shown_output = before->shown_output,
                   .breaks = {.at = before->breaks.at,
                              .count = before->breaks.count,
                              .capacity = before->breaks.capacity}};
    memcpy(s->last, before->last, sizeof s->last);
    WatchHooks hooks = {.due = step_due, .done = step_done, .entered = step_entered, .context = s};
    s->items = watch_items_new(s->options->arena, &hooks);
}

void step_run(const StepOptions *options, const Program *program, int argc, char **argv,
              const RunOptions *run, RunResult *result) {
    Stepper before = {.options = options,
                      .run = run,
                      .program = program,
                      .texts = watch_texts_new(options->arena),
                      .go = GO_ITEMS,
                      .target = 1},
            stepper = {.again = true}, *s = &stepper;
    while (s->again) {
        start(s, &before);
        RunObserver observer = {.step = observe_step,
                                .value = observe_value,
                                .event = observe_event,
                                .end = observe_end,
                                .context = s};
        RunOptions how = *run;
        how.observer = &observer;
        how.capture = true;
        how.no_input = !options->input;
        if (options->input) rewind(stdin);
        rtl_run(options->arena, program, argc, argv, &how, result);
        out_free(&result->output);
        before = *s;
    }
}
