// Tables of constructors and destructors.
//
// Linkers sort these tables by the names of their sections, in which there is a number, and keep
// the order that they find under one name. So for each priority that functions of the program have
// there is exactly one section, its name is written as gatecc writes it, and it holds the functions
// of that priority in the order of the program.
#include "target/x64/object/walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t priority;
    Sym function;
    bool seen; // in a table
} TableEntry;

typedef VEC(TableEntry) Hooks; // by priority, then in the order of the program

static int compare_hooks(const void *a, const void *b) {
    const TableEntry *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->function.i < y->function.i ? -1 : x->function.i > y->function.i;
}

static Hooks find_hooks(ObjectFile *object, bool init) {
    Hooks hooks = {0};
    for (uint32_t i = 0; i < object->program->symbols.count; i++) {
        const Symbol *info = program_at(object->program, (Sym){i});
        int32_t priority = init ? info->constructor : info->destructor;
        if (info->kind != SYM_FUNC || !info->defined || priority < 0) continue;
        if (priority > UINT16_MAX) priority = UINT16_MAX;
        vec_push(object->arena, &hooks, (TableEntry){.priority = priority, .function = {i}});
    }
    if (hooks.count) qsort(hooks.at, hooks.count, sizeof(TableEntry), compare_hooks);
    return hooks;
}

// The priority in the name of a section, which has five digits; none is the last. -1 if it is no
// name of such a table.
static int32_t priority_of(const char *name, const char *table) {
    enum { DIGITS = 5 };
    size_t length = strlen(table);
    if (strncmp(name, table, length) != 0) return -1;
    if (!name[length]) return UINT16_MAX;
    if (name[length] != '.' || strspn(name + length + 1, "0123456789") != DIGITS ||
        name[length + 1 + DIGITS])
        return -1;
    int32_t priority = (int32_t)strtol(name + length + 1, NULL, 10);
    return priority < UINT16_MAX ? priority : -1;
}

static uint32_t first_of(const Hooks *hooks, int32_t priority) {
    uint32_t low = 0, high = hooks->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hooks->at[middle].priority < priority)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_entry(ObjectFile *object, const ElfSection *section, uint32_t k, Sym function) {
    LinkTarget target;
    const ElfReloc *reloc = &section->relocs.at[k];
    return reloc->at == 8 * (uint64_t)k && link_of_reloc(object, reloc, FIELD_WORD, 0, &target) &&
           link_is_symbol(object, &target, function, 0);
}

static bool check_table(ObjectFile *object, Hooks *hooks, uint32_t s, const char *name) {
    const ElfSection *section = &object->elf.sections[s];
    int32_t priority = priority_of(section->name, name);
    uint32_t first = first_of(hooks, priority), k = 0;
    const char *problem = NULL;
    while (k < section->relocs.count && first + k < hooks->count &&
           hooks->at[first + k].priority == priority && !hooks->at[first + k].seen &&
           is_entry(object, section, k, hooks->at[first + k].function))
        hooks->at[first + k++].seen = true;
    if (k < section->relocs.count || priority < 0)
        problem = arena_printf(object->arena, "'%s': entry %u is none of the certificate's",
                               section->name, k);
    else if (section->kind != KIND_HOOKS || section->align % 8)
        problem = arena_printf(object->arena, "'%s' is not loaded as it should be", section->name);
    else if (section->size != 8 * (uint64_t)k)
        problem = arena_printf(object->arena, "'%s' has more than addresses", section->name);
    elf_account(&object->elf, s, 8, false, (ElfRange){.end = section->size, .alone = true});
    return !problem || object_fails(object, arena_printf(object->arena, "section %s", problem));
}

static bool check_tables(ObjectFile *object, bool init) {
    Hooks hooks = find_hooks(object, init);
    for (uint32_t s = 1; s < object->elf.section_count; s++) {
        const ElfSection *section = &object->elf.sections[s];
        if (section->type != (init ? SECTION_INIT : SECTION_FINI) || !section->size) continue;
        if (!check_table(object, &hooks, s, init ? ".init_array" : ".fini_array")) return false;
    }
    for (uint32_t k = 0; k < hooks.count; k++)
        if (!hooks.at[k].seen)
            return object_fails_at(object, hooks.at[k].function,
                                   "no table of the object makes it run before or after main");
    return true;
}

bool object_hooks(ObjectFile *object) {
    return check_tables(object, true) && check_tables(object, false);
}
