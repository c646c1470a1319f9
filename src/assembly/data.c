// Global data: sections, initial values, aliases, tables of constructors.
#include "assembly/assembly_private.h"

#include <string.h>

// ---- Sections

typedef struct {
    bool zero;     // nothing but zero
    bool relative; // holds addresses
    bool external; // of symbols that another object may define
} DataContents;

static bool is_constant(const Symbol *symbol) {
    return symbol->flags & SYMF_CONST;
}

static DataContents contents_of(const Program *program, const Symbol *symbol) {
    DataContents contents = {.zero = true};
    for (uint32_t i = 0; i < symbol->data.count; i++) {
        const DataItem *item = &symbol->data.at[i];
        if (item->kind == DATA_ADDR) {
            contents.relative = true;
            contents.external |= program_at(program, item->symbol)->linkage != LINK_STATIC;
        }
        contents.zero &= item->kind == DATA_ZERO ||
                         (item->kind >= DATA_I8 && item->kind <= DATA_I64 && item->value == 0);
    }
    return contents;
}

// The text of a string literal, which may share its place with equal ones: its name starts with a
// dot, which no name in C does.
static bool is_shared_string(const Program *program, const Symbol *symbol) {
    if (symbol->linkage != LINK_STATIC || !is_constant(symbol) || symbol->align > 1 ||
        symbol->data.count != 1 || program_text(program, symbol->name)[0] != '.')
        return false;
    const DataItem *item = &symbol->data.at[0];
    uint64_t size = (uint64_t)item->value;
    return item->kind == DATA_BYTES && size > 0 && size == symbol->size &&
           memchr(item->bytes, 0, size) == item->bytes + size - 1;
}

// What follows a section's name: its flags, and its type, perhaps with more.
typedef struct {
    const char *name, *flags, *type;
} Section;

// The usual section of a datum.
static Section usual_section(const Assembly *assembly, const Symbol *symbol) {
    DataContents contents = contents_of(assembly->program, symbol);
    bool moves = contents.relative && assembly->program->pic != PIC_NONE;
    const char *type = contents.zero ? ",@nobits" : ",@progbits";
    if (symbol->flags & SYMF_THREAD)
        return (Section){contents.zero ? ".tbss" : ".tdata", "awT", type};
    if (is_shared_string(assembly->program, symbol))
        return (Section){".rodata.str1.1", "aMS", ",@progbits,1"};
    if (is_constant(symbol) && moves)
        return (Section){contents.external ? ".data.rel.ro" : ".data.rel.ro.local", "aw",
                         ",@progbits"};
    if (is_constant(symbol)) return (Section){".rodata", "a", ",@progbits"};
    return (Section){contents.zero ? ".bss" : ".data", "aw", type};
}

// Sections that are named in the source: one can be written to if one datum in it can.
static Map find_writable(Assembly *assembly) {
    const Program *program = assembly->program;
    Map writable = {0};
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        const Symbol *symbol = program_at(program, (Sym){s});
        if (symbol->kind != SYM_DATA || !symbol->defined || !symbol->section.i) continue;
        bool moves = program->pic != PIC_NONE && contents_of(program, symbol).relative;
        if (!is_constant(symbol) || moves)
            map_set(assembly->scratch, &writable, symbol->section.i, 1);
    }
    return writable;
}

static void enter_section(Assembly *assembly, const Map *writable, const Symbol *symbol) {
    Section section = usual_section(assembly, symbol);
    const char *name = program_text(assembly->program, symbol->name);
    bool retain = symbol->flags & SYMF_RETAIN;
    if (symbol->section.i) {
        bool writes = map_get(writable, symbol->section.i) != HASH_NONE;
        section =
            (Section){program_text(assembly->program, symbol->section), writes ? "aw" : "a", ""};
        if (strncmp(section.name, ".bss.", 5) == 0) section.flags = "aw", section.type = ",@nobits";
        if (symbol->flags & SYMF_THREAD) section.flags = "awT", section.type = "";
    } else if (retain ||
               (assembly->options->data_sections && strcmp(section.name, ".rodata.str1.1") != 0)) {
        section.name = arena_printf(assembly->scratch, "%s.%s", section.name, name);
    } else if (strcmp(section.name, ".data") == 0 || strcmp(section.name, ".bss") == 0) {
        assembly_section(assembly, section.name);
        return;
    }
    assembly_section(assembly, arena_printf(assembly->scratch, "%s,\"%s%s\"%s", section.name,
                                            section.flags, retain ? "R" : "", section.type));
}

// ---- Initial values

static void write_zero(Out *out, uint64_t size) {
    if (size == 0) return;
    out_text(out, "\t.zero ");
    out_u64(out, size);
    out_char(out, '\n');
}

static bool is_printable(uint8_t c) {
    return c >= ' ' && c < 127 && c != '"' && c != '\\';
}

static void write_escaped(Out *out, uint8_t c, bool digit_follows) {
    if (is_printable(c)) {
        out_char(out, (char)c);
        return;
    }
    out_char(out, '\\');
    if (c == '"' || c == '\\') {
        out_char(out, (char)c);
    } else if (c == '\n') {
        out_char(out, 'n');
    } else {
        if (c >= 0100 || digit_follows) out_char(out, (char)('0' + (c >> 6)));
        if (c >= 010 || digit_follows) out_char(out, (char)('0' + (c >> 3 & 7)));
        out_char(out, (char)('0' + (c & 7)));
    }
}

enum { TEXT_LINE = 4096, WORDS_LINE = 16 };

void assembly_text(Out *out, const uint8_t *bytes, uint64_t size) {
    for (uint64_t done = 0; done < size;) {
        uint64_t end = size - done > TEXT_LINE ? done + TEXT_LINE : size;
        bool ends = end == size && bytes[size - 1] == 0;
        out_text(out, ends ? "\t.string \"" : "\t.ascii \"");
        for (uint64_t i = done; i < end - ends; i++)
            write_escaped(out, bytes[i], i + 1 < end && bytes[i + 1] >= '0' && bytes[i + 1] <= '9');
        out_text(out, "\"\n");
        done = end;
    }
}

static void write_hex(Out *out, uint64_t n) {
    char digits[16];
    size_t at = sizeof digits;
    do digits[--at] = "0123456789abcdef"[n & 15];
    while (n >>= 4);
    out_bytes(out, "0x", 2);
    out_bytes(out, digits + at, sizeof digits - at);
}

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word = 0;
    for (uint32_t k = 8; k-- > 0;) word = word << 8 | bytes[k];
    return word;
}

// Eight bytes at a time.
static void write_words(Out *out, const uint8_t *bytes, uint64_t size) {
    uint64_t words = size / 8;
    for (uint64_t w = 0; w < words; w++) {
        if (w % WORDS_LINE) out_char(out, ',');
        if (w % WORDS_LINE == 0) out_text(out, "\t.quad ");
        write_hex(out, word_at(bytes + 8 * w));
        if (w % WORDS_LINE == WORDS_LINE - 1 || w == words - 1) out_char(out, '\n');
    }
    for (uint64_t i = words * 8; i < size; i++) {
        out_text(out, i == words * 8 ? "\t.byte " : ",");
        out_u64(out, bytes[i]);
    }
    if (size % 8) out_char(out, '\n');
}

static void write_bytes(Out *out, const uint8_t *bytes, uint64_t size) {
    uint64_t printable = 0;
    for (uint64_t i = 0; i < size; i++) printable += is_printable(bytes[i]) || bytes[i] == '\n';
    if (size < 16 || printable >= size / 2)
        assembly_text(out, bytes, size);
    else
        write_words(out, bytes, size);
}

static void write_address(Out *out, const Program *program, const DataItem *item) {
    assembly_symbol(out, program, item->symbol);
    if (item->value > 0) out_char(out, '+');
    if (item->value) out_i64(out, item->value);
}

// A run of integers or addresses of one kind, from item `at` on; yields the first after it.
static uint32_t write_run(Out *out, const Program *program, const Symbol *symbol, uint32_t at) {
    static const char *const names[] = {[DATA_I8] = "\t.byte ",
                                        [DATA_I16] = "\t.value ",
                                        [DATA_I32] = "\t.long ",
                                        [DATA_I64] = "\t.quad ",
                                        [DATA_ADDR] = "\t.quad "};
    uint8_t kind = symbol->data.at[at].kind;
    uint32_t end = at;
    while (end < symbol->data.count && end - at < WORDS_LINE && symbol->data.at[end].kind == kind) {
        const DataItem *item = &symbol->data.at[end];
        out_text(out, end == at ? names[kind] : ",");
        if (kind == DATA_ADDR)
            write_address(out, program, item);
        else
            out_i64(out, item->value);
        end++;
    }
    out_char(out, '\n');
    return end;
}

static void write_items(Out *out, const Program *program, const Symbol *symbol) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < symbol->data.count; i++) size += data_item_size(&symbol->data.at[i]);
    for (uint32_t i = 0; i < symbol->data.count;) {
        const DataItem *item = &symbol->data.at[i];
        if (item->kind == DATA_ZERO)
            write_zero(out, (uint64_t)item->value);
        else if (item->kind == DATA_BYTES)
            write_bytes(out, item->bytes, (uint64_t)item->value);
        if (item->kind == DATA_ZERO || item->kind == DATA_BYTES)
            i++;
        else
            i = write_run(out, program, symbol, i);
    }
    if (size < symbol->size) write_zero(out, symbol->size - size);
}

// ---- Symbols

static void write_datum(Assembly *assembly, const Map *writable, Sym id) {
    const Program *program = assembly->program;
    const Symbol *symbol = program_at(program, id);
    Out *out = assembly->out;
    if (symbol->linkage == LINK_COMMON && !symbol->section.i) {
        assembly_linkage(assembly, id);
        out_text(out, "\t.comm ");
        assembly_symbol(out, program, id);
        out_printf(out, ",%llu,%u\n", (unsigned long long)symbol->size, symbol->align);
        return;
    }
    enter_section(assembly, writable, symbol);
    assembly_linkage(assembly, id);
    if (symbol->align > 1) out_printf(out, "\t.balign %u\n", symbol->align);
    bool hidden = assembly_is_local(program, id);
    if (!hidden) {
        out_text(out, "\t.type ");
        assembly_symbol(out, program, id);
        out_text(out,
                 symbol->flags & SYMF_THREAD ? ", @tls_object\n\t.size " : ", @object\n\t.size ");
        assembly_symbol(out, program, id);
        out_printf(out, ", %llu\n", (unsigned long long)symbol->size);
    }
    assembly_symbol(out, program, id);
    out_text(out, ":\n");
    write_items(out, program, symbol);
}

// The name of a version is no name of the assembler's: it is not quoted.
static void write_version(Assembly *assembly, const Symbol *symbol) {
    Out *out = assembly->out;
    out_text(out, "\t.symver ");
    assembly_symbol(out, assembly->program, symbol->alias);
    out_text(out, ", ");
    out_text(out, program_text(assembly->program, symbol->name));
    out_char(out, '\n');
}

static void write_alias(Assembly *assembly, Sym id) {
    const Symbol *symbol = program_at(assembly->program, id);
    Out *out = assembly->out;
    if (symbol->flags & SYMF_VERSION) {
        write_version(assembly, symbol);
        return;
    }
    assembly_linkage(assembly, id);
    out_text(out, "\t.type ");
    assembly_symbol(out, assembly->program, id);
    out_text(out, symbol->flags & SYMF_INDIRECT ? ", @gnu_indirect_function\n"
                  : symbol->kind == SYM_FUNC    ? ", @function\n"
                                                : ", @object\n");
    out_text(out, "\t.set ");
    assembly_symbol(out, assembly->program, id);
    out_text(out, ", ");
    assembly_symbol(out, assembly->program, symbol->alias);
    out_char(out, '\n');
}

// The linker orders the tables by the numbers in the names of their sections.
static void write_hook(Assembly *assembly, Sym id, const char *table, int32_t priority) {
    if (priority < 0) return;
    char number[8] = "";
    if (priority < UINT16_MAX) snprintf(number, sizeof number, ".%05d", priority);
    assembly_section(assembly,
                     arena_printf(assembly->scratch, ".%s%s,\"aw\",@%s", table, number, table));
    out_text(assembly->out, "\t.balign 8\n\t.quad ");
    assembly_symbol(assembly->out, assembly->program, id);
    out_char(assembly->out, '\n');
}

static void write_symbol(Assembly *assembly, const Map *writable, Sym id) {
    const Symbol *symbol = program_at(assembly->program, id);
    bool common = symbol->linkage == LINK_COMMON;
    assembly_write_held(assembly, id);
    if (symbol->alias.i != NO_ID)
        write_alias(assembly, id);
    else if (symbol->kind == SYM_DATA && (symbol->defined || common))
        write_datum(assembly, writable, id);
    else if (!symbol->defined)
        assembly_linkage(assembly, id);
    if (symbol->kind == SYM_FUNC && symbol->defined) {
        write_hook(assembly, id, "init_array", symbol->constructor);
        write_hook(assembly, id, "fini_array", symbol->destructor);
    }
}

// What the source has a place for, in its order.
static void write_in_order(Assembly *assembly, const Map *writable, Bits *written) {
    const SourceOrder *order = assembly->options->order;
    for (uint32_t i = 0; i < order->places.count; i++) {
        const SourcePlace *place = &order->places.at[i];
        if (place->symbol.i == NO_ID)
            assembly_file_asm(assembly, place->file_asm);
        else if (assembly_needs_symbol(assembly, place->symbol) &&
                 bits_put(written, place->symbol.i))
            write_symbol(assembly, writable, place->symbol);
    }
}

void assembly_data(Assembly *assembly) {
    const Program *program = assembly->program;
    Map writable = find_writable(assembly);
    Bits written = bits_new(assembly->arena, program->symbols.count);
    if (assembly_is_ordered(assembly)) write_in_order(assembly, &writable, &written);
    for (uint32_t s = 0; s < program->symbols.count; s++)
        if (assembly_needs_symbol(assembly, (Sym){s}) && !bits_has(&written, s))
            write_symbol(assembly, &writable, (Sym){s});
}
