// The text of --help=options: how gatecc treats each known option.
#pragma once

#include "base/out.h"
#include "target/language.h"

void option_help(Out *out, const TargetLanguage *language);
