// Chooses places for the operands of asm statements. The most restricted operands choose first. An
// operand avoids the registers of all others as long as there are any; after that an input may
// share the register of an output which is written last. Where a constraint lists alternatives, the
// first that all operands can have is taken; an alternative that waits for an operand to become a
// constant is taken only if there is no other. If registers do not suffice, operands that may be in
// memory stay in the block by which they come, and need one register together.
#include "c/asm/asm_plan.h"

#include <stdlib.h>
#include <string.h>

static const TargetAsm *assembly(const Lower *lower) {
    return lower->types->language->assembly;
}

// ---- Clobbers

static bool read_clobbers(Lower *lower, const Asm *assembler, AsmPlan *plan, const char **error) {
    for (uint32_t i = 0; i < assembler->clobber_count; i++) {
        const char *name = assembler->clobbers[i];
        plan->changes_memory |= strcmp(name, "memory") == 0;
        if (assembly(lower)->clobber(lower->scratch, name, &plan->clobbers)) continue;
        *error = arena_printf(lower->arena, "unknown register name '%s' in asm", name);
        return false;
    }
    plan->clobbers =
        regs_without(plan->clobbers, plan->reserved); // that the code may change them is known
    return true;
}

// ---- Constraints

// The places that one alternative of a constraint allows.
typedef struct {
    AsmRegisters registers;
    bool memory, address;
    bool constant; // some constants, ...
    bool this_one; // ... of which the operand is one
    uint32_t matches;
} Wanted;

// The registers that the letters at the start of a text allow; the letters are read; none if they
// mean none.
static AsmRegisters read_registers(const TargetAsm *assembly, const char **at) {
    for (const AsmClass *row = assembly->classes; row->letters; row++) {
        size_t i = 0;
        while (row->letters[i] &&
               ((*at)[i] == row->letters[i] || (row->letters[i] == '?' && (*at)[i])))
            i++;
        if (row->letters[i]) continue;
        *at += i;
        return row->registers;
    }
    return NO_REGS;
}

// Whether the letter is one for constants.
static bool is_constant_letter(const TargetAsm *assembly, char letter) {
    for (const AsmRange *range = assembly->ranges; range->letter; range++)
        if (range->letter == letter) return true;
    return letter && strchr("insgX", letter);
}

static bool letter_takes(const TargetAsm *assembly, char letter, Sym symbol, int64_t value) {
    bool number = symbol.i == NO_ID;
    for (const AsmRange *range = assembly->ranges; range->letter; range++) {
        if (range->letter != letter) continue;
        if (number ? value >= range->least && value <= range->most : range->symbols) return true;
    }
    switch (letter) {
    case 'i':
    case 'g':
    case 'X': return true;
    case 'n': return number;
    case 's': return !number;
    default: return false;
    }
}

bool asm_constant_fits(const Lower *lower, const char *alternative, Sym symbol, int64_t value) {
    for (; *alternative && !strchr(",#", *alternative); alternative++)
        if (letter_takes(assembly(lower), *alternative, symbol, value)) return true;
    return false;
}

// The output with a number or a [name] in a constraint; NO_ID if there is none.
static uint32_t matched_output(const AsmPlan *plan, const char **at) {
    uint32_t found = NO_ID;
    if (**at == '[') {
        const char *start = ++*at;
        while (**at && **at != ']') ++*at;
        size_t length = (size_t)(*at - start);
        for (uint32_t i = 0; i < plan->output_count; i++) {
            const Ident *name = plan->places[i].source->name;
            if (name && strlen(name->text) == length && strncmp(name->text, start, length) == 0)
                found = i;
        }
        if (**at) ++*at;
        return found;
    }
    char *end;
    unsigned long number = strtoul(*at, &end, 10);
    *at = end;
    return number < plan->output_count ? (uint32_t)number : NO_ID;
}

// Reads one letter, or what belongs together.
static bool read_letter(const TargetAsm *assembly, const AsmPlan *plan, const AsmPlace *place,
                        const char **at, Wanted *wanted) {
    char letter = **at;
    if ((letter >= '0' && letter <= '9') || letter == '[') {
        wanted->matches = matched_output(plan, at);
        return wanted->matches != NO_ID && !place->output;
    }
    bool constant = is_constant_letter(assembly, letter);
    if (constant) {
        wanted->constant = true;
        wanted->this_one |=
            place->is_constant && letter_takes(assembly, letter, place->symbol, place->value);
    }
    if (letter == 'g' || letter == 'X') {
        bool floats = type_is_floating(place->source->value->type);
        regs_add_all(&wanted->registers,
                     floats && letter == 'X' ? assembly->floating : assembly->general);
        wanted->memory = true;
    } else if (strchr("moV<>", letter)) {
        wanted->memory = true;
    } else if (letter == 'p') {
        wanted->address = true;
    } else if (!constant && !strchr("=+%&?!*EFGC", letter)) {
        AsmRegisters registers = read_registers(assembly, at);
        regs_add_all(&wanted->registers, registers);
        return regs_any(registers);
    }
    ++*at;
    return true;
}

// Reads the alternative with that number, or the last one. False if there is a letter that means
// nothing here.
static bool read_constraint(const Lower *lower, const AsmPlan *plan, AsmPlace *place,
                            uint32_t alternative, Wanted *wanted) {
    const char *at = place->source->constraint;
    for (; alternative; alternative--) {
        const char *comma = strchr(at, ',');
        if (!comma) break;
        at = comma + 1;
    }
    place->constraint = at;
    *wanted = (Wanted){.matches = NO_ID};
    while (*at && *at != ',' && *at != '#')
        if (!read_letter(assembly(lower), plan, place, &at, wanted)) return false;
    return true;
}

// ---- One operand

uint64_t asm_operand_size(const AsmPlace *place) {
    if (!place->source) return 4;
    return place->condition ? 1 : place->source->value->type->size;
}

// The register in which a variable was declared to be; ASM_NO_REGISTER for a usual variable.
static uint32_t declared_register(Lower *lower, const Expr *value) {
    if (value->kind == EX_CAST && value->cast == CAST_READ) value = value->left;
    if (value->kind != EX_VAR) return ASM_NO_REGISTER;
    const Decl *decl = value->decl;
    if (decl->storage != STORAGE_REGISTER || !decl->asm_name) return ASM_NO_REGISTER;
    return asm_register_named(lower->types->language, lower->scratch, decl->asm_name);
}

uint32_t asm_machine_variable(const Expr *value) {
    if (value->kind == EX_CAST && value->cast == CAST_READ) value = value->left;
    bool is_one = value->kind == EX_VAR && value->decl->place == IN_MACHINE;
    return is_one ? value->decl->number : ASM_NO_REGISTER;
}

// Whether an operand stays in its place: it is a machine register that the constraint asks for.
static bool is_fixed(const Lower *lower, AsmPlace *place, const Wanted *wanted) {
    uint32_t reg = asm_machine_variable(place->source->value);
    if (reg == ASM_NO_REGISTER) return false;
    AsmRegisters general = assembly(lower)->general;
    bool any = !regs_any(regs_without(general, wanted->registers));
    if (!any && !regs_has(wanted->registers, reg)) return false;
    place->fixed = true;
    place->reg = (StoredReg)reg;
    return true;
}

// The registers among these that can hold the operand.
static AsmRegisters fitting(const Lower *lower, const AsmPlace *place, AsmRegisters registers) {
    bool floating = type_is_floating(place->source->value->type);
    return regs_and(registers, assembly(lower)->holding(asm_operand_size(place), floating));
}

// Whether an operand that is no constant yet may become one: an integer or a pointer.
static bool may_become_constant(const AsmPlace *place) {
    const CType *of = place->source->value->type;
    Type type = lower_type(of);
    return !place->output && !place->is_constant && of->kind != CT_HALF &&
           (type == TYPE_I32 || type == TYPE_I64);
}

// The extent of the search for places: with `late`, an operand that is no constant yet gets a
// place, too; with `block`, operands that can be in memory stay in the block.
typedef struct {
    bool late, block;
} Effort;

// Whether nobody can tell an operand in memory from a copy: it might as well be in a register, or
// is a variable of the function, which only the operand's code is expected to reach. An input of a
// statement that changes memory may be meant to be changed.
static bool may_be_copy(const AsmPlan *plan, const AsmPlace *place, const Wanted *wanted) {
    const Expr *value = place->source->value;
    if (!wanted->memory || value->type->variable || value->type->quals & Q_VOLATILE) return false;
    if (regs_any(wanted->registers) || !value->lvalue) return true;
    if (!place->output && plan->changes_memory) return false;
    while (value->kind == EX_MEMBER && value->left->lvalue) value = value->left;
    return value->kind == EX_VAR && !value->decl->file_scope && !value->decl->external &&
           value->decl->storage != STORAGE_STATIC && !(value->decl->type->quals & Q_VOLATILE);
}

static bool choose_place(Lower *lower, const AsmPlan *plan, AsmPlace *place, const Wanted *wanted,
                         Effort effort) {
    place->matches = wanted->matches;
    place->same = NO_ID;
    place->allowed = fitting(lower, place, wanted->registers);
    if (regs_equal(place->allowed, assembly(lower)->general) && !place->output)
        place->allowed = assembly(lower)->readable;
    uint32_t declared = declared_register(lower, place->source->value);
    if (declared != ASM_NO_REGISTER && regs_any(place->allowed))
        place->allowed = regs_and(place->allowed, regs_of(declared));
    place->kind = ASM_REGISTER;
    if (place->matches != NO_ID || is_fixed(lower, place, wanted)) return true;
    if (wanted->this_one && place->symbol.i == NO_ID) {
        place->kind = ASM_CONSTANT;
    } else if (effort.block && may_be_copy(plan, place, wanted)) {
        place->kind = ASM_BLOCK;
    } else if (regs_any(place->allowed)) {
        return true;
    } else if (wanted->address ||
               (wanted->memory && (place->source->in_memory || !place->output))) {
        place->kind = ASM_MEMORY;
        place->allowed = assembly(lower)->readable;
    } else if (wanted->this_one) {
        place->kind = ASM_CONSTANT;
    } else if (effort.late && wanted->constant && may_become_constant(place)) {
        place->kind = ASM_LATE;
    } else {
        return false;
    }
    return true;
}

static const char *impossible(Lower *lower, const AsmPlace *place) {
    if (!place->source) return "no register is left for the labels of asm";
    return arena_printf(lower->arena, "no place for the operand of asm with the constraint '%s'",
                        place->source->constraint);
}

int64_t asm_extended(uint64_t size, int64_t value) {
    switch (size) {
    case 1: return (int8_t)value;
    case 2: return (int16_t)value;
    case 4: return (int32_t)value;
    default: return value;
    }
}

static bool read_place(Lower *lower, AsmPlan *plan, AsmPlace *place, uint32_t alternative,
                       Effort effort, const char **error) {
    Wanted wanted;
    const char *constraint = place->source->constraint;
    place->is_constant = !place->output &&
                         lower_constant(lower, place->source->value, &place->symbol, &place->value);
    if (place->is_constant && place->symbol.i == NO_ID)
        place->value = asm_extended(asm_operand_size(place), place->value);
    place->read = place->output && *constraint == '+';
    place->early = place->output && strchr(constraint, '&');
    if (strncmp(constraint, "=@cc", 4) == 0 && constraint[4] && place->output) {
        place->condition = constraint + 4;
        place->allowed = assembly(lower)->general;
        place->kind = ASM_REGISTER;
        place->matches = place->same = NO_ID;
        return true;
    }
    if (!read_constraint(lower, plan, place, alternative, &wanted)) {
        *error =
            arena_printf(lower->arena, "the constraint '%s' of asm is not supported", constraint);
        return false;
    }
    if (!choose_place(lower, plan, place, &wanted, effort)) {
        *error = impossible(lower, place);
        return false;
    }
    if (place->matches != NO_ID) plan->places[place->matches].shared = true;
    if (place->kind == ASM_LATE) place->late = plan->late_count++;
    return true;
}

// ---- Registers

// When an operand's register is taken: before the code runs, after it.
typedef struct {
    AsmRegisters before, after;
} TakenRegisters;

static void needs(const AsmPlace *place, bool *before, bool *after) {
    bool address = place->kind == ASM_MEMORY;
    *before = !place->output || place->read || place->shared || place->early || address;
    *after = place->output || address;
}

static uint32_t first_of(const TargetAsm *assembly, AsmRegisters set) {
    for (uint32_t i = 0; i < assembly->order_count; i++)
        if (regs_has(set, assembly->order[i])) return assembly->order[i];
    return regs_next(set, 0);
}

static bool take(const Lower *lower, const AsmPlan *plan, AsmPlace *place, TakenRegisters *taken) {
    bool before, after;
    needs(place, &before, &after);
    AsmRegisters destroyed = regs_without(plan->clobbers, assembly(lower)->stacked);
    AsmRegisters free = regs_without(regs_without(place->allowed, destroyed), plan->reserved);
    AsmRegisters all = regs_or(regs_or(taken->before, taken->after), plan->reserved);
    if (before) free = regs_without(free, taken->before);
    if (after) free = regs_without(free, taken->after);
    if (!regs_any(free)) return false;
    // The last general register is for the address of the block.
    AsmRegisters apart = regs_without(free, all), shared = regs_and(free, all);
    AsmRegisters block = asm_block_registers(lower->program);
    bool last = regs_meet(apart, block) && regs_count(regs_without(block, all)) == 1;
    if (last && regs_any(shared)) apart = NO_REGS;
    if (last && regs_any(regs_without(apart, block))) apart = regs_without(apart, block);
    AsmRegisters best = regs_any(apart) ? apart : shared;
    place->reg = (StoredReg)first_of(assembly(lower), best);
    if (before) regs_add(&taken->before, place->reg);
    if (after) regs_add(&taken->after, place->reg);
    return true;
}

static bool has_register(const AsmPlace *place) {
    return (place->kind == ASM_REGISTER || place->kind == ASM_MEMORY) && place->matches == NO_ID &&
           place->same == NO_ID && !place->fixed;
}

static const Decl *register_variable(Lower *lower, const AsmPlace *place) {
    const Expr *value = place->source->value;
    if (place->kind != ASM_REGISTER || place->condition) return NULL;
    if (declared_register(lower, value) == ASM_NO_REGISTER) return NULL;
    return value->kind == EX_CAST ? value->left->decl : value->decl;
}

// One register variable may be several operands: the operands that start with its value are one.
static void find_same(Lower *lower, AsmPlan *plan) {
    for (uint32_t i = plan->output_count; i < plan->count; i++) {
        AsmPlace *place = &plan->places[i];
        const Decl *variable = has_register(place) ? register_variable(lower, place) : NULL;
        for (uint32_t k = 0; variable && k < i && place->same == NO_ID; k++) {
            const AsmPlace *other = &plan->places[k];
            bool starts = !other->output || other->read;
            if (starts && has_register(other) && register_variable(lower, other) == variable)
                place->same = k;
        }
    }
}

static bool follow_match(const Lower *lower, const AsmPlan *plan, AsmPlace *place) {
    const AsmPlace *output = &plan->places[place->matches];
    place->kind = output->kind;
    place->reg = output->reg;
    place->fixed = output->fixed;
    if (output->kind == ASM_BLOCK) return asm_operand_size(place) <= asm_operand_size(output);
    return output->kind == ASM_REGISTER &&
           (place->fixed || regs_any(fitting(lower, place, regs_of(place->reg))));
}

// Operands with fewer registers to choose from come first.
static bool take_registers(Lower *lower, AsmPlan *plan, const char **error) {
    TakenRegisters taken = {NO_REGS, NO_REGS};
    for (uint32_t size = 1; size <= MACHINE_REG_LIMIT; size++)
        for (uint32_t i = 0; i < plan->count + plan->jump_count; i++) {
            AsmPlace *place = &plan->places[i];
            if (!has_register(place) || regs_count(place->allowed) != size) continue;
            if (take(lower, plan, place, &taken)) continue;
            *error = impossible(lower, place);
            return false;
        }
    for (uint32_t i = 0; i < plan->count; i++) plan->has_base |= plan->places[i].kind == ASM_BLOCK;
    if (plan->has_base && !take(lower, plan, &plan->base, &taken)) {
        *error = "no register is left for the address of asm's operands in memory";
        return false;
    }
    for (uint32_t i = plan->output_count; i < plan->count; i++) {
        AsmPlace *place = &plan->places[i];
        if (place->same != NO_ID) place->reg = plan->places[place->same].reg;
        if (place->matches == NO_ID || follow_match(lower, plan, place)) continue;
        *error = impossible(lower, place);
        return false;
    }
    AsmRegisters all = regs_or(taken.before, taken.after);
    if (regs_any(regs_without(asm_block_registers(lower->program), all))) return true;
    *error = "too many operands of asm in registers";
    return false;
}

// ---- All operands

static uint32_t count_alternatives(const Asm *assembler) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < assembler->output_count + assembler->input_count; i++) {
        const AsmOperand *operand = i < assembler->output_count
                                        ? &assembler->outputs[i]
                                        : &assembler->inputs[i - assembler->output_count];
        uint32_t count = 1;
        for (const char *at = operand->constraint; *at; at++) count += *at == ',';
        if (count > most) most = count;
    }
    return most;
}

static bool try_alternative(Lower *lower, const Asm *assembler, AsmPlan *plan, uint32_t alternative,
                            Effort effort, const char **error) {
    plan->late_count = 0;
    plan->has_base = false;
    plan->base = (AsmPlace){
        .kind = ASM_MEMORY, .allowed = assembly(lower)->readable, .matches = NO_ID, .same = NO_ID};
    for (uint32_t i = 0; i < plan->count; i++) {
        bool output = i < plan->output_count;
        plan->places[i] = (AsmPlace){.source = output ? &assembler->outputs[i]
                                                      : &assembler->inputs[i - plan->output_count],
                                     .output = output};
    }
    plan->places[plan->count] = (AsmPlace){.kind = ASM_REGISTER,
                                           .output = true,
                                           .allowed = assembly(lower)->general,
                                           .matches = NO_ID,
                                           .same = NO_ID};
    for (uint32_t i = 0; i < plan->count; i++)
        if (!read_place(lower, plan, &plan->places[i], alternative, effort, error)) return false;
    find_same(lower, plan);
    return take_registers(lower, plan, error);
}

// Lays out the block. `cell` is the size of the largest operand in a register, in bytes.
static void place_cells(AsmPlan *plan, uint32_t cell) {
    plan->size = 0;
    for (uint32_t i = 0; i < plan->count + plan->jump_count + plan->has_base; i++) {
        AsmPlace *place = i < plan->count + plan->jump_count ? &plan->places[i] : &plan->base;
        uint64_t size = place->kind == ASM_BLOCK ? asm_operand_size(place) : cell;
        bool shared = place->kind == ASM_BLOCK && place->matches != NO_ID;
        place->cell = shared ? plan->places[place->matches].cell : plan->size;
        if (!shared) plan->size += (uint32_t)((size + cell - 1) / cell * cell);
    }
}

bool asm_plan(Lower *lower, const Asm *assembler, AsmPlan *plan, const char **error) {
    uint32_t count = assembler->output_count + assembler->input_count;
    *plan = (AsmPlan){.places = ARENA_ARRAY(lower->scratch, AsmPlace, (size_t)count + 1),
                      .output_count = assembler->output_count,
                      .count = count,
                      .jump_count = assembler->label_count > 0,
                      .reserved = lower->program->reserved};
    if (!assembly(lower)) {
        *error = "this machine has no asm statements";
        return false;
    }
    if (!read_clobbers(lower, assembler, plan, error)) return false;
    uint32_t alternatives = count_alternatives(assembler);
    static const Effort efforts[] = {{0}, {.late = true}, {.block = true}, {true, true}};
    for (uint32_t i = 0; i < sizeof efforts / sizeof *efforts; i++)
        for (uint32_t k = 0; k < alternatives; k++) {
            if (!try_alternative(lower, assembler, plan, k, efforts[i], error)) continue;
            place_cells(plan, lower->types->language->model.largest_align);
            return true;
        }
    return false;
}
