// asm statements. An empty template changes nothing but is opaque: what goes through it may come
// out as anything. It is lowered to volatile accesses of a slot, through which each value that is
// read and written travels, and to a fence where memory is clobbered. Other templates have to wait
// for a form that knows machine code.
#include "c/lower_private.h"

#include <string.h>

static bool is_empty(const Asm *assembler) {
    for (uint32_t i = 0; i < assembler->length; i++)
        if (!strchr(" \t\n\r;", assembler->text[i])) return false;
    return true;
}

static Operand through_slot(Lower *lower, const CType *type, Operand value) {
    Spot place = place_temporary(lower, type);
    place.is_volatile = true;
    place_write(lower, &place, type, value);
    return place_read(lower, &place, type, NO_REG);
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

// An output that gets a value: from the input it is matched with, or, if it is read too, from
// itself.
typedef struct {
    Spot place;
    Operand value;
} Output;

static Output lower_output(Lower *lower, const Asm *assembler, uint32_t i) {
    const AsmOperand *operand = &assembler->outputs[i];
    const CType *type = operand->value->type;
    const AsmOperand *input = matching_input(assembler, i);
    bool both = strchr(operand->constraint, '+') && !strchr(operand->constraint, 'm');
    Output output = {.value = NO_OPERAND};
    if (lower_type(type) == TYPE_VOID || (!both && !input)) {
        if (input) lower_effect(lower, input->value);
        return output;
    }
    output.place = lower_place(lower, operand->value);
    if (input) {
        Operand value = lower_expr(lower, input->value, NO_REG);
        output.value = lower_convert(lower, value, input->value->type, type, NO_REG);
    } else {
        output.value = place_read(lower, &output.place, type, NO_REG);
    }
    if (output.value.type != TYPE_VOID) output.value = through_slot(lower, type, output.value);
    return output;
}

void lower_asm(Lower *lower, const Stmt *stmt) {
    const Asm *assembler = stmt->assembler;
    if (!is_empty(assembler)) {
        lower_late_error(lower, stmt->pos, 0, "inline assembly is not supported yet");
        emit_builtin(lower, BI_TRAP, NO_REG, NULL, 0, 0);
        return;
    }
    for (uint32_t i = 0; i < assembler->input_count; i++) {
        const Expr *value = assembler->inputs[i].value;
        const char *c = assembler->inputs[i].constraint;
        if (*c == '%') c++;
        if (*c < '0' || *c > '9') lower_effect(lower, value);
    }
    for (uint32_t i = 0; i < assembler->clobber_count; i++)
        if (strcmp(assembler->clobbers[i], "memory") == 0)
            emit_fence(lower, BI_SIGNAL_FENCE, ORDER_SEQ_CST);
    uint32_t count = assembler->output_count;
    Output *outputs = ARENA_ARRAY(lower->scratch, Output, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) outputs[i] = lower_output(lower, assembler, i);
    for (uint32_t i = 0; i < count; i++)
        if (outputs[i].value.type != TYPE_VOID)
            place_write(lower, &outputs[i].place, assembler->outputs[i].value->type,
                        outputs[i].value);
}
