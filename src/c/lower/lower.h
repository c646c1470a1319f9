// Lowering: from typed trees to RTL. Both callbacks do nothing once there are errors.
#pragma once

#include "assembly/debug_source.h"
#include "assembly/source_order.h"
#include "c/lower/call_notes.h"
#include "c/lower/local_options.h"
#include "c/parse/parse.h"
#include "c/profile/coverage.h"
#include "c/profile/instrument.h"
#include "c/tables/sanitize.h"
#include "form/program.h"

typedef struct Lower Lower;

Lower *lower_new(Arena *arena, Pp *pp, Types *types, Diag *diag, Program *program);
void lower_free(Lower *lower);
// Has the source described for debuggers.
void lower_describe(Lower *lower, Debug *debug);
// Has what is to be said of calls noted, in memory that lives as long as the program.
void lower_notes(Lower *lower, CallNotes *notes);
// Has it noted where the variables of functions are declared, in memory that lives as long as the
// program.
typedef struct {
    Str function;
    uint32_t number; // of its register or slot
    bool is_slot;
    bool is_unsigned; // or a pointer
    Pos pos;
} VariablePlace;
typedef VEC(VariablePlace) VariablePlaces;
void lower_variables(Lower *lower, VariablePlaces *places);
// Has the variable subscripts of arrays with a known end noted, and the shifts by variable counts,
// in memory that lives as long as the program.
typedef struct {
    Str function;
    Reg index;          // the register that is the index
    bool address;       // the element's address is all that is wanted: that of the end is allowed
    uint8_t base;       // BaseKind: where the array lies, or BASE_NONE if that is not known
    uint32_t ref;       // BASE_REG: the register
    Str object;         // BASE_SLOT, BASE_SYMBOL: its name; numbers of symbols change
    int64_t offset;     // of the array from there
    uint64_t size;      // of an element; 0 of a shift
    uint64_t count;     // of elements; of a shift, the bits
    const CType *array; // its type
    const char *name;   // of the array, or ""
    Pos pos;
    uint32_t length; // of the text
    Loc loc;         // of the instructions that are made of it
} SubscriptPlace;
typedef VEC(SubscriptPlace) SubscriptPlaces;
void lower_subscripts(Lower *lower, SubscriptPlaces *places);
// Functions of <math.h> need not set errno.
void lower_without_errno(Lower *lower);
// The passes, which know one way of rounding, are not to see which numbers are computed with.
void lower_any_rounding(Lower *lower);
void lower_no_builtins(Lower *lower); // names of the library mean nothing
// The same of single names.
void lower_not_builtin(Lower *lower, const char *const *names, uint32_t count);
// Any loop may run for ever, even if its controlling expression is no constant.
void lower_endless_loops(Lower *lower);
// Loads and stores tell their effective types.
void lower_strict_aliasing(Lower *lower);
// Accesses volatile bit-fields by their storage units, where those are aligned.
void lower_whole_units(Lower *lower);
// Leaves all __atomic operations to functions of libatomic.
void lower_library_atomics(Lower *lower);
// Keeps variables in memory, even if registers could hold them.
void lower_variables_in_memory(Lower *lower);
// The treatment of symbols without attributes.
typedef struct {
    Visibility visibility;
    bool common; // symbols without an initial value are common to all objects that define them
    bool keep_static,
        keep_inline;  // static functions, and inline functions, stay even if nothing calls them
    bool replaceable; // definitions of default visibility give way to others that are loaded before
} SymbolDefaults;

// If not called: the default visibility, and neither.
void lower_symbol_defaults(Lower *lower, SymbolDefaults defaults);
// Has undefined behaviour checked for while the program runs.
void lower_checks(Lower *lower, SanitizeOptions options);
// Gives local variables first values, and marks buffers.
void lower_locals(Lower *lower, LocalOptions options);
// Has the program count its runs; NULL: no.
void lower_coverage(Lower *lower, CoverageData *coverage);
// Has functions tell of their entry and exit; NULL: no.
void lower_instrument(Lower *lower, Instrument *instrument);
// Has the units of nodes recorded (units.h), whose text the parser has told; NULL: no.
struct Units;
void lower_units(Lower *lower, struct Units *units);
// Lowers one function while its tree is alive; for ParseOptions.function.
void lower_function(Lower *lower, Decl *func);
// Keeps assembler text at file scope; for ParseOptions.assembler.
// A variable of file scope that is a machine register: from here on nothing else is in it.
void lower_reserve(Lower *lower, Decl *variable);
void lower_file_assembler(Lower *lower, const CString *text, uint32_t order);
// Has the order of definitions and assembler text noted; with `all`, nothing static is left out
// because nobody mentions it.
void lower_order(Lower *lower, SourceOrder *order, bool all);
// Lowers the objects and completes the program; for ParseOptions.finish.
void lower_finish(Lower *lower, Decl *const *decls, uint32_t count);
