#include "watch/trace.h"

static bool is_wanted(const Trace *trace, const Func *func) {
    return !trace->wanted || trace->wanted(trace->wanted_context, func);
}

static void write_line(Trace *trace, Out *line) {
    out_char(line, '\n');
    out_flush(line, trace->to);
    out_free(line);
    trace->lines++;
}

static void print_place(Out *out, const Interpreter *in, uint32_t loc) {
    if (!loc) return;
    out_text(out, "  (");
    watch_print_loc(out, in->program, loc);
    out_char(out, ')');
}

static void trace_done(void *context, Interpreter *in, const WatchItem *item) {
    Trace *trace = context;
    if (!is_wanted(trace, item->func)) return;
    Out line = {0};
    out_printf(&line, "%s ", func_name(item->func));
    watch_print_item(&line, trace->texts, item->func, &item->item);
    if (item->reg.i != NO_ID) {
        out_text(&line, "  = ");
        watch_print_value(&line, &in->world, item->type, item->value);
    }
    print_place(&line, in, item->loc);
    write_line(trace, &line);
}

static void indent(Out *out, uint32_t depth) {
    enum { MOST = 40 };
    for (uint32_t i = 1; i < depth && i < MOST; i++) out_text(out, "  ");
}

static void trace_entered(void *context, Interpreter *in) {
    Trace *trace = context;
    const CallFrame *frame = top_frame(in);
    if (!is_wanted(trace, frame->code->func)) return;
    Out line = {0};
    if (trace->kind == TRACE_CALLS) indent(&line, in->frames.count);
    out_printf(&line, "%s%s (", trace->kind == TRACE_CALLS ? "" : "enter ",
               func_name(frame->code->func));
    watch_print_arguments(&line, in, trace->source, frame);
    out_char(&line, ')');
    if (in->frames.count > 1 && !frame->outermost)
        print_place(&line, in, watch_place(&in->frames.at[in->frames.count - 2]).loc);
    write_line(trace, &line);
}

static void trace_left(void *context, Interpreter *in, const Code *code, uint32_t depth,
                       bool returned) {
    Trace *trace = context;
    if (!is_wanted(trace, code->func)) return;
    Out line = {0};
    const ParamType *type = program_ptype_info(in->program, code->sig->result);
    if (trace->kind == TRACE_CALLS) indent(&line, depth);
    out_printf(&line, "%s%s %s", trace->kind == TRACE_CALLS ? "" : "leave ", func_name(code->func),
               returned ? "returns" : "is left by a jump");
    if (returned && type->type != TYPE_VOID) {
        out_char(&line, ' ');
        watch_print_value(&line, &in->world, type->type, in->result);
    }
    write_line(trace, &line);
}

WatchHooks trace_hooks(Arena *arena, Trace *trace) {
    trace->texts = watch_texts_new(arena);
    return (WatchHooks){.done = trace->kind == TRACE_ALL ? trace_done : NULL,
                        .entered = trace_entered,
                        .left = trace_left,
                        .context = trace};
}
