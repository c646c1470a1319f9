// An interpreter of bytecode with a stack and calls, running recursive Fibonacci numbers and a sieve.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// clang-format off
typedef enum {
    PUSH, LOAD, STORE, ADD, SUBTRACT, MULTIPLY, LESS, EQUAL, JUMP, JUMP_IF_ZERO, CALL, RETURN,
    GET, SET, POP, HALT
} Operation;
// clang-format on

typedef struct {
    Operation operation;
    int operand;
} Instruction;

typedef struct {
    int stack[4096];
    int heap[8192];
    int frames[1024][2]; // return address and old base
    long executed;
} Machine;

static int run(Machine *m, const Instruction *code) {
    int *top = m->stack, *base = m->stack;
    int depth = 0, at = 0;
    for (;;) {
        const Instruction *i = &code[at++];
        m->executed++;
        switch (i->operation) {
        case PUSH: *top++ = i->operand; break;
        case LOAD: *top++ = base[i->operand]; break;
        case STORE: base[i->operand] = *--top; break;
        case ADD: top--, top[-1] += *top; break;
        case SUBTRACT: top--, top[-1] -= *top; break;
        case MULTIPLY: top--, top[-1] *= *top; break;
        case LESS: top--, top[-1] = top[-1] < *top; break;
        case EQUAL: top--, top[-1] = top[-1] == *top; break;
        case JUMP: at = i->operand; break;
        case JUMP_IF_ZERO:
            if (*--top == 0) at = i->operand;
            break;
        case CALL: // one argument, which becomes the first local
            m->frames[depth][0] = at;
            m->frames[depth++][1] = (int)(base - m->stack);
            base = top - 1;
            at = i->operand;
            break;
        case RETURN: {
            int result = *--top;
            top = base;
            *top++ = result;
            at = m->frames[--depth][0];
            base = m->stack + m->frames[depth][1];
            break;
        }
        case GET: top[-1] = m->heap[top[-1] & 8191]; break;
        case SET: top -= 2, m->heap[top[0] & 8191] = top[1]; break;
        case POP: top--; break;
        case HALT: return top[-1];
        }
    }
}

// clang-format off
// fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
static const Instruction fibonacci[] = {
    {PUSH, 24}, {CALL, 3}, {HALT, 0},
    {LOAD, 0}, {PUSH, 2}, {LESS, 0}, {JUMP_IF_ZERO, 9}, {LOAD, 0}, {RETURN, 0},
    {LOAD, 0}, {PUSH, 1}, {SUBTRACT, 0}, {CALL, 3},
    {LOAD, 0}, {PUSH, 2}, {SUBTRACT, 0}, {CALL, 3}, {ADD, 0}, {RETURN, 0},
};

// Marks multiples in the heap and counts what is left below 8192; locals: i, k, count.
static const Instruction sieve[] = {
    {PUSH, 2}, {PUSH, 0}, {PUSH, 0},
    {LOAD, 0}, {PUSH, 8192}, {LESS, 0}, {JUMP_IF_ZERO, 37},         // 3: while i < 8192
    {LOAD, 0}, {GET, 0}, {PUSH, 0}, {EQUAL, 0}, {JUMP_IF_ZERO, 32}, // 7: if heap[i] == 0
    {LOAD, 2}, {PUSH, 1}, {ADD, 0}, {STORE, 2},                     // 12: count++
    {LOAD, 0}, {LOAD, 0}, {ADD, 0}, {STORE, 1},                     // 16: k = i + i
    {LOAD, 1}, {PUSH, 8192}, {LESS, 0}, {JUMP_IF_ZERO, 32},         // 20: while k < 8192
    {LOAD, 1}, {PUSH, 1}, {SET, 0},                                 // 24: heap[k] = 1
    {LOAD, 1}, {LOAD, 0}, {ADD, 0}, {STORE, 1}, {JUMP, 20},         // 27: k += i
    {LOAD, 0}, {PUSH, 1}, {ADD, 0}, {STORE, 0}, {JUMP, 3},          // 32: i++
    {LOAD, 2}, {HALT, 0},
};
// clang-format on

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 120;
    static Machine machine;
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
        sum += run(&machine, fibonacci);
        for (int i = 0; i < 8192; i++) machine.heap[i] = 0;
        sum = sum * 31 % 1000003 + run(&machine, sieve);
    }
    printf("%ld %ld\n", sum, machine.executed);
    return 0;
}
