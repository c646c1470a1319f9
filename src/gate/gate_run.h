// gate run: runs a program in any form, and shows the run.
#pragma once

#include "gate/gate_session.h"

int gate_run(GateSession *session);
