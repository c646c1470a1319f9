// Held versions of memory: how their contents are kept, found and freed.
//
// Time is a clock that ticks when an object is born or dies and when a version is held; a version
// is the memory at its tick. Before a line of an object changes for the first time since the newest
// version, its bytes are kept in a record, with the present clock: the bytes were so *until* then.
// The records of a line in their order are its history. At a version, the line is the first record
// whose time is not before the version's; if there is no such record, the line is in the object.
// Objects that died are kept in the same way in the histories of their windows.
//
// Several versions may need a record. It belongs to the newest of them: the newest version that was
// held up to the record's time. When that version is released, its records go to the previous held
// version, which needs a record unless the line has an older record for it. Only lists describe
// this ownership, and two lists become one at once: the records that both have must be found and
// freed, and for that the shorter list is walked. So each record is visited at most a logarithmic
// number of times.
#include "run/world/memory_private.h"

#include <stdlib.h>

enum { LINE_BITS = 6, LINE_SIZE = 1 << LINE_BITS, SLOTS_PER_RECORD = 4 };
// What is not given back, because it is usual that one version is held for one write, again and
// again.
enum { SPARE_LINES = 16, SPARE_SLOTS = 8 };

typedef struct LineRecord {
    struct LineRecord *previous, *next; // of the version, in a ring
    struct LineRecord *older, *newer;   // of the line
    MemoryLine *line;
    uint64_t until;
    uint8_t size;
    bool masked;
} LineRecord;

// What stands behind a record: data, then masks if it has any.
static uint8_t *record_bytes(const LineRecord *record) {
    return (uint8_t *)(record + 1);
}

// A part of an object of which something is kept.
struct MemoryLine {
    MemoryLine *next; // of the same hash
    Window *window;
    uint64_t life, index;  // when its object was born; where the line starts, in lines
    MemoryHistory history; // of records
    LineRecord *newest;
};

// An object that died, with what it had.
typedef struct PastObject {
    struct PastObject *next; // of the version
    Object object;
    Window *window;
    uint8_t *buffer;
    uint64_t born, until;
} PastObject;

struct MemoryVersion {
    MemoryVersion *older, *newer; // that are held
    uint64_t number;              // the tick of the clock
    uint64_t lives;               // of the memory, when it was held
    uint64_t holds;
    LineRecord records; // the ring's start
    uint64_t record_count;
    PastObject *endings;
};

// ---- Histories

// The first slot that is not before a time; the count if there is none.
static uint64_t history_search(Memory *memory, const MemoryHistory *history, uint64_t time) {
    uint64_t low = 0, high = history->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        memory->costs.work++;
        if (history->slots[middle].until < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void *memory_history_at(Memory *memory, const MemoryHistory *history, uint64_t time) {
    uint64_t i = history_search(memory, history, time);
    return i < history->count ? history->slots[i].what : NULL;
}

static void history_add(Memory *memory, MemoryHistory *history, uint64_t until, void *what) {
    memory->costs.slots++;
    if (history->count == history->capacity) {
        history->capacity = history->capacity ? 2 * history->capacity : 2;
        history->slots =
            xrealloc(history->slots, size_mul(history->capacity, sizeof *history->slots));
    }
    history->slots[history->count++] = (HistorySlot){.until = until, .what = what};
}

void memory_history_free(MemoryHistory *history) {
    free(history->slots);
    *history = (MemoryHistory){0};
}

// An empty slot does no harm: no version that is held lies in its time. What is empty at the end
// goes at once, the rest when it is more than half.
static void history_drop(Memory *memory, MemoryHistory *history, uint64_t until) {
    history->slots[history_search(memory, history, until)].what = NULL;
    history->empty++;
    while (history->count && !history->slots[history->count - 1].what) {
        history->count--;
        history->empty--;
        memory->costs.slots--;
    }
    if (!history->count) memory_history_free(history);
    if (2 * history->empty <= history->count) return;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < history->count; i++)
        if (history->slots[i].what) history->slots[kept++] = history->slots[i];
    memory->costs.work += history->count;
    memory->costs.slots -= history->empty;
    history->count = kept;
    history->empty = 0;
}

// ---- Lines

static MemoryLine **line_list(const Memory *memory, uint64_t life, uint64_t index) {
    uint64_t hash = (life * 0x9e3779b97f4a7c15 + index) * 0xbf58476d1ce4e5b9;
    return &memory->lines[(hash ^ hash >> 32) & (memory->line_room - 1)];
}

static MemoryLine *find_line(const Memory *memory, uint64_t life, uint64_t index) {
    if (!memory->line_room) return NULL;
    MemoryLine *line = *line_list(memory, life, index);
    while (line && (line->life != life || line->index != index)) line = line->next;
    return line;
}

static void grow_lines(Memory *memory) {
    MemoryLine **old = memory->lines;
    uint64_t room = memory->line_room;
    memory->line_room = room ? 2 * room : SPARE_LINES;
    uint64_t bytes = size_mul(memory->line_room, sizeof(MemoryLine *));
    memory->lines = memset(xmalloc(bytes), 0, bytes);
    for (uint64_t i = 0; i < room; i++)
        for (MemoryLine *line = old[i], *next; line; line = next) {
            MemoryLine **list = line_list(memory, line->life, line->index);
            next = line->next;
            line->next = *list;
            *list = line;
        }
    free(old);
}

// What a line and its places in the table count under the limit.
static const uint64_t LINE_CHARGE = sizeof(MemoryLine) + 4 * sizeof(MemoryLine *);

static MemoryLine *add_line(Memory *memory, Window *window, uint64_t index) {
    if (!memory_charge(memory, LINE_CHARGE)) return NULL;
    if (memory->line_count == memory->line_room) grow_lines(memory);
    MemoryLine **list = line_list(memory, window->born, index), *line = memory->spare_line;
    MemoryHistory history = line ? line->history : (MemoryHistory){0};
    if (!line) line = xmalloc(sizeof *line);
    memory->spare_line = NULL;
    *line = (MemoryLine){
        .next = *list, .window = window, .life = window->born, .index = index, .history = history};
    *list = line;
    memory->line_count++;
    return line;
}

static void free_line(Memory *memory, MemoryLine *line) {
    MemoryLine **list = line_list(memory, line->life, line->index);
    while (*list != line) list = &(*list)->next;
    *list = line->next;
    memory_discharge(memory, LINE_CHARGE);
    memory->costs.slots -= line->history.count;
    if (!memory->spare_line && line->history.capacity <= SPARE_SLOTS) {
        line->history.count = line->history.empty = 0;
        memory->spare_line = line;
    } else {
        memory_history_free(&line->history);
        free(line);
    }
    if (--memory->line_count || memory->line_room <= SPARE_LINES) return;
    free(memory->lines);
    memory->lines = NULL;
    memory->line_room = 0;
}

// ---- Records

static uint64_t record_charge(uint64_t size, bool masked) {
    return sizeof(LineRecord) + (masked ? 2 * size : size) + SLOTS_PER_RECORD * sizeof(HistorySlot);
}

static void add_record(Memory *memory, MemoryLine *line, const Object *object, uint64_t size) {
    MemoryVersion *version = memory->newest;
    bool masked = object->undef;
    uint64_t offset = line->index << LINE_BITS;
    LineRecord *record = xmalloc(sizeof *record + (masked ? 2 * size : size));
    *record = (LineRecord){.previous = version->records.previous,
                           .next = &version->records,
                           .older = line->newest,
                           .line = line,
                           .until = memory->clock,
                           .size = (uint8_t)size,
                           .masked = masked};
    memcpy(record_bytes(record), object->data + offset, size);
    if (masked) memcpy(record_bytes(record) + size, object->undef + offset, size);
    record->previous->next = record->next->previous = record;
    if (line->newest) line->newest->newer = record;
    line->newest = record;
    history_add(memory, &line->history, record->until, record);
    version->record_count++;
    memory->costs.records++;
    memory->costs.work++;
}

// The version's count is the caller's affair.
static void free_record(Memory *memory, LineRecord *record) {
    MemoryLine *line = record->line;
    record->previous->next = record->next;
    record->next->previous = record->previous;
    if (record->older) record->older->newer = record->newer;
    if (record->newer)
        record->newer->older = record->older;
    else
        line->newest = record->older;
    if (line->newest)
        history_drop(memory, &line->history, record->until);
    else
        free_line(memory, line);
    memory_discharge(memory, record_charge(record->size, record->masked));
    free(record);
    memory->costs.records--;
    memory->costs.work++;
}

static bool keep_line(Memory *memory, Window *window, uint64_t index) {
    const Object *object = &window->object;
    MemoryLine *line = find_line(memory, window->born, index);
    if (line && line->newest->until >= memory->newest->number) return true;
    uint64_t rest = object->size - (index << LINE_BITS);
    uint64_t size = rest < LINE_SIZE ? rest : LINE_SIZE;
    uint64_t charge = record_charge(size, object->undef);
    if (!memory_charge(memory, charge)) return false;
    if (!line) line = add_line(memory, window, index);
    if (line)
        add_record(memory, line, object, size);
    else
        memory_discharge(memory, charge);
    return line;
}

bool versions_keep(Memory *memory, Window *window, uint64_t offset, uint64_t size) {
    if (!size || window->born >= memory->newest->number) return true;
    uint64_t last = (offset + size - 1) >> LINE_BITS;
    for (uint64_t index = offset >> LINE_BITS; index <= last; index++)
        if (!keep_line(memory, window, index)) return false;
    return true;
}

// ---- Lives

static uint64_t ending_charge(const Memory *memory, const Object *object) {
    return sizeof(PastObject) + sizeof(MemoryHistory) + SLOTS_PER_RECORD * sizeof(HistorySlot) +
           memory_buffer_size(memory, object->address);
}

// A death cannot be refused: it is counted, and what comes after it will be.
bool versions_keep_life(Memory *memory, Window *window) {
    MemoryVersion *version = memory->newest;
    if (window->born >= version->number) return false;
    PastObject *ending = xmalloc(sizeof *ending);
    *ending = (PastObject){.next = version->endings,
                           .object = window->object,
                           .window = window,
                           .buffer = window->buffer,
                           .born = window->born,
                           .until = memory->clock};
    version->endings = ending;
    window->buffer = NULL;
    if (!window->endings)
        window->endings = memset(xmalloc(sizeof(MemoryHistory)), 0, sizeof(MemoryHistory));
    history_add(memory, window->endings, ending->until, ending);
    memory->charged += ending_charge(memory, &ending->object);
    memory->costs.lives++;
    memory->costs.work++;
    return true;
}

// A buffer goes back to its window, if that did not need another in the meantime.
static void free_ending(Memory *memory, PastObject *ending) {
    history_drop(memory, ending->window->endings, ending->until);
    if (!ending->window->endings->count) {
        free(ending->window->endings);
        ending->window->endings = NULL;
    }
    memory_discharge(memory, ending_charge(memory, &ending->object));
    if (!ending->buffer) {
        free(ending->object.data);
        free(ending->object.undef);
        memory_discharge(memory, 2 * ending->object.size);
    } else if (ending->window->buffer) {
        free(ending->buffer);
    } else {
        ending->window->buffer = ending->buffer;
    }
    free(ending);
    memory->costs.lives--;
    memory->costs.work++;
}

// ---- Versions

MemoryVersion *memory_hold(Memory *memory) {
    MemoryVersion *newest = memory->newest;
    if (newest && !newest->record_count && newest->lives == memory->lives) {
        newest->holds++;
        return newest;
    }
    if (!memory_charge(memory, sizeof *newest)) return NULL;
    MemoryVersion *version = memory->spare_version;
    if (!version) version = xmalloc(sizeof *version);
    memory->spare_version = NULL;
    *version = (MemoryVersion){
        .older = newest, .number = ++memory->clock, .lives = memory->lives, .holds = 1};
    version->records.previous = version->records.next = &version->records;
    if (newest) newest->newer = version;
    memory->newest = version;
    memory->costs.versions++;
    return version;
}

static void free_records(Memory *memory, MemoryVersion *version) {
    while (version->records.next != &version->records) free_record(memory, version->records.next);
    version->record_count = 0;
}

// Frees the records of a version of whose lines the version before it has older ones.
static void free_doubles(Memory *memory, MemoryVersion *version) {
    MemoryVersion *older = version->older;
    bool mine = version->record_count <= older->record_count;
    LineRecord *ring = mine ? &version->records : &older->records;
    for (LineRecord *record = ring->next, *next; record != ring; record = next) {
        next = record->next;
        memory->costs.work++;
        LineRecord *last = mine ? record : record->newer;
        if (!last || !last->older || last->older->until < older->number) continue;
        if (version->newer && last->until >= version->newer->number) continue;
        free_record(memory, last);
        version->record_count--;
    }
}

static void give_records(MemoryVersion *version) {
    MemoryVersion *older = version->older;
    if (!version->record_count) return;
    LineRecord *first = version->records.next, *last = version->records.previous;
    first->previous = older->records.previous;
    last->next = &older->records;
    first->previous->next = first;
    older->records.previous = last;
    older->record_count += version->record_count;
}

static void give_endings(Memory *memory, MemoryVersion *version) {
    MemoryVersion *older = version->older;
    for (PastObject *ending = version->endings, *next; ending; ending = next) {
        next = ending->next;
        memory->costs.work++;
        if (!older || ending->born >= older->number) {
            free_ending(memory, ending);
        } else {
            ending->next = older->endings;
            older->endings = ending;
        }
    }
}

void memory_release(Memory *memory, MemoryVersion *version) {
    if (--version->holds) return;
    if (version->older) {
        free_doubles(memory, version);
        give_records(version);
    } else {
        free_records(memory, version);
    }
    give_endings(memory, version);
    if (version->older) version->older->newer = version->newer;
    if (version->newer)
        version->newer->older = version->older;
    else
        memory->newest = version->older;
    memory_discharge(memory, sizeof *version);
    memory->costs.versions--;
    free(memory->spare_version);
    memory->spare_version = version;
}

void versions_free(Memory *memory) {
    MemoryVersion *oldest = memory->newest, *newer;
    while (oldest && oldest->older) oldest = oldest->older;
    for (; oldest; oldest = newer) {
        newer = oldest->newer;
        oldest->holds = 1;
        memory_release(memory, oldest);
    }
    free(memory->spare_version);
    free(memory->lines);
    if (memory->spare_line) memory_history_free(&memory->spare_line->history);
    free(memory->spare_line);
}

MemoryVersionCosts memory_version_costs(const Memory *memory) {
    return memory->costs;
}

// ---- Reads

// An object at a version.
typedef struct {
    const Object *object; // NULL if no object of the window lives there
    uint64_t life;
} Life;

static Life find_life(Memory *memory, const MemoryVersion *version, uint64_t address) {
    const Window *window = (const Window *)memory_find(memory, address);
    if (!window) return (Life){0};
    if (window->object.live && window->born < version->number)
        return (Life){.object = &window->object, .life = window->born};
    const PastObject *ending =
        window->endings ? memory_history_at(memory, window->endings, version->number) : NULL;
    if (!ending || ending->born >= version->number) return (Life){0};
    return (Life){.object = &ending->object, .life = ending->born};
}

static void read_line(Memory *memory, const MemoryVersion *version, Life life, uint64_t offset,
                      uint64_t size, uint8_t *data, uint8_t *undef) {
    const Object *object = life.object;
    const MemoryLine *line = find_line(memory, life.life, offset >> LINE_BITS);
    const LineRecord *record =
        line ? memory_history_at(memory, &line->history, version->number) : NULL;
    uint64_t start = record ? offset & (LINE_SIZE - 1) : offset;
    const uint8_t *from = record ? record_bytes(record) : object->data, *masks = object->undef;
    if (record) masks = record->masked ? record_bytes(record) + record->size : NULL;
    memcpy(data, from + start, size);
    if (masks)
        memcpy(undef, masks + start, size);
    else
        memset(undef, 0, size);
}

bool memory_read_at(Memory *memory, const MemoryVersion *version, uint64_t address, uint64_t size,
                    uint8_t *data, uint8_t *undef) {
    Life life = find_life(memory, version, address);
    if (!life.object) return false;
    uint64_t offset = address - life.object->address;
    if (offset > life.object->size || size > life.object->size - offset) return false;
    for (uint64_t done = 0, part; done < size; done += part) {
        uint64_t rest = LINE_SIZE - ((offset + done) & (LINE_SIZE - 1));
        part = size - done < rest ? size - done : rest;
        read_line(memory, version, life, offset + done, part, data + done, undef + done);
    }
    return true;
}

bool memory_load_at(Memory *memory, const MemoryVersion *version, Chunk chunk, uint64_t address,
                    Value *value) {
    uint8_t data[LINE_SIZE], undef[LINE_SIZE];
    if (!memory_read_at(memory, version, address, chunk_size(chunk), data, undef)) return false;
    *value = memory_chunk_value(chunk, data, undef);
    return true;
}

// If nothing lives there, the window has had an object at the version or it has not: then it is as
// if there were none.
const char *memory_reason_at(Memory *memory, const MemoryVersion *version, Arena *arena,
                             uint64_t address, uint64_t size) {
    Object *present = memory_find(memory, address);
    const Object *object = find_life(memory, version, address).object;
    if (!object && present && !present->live && ((Window *)present)->born < version->number)
        object = present;
    return memory_reason_of(arena, object, address, size, false);
}
