#include "fact/slice/slice_library.h"

#include "fact/calls.h"

#include <string.h>

// ---- The table

typedef struct {
    const char *name;
    SliceWorldSet reads, may_set;
    int format;    // the argument that is a format, or -1
    bool floating; // it computes with floating-point numbers
} SliceLibraryRow;

enum {
#define SLICE_WORLD(id, name) id = 1 << SLICE_##id,
    SLICE_WORLD_LIST(SLICE_WORLD)
#undef SLICE_WORLD
        NOTHING = 0
};

static const SliceLibraryRow rows[] = {
#define LIBRARY(name, reads, may_set)        {#name, reads, may_set, -1, false},
#define FLOATING(name, reads, may_set)       {#name, reads, may_set, -1, true},
#define FORMAT(name, number, reads, may_set) {#name, reads, may_set, number, true},
#define ACCESSES(name, read, written, returned)
#define SPECIAL(name, trait)
#include "fact/slice/slice_library.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

typedef struct {
    const char *name;
    SliceTrait trait;
} SliceLibrarySpecial;

static const SliceLibrarySpecial specials[] = {
#define LIBRARY(name, reads, may_set)
#define FLOATING(name, reads, may_set)
#define FORMAT(name, number, reads, may_set)
#define ACCESSES(name, read, written, returned)
#define SPECIAL(name, trait) {#name, SLICE_TRAIT_##trait},
#include "fact/slice/slice_library.def"
};
enum { SPECIAL_COUNT = sizeof specials / sizeof *specials };

enum { MOST_ACCESSED = 2 }; // parameters that are addresses, in these rows

typedef struct {
    const char *name;
    uint32_t read, written, returned; // sets of parameters
} SliceLibraryAccesses;

static const SliceLibraryAccesses accesses[] = {
#define LIBRARY(name, reads, may_set)
#define FLOATING(name, reads, may_set)
#define FORMAT(name, number, reads, may_set)
#define ACCESSES(name, read, written, returned) {#name, read, written, returned},
#define SPECIAL(name, trait)
#include "fact/slice/slice_library.def"
};
enum { ACCESSES_COUNT = sizeof accesses / sizeof *accesses };

static uint64_t name_hash(const char *name) {
    return hash_bytes(name, strlen(name));
}

static const SliceLibraryRow *row_of(const SliceLibrary *library, const char *name) {
    uint64_t hash = name_hash(name);
    uint32_t at = table_first(&library->rows, hash), id;
    while ((id = table_id(&library->rows, hash, &at)) != HASH_NONE)
        if (strcmp(rows[id].name, name) == 0) return &rows[id];
    return NULL;
}

static bool has(const SliceLibrary *library, SliceTrait trait) {
    return library->traits >> trait & 1;
}

bool slice_library_effect(const SliceLibrary *library, const char *name, SliceCallEffect *effect,
                          int8_t *format) {
    const SliceLibraryRow *row = row_of(library, name);
    if (!row || has(library, SLICE_TRAIT_HOOKS)) return false;
    SliceWorldSet reads = row->reads, may_set = row->may_set;
    if (has(library, SLICE_TRAIT_STREAMS) && (reads | may_set) & (INPUT | OUTPUT)) {
        reads |= MEMORY;
        may_set |= MEMORY;
    }
    if (has(library, SLICE_TRAIT_BUFFERS) && may_set & OUTPUT) may_set |= INPUT;
    if (has(library, SLICE_TRAIT_FLOATING) && row->floating) {
        reads |= INPUT;
        may_set |= INPUT;
    }
    if (library->errno_by_pointer && (reads | may_set) & ERRNO) {
        reads |= MEMORY;
        may_set |= MEMORY;
    }
    *effect = (SliceCallEffect){.reads = reads, .may_set = may_set};
    *format = (int8_t)row->format;
    return true;
}

bool slice_library_params(Arena *arena, const char *name, SliceParams *params) {
    for (uint32_t i = 0; i < ACCESSES_COUNT; i++) {
        const SliceLibraryAccesses *row = &accesses[i];
        if (strcmp(row->name, name) != 0) continue;
        *params = (SliceParams){ARENA_ARRAY(arena, SliceParam, MOST_ACCESSED), MOST_ACCESSED};
        for (uint32_t k = 0; k < MOST_ACCESSED; k++)
            params->at[k] = (SliceParam){.exposed = !((row->read | row->written) >> k & 1),
                                         .read = row->read >> k & 1,
                                         .written = row->written >> k & 1,
                                         .returned = row->returned >> k & 1};
        return true;
    }
    return false;
}

// ---- Formats

// The demands of a format. Flags, widths and sizes may stand between a % and its letter. A
// conversion that is not known may store something, as %n does, or read errno, as %m does.
static SliceFormatKind conversions_of(const uint8_t *text, uint64_t size) {
    SliceFormatKind kind = SLICE_FORMAT_PLAIN;
    for (uint64_t i = 0; i < size; i++) {
        if (text[i] != '%') continue;
        for (i++; i < size && text[i] && strchr("-+ #0123456789.*'hlLqjzt$I", text[i]); i++) {
        }
        if (i == size || !text[i] || !strchr("diouxXeEfFgGaAcsCSp%", text[i]))
            return SLICE_FORMAT_UNKNOWN;
        if (strchr("sS", text[i])) kind = SLICE_FORMAT_STRINGS;
    }
    return kind;
}

SliceFormatKind slice_format_of(const Func *func, const RegisterValue *value) {
    if (value->op != OP_ADDR_SYMBOL || value->imm) return SLICE_FORMAT_UNKNOWN;
    const Symbol *symbol = program_at(func->program, (Sym){value->ref});
    if (!symbol_is_own_object(symbol) || !(symbol->flags & SYMF_CONST)) return SLICE_FORMAT_UNKNOWN;
    const DataItem *text = symbol->data.at;
    if (symbol->data.count != 1 || text->kind != DATA_BYTES) return SLICE_FORMAT_UNKNOWN;
    return conversions_of(text->bytes, (uint64_t)text->value);
}

// ---- What a program mentions

// The one node that sets each register of a function; NO_ID if several do, or none.
static uint32_t *only_settings(Arena *arena, const Func *func) {
    enum { SEVERAL = NO_ID - 1 };
    uint32_t *set = ARENA_ARRAY(arena, uint32_t, (size_t)func->regs.count + 1);
    for (uint32_t r = 0; r < func->regs.count; r++) set[r] = NO_ID;
    for (uint32_t i = 0; i < func->params.count; i++) set[func->params.at[i].i] = SEVERAL;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Reg dest = func->nodes.at[n].dest;
        if (dest.i != NO_ID) set[dest.i] = set[dest.i] == NO_ID ? n : SEVERAL;
    }
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (set[r] == SEVERAL) set[r] = NO_ID;
    return set;
}

typedef struct {
    const Program *program;
    SliceLibrary *library;
    Table specials;
    uint32_t errno_location; // symbol, or NO_ID
    uint32_t *special;       // symbol -> its row of `specials`, or NO_ID
} Survey;

static void find_specials(Survey *survey, Arena *arena) {
    const Program *program = survey->program;
    survey->errno_location = NO_ID;
    for (uint32_t i = 0; i < SPECIAL_COUNT; i++)
        table_insert(arena, &survey->specials, name_hash(specials[i].name), i);
    survey->special = ARENA_ARRAY(arena, uint32_t, (size_t)program->symbols.count + 1);
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *symbol = &program->symbols.at[s];
        survey->special[s] = NO_ID;
        if (symbol->kind != SYM_FUNC || symbol->defined) continue;
        const char *name = program_text(program, symbol->name);
        if (strcmp(name, "__errno_location") == 0) survey->errno_location = s;
        uint64_t hash = name_hash(name);
        uint32_t at = table_first(&survey->specials, hash), id;
        while ((id = table_id(&survey->specials, hash, &at)) != HASH_NONE)
            if (strcmp(specials[id].name, name) == 0) survey->special[s] = id;
    }
}

static void mention(Survey *survey, Sym symbol) {
    if (symbol.i == NO_ID) return;
    if (symbol.i == survey->errno_location) survey->library->errno_by_pointer = true;
    uint32_t id = survey->special[symbol.i];
    if (id == NO_ID) return;
    survey->library->traits |= (uint32_t)1 << specials[id].trait;
    if (specials[id].trait == SLICE_TRAIT_STREAMS)
        survey->library->traits |= (uint32_t)1 << SLICE_TRAIT_BUFFERS;
}

// Whether a call gives a stream no memory of the program as its buffer, but takes the one it has
// away.
static bool buffer_is_null(const Func *func, const uint32_t *set, const Instr *call) {
    if (call->arg_count < 2) return false;
    uint32_t node = set[instr_args(func, call)[1].i];
    const Instr *instr = node == NO_ID ? NULL : &func->nodes.at[node];
    return instr && instr->kind == I_OP && instr->op == OP_CONST_I64 && !instr->imm;
}

static void survey_call(Survey *survey, const Func *func, const uint32_t *set, const Instr *call) {
    if (call->ref == NO_ID || call->ref == survey->errno_location) return;
    uint32_t id = survey->special[call->ref];
    bool buffer = id != NO_ID && strncmp(specials[id].name, "set", 3) == 0 &&
                  specials[id].trait == SLICE_TRAIT_STREAMS;
    if (buffer && buffer_is_null(func, set, call))
        survey->library->traits |= (uint32_t)1 << SLICE_TRAIT_BUFFERS;
    else
        mention(survey, (Sym){call->ref});
}

// ---- Where errno is

// Whether a node finds errno through a register at once: nothing happens between that and the call
// that found its place. A load farther away does not count, so that many loads take no more time
// than they should.
static bool loads_at_once(const Func *func, const Preds *preds, uint32_t call, uint32_t load) {
    enum { FARTHEST = 64 };
    uint32_t steps = 0;
    for (uint32_t n = call; n != load;) {
        const Instr *instr = &func->nodes.at[n];
        bool plain = instr->kind == I_NOP || instr->kind == I_OP || instr->kind == I_LOAD ||
                     instr->kind == I_STORE;
        if ((n != call && !plain) || instr->succ_count != 1 || ++steps > FARTHEST) return false;
        n = instr->succ[0].i;
        if (preds->first[n + 1] - preds->first[n] != 1) return false;
    }
    return true;
}

// Whether errno is accessed as `errno`, and its address used for nothing else. A load of errno
// reads the value that functions of the library have set by the time of the call that finds the
// place.
static bool errno_is_plain(const Survey *survey, const Func *func, const uint32_t *set,
                           Arena *arena) {
    Preds preds = preds_of(arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Reg *args = instr_args(func, instr);
        if (instr->kind == I_CALL && instr->ref == survey->errno_location &&
            instr->dest.i != NO_ID && set[instr->dest.i] != n)
            return false;
        for (uint32_t k = 0; k < instr->arg_count; k++) {
            uint32_t by = set[args[k].i];
            const Instr *call = by == NO_ID ? NULL : &func->nodes.at[by];
            if (!call || call->kind != I_CALL || call->ref != survey->errno_location) continue;
            bool base = k == 0 && instr->base == BASE_REG && !instr->imm &&
                        (instr->kind == I_LOAD || instr->kind == I_STORE);
            if (!base || (instr->kind == I_LOAD && !loads_at_once(func, &preds, by, n)))
                return false;
        }
    }
    return true;
}

// ---- All of it

static void survey_function(Survey *survey, const Func *func, Arena *scratch) {
    const uint32_t *set = only_settings(scratch, func);
    bool asks_errno = false;
    if (func_returns_twice(func)) survey->library->traits |= (uint32_t)1 << SLICE_TRAIT_JUMPS;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind == I_CALL)
            survey_call(survey, func, set, instr);
        else
            mention(survey, instr_symbol(instr));
        asks_errno |=
            instr->kind == I_CALL && instr->ref != NO_ID && instr->ref == survey->errno_location;
    }
    if (asks_errno && !errno_is_plain(survey, func, set, scratch))
        survey->library->errno_by_pointer = true;
}

SliceLibrary slice_library_of(Arena *arena, const Program *program) {
    SliceLibrary library = {0};
    Arena *scratch = arena_new("library"), *inner = arena_new("registers");
    Survey survey = {.program = program, .library = &library};
    for (uint32_t i = 0; i < ROW_COUNT; i++)
        table_insert(arena, &library.rows, name_hash(rows[i].name), i);
    find_specials(&survey, scratch);
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *symbol = &program->symbols.at[s];
        if (symbol->func) survey_function(&survey, symbol->func, inner);
        arena_reset(inner);
        mention(&survey, symbol->alias);
        for (uint32_t k = 0; k < symbol->data.count; k++)
            if (symbol->data.at[k].kind == DATA_ADDR) mention(&survey, symbol->data.at[k].symbol);
    }
    arena_free(inner);
    arena_free(scratch);
    return library;
}
