// Comparing and printing behaviours.
#include "run/world/run.h"

#include "form/forms.h"

static void print_end(Out *out, const Behaviour *behaviour) {
    switch (behaviour->end) {
    case END_RESULT: out_printf(out, "exit %d", behaviour->status); return;
    case END_ABORT: out_text(out, "abort"); return;
    case END_TRAP: out_text(out, "trap"); break;
    case END_WRONG: out_text(out, "wrong"); break;
    case END_FUEL: out_text(out, "out of fuel"); break;
    }
    if (behaviour->reason) out_printf(out, ": %s", behaviour->reason);
}

void behaviour_print(Out *out, const Program *program, const Behaviour *behaviour) {
    print_end(out, behaviour);
    const Func *func = behaviour->func;
    if (behaviour->end == END_RESULT || !func) return;
    out_printf(out, " in %s", program_text(program, program_at(program, func->symbol)->name));
    if (behaviour->node.i == NO_ID) return;
    out_text(out, " at ");
    func_print_site(out, func, node_site(behaviour->node));
}

static const char *end_text(Arena *arena, const Behaviour *behaviour) {
    Out out = {0};
    print_end(&out, behaviour);
    const char *text = arena_text(arena, out.text, out.length);
    out_free(&out);
    return text;
}

// Whether the trace may be only the beginning of what the program does.
static bool is_cut(const Behaviour *behaviour) {
    return behaviour->end == END_FUEL;
}

static bool same_end(const Behaviour *a, const Behaviour *b) {
    return a->end == b->end && (a->end != END_RESULT || a->status == b->status);
}

bool behaviour_refines(Arena *arena, const Behaviour *before, const Behaviour *after,
                       const char **difference) {
    uint32_t count = before->event_hashes.count, other = after->event_hashes.count;
    uint32_t common = count < other ? count : other;
    for (uint32_t i = 0; i < common; i++)
        if (before->event_hashes.at[i] != after->event_hashes.at[i]) {
            *difference = arena_printf(arena, "event %u differs", i + 1);
            return false;
        }
    // What a behaviour would still have done after running out of fuel, or is free to do after a
    // wrong step, is unknown.
    bool open = is_cut(before) || before->end == END_WRONG;
    if (other < count && !is_cut(after)) {
        *difference = arena_printf(arena, "%u events before, then only %u (%s)", count, other,
                                   end_text(arena, after));
        return false;
    }
    if (other > count && !open) {
        *difference = arena_printf(arena, "%u events (%s) before, then %u", count,
                                   end_text(arena, before), other);
        return false;
    }
    if (open || is_cut(after) || same_end(before, after)) return true;
    *difference = arena_printf(arena, "before: %s; after: %s", end_text(arena, before),
                               end_text(arena, after));
    return false;
}
