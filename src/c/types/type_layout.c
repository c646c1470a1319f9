// The layout of structs and unions: as gcc lays them out on ELF systems, with packed and aligned
// members and #pragma pack.
//
// Everything is counted in bits until the end. A member's place follows from three facts: the
// alignment it wants, the alignment of its declared type (bit-fields must not straddle more units
// of it than the type itself covers), and the limit that packing sets.
#include "c/types/type.h"

typedef struct {
    uint64_t bits;  // allocated so far
    uint32_t align; // of the record, in bytes
    uint32_t pack;
} RecordLayout;

static uint64_t round_up(uint64_t n, uint64_t to) {
    return (n + to - 1) / to * to;
}

// A bit-field that is a whole integer and stands at a natural place anyway is taken for an ordinary
// member. (That matters only if the type has an alignment other than its own.)
static bool is_whole(const RecordLayout *layout, const Member *member) {
    uint64_t width = member->width;
    bool natural = width == 8 || width == 16 || width == 32 || width == 64;
    return natural && !member->packed && layout->bits % width == 0;
}

// The alignment, in bits, at which a member starts.
static uint64_t member_align(const RecordLayout *layout, const Member *member) {
    uint64_t type_align = (uint64_t)member->type->align * 8;
    uint64_t asked = (uint64_t)member->align * 8;
    if (member->bitfield && member->width == 0) return type_align > asked ? type_align : asked;
    uint64_t align;
    if (member->bitfield && is_whole(layout, member))
        align = asked > member->width ? asked : member->width;
    else if (member->bitfield)
        align = asked ? asked : 1;
    else if (member->packed)
        align = asked ? asked : 8;
    else
        align = type_align > asked ? type_align : asked;
    uint64_t limit = (uint64_t)layout->pack * 8;
    return limit != 0 && align > limit ? limit : align;
}

uint32_t type_member_align(const Member *member, uint32_t pack) {
    return (uint32_t)(member_align(&(RecordLayout){.pack = pack}, member) / 8);
}

static void raise_align(RecordLayout *layout, const Member *member, uint64_t align) {
    if (member->bitfield) {
        if (!member->name) return; // unnamed bit-fields ask nothing of the record
        uint64_t unit = (uint64_t)member->type->align * 8;
        if (layout->pack != 0) {
            if (unit > (uint64_t)layout->pack * 8) unit = (uint64_t)layout->pack * 8;
        } else if (member->packed) {
            unit = 8;
        }
        if (align < unit) align = unit;
    }
    if (layout->align < align / 8) layout->align = (uint32_t)(align / 8);
}

// Whether a bit-field would touch more units of its type's alignment than its type does.
static bool straddles(uint64_t at, const Member *member) {
    uint64_t align = (uint64_t)member->type->align * 8;
    return (at % align + member->width + align - 1) / align > member->type->size * 8 / align;
}

// Where a member of a struct starts, in bits.
static uint64_t place(RecordLayout *layout, const Member *member) {
    uint64_t align = member_align(layout, member);
    raise_align(layout, member, align);
    uint64_t at = round_up(layout->bits, align);
    bool in_units = member->bitfield && member->width > 0 && !member->packed && layout->pack == 0;
    if (in_units && !is_whole(layout, member) && straddles(at, member))
        at = round_up(at, (uint64_t)member->type->align * 8);
    return at;
}

static uint64_t member_bits(const Member *member) {
    return member->bitfield ? member->width : member->type->size * 8;
}

// Says where a bit-field is: in the unit of its type if that lies inside the record, else from the
// byte where it starts.
static void place_bits(Member *member, uint64_t at, uint64_t record_size) {
    uint64_t unit = member->type->size;
    uint64_t start = at / (unit * 8) * unit;
    bool inside = start + unit <= record_size && at - start * 8 + member->width <= unit * 8;
    member->offset = inside ? start : at / 8;
    member->bit = (uint16_t)(at - member->offset * 8);
}

// ---- Microsoft's layout

// Bit-fields whose types have the same size share units of that size, which begin at the alignment
// of the type; a field that does not fit begins the next unit. The next member behind a run of
// them, a field of another size, of width 0 or no field, comes after the whole unit. Bit-fields of
// width 0 count only behind others.
typedef struct {
    const Member *run; // the bit-field before, if it has a width; else NULL
    uint64_t left;     // bits of its unit that are not used
} MsRun;

static uint64_t limited(const RecordLayout *layout, uint64_t align) {
    uint64_t limit = (uint64_t)layout->pack * 8;
    return limit != 0 && align > limit ? limit : align;
}

static void ms_raise_align(RecordLayout *layout, const Member *member, const Member *before) {
    uint64_t asked = (uint64_t)member->align * 8, align = (uint64_t)member->type->align * 8;
    if (member->bitfield && (member->width ? member->packed : !before)) return;
    if (!member->bitfield && member->packed)
        align = asked ? asked : 8;
    else if (align < asked)
        align = asked;
    align = limited(layout, align);
    if (layout->align < align / 8) layout->align = (uint32_t)(align / 8);
}

// Where a member starts, in bits.
static uint64_t ms_place(RecordLayout *layout, MsRun *run, const Member *member) {
    ms_raise_align(layout, member, run->run);
    uint64_t unit = member->type->size * 8, at = layout->bits;
    const Member *before = run->run;
    bool field = member->bitfield && member->width > 0;
    bool goes_on = before && field && before->type->size == member->type->size;
    if (goes_on && run->left >= member->width) {
        run->left -= member->width;
        return at;
    }
    if (before) at += run->left;
    run->run = field ? member : NULL;
    run->left = field ? unit - member->width : 0;
    // The next unit of a run begins where the last one ends, which may be anywhere in a packed
    // record.
    bool nothing = member->bitfield && member->width == 0 && !before;
    uint64_t align = nothing || goes_on ? 1
                     : member->packed   ? 8
                                        : (uint64_t)member->type->align * 8;
    // As in gcc, a member behind a bit-field is not aligned again if the end of the bit-field was
    // aligned as asked.
    uint64_t asked = limited(layout, (uint64_t)member->align * 8);
    bool aligned = before && asked && layout->bits % asked == 0;
    if (align < asked && !aligned) align = asked;
    return round_up(at, limited(layout, align));
}

void type_complete_record(Types *types, CType *type, uint32_t align, uint32_t pack) {
    Record *record = type->record;
    RecordLayout layout = {.align = align > 0 ? align : 1, .pack = pack};
    MsRun run = {0};
    uint64_t *starts = ARENA_ARRAY(types->arena, uint64_t, record->members.count);
    for (uint32_t i = 0; i < record->members.count; i++) {
        Member *member = &record->members.at[i];
        uint64_t bits = member_bits(member);
        if (type->kind == CT_UNION) {
            if (record->ms_layout)
                ms_raise_align(&layout, member, NULL);
            else
                raise_align(&layout, member, member_align(&(RecordLayout){.pack = pack}, member));
            if (layout.bits < bits) layout.bits = bits;
            continue;
        }
        starts[i] = record->ms_layout ? ms_place(&layout, &run, member) : place(&layout, member);
        layout.bits = starts[i] + bits;
    }
    layout.bits += run.left;
    uint64_t size = round_up((layout.bits + 7) / 8, layout.align);
    for (uint32_t i = 0; i < record->members.count; i++) {
        Member *member = &record->members.at[i];
        if (member->bitfield && member->width > 0)
            place_bits(member, starts[i], size);
        else
            member->offset = starts[i] / 8;
        if (!member->bitfield) member->align = type_member_align(member, pack);
        record->has_const |= type_is_const(member->type);
        type->variable |= member->type->variable;
        type_add_part(type, member->type);
    }
    type_complete(type, size, layout.align);
    record->being_defined = false;
}
