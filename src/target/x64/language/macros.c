// The macros that name x86-64 and its features, as in gcc 12, without macros that promise vector
// instructions and types.
#include "target/x64/language/language_private.h"

static const char *const machine[] = {
    "__ATOMIC_HLE_ACQUIRE 65536",
    "__ATOMIC_HLE_RELEASE 131072",
    "__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__",
    "__GCC_ASM_FLAG_OUTPUTS__ 1",
    "__GCC_CONSTRUCTIVE_SIZE 64",
    "__GCC_DESTRUCTIVE_SIZE 64",
    "__HAVE_SPECULATION_SAFE_VALUE 1",
    "__REGISTER_PREFIX__",
    "__USER_LABEL_PREFIX__",
    "__amd64 1",
    "__amd64__ 1",
    "__code_model_small__ 1",
    "__k8 1",
    "__k8__ 1",
    "__x86_64 1",
    "__x86_64__ 1",
};

static const char *const long_double[] = {
    "__SIZEOF_LONG_DOUBLE__ 16",
    "__DECIMAL_DIG__ 21",
    "__LDBL_DECIMAL_DIG__ 21",
    "__LDBL_DENORM_MIN__ 3.64519953188247460252840593361941982e-4951L",
    "__LDBL_DIG__ 18",
    "__LDBL_EPSILON__ 1.08420217248550443400745280086994171e-19L",
    "__LDBL_HAS_DENORM__ 1",
    "__LDBL_HAS_INFINITY__ 1",
    "__LDBL_HAS_QUIET_NAN__ 1",
    "__LDBL_IS_IEC_60559__ 2",
    "__LDBL_MANT_DIG__ 64",
    "__LDBL_MAX_10_EXP__ 4932",
    "__LDBL_MAX_EXP__ 16384",
    "__LDBL_MAX__ 1.18973149535723176502126385303097021e+4932L",
    "__LDBL_MIN_10_EXP__ (-4931)",
    "__LDBL_MIN_EXP__ (-16381)",
    "__LDBL_MIN__ 3.36210314311209350626267781732175260e-4932L",
    "__LDBL_NORM_MAX__ 1.18973149535723176502126385303097021e+4932L",
};

const MacroList x64_machine_macros = {machine, sizeof machine / sizeof *machine};
const MacroList x64_long_double_macros = {long_double, sizeof long_double / sizeof *long_double};
