#include "run/asm_machine.h"
void asm_step_choose(AsmMachine *m, AsmFrame *f) {
    (void)m;
    (void)f;
}
