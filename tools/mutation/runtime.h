// What is asked at each point of an instrumented tree. A byte of notes: 1 reached, 2 was false, 4 was true, 8 the bound
// made a difference.
#pragma once
extern unsigned char gate_mutant_hits[];
extern unsigned gate_mutant_point, gate_mutant_variant;
static inline int gate_mutant(unsigned point) {
    gate_mutant_hits[point] |= 1;
    return point == gate_mutant_point;
}
static inline int gate_mutant_saw(unsigned point, int value) {
    gate_mutant_hits[point] |= value ? 4 : 2;
    return value;
}
static inline void gate_mutant_near(unsigned point, int differs) {
    if (differs) gate_mutant_hits[point] |= 8;
}
