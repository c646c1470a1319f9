// Loads that become moves or extensions of a register that may hold something else by then: the
// values kernel must reject each of them. All of them are well-formed SSA, so that nothing but the
// checker stands in their way.
#include "check/checkers.h"
#include "test/gen/forge.h"
#include "test/gen/harmless.h"
#include "test/gen/plain_values.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The load of `before`, and what stands there in `after`.
typedef struct {
    Arena *arena;
    const Func *before;
    Func *after;
    Node load;
} ForwardedLoad;

// ---- Loads that may yield something else

#define HEAD                                                                                       \
    "asm 0 \"nop\"\nglobal @g size 64 align 8\nglobal @h size 64 align 8\nglobal @w size 64 "      \
    "align 8 weak\n"                                                                               \
    "global @c size 64 align 8 common\nglobal @r size 64 align 8 const replaceable\n"              \
    "extern global @x size 64 align 8\nextern function void @call(i32)\n"                          \
    "extern function i32 @setjmp(i64) returns_twice\n"                                             \
    "function i32 @f(i64 %p.0, i64 %q.0, i32 %v.0) {\n"                                            \
    "slot $s size 64 align 8\nslot $t size 64 align 8\n"
#define TAIL " -> 8\n8: return %v.0\n}\n"

// Node 7 is the load that becomes a move, or what else is given, of a register.
typedef struct {
    const char *code;
    const char *from;
    Op op;
} StaleLoad;

#define LEAK_IF(z)                                                                                 \
    "0: %z.1 = const.i32 " z "\n1: store.i32 [$s], %v.0\n2: if ne.i32 %z.1, 0 then 3 else 5\n"     \
    "3: %r.1 = addr $s\n4: store.i64 [@g], %r.1\n9: nop -> 6\n5: nop -> 6\n"                       \
    "6: call @call(%v.0) -> 7\n7: %b.1 = load.i32 [$s]"
#define MERGE_IF(z)                                                                                \
    "0: %z.1 = const.i32 " z "\n1: %r.1 = addr $s\n2: store.i32 [$s], %v.0\n"                      \
    "3: if ne.i32 %z.1, 0 then 4 else 5\n4: nop -> 6\n5: nop -> 6\n"                               \
    "6: %u.1 = phi(4: %r.1, 5: %p.0)\n6: store.i32 [%u.1], %w.0 -> 7\n7: %b.1 = load.i32 [$s]"
// The address gets out of sight only where control does not come.
#define LEAK_BEHIND(z)                                                                             \
    "0: %z.1 = const.i32 " z "\n1: store.i32 [$s], %v.0\n2: call @call(%v.0)\n"                    \
    "3: if ne.i32 %z.1, 0 then 4 else 5\n4: nop -> 7\n5: %r.1 = addr $s\n6: store.i64 [@g], "      \
    "%r.1\n"                                                                                       \
    "9: return %v.0\n7: %b.1 = load.i32 [$s]"

static const StaleLoad stale[] = {
    {"0: %a.1 = load.i32 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0 + 4]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] -> 7\n7: %b.1 = load.i32 [%q.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g] -> 7\n7: %b.1 = load.i32 [@h]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [$s] -> 7\n7: %b.1 = load.i32 [$t]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0 + %q.0*4] -> 7\n7: %b.1 = load.i32 [%p.0 + %q.0*8]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0 + %q.0*4] -> 7\n7: %b.1 = load.i32 [%q.0 + %p.0*4]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0 + %q.0*1] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.u16 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] -> 7\n7: %b.1 = load.u16 [%p.0]", "%a.1", OP_ZEXT16_I32},
    {"0: %a.1 = load.i8 [%p.0] -> 7\n7: %b.1 = load.u8 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.u8 [%p.0] -> 7\n7: %b.1 = load.i8 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i8 [%p.0] -> 7\n7: %b.1 = load.i8 [%p.0]", "%a.1", OP_ZEXT8_I32},
    {"0: store.i8 [%p.0], %v.0 -> 7\n7: %b.1 = load.i8 [%p.0]", "%v.0", OP_MOVE_I32},
    {"0: store.i16 [%p.0], %v.0 -> 7\n7: %b.1 = load.u16 [%p.0]", "%v.0", OP_ZEXT8_I32},
    {"0: store.i16 [%p.0], %v.0 -> 7\n7: %b.1 = load.u16 [%p.0]", "%v.0", OP_SEXT16_I32},
    {"0: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%v.0", OP_NOT_I32},
    {"0: %a.1 = load.f32 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_BITS_I32_F32},
    {"0: %a.1 = load.i64 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_TRUNC_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i32 [%q.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i32 [@g], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@w], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@r], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@r]\n1: call @call(%v.0) -> 7\n7: %b.1 = load.i32 [@r]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@x], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@c]\n1: store.i32 [@g], %v.0 -> 7\n7: %b.1 = load.i32 [@c]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@g + %q.0*4], %v.0 -> 7\n7: %b.1 = load.i32 [@g]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i8 [%p.0 + 3], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i64 [%p.0 - 7], %q.0 -> 7\n7: %b.1 = load.i32 [%p.0]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: call @call(%v.0) -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: store.i32 [$s], %v.0\n1: %a.1 = call @setjmp(%p.0) -> 7\n7: %b.1 = load.i32 [$s]", "%v.0",
     OP_MOVE_I32},
    {"0: store.i32 [$s], %v.0\n1: call void(i32) returns_twice %p.0(%v.0) -> 7\n7: %b.1 = load.i32 "
     "[$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i64 [@g], %r.1\n2: store.i32 [$s], %v.0\n3: call @call(%v.0)"
     " -> 7\n7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: %u.1 = add.i64 %r.1, 4\n2: store.i32 [$s], %v.0\n"
     "3: store.i32 [%u.1 - 4], %w.0 -> 7\n7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i32 [$s], %v.0\n2: memset %r.1, %v.0, 8 -> 7\n"
     "7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s + 4\n1: store.i32 [$s + 4], %v.0\n2: store.i32 [%r.1], %w.0 -> 7\n"
     "7: %b.1 = load.i32 [$s + 4]",
     "%v.0", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: memcpy %q.0, %p.0, 4 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: fence acquire -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: asm %p.0, 0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i32 [$s], %v.0\n2: asm %r.1, 0 -> 7\n7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    {LEAK_IF("1"), "%v.0", OP_MOVE_I32},
    {MERGE_IF("1"), "%v.0", OP_MOVE_I32},
    // From one object's address, in a register, to another object.
    {"0: %r.1 = addr @g\n1: %a.1 = load.i32 [@h]\n2: store.i32 [%r.1 + %q.0*1], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: %u.1 = add.i64 %r.1, %q.0\n2: %a.1 = load.i32 [@h]\n"
     "3: store.i32 [%r.1 + %q.0*1], %v.0 -> 7\n7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g + 64\n1: %a.1 = load.i32 [@h]\n2: store.i32 [%r.1], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %a.1 = load.i32 [@h]\n2: store.i32 [%r.1 - 4], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g + 60\n1: %a.1 = load.i32 [@h]\n2: memset %r.1, %v.0, 8 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %a.1 = load.i32 [%r.1 + %q.0*1]\n2: store.i32 [@h], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [%r.1 + %q.0*1]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: volatile_store.i32 [@g + 2], %v.0 -> 7\n7: %b.1 = load.i32 [@g]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: %u.1 = atomic_add.i32 [%p.0], %v.0 relaxed -> 7\n"
     "7: %b.1 = load.i32 [@g]",
     "%a.1", OP_MOVE_I32},
    // An index that is a constant.
    {"0: %k.1 = const.i64 2\n1: %a.1 = load.i32 [%p.0 + %k.1*4] -> 7\n"
     "7: %b.1 = load.i32 [%p.0 + 4]",
     "%a.1", OP_MOVE_I32},
    {"0: %k.1 = const.i64 2\n1: %a.1 = load.i32 [%p.0 + %k.1*4] -> 7\n"
     "7: %b.1 = load.i32 [%p.0 + %k.1*8]",
     "%a.1", OP_MOVE_I32},
    {"0: %k.1 = const.i64 2\n1: %a.1 = load.i32 [%k.1*4 + 4096] -> 7\n"
     "7: %b.1 = load.i32 [%k.1*4]",
     "%a.1", OP_MOVE_I32},
    {"0: %k.1 = const.i64 2\n1: %a.1 = load.i32 [@g + 8]\n2: store.i32 [@g + %k.1*4], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@g + 8]",
     "%a.1", OP_MOVE_I32},
    {"0: %k.1 = const.i64 1\n1: %a.1 = load.i32 [$s + 8]\n2: store.i64 [$s + %k.1*4], %q.0 -> 7\n"
     "7: %b.1 = load.i32 [$s + 8]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %k.1 = const.i64 16\n2: %a.1 = load.i32 [@h]\n"
     "3: store.i32 [%r.1 + %k.1*4], %v.0 -> 7\n7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %k.1 = const.i64 -1\n2: %a.1 = load.i32 [@h]\n"
     "3: store.i32 [%r.1 + %k.1*4], %v.0 -> 7\n7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    // By wrapping around: 0, 64, 2 to the power 43.
    {"0: %k.1 = const.i64 0x4000000000000000\n1: %a.1 = load.i32 [@g]\n"
     "2: store.i32 [@g + %k.1*4], %v.0 -> 7\n7: %b.1 = load.i32 [@g]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %k.1 = const.i64 0x4000000000000010\n2: %a.1 = load.i32 [@h]\n"
     "3: store.i32 [%r.1 + %k.1*4], %v.0 -> 7\n7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %k.1 = const.i64 0x10000000000\n2: %a.1 = load.i32 [@h]\n"
     "3: store.i32 [%r.1 + %k.1*8], %v.0 -> 7\n7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    // Effective types: a store by the type of the load, or by none, or anything else that has no
    // type; a load without a type.
    {"0: store.i32 [%p.0] as int, %v.0\n1: store.i32 [%q.0] as int, %w.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0\n1: store.i32 [%q.0], %w.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0], %v.0\n1: store.f32 [%q.0] as float, %x.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0]",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0\n1: store.f32 [%q.0] as float, %x.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0]",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0], %v.0\n1: store.f32 [%q.0] as float, %x.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as float",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0\n1: memcpy %q.0, %p.0, 4 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0\n1: call @call(%v.0) -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0\n1: volatile_store.i32 [%q.0], %w.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0\n1: %u.1 = atomic_add.i32 [%q.0], %w.0 relaxed -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%v.0", OP_MOVE_I32},
    // In one object, and in one group of places.
    {"0: %a.1 = load.i32 [@g] as int\n1: store.i32 [@g + %q.0*4] as int, %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@g] as int",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g] as int\n1: store.i8 [@g + 1], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@g] as int",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] as int\n1: store.i16 [%p.0 + 2] as int, %v.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i32 [$s] as int, %v.0\n2: memset %r.1, %v.0, 8 -> 7\n"
     "7: %b.1 = load.i32 [$s] as int",
     "%v.0", OP_MOVE_I32},
    // What a load by one type yields may be undefined; a load by another type may yield more.
    {"0: %a.1 = load.i32 [%p.0] as int -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] as int -> 7\n7: %b.1 = load.i32 [%p.0] as long", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] as int\n1: store.i32 [%q.0] as float, %v.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as float",
     "%a.1", OP_MOVE_I32},
    // A type that is not that of the load keeps nothing.
    {"0: %a.1 = load.i32 [%p.0]\n1: store.f32 [%q.0] as float, %x.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%a.1", OP_MOVE_I32},
};

// In a row with a branch the branch asks for a constant, and goes one way.
static bool goes_on(const Func *func, Node node, bool *outcome) {
    const Instr *instr = func_at(func, node);
    if (instr->kind != I_COND) return false;
    *outcome = func->nodes.at[0].imm;
    return true;
}

static ForwardedLoad forward(Arena *arena, const StaleLoad *it) {
    bool extra = strstr(it->code, "%w.0") != NULL, real = strstr(it->code, "%x.0") != NULL;
    const char *text = arena_printf(arena, "%s%s%s%s%s", HEAD, extra ? "reg i32 %w.0\n" : "",
                                    real ? "reg f32 %x.0\n" : "", it->code, TAIL);
    ForwardedLoad f = {.arena = arena, .before = forge_parse(arena, FORM_SSA, text)};
    f.after = func_clone(f.before, arena);
    while (func_label(f.before, f.load) != 7) f.load.i++;
    Instr *load = &f.after->nodes.at[f.load.i];
    assert_int_equal(load->kind, I_LOAD);
    *load = (Instr){.kind = I_OP,
                    .op = (uint16_t)it->op,
                    .dest = load->dest,
                    .arg_count = 1,
                    .arg = {forge_reg(f.before, it->from)},
                    .succ_count = 1,
                    .succ = {load->succ[0]}};
    bool outcome;
    for (uint32_t n = 0; n < f.after->nodes.count; n++)
        if (goes_on(f.before, (Node){n}, &outcome))
            f.after->nodes.at[n] = (Instr){.kind = I_NOP,
                                           .dest = NO_REG,
                                           .succ_count = 1,
                                           .succ = {f.before->nodes.at[n].succ[!outcome]}};
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, f.after)) fail_msg("%s", complaints.list.at[0].message);
    return f;
}

static Verdict judge(const ForwardedLoad *f) {
    ValuesHint *hint = plain_values(f->arena, f->before, f->after);
    plain_forward(f->arena, f->before, f->after, f->load, hint);
    bool outcome;
    for (uint32_t n = 0; n < f->before->nodes.count; n++) {
        if (!goes_on(f->before, (Node){n}, &outcome)) continue;
        HintValue it = {.kind = VALUE_OP, .op = OP_CONST_I32, .ref = NO_ID, .imm = outcome};
        uint32_t value = plain_add(f->arena, hint, it, NULL);
        vec_push(f->arena, &hint->steps, (ValueStep){hint->tests.at[0], value, STEP_FOLD});
    }
    return check_values(f->arena, f->before, f->after, hint);
}

static void test_stale_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        Arena *arena = arena_new("forgery");
        ForwardedLoad f = forward(arena, &stale[i]);
        if (judge(&f).accepted) fail_msg("%s: accepted", stale[i].code);
        arena_free(arena);
    }
}

// ---- Loads that yield what is claimed

static const StaleLoad fresh[] = {
    {"0: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%v.0", OP_MOVE_I32},
    {"0: store.i16 [%p.0], %v.0 -> 7\n7: %b.1 = load.u16 [%p.0]", "%v.0", OP_ZEXT16_I32},
    {"0: %a.1 = load.i8 [%p.0] -> 7\n7: %b.1 = load.i8 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i32 [%p.0 + 4], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@h], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: store.i32 [$s], %v.0\n1: call @call(%v.0) -> 7\n7: %b.1 = load.i32 [$s]", "%v.0",
     OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i32 [$s + 4], %v.0\n2: store.i32 [%r.1], %w.0 -> 7\n"
     "7: %b.1 = load.i32 [$s + 4]",
     "%v.0", OP_MOVE_I32},
    {"0: %k.1 = const.i64 2\n1: store.i32 [$s + %k.1*8], %v.0 -> 7\n7: %b.1 = load.i32 [$s + 16]",
     "%v.0", OP_MOVE_I32},
    {"0: %k.1 = const.i64 3\n1: %a.1 = load.i32 [@g + 8]\n2: store.i32 [@g + %k.1*4], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@g + 8]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %k.1 = const.i64 15\n2: %a.1 = load.i32 [@h]\n"
     "3: store.i32 [%r.1 + %k.1*4], %v.0 -> 7\n7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %k.1 = const.i64 0x4000000000000001\n1: store.i32 [%p.0 + %k.1*4], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0 + 4]",
     "%v.0", OP_MOVE_I32},
    {LEAK_IF("0"), "%v.0", OP_MOVE_I32},
    {MERGE_IF("0"), "%v.0", OP_MOVE_I32},
    {LEAK_BEHIND("1"), "%v.0", OP_MOVE_I32},
    // A store by another type: elsewhere, in the same object, over the same bytes.
    {"0: store.i32 [%p.0] as int, %v.0\n1: store.f32 [%q.0] as float, %x.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%v.0", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] as int\n1: store.i64 [%q.0] as long, %q.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g] as int\n1: store.i32 [@g + %q.0*4] as float, %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@g] as int",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] as int\n1: store.i64 [%p.0] as long, %q.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %a.1 = load.i32 [@h] as int\n"
     "2: store.i64 [%r.1 + %q.0*1] as pointer, %q.0 -> 7\n7: %b.1 = load.i32 [@h] as int",
     "%a.1", OP_MOVE_I32},
    // What is known of the bytes is known by every type.
    {"0: %a.1 = load.i32 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0] as int", "%a.1", OP_MOVE_I32},
    {"0: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0] as int", "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%v.0", OP_MOVE_I32},
    {"0: store.i32 [%p.0] as int, %v.0\n1: store.i32 [%p.0], %w.0 -> 7\n"
     "7: %b.1 = load.i32 [%p.0] as int",
     "%w.0", OP_MOVE_I32},
};

static void test_fresh_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof fresh / sizeof fresh[0]; i++) {
        Arena *arena = arena_new("forgery");
        ForwardedLoad f = forward(arena, &fresh[i]);
        Verdict verdict = judge(&f);
        if (!verdict.accepted) fail_msg("%s: %s", fresh[i].code, verdict.reason);
        arena_free(arena);
    }
}

static void test_entry_with_predecessor(void **state) {
    (void)state;
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_SSA,
                                     "function i32 @f(i64 %p.0) {\n"
                                     " 0: %a.1 = load.i32 [%p.0]\n 1: nop -> 0\n}\n");
    Func *after = func_clone(before, arena);
    Verdict verdict = check_values(arena, before, after, plain_values(arena, before, after));
    forge_expect_harmless(arena, verdict, before, after, "the entry has a predecessor");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stale_values),
                                       cmocka_unit_test(test_fresh_values),
                                       cmocka_unit_test(test_entry_with_predecessor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
