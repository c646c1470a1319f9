// The types of registers and the chunks of memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A register has a type of this list other than void. Pointers are i64. f80 is the extended format
// with 64 bits of significand; targets may lack it (TargetModel.types).
//   TYPE(NAME, text)
#define TYPES(TYPE)                                                                                \
    TYPE(VOID, "void")                                                                             \
    TYPE(I32, "i32")                                                                               \
    TYPE(I64, "i64")                                                                               \
    TYPE(F32, "f32")                                                                               \
    TYPE(F64, "f64")                                                                               \
    TYPE(F80, "f80")

typedef enum {
#define TYPE(name, text) TYPE_##name,
    TYPES(TYPE)
#undef TYPE
        TYPE_COUNT
} Type;

// The bytes that a load or store touches. For loads of less than 32 bits the chunk says how to
// extend to i32; a store writes the low bits, so the signed spelling is the canonical one there.
//   CHUNK(NAME, text, bytes, register type)
#define CHUNKS(CHUNK)                                                                              \
    CHUNK(I8, "i8", 1, I32)                                                                        \
    CHUNK(U8, "u8", 1, I32)                                                                        \
    CHUNK(I16, "i16", 2, I32)                                                                      \
    CHUNK(U16, "u16", 2, I32)                                                                      \
    CHUNK(I32, "i32", 4, I32)                                                                      \
    CHUNK(I64, "i64", 8, I64)                                                                      \
    CHUNK(F32, "f32", 4, F32)                                                                      \
    CHUNK(F64, "f64", 8, F64)                                                                      \
    CHUNK(F80, "f80", 16, F80)

typedef enum {
#define CHUNK(name, text, bytes, type) CHUNK_##name,
    CHUNKS(CHUNK)
#undef CHUNK
        CHUNK_COUNT
} Chunk;

// The effective types of C (C11 6.5p6). A store gives its effective type to its bytes; a load by a
// type does not see what was stored by another one. ANY is the type of bytes that any load may
// read, and of loads that may read any bytes: those of characters, unions, copies. Types that may
// stand for each other are one: signed and unsigned, an enum and its integer type, all pointers.
//   EFFECTIVE(NAME, text, as messages about C name it)
#define EFFECTIVE_TYPES(EFFECTIVE)                                                                 \
    EFFECTIVE(ANY, "any", "'char'")                                                                \
    EFFECTIVE(BOOL, "bool", "'_Bool'")                                                             \
    EFFECTIVE(SHORT, "short", "'short'")                                                           \
    EFFECTIVE(INT, "int", "'int'")                                                                 \
    EFFECTIVE(LONG, "long", "'long'")                                                              \
    EFFECTIVE(LLONG, "llong", "'long long'")                                                       \
    EFFECTIVE(HALF, "half", "'_Float16'")                                                          \
    EFFECTIVE(FLOAT, "float", "'float'")                                                           \
    EFFECTIVE(DOUBLE, "double", "'double'")                                                        \
    EFFECTIVE(LDOUBLE, "ldouble", "'long double'")                                                 \
    EFFECTIVE(POINTER, "pointer", "a pointer")

typedef enum {
#define EFFECTIVE(name, text, c) EFFECTIVE_##name,
    EFFECTIVE_TYPES(EFFECTIVE)
#undef EFFECTIVE
        EFFECTIVE_COUNT
} EffectiveType;

// How an atomic access or a fence orders other accesses, from the weakest to the strongest but for
// acquire and release, of which neither includes the other.
//   ORDER(NAME, text)
#define MEMORY_ORDERS(ORDER)                                                                       \
    ORDER(RELAXED, "relaxed")                                                                      \
    ORDER(ACQUIRE, "acquire")                                                                      \
    ORDER(RELEASE, "release")                                                                      \
    ORDER(ACQ_REL, "acq_rel")                                                                      \
    ORDER(SEQ_CST, "seq_cst")

typedef enum {
#define ORDER(name, text) ORDER_##name,
    MEMORY_ORDERS(ORDER)
#undef ORDER
        ORDER_COUNT
} MemoryOrder;

// Whether a load by one type sees what was stored by another (docs/rtl.md).
static inline bool effective_meets(EffectiveType a, EffectiveType b) {
    return a == b || a == EFFECTIVE_ANY || b == EFFECTIVE_ANY;
}
const char *effective_name(EffectiveType type);
const char *effective_name_in_c(EffectiveType type);
EffectiveType effective_named(const char *name, size_t length); // EFFECTIVE_COUNT if there is none

const char *order_name(MemoryOrder order);
MemoryOrder order_named(const char *name, size_t length); // ORDER_COUNT if there is none

const char *type_name(Type type);
// The type with this name of `length` characters; TYPE_COUNT if there is none.
Type type_named(const char *name, size_t length);
bool type_is_int(Type type);

const char *chunk_name(Chunk chunk);
Chunk chunk_named(const char *name, size_t length); // CHUNK_COUNT if there is none
uint32_t chunk_size(Chunk chunk);                   // bytes in memory
Type chunk_type(Chunk chunk);                       // register type loaded or stored
Chunk type_chunk(Type type);                        // holds all of a register of the type
