// gate run: a program in any form, with what there is to see while it runs.
#pragma once

#include "gate/gate_session.h"

int gate_run(GateSession *session);
