// The debugger: when the run stops, and what the answers mean.
#include "watch/step_private.h"

#include "form/mach.h"
#include "run/world/externals.h"

#include <ctype.h>
#include <errno.h>
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

// -1, 0 or 1; 2 if it is not a number.
static int compare_with(Value value, Type type, int64_t wanted) {
    if (type == TYPE_F32 || type == TYPE_F64 || type == TYPE_F80) {
        long double found = type == TYPE_F32   ? (long double)as_f32(value)
                            : type == TYPE_F64 ? (long double)as_f64(value)
                                               : as_f80(value);
        long double number = (long double)wanted;
        return found < number ? -1 : found > number ? 1 : found == number ? 0 : 2;
    }
    int64_t found = type == TYPE_I32 ? (int32_t)as_i32(value) : (int64_t)as_i64(value);
    return (found > wanted) - (found < wanted);
}

static bool holds(const StepBreak *at, const Interpreter *in) {
    if (at->compare == COMPARE_NONE) return true;
    const CallFrame *frame = top_frame(in);
    Reg reg = step_register(frame, at->reg);
    if (reg.i == NO_ID || frame->regs[reg.i].undef || !step_is_known(frame, reg.i)) return false;
    int order = compare_with(frame->regs[reg.i], reg_type(frame->code->func, reg), at->value);
    switch (at->compare) {
    case COMPARE_EQ: return order == 0;
    case COMPARE_NE: return order != 0;
    case COMPARE_LT: return order == -1;
    case COMPARE_LE: return order == -1 || order == 0;
    case COMPARE_GT: return order == 1;
    case COMPARE_GE: return order == 1 || order == 0;
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

// The function of the source that a location is in; NO_SYM if that is not known.
static Sym owner_of(const Stepper *s, uint32_t loc) {
    const WatchSource *source = s->options->source;
    return source && loc && loc < source->count ? source->owner[loc] : NO_SYM;
}

// Whether a function begins that was inlined into the one that the item is in: what this call did
// before belonged to another.
static bool begins_inlined(const Stepper *s, const StepBreak *at, const WatchItem *item) {
    if (at->symbol.i == NO_ID || item->func->symbol.i == at->symbol.i ||
        owner_of(s, item->loc).i != at->symbol.i)
        return false;
    return s->owners.count < item->depth || s->owners.at[item->depth - 1].i != at->symbol.i;
}

static void note_owner(Stepper *s, const WatchItem *item) {
    Sym owner = owner_of(s, item->loc);
    if (s->entered && s->owners.count >= item->depth) s->owners.count = item->depth - 1;
    while (s->owners.count < item->depth) vec_push(s->options->arena, &s->owners, NO_SYM);
    s->owners.count = item->depth;
    if (owner.i != NO_ID) s->owners.at[item->depth - 1] = owner;
}

static bool is_at(const Stepper *s, const StepBreak *at, const WatchItem *item) {
    char label[32];
    if (begins_inlined(s, at, item)) return true;
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
        bool inlined = begins_inlined(s, at, item);
        if (!stops && !at->once)
            say(s, "breakpoint %u: %s%s%s\n", i + 1, at->text, inlined ? ", inlined into " : "",
                inlined ? func_name(item->func) : "");
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
    errno = 0;
    at->value = strtoll(value, &end, 0);
    if (errno || sscanf(text, "%*s %*s %*s %1s", op) == 1) return false;
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

static bool has_items_of(const Stepper *s, const Func *func, Sym owner) {
    const FuncItems *items = watch_func_items(s->texts, func);
    for (uint32_t i = 0; i < items->count; i++)
        if (owner_of(s, item_loc(func, &items->at[i])).i == owner.i) return true;
    return false;
}

// A function by its name, as the source has it or the form; into which ones it was inlined is said.
static bool find_function(Stepper *s, StepBreak *at) {
    enum { MOST_NAMED = 3 };
    const Program *program = s->program;
    uint32_t count = 0;
    Out text = {0};
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (strcmp(program_text(program, program->symbols.at[i].name), at->function) == 0)
            at->symbol = (Sym){i};
    for (uint32_t i = 0; at->symbol.i != NO_ID && i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func || i == at->symbol.i || !has_items_of(s, func, at->symbol)) continue;
        if (count++ < MOST_NAMED)
            out_printf(&text, "%s%s", count == 1 ? "" : ", ", func_name(func));
    }
    if (count)
        say(s, "%s was inlined into %.*s%s\n", at->function, (int)text.length, text.text,
            count > MOST_NAMED ? " and others" : "");
    out_free(&text);
    if (count || has_function(program, at->function)) return true;
    say(s, at->symbol.i == NO_ID ? "there is no function '%s'\n" : "nothing is left of '%s'\n",
        at->function);
    return false;
}

// A line; one that is too large for a number is none of any file.
static uint32_t line_number(const char *text) {
    unsigned long long line = strtoull(text, NULL, 10);
    return line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
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
            at->line = line_number(place);
        else
            at->site = place;
        return true;
    }
    if (colon && is_number(colon + 1)) {
        at->file = arena_text(arena, place, (size_t)(colon - place));
        at->line = line_number(colon + 1);
        return true;
    }
    at->function = place;
    return find_function(s, at);
}

static bool line_is_known(const Stepper *s, const StepBreak *at) {
    for (uint32_t loc = 1; loc < s->program->locs.count; loc++)
        if (on_line(s, at, loc)) return true;
    return false;
}

// Whether an item can be at the place.
static bool func_has_place(const Stepper *s, const StepBreak *at, const Func *func) {
    char label[32];
    if (at->function && strcmp(func_name(func), at->function) != 0) return false;
    const FuncItems *items = watch_func_items(s->texts, func);
    for (uint32_t i = 0; i < items->count; i++) {
        watch_label(label, sizeof label, func, &items->at[i]);
        if (at->line ? on_line(s, at, item_loc(func, &items->at[i])) : !strcmp(label, at->site))
            return true;
    }
    return false;
}

// Says so if nothing of the program is at a line or item.
static bool place_exists(const Stepper *s, const StepBreak *at) {
    if (!at->line && !at->site) return true;
    bool known = !at->line || line_is_known(s, at);
    for (uint32_t i = 0; known && i < s->program->symbols.count; i++)
        if (s->program->symbols.at[i].func && func_has_place(s, at, s->program->symbols.at[i].func))
            return true;
    say(s, at->line && known ? "nothing is left of %s\n" : "nothing is at %s\n", at->text);
    return false;
}

static void list_breaks(const Stepper *s) {
    for (uint32_t i = 0; i < s->breaks.count; i++)
        if (!s->breaks.at[i].gone)
            say(s, "  %u: %s, reached %llu times\n", i + 1, s->breaks.at[i].text,
                (unsigned long long)s->breaks.at[i].hits);
}

static bool set_break(Stepper *s, const char *rest) {
    size_t end = strcspn(rest, " \t");
    if (!end) {
        list_breaks(s);
        return false;
    }
    StepBreak at = {.text = arena_text(s->options->arena, rest, strlen(rest)), .symbol = NO_SYM};
    const char *condition = rest + end + strspn(rest + end, " \t");
    bool good = parse_place(s, &at, arena_text(s->options->arena, rest, end));
    if (good && *condition)
        good = strncmp(condition, "if ", 3) == 0 && parse_break_condition(s, &at, condition + 3);
    if (!good) {
        say(s, "break LINE, FILE:LINE, FUNCTION, FUNCTION@ITEM or @ITEM, perhaps with: if REG OP "
               "NUMBER\n");
        return false;
    }
    if (!place_exists(s, &at)) return false;
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

// How many: what is written, or `otherwise` if nothing is. False, and said so, if it is no number.
static bool parse_count(const Stepper *s, const char *rest, uint64_t otherwise, uint64_t *count) {
    enum { MOST_BITS = 62 }; // sums do not overflow
    *count = *rest ? strtoull(rest, NULL, 10) : otherwise;
    if (*count >> MOST_BITS) *count = UINT64_C(1) << MOST_BITS;
    if (!*rest || is_number(rest)) return true;
    say(s, "'%s' is no number\n", rest);
    return false;
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
    uint64_t count;
    return parse_count(s, rest, 1, &count) && go(s, GO_ITEMS, s->count + count);
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
    size_t end = strcspn(rest, " \t");
    uint64_t count;
    if (!end)
        out_text(&out, "mem ADDRESS, REG or VARIABLE, and perhaps how many bytes\n");
    else if (parse_count(s, rest + end + strspn(rest + end, " \t"), 0, &count))
        step_show_memory(s, &out, in, arena_text(s->options->arena, rest, end), count);
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
    uint64_t count;
    return parse_count(s, rest, 1, &count) && select_frame(s, in, (int64_t)count);
}

static bool do_down(Stepper *s, Interpreter *in, const char *rest) {
    uint64_t count;
    return parse_count(s, rest, 1, &count) && select_frame(s, in, -(int64_t)count);
}

static bool do_events(Stepper *s, Interpreter *in, const char *rest) {
    (void)in;
    uint64_t most;
    uint32_t count = s->events.count;
    if (!parse_count(s, rest, 20, &most)) return false;
    for (uint32_t i = count > most ? count - (uint32_t)most : 0; i < count; i++)
        say(s, "  %u: %s\n", i + 1, s->events.at[i]);
    return false;
}

// A file that was opened cannot be made what it was.
static bool do_back(Stepper *s, Interpreter *in, const char *rest) {
    uint64_t by, now = s->count + s->over;
    if (!parse_count(s, rest, 1, &by)) return false;
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
    if (!*rest || s->over) {
        say(s, "until ITEM: the label of one in this function\n");
        return false;
    }
    bool bare = *rest != '@' && !isalpha((unsigned char)*rest);
    const char *place = arena_printf(s->options->arena, "%s%s", bare ? "@" : "", rest);
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
    char *line = NULL;
    size_t room = 0;
    for (bool goes_on = false; !goes_on && !s->leaves;) {
        if (s->options->prompts) say(s, "(gate) ");
        fflush(s->options->to);
        if (getline(&line, &room, s->options->commands) < 0) {
            if (s->options->prompts) say(s, "\n");
            s->go = GO_END;
            break;
        }
        char *text = line + strspn(line, " \t");
        text[strcspn(text, "\r\n")] = '\0';
        for (size_t end = strlen(text); end && isspace((unsigned char)text[end - 1]);)
            text[--end] = '\0';
        if (*text) s->last = arena_text(s->options->arena, text, strlen(text));
        if (s->last) goes_on = perform(s, in, s->last);
    }
    free(line);
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
    note_owner(s, item);
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

// A function that was inlined may have left nothing that is seen to begin, and a line nothing at
// all.
static void tell_unreached(const Stepper *s) {
    for (uint32_t i = 0; i < s->breaks.count; i++)
        if (!s->breaks.at[i].gone && !s->breaks.at[i].hits)
            say(s, "breakpoint %u, at %s, was not reached\n", i + 1, s->breaks.at[i].text);
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
    tell_unreached(s);
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
                   .last = before->last,
                   .breaks = {.at = before->breaks.at,
                              .count = before->breaks.count,
                              .capacity = before->breaks.capacity}};
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
