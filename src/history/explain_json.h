// gate explain --format=json.
#pragma once

#include "history/explain_print.h"

void explain_json(const ExplainRequest *request, const ExplainParts *parts, Out *out);
