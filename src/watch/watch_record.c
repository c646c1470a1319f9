#include "watch/watch_record.h"

#include "watch/watch_items.h"

enum { FUEL_PER_ITEM = 200, RECORD_MEMORY = 256 << 20 };

typedef struct {
    Arena *arena;
    RunRecord *record;
    uint32_t limit;
    StrTable texts; // of values
    WatchItems *items;
    uint64_t due;
} Recorder;

// ---- Steps

static uint32_t value_number(Recorder *r, const Interpreter *in, const WatchItem *item) {
    if (item->reg.i == NO_ID) return NO_ID;
    Out text = {0};
    watch_print_value(&text, &in->world, item->type, item->value);
    out_char(&text, '\0');
    Str known = str_of(&r->texts, text.text);
    out_free(&text);
    if (!known.i) return NO_ID;
    while (r->record->values.count < known.i) {
        const char *next = str_text(&r->texts, (Str){r->record->values.count + 1});
        vec_push(r->arena, &r->record->values, next);
    }
    return known.i - 1;
}

static void record_done(void *context, Interpreter *in, const WatchItem *item) {
    Recorder *r = context;
    RunRecord *record = r->record;
    RecordStep step = {.func = item->func, .item = item->item, .value = value_number(r, in, item)};
    vec_push(r->arena, &record->steps, step);
    RecordDepth *last = record->depths.count ? &record->depths.at[record->depths.count - 1] : NULL;
    if (last && last->depth == item->depth)
        last->count++;
    else
        vec_push(r->arena, &record->depths, (RecordDepth){.depth = item->depth, .count = 1});
}

static bool record_due(void *context, Interpreter *in, const WatchItem *item) {
    Recorder *r = context;
    (void)in, (void)item;
    return r->due++ < r->limit && r->record->steps.count < 2 * (uint64_t)r->limit;
}

static void record_event(void *context, const char *text, size_t length) {
    Recorder *r = context;
    enum { MOST_EVENT_BYTES = 400 };
    if (length > MOST_EVENT_BYTES) length = MOST_EVENT_BYTES;
    RecordEvent event = {.step = r->record->steps.count,
                         .text = arena_text(r->arena, text, length)};
    vec_push(r->arena, &r->record->events, event);
}

// ---- Runs

static bool record_step(void *context, Interpreter *in) {
    return watch_items_step(((Recorder *)context)->items, in);
}

static bool record_value(void *context, Interpreter *in, uint32_t which) {
    return watch_items_value(((Recorder *)context)->items, in, which);
}

static void record_end(void *context, Interpreter *in) {
    watch_items_end(((Recorder *)context)->items, in);
}

void watch_record(Arena *arena, const Program *program, int argc, char **argv, uint32_t limit,
                  RunRecord *record) {
    *record = (RunRecord){0};
    Recorder recorder = {.arena = arena, .record = record, .limit = limit}, *r = &recorder;
    str_init(&r->texts, arena);
    r->items =
        watch_items_new(arena, &(WatchHooks){.due = record_due, .done = record_done, .context = r});
    RunObserver observer = {.step = record_step,
                            .value = record_value,
                            .event = record_event,
                            .end = record_end,
                            .context = r};
    RunOptions options = {.fuel = FUEL_PER_ITEM * (uint64_t)limit + 1,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .memory_limit = RECORD_MEMORY,
                          .observer = &observer};
    RunResult result = {0};
    rtl_run(arena, program, argc, argv, &options, &result);
    out_free(&result.output);
    out_free(&result.errors);
    record->cut = result.behaviour.end == END_FUEL;
    Out end = {0};
    if (record->cut)
        out_text(&end, "cut off");
    else
        behaviour_print(&end, program, &result.behaviour);
    record->end = arena_text(arena, end.text, end.length);
    out_free(&end);
}
