// Facts about the memory of a whole unit, and about the effects of its functions.
//
// The facts are claims about the program as the front end made it, its *first* program: the first
// form of every function, the declarations, and all other code that may be linked to them.
//
//   * A *hidden* object is static data whose address is used for accesses only. Such an object is
//     touched by accesses that start from its address, and by no others. Every hidden object
//     belongs to one of few families; several objects may share a family.
//   * During a call of a function, callees included, only hidden objects of the families `writes`
//     are written, and only those of `reads` are read. `effects` has the other effects of the call.
//     Accesses of the call to its own slots do not count, unless the address of such a slot gets
//     out of sight: then `effects` has all of UNIT_FRAME_KNOWN.
//   * A function of depth d > 0 calls functions of smaller depths only.
//   * A *plain* parameter is an address that the function uses for accesses only, at the address
//     or a distance from it, or hands on as a plain parameter. READ and WRITTEN: the function has
//     such accesses. COMPARED: the function asks whether the address is null.
//   * A function that *yields* a hidden object yields an address made from the object's address,
//     or something that has nothing to do with it. Nobody unknown calls the function.
//   * A claimed range holds some filling of the undefined bits (range.h) of each argument for a
//     parameter of a function that nobody unknown calls; of each result of a function; of what
//     each load of a whole hidden object yields, an integer, as an unsigned number.
//
// check/unit/check_unit.c checks the claims, and has the argument why the claims hold for later
// forms of the functions, too. A program without claims has NULL: then each function below says
// what is known of any program.
#pragma once

#include "base/bits.h"
#include "fact/effects.h"
#include "fact/range.h"

typedef uint64_t UnitSet; // of families

enum {
    UNIT_FAMILIES = 64,
    UNIT_OPEN = 255,         // the family of what is not hidden
    UNIT_EXPOSED = 1u << 20, // in `effects`: others may call the function
};

// Bits of a parameter. One that is not plain has none.
enum { UNIT_PLAIN = 1, UNIT_READ = 2, UNIT_WRITTEN = 4, UNIT_COMPARED = 8 };

typedef struct {
    UnitSet writes, reads;
    uint32_t effects; // Effects, and UNIT_EXPOSED
    uint32_t depth;   // 0: it may call itself, or others that are not known
    uint32_t yields;  // the hidden object, as a symbol, plus one; 0: none
} UnitEffect;

// A range that is claimed; no bits are said to be defined. `of` counts the parameters of all
// functions; behind them, by symbol, results of functions; behind them, hidden objects.
typedef struct {
    uint32_t of;
    Range range;
} UnitRange;

typedef struct UnitMemory {
    // The claims, as certificates have them.
    VEC(uint8_t) family_of;  // by symbol
    VEC(UnitEffect) effects; // by symbol; only those of functions count
    VEC(uint8_t) params;     // UNIT_ bits of all parameters of all functions, see params_at
    VEC(UnitRange) ranges;   // `of` ascends
    // Families of objects whose address is an argument for a plain parameter that is read, written.
    UnitSet passed_read, passed_written;
    // What follows from them (unit_memory_index).
    uint32_t *params_at;   // by symbol: its first parameter in `params`; NO_ID: there are none
    uint32_t *range_at;    // by what it is of: the range in `ranges`; NO_ID: there is none
    UnitEffect outside;    // of code that is not known
    UnitSet written, read; // by anybody
} UnitMemory;

// What `effects` can say.
#define UNIT_EFFECTS                                                                               \
    ((Effects)(MAY_READ_SHARED | MAY_WRITE_SHARED | MAY_STOP | MAY_BE_EVENT | MAY_SPIN |           \
               USES_FRAME | USES_MACHINE))
#define UNIT_FRAME_KNOWN ((uint32_t)(MAY_READ_SHARED | MAY_WRITE_SHARED | USES_FRAME))

// Whether a function is defined here, so that there are claims about it.
bool unit_has_claims(const Symbol *symbol);
// Whether a symbol is static data that the linker, other threads and const say nothing about.
bool unit_may_be_hidden(const Symbol *symbol);
// The symbols whose address the declarations use: data, aliases, and texts for the assembler.
Bits unit_used_symbols(Arena *arena, const Program *program);
// Fills in what follows from the claims. False if they are not as long as they must be.
bool unit_memory_index(Arena *arena, const Program *program, UnitMemory *unit);

// The family of a symbol, or UNIT_OPEN.
uint32_t unit_family(const UnitMemory *unit, uint32_t symbol);
// Whether a symbol keeps the contents it starts with.
bool unit_keeps_contents(const Program *program, Sym symbol);
// Whether nobody ever reads a symbol.
bool unit_is_unread(const Program *program, Sym symbol);

// ---- Values

// What a range is of: the k-th parameter of a function, its result, a hidden object.
static inline uint32_t unit_of_param(const UnitMemory *unit, Sym function, uint32_t k) {
    return unit->params_at[function.i] + k;
}
static inline uint32_t unit_of_result(const UnitMemory *unit, Sym function) {
    return unit->params.count + function.i;
}
static inline uint32_t unit_of_object(const UnitMemory *unit, Sym symbol) {
    return unit->params.count + unit->family_of.count + symbol.i;
}
static inline uint32_t unit_of_count(const UnitMemory *unit) {
    return unit->params.count + 2 * unit->family_of.count;
}
// The claimed range; NULL if there is none.
const Range *unit_range(const UnitMemory *unit, uint32_t of);
// Whether a load or store is of a whole object of a size that an integer has, by the object's name.
bool unit_accesses_whole(const Program *program, const Instr *instr);
// The claimed range of a parameter's register; NULL if there is none.
const Range *unit_range_of_param(const Func *func, Reg param);
// The claimed range of the integer that a call or a load yields. False if there is none.
bool unit_range_of_instr(const Program *program, const Instr *instr, Range *range);
// The hidden object whose address a call may yield; NO_SYM if there is none.
Sym unit_yielded(const Program *program, const Instr *instr);

// ---- Calls

// Whether an instruction calls a function of the unit, by its name, as the function is defined.
bool unit_calls_own(const Program *program, const Instr *instr);
// The effects of an instruction: narrower than instr_effects for calls of functions of the unit.
// Accesses by the addresses in arguments for plain parameters are not among them.
Effects unit_instr_effects(const Program *program, const Instr *instr);
// The families of hidden objects that a call, or an instruction that orders accesses, may write.
UnitSet unit_writes(const Program *program, const Instr *instr);
// The UNIT_ bits of the parameter to which a call hands its k-th argument; 0 if it is not plain.
uint32_t unit_param(const Program *program, const Instr *instr, uint32_t k);
// Whether leaving a call out changes only its destination.
bool unit_call_is_removable(const Program *program, const Instr *instr);
// Whether a call of a function, as it is defined, comes to its end, does nothing else, and yields a
// number or an address that depends on the arguments alone, which are such, too.
bool unit_is_pure(const Program *program, Sym function);
