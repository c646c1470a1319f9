#include "form/verify_rules.h"
void son_verify(Verifier *v) {
    verify_graph(v, true, false);
}
