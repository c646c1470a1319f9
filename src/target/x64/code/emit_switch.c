// Switches: binary search over clusters of cases, where a cluster is a range of values with one
// target or a jump table.
//
// Cases come in ascending order. Neighbours with one target become ranges; from left to right,
// ranges join a table as long as at least an eighth of it is used; tables of fewer than four
// ranges are not worth it. All of this is linear; the search adds one comparison per cluster.
//
// An entry of a table is the distance of its block from the table. In code that does not move it is
// the block's address, as tools that read objects expect (Linux's objtool).
#include "target/x64/code/emit.h"

typedef struct {
    int64_t low, high;
    uint32_t target;       // block; of a table: NO_ID
    uint32_t first, count; // of a table: its ranges
} Cluster;

typedef VEC(Cluster) ClusterVec;

typedef struct {
    Emit *e;
    ClusterVec ranges, clusters;
    Width width;
    X64Operand value;
    uint32_t otherwise; // block
} SwitchSearch;

static uint64_t span(int64_t low, int64_t high) {
    return (uint64_t)high - (uint64_t)low;
}

// ---- Clusters

static void find_ranges(SwitchSearch *s, const MachInstr *instr, const uint32_t *succs,
                        uint32_t count) {
    const Emit *e = s->e;
    const int64_t *cases = mach_cases(e->func, instr);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t target = e->target[succs[k + 1]];
        Cluster *last = s->ranges.count ? &s->ranges.at[s->ranges.count - 1] : NULL;
        if (target == s->otherwise) continue;
        if (last && last->target == target && span(last->high, cases[k]) == 1)
            last->high = cases[k];
        else
            vec_push(e->assembly->scratch, &s->ranges,
                     (Cluster){.low = cases[k], .high = cases[k], .target = target});
    }
}

enum { TABLE_RANGES = 4 };

static void find_clusters(SwitchSearch *s) {
    Arena *arena = s->e->assembly->scratch;
    for (uint32_t i = 0; i < s->ranges.count;) {
        const Cluster *from = &s->ranges.at[i];
        uint64_t used = span(from->low, from->high) + 1;
        uint32_t end = i + 1;
        for (; end < s->ranges.count; end++) {
            const Cluster *range = &s->ranges.at[end];
            uint64_t more = used + span(range->low, range->high) + 1;
            uint64_t size = span(from->low, range->high);
            if (size >= UINT32_MAX || more < size / 8) break;
            used = more;
        }
        if (end - i < TABLE_RANGES || s->e->assembly->options->code.no_jump_tables) {
            vec_push(arena, &s->clusters, *from);
            i++;
            continue;
        }
        vec_push(arena, &s->clusters,
                 (Cluster){.low = from->low,
                           .high = s->ranges.at[end - 1].high,
                           .target = NO_ID,
                           .first = i,
                           .count = end - i});
        i = end;
    }
}

// ---- Text

static uint32_t block_label(const SwitchSearch *s, uint32_t block) {
    return s->e->block_label + block;
}

static void compare_with(SwitchSearch *s, int64_t number) {
    X64Operand operand = x64_imm(number);
    if (number < INT32_MIN || number > INT32_MAX) {
        operand = x64_reg(M_R11);
        x64_constant(s->e, TYPE_I64, number, operand);
    }
    if (number == 0)
        x64_two(s->e, "test", s->width, s->value, s->value);
    else
        x64_two(s->e, "cmp", s->width, operand, s->value);
}

// Puts the value less `low` into r11.
static void put_offset(SwitchSearch *s, int64_t low) {
    Emit *e = s->e;
    X64Operand offset = x64_reg(M_R11);
    Type type = s->width == W64 ? TYPE_I64 : TYPE_I32;
    if (low == 0) {
        x64_move(e, type, s->value, offset);
    } else if (low > INT32_MIN && low <= INT32_MAX) {
        x64_lea(e, s->width, -low, s->value.reg, 0, 0, M_R11);
    } else {
        x64_constant(e, type, (int64_t)(0 - (uint64_t)low), offset);
        x64_two(e, "add", s->width, s->value, offset);
    }
}

static void compare_offset(SwitchSearch *s, uint64_t size) {
    X64Operand limit = x64_imm((int64_t)size);
    if (s->width == W32) limit.number = (int32_t)size;
    if (s->width == W64 && size > INT32_MAX) {
        limit = x64_reg(M_R10);
        x64_constant(s->e, TYPE_I64, (int64_t)size, limit);
    }
    x64_two(s->e, "cmp", s->width, limit, x64_reg(M_R11));
}

static void put_entry(SwitchSearch *s, uint32_t block, uint32_t table) {
    Out *out = &s->e->assembly->tables;
    bool addresses = s->e->program->pic == PIC_NONE;
    out_bytes(out, addresses ? "\t.quad .L" : "\t.long .L", 9);
    out_u64(out, block_label(s, block));
    if (!addresses) {
        out_bytes(out, "-.L", 3);
        out_u64(out, table);
    }
    out_char(out, '\n');
}

static void put_entries(SwitchSearch *s, const Cluster *cluster, uint32_t table) {
    Out *out = &s->e->assembly->tables;
    out_printf(out, ".L%u:\n", table);
    int64_t next = cluster->low;
    for (uint32_t i = 0; i < cluster->count; i++) {
        const Cluster *range = &s->ranges.at[cluster->first + i];
        for (uint64_t gap = span(next, range->low); gap > 0; gap--)
            put_entry(s, s->otherwise, table);
        for (uint64_t k = 0; k <= span(range->low, range->high); k++)
            put_entry(s, range->target, table);
        next = (int64_t)((uint64_t)range->high + 1);
    }
}

static void put_table(SwitchSearch *s, const Cluster *cluster, bool surely) {
    Emit *e = s->e;
    uint32_t table = assembly_label(e->assembly);
    X64Operand offset = x64_reg(M_R11), start = x64_reg(M_R10);
    put_offset(s, cluster->low);
    if (!surely) {
        compare_offset(s, span(cluster->low, cluster->high));
        x64_jump(e, "ja", block_label(s, s->otherwise));
    }
    if (e->program->pic == PIC_NONE) {
        x64_jump_by_addresses(e, table);
    } else {
        out_printf(e->out, "\tleaq .L%u(%%rip), %%r10\n", table);
        x64_plain(e, "movslq (%r10,%r11,4), %r11");
        x64_two(e, "add", W64, start, offset);
        x64_jump_by_table(e);
    }
    put_entries(s, cluster, table);
}

// One cluster; [low, high] is what the value can be. False if nothing is left after it.
static bool put_cluster(SwitchSearch *s, const Cluster *cluster, int64_t low, int64_t high) {
    Emit *e = s->e;
    bool surely = cluster->low <= low && cluster->high >= high;
    if (cluster->target == NO_ID) {
        put_table(s, cluster, surely);
        return false;
    }
    uint32_t label = block_label(s, cluster->target);
    if (surely) {
        x64_jump(e, "jmp", label);
        return false;
    }
    if (cluster->low == cluster->high) {
        compare_with(s, cluster->low);
        x64_jump(e, "je", label);
    } else if (cluster->low <= low) {
        compare_with(s, cluster->high);
        x64_jump(e, "jle", label);
    } else if (cluster->high >= high) {
        compare_with(s, cluster->low);
        x64_jump(e, "jge", label);
    } else {
        put_offset(s, cluster->low);
        compare_offset(s, span(cluster->low, cluster->high));
        x64_jump(e, "jbe", label);
    }
    return true;
}

// A table decides where all other values go, so it stands alone or last.
static bool is_leaf(const SwitchSearch *s, uint32_t first, uint32_t count) {
    if (count > 3) return false;
    for (uint32_t i = 0; i + 1 < count; i++)
        if (s->clusters.at[first + i].target == NO_ID) return false;
    return true;
}

// Clusters first to first + count - 1, with the value in [low, high]. The depth is logarithmic.
static void put_search(SwitchSearch *s, uint32_t first, uint32_t count, int64_t low, int64_t high) {
    if (!is_leaf(s, first, count)) {
        uint32_t middle = first + count / 2, right = assembly_label(s->e->assembly);
        int64_t pivot = s->clusters.at[middle].low;
        compare_with(s, pivot);
        x64_jump(s->e, "jge", right);
        put_search(s, first, count / 2, low, pivot - 1);
        x64_label(s->e, right);
        put_search(s, middle, count - count / 2, pivot, high);
        return;
    }
    for (uint32_t i = first; i < first + count; i++) {
        const Cluster *cluster = &s->clusters.at[i];
        if (!put_cluster(s, cluster, low, high)) return;
        if (cluster->low <= low) low = cluster->high + 1;
    }
    bool last = first + count == s->clusters.count;
    if (!last || s->otherwise != s->e->next_block)
        x64_jump(s->e, "jmp", block_label(s, s->otherwise));
}

void x64_switch(Emit *e, const MachInstr *instr, const uint32_t *succs, uint32_t count) {
    bool wide = op_info((Op)instr->op)->operand[0] == TYPE_I64;
    SwitchSearch search = {.e = e,
                           .width = wide ? W64 : W32,
                           .value = x64_place(e, instr->src[0]),
                           .otherwise = e->target[succs[0]]};
    find_ranges(&search, instr, succs, count - 1);
    find_clusters(&search);
    put_search(&search, 0, search.clusters.count, wide ? INT64_MIN : INT32_MIN,
               wide ? INT64_MAX : INT32_MAX);
}
