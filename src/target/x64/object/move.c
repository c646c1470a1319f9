// Moves, constants, loads and stores: what most texts are made of.
#include "target/x64/object/walk.h"

#include <stdio.h>
#include <string.h>

static bool goes_to_spill(const CodeWalk *w, const char *to) {
    return strcmp(to, "d") == 0 && place_is_spill(w->instr->dest);
}

// A spill is written whole, so that it can be read back in one piece.
static bool move_value(CodeWalk *w, Type type, const char *from, const char *to) {
    if (type == TYPE_F80) return code_is_like(w, "fld %s:10; fstp %s:10", from, to);
    bool wide = type == TYPE_I64 || type == TYPE_F64 || goes_to_spill(w, to);
    const char *const ways[] = {wide ? "mov.8" : "mov.4", "movaps", wide ? "movsd" : "movss",
                                wide ? "movd.8" : "movd.4"};
    for (uint32_t k = 0; k < 4; k++)
        if (code_is_like(w, "%s %s,%s", ways[k], from, to)) return true;
    return false;
}

bool match_constant(CodeWalk *w, Type type, int64_t bits, const char *to) {
    long long number = bits;
    if (type == TYPE_I32) number = (int32_t)bits;
    bool spill = goes_to_spill(w, to),
         narrow = type == TYPE_I32 || (number >= 0 && number <= UINT32_MAX);
    if (type_is_int(type) && number == 0 && !spill) return code_is_like(w, "xor.4 %s,%s", to, to);
    if (type_is_int(type))
        return code_is_like(w, "mov.%u $%lld,%s", narrow && !spill ? 4 : 8, number, to);
    if (bits == 0 && code_is_like(w, "xorps %s,%s", to, to)) return true;
    if (type == TYPE_F32) return code_is_like(w, "movss p4:0x%llx:0,%s", number & UINT32_MAX, to);
    return type == TYPE_F64 && code_is_like(w, "movsd p8:0x%llx:0,%s", number, to);
}

bool match_load(CodeWalk *w, const char *from, const char *to) {
    switch ((Chunk)w->instr->chunk) {
    case CHUNK_I8: return code_is_like(w, "movsx.4 %s:1,%s", from, to);
    case CHUNK_U8: return code_is_like(w, "movzx.4 %s:1,%s", from, to);
    case CHUNK_I16: return code_is_like(w, "movsx.4 %s:2,%s", from, to);
    case CHUNK_U16: return code_is_like(w, "movzx.4 %s:2,%s", from, to);
    default: return move_value(w, chunk_type((Chunk)w->instr->chunk), from, to);
    }
}

bool match_store(CodeWalk *w) {
    Chunk chunk = (Chunk)w->instr->chunk;
    if (code_is(w, "mov.c a,m")) return true;
    return !type_is_int(chunk_type(chunk)) && move_value(w, chunk_type(chunk), "a", "m");
}

bool match_plus(CodeWalk *w, const char *to) {
    return w->instr->imm == 0 || code_is_like(w, "add.8 i,%s", to) ||
           code_is_like(w, "add.8 pi,%s", to);
}

// The source that a role stands for; NO_SOURCE if it is none.
static uint32_t source_of(const char *role) {
    for (uint32_t k = 0; k < MACH_SOURCES; k++)
        if (role[0] == "abce"[k] && !role[1]) return k;
    return NO_SOURCE;
}

bool match_move(CodeWalk *w, Type type, const char *from, const char *to) {
    const MachInstr *instr = w->instr;
    uint32_t k = source_of(from);
    if (strcmp(from, "i") == 0) return match_constant(w, type, instr->imm, to);
    if (k == NO_SOURCE) return move_value(w, type, from, to);
    if (instr->immediate == k) return match_constant(w, type, instr->imm, to);
    if (instr->memory == k) return match_load(w, from, to);
    if (strcmp(to, "d") == 0 && instr->dest.i == instr->src[k].i)
        return !match_is_stale(w, instr->src[k]);
    return move_value(w, type, from, to);
}
