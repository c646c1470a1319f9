// Lowers asm statements. An empty template changes nothing but is opaque: a value that goes through
// it may come out as anything. An empty template becomes volatile accesses of a slot, through which
// each value that is read and written travels, and a fence if the statement is volatile. So the
// statement stays in its place, and a call before it is not the last action of a function. A fence
// also keeps memory in order; only a statement that clobbers memory asks for this.
//
// Other templates become an instruction that reads and writes its operands in a slot, with one cell
// for each. The registers of operands are known from here on (asm_plan.h).
#include "c/asm/asm_plan.h"

#include <string.h>

static bool is_empty(const Asm *assembler) {
    for (uint32_t i = 0; i < assembler->length; i++)
        if (!strchr(" \t\n\r;", assembler->text[i])) return false;
    return true;
}

Operand lower_through_slot(Lower *lower, const CType *type, Operand value) {
    Spot place = spot_temporary(lower, type);
    place.is_volatile = true;
    spot_write(lower, &place, type, value);
    return spot_read(lower, &place, type, NO_REG);
}

// The input that shares an output's register: the one whose constraint is its number.
static const AsmOperand *matching_input(const Asm *assembler, uint32_t output) {
    for (uint32_t i = 0; i < assembler->input_count; i++) {
        const char *c = assembler->inputs[i].constraint;
        if (*c == '%') c++;
        if (*c < '0' || *c > '9') continue;
        uint32_t number = 0;
        for (; *c >= '0' && *c <= '9'; c++) number = number * 10 + (uint32_t)(*c - '0');
        if (number == output) return &assembler->inputs[i];
    }
    return NULL;
}

// An output that gets a value: from its matching input, or, if it is read too, from itself.
typedef struct {
    Spot place;
    Operand value;
} Output;

static Output lower_output(Lower *lower, const Asm *assembler, uint32_t i) {
    const AsmOperand *operand = &assembler->outputs[i];
    const CType *type = operand->value->type;
    const AsmOperand *input = matching_input(assembler, i);
    // A machine register that starts as it is has nothing to travel through.
    uint32_t machine = asm_machine_variable(operand->value);
    if (machine != ASM_NO_REGISTER && (!input || asm_machine_variable(input->value) == machine))
        return (Output){.value = NO_OPERAND};
    bool both = strchr(operand->constraint, '+') && !strchr(operand->constraint, 'm');
    Output output = {.value = NO_OPERAND};
    if (lower_type(type) == TYPE_VOID || (!both && !input)) {
        if (input) lower_effect(lower, input->value);
        return output;
    }
    output.place = lower_spot(lower, operand->value);
    if (input) {
        Operand value = lower_expr(lower, input->value, NO_REG);
        output.value = lower_convert(lower, value, input->value->type, type, NO_REG);
    } else {
        output.value = spot_read(lower, &output.place, type, NO_REG);
    }
    if (output.value.type != TYPE_VOID)
        output.value = lower_through_slot(lower, type, output.value);
    return output;
}

void lower_file_assembler(Lower *lower, const CString *text, uint32_t order) {
    if (lower->order)
        vec_push(lower->program->arena, &lower->order->places,
                 ((SourcePlace){
                     .at = order, .symbol = NO_SYM, .file_asm = lower->program->file_asms.count}));
    Str interned =
        str_intern(&lower->program->strings, (const char *)text->bytes, (size_t)text->size - 1);
    vec_push(lower->program->arena, &lower->program->file_asms, interned);
}

// asm statements that are lowered already have chosen their registers.
void lower_reserve(Lower *lower, Decl *variable) {
    Program *program = lower->program;
    const TargetLanguage *language = lower->types->language;
    uint32_t reg = asm_register_named(language, lower->scratch, variable->asm_name);
    variable->place = IN_MACHINE;
    variable->number = reg;
    if (reg == language->assembly->stack_register) return;
    regs_add(&program->reserved, reg);
    bool late = false;
    for (uint32_t i = 0; i < program->asms.count; i++)
        late |= regs_has(program->asms.at[i].destroys, reg);
    if (late)
        pp_report(lower->pp, DIAG_ERROR, NULL, variable->pos, variable->name->length,
                  "'%s' has a register that an asm statement above uses", variable->name->text);
}

static void lower_empty(Lower *lower, const Asm *assembler) {
    for (uint32_t i = 0; i < assembler->input_count; i++) {
        const Expr *value = assembler->inputs[i].value;
        const char *c = assembler->inputs[i].constraint;
        if (*c == '%') c++;
        if (*c < '0' || *c > '9') lower_effect(lower, value);
    }
    uint32_t count = assembler->output_count;
    bool stays = assembler->is_volatile || count == 0;
    for (uint32_t i = 0; i < assembler->clobber_count; i++)
        stays |= strcmp(assembler->clobbers[i], "memory") == 0;
    if (stays) emit_fence(lower, BI_SIGNAL_FENCE, ORDER_SEQ_CST);
    Output *outputs = ARENA_ARRAY(lower->scratch, Output, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) outputs[i] = lower_output(lower, assembler, i);
    for (uint32_t i = 0; i < count; i++)
        if (outputs[i].value.type != TYPE_VOID)
            spot_write(lower, &outputs[i].place, assembler->outputs[i].value->type,
                       outputs[i].value);
}

// ---- Templates

typedef struct {
    Lower *lower;
    AsmPlan plan;
    AsmStatement statement;
    Spot block;
    Spot *outputs;  // where they go
    Reg *arguments; // of the instruction: the address of the block, operands that are ASM_LATE
    AsmHoles holes;
} Statement;

static Spot cell(const Statement *s, uint32_t operand) {
    return spot_offset(s->block, s->plan.places[operand].cell);
}

// How a register is loaded or stored: by its class, and as its type says where it is narrow.
static Chunk chunk_for(const Statement *s, const AsmPlace *place) {
    const TargetAsm *assembly = s->lower->types->language->assembly;
    if (!place->source) return CHUNK_I32;
    const CType *type = place->source->value->type;
    uint64_t size = asm_operand_size(place);
    if (regs_has(assembly->stacked, place->reg)) return chunk_of(type);
    // Of a number of 16 bits the rest of its cell goes along.
    if (regs_has(assembly->floating, place->reg)) return size <= 4 ? CHUNK_F32 : CHUNK_F64;
    if (place->condition) return CHUNK_U8;
    if (lower_type(type) != TYPE_VOID && type_is_int(lower_type(type))) return chunk_of(type);
    return size == 1 ? CHUNK_U8 : size == 2 ? CHUNK_U16 : size == 4 ? CHUNK_I32 : CHUNK_I64;
}

static void add_move(Statement *s, const AsmPlace *place, bool output) {
    Chunk chunk = place->kind == ASM_MEMORY ? CHUNK_I64 : chunk_for(s, place);
    AsmOperandMove move = {.reg = place->reg, .chunk = (uint8_t)chunk, .offset = place->cell};
    Arena *arena = s->lower->program->arena;
    if (output) {
        move.chunk = (uint8_t)chunk_to_store(chunk);
        vec_push(arena, &s->statement.outputs, move);
    } else {
        vec_push(arena, &s->statement.inputs, move);
    }
    if (!regs_has(s->lower->types->language->assembly->stacked, place->reg))
        regs_add(&s->statement.destroys, place->reg);
}

// Puts the value of an expression into a cell.
static void write_cell(Statement *s, uint32_t at, const Expr *value) {
    Spot to = cell(s, at);
    if (lower_type(value->type) == TYPE_VOID)
        lower_record_into(s->lower, value, &to, true);
    else
        spot_write(s->lower, &to, value->type, lower_expr(s->lower, value, NO_REG));
}

static void write_address(Statement *s, const AsmPlace *place, Reg address) {
    Spot to = spot_offset(s->block, place->cell);
    emit_store(s->lower, &to, CHUNK_I64, operand_reg(s->lower, address));
}

// The address of an operand in memory: of an object, of a copy, or, for "p", its value.
static Reg memory_address(Statement *s, const AsmPlace *place) {
    const Expr *value = place->source->value;
    Lower *lower = s->lower;
    if (value->lvalue) {
        Spot spot = lower_spot(lower, value);
        return spot_address(lower, &spot);
    }
    if (strchr(place->source->constraint, 'p')) return lower_in_reg(lower, value);
    Spot copy = spot_temporary(lower, value->type);
    if (lower_type(value->type) == TYPE_VOID)
        lower_record_into(lower, value, &copy, true);
    else
        spot_write(lower, &copy, value->type, lower_expr(lower, value, NO_REG));
    return spot_address(lower, &copy);
}

static void begin_output(Statement *s, uint32_t at) {
    const AsmPlace *place = &s->plan.places[at];
    const CType *type = place->source->value->type;
    if (place->fixed) return;
    if (place->kind == ASM_MEMORY) {
        write_address(s, place, memory_address(s, place));
        add_move(s, place, false);
        return;
    }
    Spot from = s->outputs[at] = spot_simple(s->lower, lower_spot(s->lower, place->source->value));
    bool moves = place->kind == ASM_REGISTER;
    if (moves) add_move(s, place, true);
    if (!place->read) return;
    Spot to = cell(s, at);
    if (lower_type(type) == TYPE_VOID)
        spot_copy(s->lower, &to, &from, type->size);
    else
        spot_write(s->lower, &to, type, spot_read(s->lower, &from, type, NO_REG));
    if (moves) add_move(s, place, false);
}

// A place on the machine's stack of operands keeps its content, unless an output or a clobber says
// otherwise.
static bool stays_on_stack(const Statement *s, const AsmPlace *place) {
    AsmRegisters stacked = s->lower->types->language->assembly->stacked;
    return regs_has(stacked, place->reg) && !regs_has(s->plan.clobbers, place->reg) &&
           place->matches == NO_ID;
}

// Makes a variable that is a machine register start as an input that is matched with it.
static void begin_fixed(Statement *s, const AsmPlace *place) {
    const Expr *value = place->source->value;
    if (asm_machine_variable(value) == place->reg) return;
    Spot spot = spot_of_machine(place->reg);
    spot_write(s->lower, &spot, value->type, lower_expr(s->lower, value, NO_REG));
}

static void begin_input(Statement *s, uint32_t at) {
    const AsmPlace *place = &s->plan.places[at];
    if (place->fixed) {
        begin_fixed(s, place);
        return;
    }
    if (place->kind == ASM_CONSTANT || place->same != NO_ID) return;
    if (place->kind == ASM_LATE) {
        s->arguments[1 + place->late] = lower_in_reg(s->lower, place->source->value);
        return;
    }
    if (place->kind == ASM_MEMORY)
        write_address(s, place, memory_address(s, place));
    else
        write_cell(s, at, place->source->value);
    if (place->kind != ASM_BLOCK) add_move(s, place, false);
    if (place->kind == ASM_REGISTER && stays_on_stack(s, place)) add_move(s, place, true);
}

static void end_output(Statement *s, uint32_t at) {
    const AsmPlace *place = &s->plan.places[at];
    const CType *type = place->source->value->type;
    if (place->kind == ASM_MEMORY || place->fixed) return;
    Lower *lower = s->lower;
    Spot from = cell(s, at);
    if (place->condition) {
        const CType *flag = lower->types->basic[CT_UCHAR];
        Operand value = spot_read(lower, &from, flag, NO_REG);
        spot_write(lower, &s->outputs[at], type, lower_convert(lower, value, flag, type, NO_REG));
    } else if (lower_type(type) == TYPE_VOID) {
        spot_copy(lower, &s->outputs[at], &from, type->size);
    } else {
        spot_write(lower, &s->outputs[at], type, spot_read(lower, &from, type, NO_REG));
    }
}

// Goes where the code jumped to.
static void lower_labels(Statement *s, const Asm *assembler) {
    Lower *lower = s->lower;
    uint32_t count = assembler->label_count;
    if (!count) return;
    Spot told = cell(s, s->plan.count);
    Reg which = operand_in_reg(lower, emit_load(lower, &told, CHUNK_I32, NO_REG));
    int64_t *cases = ARENA_ARRAY(lower->scratch, int64_t, count);
    Label *labels = ARENA_ARRAY(lower->scratch, Label, count), next = label_new(lower);
    for (uint32_t i = 0; i < count; i++) {
        cases[i] = i + 1;
        labels[i] = label_new(lower);
    }
    emit_switch(lower, which, cases, labels, count, next);
    for (uint32_t i = 0; i < count; i++) {
        label_place(lower, labels[i]);
        lower_goto(lower, assembler->labels[i]);
    }
    label_place(lower, next);
}

// Whether nothing goes through a block of operands.
static bool is_alone(const AsmPlan *plan) {
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->places[i].kind != ASM_CONSTANT && !plan->places[i].fixed) return false;
    return !plan->has_base && !plan->jump_count;
}

// Adds the statement to the program, once its operands, which may contain such statements, are
// lowered. The registers that a naked function destroys are between its text and its callers.
static void add_statement(Statement *s, Pos pos) {
    Program *program = s->lower->program;
    uint32_t number = program->asms.count, late = s->plan.late_count;
    if (is_alone(&s->plan))
        emit_builtin(s->lower, BI_ASM_ALONE, NO_REG, NULL, 0, number);
    else
        emit_builtin(s->lower, BI_ASM, NO_REG, s->arguments, 1 + late, number);
    if (s->lower->func->attributes->emission & SYMF_NAKED) s->statement.destroys = NO_REGS;
    vec_push(program->arena, &program->asms, s->statement);
    if (late) asm_defer(s->lower, number, &s->plan, &s->holes, pos);
    for (uint32_t i = 0; i < s->plan.count; i++) {
        const AsmPlace *place = &s->plan.places[i];
        if (place->kind == ASM_CONSTANT && place->symbol.i != NO_ID)
            asm_mention(s->lower, number, place->symbol);
    }
}

static uint32_t block_align(const AsmPlan *plan, uint32_t largest) {
    uint32_t align = 8;
    for (uint32_t i = 0; i < plan->count; i++) {
        const AsmPlace *place = &plan->places[i];
        if (place->kind != ASM_BLOCK) continue;
        uint32_t own = place->source->value->type->align;
        if (own > align) align = own < largest ? own : largest;
    }
    return align;
}

static void lower_template(Lower *lower, const Asm *assembler, Statement *s, Pos pos) {
    uint32_t count = s->plan.count, size = s->plan.size;
    uint32_t largest = lower->types->language->model.largest_align;
    bool alone = is_alone(&s->plan);
    if (!alone)
        s->block = spot_of_slot(
            slot_new(lower, size ? size : 1, size ? block_align(&s->plan, largest) : 1, STR_NONE));
    s->outputs = ARENA_ARRAY(lower->scratch, Spot, (size_t)assembler->output_count + 1);
    s->arguments = ARENA_ARRAY(lower->scratch, Reg, (size_t)s->plan.late_count + 1);
    s->statement.destroys = s->plan.clobbers;
    for (uint32_t i = 0; i < assembler->output_count; i++) begin_output(s, i);
    for (uint32_t i = assembler->output_count; i < count; i++) begin_input(s, i);
    if (s->plan.jump_count) add_move(s, &s->plan.places[count], true);
    if (!alone) s->arguments[0] = spot_address(lower, &s->block);
    if (s->plan.has_base) {
        write_address(s, &s->plan.base, s->arguments[0]);
        add_move(s, &s->plan.base, false);
    }
    add_statement(s, pos);
    for (uint32_t i = 0; i < assembler->output_count; i++) end_output(s, i);
    lower_labels(s, assembler);
}

void lower_asm(Lower *lower, const Stmt *stmt) {
    const Asm *assembler = stmt->assembler;
    if (is_empty(assembler)) {
        lower_empty(lower, assembler);
        return;
    }
    Statement s = {.lower = lower};
    const char *error = NULL;
    if (asm_plan(lower, assembler, &s.plan, &error) &&
        asm_expand(lower, assembler, &s.plan, &s.statement.text, &s.holes, &error)) {
        lower_template(lower, assembler, &s, stmt->pos);
        return;
    }
    // A statement that cannot be reached, because the constant that it asks for is none, may stay.
    lower_late_error(lower, stmt->pos, error);
    lower->late_errors.at[lower->late_errors.count - 1].statement = lower->program->asms.count;
    s.plan = (AsmPlan){0};
    lower_template(lower, &(Asm){0}, &s, stmt->pos);
}

Operand lower_asm_read(Lower *lower, uint32_t reg) {
    CType *type = lower->types->basic[CT_ULONG];
    Decl *content = ARENA_NEW(lower->arena, Decl);
    *content =
        (Decl){.kind = DECL_VAR, .type = type, .attributes = ARENA_NEW(lower->arena, Attributes)};
    Expr value = {.kind = EX_VAR, .type = type, .decl = content};
    AsmOperand output = {.constraint = "=r", .value = &value};
    Out text = {0};
    lower->types->language->assembly->put_copy(&text, (StoredReg)reg);
    Asm assembler = {.text = arena_text(lower->scratch, text.text, text.length),
                     .length = (uint32_t)text.length,
                     .is_extended = true,
                     .outputs = &output,
                     .output_count = 1};
    out_free(&text);
    lower_asm(lower, &(Stmt){.kind = ST_ASM, .pos = lower->pos, .assembler = &assembler});
    Spot place = spot_of_decl(lower, content);
    return spot_read(lower, &place, type, NO_REG);
}
