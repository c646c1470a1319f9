// Resolves the addresses in code and data, by relocations or by the values that the assembler has
// computed.
#include "target/x64/object/walk.h"

#include <string.h>

// ---- Relocations

typedef struct {
    uint32_t type;
    LinkLeads leads;
    uint32_t fields;
} RelocRow;

static const RelocRow *row_of(uint32_t type) {
    static const RelocRow rows[] = {
#define RELOC(name, number, size, leads, fields) {number, LEADS_##leads, fields},
#include "target/x64/model/reloc.def"
    };
    for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].type == type) return &rows[k];
    return NULL;
}

// Symbols that have an address: their place, or, of an indirect function, what the function there
// returns.
static bool has_address(const ElfSymbol *symbol) {
    if (symbol->type == SYMBOL_SECTION) return symbol->value == 0;
    return symbol->bind <= BIND_WEAK &&
           (symbol->type <= SYMBOL_FUNC || symbol->type == SYMBOL_TLS ||
            symbol->type == SYMBOL_INDIRECT);
}

bool link_of_reloc(const ObjectFile *object, const ElfReloc *reloc, uint32_t field,
                   int64_t distance, LinkTarget *target) {
    const ElfSymbol *symbol = &object->elf.symbols[reloc->symbol];
    const RelocRow *row = row_of(reloc->type);
    bool here = symbol->section > SECTION_UNDEFINED && symbol->section < object->elf.section_count;
    // Only by its name is an indirect function found, even if the name is local.
    bool indirect = symbol->type == SYMBOL_INDIRECT;
    bool local = symbol->bind == BIND_LOCAL && !indirect, section = symbol->type == SYMBOL_SECTION;
    uint64_t offset = (uint64_t)reloc->addend + (uint64_t)distance;
    if (!row || !(row->fields & field) || !has_address(symbol) || ((local || indirect) && !here))
        return false;
    if (row->leads != LEADS_SYMBOL && (section || offset)) return false;
    uint64_t flags = here ? object->elf.sections[symbol->section].flags : 0;
    bool thread = row->leads == LEADS_THREADS || row->leads == LEADS_MODULE;
    if ((symbol->type == SYMBOL_TLS) != thread || (here && !(flags & SECTION_THREAD) == thread))
        return false;
    *target = (LinkTarget){.symbol = local ? NO_SYMBOL : reloc->symbol,
                           .section = local ? symbol->section : 0,
                           .entity = symbol->value + (section ? (uint64_t)reloc->addend : 0),
                           .offset = (int64_t)(offset + (local ? symbol->value : 0)),
                           .leads = row->leads};
    return true;
}

// ---- Fields of instructions

// The kinds of field that an operand's displacement, number or distance is, if it has four bytes;
// and where it is.
static uint32_t field_of(const Insn *insn, const InsnOperand *operand, uint32_t *at) {
    bool memory = operand->kind == INSN_OPERAND_MEMORY;
    uint32_t size = memory ? insn->displacement_size : insn->number_size;
    *at = memory ? insn->displacement_at : insn->number_at;
    if (size != 4 || (memory && operand->segment != INSN_SEGMENT_NONE)) return 0;
    if (operand->kind == INSN_OPERAND_TARGET) return FIELD_TARGET;
    if (operand->kind == INSN_OPERAND_IMM)
        return insn->width == 8 ? FIELD_SIGNED : insn->width == 4 ? FIELD_UNSIGNED : 0;
    if (!memory) return 0;
    if (operand->base != INSN_REG_RIP) return FIELD_BASED;
    if (insn->padded) return FIELD_MODULE;
    if (insn->mnemonic == INSN_CALL || insn->mnemonic == INSN_JMP)
        return FIELD_NEAR | FIELD_THROUGH;
    bool loads = insn->mnemonic == INSN_MOV && insn->width == 8 && operand == &insn->operand[0];
    return loads ? FIELD_NEAR | FIELD_LOAD : FIELD_NEAR;
}

// A field that the linker fills holds zero until then.
bool link_target(CodeWalk *w, const Insn *insn, const InsnOperand *operand, LinkTarget *target) {
    const ElfSection *section = &w->object->elf.sections[w->section];
    bool relative = operand->kind == INSN_OPERAND_TARGET || operand->base == INSN_REG_RIP;
    uint32_t field, kinds = field_of(insn, operand, &field);
    uint64_t at = w->now.at + field, end = w->now.at + insn->length;
    uint32_t found = elf_first_reloc(section, at);
    if (found < section->relocs.count && section->relocs.at[found].at < end) {
        const ElfReloc *reloc = &section->relocs.at[found];
        w->relocs++;
        return reloc->at == at && operand->value == 0 &&
               link_of_reloc(w->object, reloc, kinds, relative ? (int64_t)(end - at) : 0, target);
    }
    *target = (LinkTarget){.symbol = NO_SYMBOL,
                           .section = w->section,
                           .leads = LEADS_SYMBOL,
                           .offset = (int64_t)(end + (uint64_t)operand->value)};
    target->entity = (uint64_t)target->offset;
    return relative;
}

// ---- What they lead to

// Whether the linker takes a reference to a merged section for one to what lies there.
static bool finds(const ElfSection *section, const LinkTarget *target, uint64_t at, uint64_t size) {
    return !(section->flags & SECTION_MERGE) ||
           (target->entity >= at && target->entity - at < size);
}

static bool is_at_label(ObjectFile *object, const LinkTarget *target, Sym symbol, int64_t offset) {
    ObjectPlace *place = &object->places[symbol.i];
    uint64_t at = (uint64_t)target->offset - (uint64_t)offset;
    if (target->symbol != NO_SYMBOL || !elf_has_range(&object->elf, target->section, at, 0) ||
        !finds(&object->elf.sections[target->section], target, at,
               program_at(object->program, symbol)->size))
        return false;
    if (place->section) return place->section == target->section && place->at == at;
    place->section = target->section;
    place->at = at;
    vec_push(object->arena, &object->bound, symbol);
    return true;
}

bool link_is_symbol(ObjectFile *object, const LinkTarget *target, Sym symbol, int64_t offset) {
    const Symbol *info = program_at(object->program, symbol);
    bool thread = info->flags & SYMF_THREAD;
    if (thread != (target->leads == LEADS_THREADS || target->leads == LEADS_MODULE)) return false;
    if (object_is_label(object, info)) return is_at_label(object, target, symbol, offset);
    uint32_t found = object->places[symbol.i].symbol;
    if (found == NO_SYMBOL) return false;
    if (target->symbol != NO_SYMBOL) return target->symbol == found && target->offset == offset;
    const ElfSymbol *definition = &object->elf.symbols[found];
    return target->section == definition->section && !symbol_is_replaceable(info) &&
           !(info->flags & SYMF_INDIRECT) &&
           definition->value + (uint64_t)offset == (uint64_t)target->offset;
}

// Those of a thunk that the object has are compared at the end (object_rest.c).
bool link_is_name(const ObjectFile *object, const LinkTarget *target, const char *name) {
    if (target->symbol == NO_SYMBOL || target->offset != 0) return false;
    const ElfSymbol *symbol = &object->elf.symbols[target->symbol];
    return strcmp(symbol->name, name) == 0 && object_is_special(object, target->symbol);
}

bool link_is_constant(ObjectFile *object, const LinkTarget *target, uint32_t size, uint64_t low,
                      uint64_t high) {
    uint64_t at = (uint64_t)target->offset;
    if (target->symbol != NO_SYMBOL || !elf_has_range(&object->elf, target->section, at, size))
        return false;
    const ElfSection *section = &object->elf.sections[target->section];
    if (section->kind != KIND_POOL || section->entry != size ||
        !elf_is_aligned(section, at, size) || !finds(section, target, at, size))
        return false;
    if (elf_has_relocs(section, at, size)) return false;
    for (uint32_t k = 0; k < size; k++)
        if (section->bytes[at + k] != (uint8_t)((k < 8 ? low : high) >> k % 8 * 8)) return false;
    elf_account(&object->elf, target->section, size, false,
                (ElfRange){.start = at, .end = at + size});
    return true;
}
