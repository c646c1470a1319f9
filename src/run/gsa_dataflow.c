// Gated SSA run on demand: as the functional SSA that it stands for (fact/gate/fssa_of_gsa.h).
// docs/dataflow.md has the rules.
#include "fact/gate/fssa_of_gsa.h"
#include "run/fssa_run.h"

const Code *dataflow_prepare(Interpreter *in, const Func *func) {
    if (func->form != run_way_table[in->way].form) {
        const Code *refused = run_prepare_plain(in, func);
        world_wrong(&in->world, "function '%s' is not in gated SSA", func_name(func));
        in->world.result->refused = true;
        return refused;
    }
    uint32_t *sites;
    const Func *equations = fssa_of_gsa(in->arena, func, &sites);
    return flow_prepare(in, equations, func, sites);
}
