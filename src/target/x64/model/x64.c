#include "target/x64/model/x64.h"

const X64Info x64_table[OP_COUNT] = {
#define X64(op, shape, mnemonic) [OP_##op] = {X64_##shape, mnemonic},
#include "target/x64/model/x64.def"
};

// Every operator of ops.def has one row: a second one is declared twice, a missing one not at all.
enum {
#define X64(op, shape, mnemonic) X64_ROW_##op = X64_##shape,
#include "target/x64/model/x64.def"
};
#define EACH_OP(id, family, at) _Static_assert(X64_ROW_##id, "x64.def gives no shape to " #id);
#include "form/ops.def"
