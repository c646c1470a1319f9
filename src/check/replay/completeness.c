#include "check/replay/completeness.h"

#include "form/forms.h"

Completeness completeness_new(Arena *arena, const Program *program) {
    uint32_t count = program->symbols.count;
    return (Completeness){.arena = arena,
                          .program = program,
                          .endings = ARENA_ARRAY(arena, struct Ending, count),
                          .mentioned = ARENA_ARRAY(arena, uint32_t, count)};
}

typedef struct {
    Completeness *completeness;
    Sym function;
} Mentions;

static void note_mention(void *context, Sym symbol) {
    const Mentions *mentions = context;
    Completeness *c = mentions->completeness;
    if (c->mentioned[symbol.i] == mentions->function.i + 1) return;
    c->mentioned[symbol.i] = mentions->function.i + 1;
    vec_push(c->arena, &c->refs, symbol);
    c->endings[mentions->function.i].refs++;
}

void completeness_note(Completeness *c, const Func *last) {
    c->endings[last->symbol.i] = (struct Ending){.form = (uint8_t)last->form,
                                                 .seen = true,
                                                 .allocated = func_is_final(last),
                                                 .refs_at = c->refs.count};
    func_mentions(last, note_mention, &(Mentions){.completeness = c, .function = last->symbol});
}

// ---- What is needed

typedef struct {
    const Completeness *c;
    bool *needed;   // by symbol
    Sym *because;   // the symbol that refers to it
    VEC(Sym) visit; // needed; their references have not been looked at
} NeededSearch;

static void need(NeededSearch *search, Sym symbol, Sym because) {
    if (search->needed[symbol.i]) return;
    search->needed[symbol.i] = true;
    search->because[symbol.i] = because;
    vec_push(search->c->arena, &search->visit, symbol);
}

static void visit(NeededSearch *search, Sym from) {
    const Symbol *symbol = program_at(search->c->program, from);
    const struct Ending *ending = &search->c->endings[from.i];
    if (symbol->alias.i != NO_ID) need(search, symbol->alias, from);
    for (uint32_t i = 0; i < symbol->data.count; i++)
        if (symbol->data.at[i].kind == DATA_ADDR) need(search, symbol->data.at[i].symbol, from);
    for (uint32_t i = 0; i < ending->refs; i++)
        need(search, search->c->refs.at[ending->refs_at + i], from);
}

static NeededSearch find_needed(const Completeness *c) {
    uint32_t count = c->program->symbols.count;
    NeededSearch search = {.c = c,
                           .needed = ARENA_ARRAY(c->arena, bool, count),
                           .because = ARENA_ARRAY(c->arena, Sym, count)};
    for (uint32_t i = 0; i < count; i++)
        if (symbol_is_root(program_at(c->program, (Sym){i}))) need(&search, (Sym){i}, NO_SYM);
    while (search.visit.count) visit(&search, vec_pop(&search.visit));
    return search;
}

Coverage completeness_of(const Completeness *c) {
    NeededSearch search = find_needed(c);
    Coverage coverage = {.first = NO_SYM, .because = NO_SYM, .needed = search.needed};
    for (uint32_t i = 0; i < c->program->symbols.count; i++) {
        const struct Ending *ending = &c->endings[i];
        if (!ending->seen) continue;
        coverage.functions++;
        coverage.allocated += ending->allocated;
        if (ending->allocated) continue;
        coverage.dropped += !search.needed[i];
        if (!search.needed[i]) continue;
        coverage.other[ending->form]++;
        if (coverage.first.i != NO_ID) continue;
        coverage.first = (Sym){i};
        coverage.because = search.because[i];
    }
    return coverage;
}

Sym completeness_missing(const Completeness *c) {
    NeededSearch search = find_needed(c);
    for (uint32_t i = 0; i < c->program->symbols.count; i++)
        if (c->program->symbols.at[i].func && search.needed[i] && !c->endings[i].seen)
            return (Sym){i};
    return NO_SYM;
}
