#include "test/gen/parts.h"

#include "form/gsa.h"
#include "form/mach.h"
#include "form/son.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(Type, member)                                                                        \
    { #member, offsetof(Type, member), sizeof(((Type *)0)->member), 0 }
#define TRUTH_FIELD(Type, member)                                                                  \
    { #member, offsetof(Type, member), sizeof(((Type *)0)->member), 2 }
#define COUNT(array) (uint32_t)(sizeof array / sizeof array[0])

static const Field node_fields[] = {
    FIELD(Instr, kind),       FIELD(Instr, base),
    FIELD(Instr, scale),      FIELD(Instr, chunk),
    FIELD(Instr, effective),  FIELD(Instr, op),
    FIELD(Instr, high),       TRUTH_FIELD(Instr, immediate),
    FIELD(Instr, dest),       FIELD(Instr, arg_count),
    FIELD(Instr, succ_count), FIELD(Instr, arg[0]),
    FIELD(Instr, arg[1]),     FIELD(Instr, arg[2]),
    FIELD(Instr, succ[0]),    FIELD(Instr, succ[1]),
    FIELD(Instr, ref),        FIELD(Instr, aux),
    FIELD(Instr, imm),        FIELD(Instr, loc),
};
static const Field reg_fields[] = {FIELD(RegInfo, name), FIELD(RegInfo, number),
                                   FIELD(RegInfo, version), FIELD(RegInfo, type)};
static const Field slot_fields[] = {FIELD(SlotInfo, name), FIELD(SlotInfo, size),
                                    FIELD(SlotInfo, align)};
static const Field phi_fields[] = {FIELD(Phi, dest), FIELD(Phi, args_at)};
static const Field id_fields[] = {{"", 0, 4, 0}};
static const Field case_fields[] = {{"", 0, 8, 0}};
static const Field atom_fields[] = {FIELD(GateAtom, op),        TRUTH_FIELD(GateAtom, immediate),
                                    FIELD(GateAtom, arg_count), FIELD(GateAtom, arg[0]),
                                    FIELD(GateAtom, arg[1]),    FIELD(GateAtom, imm),
                                    FIELD(GateAtom, cases),     FIELD(GateAtom, way)};
static const Field gate_fields[] = {FIELD(GateNode, kind), TRUTH_FIELD(GateNode, negated),
                                    FIELD(GateNode, first), FIELD(GateNode, second)};
static const Field cases_fields[] = {FIELD(GateCases, first), FIELD(GateCases, count)};
static const Field merge_fields[] = {FIELD(Merge, kind), FIELD(Merge, dest), FIELD(Merge, args_at),
                                     FIELD(Merge, arg_count)};
static const Field merge_arg_fields[] = {FIELD(MergeArg, gate), FIELD(MergeArg, reg)};
static const Field eta_fields[] = {FIELD(Eta, dest), FIELD(Eta, gate), FIELD(Eta, source)};
static const Field loop_fields[] = {FIELD(LoopGate, header), FIELD(LoopGate, leaves),
                                    FIELD(LoopGate, goes_on)};
static const Field end_fields[] = {FIELD(EndGate, node), FIELD(EndGate, gate)};
static const Field class_fields[] = {TRUTH_FIELD(MemoryClass, is_slot), FIELD(MemoryClass, ref)};
static const Field memory_phi_fields[] = {FIELD(MemoryPhi, memory), FIELD(MemoryPhi, version),
                                          FIELD(MemoryPhi, args_at)};
static const Field mach_fields[] = {FIELD(MachInstr, kind),
                                    FIELD(MachInstr, base),
                                    FIELD(MachInstr, scale),
                                    FIELD(MachInstr, chunk),
                                    FIELD(MachInstr, memory),
                                    FIELD(MachInstr, immediate),
                                    TRUTH_FIELD(MachInstr, addressed),
                                    TRUTH_FIELD(MachInstr, tested),
                                    TRUTH_FIELD(MachInstr, checked),
                                    FIELD(MachInstr, op),
                                    FIELD(MachInstr, high),
                                    FIELD(MachInstr, dest),
                                    FIELD(MachInstr, src[0]),
                                    FIELD(MachInstr, src[1]),
                                    FIELD(MachInstr, src[2]),
                                    FIELD(MachInstr, src[3]),
                                    FIELD(MachInstr, base_place),
                                    FIELD(MachInstr, index),
                                    FIELD(MachInstr, displacement),
                                    FIELD(MachInstr, ref),
                                    FIELD(MachInstr, aux),
                                    FIELD(MachInstr, imm),
                                    FIELD(MachInstr, list),
                                    FIELD(MachInstr, results),
                                    FIELD(MachInstr, arguments),
                                    FIELD(MachInstr, loc)};
static const Field block_fields[] = {FIELD(MachBlock, first), FIELD(MachBlock, count),
                                     FIELD(MachBlock, succs), FIELD(MachBlock, succ_count)};
static const Field spill_fields[] = {FIELD(MachSpill, size)};

#define PART(vec, fields)                                                                          \
    { #vec, fields, COUNT(fields), sizeof *(vec).at, (char *)(vec).at, (vec).count }

uint32_t parts_of(Func *func, Part *parts) {
    const Part plain[] = {PART(func->nodes, node_fields),   PART(func->regs, reg_fields),
                          PART(func->slots, slot_fields),   PART(func->params, id_fields),
                          PART(func->labels, id_fields),    PART(func->reg_pool, id_fields),
                          PART(func->node_pool, id_fields), PART(func->case_pool, case_fields),
                          PART(func->phis, phi_fields),     PART(func->phi_at, id_fields),
                          PART(func->phi_args, id_fields)};
    uint32_t count = COUNT(plain);
    memcpy(parts, plain, sizeof plain);
    if (func->gsa) {
        Gsa *gsa = func->gsa;
        const Part gated[] = {PART(gsa->atoms, atom_fields),
                              PART(gsa->gates, gate_fields),
                              PART(gsa->switches, cases_fields),
                              PART(gsa->case_values, case_fields),
                              PART(gsa->merges, merge_fields),
                              PART(gsa->merge_at, id_fields),
                              PART(gsa->merge_args, merge_arg_fields),
                              PART(gsa->etas, eta_fields),
                              PART(gsa->eta_at, id_fields),
                              PART(gsa->loops, loop_fields),
                              PART(gsa->ends, end_fields)};
        memcpy(parts + count, gated, sizeof gated);
        count += COUNT(gated);
    }
    if (func->son) {
        Son *son = func->son;
        const Part floating[] = {PART(son->floating, node_fields),
                                 PART(son->classes, class_fields),
                                 PART(son->makes, id_fields),
                                 PART(son->reads, id_fields),
                                 PART(son->memory_phis, memory_phi_fields),
                                 PART(son->memory_phi_at, id_fields),
                                 PART(son->memory_args, id_fields)};
        memcpy(parts + count, floating, sizeof floating);
        count += COUNT(floating);
    }
    if (func->mach) {
        Mach *mach = func->mach;
        const Part machine[] = {PART(mach->code, mach_fields), PART(mach->blocks, block_fields),
                                PART(mach->succs, id_fields), PART(mach->lists, id_fields),
                                PART(mach->spills, spill_fields)};
        memcpy(parts + count, machine, sizeof machine);
        count += COUNT(machine);
    }
    if (count > MOST_PARTS) abort();
    return count;
}
