// Why a line is in a slice: the chain of dependences from it to what was asked for, in words of the
// source.
#pragma once

#include "slice/program_demand.h"
#include "slice/slice_gates.h"

typedef struct {
    const SliceDemand *demand; // closed
    const SliceVariables *variables;
    SliceGates *gates;
    uint32_t file; // of the line, as locations count files
} SliceWhyRequest;

// Whether the function has a node for the line.
bool slice_why_has_line(const SliceWhyRequest *request, uint32_t line);
// Writes the chain, one step a line, and yields where it ends, a node that was asked for; NO_NODE,
// after saying so, if nothing that was asked for depends on the line.
Node slice_why(Out *out, const SliceWhyRequest *request, uint32_t line);
// The chain from a kept node on.
Node slice_why_node(Out *out, const SliceWhyRequest *request, Node node);

// The chain from a line of one function to what was asked for in another, by way of calls. The
// demand is closed, and the function is sliced (SLICE_SLICED). False, after saying so, if nothing
// that was asked for depends on the line.
bool slice_why_program(Out *out, Arena *arena, ProgramDemand *program, Sym function, uint32_t file,
                       uint32_t line, SourceText source);
