// Types and functions that the parts of lowering share:
//   lower_emit.c     nodes, labels, registers, and the finished function
//   lower_type.c     C types as RTL types; how the calling convention carries them
//   lower_spot.c    where things are: lvalues, addresses, loads and stores
//   lower_bits.c     bit-fields
//   lower_record.c   struct and union values
//   lower_convert.c  conversions between scalar types
//   lower_wide.c     integers of 128 bits
//   lower_half.c     floating numbers of 16 bits
//   lower_expr.c     expressions
//   lower_logic.c    conditions, and the expressions that branch
//   lower_assign.c   assignments, ++ and --
//   lower_complex.c  complex numbers
//   lower_call.c     calls
//   lower_library.c  calls of library functions that are done in place
//   lower_builtin.c  __builtin_ functions
//   lower_late.c     __builtin_ functions that are answered late: late.h
//   lower_overflow.c __builtin_ functions that report overflow
//   lower_padding.c  __builtin_clear_padding
//   lower_local.c    initial contents of variables, and variables that are buffers
//   lower_sanitize.c checks for undefined behaviour
//   lower_report.c   the calls of failed checks
//   lower_atomic.c   atomic accesses
//   lower_stmt.c     statements
//   lower_scope.c    labels, and leaving scopes
//   lower_switch.c   switch
//   lower_asm.c      asm, with asm_plan.c, asm_template.c and asm_late.c
//   lower_symbol.c   symbols: names, linkage, attributes
//   lower_data.c     the initial values of objects
//   lower_prune.c    removes unused functions and data
//   lower_twice.c    calls through pointers that may return twice
//   lower_debug.c    the description for debuggers, with lower_debug_type.c
//   lower_instrument.c calls at the entry and the exits of functions
//   lower_coverage.c coverage, with lower_counters.c
//   lower.c          functions and the unit
#pragma once

#include "c/lower/lower.h"
#include "c/parse/units.h"
#include "fact/eval.h"

// A point in the function under construction that can be jumped to, perhaps before its node exists.
typedef struct {
    uint32_t i;
} Label;

// Marks a label among the successors of a node.
#define LABEL_BIT 0x80000000u

// The type of a 128-bit integer, which no register has: it takes two i64, the high half behind the
// low half, and is known by the low half.
#define TYPE_WIDE TYPE_COUNT

// The value of a scalar expression: a register (perhaps of a variable) or an integer constant that
// has not been put into a register. i32 constants are sign-extended.
typedef struct {
    Type type; // TYPE_VOID: no value
    bool constant;
    bool high_constant; // of TYPE_WIDE there is a second half
    bool extended;      // the high half is known to be the sign of the low one
    bool assumed;       // the size of an object: what it is, is no reason for a warning
    Reg reg, high;
    int64_t imm, high_imm;
} Operand;

#define NO_OPERAND ((Operand){.type = TYPE_VOID, .reg = NO_REG})

// A pointer that is to be tested before an access through it (lower_sanitize.c): base, index and
// offset as in a Spot.
typedef struct {
    const CType *type; // the type that it points to; NULL: there is nothing to test
    bool member;       // a member of that is accessed
    uint8_t base, scale;
    Reg reg, index;
    uint32_t ref;
    int64_t offset;
} SpotGuard;

// The place of an object: in a register (a complex number in this and the next), in a machine
// register, or in memory at base + index * scale + offset.
typedef struct {
    bool in_register;
    bool in_machine; // `ref` is its number
    bool is_volatile;
    bool is_atomic; // of an _Atomic type
    bool bitfield;
    bool reversed;       // stored with the highest byte first
    bool typed;          // an lvalue whose type limits what an access may concern
    bool in_unit;        // of a bit-field: its storage unit is an aligned part of the record
    uint16_t bit, width; // as in Member
    uint8_t base;        // BaseKind
    uint8_t scale;       // 0: no index
    uint8_t effective;   // EffectiveType of the next access
    Reg reg;             // the register it is in, or the base
    Reg index;
    uint32_t ref; // symbol or slot
    int64_t offset;
    SpotGuard guard;
} Spot;

// The meaning of Decl.number, by Decl.place.
enum {
    IN_NOTHING, // not met yet
    IN_REGISTER,
    IN_SLOT,
    IN_SYMBOL,
    IN_POINTER,      // its address is in the register
    IN_POINTER_SLOT, // its address is in the slot
    IN_MACHINE,      // the machine register with this number
};

// Something to be done when control leaves a scope; a list from the innermost outward.
typedef struct Unwind {
    struct Unwind *outer;
    struct Unwind *skip;  // some steps outward at once; see lower_scope.c
    struct Unwind *calls; // the first with a cleanup from here outward, or NULL
    uint32_t depth;
    uint32_t unit; // in which it was declared
    Decl *cleanup; // variable with the attribute, or NULL:
    Reg token;     // the stack before a variable-length array was made
} Unwind;

// A loop or switch that control is in.
typedef struct BreakTarget {
    struct BreakTarget *outer;
    const Stmt *stmt;
    Label on_break, on_continue;
    Unwind *unwind;
} BreakTarget;

// A label of the source.
typedef struct {
    Label label;
    uint32_t address; // its value as &&label, from 1; 0 if nobody asked
    Unwind *unwind;   // at its definition
} NamedLabel;

// A goto out of scopes that have to be left properly, once its target is known.
typedef struct {
    Label edge;
    uint32_t target; // index of a NamedLabel
    Unwind *unwind;
    uint32_t unit; // of the statement
} PendingGoto;

// A way out that calls cleanups: from an entry up to, but without, another one, then on to a label.
typedef struct {
    Unwind *from, *until;
    Label destination;
    Label label; // where it begins
    bool placed;
} Exit;

// A complaint about a function, made only if the function turns out to be used; or about an asm
// statement, made only if control can get there.
typedef struct {
    Sym function;
    uint32_t statement; // its number, or NO_ID
    Pos pos;
    const char *message;
} LateError;

// Where a constant is to be put into the text of an asm statement later on.
typedef struct {
    uint32_t at;   // offset in the text
    uint32_t late; // which of the statement's operands that are not known yet
    char modifier; // as in the template, or 0
} AsmHole;
typedef VEC(AsmHole) AsmHoles;

// The open decisions about an asm statement, see asm_late.c.
typedef struct {
    Pos pos;
    Sym function; // in which it stands in the source
    AsmHoles holes;
    uint32_t count;           // operands
    const char **constraints; // of each: the alternative that it has to meet,
    uint64_t *sizes;          // and its size
} AsmLate;

// A symbol in the text of an asm statement.
typedef struct {
    Sym symbol;
    uint32_t next; // another of the same statement, or HASH_NONE
} AsmMention;

// For debuggers: a block that control is in, ...
typedef struct DebugBlock {
    struct DebugBlock *outer;
    uint32_t around; // the scope around it
    bool declares;   // it has a scope of its own
} DebugBlock;

// ... a variable of the function, ...
typedef struct {
    Decl *decl;
    uint32_t scope;
} LocalDecl;

// ... and a record or enum whose members are still to be described.
typedef struct {
    const CType *type;
    uint32_t id;
} WaitingType;

// An object of a block that is there if the function is.
typedef struct {
    Sym function, object;
} OwnedObject;

// The data of a handler of failed checks besides its place: an object with these members in this
// order.
typedef struct {
    bool no_place;     // the place is the place of an attribute, which is not known
    bool second_place; // a second place follows
    const CType *types[2];
    uint8_t bytes[2];
    uint32_t byte_count;
    bool has_number;
    uint32_t number;
} ReportData;

// A call of a handler, which stands behind the function's body.
typedef struct {
    const char *handler; // its name, without what all have
    Sym object;
    Operand values[2];
    uint32_t value_count;
    bool recovers;   // control goes on to `good`
    bool ends;       // the handler never returns, and there is no other
    Label good, bad; // `bad` is where the call is
    Pos pos;
} CheckReport;

typedef struct {
    Sym symbol;
    const CString *object; // NULL of a literal
} KnownString;

// A function that passes on its variable arguments, and where.
typedef struct {
    Sym function;
    Pos pos;
} PackingFunction;

struct Lower {
    Arena *arena;   // of the unit
    Arena *scratch; // of the function being lowered
    Pp *pp;
    Types *types;
    Diag *diag;
    Program *program;

    // Of the unit
    Table strings; // string literals by content, others by identity
    VEC(KnownString) string_list;
    SymbolDefaults defaults;
    SanitizeOptions sanitize;
    CallNotes *notes;          // NULL: nobody asks
    VariablePlaces *variables; // the same
    SubscriptPlaces *subscripts;
    LocalOptions locals;
    bool automatic;                 // emitted code does not come from the source
    bool no_builtins;               // -fno-builtin
    const char *const *not_builtin; // -fno-builtin-NAME
    uint32_t not_builtin_count;
    bool endless_loops;    // -fno-finite-loops
    bool strict_aliasing;  // -fstrict-aliasing
    SourceOrder *order;    // filled in; or NULL
    bool ordered;          // static variables stay, as the order is all that counts
    bool library_atomics;  // libatomic does what __atomic functions do
    bool whole_units;      // volatile bit-fields are accessed by their storage units
    bool all_in_memory;    // variables are kept in slots, where debuggers find them
    bool in_memory;        // variables of the function are in memory
    bool tells_types;      // accesses in the function have effective types
    uint32_t hidden_count; // numbers objects that have no name of their own
    VEC(LateError) late_errors;
    VEC(OwnedObject) owned; // objects of a function follow each other
    VEC(AsmLate) late_asms;
    Map late_of; // statement -> its index here
    VEC(AsmMention) mentions;
    Map mentions_of;     // statement -> the first of its mentions
    bool has_late;       // there are the symbols of late.h,
    uint32_t first_late; // from here on
    Map library;         // symbol -> LateLibrary: calls that may be folded once arguments are known
    Sym compares_by;     // memcmp, if the library has a call of LIBRARY_COMPARE
    bool marks_members;  // a function up to here asks for the sizes of members
    VEC(PackingFunction) packing;
    Map open_objects; // symbols of objects that end in a flexible array: elsewhere it may have elements
    Map empty_objects;              // symbols of objects that are said to have no bytes
    Map allocators;                 // symbol -> parameters whose product it allocates, 16 bits each
    struct LowerCoverage *coverage; // NULL: nothing is counted
    Instrument *instrument;         // NULL: entry and exit are not told
    bool no_math_errno;             // a square root is no more than its value
    bool any_rounding;              // the passes must not compute with floating constants
    bool caller_defined;            // there is a function that finds the caller
    Debug *debug;                   // NULL: nothing is told to debuggers
    struct {
        Table type_table;         // types by their parts
        Map known;                // type -> its number
        Map tagged;               // record or enum -> its number
        VEC(WaitingType) waiting; // until the end of the function
        VEC(WaitingType) late;    // until the end of the unit
        // Of the function
        VEC(LocalDecl) locals;
        uint32_t start;    // its own location
        DebugBlock *block; // NULL: the outermost
        uint32_t scope;
    } debugging;

    // Where the nodes being emitted come from
    Units *units;  // NULL: nobody asks for which unit they are
    uint32_t unit; // the unit of the statement being lowered
    Pos pos;
    Pos loc_pos; // of the location made last
    uint32_t loc;
    const char *file_name; // of the file made last
    uint32_t file;

    // Of the function
    Decl *func;
    Func *f;                // under construction, see lower_emit.c
    VEC(uint32_t) label_at; // node of each label; NO_ID if it has not been placed
    Map reg_names, slot_names;
    uintptr_t stack_floor; // how far lowering may go, see lower_enter
    VEC(const Expr *) spine;
    VEC(NamedLabel) named_labels;
    VEC(PendingGoto) pending_gotos;
    VEC(Exit) exits;
    Table exit_table;   // by `from` and `destination`
    Label return_label; // where returns that call cleanups end; NO_ID if there are none
    Reg return_value;   // the register of the return value
    Map case_labels;    // statement to label
    VEC(uint32_t) address_labels;
    Label dispatch; // where computed gotos go; NO_ID if there is none
    Reg dispatch_value;
    Unwind *unwind;
    BreakTarget *target;
    Reg result_address;  // where a result in memory goes
    SanitizerSet checks; // the checks in this function
    VEC(CheckReport) reports;
    bool instrumented;        // entry and exit of the function are told
    bool in_bounds;           // the sum that is lowered next stays in its array
    const Expr *only_address; // the subscript of which only the address is used
};

// ---- Nodes, labels, registers (lower_emit.c)

void emit_start(Lower *lower);
// The finished function: jumps resolved, what cannot be reached left out.
Func *emit_finish(Lower *lower, Arena *arena);

void emit_at(Lower *lower, Pos pos);
static inline void emit_at_expr(Lower *lower, const Expr *expr) {
    lower->pos = lower->coverage && expr->at ? expr->at : expr->pos;
}
Loc lower_loc(Lower *lower, Pos pos);
uint32_t lower_location(Lower *lower, Pos pos);
// Has the location of the next node looked up anew.
void lower_forget_location(Lower *lower);
// Code that is emitted next, even at the same place, has a new location.
void lower_renew_location(Lower *lower);
Label label_new(Lower *lower);
void label_place(Lower *lower, Label label);
bool label_is_placed(const Lower *lower, Label label);
void emit_jump(Lower *lower, Label label);

Reg reg_new(Lower *lower, Type type);
Reg reg_named(Lower *lower, Type type, const Ident *name);
Slot slot_new(Lower *lower, uint64_t size, uint32_t align, Str name);
Str lower_str(Lower *lower, const Ident *name);

static inline Operand operand_reg(Lower *lower, Reg reg) {
    return (Operand){.type = reg_type(lower->f, reg), .reg = reg};
}
// The value of a register that is known to be of a type, which may be TYPE_WIDE.
Operand operand_of_reg(Lower *lower, Type type, Reg reg);
Operand operand_int(Type type, int64_t value);
// The register of an operand; a constant is put into a new one.
Reg operand_in_reg(Lower *lower, Operand operand);
void emit_move(Lower *lower, Reg dest, Operand from);
// `dest` if there is one, else a new register.
static inline Reg reg_or_new(Lower *lower, Reg dest, Type type) {
    return dest.i == NO_ID ? reg_new(lower, type) : dest;
}

// Operators. The result goes to `dest` unless that is NO_REG; the result may also be a constant, or
// an unchanged operand.
Operand emit_unary(Lower *lower, Op op, Operand a, Reg dest);
Operand emit_binary(Lower *lower, Op op, Operand a, Operand b, Reg dest);
Operand emit_ternary(Lower *lower, Op op, const Reg args[3], Reg dest);
void emit_branch(Lower *lower, Op op, Operand a, Operand b, Label then, Label otherwise);
void emit_switch(Lower *lower, Reg selector, const int64_t *cases, const Label *labels,
                 uint32_t count, Label otherwise);
Operand emit_address(Lower *lower, const Spot *place, Reg dest);
Operand emit_load(Lower *lower, const Spot *place, Chunk chunk, Reg dest);
void emit_store(Lower *lower, const Spot *place, Chunk chunk, Operand value);
void emit_builtin(Lower *lower, Builtin builtin, Reg dest, const Reg *args, uint32_t count,
                  int64_t imm);
// Control comes past here where it may come for ever.
void emit_spin(Lower *lower);
// An atomic access with so many values; yields what was there, but for a store.
Operand emit_atomic(Lower *lower, Builtin builtin, const Spot *place, Chunk chunk,
                    MemoryOrder order, const Operand *values, uint32_t count, Reg dest);
void emit_fence(Lower *lower, Builtin builtin, MemoryOrder order);
void emit_va_arg(Lower *lower, PType type, Reg dest, const Reg *args, uint32_t count);
void emit_call(Lower *lower, Sym callee, Sig sig, Reg dest, const Reg *args, uint32_t count);
void emit_return(Lower *lower, Reg value);
void emit_check(Lower *lower, Reg value);
// The bits of a number in a floating type.
Value float_bits(Type type, long double value);
Operand emit_float(Lower *lower, Type type, long double value, Reg dest);

// ---- Units of the source (lower_units.c)

typedef struct {
    uint32_t outer;
} UnitMark;

// Code that is emitted from here on is for a unit; 0 changes nothing.
static inline UnitMark unit_enter(Lower *lower, uint32_t unit) {
    UnitMark mark = {lower->unit};
    if (unit) {
        lower->unit = unit;
        if (lower->units) lower->units->all.at[unit].first = lower->f->nodes.count;
    }
    return mark;
}
static inline void unit_leave(Lower *lower, UnitMark mark) {
    if (lower->units && lower->unit != mark.outer)
        lower->units->all.at[lower->unit].behind = lower->f->nodes.count;
    lower->unit = mark.outer;
}
// A function is about to be lowered, its body is.
void units_function(Lower *lower, const Decl *func);
void units_body(Lower *lower);
// The return at the end begins, ends.
void units_tail(Lower *lower, bool end);
void units_variable(Lower *lower, const Decl *decl);
// Whether a statement gets a node even if it does nothing.
bool units_is_point(const Units *units, uint32_t unit);
// The function is finished: numbers of nodes, registers and slots by their numbers of emission, and
// the successors and jumps of each node.
typedef struct {
    const uint32_t *number, *leads, *jumps, *regs, *slots;
} UnitNumbers;
void units_finished(Lower *lower, UnitNumbers numbers);
// Only these symbols are left, with new numbers.
void units_renumber(Units *units, const Bits *kept, const uint32_t *number);

// ---- Types (lower_type.c)

Type lower_type(const CType *type); // TYPE_VOID if it is not a scalar
char float_letter(Type type);       // its letter in libgcc: s, d or x
Chunk chunk_of(const CType *type);  // as loaded
Chunk chunk_to_store(Chunk chunk);
EffectiveType effective_of(const CType *type);
// Whether an access by a type may concern every object: attribute may_alias.
bool type_may_alias(const CType *type);
// Whether a type is a union or has a member that is one.
bool type_has_union(const CType *type);
// Whether values of a type are passed as aggregates: records and complex numbers.
bool passed_as_aggregate(const CType *type);
PType ptype_of(Lower *lower, const CType *type, bool result); // PTYPE_VOID: not passed at all
CType *type_passed(CType *type); // the type in which a parameter of this type is passed
bool result_in_memory(Lower *lower, const CType *type);
// The type in which parameter i of a function is passed: `param` declares it if there is no
// prototype.
CType *type_of_parameter(Lower *lower, const CType *func, const Decl *param, uint32_t i);
// The signature of a function type; for a definition its parameters are given, else NULL.
Sig sig_of(Lower *lower, const CType *func, Decl *const *params, uint32_t count);
// A number that compatible types of functions have in common; 0 if it is not to be told: without
// -fstrict-aliasing, where nobody asks (only slices do), and without a prototype.
uint16_t class_of_function(const Lower *lower, const CType *func);
// The size of an object of this type, which may be known only at run time.
Operand lower_size(Lower *lower, const CType *type);
// The size that pointer arithmetic multiplies by.
Operand lower_element_size(Lower *lower, const CType *pointer);

// ---- Places (lower_spot.c)

Spot lower_spot(Lower *lower, const Expr *lvalue);
// An array is about to become a pointer to its first element: if the array is an element itself, it
// may be the element past the end, unless the pointer has a subscript in turn.
void note_decay(Lower *lower, const Expr *decay);
// The object that a pointer points to.
Spot lower_pointee(Lower *lower, const Expr *pointer);
Spot spot_of_reg(Reg address);
Spot spot_of_slot(Slot slot);
Spot spot_of_machine(uint32_t reg);
Spot spot_of_decl(Lower *lower, Decl *decl);
// The same place with at most a base register, for repeated use.
Spot spot_simple(Lower *lower, Spot place);
Operand spot_read(Lower *lower, const Spot *place, const CType *type, Reg dest);
void spot_write(Lower *lower, const Spot *place, const CType *type, Operand value);
Reg spot_address(Lower *lower, const Spot *place);
Spot spot_offset(Spot place, uint64_t offset);
void declare_variable(Lower *lower, Decl *decl);
// Notes where a variable is declared, if somebody asks and it is in a register or slot.
void note_variable(Lower *lower, const Decl *decl, bool is_slot);
// Makes a register's value the address of a variable.
void declare_at(Lower *lower, Decl *decl, Reg address);
// The low `size` bytes of an integer in reverse order, the rest zero.
Operand reverse_bytes(Lower *lower, Operand value, uint32_t size, Reg dest);
Operand bitfield_read(Lower *lower, const Spot *place, const CType *type, Reg dest);
void bitfield_write(Lower *lower, const Spot *place, const CType *type, Operand value);
// The value of a bit-field after this value was stored in it.
Operand bitfield_value(Lower *lower, const Spot *place, const CType *type, Operand value, Reg dest);

// ---- Integers of 128 bits (lower_wide.c)

Operand wide_constant(Wide value);
Operand wide_pair(Operand low, Operand high);
Operand wide_low(Operand value);
Operand wide_high(Operand value);
void wide_move(Lower *lower, Reg dest, Operand from);
Operand wide_read(Lower *lower, const Spot *place, const CType *type);
void wide_write(Lower *lower, const Spot *place, Operand value);
Operand wide_bitfield_value(Lower *lower, const Spot *place, const CType *type, Operand value);
// The address of a temporary with this value.
Reg wide_in_memory(Lower *lower, Operand value);
// An i64 that is zero if the value is.
Operand wide_bits(Lower *lower, Operand value);
Operand wide_unary(Lower *lower, ExprKind kind, Operand value); // - and ~
Operand wide_operator(Lower *lower, BinaryOp op, const CType *type, Operand a, Operand b);
Operand wide_compare(Lower *lower, BinaryOp op, const CType *type, Operand a, Operand b);
// Whether signed +, - or * leaves the type (lower_overflow.c); an i32, 0 if not.
Operand wide_overflows(Lower *lower, BinaryOp op, Operand a, Operand b);
Operand wide_convert(Lower *lower, Operand value, const CType *from, const CType *to, Reg dest);
// Calls a function of the compiler's library with at most two arguments, of which each is a scalar
// or a pair.
Operand call_compiler_library(Lower *lower, const char *name, Type result, const Operand *operands,
                              uint32_t count);

// ---- Numbers of 16 bits (lower_half.c)

Type type_as_passed(const CType *type); // of the register that holds a scalar argument or result
Operand half_as_passed(Lower *lower, Operand bits);
Operand half_that_arrives(Lower *lower, Operand passed, Reg dest);
// A constant of a floating type.
Operand emit_number(Lower *lower, const CType *type, long double value, Reg dest);
Operand half_convert(Lower *lower, Operand value, const CType *from, const CType *to, Reg dest);
// A value of a type as one with which the machine computes: a float in place of a number of 16
// bits.
Operand half_extended(Lower *lower, Operand value, const CType *type);
Operand half_stepped(Lower *lower, const CType *type, Operand old, bool down,
                     Reg dest); // ++ and --

// ---- Records (lower_record.c)

// Where the value of a record expression is.
Spot lower_record(Lower *lower, const Expr *expr);
// Stores it; `fresh` if nothing else can refer to the destination yet.
void lower_record_into(Lower *lower, const Expr *expr, const Spot *dest, bool fresh);
void spot_copy(Lower *lower, const Spot *to, const Spot *from, uint64_t size);
void spot_clear(Lower *lower, const Spot *place, uint64_t size);
void record_copy(Lower *lower, const Spot *to, const Spot *from, const CType *type);
// Room for a value of this type.
Spot spot_temporary(Lower *lower, const CType *type);
void lower_initialize(Lower *lower, const Spot *place, const CType *type, const Init *init);

// ---- Complex numbers (lower_complex.c)

// Stores the value of a complex expression.
void complex_into(Lower *lower, const Expr *expr, const Spot *dest);
void complex_initialize(Lower *lower, const Spot *place, const CType *type, const Init *init);
void complex_effect(Lower *lower, const Expr *expr);
// A place in memory where the value is, as records are passed.
Spot complex_in_memory(Lower *lower, const Expr *expr);
// The part that an EX_MEMBER of a complex number is.
Spot complex_part(Lower *lower, const Expr *member);
Operand complex_to_bool(Lower *lower, const Expr *expr, Reg dest);
Operand complex_compare(Lower *lower, const Expr *expr, Reg dest); // == or !=
// Branches on a complex number, or on the comparison of two.
void complex_branch(Lower *lower, const Expr *expr, Label then, Label otherwise);
// left op= right where the operator is complex and left is real.
Operand complex_assign_to_real(Lower *lower, const Expr *expr, Reg dest);
// Two registers for a variable, which follow one another.
Reg complex_registers(Lower *lower, const CType *type, const Ident *name);
// Moves a parameter from where it was passed into the registers of its variable.
void complex_parameter(Lower *lower, Decl *decl, Reg address);

// ---- Expressions

// The value of an expression. If dest is not NO_REG the value may be left there, but need not.
Operand lower_expr(Lower *lower, const Expr *expr, Reg dest);
Reg lower_in_reg(Lower *lower, const Expr *expr);
void lower_into(Lower *lower, const Expr *expr, Reg dest);
// For its effects only.
void lower_effect(Lower *lower, const Expr *expr);
void lower_condition(Lower *lower, const Expr *expr, Label then, Label otherwise);
Operand lower_logic(Lower *lower, const Expr *expr, Reg dest);       // && || !
Operand lower_conditional(Lower *lower, const Expr *expr, Reg dest); // ?:
Op comparison_op(BinaryOp op, const CType *type);
bool binary_is_comparison(unsigned op);
// A binary operator on values; `type` is that of its left operand.
Operand lower_operator(Lower *lower, BinaryOp op, const CType *type, Operand a, Operand b,
                       Reg dest);
Operand lower_assign(Lower *lower, const Expr *expr, bool wanted, Reg dest);
Operand lower_assign_op(Lower *lower, const Expr *expr, bool wanted, Reg dest);
Operand lower_step(Lower *lower, const Expr *expr, bool wanted, Reg dest);
// The value that op=, ++ or -- gives an object that held `old`; `right` is the right operand's.
Operand updated_value(Lower *lower, const Expr *expr, Operand old, Operand right, Reg to);
// The amount that ++ and -- add, as an operand of the register's type.
Operand step_amount(Lower *lower, const Expr *expr, const CType *type, bool down);
Operand lower_convert(Lower *lower, Operand value, const CType *from, const CType *to, Reg dest);
Operand lower_to_bool(Lower *lower, Operand value, Reg dest);
Operand lower_zero(Lower *lower, const CType *type, Reg dest);
// Whether a conversion between two types changes no bit of the register.
bool convert_is_free(const CType *from, const CType *to);
Operand lower_statement_expression(Lower *lower, const Expr *expr, bool wanted, Reg dest);
// The same in three parts: all but the last expression, which is yielded (NULL if there is none);
// then the caller lowers that expression; then its scope is left.
const Expr *statement_expression_open(Lower *lower, const Expr *expr, Unwind **before);
void statement_expression_close(Lower *lower, Unwind *before);
Operand lower_builtin(Lower *lower, const Expr *expr, bool wanted, Reg dest);
Operand lower_overflow(Lower *lower, const Expr *expr, Reg dest); // lower_overflow.c
void lower_clear_padding(Lower *lower, const Expr *expr);         // lower_padding.c
void clear_padding(Lower *lower, Spot place, const CType *type);  // lower_padding.c

// ---- Local variables beyond what the source says (lower_local.c)

// The constant that a complex variable is for good; NULL if that is not known. (lower_expr.c)
const Expr *lower_complex_constant(const Lower *lower, const Expr *lvalue);

// The class of a variable of a type for the protection of the stack; the class of a slot, too, if
// that is higher.
BufferKind buffer_kind(const Lower *lower, const CType *type);
void mark_buffer(Lower *lower, Slot slot, BufferKind kind);
// A value for a variable without an initializer, and zeros for the padding of a variable with an
// initializer.
void begin_variable(Lower *lower, Decl *decl, Spot place);
void begin_padding(Lower *lower, const Decl *decl, Spot place);
// Questions that are answered late (lower_late.c): the builtins; the address of an lvalue, with the
// size that its type gives; and the declared facts about a called function.
Operand lower_late_builtin(Lower *lower, const Expr *expr, Reg dest);
Operand lower_mark_member(Lower *lower, const Expr *lvalue, Operand address, Reg dest);
void lower_mark_parameters(Lower *lower);
Operand lower_mark_element(Lower *lower, const Expr *sum, Operand address);
// Emits a call of which something is to be said if it is there in the end.
void lower_noted_call(Lower *lower, const Decl *callee, Sym symbol, Sig sig, Reg dest,
                      const Reg *args, uint32_t count);
void lower_note_callee(Lower *lower, Sym symbol, const Decl *callee);
Operand lower_atomic_builtin(Lower *lower, const Expr *expr, Reg dest);
Operand lower_va_arg(Lower *lower, const Expr *expr, const Spot *into, Reg dest);
// A call; a record result goes to `into`, which is not NULL then.
Operand lower_call(Lower *lower, const Expr *expr, bool wanted, const Spot *into, Reg dest);

// A call that may be one of a function of the C library, with the values of its arguments.
typedef struct {
    const Decl *callee; // NULL if the function is not called by name
    const CType *func;
    const Expr *call;
    Sym symbol;
    Sig sig;
    const Reg *args;
    Reg result; // NO_REG if nobody wants it
} LibraryCall;
// Does in place what a library function would do. False if it is none of these.
bool lower_in_place(Lower *lower, const LibraryCall *it);
// What is to be known of a call of a library function to do without it (late_library.c): the string
// of strlen, the sizes of memcpy, memset and memcmp.
typedef enum {
    LIBRARY_LENGTH,
    LIBRARY_COPY,
    LIBRARY_FILL,
    LIBRARY_COMPARE, // a call of ".memcmp"
    LIBRARY_NONE
} LateLibrary;
// Whether lowering may go one level deeper; an error is reported if not.
bool lower_enter(Lower *lower, const Expr *expr);

// ---- Subscripts and shifts, for warnings about their values (lower_subscript.c)

// A sum of a pointer and a number. `place`: what the pointer points to, and the sum is accessed;
// NULL if the sum's value is all that is used.
void note_subscript(Lower *lower, const Expr *sum, const Spot *place, Operand count);
// A shift that the source has, of an integer of a type.
void note_shift(Lower *lower, Operand count, Type type);

// ---- Checks (lower_sanitize.c). Each does nothing unless it is asked for.

void sanitize_begin(Lower *lower); // of a function
// A binary operator of the source; `type` is that of its left operand.
void sanitize_operator(Lower *lower, BinaryOp op, const CType *type, Operand a,
                       const CType *right_type, Operand b);
void sanitize_negation(Lower *lower, const CType *type, Operand value);
void sanitize_pointer_sum(Lower *lower, Operand pointer, Operand offset); // in bytes
// A sum that is a subscript of an array; `address`: its value is all that is used. Whether it is
// known to stay in the array.
bool sanitize_subscript(Lower *lower, const Expr *sum, Operand index, bool address);
// Whether an array may have more elements than its type says: it is the last member of something
// behind a pointer.
bool array_may_be_longer(const Expr *array);
// The number of elements of a variable-length array, of whose size it is a factor.
void sanitize_count(Lower *lower, const Expr *product, Operand count);
// Has the pointer that was dereferenced tested when the place is used.
void guard_pointee(Lower *lower, Spot *place, const Expr *lvalue);
// Tests it because of an access, ...
void sanitize_access(Lower *lower, const Spot *place, bool stores);
void sanitize_access_once(Lower *lower, Spot *place, bool stores);
// ... or because of a member's address; it needs no other test then.
void sanitize_address(Lower *lower, Spot *place);
void sanitize_bool(Lower *lower, const CType *type, Operand value);
void sanitize_bits_argument(Lower *lower, bool leading, Operand value); // of clz, ctz
void sanitize_argument(Lower *lower, const Decl *callee, uint32_t i, const Expr *arg, Reg reg);
void sanitize_result(Lower *lower, Operand value);
void lower_unreachable(Lower *lower); // __builtin_unreachable

// ---- Reports (lower_report.c)

Sym report_object(Lower *lower, const ReportData *about);
void report_later(Lower *lower, CheckReport report);
void report_all(Lower *lower);

// ---- _Atomic objects in memory (lower_atomic.c)

Operand atomic_read(Lower *lower, const Spot *place, const CType *type, Reg dest);
void atomic_write(Lower *lower, const Spot *place, const CType *type, Operand value);
// A copy of a record; and the copy back.
// An update of an object as a whole: between begin and end the code computes `desired` from
// `expected`; if the object is something else by then, it is done again.
typedef struct {
    Spot object, expected, desired;
    uint64_t size;
    Label again;
} AtomicLoop;
AtomicLoop atomic_loop_begin(Lower *lower, const Spot *place, const CType *type);
void atomic_loop_end(Lower *lower, const AtomicLoop *loop);
Spot atomic_read_record(Lower *lower, const Spot *place, const CType *type);
void atomic_write_record(Lower *lower, const Spot *place, const Spot *from, const CType *type);
// op=, ++ or --.
Operand atomic_update(Lower *lower, const Expr *expr, const Spot *where, Operand right,
                      bool wanted);

// ---- Statements (lower_stmt.c, lower_scope.c, lower_switch.c)

void lower_statement(Lower *lower, const Stmt *stmt);
void lower_switch(Lower *lower, const Stmt *stmt);
// A value that the passes do not know any more.
Operand lower_through_slot(Lower *lower, const CType *type, Operand value);
void lower_asm(Lower *lower, const Stmt *stmt);
// The contents of a machine register that is not reserved: a value of the allocator, or of the
// caller.
Operand lower_asm_read(Lower *lower, uint32_t reg);
// Answers what waits for constants, once all functions are there (late.c).
void lower_late_answers(Lower *lower);
void lower_return(Lower *lower, const Expr *expr); // NULL: no value
Label case_label(Lower *lower, const Stmt *stmt);
NamedLabel *named_label(Lower *lower, LabelDecl *label);
int64_t label_address(Lower *lower, LabelDecl *label);
void lower_goto(Lower *lower, LabelDecl *label);
void lower_computed_goto(Lower *lower, const Expr *expr);
// Emits the code for leaving the current scope for an outer scope; lowering goes on in the current
// scope.
void unwind_to(Lower *lower, Unwind *until);
// Leaves the current scope for an outer one, and goes to a label there.
void unwind_and_jump(Lower *lower, Unwind *until, Label destination);
// The same for a return.
void unwind_and_return(Lower *lower, Reg value);
void unwind_push(Lower *lower, Unwind entry);
void lower_pending_gotos(Lower *lower);

// ---- Symbols and data (lower_symbol.c, lower_data.c, lower_prune.c, lower_twice.c)

// The alignment of a variable; that of a large array is more than its type says.
uint32_t object_align(const Lower *lower, const Decl *decl);
Sym lower_symbol(Lower *lower, Decl *decl);
Sym lower_inline_symbol(Lower *lower,
                        Decl *decl); // the symbol of the body of an "extern inline" function
void replace_inline_body(Lower *lower, const Decl *func, Sym symbol);
Sym lower_called_symbol(Lower *lower,
                        Decl *callee); // the same, if there is one, at a call
Sym lower_string(Lower *lower, const CString *string);
void lower_object(Lower *lower, Decl *decl); // its initial value
// Whether an expression is the address of a symbol plus a value, or, with NO_SYM, an integer.
bool lower_constant(Lower *lower, const Expr *expr, Sym *symbol, int64_t *value);
// A constant object with this value; NO_SYM if the value is not known now.
Sym lower_constant_object(Lower *lower, const CType *type, const Init *init);
// Settles facts that are known only at the end of the unit; aliases come last, when all their
// targets are there.
void finish_weak_reference(Lower *lower, const Decl *decl);
void finish_symbol(Lower *lower, Decl *decl);
void finish_aliases(Lower *lower, Decl *const *decls, uint32_t count);
void finish_versions(Lower *lower, const Decl *decl);
void lower_prune(Lower *lower);
void lower_mark_twice(Lower *lower);
void lower_late_error(Lower *lower, Pos pos, const char *message);

// ---- What debuggers are told (lower_debug.c). All do nothing if that is nothing.

void debug_begin_function(Lower *lower);
void debug_open_block(Lower *lower);
void debug_close_block(Lower *lower);
void debug_declare(Lower *lower, Decl *decl); // a variable of the block
// The location of the same place for the scope that control is in.
uint32_t debug_location(Lower *lower, uint32_t loc);
// Another location with all that a location is known by: place, scope, how often it ran.
uint32_t lower_location_like(Lower *lower, uint32_t loc);
void debug_finish_function(Lower *lower);
void debug_finish_unit(Lower *lower, Decl *const *decls, uint32_t count);

// ---- Entry and exits (lower_instrument.c)

void instrument_enter(Lower *lower);
void instrument_leave(Lower *lower);

// ---- What is counted (lower_coverage.c, lower_counters.c). All do nothing if that is nothing.

typedef enum {
    MARK_NONE,
    MARK_LINE,   // belongs to a line
    MARK_JUMP,   // the same, and a block ends
    MARK_CALL,   // a call that may not return
    MARK_AGAIN,  // where control may return once more
    MARK_RETURN, // a return of the source
    MARK_END,    // the same, but it belongs to no line
    MARK_SILENT, // belongs to no line
} CoverageMark;

void coverage_begin(Lower *lower); // a function; its parameters are where they belong
// Something of the source that needs no code.
void coverage_point(Lower *lower, CoverageMark mark, Pos pos);
// Marks what was emitted last.
void coverage_last(Lower *lower, CoverageMark mark);
// The call that was emitted last; `of_library`: of a function whose name C or POSIX defines.
void coverage_call(Lower *lower, const Decl *callee, bool of_library);
// The label of a case was placed.
void coverage_case(Lower *lower, Label label, Pos pos);
// A return statement is lowered, was.
void coverage_before_return(Lower *lower, const Stmt *stmt);
void coverage_after_return(Lower *lower);
// The branch of the next condition belongs here. Takes that back and yields it, or 0.
void coverage_locus(Lower *lower, Pos pos);
Pos coverage_take_locus(Lower *lower);
// The last emitted node, if it is the last operation of a value, belongs to the place where the
// value is used. `before` is the number of nodes that there were before the value was lowered.
void coverage_belongs(Lower *lower, uint32_t before, const Expr *value, Pos pos);
// A variable got its value.
void coverage_assigned(Lower *lower, uint32_t before, const Expr *value, Pos pos);
// A variable was read or written that gcc, too, has in no memory that the source knows of.
void coverage_variable(Lower *lower, const Decl *decl);
void coverage_end(Lower *lower); // the return behind the body was emitted
void coverage_function(Lower *lower);
void coverage_unit(Lower *lower);
// The function that is called in place of one.
Sym coverage_callee(Lower *lower, const Decl *callee, Sym symbol);
