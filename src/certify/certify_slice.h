// Writing certificates of slices. Not trusted: gatecheck believes nothing that is written.
#pragma once

#include "hint/hints_slice.h"

// The certificate of a slice, with both programs as text. The caller frees it.
Out certify_slice(const Program *before, const Program *after, const SliceHint *hint);
