// Writes a test of the calling convention: functions with random signatures in one C file, calls of them
// in another, so that the two can be compiled by different compilers (tools/abi-check does).
//
//   generate SEED COUNT DIRECTORY [-g]
//
// yields DIRECTORY/types.h, caller.c and callee.c with COUNT functions. -g also uses what compilers are
// known to pass differently, or that one of them does not have: __int128 (clang before 18), _Float16
// (clang before 15) and arrays without elements at the end of a
// structure (gcc and clang see different registers in what comes before them). The same
// arguments give the same files. Parameters and results are scalars of all types and structures and
// unions of all shapes. Every scalar inside an argument gets a value of its own, which both files hold
// as a constant: the callee compares what it gets, the caller compares what comes back, and padding is
// left alone. The caller also keeps values in variables across the call, so that a callee that does not
// preserve registers is found out. Some functions have variable arguments; the list of some of those is
// read by a function in the other file. The program prints what is wrong and exits with 1 if anything is.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    KIND_BOOL,
    KIND_CHAR,
    KIND_SCHAR,
    KIND_UCHAR,
    KIND_SHORT,
    KIND_USHORT,
    KIND_INT,
    KIND_UINT,
    KIND_LONG,
    KIND_ULONG,
    KIND_LLONG,
    KIND_ULLONG,
    KIND_ENUM,
    KIND_POINTER,
    KIND_FUNCTION, // a pointer to a function
    KIND_FLOAT,
    KIND_DOUBLE,
    KIND_LONG_DOUBLE,
    KIND_COMPLEX_FLOAT,
    KIND_COMPLEX_DOUBLE,
    KIND_COMPLEX_LONG_DOUBLE,
    KIND_INT128,
    KIND_UINT128,
    KIND_HALF,
    KIND_COMPLEX_HALF,
    KIND_RECORD,
    KIND_EMPTY, // a structure without members, at the end of others
    KIND_VOID,  // as a result only
} Kind;

typedef struct {
    const char *name;
    int bits;         // of an integer
    bool is_signed;   // of an integer
    Kind promoted;    // what it becomes as a variable argument
    Kind part;        // of a complex number: the type of its halves
    int value_digits; // of a float: hexadecimal digits behind the point that it holds exactly
    const char *suffix;
} KindInfo;

static const KindInfo kinds[] = {
    [KIND_BOOL] = {"_Bool", 1, false, KIND_INT, 0, 0, ""},
    [KIND_CHAR] = {"char", 8, true, KIND_INT, 0, 0, ""},
    [KIND_SCHAR] = {"signed char", 8, true, KIND_INT, 0, 0, ""},
    [KIND_UCHAR] = {"unsigned char", 8, false, KIND_INT, 0, 0, ""},
    [KIND_SHORT] = {"short", 16, true, KIND_INT, 0, 0, ""},
    [KIND_USHORT] = {"unsigned short", 16, false, KIND_INT, 0, 0, ""},
    [KIND_INT] = {"int", 32, true, KIND_INT, 0, 0, ""},
    [KIND_UINT] = {"unsigned", 32, false, KIND_UINT, 0, 0, ""},
    [KIND_LONG] = {"long", 64, true, KIND_LONG, 0, 0, ""},
    [KIND_ULONG] = {"unsigned long", 64, false, KIND_ULONG, 0, 0, ""},
    [KIND_LLONG] = {"long long", 64, true, KIND_LLONG, 0, 0, ""},
    [KIND_ULLONG] = {"unsigned long long", 64, false, KIND_ULLONG, 0, 0, ""},
    [KIND_ENUM] = {"enum colour", 2, false, KIND_UINT, 0, 0, ""},
    [KIND_POINTER] = {"void *", 48, false, KIND_POINTER, 0, 0, ""},
    [KIND_FUNCTION] = {"Function", 48, false, KIND_FUNCTION, 0, 0, ""},
    [KIND_FLOAT] = {"float", 0, false, KIND_DOUBLE, 0, 5, "f"},
    [KIND_DOUBLE] = {"double", 0, false, KIND_DOUBLE, 0, 13, ""},
    [KIND_LONG_DOUBLE] = {"long double", 0, false, KIND_LONG_DOUBLE, 0, 15, "L"},
    [KIND_COMPLEX_FLOAT] = {"_Complex float", 0, false, KIND_COMPLEX_FLOAT, KIND_FLOAT, 0, ""},
    [KIND_COMPLEX_DOUBLE] = {"_Complex double", 0, false, KIND_COMPLEX_DOUBLE, KIND_DOUBLE, 0, ""},
    [KIND_COMPLEX_LONG_DOUBLE] = {"_Complex long double", 0, false, KIND_COMPLEX_LONG_DOUBLE,
                                  KIND_LONG_DOUBLE, 0, ""},
    [KIND_INT128] = {"__int128", 128, true, KIND_INT128, 0, 0, ""},
    [KIND_UINT128] = {"unsigned __int128", 128, false, KIND_UINT128, 0, 0, ""},
    [KIND_HALF] = {"_Float16", 0, false, KIND_HALF, 0, 2, "f16"},
    [KIND_COMPLEX_HALF] = {"_Complex _Float16", 0, false, KIND_COMPLEX_HALF, KIND_HALF, 0, ""},
    [KIND_RECORD] = {"", 0, false, KIND_RECORD, 0, 0, ""},
    [KIND_EMPTY] = {"Empty", 0, false, KIND_EMPTY, 0, 0, ""},
    [KIND_VOID] = {"void", 0, false, KIND_VOID, 0, 0, ""},
};

typedef struct {
    Kind kind;
    int record; // of KIND_RECORD: its number
} Type;

enum { MOST_MEMBERS = 9, MOST_PARAMETERS = 20, FLEXIBLE = -1, NO_ARRAY = -2, NO_BITS = -1 };

typedef struct {
    Type type;
    int elements; // of an array (0 is an empty one at the end), FLEXIBLE or NO_ARRAY
    int bits;     // of a bit-field (0 is an unnamed one that starts a new unit) or NO_BITS
    int aligned;  // an alignment asked for, or 0
} Member;

typedef struct {
    bool is_union;
    bool packed;
    int aligned; // an alignment asked for, or 0
    Member members[MOST_MEMBERS];
    int count;
    int scalars; // inside it, arrays unrolled
    int depth;
    bool over_aligned; // something in it asks for an alignment
} Record;

typedef struct {
    Type types[MOST_PARAMETERS];
    int count;
    int fixed; // the parameters in front of the variable ones; all, if there are none
    Type result;
    bool variadic;
    bool list_goes_back; // the list of variable arguments is read in the caller's file
    bool through_pointer;
    bool unprototyped; // called as a function of which the parameters are not known
    bool disturbed;    // calls something before it looks at its parameters
} Signature;

typedef struct {
    uint64_t random;
    bool disputed; // use what compilers are known to pass differently
    Record *records;
    int record_count;
    FILE *types, *caller, *callee;
} Generator;

// Values come from a sequence of their own for each argument, so that both files can make them.
typedef struct {
    FILE *out;
    uint64_t random;
    bool check; // compare, or else set
    int number; // of the function
} Leaves;

static uint64_t next_random(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static int below(uint64_t *state, int limit) {
    return (int)(next_random(state) % (uint64_t)limit);
}

static bool chance(Generator *g, int percent) {
    return below(&g->random, 100) < percent;
}

static Type random_scalar(Generator *g) {
    static const Kind often[] = {KIND_INT,    KIND_LONG,  KIND_CHAR,    KIND_DOUBLE,
                                 KIND_DOUBLE, KIND_FLOAT, KIND_FLOAT,   KIND_SHORT,
                                 KIND_UINT,   KIND_ULONG, KIND_POINTER, KIND_LONG_DOUBLE};
    if (chance(g, 60))
        return (Type){.kind = often[below(&g->random, (int)(sizeof often / sizeof *often))]};
    return (Type){.kind = (Kind)below(&g->random, g->disputed ? KIND_RECORD : KIND_INT128)};
}

static int scalars_in(const Generator *g, Type type) {
    return type.kind == KIND_RECORD ? g->records[type.record].scalars : 1;
}

static bool random_bit_field(Generator *g, Record *record, Member *member) {
    static const Kind bases[] = {KIND_INT,  KIND_UINT,  KIND_LONG,  KIND_ULONG,
                                 KIND_BOOL, KIND_UCHAR, KIND_SCHAR, KIND_USHORT};
    Kind base = bases[below(&g->random, (int)(sizeof bases / sizeof *bases))];
    member->type = (Type){.kind = base};
    member->bits = 1 + below(&g->random, kinds[base].bits);
    if (!record->is_union && record->count > 0 && chance(g, 8)) member->bits = 0;
    return member->bits > 0;
}

static void random_member(Generator *g, Record *record, bool floats) {
    Member member = {.elements = NO_ARRAY, .bits = NO_BITS};
    int counted = 0;
    if (floats) {
        member.type.kind = chance(g, 60) ? KIND_FLOAT : KIND_DOUBLE;
        if (g->disputed && chance(g, 40)) member.type.kind = KIND_HALF;
        counted = 1;
    } else if (chance(g, 15)) {
        counted = random_bit_field(g, record, &member);
    } else {
        member.type = random_scalar(g);
        if (g->record_count > 0 && chance(g, 18)) {
            Type inner = {.kind = KIND_RECORD, .record = below(&g->random, g->record_count)};
            const Record *r = &g->records[inner.record];
            if (r->depth < 4 && r->scalars < 16) {
                member.type = inner;
                if (r->depth >= record->depth) record->depth = r->depth + 1;
            }
        }
        counted = scalars_in(g, member.type);
        if (chance(g, 8)) member.aligned = 1 << below(&g->random, 5);
    }
    // An alignment asked for a member may not be weaker than that of its type.
    if (member.aligned && member.aligned < 16) member.aligned = 16;
    if (member.bits == NO_BITS && chance(g, 15)) {
        member.elements = 1 + below(&g->random, 4);
        counted *= member.elements;
    }
    record->scalars += counted;
    if (member.aligned) record->over_aligned = true;
    if (member.type.kind == KIND_RECORD && g->records[member.type.record].over_aligned)
        record->over_aligned = true;
    record->members[record->count++] = member;
}

// At the end of some structures: nothing that counts.
static void random_tail(Generator *g, Record *record) {
    if (record->is_union || record->count == 0 || record->count == MOST_MEMBERS || !chance(g, 4))
        return;
    Member member = {.type = {.kind = KIND_EMPTY}, .elements = NO_ARRAY, .bits = NO_BITS};
    if (g->disputed && chance(g, 60)) {
        member.type.kind = KIND_CHAR;
        member.elements = chance(g, 50) ? 0 : FLEXIBLE;
    }
    record->members[record->count++] = member;
}

static bool flexible(const Generator *g, const Member *member) {
    if (member->elements == FLEXIBLE || member->elements == 0) return true;
    if (member->type.kind != KIND_RECORD) return false;
    const Record *r = &g->records[member->type.record];
    return flexible(g, &r->members[r->count - 1]);
}

static void print_member(const Generator *g, const Member *member, int number) {
    FILE *out = g->types;
    fprintf(out, "    ");
    if (member->aligned) fprintf(out, "_Alignas(%d) ", member->aligned);
    if (member->type.kind == KIND_RECORD)
        fprintf(out, "R%d", member->type.record);
    else
        fprintf(out, "%s", kinds[member->type.kind].name);
    if (member->bits != 0) fprintf(out, " m%d", number);
    if (member->bits >= 0) fprintf(out, " : %d", member->bits);
    if (member->elements >= 0) fprintf(out, "[%d]", member->elements);
    if (member->elements == FLEXIBLE) fprintf(out, "[]");
    fprintf(out, ";\n");
}

static void print_record(const Generator *g, int number) {
    const Record *record = &g->records[number];
    FILE *out = g->types;
    fprintf(out, "typedef %s {\n", record->is_union ? "union" : "struct");
    for (int i = 0; i < record->count; i++) print_member(g, &record->members[i], i);
    fprintf(out, "}");
    if (record->packed) fprintf(out, " __attribute__((packed))");
    if (record->aligned) fprintf(out, " __attribute__((aligned(%d)))", record->aligned);
    fprintf(out, " R%d;\n", number);
}

static void random_record(Generator *g) {
    Record record = {.is_union = chance(g, 20), .packed = chance(g, 8), .depth = 1};
    bool floats = chance(g, 20);
    int members = chance(g, 70) ? 1 + below(&g->random, 4) : 1 + below(&g->random, MOST_MEMBERS);
    for (int i = 0; i < members; i++) {
        random_member(g, &record, floats);
        // What has an open end may only come last, and not at all in a union.
        if (flexible(g, &record.members[record.count - 1])) {
            record.members[record.count - 1] =
                (Member){.type = {.kind = KIND_INT}, .elements = NO_ARRAY, .bits = NO_BITS};
            record.scalars++;
        }
    }
    if (record.members[0].bits == 0) record.members[0].bits = 1, record.scalars++;
    random_tail(g, &record);
    if (chance(g, 5)) record.aligned = 1 << below(&g->random, 5);
    if (record.aligned) record.over_aligned = true;
    g->records = realloc(g->records, (size_t)(g->record_count + 1) * sizeof *g->records);
    if (!g->records) abort();
    g->records[g->record_count] = record;
    print_record(g, g->record_count++);
}

static Type random_type(Generator *g) {
    if (!chance(g, 40) || g->record_count == 0) return random_scalar(g);
    // The newest ones more often, so that all are used.
    int window = chance(g, 50) && g->record_count > 4 ? 4 : g->record_count;
    return (Type){.kind = KIND_RECORD, .record = g->record_count - 1 - below(&g->random, window)};
}

static bool promotes(Type type) {
    return kinds[type.kind].promoted != type.kind;
}

static Signature random_signature(Generator *g) {
    Signature s = {.variadic = chance(g, 25)};
    s.count = chance(g, 85) ? below(&g->random, 9) : below(&g->random, MOST_PARAMETERS + 1);
    if (s.variadic && s.count == 0) s.count = 1;
    for (int i = 0; i < s.count; i++) s.types[i] = random_type(g);
    s.fixed = s.count;
    if (s.variadic) {
        s.fixed = 1 + below(&g->random, s.count < 4 ? s.count : 4);
        // The parameter in front of the dots is one that does not change when it is passed.
        if (promotes(s.types[s.fixed - 1])) s.types[s.fixed - 1].kind = KIND_INT;
        // gcc 12 loads a structure that asks for an alignment from the saved registers as if they had it.
        for (int i = s.fixed; i < s.count; i++)
            if (s.types[i].kind == KIND_RECORD && g->records[s.types[i].record].over_aligned)
                s.types[i] = (Type){.kind = KIND_LONG};
        s.list_goes_back = chance(g, 33);
    }
    s.result = chance(g, 10) ? (Type){.kind = KIND_VOID} : random_type(g);
    s.through_pointer = chance(g, 25);
    s.disturbed = chance(g, 40);
    s.unprototyped = !s.variadic && chance(g, 15);
    for (int i = 0; i < s.count; i++)
        if (promotes(s.types[i])) s.unprototyped = false;
    return s;
}

static void print_type(FILE *out, Type type) {
    if (type.kind == KIND_RECORD)
        fprintf(out, "R%d", type.record);
    else
        fprintf(out, "%s", kinds[type.kind].name);
}

static void print_integer(Leaves *l, Kind kind, int bits, uint64_t value) {
    const KindInfo *info = &kinds[kind];
    if (bits == 128) {
        fprintf(l->out, "(%s)((unsigned __int128)0x%" PRIx64 "ull << 64 | 0x%" PRIx64 "ull)",
                info->name, value, next_random(&l->random));
        return;
    }
    if (bits < 64) value &= ((uint64_t)1 << bits) - 1;
    if (info->is_signed && bits < 64 && value >> (bits - 1)) value |= ~(uint64_t)0 << bits;
    fprintf(l->out, "(%s)0x%" PRIx64 "ull", info->name, value);
}

static void print_float(Leaves *l, Kind kind, uint64_t value) {
    const KindInfo *info = &kinds[kind];
    int exponent = kind == KIND_HALF ? (int)(value >> 60) - 8 : (int)(value >> 58) - 32;
    uint64_t digits = next_random(&l->random) >> (64 - 4 * info->value_digits);
    fprintf(l->out, "%s0x1.%0*" PRIx64 "p%d%s", value & 1 ? "-" : "", info->value_digits, digits,
            exponent, info->suffix);
}

static void print_value(Leaves *l, Kind kind, int bits) {
    uint64_t value = next_random(&l->random);
    if (value % 16 == 0) value = value >> 8 & 1 ? UINT64_MAX : 0;
    if (kinds[kind].bits)
        print_integer(l, kind, bits == NO_BITS ? kinds[kind].bits : bits, value);
    else
        print_float(l, kind, value);
}

// Sets one scalar or compares it; as a variable argument it may have a wider type.
static void print_scalar(Leaves *l, const char *path, Kind kind, int bits, Kind seen_as) {
    bool is_float = kinds[kind].bits == 0;
    if (l->check)
        fprintf(l->out, is_float ? "    CHECK_FLOAT(%d, %s, %s, " : "    CHECK(%d, %s, %s, ",
                l->number, path, kinds[seen_as].name);
    else
        fprintf(l->out, "    %s = ", path);
    print_value(l, kind, bits);
    fprintf(l->out, l->check ? ");\n" : ";\n");
}

static void print_leaves(Leaves *l, const Generator *g, const char *path, Type type, int bits,
                         Kind seen_as);

static void print_member_leaves(Leaves *l, const Generator *g, const char *path,
                                const Member *member, int number) {
    char inner[200];
    if (member->bits == 0 || member->elements == FLEXIBLE || member->type.kind == KIND_EMPTY)
        return;
    if (member->elements == NO_ARRAY) {
        snprintf(inner, sizeof inner, "%s.m%d", path, number);
        print_leaves(l, g, inner, member->type, member->bits, member->type.kind);
        return;
    }
    for (int i = 0; i < member->elements; i++) {
        snprintf(inner, sizeof inner, "%s.m%d[%d]", path, number, i);
        print_leaves(l, g, inner, member->type, NO_BITS, member->type.kind);
    }
}

static void print_leaves(Leaves *l, const Generator *g, const char *path, Type type, int bits,
                         Kind seen_as) {
    if (type.kind == KIND_RECORD) {
        const Record *r = &g->records[type.record];
        int only = r->is_union ? below(&l->random, r->count) : -1;
        for (int i = 0; i < r->count; i++)
            if (only < 0 || i == only) print_member_leaves(l, g, path, &r->members[i], i);
    } else if (kinds[type.kind].part) {
        char half[220];
        Kind part = kinds[type.kind].part;
        snprintf(half, sizeof half, "__real__ %s", path);
        print_scalar(l, half, part, NO_BITS, part);
        snprintf(half, sizeof half, "__imag__ %s", path);
        print_scalar(l, half, part, NO_BITS, part);
    } else {
        print_scalar(l, path, type.kind, bits, seen_as);
    }
}

// Sets or compares argument number `index` (-1: the result) of a function.
static void print_argument(const Generator *g, FILE *out, bool check, int number, int index,
                           Type type, Kind seen_as) {
    Leaves leaves = {.out = out, .check = check, .number = number};
    leaves.random = (uint64_t)number * 1000 + (uint64_t)(index + 1);
    next_random(&leaves.random);
    char name[16] = "result";
    if (index >= 0) snprintf(name, sizeof name, "a%d", index);
    print_leaves(&leaves, g, name, type, NO_BITS, seen_as);
}

static void declare_and_set(const Generator *g, FILE *out, int number, int index, Type type) {
    char name[16] = "result";
    if (index >= 0) snprintf(name, sizeof name, "a%d", index);
    fprintf(out, "    ");
    print_type(out, type);
    fprintf(out, " %s;\n    memset(&%s, 0x5a, sizeof %s);\n", name, name, name);
    print_argument(g, out, false, number, index, type, type.kind);
}

static void print_head(FILE *out, const Signature *s, int number) {
    print_type(out, s->result);
    fprintf(out, " f%d(", number);
    for (int i = 0; i < s->fixed; i++) {
        if (i > 0) fprintf(out, ", ");
        print_type(out, s->types[i]);
        fprintf(out, " a%d", i);
    }
    fprintf(out, "%s)", s->variadic ? ", ..." : s->count == 0 ? "void" : "");
}

// Reads the variable arguments from `list` and compares them.
static void print_list_reader(const Generator *g, FILE *out, const Signature *s, int number) {
    for (int i = s->fixed; i < s->count; i++) {
        Type type = {.kind = kinds[s->types[i].kind].promoted, .record = s->types[i].record};
        fprintf(out, "    ");
        print_type(out, type);
        fprintf(out, " a%d = va_arg(list, ", i);
        print_type(out, type);
        fprintf(out, ");\n");
        print_argument(g, out, true, number, i, s->types[i], type.kind);
    }
}

static void print_callee(const Generator *g, const Signature *s, int number) {
    FILE *out = g->callee;
    fprintf(out, "\n");
    print_head(out, s, number);
    fprintf(out, " {\n");
    if (s->disturbed) fprintf(out, "    disturb(%d);\n", number);
    for (int i = 0; i < s->fixed; i++)
        print_argument(g, out, true, number, i, s->types[i], s->types[i].kind);
    if (s->variadic) {
        fprintf(out, "    va_list list;\n    va_start(list, a%d);\n", s->fixed - 1);
        if (s->list_goes_back)
            fprintf(out,
                    "    va_list copy;\n    va_copy(copy, list);\n    list%d(copy);\n"
                    "    va_end(copy);\n",
                    number);
        print_list_reader(g, out, s, number);
        fprintf(out, "    va_end(list);\n");
    }
    if (s->result.kind != KIND_VOID) {
        declare_and_set(g, out, number, -1, s->result);
        fprintf(out, "    return result;\n");
    }
    fprintf(out, "}\n");
}

static void print_call(FILE *out, const Signature *s, int number) {
    fprintf(out, "    ");
    if (s->result.kind != KIND_VOID) {
        print_type(out, s->result);
        fprintf(out, " result = ");
    }
    if (s->unprototyped) {
        fprintf(out, "((");
        print_type(out, s->result);
        fprintf(out, " (*)())f%d)(", number);
    } else {
        fprintf(out, s->through_pointer ? "(*pointer)(" : "f%d(", number);
    }
    for (int i = 0; i < s->count; i++) fprintf(out, "%sa%d", i > 0 ? ", " : "", i);
    fprintf(out, ");\n");
}

static void print_caller(const Generator *g, const Signature *s, int number) {
    FILE *out = g->caller;
    if (s->list_goes_back) {
        fprintf(out, "\nvoid list%d(va_list list) {\n", number);
        print_list_reader(g, out, s, number);
        fprintf(out, "}\n");
    }
    fprintf(out, "\nstatic void call%d(void) {\n", number);
    for (int i = 0; i < s->count; i++) declare_and_set(g, out, number, i, s->types[i]);
    if (s->through_pointer && !s->unprototyped) {
        fprintf(out, "    ");
        print_type(out, s->result);
        fprintf(out, " (*volatile pointer)(");
        for (int i = 0; i < s->fixed; i++) {
            if (i > 0) fprintf(out, ", ");
            print_type(out, s->types[i]);
        }
        fprintf(out, "%s) = f%d;\n", s->variadic ? ", ..." : s->count == 0 ? "void" : "", number);
    }
    fprintf(out, "    KEEP\n");
    print_call(out, s, number);
    fprintf(out, "    COMPARE_KEPT(%d)\n", number);
    if (s->result.kind != KIND_VOID)
        print_argument(g, out, true, number, -1, s->result, s->result.kind);
    // What was passed by value belongs to the caller: it is as before.
    for (int i = 0; i < s->count; i++)
        print_argument(g, out, true, number, i, s->types[i], s->types[i].kind);
    fprintf(out, "}\n");
}

static const char types_head[] =
    "#pragma once\n#include <stdarg.h>\n#include <stdio.h>\n#include <string.h>\n\n"
    "enum colour { RED, GREEN, BLUE, BLACK };\n"
    "typedef void (*Function)(void);\ntypedef struct {\n} Empty;\n"
    "void wrong(int function, const char *file, const char *what);\n"
    "void disturb(int number);\nextern volatile long seven;\n"
    "#define CHECK(function, path, type, value) \\\n"
    "    do { \\\n"
    "        type got_ = path; \\\n"
    "        if (got_ != (value)) wrong(function, __FILE__, #path); \\\n"
    "    } while (0)\n"
    "// The ten bytes of a long double that hold its value, all of the others.\n"
    "#define CHECK_FLOAT(function, path, type, value) \\\n"
    "    do { \\\n"
    "        type got_ = path, want_ = (value); \\\n"
    "        if (memcmp(&got_, &want_, sizeof got_ == 16 ? 10 : sizeof got_)) \\\n"
    "            wrong(function, __FILE__, #path); \\\n"
    "    } while (0)\n"
    "#define KEEP \\\n"
    "    long k1 = seven, k2 = k1 * 3, k3 = k1 * 5, k4 = k1 + 11, k5 = k1 - 13, k6 = k1 * k1;\n"
    "#define COMPARE_KEPT(function) \\\n"
    "    if (k1 != 7 || k2 != 21 || k3 != 35 || k4 != 18 || k5 != -6 || k6 != 49) \\\n"
    "        wrong(function, __FILE__, \"a register\");\n\n";

static const char caller_head[] =
    "#include \"types.h\"\n\nvolatile long seven = 7;\nstatic int failures;\n\n"
    "void wrong(int function, const char *file, const char *what) {\n"
    "    printf(\"f%d: %s: %s\\n\", function, file, what);\n    failures++;\n}\n\n"
    "// Uses registers and stack below the function that calls it.\n"
    "void disturb(int number) {\n    char text[200];\n"
    "    sprintf(text, \"%d %g %Lg\", number, number / 3.0, number / 7.0L);\n"
    "    if (strlen(text) == 0) wrong(number, \"disturb\", text);\n}\n";

static FILE *open_file(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: generate SEED COUNT DIRECTORY [-g]\n");
        return 2;
    }
    Generator g = {.random = strtoull(argv[1], NULL, 10), .disputed = argc > 4};
    int count = atoi(argv[2]);
    g.types = open_file(argv[3], "types.h");
    g.caller = open_file(argv[3], "caller.c");
    g.callee = open_file(argv[3], "callee.c");
    fputs(types_head, g.types);
    fputs(caller_head, g.caller);
    fputs("#include \"types.h\"\n", g.callee);
    for (int i = 0; i < count; i++) {
        for (int k = below(&g.random, 4); k > 0; k--) random_record(&g);
        Signature signature = random_signature(&g);
        print_head(g.types, &signature, i);
        fprintf(g.types, ";\n");
        if (signature.list_goes_back) fprintf(g.types, "void list%d(va_list list);\n", i);
        print_callee(&g, &signature, i);
        print_caller(&g, &signature, i);
    }
    fprintf(g.caller, "\nint main(void) {\n");
    for (int i = 0; i < count; i++) fprintf(g.caller, "    call%d();\n", i);
    fprintf(g.caller, "    return failures != 0;\n}\n");
    free(g.records);
    return fclose(g.types) || fclose(g.caller) || fclose(g.callee) ? 2 : 0;
}
