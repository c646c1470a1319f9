// The description of the two parts of a slice's hint.
#include "hint/hints_slice.h"

#include "cert/hint_macros.h"

static const HintField fields_SliceSymbolsHint[] = {VECTOR(SliceSymbolsHint, symbols)};
static const HintField fields_SliceFunctionHint[] = {
    NUMBER(SliceFunctionHint, symbol),
    VECTOR(SliceFunctionHint, old),
    VECTOR(SliceFunctionHint, regs),
    VECTOR(SliceFunctionHint, slots),
    VECTOR(SliceFunctionHint, next),
    VECTOR(SliceFunctionHint, relevant_at),
    VECTOR(SliceFunctionHint, relevant),
    COLUMN(SliceFunctionHint, points, SlicePoint, node),
    COLUMN(SliceFunctionHint, points, SlicePoint, variable),
    VECTOR(SliceFunctionHint, exits),
    COLUMN(SliceFunctionHint, assumed, SliceAssumption, branch),
    COLUMN(SliceFunctionHint, assumed, SliceAssumption, way),
    COLUMN(SliceFunctionHint, apart, SliceApart, a),
    COLUMN(SliceFunctionHint, apart, SliceApart, b),
    NUMBER(SliceFunctionHint, once),
    NUMBER(SliceFunctionHint, outputs),
    NUMBER(SliceFunctionHint, inputs),
    VECTOR(SliceFunctionHint, params),
};

#define SLICE_SHAPE(Hint)                                                                          \
    {                                                                                              \
        .fields = fields_##Hint, .count = sizeof fields_##Hint / sizeof(HintField),                \
        .size = sizeof(Hint)                                                                       \
    }
const HintShape slice_symbols_shape = SLICE_SHAPE(SliceSymbolsHint);
const HintShape slice_function_shape = SLICE_SHAPE(SliceFunctionHint);
