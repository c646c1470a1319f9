#include "fact/unit_memory.h"

#include "fact/calls.h"

#include <ctype.h>
#include <string.h>

bool unit_has_claims(const Symbol *symbol) {
    return symbol->kind == SYM_FUNC && symbol->defined && symbol->alias.i == NO_ID &&
           symbol->sig.i != NO_ID;
}

bool unit_memory_index(Arena *arena, const Program *program, UnitMemory *unit) {
    uint32_t count = program->symbols.count;
    uint64_t params = 0;
    if (unit->family_of.count != count || unit->effects.count != count) return false;
    unit->params_at = ARENA_ARRAY(arena, uint32_t, count);
    unit->written = unit->read = 0;
    unit->outside = (UnitEffect){0};
    for (uint32_t i = 0; i < count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        const UnitEffect *effect = &unit->effects.at[i];
        unit->params_at[i] = NO_ID;
        if (!unit_has_claims(symbol)) continue;
        unit->params_at[i] = (uint32_t)params;
        params += program_sig_info(program, symbol->sig)->fixed_count;
        if (params > unit->params.count) return false;
        unit->written |= effect->writes;
        unit->read |= effect->reads;
        if (!(effect->effects & UNIT_EXPOSED)) continue;
        unit->outside.writes |= effect->writes;
        unit->outside.reads |= effect->reads;
    }
    if (params != unit->params.count) return false;
    uint32_t things = unit_of_count(unit);
    unit->range_at = ARENA_ARRAY(arena, uint32_t, (size_t)things + 1);
    for (uint32_t i = 0; i < things; i++) unit->range_at[i] = NO_ID;
    for (uint32_t i = 0; i < unit->ranges.count; i++) {
        uint32_t of = unit->ranges.at[i].of;
        if (of >= things || (i && of <= unit->ranges.at[i - 1].of)) return false;
        unit->range_at[of] = i;
    }
    return true;
}

// ---- Declarations

static bool is_name_char(char c) {
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '_' || c == '.' ||
           c == '$';
}

static void note_name(const Program *program, const char *start, size_t length, Bits *used) {
    Str name;
    if (!length || !str_find(&program->strings, start, length, &name)) return;
    Sym symbol = program_find(program, name);
    if (symbol.i != NO_ID) bits_add(used, symbol.i);
}

// A dollar may be a part of a name, or stand in front of an immediate operand: so a name may begin
// behind each dollar, and end in front of each. False if there are too many of them.
static bool note_parts(const Program *program, const char *word, size_t length, Bits *used) {
    enum { MOST_DOLLARS = 8 };
    uint32_t dollars = 0;
    for (size_t k = 0; k < length; k++) dollars += word[k] == '$';
    if (dollars > MOST_DOLLARS) return false;
    for (size_t from = 0; from < length; from++) {
        if (from && word[from - 1] != '$') continue;
        for (size_t to = from + 1; to <= length; to++)
            if (to == length || word[to] == '$') note_name(program, word + from, to - from, used);
    }
    return true;
}

// The symbols that a text for the assembler mentions. False if these are not known: with quotes and
// backslashes, names can be made of parts.
static bool note_names(const Program *program, Str text, Bits *used) {
    const char *at = program_text(program, text);
    if (strpbrk(at, "\\\"")) return false;
    while (*at) {
        const char *start = at;
        while (is_name_char(*at)) at++;
        if (!note_parts(program, start, (size_t)(at - start), used)) return false;
        if (at == start) at++;
    }
    return true;
}

Bits unit_used_symbols(Arena *arena, const Program *program) {
    Bits used = bits_new(arena, program->symbols.count);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->alias.i != NO_ID) bits_add(&used, symbol->alias.i);
        for (uint32_t k = 0; k < symbol->data.count; k++)
            if (symbol->data.at[k].kind == DATA_ADDR) bits_add(&used, symbol->data.at[k].symbol.i);
    }
    bool known = true;
    for (uint32_t i = 0; known && i < program->asms.count; i++)
        known = note_names(program, program->asms.at[i].text, &used);
    for (uint32_t i = 0; known && i < program->file_asms.count; i++)
        known = note_names(program, program->file_asms.at[i], &used);
    for (uint32_t i = 0; !known && i < program->symbols.count; i++) bits_add(&used, i);
    return used;
}

bool unit_may_be_hidden(const Symbol *symbol) {
    uint32_t known = SYMF_CONST | SYMF_USED | SYMF_RETAIN | SYMF_THREAD;
    return symbol_is_own_object(symbol) && symbol->linkage == LINK_STATIC &&
           !(symbol->flags & known) && str_same(symbol->section, STR_NONE);
}

// ---- Objects

uint32_t unit_family(const UnitMemory *unit, uint32_t symbol) {
    return unit ? unit->family_of.at[symbol] : UNIT_OPEN;
}

// Whether a symbol is hidden, and its family is none of these.
static bool is_hidden_from(const UnitMemory *unit, Sym symbol, UnitSet families) {
    uint32_t family = unit_family(unit, symbol.i);
    return family != UNIT_OPEN && !(families >> family & 1);
}

bool unit_keeps_contents(const Program *program, Sym symbol) {
    const UnitMemory *unit = program->unit;
    return unit && is_hidden_from(unit, symbol, unit->written);
}

bool unit_is_unread(const Program *program, Sym symbol) {
    const UnitMemory *unit = program->unit;
    return unit && is_hidden_from(unit, symbol, unit->read);
}

// ---- Values

const Range *unit_range(const UnitMemory *unit, uint32_t of) {
    return unit->range_at[of] == NO_ID ? NULL : &unit->ranges.at[unit->range_at[of]].range;
}

bool unit_accesses_whole(const Program *program, const Instr *instr) {
    return instr->base == BASE_SYMBOL && !instr->scale && !instr->imm &&
           type_is_int(chunk_type((Chunk)instr->chunk)) &&
           chunk_size((Chunk)instr->chunk) == program_at(program, (Sym){instr->ref})->size;
}

const Range *unit_range_of_param(const Func *func, Reg param) {
    const UnitMemory *unit = func->program->unit;
    uint32_t k = 0;
    if (!unit || unit->params_at[func->symbol.i] == NO_ID) return NULL;
    while (k < func->params.count && func->params.at[k].i != param.i) k++;
    return k < program_sig_info(func->program, func->sig)->fixed_count
               ? unit_range(unit, unit_of_param(unit, func->symbol, k))
               : NULL;
}

bool unit_range_of_instr(const Program *program, const Instr *instr, Range *range) {
    const UnitMemory *unit = program->unit;
    const Range *claim = NULL;
    if (!unit) return false;
    if (unit_calls_own(program, instr))
        claim = unit_range(unit, unit_of_result(unit, (Sym){instr->ref}));
    if (instr->kind == I_LOAD && unit_accesses_whole(program, instr))
        claim = unit_range(unit, unit_of_object(unit, (Sym){instr->ref}));
    if (!claim) return false;
    Op extension = instr->kind == I_LOAD ? chunk_extension((Chunk)instr->chunk) : OP_COUNT;
    *range = extension == OP_COUNT ? *claim : range_of_op(extension, claim);
    return true;
}

Sym unit_yielded(const Program *program, const Instr *instr) {
    if (!unit_calls_own(program, instr)) return NO_SYM;
    uint32_t yields = program->unit->effects.at[instr->ref].yields;
    return yields && unit_family(program->unit, yields - 1) != UNIT_OPEN ? (Sym){yields - 1}
                                                                         : NO_SYM;
}

// ---- Calls

bool unit_calls_own(const Program *program, const Instr *instr) {
    if (!program->unit || instr->kind != I_CALL || instr->ref == NO_ID) return false;
    const Symbol *symbol = program_at(program, (Sym){instr->ref});
    return unit_has_claims(symbol) && !symbol_is_replaceable(symbol) &&
           instr->aux == symbol->sig.i && !call_returns_twice(program, instr);
}

// An aggregate is copied by the call itself: from its argument, or to the last one.
static Effects effects_of_copies(const Program *program, const Instr *instr) {
    const SigInfo *sig = program_sig_info(program, (Sig){instr->aux});
    Effects effects = 0;
    if (ptype_is_aggregate(program_ptype_info(program, sig->result)))
        effects = MAY_READ_SHARED | MAY_WRITE_SHARED;
    for (uint32_t i = 0; i < sig->param_count; i++)
        if (ptype_is_aggregate(program_ptype_info(program, sig->params[i])))
            effects |= MAY_READ_SHARED;
    return effects;
}

Effects unit_instr_effects(const Program *program, const Instr *instr) {
    if (!unit_calls_own(program, instr)) return instr_effects(instr);
    const UnitEffect *effect = &program->unit->effects.at[instr->ref];
    return (effect->effects & UNIT_EFFECTS) | effects_of_copies(program, instr) | MAY_GO_WRONG |
           (effect->depth ? 0 : MAY_STOP);
}

UnitSet unit_writes(const Program *program, const Instr *instr) {
    if (!program->unit) return 0;
    if (unit_calls_own(program, instr)) return program->unit->effects.at[instr->ref].writes;
    return instr_effects(instr) & MAY_WRITE_SHARED ? program->unit->outside.writes : 0;
}

uint32_t unit_param(const Program *program, const Instr *instr, uint32_t k) {
    if (!unit_calls_own(program, instr)) return 0;
    const SigInfo *sig = program_sig_info(program, (Sig){instr->aux});
    if (k >= sig->fixed_count || sig->params[k].i != PTYPE_OF(TYPE_I64).i) return 0;
    uint32_t bits = program->unit->params.at[program->unit->params_at[instr->ref] + k];
    return bits & UNIT_PLAIN ? bits : 0;
}

bool unit_call_is_removable(const Program *program, const Instr *instr) {
    if (!unit_calls_own(program, instr) || unit_writes(program, instr)) return false;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (unit_param(program, instr, k) & UNIT_WRITTEN) return false;
    Effects harmless = MAY_READ | MAY_READ_SHARED | MAY_GO_WRONG | USES_FRAME;
    return !(unit_instr_effects(program, instr) & ~harmless);
}

bool unit_is_pure(const Program *program, Sym function) {
    const UnitMemory *unit = program->unit;
    const Symbol *symbol = program_at(program, function);
    if (!unit || !unit_has_claims(symbol) || symbol_is_replaceable(symbol)) return false;
    const UnitEffect *effect = &unit->effects.at[function.i];
    const SigInfo *sig = program_sig_info(program, symbol->sig);
    const uint8_t *params = unit->params.at + unit->params_at[function.i];
    if (!effect->depth || effect->effects & UNIT_EFFECTS || effect->writes ||
        effect->reads & unit->written || sig->variadic)
        return false;
    for (uint32_t k = 0; k < sig->param_count; k++)
        if (params[k] & (UNIT_READ | UNIT_WRITTEN) ||
            ptype_is_aggregate(program_ptype_info(program, sig->params[k])))
            return false;
    const ParamType *result = program_ptype_info(program, sig->result);
    return !ptype_is_aggregate(result) && result->type != TYPE_VOID;
}
