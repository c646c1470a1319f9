// Writes rows of sequences.def as assembly: the first alternative that the places of the
// instruction allow. object/walk.h says how to read a row; here its names become the assembler's
// names, and its operands become text.
//
// An alternative may turn out to be impossible in the middle: an operand does not suit a line, or a
// guard does not hold. Then the text written so far is taken back.
#include "target/x64/code/emit.h"
#include "target/x64/code/emit_options.h"

#include <string.h>

enum { LOCAL_LABELS = 10 };

typedef struct {
    Emit *e;
    const MachInstr *instr;
    const char *at;                // the text from here on
    const char *last;              // the line of the last instruction
    uint32_t mentioned;            // bits: labels that have a number
    uint32_t labels[LOCAL_LABELS]; // their numbers
} RowWriter;

typedef struct {
    const char *name;
    uint32_t length; // of the name
    uint32_t width;  // bytes; 0 if the line does not say
    uint32_t count;  // of the operands
    X64Operand operand[3];
    uint32_t bytes[3]; // of the operands; 0: as the line
} RowLine;

static inline bool starts(const char *text, const char *word) {
    return x64_text_word(&text, word);
}

// ---- Operands

static int source_number(char letter) {
    switch (letter) {
    case 'a': return 0;
    case 'b': return 1;
    case 'c': return 2;
    case 'e': return 3;
    default: return -1;
    }
}

static bool fits_32(int64_t number) {
    return number >= INT32_MIN && number <= INT32_MAX;
}

// The number of the instruction as a line of a width has it.
static int64_t number_of(const MachInstr *instr, uint32_t width) {
    int64_t number = x64_operator_width(instr) == 4 ? (int32_t)instr->imm : instr->imm;
    return width == 1 ? (int8_t)number : width == 2 ? (int16_t)number : number;
}

static bool take_source(RowWriter *w, uint32_t k, uint32_t width, X64Operand *operand) {
    const MachInstr *instr = w->instr;
    if (instr->memory != k && instr->immediate != k && instr->src[k].i == NO_ID) return false;
    *operand = x64_source(w->e, instr, k);
    if (x64_is_imm(*operand)) operand->number = number_of(instr, width);
    return true;
}

// i, n or k
static bool take_number(RowWriter *w, char letter, uint32_t width, X64Operand *operand) {
    if (!x64_has_number(w->instr)) return false;
    int64_t number = number_of(w->instr, width);
    if (letter == 'n') number = -number;
    if (letter == 'k') number &= x64_operator_width(w->instr) == 8 ? 63 : 31;
    *operand = x64_imm(number);
    return fits_32(number);
}

static MachineReg take_register(RowWriter *w) {
    size_t length = strcspn(w->at, "+-*),;: ");
    const char *name = w->at;
    w->at += length;
    if (*name == 'x') {
        name++;
        return (MachineReg)(M_XMM0 + x64_text_number(&name));
    }
    if (length == 2 && name[1] == 'i') return (MachineReg)w->instr->imm; // ri
    return target_register_named(&x64_model, name, length);
}

// A register by its name or as the place of a role.
static bool take_address_register(RowWriter *w, MachineReg *reg) {
    if (*w->at == 'r') {
        *reg = take_register(w);
        return true;
    }
    char letter = *w->at++;
    Place place = w->instr->dest;
    if (letter != 'd') place = w->instr->src[source_number(letter)];
    if (place.i == NO_ID || !place_is_machine(place)) return false;
    *reg = (MachineReg)place_index(place);
    return true;
}

// (R+R*N+N)
static bool take_memory(RowWriter *w, X64Operand *operand) {
    *operand = x64_at(MACHINE_REG_LIMIT, 0);
    for (w->at++; *w->at != ')'; w->at += *w->at == '+') {
        MachineReg reg;
        X64Operand number;
        if (*w->at == 'i' || *w->at == 'n') {
            if (!take_number(w, *w->at++, 8, &number)) return false;
            operand->number += number.number;
        } else if (*w->at == '-' || (*w->at >= '0' && *w->at <= '9')) {
            operand->number += x64_text_number(&w->at);
        } else if (!take_address_register(w, &reg)) {
            return false;
        } else if (*w->at == '*' || operand->reg != MACHINE_REG_LIMIT) {
            operand->index = (uint8_t)reg;
            operand->scale = 1;
            if (x64_text_word(&w->at, "*")) operand->scale = (uint8_t)x64_text_number(&w->at);
        } else {
            operand->reg = (uint8_t)reg;
        }
    }
    w->at++;
    return true;
}

static X64Operand symbol_operand(const RowWriter *w, const char *before, const char *after) {
    return (X64Operand){
        .kind = OPERAND_SYMBOL, .constant = w->instr->ref, .before = before, .after = after};
}

// Behind y: +i
static int64_t symbol_offset(RowWriter *w) {
    return x64_text_word(&w->at, "+i") ? w->instr->imm : 0;
}

// p4:X:X or pi
static X64Operand take_pool(RowWriter *w) {
    if (x64_text_word(&w->at, "i")) {
        bool wide = op_info((Op)w->instr->op)->result == TYPE_F80;
        return x64_pool(w->e, wide ? 16 : 8, (uint64_t)w->instr->imm, w->instr->high);
    }
    uint32_t size = (uint32_t)x64_text_number(&w->at);
    w->at++;
    uint64_t low = (uint64_t)x64_text_number(&w->at);
    w->at++;
    return x64_pool(w->e, size, low, (uint64_t)x64_text_number(&w->at));
}

static X64Operand take_label(RowWriter *w) {
    uint32_t label = (uint32_t)(*w->at++ - '0');
    if (!(w->mentioned >> label & 1)) w->labels[label] = assembly_label(w->e->assembly);
    w->mentioned |= 1u << label;
    return (X64Operand){.kind = OPERAND_LABEL, .constant = w->labels[label]};
}

// What starts with a sign or is a word.
static bool take_special(RowWriter *w, uint32_t width, X64Operand *operand) {
    if (*w->at == '$' && w->at[1] != 'y') {
        w->at++;
        int64_t number = x64_text_number(&w->at);
        *operand = x64_imm(width == 4 ? (int32_t)number : number);
    } else if (x64_text_word(&w->at, "$y")) {
        *operand = symbol_operand(w, "$", "");
        operand->number = symbol_offset(w);
    } else if (x64_text_word(&w->at, "y")) {
        *operand = symbol_operand(w, "", "(%rip)");
        operand->number = symbol_offset(w);
    } else if (x64_text_word(&w->at, "&")) {
        *operand = take_label(w);
        operand->after = "(%rip)";
    } else if (x64_text_word(&w->at, "got")) {
        *operand = symbol_operand(w, "", "@GOTPCREL(%rip)");
    } else if (x64_text_word(&w->at, "tpoff")) {
        *operand = symbol_operand(w, "", "@GOTTPOFF(%rip)");
    } else if (x64_text_word(&w->at, "tlsgd")) {
        *operand = symbol_operand(w, "", "@tlsgd(%rip)");
    } else if (x64_text_word(&w->at, "fs:")) {
        *operand = (X64Operand){.kind = OPERAND_THREAD, .number = x64_text_number(&w->at)};
    } else if (x64_text_word(&w->at, "t")) {
        *operand = (X64Operand){.kind = OPERAND_LABEL, .constant = x64_trap_label(w->e)};
    } else {
        return false;
    }
    return true;
}

static bool take_operand(RowWriter *w, uint32_t width, X64Operand *operand) {
    Emit *e = w->e;
    const MachInstr *instr = w->instr;
    char letter = *w->at;
    int k = source_number(letter);
    if (k >= 0) {
        w->at++;
        return take_source(w, (uint32_t)k, width, operand);
    }
    switch (letter) {
    case 'd':
        w->at++;
        *operand = x64_place(e, instr->dest);
        return true;
    case 'm':
        w->at++;
        *operand = x64_address(instr, *w->at == '+' ? x64_text_number(&w->at) : 0);
        return true;
    case 'r':
    case 'x': *operand = x64_reg(take_register(w)); return true;
    case 'i':
    case 'n':
    case 'k': w->at++; return take_number(w, letter, width, operand);
    case '(': return take_memory(w, operand);
    case 'q':
        w->at++;
        *operand = x64_frame_at(e, e->frame.scratch + x64_text_number(&w->at));
        return true;
    case 'v':
        w->at++;
        *operand = x64_frame_at(e, e->frame.variable + x64_text_number(&w->at));
        return true;
    case 'o':
        w->at++;
        *operand = x64_frame_at(e, e->frame.slots[instr->ref]);
        return true;
    case 'p':
        w->at++;
        *operand = take_pool(w);
        return true;
    default:
        if (letter >= '0' && letter <= '9') {
            *operand = take_label(w);
            return true;
        }
        return take_special(w, width, operand);
    }
}

// ---- Instructions

static Width width_of(uint32_t bytes) {
    return bytes == 1 ? W8 : bytes == 2 ? W16 : bytes == 4 ? W32 : W64;
}

static char suffix_of(uint32_t bytes) {
    return "bwlq"[width_of(bytes)];
}

static bool take_line(RowWriter *w, RowLine *line) {
    line->name = w->at;
    line->width = line->count = 0;
    while (*w->at && *w->at != '.' && *w->at != ';' && *w->at != ' ') w->at++;
    line->length = (uint32_t)(w->at - line->name);
    if (*w->at == '.') {
        line->width = x64_text_width(w->instr, w->at[1]);
        w->at += 2;
    }
    // The number of a comparison keeps its sign: $255, which is $-1 in a byte.
    uint32_t width = starts(line->name, "cmp") ? 8 : line->width;
    while ((*w->at == ' ' && w->at[1] != '|') || *w->at == ',') {
        uint32_t k = line->count++;
        w->at++;
        if (!take_operand(w, width, &line->operand[k])) return false;
        line->bytes[k] = x64_text_word(&w->at, ":") ? (uint32_t)x64_text_number(&w->at) : 0;
    }
    return true;
}

// Whether there is such an instruction.
static bool is_writable(const RowLine *line) {
    const X64Operand *first = &line->operand[0], *last = first + line->count - 1;
    if (line->count == 1) return *line->name != 'f' || x64_is_memory(*first);
    if (line->count != 2) return true;
    if (x64_is_imm(*last) || (x64_is_memory(*first) && x64_is_memory(*last))) return false;
    if (starts(line->name, "test")) return !x64_is_memory(*first);
    bool floats = starts(line->name, "comi") || starts(line->name, "ucomi");
    return !floats || !x64_is_memory(*last);
}

// Instructions of the x87: their size is a letter of their own; two values of the stack are named.
static void put_x87_name(Out *out, const RowLine *line) {
    static const struct {
        const char *name, *text;
    } stacked[] = {
        {"fstp_st0", "fstp %st(0)"},        {"fcomip", "fcomip %st(1), %st"},
        {"fcomi", "fcomi %st(1), %st"},     {"fucomip", "fucomip %st(1), %st"},
        {"fucomi", "fucomi %st(1), %st"},   {"fcmovnbe", "fcmovnbe %st(1), %st"},
        {"fcmovbe", "fcmovbe %st(1), %st"}, {"fcmove", "fcmove %st(1), %st"},
        {"fsubr", "fsubr %st, %st(1)"},
    };
    for (uint32_t k = 0; !line->count && k < sizeof stacked / sizeof *stacked; k++)
        if (strlen(stacked[k].name) == line->length && starts(line->name, stacked[k].name)) {
            out_text(out, stacked[k].text);
            return;
        }
    out_bytes(out, line->name, line->length);
    if (!line->count || starts(line->name, "fn") || starts(line->name, "fldcw")) return;
    uint32_t bytes = line->bytes[0] ? line->bytes[0] : 4;
    bool integer = line->name[1] == 'i';
    out_text(out, integer ? (bytes == 8 ? "ll" : "l") : bytes == 10 ? "t" : bytes == 8 ? "l" : "s");
}

static void put_name(Out *out, const RowLine *line) {
    const char *name = line->name;
    if (*name == 'f') {
        put_x87_name(out, line);
    } else if (starts(name, "movzx") || starts(name, "movsx")) {
        out_bytes(out, name, 4);
        out_char(out, suffix_of(line->bytes[0]));
        out_char(out, suffix_of(line->width));
    } else if (starts(name, "movd.")) {
        out_text(out, line->width == 8 ? "movq" : "movd");
    } else if (starts(name, "mov.") && x64_is_imm(line->operand[0]) &&
               !fits_32(line->operand[0].number)) {
        out_text(out, "movabsq");
    } else {
        out_bytes(out, name, line->length);
        bool plain = starts(name, "cvtt") && line->width == 4;
        if (line->width && !plain) out_char(out, suffix_of(line->width));
    }
}

// A move leaves flags alone. The emitter takes note of that where it moves a value as it is.
static bool keeps_flags(const RowWriter *w, const RowLine *line) {
    const MachInstr *instr = w->instr;
    if (instr->kind != MK_OP || !starts(line->name, "mov.")) return false;
    X64Shape shape = x64_shape((Op)instr->op);
    return (shape == X64_TRUNCATE || (shape == X64_EXTEND && instr->memory == 0)) &&
           w->e->flags_at == w->e->out->length &&
           !x64_same(line->operand[1], x64_reg(w->e->flags_reg));
}

// The bytes that do nothing make room for what the linker writes in place of the call if it makes a
// program of this.
static bool write_padded(RowWriter *w) {
    if (starts(w->at, "call")) {
        x64_plain(w->e, ".value 0x6666\n\trex64\n\tcall __tls_get_addr@PLT");
        w->at += strcspn(w->at, ";");
        return true;
    }
    x64_plain(w->e, ".byte 0x66");
    return false;
}

// The emitter knows by options how to reach a library, whatever the text says.
static bool write_library_call(RowWriter *w) {
    if (!x64_text_word(&w->at, "call ^") && !x64_text_word(&w->at, "call got^")) return false;
    size_t length = strcspn(w->at, ";");
    char name[64];
    assert(length < sizeof name);
    memcpy(name, w->at, length);
    name[length] = '\0';
    x64_call_library(w->e, name);
    w->at += length;
    return true;
}

static bool write_instruction(RowWriter *w) {
    Out *out = w->e->out;
    if (write_library_call(w)) return true;
    if (x64_text_word(&w->at, "padded ") && write_padded(w)) return true;
    bool lock = x64_text_word(&w->at, "lock "), repeat = x64_text_word(&w->at, "rep ");
    RowLine line;
    w->last = w->at;
    if (!take_line(w, &line) || !is_writable(&line)) return false;
    bool keeps = keeps_flags(w, &line);
    out_char(out, '\t');
    if (lock) out_bytes(out, "lock ", 5);
    if (repeat) out_bytes(out, "rep ", 4);
    put_name(out, &line);
    uint32_t usual = line.width ? line.width : starts(line.name, "set") ? 1 : 8;
    for (uint32_t k = 0; k < line.count; k++) {
        if (k) out_char(out, ',');
        out_char(out, ' ');
        x64_operand(w->e, width_of(line.bytes[k] ? line.bytes[k] : usual), line.operand[k]);
    }
    out_char(out, '\n');
    if (keeps) w->e->flags_at = out->length;
    return true;
}

// ---- Other lines

// A spill is written whole, so that it can be read back in one piece.
static Type moved_type(const RowWriter *w, X64Operand to, bool result) {
    Type type = x64_moved_type(w->instr);
    if (!result || !x64_is_memory(to)) return type;
    return type == TYPE_I32 ? TYPE_I64 : type == TYPE_F32 ? TYPE_F64 : type;
}

static bool write_move(RowWriter *w) {
    char from = *w->at;
    X64Operand to;
    w->at += 2;
    bool result = *w->at == 'd';
    if (!take_operand(w, 8, &to)) return false;
    Type type = moved_type(w, to, result);
    if (from == 'i')
        x64_constant(w->e, type, w->instr->imm, to);
    else
        x64_fetch(w->e, w->instr, (uint32_t)source_number(from), type, to);
    return true;
}

static bool write_load(RowWriter *w) {
    X64Operand from, to;
    if (!take_operand(w, 8, &from)) return false;
    w->at++;
    if (!take_operand(w, 8, &to)) return false;
    x64_load(w->e, (Chunk)w->instr->chunk, from, to);
    return true;
}

static bool write_extend(RowWriter *w) {
    X64Operand to;
    if (!take_operand(w, 8, &to)) return false;
    if (chunk_size((Chunk)w->instr->chunk) < 4) x64_load(w->e, (Chunk)w->instr->chunk, to, to);
    return true;
}

// There is no scratch register for a number that is large: it comes from memory.
static bool write_plus(RowWriter *w) {
    X64Operand to;
    int64_t number = w->instr->imm;
    if (!take_operand(w, 8, &to)) return false;
    X64Operand added = fits_32(number) ? x64_imm(number) : x64_pool(w->e, 8, (uint64_t)number, 0);
    if (number) x64_two(w->e, "add", W64, added, to);
    return true;
}

static bool is_at(Place a, Place b) {
    return a.i != NO_ID && a.i == b.i;
}

// Whether the result is where source 0 is, in a register whose upper half is zero.
static bool is_short(const RowWriter *w) {
    const MachInstr *instr = w->instr;
    return is_at(instr->dest, instr->src[0]) && place_is_machine(instr->dest) &&
           w->e->short_regs & X64_BIT(place_index(instr->dest));
}

static bool prefers(RowWriter *w) {
    const MachInstr *instr = w->instr;
    bool first = is_at(instr->dest, instr->src[0]), second = is_at(instr->dest, instr->src[1]);
    int64_t number = instr->imm;
    if (x64_text_word(&w->at, "other")) return place_is_machine(instr->dest) && !first && !second;
    if (x64_text_word(&w->at, "second")) return second && !first;
    if (x64_text_word(&w->at, "same")) return first;
    if (x64_text_word(&w->at, "long")) return !is_short(w);
    if (x64_text_word(&w->at, "small")) return number >= -(1 << 20) && number < 1 << 20;
    if (x64_text_word(&w->at, "below"))
        return w->e->assembly->options->code.machine & X64_FAR_BELOW;
    if (x64_text_word(&w->at, "fixed")) return w->e->program->pic == PIC_NONE;
    assert(false && "no preference");
    return false;
}

static bool guard_holds(RowWriter *w) {
    const MachInstr *instr = w->instr;
    bool known, holds = x64_guard(w->e->program, instr, &w->at, &known);
    if (known) return holds;
    if (x64_text_word(&w->at, "same")) return is_at(instr->dest, instr->src[0]);
    if (x64_text_word(&w->at, "short")) return is_short(w);
    int k = source_number(*w->at);
    Place place = k < 0 ? instr->dest : instr->src[k];
    w->at += 2;
    return is_at(place, place_machine(take_register(w)));
}

static bool write_line(RowWriter *w) {
    switch (*w->at) {
    case '?': w->at++; return guard_holds(w);
    case '!': w->at++; return prefers(w);
    case 'm':
        if (!x64_text_word(&w->at, "move ")) break;
        w->last = "";
        return write_move(w);
    case 'l':
        if (!x64_text_word(&w->at, "load ")) break;
        return write_load(w);
    case 'e':
        if (!x64_text_word(&w->at, "extend ")) break;
        return write_extend(w);
    case 'p':
        if (!x64_text_word(&w->at, "plus ")) break;
        return write_plus(w);
    case 's':
        if (!x64_text_word(&w->at, "store a,m")) break;
        x64_store(w->e, (Chunk)w->instr->chunk, x64_source(w->e, w->instr, 0),
                  x64_address(w->instr, 0));
        return true;
    default:
        if (*w->at < '0' || *w->at > '9') break;
        x64_label(w->e, take_label(w).constant);
        w->at++;
        return true;
    }
    return write_instruction(w);
}

static bool write_text(RowWriter *w) {
    while (*w->at && *w->at != '|') {
        if (!write_line(w)) return false;
        w->at += *w->at == ';';
        while (*w->at == ' ') w->at++;
    }
    return true;
}

// Takes note of flags that the last line set by the result.
static void note_flags(RowWriter *w) {
    const MachInstr *instr = w->instr;
    if (!x64_leaves_flags(instr)) return;
    const char *last = w->last;
    bool logic = starts(last, "and") || starts(last, "or.") || starts(last, "xor");
    bool value = starts(last, "add") || starts(last, "sub") || starts(last, "neg") ||
                 starts(last, "shl") || starts(last, "shr") || starts(last, "sar");
    if (!logic && !value) return;
    x64_note_flags(w->e, x64_place(w->e, instr->dest), width_of(x64_operator_width(instr)), logic);
}

void x64_row(Emit *e, const MachInstr *instr, const char *row) {
    size_t start = e->out->length, flags_at = e->flags_at;
    RowWriter w;
    w.e = e;
    w.instr = instr;
    w.mentioned = 0;
    for (w.at = row;; w.at += 2) {
        w.last = "";
        if (write_text(&w)) {
            note_flags(&w);
            return;
        }
        e->out->length = start;
        e->flags_at = flags_at;
        w.at = strchr(w.at, '|');
        assert(w.at && "a row has no text for these places");
    }
}

void x64_composed(Emit *e, const MachInstr *instr, Out *text) {
    out_char(text, '\0');
    x64_row(e, instr, text->text);
    out_free(text);
}

void x64_lines(Emit *e, Out *text) {
    MachInstr none = mach_instr(MK_STOP);
    x64_composed(e, &none, text);
}
