// machine FILE.c: the machine code of each function, block by block, and what each instruction sets and reads.
#include <gate.h>

#include <stdio.h>

static void print_place(uint32_t number) {
    GatePlace place;
    if (!gate_place(number, &place)) return;
    if (place.name)
        printf(" %s", place.name);
    else
        printf(" %s%u", place.kind == GATE_IN_SPILL ? "spill" : "r", place.index);
}

static void print_instruction(GateProgram *program, uint32_t function, uint32_t index) {
    GateInstruction instruction;
    if (!gate_instruction(program, function, index, &instruction)) return;
    printf("    %-40s sets:", gate_site_text(program, function, index));
    print_place(instruction.dest);
    for (uint32_t i = 0; i < instruction.result_count; i++) print_place(instruction.results[i]);
    printf("  reads:");
    for (uint32_t i = 0; i < GATE_MACH_SOURCES; i++) print_place(instruction.sources[i]);
    print_place(instruction.base);
    print_place(instruction.index);
    for (uint32_t i = 0; i < instruction.argument_count; i++) print_place(instruction.arguments[i]);
    putchar('\n');
}

static void print_function(GateProgram *program, uint32_t function) {
    printf("%s\n", gate_function_name(program, function));
    for (uint32_t b = 0; b < gate_block_count(program, function); b++) {
        GateBlock block;
        gate_block(program, function, b, &block);
        printf("  block %u\n", b);
        for (uint32_t i = 0; i < block.count; i++)
            print_instruction(program, function, block.first + i);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    GateProgram *program = gate_open_c(argv[1], NULL, 0);
    gate_convert(program, GATE_FORM_MACH, true);
    for (uint32_t f = 0; gate_good(program) && f < gate_function_count(program); f++)
        print_function(program, f);
    bool good = gate_good(program);
    if (!good) fputs(gate_messages(program), stderr);
    gate_close(program);
    return good ? 0 : 1;
}
