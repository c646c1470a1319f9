// Types of C, with their layout.
#pragma once

#include "base/hash.h"
#include "c/preprocess/token.h"
#include "target/language.h"

typedef struct CType CType;
typedef struct Expr Expr;
typedef struct Decl Decl;
typedef struct Stmt Stmt;

typedef enum {
    CT_ERROR, // of an expression with a mistake that has been reported: fits everywhere, silently
    CT_VOID,
    CT_BOOL,
    CT_CHAR, // plain char, signed unless the type says otherwise
    CT_SCHAR,
    CT_UCHAR,
    CT_SHORT,
    CT_USHORT,
    CT_INT,
    CT_UINT,
    CT_LONG,
    CT_ULONG,
    CT_LLONG,
    CT_ULLONG,
    CT_INT128,
    CT_UINT128,
    CT_HALF, // _Float16
    CT_FLOAT,
    CT_DOUBLE,
    CT_LDOUBLE,
    CT_COMPLEX, // of the arithmetic type `base`; laid out as `record`, two unnamed members of it
    CT_ENUM,
    CT_POINTER,
    CT_ARRAY,
    CT_FUNC,
    CT_STRUCT,
    CT_UNION,
    CT_UNSUPPORTED, // vectors and some floats: may be named in declarations, not used
    CT_COUNT
} CTypeKind;

// Floating types of one format (kind) are types of their own all the same. Between two of them
// arithmetic prefers, as in gcc, an interchange type to a standard type to an extended type.
typedef enum {
    FLOAT_STANDARD,    // float, double, long double
    FLOAT_EXTENDED,    // _Float32x (a double), _Float64x (a long double)
    FLOAT_INTERCHANGE, // _Float32 (a float), _Float64 (a double)
    FLOAT_EXCESS, // of a float: an expression of type _Float16 that has more precision than that
    FLOAT_FORMS
} FloatForm;

enum { Q_CONST = 1, Q_VOLATILE = 2, Q_RESTRICT = 4, Q_ATOMIC = 8 };

// A message about something that should not or cannot be used any more.
typedef struct {
    bool unavailable;    // using it is a mistake
    const char *message; // or NULL
} Advice;

// One member of a struct or union. A bit-field occupies `width` bits from bit `8 * offset + bit` of
// the record, where offset is the offset of the storage unit of its type (for packed ones: of its
// first byte).
typedef struct {
    Ident *name;    // NULL for an anonymous member or an unnamed bit-field
    Ident *by_type; // of an anonymous member: the typedef by which it can be named; or NULL
    CType *type;
    uint64_t offset;
    Pos pos;
    bool bitfield;
    bool packed;   // by an attribute, its own or the record's
    bool reversed; // its scalars are stored with the highest byte first
    uint16_t bit;
    uint16_t width;
    uint32_t align; // asked for by attributes or _Alignas, 0 if none; then the one it is given
    const Advice *advice;              // or NULL
    Decl *type_name;                   // as in a Decl
    const struct AttributeNote *notes; // its attributes
    Decl *offset_var; // after one whose size is variable: holds the offset, added to `offset`
} Member;

typedef struct {
    Ident *tag; // or NULL
    Pos pos;
    VEC(Member) members; // unnamed bit-fields included
    bool packed;
    bool flexible; // ends in a flexible array member
    bool damaged;  // a mistake among its members: some may be missing
    bool being_defined;
    bool transparent; // transparent_union
    bool ms_layout;   // laid out as by Microsoft's compilers
    bool reversed;    // scalars are stored with the highest byte first
    bool anonymous;   // has anonymous members that are structs or unions
    bool has_const;   // a member, or a member of one, is const; once complete
    Map names;        // of a large record: a name to the index of the member of that name, or of
                      // the anonymous member that contains it
    Decl *size_var;   // hidden variable that holds the size if a member's is variable; else NULL
    Stmt *sizes;      // computes sizes and offsets; NULL once it is part of the program
    const Advice *advice;              // or NULL
    const struct AttributeNote *notes; // attributes of the definition
    bool asked_align;                  // by an attribute, its own or one of a member
} Record;

typedef struct {
    Ident *name;     // or NULL
    CType *type;     // after adjustment
    Decl *type_name; // as in a Decl
    Pos pos;
} Param;

// Types are shared and never change once complete. Two types are the same if type_compatible says
// so; scalar types without qualifiers are unique objects.
struct CType {
    uint8_t kind;  // CTypeKind
    uint8_t quals; // Q_
    bool complete;
    bool variable;      // variably modified: its size, or the size of a part, is known at run time
    bool realigned;     // by an attribute
    bool unsigned_char; // of CT_CHAR: -funsigned-char
    uint8_t form;       // of a floating type: FloatForm
    uint8_t width;      // of an integer type of 33 to 63 bits, the type of a bit-field; else 0
    uint32_t align;
    uint64_t size; // 0 if incomplete, of a function, or variable
    // How deep and how long a walk over its parts is. Records behind pointers are not walked.
    uint32_t depth, weight;
    CType *base;        // the type that it points to, element, result, part, integer type of an
                        // enum
    CType *unqualified; // itself if it has no qualifiers
    // Of a variably modified type that typeof(expression) gave: the hidden variable whose
    // initializer evaluates the expression; or NULL
    Decl *operand;
    union {
        struct {
            uint64_t count;   // elements, if known
            bool counted;     // count is valid; else incomplete, or variable
            bool star;        // [*] in a prototype
            Expr *count_expr; // of a variable-length array
            Decl *size_var;   // hidden variable (unsigned long) that holds the size in bytes of a
                              // variable-length array once its declaration has been executed
        } array;
        struct {
            const Param *params;
            uint32_t param_count;
            bool variadic;
            bool prototype; // false: (), old style
            bool noreturn;
        } func;
        Record *record; // struct, union, complex
        struct {
            Ident *tag;
            Pos pos;
            const Advice *advice;              // or NULL
            const struct AttributeNote *notes; // attributes of the definition
            Decl *const *enumerators;          // in the unqualified type, once complete
            uint32_t enumerator_count;
        } enumeration;
        const char *unsupported; // its name
    };
    const struct AttributeNote *notes; // attributes of a typedef that are the type's
    CType *pointer;                    // to this type, once made
    CType *aligned;       // another type that differs in its alignment and was made before it was
                          // complete
    CType *qualified[16]; // this type with qualifiers, once made; only in unqualified types
};

typedef struct Types {
    Arena *arena;
    const TargetLanguage *language; // the machine, which decides sizes and formats
    uint32_t deepest;               // how deep types may be nested: the stack must suffice for them
    CType *basic[CT_COUNT];         // the scalar types and void
    CType *floats[CT_LDOUBLE + 1][FLOAT_FORMS]; // by kind; those that there are
    // By the kind and form of the parts, once made.
    CType *complex[CT_LDOUBLE + 1][FLOAT_FORMS];
    CType *char_pointer, *const_char_pointer, *void_pointer;
    CType *size, *ptrdiff, *wchar, *char16,
        *char32;          // unsigned long, long, int, unsigned short, unsigned
    CType *va_list;       // struct __va_list_tag[1], as the machine has it
    CType *narrow[2][64]; // by signedness and width, once made
} Types;

void types_init(Types *types, Arena *arena, const TargetLanguage *language);
// The type in which arithmetic on values of a type is done. Like gcc, gatecc computes with _Float16
// in float, rounds where a value is stored, passed or cast, and nowhere else (excess precision:
// C11, 5.2.4.2.2). An expression of that kind has the type that type_evaluated yields for _Float16.
// Lowering treats it as a float; a program that asks for its type gets _Float16 (type_meant).
// Complex types likewise.
CType *type_evaluated(Types *types, CType *type);
CType *type_meant(Types *types, CType *type);
// The scalar type or void of a type's kind and form, without qualifiers and attributes.
CType *type_plain(const Types *types, const CType *type);
// Whether an argument of this type is passed as a double where no parameter says how.
bool type_is_promoted_float(const CType *type);
// Makes char unsigned; before anything else is done with the types.
void types_unsigned_char(Types *types);
void types_short_wchar(Types *types); // makes wchar_t unsigned short; likewise

// Whether a type is so deep or so large that walks over it could overflow the stack or take for
// ever. Code that makes a type from a program's text must refuse such a type.
bool type_is_excessive(const Types *types, const CType *type);
// Counts a part of a type being made.
void type_add_part(CType *type, const CType *part);

CType *type_pointer(Types *types, CType *to);
// The type in which gcc computes with a bit-field that is wider than int: an integer type of as
// many bits, held by a long.
CType *type_narrow(Types *types, unsigned width, bool is_unsigned);
CType *type_array(Types *types, CType *element, uint64_t count);
CType *type_incomplete_array(Types *types, CType *element);
CType *type_qualify(Types *types, CType *type,
                    unsigned quals); // adds qualifiers; on arrays to elements
// The complex type whose parts have this type: an integer type but _Bool and enums, or a floating
// one.
CType *type_complex(Types *types, const CType *part);
// Whether a type has the format of double: long double may have that, too.
bool type_is_double(const CType *type);
// Whether a type is a long double with a format of its own.
bool type_is_extended(const CType *type);
// The alignment of an _Atomic type: its size, if machines access that size at once.
uint32_t type_atomic_align(uint64_t size, uint32_t align);
CType *type_function(Types *types, CType *result, const Param *params, uint32_t count,
                     bool variadic, bool prototype);
CType *type_enum(Types *types, Ident *tag, Pos pos); // incomplete
// Completes a type, its qualified forms and those with another alignment: the strictest counts.
void type_complete(CType *type, uint64_t size, uint32_t align);
void type_complete_enum(CType *type, CType *base);
// A type that can be named but not used.
CType *type_unsupported(Types *types, const char *name, uint64_t size, uint32_t align);
// The same variably modified type, with what evaluates a typeof's operand.
CType *type_with_operand(Types *types, CType *type, Decl *operand);
// The same type with another alignment.
CType *type_aligned(Types *types, CType *type, uint32_t align);
CType *type_noreturn(Types *types, CType *func);
// The same type with attributes that programs can ask for.
CType *type_noted(Types *types, CType *type, const struct AttributeNote *notes);
// An array whose size is computed at run time; star for [*].
CType *type_variable_array(Types *types, CType *element, Expr *count, Decl *size_var, bool star);
CType *type_record(Types *types, CTypeKind kind, Ident *tag, Pos pos); // incomplete
// Lays out the members (offsets are computed here) and completes a struct or union. `align` is a
// minimum from attributes, 0 for none; pack is the limit of #pragma pack, 0 for none.
void type_complete_record(Types *types, CType *record, uint32_t align, uint32_t pack);
// The alignment, in bytes, at which a member that is no bit-field starts.
uint32_t type_member_align(const Member *member, uint32_t pack);

static inline bool type_is_complex(const CType *type) {
    return type->kind == CT_COMPLEX;
}
static inline bool type_is(const CType *type, CTypeKind kind) {
    return type->kind == kind;
}
// An enum's integer type; else the type itself.
static inline const CType *type_scalar(const CType *type) {
    return type->kind == CT_ENUM && type->base ? type->base : type;
}
bool type_is_integer(const CType *type);        // with _Bool, char and enums
bool type_has_variable_size(const CType *type); // an array or a record whose size is computed
bool type_is_wide(const CType *type);           // __int128, with or without sign
bool type_is_floating(const CType *type);
bool type_is_arithmetic(const CType *type); // complex types included
bool type_is_scalar(const CType *type);     // arithmetic or pointer
bool type_is_record(const CType *type);
bool type_is_unsigned(const CType *type);
bool type_is_character(const CType *type);
bool type_is_const(const CType *type); // or has a const member
unsigned type_rank(const CType *type); // integer conversion rank
unsigned type_bits(const CType *type); // width of an integer type; 1 for _Bool
CType *type_promote(Types *types, CType *type);
CType *type_common(Types *types, CType *a, CType *b); // usual arithmetic conversions
bool type_compatible(const CType *a, const CType *b); // qualifiers count
bool type_compatible_unqualified(const CType *a, const CType *b);
CType *type_composite(Types *types, CType *a, CType *b);

// A member by name, looking into anonymous ones; `offset` gets the sum of offsets. NULL if there is
// none.
const Member *type_find_member(const CType *record, const Ident *name, uint64_t *offset);

// The index of the member that has a name or contains it anonymously; HASH_NONE if there is none.
uint32_t type_member_index(const CType *record, const Ident *name);

// "const char *", "int (*)(void)", "struct point"
void type_print(Out *out, const CType *type);
