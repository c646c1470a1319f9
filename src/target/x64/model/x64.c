#include "target/x64/model/x64.h"

const X64Info x64_table[OP_COUNT] = {
#define X64(op, shape, mnemonic) [OP_##op] = {X64_##shape, mnemonic},
#include "target/x64/model/x64.def"
};
