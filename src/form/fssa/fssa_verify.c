#include "form/fssa/fssa.h"
#include "form/verify_rules.h"
void fssa_verify(Verifier *v) {
    (void)v;
}
