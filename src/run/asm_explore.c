#include "run/asm_machine.h"
bool asm_wants_exploring(const AsmMachine *m, const AsmBlock *block) {
    (void)m;
    (void)block;
    return false;
}
void asm_explore(AsmMachine *m, const AsmFrame *f) {
    (void)m;
    (void)f;
}
void asm_finish(Interpreter *in) {
    (void)in;
}
