// gate explain --format=json.
#pragma once

#include "driver/explain_print.h"

void explain_json(const ExplainRequest *request, const ExplainParts *parts, Out *out);
