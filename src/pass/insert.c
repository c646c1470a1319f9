#include "pass/insert.h"

// The place of each node, and the room that it needs with its insertions; one entry more at the
// end.
static uint32_t *find_places(Arena *arena, const Func *func, const Insertion *list,
                             uint32_t count) {
    uint32_t *place = ARENA_ARRAY(arena, uint32_t, func->nodes.count + 1), next = 0;
    for (uint32_t i = 0; i < count; i++) place[list[i].behind]++;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t more = place[n];
        place[n] = next;
        next += 1 + more + (more && func->nodes.at[n].kind == I_NOP);
    }
    place[func->nodes.count] = next;
    return place;
}

static void copy_nodes(Func *result, const Func *func, const uint32_t *place) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        Node node = func_copy_instr(result, func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            func_set_succ(result, node, k, (Node){place[instr_succs(func, instr)[k].i]});
        // The insertions are filled in later; each goes on to the next, and the last to the node's
        // successor.
        Node succ = result->nodes.at[node.i].succ[0];
        uint32_t end = place[n + 1];
        if (end > node.i + 1) result->nodes.at[node.i].succ[0] = (Node){node.i + 1};
        while (result->nodes.count < end) {
            Node next = {result->nodes.count + 1};
            func_nop(result, next.i == end ? succ : next);
        }
    }
}

Func *insert_behind(Arena *arena, const Func *func, const Insertion *list, uint32_t count,
                    uint32_t **place) {
    Func *result = func_like(func, arena);
    *place = find_places(arena, func, list, count);
    copy_nodes(result, func, *place);
    uint32_t *used = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t behind = list[i].behind;
        Instr *to = &result->nodes.at[(*place)[behind] + ++used[behind]];
        Node succ = to->succ[0];
        *to = list[i].instr;
        to->succ_count = 1;
        to->succ[0] = succ;
    }
    return result;
}
