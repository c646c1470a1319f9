// The typed tree. After parsing every implicit conversion is written out as a cast, names are
// resolved to declarations, and initializers are flattened, so that lowering has no decisions about
// C left to make.
#pragma once

#include "base/wide.h"
#include "c/types/type.h"

// ---- Initializers

// One piece of an initializer: the value of the scalar, bit-field or whole record at an offset.
// Pieces are in order of evaluation; a later one overrides an earlier one for the same place. Bytes
// that no piece covers are zero.
typedef struct {
    uint64_t offset;
    CType *type;
    bool bitfield;
    bool implied;        // a zero that a list in braces stands for, not written
    bool reversed;       // as in Expr
    uint16_t bit, width; // as in Member
    Expr *value; // converted to `type`; for a character array initialized by a string: EX_STRING
} InitPiece;

typedef struct {
    const InitPiece *pieces;
    uint32_t count;
    bool whole;        // one piece that covers everything: nothing has to be zeroed
    uint64_t flexible; // bytes of the elements that a flexible array member is given
} Init;

// ---- Expressions

typedef enum {
    EX_ERROR,
    EX_INT, // integer, enumeration or pointer constant: `integer`, in the type's width, extended to
    // 64 bits by the type's signedness; `right` is a shift that it was folded of and that checks
    // would stop, or NULL
    EX_WIDE,        // constant of a type of 128 bits (never EX_INT then): `wide`
    EX_FLOAT,       // `floating`, rounded to the type
    EX_COMPLEX,     // left + right * i, of two values of the type of the parts
    EX_STRING,      // string literal, an array lvalue: `string`
    EX_VAR,         // lvalue: `decl`, a variable or parameter
    EX_FUNC,        // function designator: `decl`
    EX_MEMBER,      // lvalue (or rvalue, if `left` is one): member, or complex part, of `left`
    EX_DEREF,       // lvalue: *left. Subscripts and -> are written with it
    EX_ADDR,        // &left, also of a function
    EX_LABEL,       // &&label
    EX_CAST,        // left converted to the type: `cast` says how
    EX_NEG,         // -left, in the (promoted) type
    EX_NOT,         // ~left; the conjugate of a complex number
    EX_LOGICAL_NOT, // !left, int
    EX_BINARY,      // left op right: `op`
    EX_AND,         // left && right, int
    EX_OR,          // left || right, int
    EX_COND,        // left ? middle : right; middle is NULL in left ?: right
    EX_COMMA,       // left, right
    EX_ASSIGN,      // left = right; yields the value stored, converted to the type of left
    EX_ASSIGN_OP,   // left op= right, computed in `compute` type
    EX_PRE_INC,
    EX_PRE_DEC,
    EX_POST_INC,
    EX_POST_DEC,   // on left; `step` is the amount (size for pointers,
                   // or a run-time size in `right`)
    EX_CALL,       // left(args): left is a pointer to function, or EX_FUNC cast to one
    EX_COMPOUND,   // compound literal, an lvalue: `decl` is the unnamed object; its initializer is
                   // run here
    EX_STATEMENT,  // ({ ... }): `body`; the value is that of its last expression statement
    EX_VA_ARG,     // va_arg(left, type): left is a value, the pointer to the struct __va_list_tag
    EX_BUILTIN,    // __builtin_ function that lowering knows: `builtin`, args
    EX_SIZEOF_VLA, // run-time size of the variable-length array type `of`
} ExprKind;

typedef enum {
    CAST_READ,       // lvalue to value: a load; also removes qualifiers
    CAST_DECAY,      // array lvalue to pointer to its first element
    CAST_FUNC,       // function designator to pointer
    CAST_ARITHMETIC, // between arithmetic types (enums and _Bool included)
    CAST_POINTER,    // pointer to pointer, integer to pointer, pointer to integer: bits, widened by
                     // the signedness of the source or truncated
    CAST_TO_BOOL,    // scalar != 0
    CAST_VOID,       // value dropped
    CAST_SAME,       // no change of bits: same type apart from qualifiers, or a record to itself
    CAST_UNION,      // value to a union with a member of that type (GNU)
} CastKind;

// Operators of EX_BINARY and EX_ASSIGN_OP. Both operands have the type of the computation (the
// result of comparisons is int; one operand of a complex operator may have the type of the parts).
// For PTR_ADD and PTR_SUB left is a pointer and right a long number of elements, for PTR_DIFF both
// are pointers. Shifts: the right operand is int-promoted on its own.
typedef enum {
    BIN_ADD,
    BIN_SUB,
    BIN_MUL,
    BIN_DIV,
    BIN_MOD,
    BIN_AND,
    BIN_OR,
    BIN_XOR,
    BIN_SHL,
    BIN_SHR,
    BIN_EQ,
    BIN_NE,
    BIN_LT,
    BIN_LE,
    BIN_GT,
    BIN_GE,
    BIN_PTR_ADD,
    BIN_PTR_SUB,
    BIN_PTR_DIFF,
    BIN_COUNT
} BinaryOp;

// The kinds of EX_BUILTIN.
typedef enum {
#define LOWERED(id, meaning) CB_##id,
#include "c/tables/cbuiltins.def"
    CB_COUNT
} CBuiltin;

// The characters of a string literal, converted to its element type, with the terminating zero.
typedef struct {
    const uint8_t *bytes;
    uint64_t size;    // in bytes, with the zero
    uint32_t element; // bytes per character: 1, 2 or 4
    // __func__ or one of its kin: an object of its own, by this name. NULL: a string literal, which
    // is the same object as all that have the same characters
    const char *object;
} CString;

struct Expr {
    uint8_t kind;  // ExprKind
    bool reversed; // EX_MEMBER, EX_DEREF: its scalars are stored in the other order of bytes
    uint8_t cast;  // CastKind
    uint8_t op;    // BinaryOp
    bool lvalue;
    bool parenthesized; // for warnings
    bool
        constant_expression; // EX_INT, EX_WIDE: an integer constant expression in the standard's sense
    bool
        assumed; // EX_INT, EX_WIDE: made of what a better compiler may find out, as the size of an object: the
    // value is no reason for a warning
    // PTR_ADD: written as a subscript; CAST_DECAY: of an array that has one
    bool subscript;
    uint8_t origin; // ExprOrigin: what a constant was, for warnings
    uint8_t
        written; // Written: how its text is put together, also if it was folded since; for warnings
    bool bound; // MUL: the size of a variable-length array that is declared here; left is its count
    bool in_place;    // EX_BUILTIN: an atomic operation that is never left to the library
    uint16_t builtin; // number in cbuiltins.def
    CType *type;
    Pos pos, end; // first and one past the last byte in the source
    Pos at;       // where gcc says it is: its operator, of ?: the colon; 0: at its start
    Expr *left, *right;
    union {
        Expr *middle;
        CType *compute; // EX_ASSIGN_OP
        uint64_t integer;
        Wide wide;
        long double floating;
        CString *string;
        Decl *decl;
        const Member *member;
        struct LabelDecl *label;
        int64_t step;
        struct {
            Expr **args;
            uint32_t arg_count;
        };
        Stmt *body;
        CType *of;
    };
    union {
        uint64_t member_offset; // EX_MEMBER: of the member in left, anonymous ones between included
        const struct SizeofOperand *size_of; // ORIGIN_SIZEOF
        const CType *enumeration;            // ORIGIN_ENUMERATOR
    };
};

// The operator that is outermost in the text of an expression. An operator in parentheses cannot be
// misread: ask `parenthesized`, too.
typedef enum {
    WRITTEN_OTHER,
    WRITTEN_NUMBER, // an integer or character constant
    WRITTEN_CAST,   // which leaves no node of its own if it changes nothing
    WRITTEN_NOT,
    WRITTEN_LOGICAL_AND,
    WRITTEN_LOGICAL_OR,
    WRITTEN_BINARY // and up: a BinaryOp
} Written;

// The origin of an EX_INT in the source.
typedef enum { ORIGIN_NONE, ORIGIN_SIZEOF, ORIGIN_ENUMERATOR } ExprOrigin;

// The operand of sizeof.
typedef struct SizeofOperand {
    const CType *type;
    const Expr *expr; // NULL if it was a type
} SizeofOperand;

// ---- Declarations

typedef enum { DECL_VAR, DECL_FUNC, DECL_TYPEDEF, DECL_ENUMERATOR } DeclKind;
typedef enum {
    STORAGE_NONE,
    STORAGE_EXTERN,
    STORAGE_STATIC,
    STORAGE_AUTO,
    STORAGE_REGISTER,
    STORAGE_TYPEDEF
} Storage;

// A version of a symbol for linkers: NAME@VERSION, NAME@@VERSION.
typedef struct SymbolVersion {
    const char *name;
    struct SymbolVersion *next;
} SymbolVersion;

// The choice of attributes for a record: none, or one of two.
typedef enum { CHOICE_NONE, CHOICE_USUAL, CHOICE_OTHER } RecordChoice;

// An argument of an attribute: a string or a name, or a number if `text` is NULL.
typedef struct {
    const char *text;
    int64_t number;
} AttributeArgument;

// An attribute as it was written, for __builtin_has_attribute.
typedef struct AttributeNote {
    uint32_t row; // of attributes.def
    uint32_t count;
    const AttributeArgument *arguments;
    const struct AttributeNote *next;
} AttributeNote;

// access(MODE, POINTER, SIZE): of what a parameter points to, no more elements are accessed than
// another parameter says. Numbers are from 1.
typedef struct ParamAccess {
    uint32_t pointer, size;
    struct ParamAccess *next;
} ParamAccess;

typedef struct {
    bool packed, noreturn, weak, used, unused, always_inline, noinline, warn_unused_result,
        gnu_inline, returns_twice, transparent_union, constructor, destructor, common, nocommon,
        weakref, retain, all_nonnull, returns_nonnull, uninitialized, no_profile, no_instrument,
        is_pure, is_const, no_reorder;
    bool ifunc;          // `alias` is a resolver, which returns the function
    bool loose_aliasing; // optimize("no-strict-aliasing"): its accesses have no effective types
    uint8_t layout;      // RecordChoice: ms_struct, gcc_struct
    uint8_t order;       // RecordChoice: scalar_storage_order
    // Of SYMF_EMISSION, SYMF_NAKED and SYMF_NO_SPLIT of program.h: how the code of a function is
    // written.
    uint32_t emission;
    uint64_t nonnull;     // bit k: parameter k, which is not null
    uint32_t no_sanitize; // SanitizerSet of sanitize.h: what is not checked in a function
    int32_t constructor_priority, destructor_priority; // -1: the default
    uint32_t align;                                    // 0: none
    const char *section;                               // or NULL
    const char *alias;                                 // the target of the alias; or NULL
    SymbolVersion *versions;                           // the last one first
    bool visibility_given;
    uint8_t visibility;   // Visibility of program.h
    const Advice *advice; // deprecated, unavailable; or NULL
    Decl *cleanup;        // function
    const char *call_error,
        *call_warning;      // the message about calls that remain in the end; or NULL
    ParamAccess *accesses;  // the last one first
    uint16_t alloc_size[2]; // parameters, from 1, whose product is how much it allocates
    uint8_t format;         // 0 none, 1 printf, 2 scanf
    uint16_t format_string, format_first; // argument numbers from 1
    uint64_t
        format_arg; // bit k: the result is a format if argument k is, with the same conversions
    CType *mode;    // from mode(), or NULL
    uint32_t vector_size;
    const AttributeNote *notes; // all of them, the last one first
} Attributes;

struct Decl {
    uint8_t kind;    // DeclKind
    uint8_t storage; // Storage
    bool is_inline, is_noreturn;
    bool is_thread;  // each thread has its own
    bool external;   // has external linkage
    bool internal;   // has internal linkage (neither: none)
    bool file_scope; // declared outside of functions
    bool defined;    // function with a body, variable with initializer
    bool tentative;  // file-scope variable without initializer or extern
    bool parameter;
    bool explicit_signed; // a typedef of a type that says "signed"
    bool address_taken;
    bool used, assigned;  // for warnings
    bool array_parameter; // a parameter that is written as an array
    bool forward;         // a parameter that is only announced: f(int n; int a[n], int n)
    bool implicit;        // declared by calling it, or known by its library name
    bool borrowed; // declared without parameters: it has the parameters of the library function of
                   // its name
    bool captured_by_setjmp; // lives in a function that calls setjmp
    bool
        replaces; // this definition of a function takes the place of one that was only for inlining
    bool inline_definition; // the body of this external function is only for inlining: the symbol
                            // is defined elsewhere. Final at the end of the unit
    bool extern_inline;     // the body is an inline body of GNU C: calls get it, and nothing else
    Ident *name;            // NULL for unnamed objects (compound literals, hidden ones)
    const char *asm_name;   // from an asm label, or NULL
    CType *type;
    Decl *type_name; // the typedef among its specifiers, which debuggers are told; or NULL
    Pos pos;
    Attributes *attributes;   // never NULL
    Init *init;               // variables; NULL if none
    bool beside_alloca;       // variably modified: its block calls alloca
    uint64_t enumerator;      // its value,
    const CType *enumeration; // and type; NULL if it has none other than its own
    // functions
    VEC(Decl *) params; // of the definition
    Stmt *body;
    const char *set_aside_for; // why its body was not compiled, see set_aside.h; or NULL
    bool calls_setjmp, has_computed_goto;
    bool asks_members;   // for the sizes of members of objects
    bool loose_aliasing; // #pragma GCC optimize("no-strict-aliasing")
    Decl *
        kept; // the last static object in it that is marked as used; of such an object the previous
              // one
    // scopes
    Decl *shadowed; // the outer declaration of the same name
    Decl *next_in_scope;
    uint32_t scope_depth;
    uint32_t order;  // where its definition stands among others and assembler text; 0: nowhere
    Decl *previous;  // an earlier declaration of the same entity
    uint32_t number; // for lowering: index of its register or slot, its symbol, ...
    uint32_t place;  // for lowering
    uint32_t
        inline_number;   // for lowering: 1 + the symbol of its body, if extern_inline; 0: none yet
    uint32_t unit;       // of units.h: that of its initializer; 0: none of its own
    uint32_t declarator; // of units.h, likewise
};

// A variably modified variable or type of a block, into whose scope nobody may jump. Times count
// such declarations and the ends of their blocks.
typedef struct VariableScope {
    struct VariableScope *outer;
    Decl *decl;
    uint32_t opened, closed; // from its declaration up to the end of the block
} VariableScope;

// Whether a function may return several times, as setjmp does; some are known by name (call.c).
bool returns_twice(const Decl *func);
// Whether a function has the name of one that the C library defines and gcc knows (library.c).
bool named_as_library(const Decl *func);

typedef struct LabelDecl {
    Ident *name;
    Pos pos; // of the definition, or of the first use
    bool defined, used, address_taken;
    struct LabelDecl *outer;        // the label of that name that this one hides (__label__)
    struct LabelDecl *next_local;   // in the block that declares it
    const VariableScope *variables; // as Stmt.variables, where it is defined
    uint32_t number;                // for lowering
    uint32_t unit;                  // of units.h, in which it is defined; 0: none
} LabelDecl;

// ---- Statements

typedef enum {
    ST_EMPTY,
    ST_EXPR,     // expr;
    ST_DECL,     // declares `decls` and initializes variables with automatic storage; among the
                 // decls may be variable-length array typedefs whose size has to be computed
    ST_COMPOUND, // children
    ST_IF,       // expr, body, otherwise
    ST_WHILE,    // expr, body
    ST_DO,       // body, expr
    ST_FOR,      // init, expr, step, body
    ST_SWITCH,   // expr (promoted integer), body
    ST_CASE,     // low .. high: body. In all three the body is an ST_EMPTY: what is labelled
    ST_DEFAULT,  // is the next statement of the block
    ST_LABEL,    // label
    ST_GOTO,     // label
    ST_GOTO_COMPUTED, // expr
    ST_BREAK,
    ST_CONTINUE,
    ST_RETURN, // expr or NULL, converted to the result type
    ST_ASM,    // assembler
} StmtKind;

typedef struct {
    Ident *name; // [name], or NULL
    const char *constraint;
    Expr *value;    // outputs: an lvalue
    bool in_memory; // an lvalue that is an object in memory for the sake of the constraint
} AsmOperand;

typedef struct {
    const char *text;
    uint32_t length;
    bool is_volatile, is_goto;
    bool is_extended; // there are operands or clobbers, or could be: the text is a template
    AsmOperand *outputs, *inputs;
    uint32_t output_count, input_count;
    const char **clobbers;
    uint32_t clobber_count;
    LabelDecl **labels;
    uint32_t label_count;
} Asm;

struct Stmt {
    uint8_t kind; // StmtKind
    Pos pos, end;
    uint32_t unit; // of units.h; 0: the unit of the enclosing statement
    Expr *expr;
    Stmt *body, *otherwise, *init;
    Expr *step;
    Wide low, high; // ST_CASE, in the promoted type of the switch, extended to 128 bits
    LabelDecl *label;
    Asm *assembler;
    VEC(Decl *) decls;
    Stmt *next;         // in its compound statement
    Stmt *first, *last; // ST_COMPOUND
    Stmt *enclosing; // ST_BREAK, ST_CONTINUE: the loop or switch; ST_CASE, ST_DEFAULT: the switch
    Stmt *next_case; // ST_SWITCH: its cases, linked in source order
    Stmt *default_case;             // ST_SWITCH
    const VariableScope *variables; // the innermost one here, or NULL
};
