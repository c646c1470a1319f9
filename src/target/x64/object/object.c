// Opening an object, and comparing one function of it.
#include "target/x64/object/object.h"

#include "target/x64/object/walk.h"

#include <stdio.h>
#include <string.h>

// Where asm statements are: pairs of addresses, as relocations, in the order of the code.
#define ASM_SECTION ".gatecc.asm"

static uint64_t asm_hash(uint32_t section, uint64_t at) {
    return hash_add(hash_mix(section), at);
}

static bool asm_pair(const ObjectFile *object, uint32_t pair, LinkTarget *start, LinkTarget *end) {
    const ElfSection *section = &object->elf.sections[object->asm_section];
    const ElfReloc *reloc = &section->relocs.at[(uint64_t)2 * pair];
    return link_of_reloc(object, &reloc[0], FIELD_WORD, 0, start) &&
           link_of_reloc(object, &reloc[1], FIELD_WORD, 0, end) && start->symbol == NO_SYMBOL &&
           end->symbol == NO_SYMBOL && start->section == end->section;
}

static void find_asms(ObjectFile *object) {
    for (uint32_t s = 1; s < object->elf.section_count; s++)
        if (strcmp(object->elf.sections[s].name, ASM_SECTION) == 0) object->asm_section = s;
    uint32_t count =
        object->asm_section ? object->elf.sections[object->asm_section].relocs.count / 2 : 0;
    object->asm_taken = bits_new(object->arena, count);
    for (uint32_t k = 0; k < count; k++) {
        LinkTarget start, end;
        if (asm_pair(object, k, &start, &end))
            table_insert(object->arena, &object->asms,
                         asm_hash(start.section, (uint64_t)start.offset), k);
    }
}

// Statements without text start where the next one does: each is taken once, in their order.
static uint32_t find_asm(const ObjectFile *object, uint32_t section, uint64_t at, uint64_t *end) {
    uint64_t hash = asm_hash(section, at);
    uint32_t found = NO_ID, id;
    for (uint32_t probe = table_first(&object->asms, hash);
         (id = table_id(&object->asms, hash, &probe)) != HASH_NONE;) {
        LinkTarget start, stop;
        if (!asm_pair(object, id, &start, &stop) || start.section != section ||
            (uint64_t)start.offset != at || bits_has(&object->asm_taken, id) || id > found)
            continue;
        found = id;
        *end = (uint64_t)stop.offset;
    }
    return found;
}

bool object_asm_starts(const ObjectFile *object, uint32_t section, uint64_t at) {
    uint64_t end;
    return find_asm(object, section, at, &end) != NO_ID;
}

bool object_asm_at(ObjectFile *object, uint32_t section, uint64_t at, uint64_t *end) {
    uint32_t found = find_asm(object, section, at, end);
    if (found != NO_ID) bits_add(&object->asm_taken, found);
    return found != NO_ID;
}

static bool open_object(ObjectFile *object) {
    object_find_kinds(object);
    find_asms(object);
    return true;
}

bool object_works(ObjectFile *object, uint64_t steps) {
    object->work += steps;
    return object->work / STEPS_PER_BYTE <= object->elf.length;
}

bool object_fails(ObjectFile *object, const char *text) {
    if (!object->problem) object->problem = text;
    return false;
}

bool object_fails_at(ObjectFile *object, Sym symbol, const char *reason) {
    const Symbol *info = program_at(object->program, symbol);
    return object_fails(object, arena_printf(object->arena, "%s '%s': %s",
                                             info->kind == SYM_FUNC ? "function" : "datum",
                                             program_text(object->program, info->name), reason));
}

bool object_has_program(ObjectFile *object, const Program *program) {
    if (object->program == program && object->place_count == program->symbols.count) return true;
    if (object->program) {
        object->problem = "the certificate has declarations between functions";
        return false;
    }
    object->program = program;
    object->place_count = program->symbols.count;
    object->compared = bits_new(object->arena, object->place_count);
    object->places = ARENA_ARRAY(object->arena, ObjectPlace, object->place_count);
    object->owners = ARENA_ARRAY(object->arena, Sym, object->elf.symbol_count);
    for (uint32_t i = 0; i < object->elf.symbol_count; i++) object->owners[i] = NO_SYM;
    for (uint32_t s = 0; s < object->place_count; s++) {
        const Symbol *info = program_at(program, (Sym){s});
        uint32_t found = elf_find(&object->elf, program_text(program, info->name));
        object->places[s].symbol = found;
        if (found != NO_SYMBOL) object->owners[found] = (Sym){s};
    }
    return true;
}

bool object_is_special(const ObjectFile *object, uint32_t symbol) {
    const ElfSymbol *elf = &object->elf.symbols[symbol];
    Sym owner = object->owners[symbol];
    return (owner.i == NO_ID || !object_defines(program_at(object->program, owner))) &&
           elf->bind == BIND_GLOBAL && (elf->type == SYMBOL_NONE || elf->type == SYMBOL_FUNC);
}

// ---- One function

static void put_bytes(Out *out, const CodeWalk *w, uint64_t at) {
    Insn insn;
    const uint8_t *bytes = w->object->elf.sections[w->section].bytes;
    bool decoded = at < w->end && insn_decode(bytes + at, w->end - at, &insn);
    uint64_t count = decoded ? insn.length : 4;
    if (at == w->end) out_text(out, "the function ends");
    for (uint64_t k = 0; k < count && at + k < w->end; k++)
        out_printf(out, k ? " %02x" : "bytes %02x", bytes[at + k]);
    if (!decoded) {
        if (at < w->end) out_text(out, " are no instruction that gatecc writes");
        return;
    }
    out_text(out, " decode to \"");
    describe_insn(out, &insn);
    out_char(out, '"');
}

static bool explain(CodeWalk *w) {
    Out out = {0};
    uint64_t at = w->failed_at < w->start ? w->start : w->failed_at;
    out_printf(&out, "function '%s', offset 0x%llx: ", func_name(w->func),
               (unsigned long long)(at - w->start));
    put_bytes(&out, w, at);
    if (w->instr) {
        out_text(&out, ", but the machine code says \"");
        describe_instr(&out, w->program, w->instr);
        out_printf(&out, "\" at block %u", w->block);
    }
    if (w->reason) out_printf(&out, ": %s", w->reason);
    w->object->problem = arena_text(w->object->arena, out.text, out.length);
    out_free(&out);
    return false;
}

// Where the code of a function is; NULL, with a problem, if that is no place for it.
static const ElfSymbol *place_of_code(ObjectFile *object, const Func *func) {
    const Symbol *info = program_at(func->program, func->symbol);
    uint32_t found = object->places[func->symbol.i].symbol;
    const ElfSymbol *symbol = found == NO_SYMBOL ? NULL : &object->elf.symbols[found];
    if (!symbol || symbol->section == SECTION_UNDEFINED ||
        !elf_has_range(&object->elf, symbol->section, symbol->value, symbol->size)) {
        object_fails_at(object, func->symbol, "the object does not define it");
        return NULL;
    }
    if (!object_check_symbol(object, func->symbol, found)) return NULL;
    const ElfSection *section = &object->elf.sections[symbol->section];
    const char *reason = NULL;
    if (!section->bytes || !(section->flags & SECTION_ALLOC) || !(section->flags & SECTION_EXEC))
        reason = "it is not in a section of code";
    if (!object_is_in(object, info, section, KIND_CODE))
        reason = "it is in another section than it should be";
    if (!object_is_retained(info, section)) reason = "the linker may leave it out, or keep it";
    if (!elf_is_aligned(section, symbol->value, info->align))
        reason = "it is not aligned as it should be";
    if (reason) object_fails_at(object, func->symbol, reason);
    return reason ? NULL : symbol;
}

static bool compare_function(ObjectFile *object, const Func *func) {
    if (!object_has_program(object, func->program)) return false;
    const Symbol *info = program_at(func->program, func->symbol);
    if (object->places[func->symbol.i].symbol == NO_SYMBOL && !symbol_is_root(info))
        return true; // nothing refers to it, or that is refused
    const ElfSymbol *symbol = place_of_code(object, func);
    if (!symbol) return false;
    CodeWalk walk = {.object = object,
                     .program = func->program,
                     .func = func,
                     .arena = arena_new("function of an object"),
                     .section = symbol->section,
                     .start = symbol->value,
                     .end = symbol->value + symbol->size,
                     .insn_at = UINT64_MAX,
                     .failed_at = UINT64_MAX};
    walk.now.at = symbol->value;
    walk.now.placed = object->bound.count;
    bool good = walk_code(&walk) || explain(&walk);
    arena_free(walk.arena);
    elf_account(&object->elf, symbol->section, info->align, info->section.i,
                (ElfRange){.start = walk.start, .end = walk.end, .alone = true});
    object->functions++;
    bits_add(&object->compared, func->symbol.i);
    object->bytes += symbol->size;
    return good;
}

extern const TargetObject x64_object;

const TargetObject x64_object = {
    .open = open_object,
    .function = compare_function,
    .finish = x64_object_finish,
};
