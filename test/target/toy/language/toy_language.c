#include "target/language.h"
#include "target/toy/model/toy.h"

static const char *const machine[] = {"__toy__ 1", "__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__"};
static const char *const long_double[] = {"__SIZEOF_LONG_DOUBLE__ 8", "__LDBL_MANT_DIG__ 53"};
static const MacroList machine_macros = {machine, sizeof machine / sizeof *machine};
static const MacroList long_double_macros = {long_double, sizeof long_double / sizeof *long_double};

static MachineRegSet frame_registers(const Func *func) {
    (void)func;
    return NO_REGS;
}

static const char *handler_name(const Func *func) {
    (void)func;
    return "a handler";
}

static const TargetFrames frames = {.reg = TOY_FRAME,
                                    .reg_name = "fp",
                                    .registers = frame_registers,
                                    .find_caller = "",
                                    .handler_name = handler_name};

static const char *settle(struct CodeSettings *settings, bool position_independent) {
    (void)settings, (void)position_independent;
    return NULL;
}

static EntryCall entry_call(const struct CodeSettings *settings, bool position_independent) {
    (void)settings, (void)position_independent;
    return (EntryCall){.mistake = "the toy machine counts nothing"};
}

static const char *macro(const struct CodeSettings *settings, uint32_t i) {
    (void)settings, (void)i;
    return NULL;
}

static const MachineOption no_options[1];
static const OptionNote no_notes[1];
static const OptionValues no_values[1];
static const WordSize no_sizes[1];
static const char *const nothing[1];

static const TargetOptions options = {.options = no_options,
                                      .known = {.harmless = no_notes,
                                                .refused = no_notes,
                                                .valued = no_values,
                                                .ignored = nothing,
                                                .reason_of_ignored = ""},
                                      .own_word_size = "-m64",
                                      .word_sizes = no_sizes,
                                      .settle = settle,
                                      .entry_call = entry_call,
                                      .macro = macro,
                                      .float_unit = "none",
                                      .extended_unit = "none"};

static uint32_t aggregate_parts(const struct CType *type, bool result, uint8_t part[PARTS_LIMIT]) {
    (void)type, (void)result, (void)part;
    return 0;
}

extern const TargetLanguage toy_language;

const TargetLanguage toy_language = {.model = {.long_double = LONG_DOUBLE_IS_DOUBLE,
                                               .largest_align = 16,
                                               .array_align = 16,
                                               .largest_lock_free = 8,
                                               .va_list_members = "pp"},
                                     .macros = {.machine = &machine_macros,
                                                .integers = &lp64_macros,
                                                .floats = &iec_60559_macros,
                                                .long_double = &long_double_macros},
                                     .options = &options,
                                     .frames = &frames,
                                     .attributes = nothing,
                                     .aggregate_parts = aggregate_parts};
