// The printer of the machine form. A block is a line with its label, b and its number, then a line
// per instruction. The spelling of an operand tells its kind: a place, a number, or a chunk and an
// address.
#include "base/bits.h"
#include "target/model.h"
#include "text/print/print_forms.h"
#include "text/print/print_parts.h"

#include <string.h>

static void print_place(Out *out, const Func *func, Place place) {
    switch (place_kind(place)) {
    case PLACE_REG: reg_print(out, func, place_reg(place)); break;
    case PLACE_MACHINE:
        out_text(out, target_register_name(func->program->target, place_index(place)));
        break;
    case PLACE_SPILL: out_printf(out, "s%u", place_index(place)); break;
    case PLACE_NONE: out_char(out, '?'); break;
    }
}

static void print_places(Out *out, const Func *func, const Place *places, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) out_text(out, ", ");
        print_place(out, func, places[i]);
    }
}

static bool print_base(Out *out, const Func *func, const MachInstr *instr) {
    switch ((MachBase)instr->base) {
    case MB_NONE: return false;
    case MB_PLACE: print_place(out, func, instr->base_place); return true;
    case MB_SYMBOL: symbol_print(out, func->program, (Sym){instr->ref}); return true;
    case MB_SLOT: print_slot(out, func, instr->ref); return true;
    case MB_INCOMING: out_text(out, "incoming"); return true;
    case MB_OUTGOING: out_text(out, "outgoing"); return true;
    }
    out_char(out, '?');
    return true;
}

static void print_address(Out *out, const Func *func, const MachInstr *instr) {
    out_char(out, '[');
    bool based = print_base(out, func, instr);
    if (instr->scale) {
        if (based) out_text(out, " + ");
        print_place(out, func, instr->index);
        out_char(out, '*');
        out_u64(out, instr->scale);
    }
    if (!based && !instr->scale)
        out_i64(out, instr->displacement);
    else if (instr->displacement)
        print_displacement(out, instr->displacement);
    out_char(out, ']');
}

static void print_chunk(Out *out, uint8_t chunk) {
    out_text(out, chunk < CHUNK_COUNT ? chunk_name(chunk) : "?");
}

// A source of a type: what is at the address, the immediate, or a place.
static void print_source(Out *out, const Func *func, const MachInstr *instr, unsigned source,
                         Type type) {
    if (instr->memory == source) {
        print_chunk(out, instr->chunk);
        out_char(out, ' ');
        print_address(out, func, instr);
    } else if (instr->immediate == source) {
        print_integer(out, type, instr->imm);
    } else {
        print_place(out, func, instr->src[source]);
    }
}

static void print_operands(Out *out, const Func *func, const MachInstr *instr) {
    const OpInfo *info = op_info(instr->op);
    out_text(out, info->name);
    out_char(out, ' ');
    for (unsigned k = 0; k < info->arity; k++) {
        if (k) out_text(out, instr->tested ? " & " : ", ");
        print_source(out, func, instr, k, info->operand[k]);
    }
    if (instr->tested) out_text(out, ", 0");
}

static void print_operator(Out *out, const Func *func, const MachInstr *instr) {
    if (instr->op >= OP_COUNT) {
        out_char(out, '?');
        return;
    }
    const OpInfo *info = op_info(instr->op);
    if (info->arity > 0) {
        print_operands(out, func, instr);
        return;
    }
    out_text(out, info->name);
    out_char(out, ' ');
    if (instr->op == OP_ADDR_SYMBOL)
        symbol_print(out, func->program, (Sym){instr->ref});
    else if (instr->op == OP_ADDR_SLOT)
        print_slot(out, func, instr->ref);
    else if (type_is_int(info->result))
        print_integer(out, info->result, instr->imm);
    else
        print_float(out, info->result, instr->imm, instr->high);
    if ((instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) && instr->imm)
        print_displacement(out, instr->imm);
}

static Type type_in_memory(const MachInstr *instr) {
    return instr->chunk < CHUNK_COUNT ? chunk_type(instr->chunk) : TYPE_I64;
}

static void print_type_name(Out *out, Type type) {
    out_text(out, type > TYPE_VOID && type < TYPE_COUNT ? type_name(type) : "?");
}

// The type that an operator stands for.
static void print_type(Out *out, const MachInstr *instr) {
    const OpInfo *info = instr->op < OP_COUNT ? op_info(instr->op) : NULL;
    print_type_name(out, info && info->arity ? info->operand[0] : TYPE_VOID);
}

// The address and so many sources of a builtin.
static void print_access(Out *out, const Func *func, const MachInstr *instr, size_t sources) {
    out_char(out, '.');
    print_chunk(out, instr->chunk);
    out_char(out, ' ');
    print_address(out, func, instr);
    for (unsigned k = 0; k < sources && k < MACH_SOURCES; k++) {
        out_text(out, ", ");
        print_source(out, func, instr, k, type_in_memory(instr));
    }
}

// The list of an instruction, if it lies where lists lie.
static const Place *readable_list(const Func *func, const MachInstr *instr) {
    uint64_t end = (uint64_t)instr->list + instr->results + instr->arguments;
    return end && end <= func->mach->lists.count ? func->mach->lists.at + instr->list : NULL;
}

static void print_arguments(Out *out, const Func *func, const MachInstr *instr) {
    const Place *list = readable_list(func, instr);
    if (instr->arguments && list)
        print_places(out, func, list + instr->results, instr->arguments);
    else if (instr->arguments)
        out_char(out, '?');
}

// The signature is written unless it is that of the symbol.
static void print_call(Out *out, const Func *func, const MachInstr *instr) {
    const Program *program = func->program;
    bool direct = mach_calls_symbol(instr);
    bool implied = direct && instr->ref < program->symbols.count &&
                   program_at(program, (Sym){instr->ref})->kind == SYM_FUNC &&
                   program_at(program, (Sym){instr->ref})->sig.i == instr->aux;
    if (!implied && instr->aux < program->sigs.count) {
        const SigInfo *sig = program_sig_info(program, (Sig){instr->aux});
        print_ptype(out, program, sig->result);
        print_call_params(out, program, sig);
    }
    if (direct)
        symbol_print(out, program, (Sym){instr->ref});
    else
        print_source(out, func, instr, 0, TYPE_I64);
    out_char(out, '(');
    print_arguments(out, func, instr);
    out_char(out, ')');
}

static void print_fill(Out *out, const Func *func, const MachInstr *instr) {
    print_place(out, func, instr->src[0]);
    out_text(out, ", ");
    if (instr->immediate == 1)
        out_u64(out, instr->high);
    else
        print_place(out, func, instr->src[1]);
}

static void print_builtin(Out *out, const Func *func, const MachInstr *instr) {
    if (instr->op >= BI_COUNT) {
        out_char(out, '?');
        return;
    }
    const BuiltinInfo *info = builtin_info(instr->op);
    out_text(out, info->name);
    if (builtin_has_address(info)) {
        print_access(out, func, instr, strlen(info->arguments));
        if (info->form == BIF_ATOMIC) print_order(out, instr->aux);
        return;
    }
    if (info->form == BIF_PTYPE) {
        out_char(out, ' ');
        print_ptype(out, func->program, (PType){instr->aux});
    }
    uint32_t count = 0;
    while (count < MACH_SOURCES && instr->src[count].i != NO_ID) count++;
    if (count) out_char(out, ' ');
    if (instr->op == BI_MEMSET)
        print_fill(out, func, instr);
    else
        print_places(out, func, instr->src, count);
    if (info->form == BIF_SIZE || info->form == BIF_ASM || info->form == BIF_LEVEL)
        out_text(out, count ? ", " : " ");
    if (info->form == BIF_ALIGN) out_text(out, " align ");
    if (info->form == BIF_MACHINE)
        machine_reg_operand_print(out, func->program, instr->imm, !count);
    else if (builtin_has_number(info))
        out_i64(out, instr->imm);
    if (info->form == BIF_ORDER) print_order(out, instr->aux);
}

static void print_block_name(Out *out, const Func *func, const MachBlock *block, uint32_t which) {
    uint64_t at = (uint64_t)block->succs + which;
    if (which < block->succ_count && at < func->mach->succs.count)
        out_printf(out, "b%u", func->mach->succs.at[at]);
    else
        out_char(out, '?');
}

static void print_cases(Out *out, const Func *func, const MachBlock *block,
                        const MachInstr *instr) {
    uint64_t succs_end = (uint64_t)block->succs + block->succ_count;
    uint64_t cases_end = (uint64_t)instr->aux + block->succ_count;
    bool readable = block->succ_count && succs_end <= func->mach->succs.count &&
                    cases_end <= (uint64_t)func->case_pool.count + 1;
    out_text(out, readable ? "{ " : "{ ?, ");
    for (uint32_t k = 1; readable && k < block->succ_count; k++) {
        out_i64(out, func->case_pool.at[instr->aux + k - 1]);
        out_text(out, ": ");
        print_block_name(out, func, block, k);
        out_text(out, ", ");
    }
    out_text(out, "default: ");
    print_block_name(out, func, block, 0);
    out_text(out, " }");
}

static void print_results(Out *out, const Func *func, const MachInstr *instr) {
    const Place *list = readable_list(func, instr);
    bool listed = mach_has(instr, MACH_LIST);
    if (mach_has(instr, MACH_BOTH) || (listed && !instr->results)) return;
    if (listed && list)
        print_places(out, func, list, instr->results);
    else if (listed)
        out_char(out, '?');
    else if (instr->dest.i != NO_ID)
        print_place(out, func, instr->dest);
    else
        return;
    out_text(out, " = ");
}

// What the parts of a line share.
typedef struct {
    Out *out;
    const Func *func;
    const MachBlock *block;
    const MachInstr *instr;
    uint32_t label; // the next successor to be written
} LinePrinter;

// A piece of the text, or a letter that is meant literally.
static void print_piece(LinePrinter *p, char piece) {
    Out *out = p->out;
    const MachInstr *instr = p->instr;
    switch ((MachText)piece) {
    case TEXT_OPERATION:
    case TEXT_CONDITION: print_operator(out, p->func, instr); return;
    case TEXT_CHECKED: out_text(out, instr->checked ? " checked" : ""); return;
    case TEXT_CHUNK: print_chunk(out, instr->chunk); return;
    case TEXT_TYPE: print_type(out, instr); return;
    case TEXT_RESULT_TYPE: print_type_name(out, (Type)instr->aux); return;
    case TEXT_ADDRESS: print_address(out, p->func, instr); return;
    case TEXT_NUMBER: out_i64(out, instr->imm); return;
    case TEXT_VALUE:
    case TEXT_PLACE: print_source(out, p->func, instr, 0, type_in_memory(instr)); return;
    case TEXT_SOURCE_2: print_source(out, p->func, instr, 2, (Type)instr->aux); return;
    case TEXT_SOURCE_3: print_source(out, p->func, instr, 3, (Type)instr->aux); return;
    case TEXT_DEST: print_place(out, p->func, instr->dest); return;
    case TEXT_CALL: print_call(out, p->func, instr); return;
    case TEXT_PARAMETERS: return;
    case TEXT_RETURNED:
        if (instr->arguments) out_char(out, ' ');
        print_arguments(out, p->func, instr);
        return;
    case TEXT_LABEL: print_block_name(out, p->func, p->block, p->label++); return;
    case TEXT_CASES: print_cases(out, p->func, p->block, instr); return;
    case TEXT_BUILTIN: print_builtin(out, p->func, instr); return;
    }
    out_char(out, piece);
}

void mach_instr_print(Out *out, const Func *func, const MachBlock *block, const MachInstr *instr) {
    if (instr->kind >= MACH_KIND_COUNT) {
        out_char(out, '?');
        return;
    }
    LinePrinter printer = {.out = out, .func = func, .block = block, .instr = instr};
    print_results(out, func, instr);
    if (!mach_kind_is_wordless(instr->kind)) out_text(out, mach_kinds[instr->kind].word);
    for (const char *text = mach_kinds[instr->kind].text; *text; text++)
        print_piece(&printer, *text);
}

// ---- Functions

typedef struct {
    Bits used, defined;
} Mentioned;

static void mention(Bits *set, Place place) {
    if (place_kind(place) == PLACE_REG && place_index(place) < set->size)
        bits_add(set, place_index(place));
}

static Mentioned find_mentioned(Arena *arena, const Func *func) {
    Mentioned m = {.used = bits_new(arena, func->regs.count),
                   .defined = bits_new(arena, func->regs.count)};
    for (uint32_t i = 0; i < func->params.count; i++)
        mention(&m.defined, place_of_reg(func->params.at[i]));
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(func, i);
        bool listed = readable_list(func, instr);
        uint32_t reads = listed ? mach_read_count(instr) : MACH_PLAIN_READS;
        uint32_t sets = listed ? mach_set_count(instr) : 1;
        for (uint32_t k = 0; k < reads; k++) mention(&m.used, mach_read_at(func, instr, k));
        for (uint32_t k = 0; k < sets; k++) mention(&m.defined, mach_set_at(func, instr, k));
    }
    return m;
}

// Registers that are used, but get no type from a definition.
static void print_registers(Out *out, const Func *func) {
    Arena *arena = arena_new("print");
    Mentioned m = find_mentioned(arena, func);
    for (uint32_t i = 0; i < func->regs.count; i++) {
        if (!bits_has(&m.used, i) || bits_has(&m.defined, i)) continue;
        out_text(out, "  reg ");
        out_text(out, type_name(func->regs.at[i].type));
        out_char(out, ' ');
        reg_print(out, func, (Reg){i});
        out_char(out, '\n');
    }
    arena_free(arena);
}

static void print_allocated(Out *out, const TargetModel *target, const Mach *mach) {
    out_text(out, "  allocated\n");
    const char *before = "  saves ";
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++) {
        if (!regs_has(mach->saved, reg)) continue;
        out_text(out, before);
        out_text(out, target_register_name(target, reg));
        before = ", ";
    }
    if (regs_any(mach->saved)) out_char(out, '\n');
    for (uint32_t i = 0; i < mach->spills.count; i++)
        out_printf(out, "%s%u", i ? ", " : "  spills ", mach->spills.at[i].size);
    if (mach->spills.count) out_char(out, '\n');
}

static void print_block(Out *out, const Func *func, uint32_t b, const PrintOptions *options) {
    const Mach *mach = func->mach;
    const MachBlock *block = &mach->blocks.at[b];
    out_printf(out, "b%u:\n", b);
    for (uint32_t i = 0; i < block->count; i++) {
        uint64_t at = (uint64_t)block->first + i;
        if (at >= mach->code.count) {
            out_text(out, "  ?\n");
            return;
        }
        out_text(out, "  ");
        mach_instr_print(out, func, block, &mach->code.at[at]);
        if (options->locations) print_location(out, func->program, mach->code.at[at].loc);
        out_char(out, '\n');
    }
}

void mach_print_lines(Out *out, const Func *func, const PrintOptions *options) {
    if (func->mach->allocated) print_allocated(out, func->program->target, func->mach);
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) print_block(out, func, b, options);
}

void mach_print(Out *out, const Func *func, const PrintOptions *options) {
    func_header_print(out, func);
    out_text(out, " {\n");
    func_print_slots(out, func, 0);
    print_registers(out, func);
    mach_print_lines(out, func, options);
    out_text(out, "}\n");
}

void mach_quote(Out *out, const Func *func, Site site) {
    uint32_t block = mach_block_of(func, site.i);
    if (block == NO_ID)
        out_char(out, '?');
    else
        mach_instr_print(out, func, mach_block(func, block), mach_at(func, site.i));
}
