// The part of the text of SON that SSA does not have. Used by the printer and for pictures.
#pragma once

#include "form/son.h"
#include "text/text.h"

// Whether the index of the memory phis and all ranges of their arguments are sound, so that a
// function, even if a version or register is wrong, can be looked at.
bool son_readable(const Func *func, const Preds *preds);

// "$x", "@g", "rest"
void memory_class_print(Out *out, const Func *func, uint32_t memory);
// Without a label: "m3 = phi $x (4: m1, 9: m2)".
void memory_phi_print(Out *out, const Func *func, const Preds *preds, Node join,
                      const MemoryPhi *phi);
// "m3 = ", "m3, " before a register; " from m3". Nothing if the node makes or reads none.
void version_made_print(Out *out, const Func *func, Node node);
void version_read_print(Out *out, const Func *func, Node node);
// "region 4 from 2, 9"
void region_print(Out *out, const Func *func, const Preds *preds, Node region);

// The boxes and edges of a picture (draw.h).
void son_draw(Out *out, const Func *func);

// The function with its nodes in the order of the text: region by region, each from its first node
// on. Labels stay. The function itself if they are in that order.
const Func *son_in_order(Arena *arena, const Func *func, const Preds *preds);
