// gate diff: what steps have changed, line by line.
#pragma once

#include "gate/gate_session.h"

int gate_diff(GateSession *session);
