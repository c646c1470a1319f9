// The static functions of the state machine (figure 2 of Glesner, docs/papers.md). A function's are
// made when the function is first called.
//
// A block is a basic block of graph/basic_blocks.h. Its nops are no operations; a last node that
// goes on one way only is also the block's jump, which needs nothing. An operation needs the
// operations of the block that set its registers, and the operations that fact/order.h names. The
// last of these operations are enough: changes of memory need each other, and so do chained
// operations; an operation that returns twice needs all earlier operations, and all later
// operations need it. So an operation has about as many needs as operands, and all needs are found
// in linear time.
#include "run/asm_machine.h"

#include "fact/order_last.h"
#include "graph/basic_blocks.h"

typedef struct {
    uint32_t from, to;
} Need;

typedef struct {
    Arena *arena, *scratch;
    const Code *code;
    AsmCode *asm_code;
    AsmChoiceKind choice;
    uint32_t *setter; // of each register: the operation of this block that sets it, plus one
    uint32_t *needed; // of each operation: the last one that was found to need it, plus one
    VEC(Need) needs;  // of the block that is being made
    OrderLast last;   // operations of this block
} AsmBuilder;

// An operation that is needed twice is needed.
static void need(AsmBuilder *b, uint32_t from, uint32_t to) {
    if (b->needed[from] == to + 1) return;
    b->needed[from] = to + 1;
    vec_push(b->scratch, &b->needs, (Need){from, to});
    b->asm_code->operations[to].needs++;
    b->asm_code->operations[from].user_count++;
}

static void need_by_order(AsmBuilder *b, const AsmBlock *block, uint32_t at, Order order) {
    uint32_t needs[ORDER_LAST_NEEDS], count = order_last_needs(&b->last, order, needs);
    for (uint32_t i = 0; i < count; i++) need(b, needs[i], at);
    if (order & ORDER_BARRIER) {
        uint32_t from = b->last.barrier == NO_ID ? block->first : b->last.barrier + 1;
        for (uint32_t i = from; i < at; i++) need(b, i, at);
    }
    order_last_note(&b->last, order, at);
}

static void add_operation(AsmBuilder *b, AsmBlock *block, uint32_t node) {
    AsmCode *ac = b->asm_code;
    const Func *func = b->code->func;
    const Instr *instr = &func->nodes.at[node];
    Order order = order_of_instr(func, instr);
    uint32_t at = block->first + block->count++;
    AsmOperation *op = &ac->operations[at];
    ac->operation_of[node] = at;
    op->step = b->code->steps + node;
    op->block = (uint32_t)(block - ac->blocks);
    op->memory = block->memories - 1;
    // A return that has fired says that the function will be left; what becomes of memory then is
    // after the block.
    bool is_return = instr->kind == I_RETURN;
    op->changes = order & (ORDER_CHANGES | ORDER_BARRIER) && !is_return;
    op->reads = order & ORDER_READS && !op->changes && !is_return;
    if (op->reads) ac->readers[block->first_memory + op->memory]++;
    if (op->changes) block->memories++;
    const Reg *args = instr_args(func, instr);
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (b->setter[args[i].i] > block->first) need(b, b->setter[args[i].i] - 1, at);
    need_by_order(b, block, at, order);
    if (instr->dest.i != NO_ID) b->setter[instr->dest.i] = at + 1;
}

// Lists of users one behind the other, from the pairs.
static void list_users(AsmBuilder *b, const AsmBlock *block, uint32_t *used) {
    AsmCode *ac = b->asm_code;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        ac->operations[i].first_user = *used;
        *used += ac->operations[i].user_count;
        ac->operations[i].user_count = 0;
    }
    for (uint32_t i = 0; i < b->needs.count; i++) {
        AsmOperation *from = &ac->operations[b->needs.at[i].from];
        ac->users[from->first_user + from->user_count++] = b->needs.at[i].to;
    }
}

// Lazily: first what neither reads memory nor is needed to leave the block, then what reads memory,
// then what the way out needs, then the way out. Users stand behind what they use.
static void set_lazy_keys(AsmCode *ac, const AsmBlock *block, bool *leads_out) {
    uint32_t end = block->first + block->count;
    for (uint32_t i = end; i-- > block->first;) {
        AsmOperation *op = &ac->operations[i];
        bool last = !block->jump && i + 1 == end;
        leads_out[i] = last;
        for (uint32_t k = 0; k < op->user_count; k++)
            leads_out[i] |= leads_out[ac->users[op->first_user + k]];
        uint32_t rank = last ? 3 : leads_out[i] ? 2 : op->reads;
        op->key = rank * ac->operation_count + i;
    }
}

static void set_reverse_keys(AsmCode *ac) {
    for (uint32_t i = 0; i < ac->operation_count; i++)
        ac->operations[i].key = ac->operation_count - i;
}

// From the head of a block to its end.
static void make_block(AsmBuilder *b, const Preds *preds, AsmBlock *block) {
    const Func *func = b->code->func;
    b->last = order_last_none();
    vec_clear(&b->needs);
    for (Node node = block->head;;) {
        const Instr *instr = func_at(func, node);
        if (instr->kind != I_NOP) add_operation(b, block, node.i);
        block->jump = instr->succ_count == 1 ? b->code->steps + node.i : NULL;
        if (!block->jump) return;
        Node next = instr_succs(func, instr)[0];
        if (next.i == block->head.i || !continues_block(func, preds, next)) return;
        node = next;
    }
}

static void make_blocks(AsmBuilder *b, const Preds *preds) {
    AsmCode *ac = b->asm_code;
    uint32_t operations = 0, memories = 0, ready = 0, users = 0, room = 0;
    bool *leads_out = ARENA_ARRAY(b->scratch, bool, ac->operation_count);
    for (uint32_t i = 0; i < ac->block_count; i++) {
        AsmBlock *block = &ac->blocks[i];
        block->first = operations;
        block->first_memory = memories;
        block->memories = 1;
        make_block(b, preds, block);
        operations += block->count;
        memories += block->memories;
        if (users + b->needs.count > room) {
            uint32_t more = 2 * (users + b->needs.count);
            ac->users =
                arena_grow(b->arena, ac->users, room * sizeof(uint32_t), more * sizeof(uint32_t));
            room = more;
        }
        list_users(b, block, &users);
        block->first_ready = ready;
        for (uint32_t k = block->first; k < operations; k++) {
            ac->needs[k] = ac->operations[k].needs;
            if (!ac->needs[k]) ac->ready[ready++] = k;
        }
        block->ready_count = ready - block->first_ready;
        if (b->choice == ASM_LAZY) set_lazy_keys(ac, block, leads_out);
    }
    if (b->choice == ASM_REVERSE) set_reverse_keys(ac);
}

// Room for all operations and memories, and the heads of the blocks.
static void count_parts(AsmBuilder *b, const Preds *preds) {
    AsmCode *ac = b->asm_code;
    const Func *func = b->code->func;
    uint32_t count = func->nodes.count, blocks = 0;
    const uint32_t *heads = block_heads(b->scratch, func, preds);
    ac->block_of = ARENA_ARRAY(b->arena, uint32_t, count);
    ac->operation_of = ARENA_ARRAY(b->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        ac->operation_of[n] = ac->block_of[n] = NO_ID;
        if (heads[n] == n) ac->block_of[n] = blocks++;
        ac->operation_count += func->nodes.at[n].kind != I_NOP;
    }
    ac->block_count = blocks;
    ac->blocks = ARENA_ARRAY(b->arena, AsmBlock, blocks);
    for (uint32_t n = 0; n < count; n++)
        if (ac->block_of[n] != NO_ID) ac->blocks[ac->block_of[n]].head = (Node){n};
    ac->operations = ARENA_ARRAY(b->arena, AsmOperation, ac->operation_count);
    ac->needs = ARENA_ARRAY(b->arena, uint32_t, ac->operation_count);
    ac->ready = ARENA_ARRAY(b->arena, uint32_t, ac->operation_count);
    ac->readers = ARENA_ARRAY(b->arena, uint32_t, blocks + ac->operation_count);
}

AsmCode *asm_code_of(Arena *arena, const Code *code, AsmChoiceKind choice) {
    AsmBuilder b = {.arena = arena,
                    .scratch = arena_new("state machine"),
                    .code = code,
                    .asm_code = ARENA_NEW(arena, AsmCode),
                    .choice = choice};
    Preds preds = preds_of(b.scratch, code->func);
    count_parts(&b, &preds);
    b.setter = ARENA_ARRAY(b.scratch, uint32_t, code->func->regs.count);
    b.needed = ARENA_ARRAY(b.scratch, uint32_t, b.asm_code->operation_count);
    make_blocks(&b, &preds);
    arena_free(b.scratch);
    return b.asm_code;
}
