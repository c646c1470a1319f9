#include "fact/initial_data.h"

#include "fact/unit_memory.h"

enum { MOST_PIECES = 2000 };

// A byte of a piece that is no address.
static uint64_t byte_of(const DataItem *item, uint64_t at) {
    if (item->kind == DATA_ZERO) return 0;
    return item->kind == DATA_BYTES ? item->bytes[at] : (uint64_t)item->value >> 8 * at & 0xff;
}

bool initial_data(const Program *program, Sym symbol, uint64_t at, uint64_t size,
                  InitialData *result) {
    const Symbol *info = program_at(program, symbol);
    bool constant = info->flags & SYMF_CONST || unit_keeps_contents(program, symbol);
    return constant && initial_data_at_start(program, symbol, at, size, result);
}

bool initial_data_at_start(const Program *program, Sym symbol, uint64_t at, uint64_t size,
                           InitialData *result) {
    const Symbol *info = program_at(program, symbol);
    if (!symbol_is_own_object(info) || info->flags & SYMF_THREAD || size > sizeof result->number ||
        size > info->size || at > info->size - size || info->data.count > MOST_PIECES)
        return false;
    *result = (InitialData){.symbol = NO_SYM};
    uint64_t start = 0, end = 0; // of a piece
    for (uint32_t i = 0; i < info->data.count && end < at + size; i++, start = end) {
        const DataItem *item = &info->data.at[i];
        end = start + data_item_size(item);
        if (end <= at) continue;
        if (item->kind == DATA_ADDR) {
            *result = (InitialData){item->symbol, (uint64_t)item->value};
            return start == at && size == data_item_size(item);
        }
        for (uint64_t k = 0; k < size; k++)
            if (at + k >= start && at + k < end)
                result->number |= byte_of(item, at + k - start) << 8 * k;
    }
    return true;
}
