// The version, for all programs, the library and the packages: here and nowhere else.
#pragma once
#define GATECC_VERSION "0.1"
