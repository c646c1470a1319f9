// The version of all programs, the library and the packages. No other file repeats the number.
#pragma once
#define GATECC_VERSION "0.1"
