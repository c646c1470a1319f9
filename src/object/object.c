// Opening an object, and comparing one function of it.
#include "object/object.h"

#include "object/walk.h"

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
    *start = link_of_reloc(object, &reloc[0], 0);
    *end = link_of_reloc(object, &reloc[1], 0);
    return start->symbol == NO_SYMBOL && end->symbol == NO_SYMBOL && start->section == end->section;
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
bool object_asm_at(ObjectFile *object, uint32_t section, uint64_t at, uint64_t *end) {
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
    if (found != NO_ID) bits_add(&object->asm_taken, found);
    return found != NO_ID;
}

bool object_open(ObjectFile *object, Arena *arena, const void *bytes, size_t length) {
    *object = (ObjectFile){.arena = arena};
    if (!elf_open(&object->elf, arena, bytes, length, &object->problem)) return false;
    if (object->elf.type != ELF_RELOCATABLE) {
        object->problem = "it is no relocatable object file";
        return false;
    }
    find_asms(object);
    return true;
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
    return true;
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

static bool problem_of(ObjectFile *object, const Func *func, const char *reason) {
    object->problem = arena_printf(object->arena, "function '%s': %s", func_name(func), reason);
    return false;
}

bool object_function(ObjectFile *object, const Func *func) {
    if (!object_has_program(object, func->program)) return false;
    const Symbol *info = program_at(func->program, func->symbol);
    uint32_t found = elf_find(&object->elf, func_name(func));
    if (found == NO_SYMBOL && info->linkage == LINK_STATIC)
        return true; // nothing refers to it, or that is refused
    if (found == NO_SYMBOL) return problem_of(object, func, "the object does not define it");
    const ElfSymbol *symbol = &object->elf.symbols[found];
    if (!object_check_symbol(object, func->symbol, found)) return false;
    if (symbol->section == SECTION_UNDEFINED ||
        !elf_has_range(&object->elf, symbol->section, symbol->value, symbol->size))
        return problem_of(object, func, "the object does not define it");
    const ElfSection *section = &object->elf.sections[symbol->section];
    if (!section->bytes || !(section->flags & SECTION_ALLOC) || !(section->flags & SECTION_EXEC))
        return problem_of(object, func, "it is not in a section of code");
    if (section->flags & SECTION_WRITE)
        return problem_of(object, func, "its code can be written to");
    bool named = info->section.i
                     ? strcmp(section->name, program_text(func->program, info->section)) == 0
                     : elf_is_named(section, ".text");
    if (!named) return problem_of(object, func, "it is in another section than it should be");
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
    elf_account(&object->elf, symbol->section, symbol->value, symbol->size, true);
    object->functions++;
    bits_add(&object->compared, func->symbol.i);
    object->bytes += symbol->size;
    return good;
}
